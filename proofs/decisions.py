"""Comparisons as uninterpreted functions: an identity for all orders of the numbers.

At a random point the values decide `x > 0`, so equal results there say nothing about the other
sign. In a block of `as_functions`, `x > 0` is an unknown function of x instead, `max(x, y)` is
`y + r(x - y)` with `r(-z) = r(z) - z`, and a maximum of more numbers is a function of their set. If
both sides are equal then, they are equal for all signs of all comparisons, because the true
functions have these laws. A decision that has no such form is noted.
"""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .expressions import LARGER, POSITIVE, ZERO, Expression, Part, residue_of_part
from .field import PRIME, Residues, hashed, residue_of

FLT_MAX = float(np.finfo("f4").max)

LOWEST = frozenset({residue_of(-FLT_MAX), residue_of(-np.inf)})
HIGHEST = frozenset({residue_of(FLT_MAX), residue_of(np.inf)})
"""Bounds that no number exceeds."""


@dataclass
class Decisions:
    """The decisions of a block."""

    noted: dict[str, None] = field(default_factory=dict[str, None])
    """The functions that values decided."""
    sets: dict[int, frozenset[int]] = field(default_factory=dict[int, frozenset[int]])
    """The numbers that each maximum is taken of."""


_CURRENT: ContextVar[Decisions | None] = ContextVar("decisions", default=None)


@contextmanager
def as_functions() -> Generator[Decisions]:
    """Let comparisons in the block be functions."""
    decisions = Decisions()
    token = _CURRENT.set(decisions)
    try:
        yield decisions
    finally:
        _CURRENT.reset(token)


@contextmanager
def by_values() -> Generator[None]:
    """Let values decide comparisons in the block."""
    token = _CURRENT.set(None)
    try:
        yield
    finally:
        _CURRENT.reset(token)


def are_functions() -> bool:
    """Whether comparisons are functions here."""
    return _CURRENT.get() is not None


def note(name: str) -> None:
    """Note that values decide a function."""
    if (decisions := _CURRENT.get()) is not None:
        decisions.noted[name] = None


def positive(residues: Residues) -> Residues:
    """Return the residues of `z > 0` as 0 or 1."""
    return _POSITIVE(residues % PRIME)


def larger(a: Residues, b: Residues) -> Residues:
    """Return the residues of the larger ones of two numbers."""
    return _LARGER(a, b)


def smaller(a: Residues, b: Residues) -> Residues:
    """Return the residues of the smaller ones of two numbers."""
    return _SMALLER(a, b)


def zero(residues: Residues) -> Residues:
    """Return the residues of `z = 0` as 0 or 1."""
    return _ZERO(residues % PRIME)


def _positive(z: Part) -> Part:
    if isinstance(z, Expression):
        return _compared(POSITIVE, z, _positive(z.residue))
    return 0 if z == 0 else hashed("positive", z)


def _zero(z: Part) -> Part:
    if isinstance(z, Expression):
        return _compared(ZERO, z, _zero(z.residue))
    return 1 if z == 0 else hashed("equal", min(z, PRIME - z))


def _compared(kind: str, z: Expression, residue: Part) -> Part:
    assert isinstance(residue, int)
    return Expression(kind, (z,), residue) if z.residue else residue


def _rectified(z: int) -> int:
    """Return the residue of max(z, 0)."""
    least = min(z, PRIME - z)
    found = least * hashed("positive", least) % PRIME if least else 0
    return found if z == least else (found + z) % PRIME


def _larger(a: Part, b: Part) -> Part:
    if a == b or b in LOWEST:
        return a
    if a in LOWEST:
        return b
    if isinstance(a, Expression) or isinstance(b, Expression):
        residue = _larger(residue_of_part(a), residue_of_part(b))
        return Expression(LARGER, (a, b), residue_of_part(residue))
    decisions = _CURRENT.get()
    assert decisions is not None
    every = decisions.sets.get(a, frozenset({a})) | decisions.sets.get(b, frozenset({b}))
    if len(every) == 2:
        x, y = sorted(every)
        found = (y + _rectified((x - y) % PRIME)) % PRIME
    else:
        found = hashed("largest", *sorted(every))
    decisions.sets[found] = every
    return found


def _smaller(a: Part, b: Part) -> Part:
    if a == b or b in HIGHEST:
        return a
    if a in HIGHEST:
        return b
    return -_larger(-a % PRIME, -b % PRIME) % PRIME


_ZERO: Any = np.frompyfunc(_zero, 1, 1)
_POSITIVE: Any = np.frompyfunc(_positive, 1, 1)
_LARGER: Any = np.frompyfunc(_larger, 2, 1)
_SMALLER: Any = np.frompyfunc(_smaller, 2, 1)
