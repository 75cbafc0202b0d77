"""Remarks: what a pass did, told to whoever listens.

A pattern does not know whether somebody wants to hear it (xDSL's `canonicalize` runs it as well as
a pass of ours), so it tells the listener of its context, if there is one.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Remark:
    """One rewrite, or one thing that was left undone for a reason."""

    rewrite: str
    """The pass or rewrite, as its flag is spelt."""
    layers: tuple[str, ...]
    """The layers it joined or removed: first the one that stays."""
    note: str = ""
    """What else there is to know."""

    def __str__(self) -> str:
        text = f"{self.rewrite}: {', '.join(self.layers)}"
        return f"{text} ({self.note})" if self.note else text

    def as_dict(self) -> dict[str, Any]:
        """For a program: `{"rewrite": …, "layers": [{"type": …, "name": …}, …], "note": …}`."""
        parts = (label.partition(" ") for label in self.layers)
        layers = [{"type": type_, "name": name[1:-1] or None} for type_, _, name in parts]
        return {"rewrite": self.rewrite, "layers": layers, "note": self.note}


_LISTENER: ContextVar[Callable[[Remark], None] | None] = ContextVar("remarks", default=None)


def remark(rewrite: str, *layers: str, note: str = "") -> None:
    """Tells the listener, if there is one."""
    listener = _LISTENER.get()
    if listener is not None:
        listener(Remark(rewrite, layers, note))


@contextmanager
def listening(listener: Callable[[Remark], None]) -> Generator[None]:
    """Sends the remarks of the block to this listener."""
    token = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(token)
