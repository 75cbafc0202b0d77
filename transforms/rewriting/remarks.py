"""Remarks about rewrites: a pass or a pattern sends them to the observers of the run, if there are
any."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

from .observers import Observer, current_observers, observing
from .running_passes import name_of

if TYPE_CHECKING:
    from xdsl.pattern_rewriter import RewritePattern

    from .passes.row import LayerOrType


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


def emit_remark(
    pattern: "RewritePattern",
    *layers: Labelled,
    new: "LayerOrType | None" = None,
    note: str = "",
) -> None:
    """Send a remark about a rewrite of these layers to the observers, if there are any. The remark
    has the name of the pass that makes the rewrite, and this note as further text.

    The layer that remains is the first one. `new` is the type of the layer that replaces all of
    them, if the name of the pass depends on it (`name_of`).
    """
    if current_observers().on_remark:
        labels = (layer.label() for layer in layers)
        remark(name_of(pattern, *layers, new=new), *labels, note=note)


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
