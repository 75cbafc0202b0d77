"""Remarks: what a pass did, told to whoever listens.

A pattern does not know whether somebody wants to hear it (xDSL's `canonicalize` runs it as well as
a pass of ours), so it tells the listener of its context, if there is one.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, cast

from .selection import EVERYTHING, Selection

if TYPE_CHECKING:
    from xdsl.pattern_rewriter import RewritePattern

    from ...dialects.ncnn.layer import LayerOp
    from .selection import About


Kind = Literal["done", "routine", "refused"]
"""`done`: a rewrite. `routine`: a conversion that was asked for and loses nothing. `refused`: a
layer or weight stays as it is for a reason."""


class Remark(NamedTuple):
    """One rewrite, or one thing that was left undone for a reason."""

    rewrite: str
    """The pass or rewrite, as its flag is spelt."""
    layers: tuple[str, ...]
    """The layers it joined or removed: first the one that stays."""
    note: str = ""
    """What else there is to know."""
    kind: Kind = "done"

    def __str__(self) -> str:
        text = f"{self.rewrite}: {', '.join(self.layers)}"
        return f"{text} ({self.note})" if self.note else text

    def as_dict(self) -> dict[str, Any]:
        """For a program: `{"rewrite": …, "layers": [{"type": …, "name": …}, …], "note": …}`."""
        parts = (label.partition(" ") for label in self.layers)
        layers = [{"type": type_, "name": name[1:-1] or None} for type_, _, name in parts]
        return {"rewrite": self.rewrite, "layers": layers, "note": self.note}


class Labelled(Protocol):
    """An operation that a remark can be about."""

    def label(self) -> str:
        """Its type and name."""
        ...


_LISTENER: ContextVar[Callable[[Remark], None] | None] = ContextVar("remarks", default=None)


def remark(rewrite: str, *layers: str, note: str = "", kind: Kind = "done") -> None:
    """Tells the listener, if there is one."""
    listener = _LISTENER.get()
    if listener is not None:
        listener(Remark(rewrite, layers, note, kind))


_RUNNING: ContextVar[str | None] = ContextVar("running", default=None)


@contextmanager
def running(name: str) -> Generator[None]:
    """Lets rewrites of the block be of the pass of that name."""
    token = _RUNNING.set(name)
    try:
        yield
    finally:
        _RUNNING.reset(token)


def tell(
    pattern: "RewritePattern",
    *layers: Labelled,
    of: "tuple[LayerOp, About] | None" = None,
    behind: "LayerOp | None" = None,
    note: str = "",
) -> None:
    """Tells the listener, if there is one, of a rewrite of these layers, first the one that stays.

    It has the name of the pass that is running if it is one of its own rewrites, and else, as in
    `canonicalize`, that of the pass that makes such: the pattern's, `of` two layers. These are the
    last one, the root, and the first one unless it is said (see `Selection`). A layer `behind`
    which the rewrite is, counts only if the pass is named after it. `note` is what else there is to
    know.
    """
    if _LISTENER.get() is None:
        return
    layer, other = of or cast(Any, (layers[-1], layers[0] if len(layers) > 1 else None))
    name, selection = name_of(pattern, layer, other)
    told = [layer for layer in layers if layer is not behind or selection.other]
    remark(name, *(layer.label() for layer in told), note=note)


def name_of(pattern: "RewritePattern", layer: "About", other: "About") -> tuple[str, Selection]:
    """The pass that is running or else the first one in the table that makes such a rewrite, and
    what it selects. Raises `LookupError` if neither does."""
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


@contextmanager
def missing(listener: Callable[[Remark], None]) -> Generator[None]:
    """Sends to this listener why patterns leave apart in the block what they mostly fuse."""
    token = _MISSED.set(listener)
    try:
        yield
    finally:
        _MISSED.reset(token)


def missed(pattern: "RewritePattern", layer: "LayerOp", other: Any, why: str) -> None:
    """Tells the listener of what is missed, if there is one, why a pattern does not fuse a layer,
    its root, into another one."""
    listener = _MISSED.get()
    if listener is not None:
        name, _ = name_of(pattern, layer, other)
        listener(Remark(name, (other.label(), layer.label()), why))


@contextmanager
def listening(listener: Callable[[Remark], None]) -> Generator[None]:
    """Sends the remarks of the block to this listener."""
    token = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(token)
