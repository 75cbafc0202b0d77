"""Residues that remember how they were computed: expressions with comparisons.

In a block of `recording`, an expression takes the place of a residue (see `field.py`). It has a
residue, too: comparisons in it are uninterpreted functions (see `decisions.py`). `patterns.py`
gives the comparisons signs instead, one pattern of signs after the other.
"""

from collections.abc import Generator, Set
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction
from itertools import count
from typing import Any, TypeAlias

import numpy as np

from .field import PRIME, hashed

Part: TypeAlias = "Expression | int"
"""An expression, or the residue of a number that is a weight."""

SYMBOL, WEIGHT, CONSTANT = "symbol", "weight", "constant"
ADD, MULTIPLY, INVERSE = "+", "*", "1/"
LARGER, POSITIVE, ZERO = "max", ">0", "=0"
"""Kinds of expressions; others are names of uninterpreted functions."""

COMPARISONS = frozenset({LARGER, POSITIVE, ZERO})

MOST = 300_000
"""The largest number of expressions in a proof."""

SMALL = 1 << 20
"""Residues below this are integers; other residues are weights: numbers without a value."""

_LEFT: ContextVar[list[int] | None] = ContextVar("left", default=None)


class TooMany(Exception):
    """More expressions than `MOST`."""


_WEIGHTS: ContextVar[Set[int]] = ContextVar("weights", default=frozenset())


@contextmanager
def recording(weights: Set[int] = frozenset()) -> Generator[None]:
    """Let constants in the block be expressions. Numbers that are computed from expressions are
    expressions. `weights` are residues of constants that stand for any number."""
    token, other = _LEFT.set([MOST]), _WEIGHTS.set(weights)
    try:
        yield
    finally:
        _LEFT.reset(token)
        _WEIGHTS.reset(other)


def is_recording() -> bool:
    """Whether constants are expressions here."""
    return _LEFT.get() is not None


_SERIAL = count()


class Expression:
    """A number as a function of symbols. In arithmetic it behaves as a residue does."""

    __slots__ = ("args", "residue", "is_plain", "kind", "serial", "value")

    def __init__(
        self, kind: str, args: tuple[Part, ...], residue: int, value: Fraction | None = None
    ) -> None:
        self.kind, self.args, self.residue = kind, args, residue
        self.value = value
        """The value of a constant."""
        self.serial = next(_SERIAL)
        self.is_plain = kind not in COMPARISONS and all(map(is_plain, args))
        """Whether it has no comparison."""
        if (left := _LEFT.get()) is not None:
            left[0] -= 1
            if left[0] < 0:
                raise TooMany(f"more than {MOST:,} numbers")

    def function(self, name: str, args: tuple[Part, ...]) -> Part:
        """Return the result of an uninterpreted function of expressions."""
        return Expression(name, args, hashed(name, *map(residue_of_part, args)))

    def inverse(self) -> Part:
        """Return the reciprocal."""
        residue = pow(self.residue, -1, PRIME)
        if self.value is not None:
            return Expression(CONSTANT, (), residue, 1 / self.value)
        return Expression(INVERSE, (self,), residue)

    def __add__(self, other: Part) -> Part:
        a, b = self.residue, residue_of_part(other)
        if not a or not b:
            return other if not a else self
        if (known := _known(self, other)) is not None:
            return Expression(CONSTANT, (), (a + b) % PRIME, known[0] + known[1])
        return Expression(ADD, (self, other), (a + b) % PRIME)

    __radd__ = __add__

    def __mul__(self, other: Part) -> Part:
        a, b = self.residue, residue_of_part(other)
        if not a or not b:
            return 0
        if a == 1 or b == 1:
            return other if a == 1 else self
        if (known := _known(self, other)) is not None:
            return Expression(CONSTANT, (), a * b % PRIME, known[0] * known[1])
        return Expression(MULTIPLY, (self, other), a * b % PRIME)

    __rmul__ = __mul__

    def __neg__(self) -> Part:
        return self * MINUS_ONE

    def __sub__(self, other: Part) -> Part:
        return self + -other

    def __rsub__(self, other: Part) -> Part:
        return -self + other

    def __mod__(self, modulus: int) -> Part:
        return self

    def __pow__(self, n: int, modulus: int | None = None) -> Part:
        result: Part = 1
        for _ in range(n):
            result = self * result
        return result

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Expression | int) and self.residue == residue_of_part(other)

    def __lt__(self, other: Part) -> bool:
        return self.residue < residue_of_part(other)

    def __gt__(self, other: Part) -> bool:
        return self.residue > residue_of_part(other)

    def __le__(self, other: Part) -> bool:
        return self.residue <= residue_of_part(other)

    def __ge__(self, other: Part) -> bool:
        return self.residue >= residue_of_part(other)

    def __hash__(self) -> int:
        return hash(self.residue)

    def __bool__(self) -> bool:
        return bool(self.residue)


def residue_of_part(part: Part) -> int:
    """Return the residue of a part."""
    return part.residue if isinstance(part, Expression) else part % PRIME


def value_of(part: Part) -> Fraction | None:
    """Return the value of a constant; `None` for other numbers."""
    if isinstance(part, Expression):
        return part.value
    number = part % PRIME
    if number < SMALL:
        return Fraction(number)
    return Fraction(number - PRIME) if PRIME - number < SMALL else None


def _known(a: Part, b: Part) -> tuple[Fraction, Fraction] | None:
    """Return the values of two constants; `None` if one of the numbers is no constant."""
    values = value_of(a), value_of(b)
    return None if values[0] is None or values[1] is None else (values[0], values[1])


def is_plain(part: Part) -> bool:
    """Whether a part has no comparison."""
    return not isinstance(part, Expression) or part.is_plain


MINUS_ONE = Expression(CONSTANT, (), PRIME - 1, Fraction(-1))


def constant_of(residue: int, value: Fraction | None) -> Expression:
    """Return the expression of a constant; without a value, it stands for any number."""
    if value is None or residue in _WEIGHTS.get():
        return Expression(WEIGHT, (), residue)
    return Expression(CONSTANT, (), residue, value)


def symbol(residue: int) -> Expression:
    """Return a new symbol."""
    return Expression(SYMBOL, (), residue)


def symbols(residues: Any) -> Any:
    """Return an array of symbols with these residues."""
    convert: Any = np.frompyfunc(symbol, 1, 1)
    return np.asarray(convert(residues), dtype=object)
