"""Extents: numbers, and terms over the extents of a model's inputs.

Arithmetic on extents is written once, as on integers, and runs on both:

    def pooled(extent: Extent) -> Extent:
        return (extent - kernel) // stride + 1

A term is a polynomial with integer coefficients. Its unknowns (atoms) are symbols, and functions of
extents of which nothing else is known than that they are functions: a division that leaves a rest,
a minimum, whatever a layer computes in floating point. It is kept in one normal form, so that two
terms are equal if and only if they look the same: `(2 * h + 4) // 2 == h + 2`. Equal terms are
equal extents; of others that is not known.

A term says what an extent is wherever there is one: where the runtime gives nothing, nothing needs
to be true. So divisions may be taken as of numbers that are not negative, and of multiples of the
divisor by anything but a number.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import count
from math import gcd
from typing import Any, TypeAlias, cast
from weakref import WeakValueDictionary

LARGEST = 2**31 - 1
"""The greatest extent that a blob can have."""

MOST_MONOMIALS = 64
"""A product that would have more is one atom instead."""

DEEPEST = 64
"""Divisions in each other; one more, and it is not looked into any further."""


class Atom:
    """An unknown of terms: a symbol, or a function of extents. Atoms with the same key are one
    (hash-consing)."""

    __slots__ = ("__weakref__", "args", "depth", "least", "most", "name", "serial")

    def __init__(self, key: "Key", least: int, most: int, depth: int) -> None:
        self.name, self.args = key
        self.least = least
        self.most = most
        """It lies between these."""
        self.depth = depth
        self.serial = next(_SERIALS)
        """By it atoms are put in order."""

    def __repr__(self) -> str:
        return f"{self.name}({', '.join(map(str, self.args))})"


Key: TypeAlias = tuple[str, tuple[Hashable, ...]]
"""The name of a function, or of a kind of symbol, and its arguments."""

_SERIALS = count()
_ATOMS: WeakValueDictionary[Key, Atom] = WeakValueDictionary()


def _atom(key: Key, least: int, most: int, depth: int = 0) -> "Term":
    atom = _ATOMS.get(key)
    if atom is None:
        atom = _ATOMS[key] = Atom(key, least, most, depth)
    return Term({(atom,): 1})


Monomial: TypeAlias = tuple[Atom, ...]
"""A product of atoms, the latest made first; of none for the constant part."""


class Term:
    """A polynomial that is no number. `+`, `-`, `*` and `//` work as on numbers, and with them.
    (`<` does not: it is rarely known. See `least`, `minimum` and `maximum`.)"""

    __slots__ = ("_hash", "parts")

    def __init__(self, parts: Mapping[Monomial, int]) -> None:
        self.parts = parts
        """The coefficients, none of them 0; not only that of the constant."""
        self._hash: int | None = None

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Term) and self.parts == other.parts)

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self.parts.items()))
        return self._hash

    def __add__(self, other: "Extent") -> "Extent":
        parts = dict(self.parts)
        if isinstance(other, int):
            if constant := parts.pop((), 0) + other:
                parts[()] = constant
            return Term(parts)
        if other is UNKNOWN:
            return UNKNOWN
        for monomial, n in other.parts.items():
            parts[monomial] = parts.get(monomial, 0) + n
        return _made(parts)

    __radd__ = __add__

    def __neg__(self) -> "Extent":
        return self * -1

    def __sub__(self, other: "Extent") -> "Extent":
        return self + (-other)

    def __rsub__(self, other: int) -> "Extent":
        return self * -1 + other

    def __mul__(self, other: "Extent") -> "Extent":
        if isinstance(other, int):
            return Term({m: n * other for m, n in self.parts.items()}) if other else 0
        if other is UNKNOWN:
            return UNKNOWN
        if len(self.parts) * len(other.parts) > MOST_MONOMIALS:
            return function("product", frozenset((self, other)))
        parts: dict[Monomial, int] = {}
        for a, m in self.parts.items():
            for b, n in other.parts.items():
                monomial = tuple(sorted(a + b, key=_serial, reverse=True)) if a and b else a + b
                parts[monomial] = parts.get(monomial, 0) + m * n
        return _made(parts)

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
            for m, n in sorted(self.parts.items(), key=_place, reverse=True)
        ]
        return " + ".join(texts)


class _Unknown(Term):
    """An extent of which nothing is known: what is computed of it is unknown as well, and it is
    equal to nothing."""

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


UNKNOWN: Term = _Unknown({})
"""An extent of which nothing is known."""

Extent: TypeAlias = int | Term
"""A number, if it is certain, or a term."""

Extents: TypeAlias = tuple[Extent, ...]
"""The extents of a tensor, outermost first."""


def symbol(*key: Hashable, least: int = 1, most: int = LARGEST) -> Term:
    """An unknown extent that is the same wherever the key is, between these bounds."""
    return _atom(("symbol", key), least, most)


def function(name: str, *args: Hashable, least: int = 1, most: int = LARGEST) -> Extent:
    """An extent that a function gives of extents and other things: the same for the same ones. The
    functions of a name must be one; the result is between the bounds."""
    if any(arg is UNKNOWN for arg in args):
        return UNKNOWN
    return _atom((name, args), least, most)


def least(extent: Extent) -> int | None:
    """A number that an extent is certainly not less than; `None` if nothing is known."""
    return None if extent is UNKNOWN else _bound(extent, 1)


def most(extent: Extent) -> int | None:
    """A number that an extent is certainly not greater than; `None` if nothing is known."""
    return None if extent is UNKNOWN else _bound(extent, -1)


def at_least(a: Extent, b: Extent) -> bool:
    """Whether the first is certainly not less than the second."""
    bound = least(a - b)
    return bound is not None and bound >= 0


def minimum(a: Extent, b: Extent) -> Extent:
    """The lesser of two extents."""
    if isinstance(a, int) and isinstance(b, int):
        return min(a, b)
    if at_least(b, a):
        return a
    return b if at_least(a, b) else _extreme("minimum", a, b)


def maximum(a: Extent, b: Extent) -> Extent:
    """The greater of two extents."""
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


# -- the normal form


def _serial(atom: Atom) -> int:
    return atom.serial


def _place(item: tuple[Monomial, int]) -> tuple[int, Sequence[int]]:
    """The place of a monomial in an order that products keep (graded lexicographic)."""
    monomial, _ = item
    return len(monomial), [atom.serial for atom in monomial]


def _parts(extent: Extent) -> Iterable[tuple[Monomial, int]]:
    return (((), extent),) if isinstance(extent, int) else extent.parts.items()


def _made(parts: Mapping[Monomial, int]) -> Extent:
    """The term of these parts, or the number if it is one."""
    kept = {m: n for m, n in parts.items() if n}
    if not kept:
        return 0
    return kept[()] if len(kept) == 1 and () in kept else Term(kept)


def _bound(extent: Extent, sign: int) -> int:
    """The least value for sign 1, the greatest one for -1, by interval arithmetic."""
    total = 0
    for monomial, n in _parts(extent):
        low, high = 1, 1
        for atom in monomial:
            ends = [m * k for m in (low, high) for k in (atom.least, atom.most)]
            low, high = min(ends), max(ends)
        total += n * (low if n * sign > 0 else high)
    return total


def _divided(term: Term, by: int) -> Extent:
    """A term over a positive number. What the number divides goes out of the division, a common
    divisor is cancelled, and a division of a division is one: `((h + 1) // 2 + 3) // 2` is
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
        return _made(whole)
    divisor = gcd(by, *rest.values())
    rest = {m: n // divisor for m, n in rest.items()}
    constant, by = constant // divisor, by // divisor
    ((monomial, n), *others) = rest.items()
    if not others and n == len(monomial) == 1 and monomial[0].name == "//":
        inner, before = cast(tuple[Term, int], monomial[0].args)
        return _divided(cast(Term, inner + constant * before), before * by) + _made(whole)
    dividend = Term({**rest, (): constant} if constant else rest)
    depth = 1 + max(atom.depth for monomial in rest for atom in monomial)
    if depth > DEEPEST:
        return UNKNOWN
    low, high = _bound(dividend, 1) // by, _bound(dividend, -1) // by
    return _atom(("//", (dividend, by)), low, high, depth) + _made(whole)


def _quotient(term: Term, by: Term) -> Extent | None:
    """What a term is times another one (polynomial long division); `None` if that leaves a rest."""
    (head, first), rest = max(by.parts.items(), key=_place), dict(term.parts)
    found: dict[Monomial, int] = {}
    while rest:
        monomial, n = max(rest.items(), key=_place)
        left = _without(monomial, head)
        if left is None or n % first or len(found) > MOST_MONOMIALS:
            return None
        found[left] = n // first
        taken: Any = by * Term({left: n // first}) if left else by * (n // first)
        for m, k in _parts(taken):
            rest[m] = rest.get(m, 0) - k
            if not rest[m]:
                del rest[m]
    return _made(found)


def _without(monomial: Monomial, factor: Monomial) -> Monomial | None:
    """The product that is left of one without a factor; `None` if it has no such factor."""
    left = list(monomial)
    for atom in factor:
        if atom not in left:
            return None
        left.remove(atom)
    return tuple(left)
