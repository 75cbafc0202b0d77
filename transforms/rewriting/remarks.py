"""Remarks: messages of passes about rewrites, sent to listeners.

A pattern does not know who runs it (xDSL's `canonicalize` or one of our passes) and whether remarks
are wanted. It therefore sends remarks to the listener in its context variable, if there is one.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, cast

from .context import set_context
from .selection import EVERYTHING, Selection

if TYPE_CHECKING:
    from xdsl.pattern_rewriter import RewritePattern

    from ...dialects.ncnn.layer import LayerOp
    from .selection import LayerOrType


Kind = Literal["done", "routine", "refused"]
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
    kind: Kind = "done"

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


_LISTENER: ContextVar[Callable[[Remark], None] | None] = ContextVar("remarks", default=None)


def remark(rewrite: str, *layers: str, note: str = "", kind: Kind = "done") -> None:
    """Send a remark to the listener, if there is one."""
    listener = _LISTENER.get()
    if listener is not None:
        listener(Remark(rewrite, layers, note, kind))


_RUNNING: ContextVar[str | None] = ContextVar("running", default=None)


def running(name: str) -> AbstractContextManager[None]:
    """Attribute the rewrites of the `with` block to the pass `name`."""
    return set_context(_RUNNING, name)


def tell(
    pattern: "RewritePattern",
    *layers: Labelled,
    of: "tuple[LayerOp, LayerOrType] | None" = None,
    behind: "LayerOp | None" = None,
    note: str = "",
) -> None:
    """Send a remark about a rewrite of these layers to the listener, if there is one.

    The first layer remains. The remark names the running pass, if the rewrite is
    one of its own. Otherwise, as in `canonicalize`, it names the first pass in the table that
    selects the rewrite. The two layers of the selection (see `Selection`) are `of`; by default the
    last layer, which is the root, and the first layer.

    The remark lists the layer `behind`, which precedes the rewritten layers, only if the pass
    selects rewrites by that layer. `note` is the text of the remark.
    """
    if _LISTENER.get() is None:
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

    name = _RUNNING.get()
    rows = [*((PASSES[name],) if name in PASSES else ()), *PASSES.values()]
    for row in rows:
        if (selection := row.selection_of(type(pattern), layer, other)) is not None:
            return row.name, selection
    if name is None:
        raise LookupError(f"no pass makes the rewrite of {type(pattern).__name__}")
    return name, EVERYTHING


_MISSED: ContextVar[Callable[[Remark], None] | None] = ContextVar("missed", default=None)


def missing(listener: Callable[[Remark], None]) -> AbstractContextManager[None]:
    """Send the rewrites that patterns miss in the `with` block, with reasons, to `listener`."""
    return set_context(_MISSED, listener)


def missed(pattern: "RewritePattern", layer: "LayerOp", other: Any, why: str) -> None:
    """Send a remark about a missed rewrite to the listener, if there is one: the reason `why` a
    pattern does not fuse `layer`, its root, into `other`."""
    listener = _MISSED.get()
    if listener is not None:
        name, _ = name_of(pattern, layer, other)
        listener(Remark(name, (other.label(), layer.label()), why))


def listening(listener: Callable[[Remark], None]) -> AbstractContextManager[None]:
    """Send the remarks of the `with` block to `listener`."""
    return set_context(_LISTENER, listener)
