"""The words in which a graph is matched: formulas of blobs and numbers, written as in Python.

    x = Blob("x")
    gelu = 0.5 * x * (1 + erf(x / sqrt(2.0)))

The same terms say what one layer computes (`meaning.py`) and what a recognizer looks for
(`matching.py`). Order of operands, association, and on which side of a sum or product a number
stands make no difference to a match.
"""

from dataclasses import dataclass
from typing import TypeAlias

from xdsl.ir import SSAValue


class Term:
    """A formula. `+`, `-`, `*`, `/` and `**` build larger ones, with numbers on either side."""

    def __add__(self, other: "TermLike") -> "Term":
        return _sum(self, term(other))

    def __radd__(self, other: float) -> "Term":
        return _sum(Number(other), self)

    def __sub__(self, other: "TermLike") -> "Term":
        return _sum(self, -term(other))

    def __rsub__(self, other: float) -> "Term":
        return _sum(Number(other), -self)

    def __mul__(self, other: "TermLike") -> "Term":
        return Product((self, term(other)))

    def __rmul__(self, other: float) -> "Term":
        return Product((Number(other), self))

    def __truediv__(self, other: "TermLike") -> "Term":
        return Product((self, term(other) ** -1.0))

    def __rtruediv__(self, other: float) -> "Term":
        return Product((Number(other), self**-1.0))

    def __pow__(self, exponent: float) -> "Term":
        return Power(self, exponent)

    def __neg__(self) -> "Term":
        return Product((Number(-1.0), self))


TermLike: TypeAlias = Term | float
"""A term, or a number that stands for one."""


@dataclass(frozen=True)
class Value(Term):
    """A blob of the graph."""

    value: SSAValue


@dataclass(frozen=True)
class Blob(Term):
    """In a pattern: any blob, the same one wherever the name stands."""

    name: str


@dataclass(frozen=True)
class Number(Term):
    """A number."""

    value: float

    def __pow__(self, exponent: float) -> Term:
        return Number(self.value**exponent)

    def __neg__(self) -> Term:
        return Number(-self.value)


@dataclass(frozen=True)
class Scalar(Term):
    """In a pattern: any number, the same one wherever the name stands."""

    name: str


@dataclass(frozen=True)
class Sum(Term):
    """`terms[0] + terms[1] + …`"""

    terms: tuple[Term, ...]


@dataclass(frozen=True)
class Product(Term):
    """`factors[0] * factors[1] * …`"""

    factors: tuple[Term, ...]


@dataclass(frozen=True)
class Power(Term):
    """`base ** exponent`"""

    base: Term
    exponent: float

    def __pow__(self, exponent: float) -> Term:
        if self.exponent % 2 == 0 and exponent % 1:
            return Power(self, exponent)  # the root of a square is no power, but a distance from 0
        return Power(self.base, self.exponent * exponent)


@dataclass(frozen=True)
class Function(Term):
    """A function of one term, element by element: `tanh(x)`."""

    name: str
    of: Term


@dataclass(frozen=True)
class Clip(Term):
    """`min(max(of, low), high)`; infinite bounds are none."""

    of: Term
    low: Term
    high: Term


@dataclass(frozen=True)
class Reduced(Term):
    """What is left of a blob along some axes, broadcast back to them.

    `axes` counts from the outermost. In a pattern they are `None`: any, but the same for all."""

    kind: str
    of: Term
    axes: frozenset[int] | None = None


def _sum(*terms: Term) -> Term:
    """A sum, of whose terms none is one itself."""
    return Sum(
        tuple(t for each in terms for t in (each.terms if isinstance(each, Sum) else (each,)))
    )


def term(value: TermLike) -> Term:
    """The term that a number stands for; a term is one already."""
    return value if isinstance(value, Term) else Number(value)


def sigmoid(x: Term) -> Term:
    """`1 / (1 + exp(-x))`"""
    return Function("sigmoid", x)


def tanh(x: Term) -> Term:
    """The hyperbolic tangent."""
    return Function("tanh", x)


def erf(x: Term) -> Term:
    """The error function."""
    return Function("erf", x)


def exp(x: Term) -> Term:
    """`e ** x`"""
    return Function("exp", x)


def log(x: Term) -> Term:
    """The natural logarithm."""
    return Function("log", x)


def softplus(x: Term) -> Term:
    """`log(1 + exp(x))`"""
    return Function("softplus", x)


def root(x: Term) -> Term:
    """The square root."""
    return x**0.5


def clip(x: Term, low: TermLike, high: TermLike) -> Term:
    """`min(max(x, low), high)`"""
    return Clip(x, term(low), term(high))


def mean(x: Term, axes: frozenset[int] | None = None) -> Term:
    """The mean along axes."""
    return Reduced("mean", x, axes)


def total(x: Term, axes: frozenset[int] | None = None) -> Term:
    """The sum along axes."""
    return Reduced("sum", x, axes)


def largest(x: Term, axes: frozenset[int] | None = None) -> Term:
    """The maximum along axes."""
    return Reduced("max", x, axes)
