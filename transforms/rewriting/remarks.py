"""Remarks about rewrites: a pass or a pattern sends them to the observers of the run, if there are
any."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, cast

from .observers import Observer, current_observers, observing
from .selection import EVERYTHING, Selection

if TYPE_CHECKING:
    from xdsl.pattern_rewriter import RewritePattern

    from ...dialects.ncnn.layer import LayerOp
    from .selection import LayerOrType


RemarkKind = Literal["done", "routine", "refused"]
"""`done`: a rewrite. `routine`: a conversion that was asked for and loses nothing. `refused`: a
layer or weight stays as it is for a reason."""


class Remark(NamedTuple):
    """A rewrite, or a missed rewrite with the reason."""

    rewrite: str
    """The name of the pass or rewrite, as in its flag."""
    layers: tuple[str, ...]
    """The layers that were merged or removed; the remaining layer is the first."""
    note: str = ""
    """Further facts or the reason, as text."""
    kind: RemarkKind = "done"

    def __str__(self) -> str:
        text = f"{self.rewrite}: {', '.join(self.layers)}"
        return f"{text} ({self.note})" if self.note else text

    def as_dict(self) -> dict[str, Any]:
        """Return JSON data: `{"rewrite": …, "layers": [{"type": …, "name": …}, …], "note": …}`."""
        parts = (label.partition(" ") for label in self.layers)
        layers = [{"type": type_, "name": name[1:-1] or None} for type_, _, name in parts]
        return {"rewrite": self.rewrite, "layers": layers, "note": self.note}


class Labelled(Protocol):
    """An operation that a remark can be about."""

    def label(self) -> str:
        """Return its type and name."""
        ...


def remark(rewrite: str, *layers: str, note: str = "", kind: RemarkKind = "done") -> None:
    """Send a remark to the observers, if there are any."""
    if hearing := current_observers().on_remark:
        sent = Remark(rewrite, layers, note, kind)
        for on_remark in hearing:
            on_remark(sent)


def tell(
    pattern: "RewritePattern",
    *layers: Labelled,
    of: "tuple[LayerOp, LayerOrType] | None" = None,
    behind: "LayerOp | None" = None,
    note: str = "",
) -> None:
    """Send a remark about a rewrite of these layers to the observers, if there are any.

    The first layer remains. The remark names the running pass, if the rewrite is
    one of its own. Otherwise, as in `canonicalize`, it names the first pass in the table that
    selects the rewrite. The two layers of the selection (see `Selection`) are `of`; by default the
    last layer, which is the root, and the first layer.

    The remark lists the layer `behind`, which precedes the rewritten layers, only if the pass
    selects rewrites by that layer. `note` is the text of the remark.
    """
    if not current_observers().on_remark:
        return
    layer, other = of or cast(Any, (layers[-1], layers[0] if len(layers) > 1 else None))
    name, selection = name_of(pattern, layer, other)
    listed = [layer for layer in layers if layer is not behind or selection.other]
    remark(name, *(layer.label() for layer in listed), note=note)


def name_of(
    pattern: "RewritePattern", layer: "LayerOrType", other: "LayerOrType"
) -> tuple[str, Selection]:
    """Return the name of the pass that makes this rewrite, and its selection: the running pass, or
    the first such pass in the table. Raise `LookupError` if no pass makes it."""
    from .passes import PASSES

    name = current_observers().running
    rows = [*((PASSES[name],) if name in PASSES else ()), *PASSES.values()]
    for row in rows:
        if (selection := row.selection_of(type(pattern), layer, other)) is not None:
            return row.name, selection
    if name is None:
        raise LookupError(f"no pass makes the rewrite of {type(pattern).__name__}")
    return name, EVERYTHING


class RemarkListener(Observer):
    """An observer that calls a function with each remark."""

    def __init__(self, listener: Callable[[Remark], None]) -> None:
        self.listener = listener

    def on_remark(self, remark: Remark) -> None:
        """Call the function."""
        self.listener(remark)


def listening(listener: Callable[[Remark], None]) -> AbstractContextManager[None]:
    """Send the remarks of the `with` block to `listener`, too."""
    return observing(RemarkListener(listener))
