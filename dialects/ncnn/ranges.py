"""The ranges of formulas: interval arithmetic (R. E. Moore, Interval Analysis, 1966) over a
formula's tree, in float32 with outward rounding. NaN is in every range."""

import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf, isnan

from xdsl.ir import SSAValue

from .formulas import Arg, Call, Const, NoFormula, Term
from .interfaces import Activation, ActivationHost, ElementWise
from .params import to_float32


@dataclass(frozen=True)
class Interval:
    """A closed interval; infinite ends mean no bound."""

    low: float = -inf
    high: float = inf

    def __neg__(self) -> "Interval":
        return Interval(-self.high, -self.low)

    def __add__(self, other: "Interval") -> "Interval":
        return _hull((self.low + other.low, self.high + other.high))

    def __mul__(self, other: "Interval") -> "Interval":
        return _hull(_times(a, b) for a in self._ends() for b in other._ends())

    def __truediv__(self, other: "Interval") -> "Interval":
        if other.low < 0 < other.high or other.low == other.high == 0:
            return Interval()
        return self * Interval(_inverse(other.high, -inf), _inverse(other.low, inf))

    def _ends(self) -> tuple[float, float]:
        return self.low, self.high


ANY = Interval()
NOT_NEGATIVE = Interval(0.0, inf)


def range_of(formula: Term, args: Sequence[Interval] = (ANY,)) -> Interval:
    """Return a range that contains all values of a formula for arguments in these ranges. It may be
    too wide."""
    match formula:
        case Arg(index):
            return args[index]
        case Const():
            return ANY if isnan(formula.value) else Interval(formula.value, formula.value)
        case Call(op="arith.select"):
            return _selected(formula, args)
        case Call(op="arith.mulf", args=(a, b)) if a == b:  # a square
            x = _absolute(range_of(a, args))
            return x * x
        case Call(op=op, args=(x,)) if op in _UNARY:
            return _UNARY[op](range_of(x, args))
        case Call(op=op, args=(a, b)) if op in _BINARY:
            return _BINARY[op](range_of(a, args), range_of(b, args))
        case _:
            return ANY


def range_of_blob(value: SSAValue) -> Interval:
    """Return a range that contains a blob's elements, derived from its producer."""
    match value.owner:
        case ActivationHost() as op:
            return _range(op.activated)
        case ElementWise() as op if op.is_elementwise():
            return _range(op.formula)
        case _:
            return ANY


def range_of_activation(activation: Activation) -> Interval:
    """Return a range that contains all results of an activation."""
    return _range(activation.formula)


def _range(formula: Callable[[Term], Term]) -> Interval:
    try:
        return range_of(formula(Arg(0)))
    except NoFormula:
        return ANY


def _selected(formula: Call, args: Sequence[Interval]) -> Interval:
    """Return the union of both branches' ranges, each for the arguments that select it."""
    condition, yes, no = formula.args
    match condition:
        case Call(predicate="olt", args=(Arg(index), Const(value=bound))):
            below, above = yes, no
        case Call(predicate="ogt", args=(Arg(index), Const(value=bound))):
            below, above = no, yes
        case _:
            both = range_of(yes, args), range_of(no, args)
            return _hull(n for each in both for n in (each.low, each.high))
    x, ends = args[index], list[float]()
    for node, part in (
        (below, Interval(x.low, min(x.high, bound))),
        (above, Interval(max(x.low, bound), x.high)),
    ):
        if part.low <= part.high:
            found = range_of(node, [*args[:index], part, *args[index + 1 :]])
            ends += [found.low, found.high]
    return _hull(ends)


def _hull(numbers: Iterable[float]) -> Interval:
    found = list(numbers)
    return ANY if any(map(isnan, found)) else Interval(_below(min(found)), -_below(-max(found)))


def _below(x: float) -> float:
    """Return the largest float32 that is at most a number."""
    nearest = to_float32(x)
    if nearest <= x:
        return nearest
    (bits,) = struct.unpack("<i", struct.pack("<f", nearest))
    if bits == 0:  # the number is between 0 and the next smaller float32
        return struct.unpack("<f", struct.pack("<I", 0x80000001))[0]
    return struct.unpack("<f", struct.pack("<i", bits + (1 if bits < 0 else -1)))[0]


def _times(a: float, b: float) -> float:
    return 0.0 if a == 0 or b == 0 else a * b


def _inverse(x: float, of_zero: float) -> float:
    return of_zero if x == 0 else 1 / x


def _absolute(x: Interval) -> Interval:
    nearest = 0.0 if x.low <= 0 <= x.high else min(abs(x.low), abs(x.high))
    return Interval(nearest, max(abs(x.low), abs(x.high)))


_UNARY: Mapping[str, Callable[[Interval], Interval]] = {
    "arith.negf": Interval.__neg__,
    "math.absf": _absolute,
    "math.exp": lambda x: NOT_NEGATIVE,
    "math.sqrt": lambda x: NOT_NEGATIVE,
    "math.rsqrt": lambda x: NOT_NEGATIVE,
    "math.tanh": lambda x: Interval(-1.0, 1.0),
    "math.erf": lambda x: Interval(-1.0, 1.0),
    "math.sin": lambda x: Interval(-1.0, 1.0),
    "math.cos": lambda x: Interval(-1.0, 1.0),
    "math.cosh": lambda x: Interval(1.0, inf),
}

_BINARY: Mapping[str, Callable[[Interval, Interval], Interval]] = {
    "arith.addf": Interval.__add__,
    "arith.subf": lambda a, b: a + -b,
    "arith.mulf": Interval.__mul__,
    "arith.divf": Interval.__truediv__,
    "arith.maximumf": lambda a, b: Interval(max(a.low, b.low), max(a.high, b.high)),
    "arith.minimumf": lambda a, b: Interval(min(a.low, b.low), min(a.high, b.high)),
}
"""The range of an operation for its operands' ranges."""
