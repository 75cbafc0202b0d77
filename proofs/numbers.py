"""Single exact numbers, and random ones by key."""

import operator
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import reduce
from math import isnan
from random import Random
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from ..analysis.wide_values import BITS
from ..dialects.shapes.terms import Extent
from ..interpreters.ncnn.formulas import OPERATIONS
from . import decisions, laws
from .array import ExactArray, NotExact
from .decisions import are_functions
from .expressions import is_recording, symbol
from .field import PRIME

FLT_MAX = float(np.finfo("f4").max)


class ExactNumber(NamedTuple):
    """An exact number: its residue modulo the prime, and its value."""

    residue: Any
    """An integer, or an expression (see `expressions.py`)."""
    value: float
    is_fixed: bool = False
    """Whether it depends on constants and weights only: values decide comparisons of these."""


Element: TypeAlias = ExactNumber | bool | int
"""An element of a tensor of floats, booleans or integers."""

YES, NO = ExactNumber(1, 1, True), ExactNumber(0, 0, True)


class RandomElements:
    """Random numbers by key, common to both sides of a proof."""

    def __init__(self, seed: object) -> None:
        self._random = Random(str(seed))
        self._made: dict[Hashable, ExactNumber] = {}

    def number(self, *key: Hashable) -> ExactNumber:
        """Return a number in (-1, 1)."""
        return self._drawn(key, lambda n: 2 * n - (1 << BITS))

    def positive(self, *key: Hashable) -> ExactNumber:
        """Return a number in (0.5, 1.5)."""
        return self._drawn(key, lambda n: n + (1 << BITS - 1))

    def flag(self, *key: Hashable) -> ExactNumber:
        """Return a random number whose value is 0 or 1."""
        if key not in self._made:
            residue = self._random.randrange(PRIME)
            drawn = symbol(residue) if is_recording() else residue
            self._made[key] = ExactNumber(drawn, self._random.randrange(2))
        return self._made[key]

    def extent(self, n: Extent) -> ExactNumber:
        """Return the number that stands for an extent."""
        if isinstance(n, int):
            return ExactNumber(n % PRIME, n)
        total = NO
        for monomial, factor in n.parts.items():
            part = ExactNumber(factor % PRIME, factor)
            for atom in monomial:
                part = multiply(part, self.positive("extent", atom))
            total = add(total, part)
        return total

    def _drawn(self, key: tuple[Hashable, ...], numerator: Callable[[int], int]) -> ExactNumber:
        if key not in self._made:
            n = numerator(self._random.randrange(1, 1 << BITS))
            residue = n * pow(1 << BITS, -1, PRIME) % PRIME
            self._made[key] = ExactNumber(
                symbol(residue) if is_recording() else residue, n / (1 << BITS)
            )
        return self._made[key]


def plain(value: Any) -> Element:
    """Return a known number as an element."""
    kind = np.asarray(value).dtype.kind
    if kind == "b":
        return bool(value)
    if kind in "iu":
        return int(value)
    return ExactNumber(laws.constant(float(value)), float(value), True)


def number(element: Element) -> ExactNumber:
    """Return an element as an exact number."""
    if isinstance(element, ExactNumber):
        return element
    return ExactNumber(int(element) % PRIME, int(element), True)


def value(element: Element) -> float:
    """Return the value of an element."""
    return element.value if isinstance(element, ExactNumber) else element


def add(a: ExactNumber, b: ExactNumber) -> ExactNumber:
    return ExactNumber(
        (a.residue + b.residue) % PRIME, a.value + b.value, a.is_fixed and b.is_fixed
    )


def multiply(a: ExactNumber, b: ExactNumber) -> ExactNumber:
    return ExactNumber(a.residue * b.residue % PRIME, a.value * b.value, a.is_fixed and b.is_fixed)


def _subtract(a: ExactNumber, b: ExactNumber) -> ExactNumber:
    return ExactNumber(
        (a.residue - b.residue) % PRIME, a.value - b.value, a.is_fixed and b.is_fixed
    )


def _negate(a: ExactNumber) -> ExactNumber:
    return ExactNumber(-a.residue % PRIME, -a.value, a.is_fixed)


def _larger(a: ExactNumber, b: ExactNumber) -> ExactNumber:
    if (a.is_fixed and b.is_fixed) or not are_functions():
        return a if a.value >= b.value else b
    return ExactNumber(decisions.larger(a.residue, b.residue), max(a.value, b.value))


def _smaller(a: ExactNumber, b: ExactNumber) -> ExactNumber:
    if (a.is_fixed and b.is_fixed) or not are_functions():
        return a if a.value <= b.value else b
    return ExactNumber(decisions.smaller(a.residue, b.residue), min(a.value, b.value))


_OPERATIONS: Mapping[str, Callable[..., ExactNumber]] = {
    "arith.addf": add,
    "arith.subf": _subtract,
    "arith.mulf": multiply,
    "arith.negf": _negate,
    "arith.maximumf": _larger,
    "arith.maxnumf": _larger,
    "arith.minimumf": _smaller,
    "arith.minnumf": _smaller,
}

_LOGIC: Mapping[str, Callable[[ExactNumber, ExactNumber], ExactNumber]] = {
    "arith.andi": multiply,
    "arith.ori": lambda a, b: _subtract(add(a, b), multiply(a, b)),
    "arith.xori": lambda a, b: _subtract(
        add(a, b), multiply(ExactNumber(2, 2, True), multiply(a, b))
    ),
}
"""Operations of comparisons: 1 is true, 0 is false."""

_COMPARISONS: Mapping[str, Callable[[float, float], bool]] = {
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
    "no": lambda a, b: isnan(a) or isnan(b),
}
"""The comparisons of `arith` by predicate, without the first letter (ordered or signed)."""


def compared(predicate: str, a: Element, b: Element) -> Element:
    """Return the result of a comparison: a function of the difference (see `decisions.py`), or of
    numbers that are fixed equality of residues, and the order of values."""
    first, second = number(a), number(b)
    if are_functions() and not (first.is_fixed and second.is_fixed):
        return _as_function(predicate, first, second)
    if predicate in ("oeq", "eq", "une", "ne"):
        return (first.residue == second.residue) == (predicate in ("oeq", "eq"))
    return _COMPARISONS[predicate[1:]](value(a), value(b))


def _as_function(predicate: str, a: ExactNumber, b: ExactNumber) -> ExactNumber:
    """Return a comparison of numbers as 0 or 1."""
    z, negative = _subtract(a, b), _subtract(b, a)
    match predicate[1:] if predicate not in ("eq", "ne") else predicate:
        case "gt":
            return ExactNumber(decisions.positive(z.residue), z.value > 0)
        case "lt":
            return ExactNumber(decisions.positive(negative.residue), z.value < 0)
        case "ge":
            return _subtract(YES, ExactNumber(decisions.positive(negative.residue), z.value < 0))
        case "le":
            return _subtract(YES, ExactNumber(decisions.positive(z.residue), z.value > 0))
        case "eq":
            return ExactNumber(decisions.zero(z.residue), z.value == 0)
        case "ne":
            return _subtract(YES, ExactNumber(decisions.zero(z.residue), z.value == 0))
        case "no":
            return NO  # real numbers are no NaN
        case _:
            raise NotExact(f"the comparison {predicate} at unknown extents")


def selected(condition: Element, a: Element, b: Element) -> Element:
    """Return the first number if a condition is true, else the second one."""
    if isinstance(condition, ExactNumber) and not condition.is_fixed:
        return mixed([condition], a, b)
    return a if value(condition) else b


def converted(element: Element, kind: str) -> Element:
    """Return an element as another kind of type."""
    if kind == "f":
        return number(element)
    if isinstance(element, ExactNumber):
        raise NotExact("floats converted to integers")
    return bool(element) if kind == "b" else int(element)


def applied(name: str, args: Sequence[Element]) -> Element:
    """Return the result of a scalar operation."""
    if name in _LOGIC and any(isinstance(arg, ExactNumber) for arg in args):
        return _LOGIC[name](*map(number, args))
    own = _OPERATIONS.get(name)
    if own is not None:
        return own(*map(number, args))
    function = OPERATIONS.get(name)
    if function is None:
        raise NotExact(f"{name} at unknown extents")
    if not any(isinstance(arg, ExactNumber) for arg in args):
        return plain(function(*args))
    with np.errstate(all="ignore"):
        found = function(*map(_array, map(number, args)))
    if not isinstance(found, ExactArray):
        raise NotExact(f"{name} at unknown extents")
    return ExactNumber(found.residues[()], float(found.values), found.is_fixed)


def _array(n: ExactNumber) -> ExactArray:
    found = ExactArray(n.residue, n.value)
    found.is_fixed = n.is_fixed
    return found


def folded(name: str, first: float | None, elements: Iterable[Element]) -> Element:
    """Return elements combined by a scalar operation, from a first value on."""
    start = None if first is None or is_neutral(name, first) else plain(first)
    rest = iter(elements)
    start = next(rest) if start is None else start
    return reduce(lambda a, b: applied(name, (a, b)), rest, start)


def is_neutral(name: str, first: float) -> bool:
    """Whether the first value of a reduction changes nothing (among finite numbers)."""
    match name.rpartition(".")[2]:
        case "addf" | "addi":
            return first == 0
        case "mulf" | "muli":
            return first == 1
        case "maximumf" | "maxnumf":
            return first <= -FLT_MAX
        case "minimumf" | "minnumf":
            return first >= FLT_MAX
        case _:
            return False


def mixed(flags: Sequence[ExactNumber], inside: Element, outside: Element) -> Element:
    """Return the first element if all flags are 1, else the second one."""
    flag = reduce(multiply, flags, YES)
    if flag == YES or inside == outside:
        return inside
    if flag == NO:
        return outside
    a, b = number(inside), number(outside)
    return add(multiply(flag, a), multiply(_subtract(YES, flag), b))
