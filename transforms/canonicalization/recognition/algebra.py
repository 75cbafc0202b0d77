"""Formulas of blobs and numbers, and their normal form for matching.

    x = AnyBlob("x")
    gelu = normal(0.5 * x * (1 + erf(x / sqrt(2.0))))

The formula of a layer (`dialects/ncnn/formulas.py`) and the formula of a recognizer have the same
language. The latter also has names for blobs and numbers, and means, sums and maxima along axes. In
normal form sums and products have any number of terms, differences and quotients are sums and
products, roots are powers, and a lower and an upper bound are one clip. Therefore the order of
operands, association and the position of a number in a sum or product do not affect a match.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import inf

from xdsl.ir import SSAValue

from ....dialects.ncnn.activation import FLT_MAX
from ....dialects.ncnn.formulas import Arg, Call, Const, Term, exp, log

# -- blobs and numbers


@dataclass(frozen=True)
class BlobTerm(Term):
    """A blob of the graph."""

    value: SSAValue


@dataclass(frozen=True)
class AnyBlob(Term):
    """In a pattern: any blob, the same for each occurrence of the name."""

    name: str


@dataclass(frozen=True)
class AnyNumber(Term):
    """In a pattern: any number, the same for each occurrence of the name."""

    name: str


@dataclass(frozen=True)
class NumberTerm(Term):
    """A number."""

    value: float


@dataclass(frozen=True)
class Reduced(Term):
    """A reduction of a blob along some axes, broadcast back to them.

    `axes` counts from the outermost axis. In a pattern it is `None`: any axes, the same for all
    reductions.
    """

    kind: str
    of: Term
    axes: frozenset[int] | None = None


def mean(x: Term, axes: frozenset[int] | None = None) -> Term:
    """Return the mean along axes."""
    return Reduced("mean", x, axes)


def total(x: Term, axes: frozenset[int] | None = None) -> Term:
    """Return the sum along axes."""
    return Reduced("sum", x, axes)


def largest(x: Term, axes: frozenset[int] | None = None) -> Term:
    """Return the maximum along axes."""
    return Reduced("max", x, axes)


# -- the normal form


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


@dataclass(frozen=True)
class Clip(Term):
    """`min(max(of, low), high)`; an infinite bound has no effect."""

    of: Term
    low: Term
    high: Term


@dataclass(frozen=True)
class FunctionTerm(Term):
    """Any other function, element by element: `math.tanh(x)`."""

    name: str
    of: tuple[Term, ...]


def normal(node: Term, args: Sequence[Term] = ()) -> Term:
    """Return the normal form of a formula of these arguments."""
    match node:
        case Arg(index):
            return args[index]
        case Const():
            return NumberTerm(node.value)
        case Reduced(kind, of, axes):
            return Reduced(kind, normal(of, args), axes)
        case Call(op=op):
            operands = [normal(arg, args) for arg in node.args]
            if op in _UNARY:
                return _UNARY[op](operands[0])
            found = _BINARY[op](*operands) if op in _BINARY else None
            return FunctionTerm(op + node.predicate, tuple(operands)) if found is None else found
        case _:
            return node


def _sum(*terms: Term) -> Term:
    """Return a sum whose terms are not sums."""
    return Sum(
        tuple(t for each in terms for t in (each.terms if isinstance(each, Sum) else (each,)))
    )


def _negative(x: Term) -> Term:
    return NumberTerm(-x.value) if isinstance(x, NumberTerm) else Product((NumberTerm(-1.0), x))


def _product(a: Term, b: Term) -> Term:
    return Power(a, 2.0) if a == b else Product((a, b))


def _quotient(a: Term, b: Term) -> Term | None:
    if b == NumberTerm(0.0):
        return None
    inverse = NumberTerm(1 / b.value) if isinstance(b, NumberTerm) else power(b, -1.0)
    return inverse if a == NumberTerm(1.0) else Product((a, inverse))


def power(base: Term, exponent: float) -> Term:
    """Return a power, simplified for a power of a power: `(x ** 0.5) ** -1` is `x ** -0.5`."""
    if not isinstance(base, Power) or (base.exponent % 2 == 0 and exponent % 1):
        return Power(base, exponent)  # the root of a square is abs
    return Power(base.base, base.exponent * exponent)


def _power(base: Term, exponent: Term) -> Term | None:
    return power(base, exponent.value) if isinstance(exponent, NumberTerm) else None


def _bounded(a: Term, b: Term, *, below: bool) -> Term | None:
    """Return the maximum (`below`: a lower bound) or minimum of a term and a number."""
    of, bound = (b, a) if isinstance(a, NumberTerm | AnyNumber) else (a, b)
    if not isinstance(bound, NumberTerm | AnyNumber):
        return None
    if isinstance(bound, NumberTerm) and abs(bound.value) >= FLT_MAX:  # unbounded in the runtime
        bound = NumberTerm(inf if bound.value > 0 else -inf)
    if below:
        return Clip(of, bound, NumberTerm(inf))
    if isinstance(of, Clip) and of.high == NumberTerm(inf):
        return Clip(of.of, of.low, bound)
    return Clip(of, NumberTerm(-inf), bound)


_UNARY: Mapping[str, Callable[[Term], Term]] = {
    "arith.negf": _negative,
    "math.sqrt": lambda x: power(x, 0.5),
    "math.rsqrt": lambda x: power(x, -0.5),
    "math.log1p": lambda x: normal(log(1.0 + x)),
    "math.expm1": lambda x: normal(exp(x) - 1.0),
}

_BINARY: Mapping[str, Callable[[Term, Term], Term | None]] = {
    "arith.addf": _sum,
    "arith.subf": lambda a, b: _sum(a, _negative(b)),
    "arith.mulf": _product,
    "arith.divf": _quotient,
    "arith.maximumf": lambda a, b: _bounded(a, b, below=True),
    "arith.minimumf": lambda a, b: _bounded(a, b, below=False),
    "math.powf": _power,
}
"""The normal form of a call. A missing entry, or `None`, means an ordinary function."""
