"""Extents: integers, and terms over the extents of a model's inputs.

Arithmetic on extents is written once and runs on both:

    def pooled(extent: Extent) -> Extent:
        return (extent - kernel) // stride + 1

A term is a polynomial with integer coefficients. Its unknowns (atoms) are symbols and uninterpreted
functions of extents: a division with a remainder, a minimum, a layer's floating-point computation.
Terms are kept in a normal form, so two terms are equal if and only if they are identical:
`(2 * h + 4) // 2 == h + 2`. Equal terms are equal extents; unequal terms may be equal extents.

A term describes an extent only where the runtime computes a result; where it fails, any claim
holds. So dividends may be assumed non-negative, and a dividend may be assumed to be a multiple of a
non-constant divisor.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import count
from math import gcd
from operator import attrgetter
from typing import Any, TypeAlias, cast
from weakref import WeakValueDictionary

LARGEST = 2**31 - 1
"""The largest extent of a blob."""

MAX_MONOMIALS = 64
"""The size limit of a product; a larger one becomes one atom."""

MAX_DIVISION_DEPTH = 64
"""The nesting limit of divisions; deeper ones are opaque."""


class Atom:
    """An unknown of terms: a symbol, or a function of extents. Atoms are hash-consed by key."""

    __slots__ = ("__weakref__", "args", "depth", "least", "most", "name", "serial")

    def __init__(self, key: "Key", least: int, most: int, depth: int) -> None:
        self.name, self.args = key
        self.least = least
        self.most = most
        """The lower and upper bound of its value."""
        self.depth = depth
        self.serial = next(_SERIALS)
        """The position in the order of atoms."""

    def __repr__(self) -> str:
        return f"{self.name}({', '.join(map(str, self.args))})"


Key: TypeAlias = tuple[str, tuple[Hashable, ...]]
"""The name of a function or of a kind of symbol, and its arguments."""

_SERIALS = count()
_ATOMS: WeakValueDictionary[Key, Atom] = WeakValueDictionary()


def _atom(key: Key, least: int, most: int, depth: int = 0) -> "ExtentTerm":
    atom = _ATOMS.get(key)
    if atom is None:
        atom = _ATOMS[key] = Atom(key, least, most, depth)
    return ExtentTerm({(atom,): 1})


Monomial: TypeAlias = tuple[Atom, ...]
"""A product of atoms, latest first; empty for the constant part."""


class ExtentTerm:
    """A non-constant polynomial. `+`, `-`, `*` and `//` work between terms and with integers. `<`
    is not defined since it is rarely decidable; use `least`, `minimum` and `maximum`."""

    __slots__ = ("_hash", "parts")

    def __init__(self, parts: Mapping[Monomial, int]) -> None:
        self.parts = parts
        """The non-zero coefficients by monomial; not the constant alone."""
        self._hash: int | None = None

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, ExtentTerm) and self.parts == other.parts)

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self.parts.items()))
        return self._hash

    def __add__(self, other: "Extent") -> "Extent":
        parts = dict(self.parts)
        if isinstance(other, int):
            if constant := parts.pop((), 0) + other:
                parts[()] = constant
            return ExtentTerm(parts)
        if other is UNKNOWN:
            return UNKNOWN
        for monomial, n in other.parts.items():
            parts[monomial] = parts.get(monomial, 0) + n
        return _term_of(parts)

    __radd__ = __add__

    def __neg__(self) -> "Extent":
        return self * -1

    def __sub__(self, other: "Extent") -> "Extent":
        return self + (-other)

    def __rsub__(self, other: int) -> "Extent":
        return self * -1 + other

    def __mul__(self, other: "Extent") -> "Extent":
        if isinstance(other, int):
            return ExtentTerm({m: n * other for m, n in self.parts.items()}) if other else 0
        if other is UNKNOWN:
            return UNKNOWN
        if len(self.parts) * len(other.parts) > MAX_MONOMIALS:
            return function("product", frozenset((self, other)))
        parts: dict[Monomial, int] = {}
        for a, m in self.parts.items():
            for b, n in other.parts.items():
                monomial = tuple(sorted(a + b, key=_SERIAL, reverse=True)) if a and b else a + b
                parts[monomial] = parts.get(monomial, 0) + m * n
        return _term_of(parts)

    __rmul__ = __mul__

    def __floordiv__(self, other: "Extent") -> "Extent":
        if isinstance(other, int):
            return _divided(self, other) if other > 0 else UNKNOWN
        if other is UNKNOWN:
            return UNKNOWN
        quotient = _quotient(self, other)
        return function("quotient", self, other) if quotient is None else quotient

    def __rfloordiv__(self, other: int) -> "Extent":
        return function("quotient", other, self)

    def __repr__(self) -> str:
        texts = [
            "*".join([*([str(n)] if n != 1 or not m else []), *map(repr, m)])
            for m, n in sorted(self.parts.items(), key=_sort_key, reverse=True)
        ]
        return " + ".join(texts)


class _Unknown(ExtentTerm):
    """An extent about which nothing is known. Results computed from it are unknown too. It equals
    nothing, not even itself."""

    def __eq__(self, other: object) -> bool:
        return False

    __hash__ = object.__hash__

    def __add__(self, other: "Extent") -> "Extent":
        return self

    __radd__ = __mul__ = __rmul__ = __sub__ = __rsub__ = __add__
    __floordiv__ = __rfloordiv__ = __add__

    def __neg__(self) -> "Extent":
        return self

    def __repr__(self) -> str:
        return "?"


UNKNOWN: ExtentTerm = _Unknown({})
"""An extent about which nothing is known."""

Extent: TypeAlias = int | ExtentTerm
"""An integer if statically known, else a term."""

Extents: TypeAlias = tuple[Extent, ...]
"""The extents of a tensor, outermost first."""


def symbol(*key: Hashable, least: int = 1, most: int = LARGEST) -> ExtentTerm:
    """Return an unknown extent between these bounds. Equal keys give equal extents."""
    return _atom(("symbol", key), least, most)


def function(name: str, *args: Hashable, least: int = 1, most: int = LARGEST) -> Extent:
    """Return the extent that a pure function computes from its arguments. Equal arguments give
    equal extents, between these bounds. A name must always denote the same function."""
    if any(arg is UNKNOWN for arg in args):
        return UNKNOWN
    return _atom((name, args), least, most)


def least(extent: Extent) -> int | None:
    """Return a lower bound of an extent; `None` if none is known."""
    return None if extent is UNKNOWN else _bound(extent, 1)


def most(extent: Extent) -> int | None:
    """Return an upper bound of an extent; `None` if none is known."""
    return None if extent is UNKNOWN else _bound(extent, -1)


def at_least(a: Extent, b: Extent) -> bool:
    """Whether `a >= b` provably holds."""
    bound = least(a - b)
    return bound is not None and bound >= 0


def minimum(a: Extent, b: Extent) -> Extent:
    """Return the minimum of two extents."""
    if isinstance(a, int) and isinstance(b, int):
        return min(a, b)
    if at_least(b, a):
        return a
    return b if at_least(a, b) else _extreme("minimum", a, b)


def maximum(a: Extent, b: Extent) -> Extent:
    """Return the maximum of two extents."""
    if isinstance(a, int) and isinstance(b, int):
        return max(a, b)
    if at_least(a, b):
        return a
    return b if at_least(b, a) else _extreme("maximum", a, b)


def _extreme(name: str, a: Extent, b: Extent) -> Extent:
    if UNKNOWN in (a, b):
        return UNKNOWN
    bounds = [(_bound(n, 1), _bound(n, -1)) for n in (a, b)]
    pick = min if name == "minimum" else max
    low, high = (pick(pair) for pair in zip(*bounds, strict=True))
    return function(name, frozenset((a, b)), least=low, most=high)


# -- comparison

Comparable: TypeAlias = "Extent | Sequence[Comparable] | None"
"""An extent, a shape, or a sequence of shapes; `None` for an unknown shape."""


def provably_equal(a: Comparable, b: Comparable) -> bool:
    """Whether two extents, shapes or sequences of shapes are equal for all inputs.

    An unknown extent (`UNKNOWN`, or the negative number that a type has for `?`) and an unknown
    shape (`None`) equal nothing, not even themselves. `==` on shapes does not have this property:
    Python treats identical elements as equal, so `(UNKNOWN,) == (UNKNOWN,)`, and `None == None`.
    `tests/unit/test_shape_comparisons.py` finds such comparisons.
    """
    if a is None or b is None:
        return False
    if isinstance(a, int | ExtentTerm) or isinstance(b, int | ExtentTerm):
        return a == b and not (isinstance(a, int) and a < 0)
    return len(a) == len(b) and all(map(provably_equal, a, b))


# -- the normal form


_SERIAL = attrgetter("serial")


def _sort_key(item: tuple[Monomial, int]) -> tuple[int, Sequence[int]]:
    """Return a monomial's sort key in graded lexicographic order. Products preserve it."""
    monomial, _ = item
    return len(monomial), [atom.serial for atom in monomial]


def _parts(extent: Extent) -> Iterable[tuple[Monomial, int]]:
    return (((), extent),) if isinstance(extent, int) else extent.parts.items()


def _term_of(parts: Mapping[Monomial, int]) -> Extent:
    """Return the term of these coefficients, or the integer if it is constant."""
    kept = {m: n for m, n in parts.items() if n}
    if not kept:
        return 0
    return kept[()] if len(kept) == 1 and () in kept else ExtentTerm(kept)


def _bound(extent: Extent, sign: int) -> int:
    """Return the lower bound (sign 1) or the upper bound (sign -1) by interval arithmetic."""
    total = 0
    for monomial, n in _parts(extent):
        low, high = 1, 1
        for atom in monomial:
            ends = [m * k for m in (low, high) for k in (atom.least, atom.most)]
            low, high = min(ends), max(ends)
        total += n * (low if n * sign > 0 else high)
    return total


def _divided(term: ExtentTerm, by: int) -> Extent:
    """Return a term divided by a positive integer, simplified. Divisible parts leave the division,
    a common divisor is cancelled, and nested divisions merge: `((h + 1) // 2 + 3) // 2` is
    `(h + 7) // 4`."""
    whole: dict[Monomial, int] = {}
    rest: dict[Monomial, int] = {}
    for monomial, n in term.parts.items():
        quotient, remainder = divmod(n, by)
        if quotient:
            whole[monomial] = quotient
        if remainder:
            rest[monomial] = remainder
    constant = rest.pop((), 0)
    if not rest:
        return _term_of(whole)
    divisor = gcd(by, *rest.values())
    rest = {m: n // divisor for m, n in rest.items()}
    constant, by = constant // divisor, by // divisor
    ((monomial, n), *others) = rest.items()
    if not others and n == len(monomial) == 1 and monomial[0].name == "//":
        inner, before = cast(tuple[ExtentTerm, int], monomial[0].args)
        return _divided(cast(ExtentTerm, inner + constant * before), before * by) + _term_of(whole)
    dividend = ExtentTerm({**rest, (): constant} if constant else rest)
    depth = 1 + max(atom.depth for monomial in rest for atom in monomial)
    if depth > MAX_DIVISION_DEPTH:
        return UNKNOWN
    low, high = _bound(dividend, 1) // by, _bound(dividend, -1) // by
    return _atom(("//", (dividend, by)), low, high, depth) + _term_of(whole)


def _quotient(term: ExtentTerm, by: ExtentTerm) -> Extent | None:
    """Return the quotient of two terms by polynomial division; `None` if there is a remainder."""
    (head, first), rest = max(by.parts.items(), key=_sort_key), dict(term.parts)
    found: dict[Monomial, int] = {}
    while rest:
        monomial, n = max(rest.items(), key=_sort_key)
        left = _without(monomial, head)
        if left is None or n % first or len(found) > MAX_MONOMIALS:
            return None
        found[left] = n // first
        taken: Any = by * ExtentTerm({left: n // first}) if left else by * (n // first)
        for m, k in _parts(taken):
            rest[m] = rest.get(m, 0) - k
            if not rest[m]:
                del rest[m]
    return _term_of(found)


def _without(monomial: Monomial, factor: Monomial) -> Monomial | None:
    """Return the monomial divided by a factor; `None` if it is not divisible."""
    left = list(monomial)
    for atom in factor:
        if atom not in left:
            return None
        left.remove(atom)
    return tuple(left)
