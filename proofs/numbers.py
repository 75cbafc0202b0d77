"""Single exact numbers, and random ones by key."""

import operator
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import reduce
from math import isnan
from random import Random
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from ..dialects.shapes.terms import Extent
from ..interpreters.ncnn.formulas import OPERATIONS
from . import laws
from .array import ExactArray, NotExact
from .field import PRIME
from .sampling import BITS

FLT_MAX = float(np.finfo("f4").max)


class Number(NamedTuple):
    """An exact number: its image modulo the prime, and its value."""

    image: int
    value: float


Element: TypeAlias = Number | bool | int
"""An element of a tensor of floats, booleans or integers."""

YES, NO = Number(1, 1), Number(0, 0)


class Draws:
    """Random numbers by key, common to both sides of a proof."""

    def __init__(self, seed: object) -> None:
        self._random = Random(str(seed))
        self._made: dict[Hashable, Number] = {}

    def number(self, *key: Hashable) -> Number:
        """Return a number in (-1, 1)."""
        return self._drawn(key, lambda n: 2 * n - (1 << BITS))

    def positive(self, *key: Hashable) -> Number:
        """Return a number in (0.5, 1.5)."""
        return self._drawn(key, lambda n: n + (1 << BITS - 1))

    def flag(self, *key: Hashable) -> Number:
        """Return a random number whose value is 0 or 1."""
        if key not in self._made:
            self._made[key] = Number(self._random.randrange(PRIME), self._random.randrange(2))
        return self._made[key]

    def extent(self, n: Extent) -> Number:
        """Return the number that stands for an extent."""
        if isinstance(n, int):
            return Number(n % PRIME, n)
        total = NO
        for monomial, factor in n.parts.items():
            part = Number(factor % PRIME, factor)
            for atom in monomial:
                part = multiply(part, self.positive("extent", atom))
            total = add(total, part)
        return total

    def _drawn(self, key: tuple[Hashable, ...], numerator: Callable[[int], int]) -> Number:
        if key not in self._made:
            n = numerator(self._random.randrange(1, 1 << BITS))
            image = n * pow(1 << BITS, -1, PRIME) % PRIME
            self._made[key] = Number(image, n / (1 << BITS))
        return self._made[key]


def plain(value: Any) -> Element:
    """Return a known number as an element."""
    kind = np.asarray(value).dtype.kind
    if kind == "b":
        return bool(value)
    if kind in "iu":
        return int(value)
    return Number(laws.constant(float(value)), float(value))


def number(element: Element) -> Number:
    """Return an element as an exact number."""
    return element if isinstance(element, Number) else Number(int(element) % PRIME, int(element))


def value(element: Element) -> float:
    """Return the value of an element."""
    return element.value if isinstance(element, Number) else element


def add(a: Number, b: Number) -> Number:
    return Number((a.image + b.image) % PRIME, a.value + b.value)


def multiply(a: Number, b: Number) -> Number:
    return Number(a.image * b.image % PRIME, a.value * b.value)


def _subtract(a: Number, b: Number) -> Number:
    return Number((a.image - b.image) % PRIME, a.value - b.value)


def _negate(a: Number) -> Number:
    return Number(-a.image % PRIME, -a.value)


def _larger(a: Number, b: Number) -> Number:
    return a if a.value >= b.value else b


def _smaller(a: Number, b: Number) -> Number:
    return a if a.value <= b.value else b


_OPERATIONS: Mapping[str, Callable[..., Number]] = {
    "arith.addf": add,
    "arith.subf": _subtract,
    "arith.mulf": multiply,
    "arith.negf": _negate,
    "arith.maximumf": _larger,
    "arith.maxnumf": _larger,
    "arith.minimumf": _smaller,
    "arith.minnumf": _smaller,
}

_COMPARISONS: Mapping[str, Callable[[float, float], bool]] = {
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
    "no": lambda a, b: isnan(a) or isnan(b),
}
"""The comparisons of `arith` by predicate, without the first letter (ordered or signed)."""


def compared(predicate: str, a: Element, b: Element) -> bool:
    """Return the result of a comparison: equality of images, the order of values."""
    if predicate in ("oeq", "eq", "une", "ne"):
        return (number(a).image == number(b).image) == (predicate in ("oeq", "eq"))
    return _COMPARISONS[predicate[1:]](value(a), value(b))


def converted(element: Element, kind: str) -> Element:
    """Return an element as another kind of type."""
    if kind == "f":
        return number(element)
    if isinstance(element, Number):
        raise NotExact("floats converted to integers")
    return bool(element) if kind == "b" else int(element)


def applied(name: str, args: Sequence[Element]) -> Element:
    """Return the result of a scalar operation."""
    own = _OPERATIONS.get(name)
    if own is not None:
        return own(*map(number, args))
    function = OPERATIONS.get(name)
    if function is None:
        raise NotExact(f"{name} at unknown extents")
    if not any(isinstance(arg, Number) for arg in args):
        return plain(function(*args))
    with np.errstate(all="ignore"):
        found = function(*(ExactArray(n.image, n.value) for n in map(number, args)))
    if not isinstance(found, ExactArray):
        raise NotExact(f"{name} at unknown extents")
    return Number(int(found.images[()]), float(found.values))


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


def mixed(flags: Sequence[Number], inside: Element, outside: Element) -> Element:
    """Return the first element if all flags are 1, else the second one."""
    flag = reduce(multiply, flags, YES)
    if flag == YES or inside == outside:
        return inside
    if flag == NO:
        return outside
    a, b = number(inside), number(outside)
    return add(multiply(flag, a), multiply(_subtract(YES, flag), b))
