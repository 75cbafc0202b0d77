"""Indices of elements along axes of unknown extent.

An index along an axis is a sequence of digits, most significant first: `h * w` elements have the
digits of h and of w. So a reshape regroups digits. An axis of extent 1 has no digit.
"""

from collections.abc import Hashable, Iterator, Sequence
from itertools import count
from typing import TypeAlias, cast

from ..dialects.shapes.terms import UNKNOWN, Atom, Extent, ExtentTerm, at_least, symbol
from .array import NotExact

Digit: TypeAlias = tuple[Extent, Extent]
"""An index and the extent that it is below."""

Axis: TypeAlias = tuple[Digit, ...]
Index: TypeAlias = tuple[Axis, ...]

INDEX = "index"
"""The first part of the key of index symbols."""


def flat(axis: Axis) -> Extent:
    """Return the index along an axis as one number."""
    result: Extent = 0
    for at, n in axis:
        result = result * n + at
    return result


def axis(at: Extent, n: Extent) -> Axis:
    """Return an index along an axis of an extent."""
    return () if n == 1 else ((at, n),)


def moved(place: Axis, stride: int, offset: Extent, n: Extent, of: Extent) -> Axis:
    """Return `stride * place + offset` along an axis of another extent."""
    if stride == 1 and offset == 0 and n == of:
        return place
    return axis(flat(place) * stride + offset, of)


def factors(n: Extent) -> Sequence[Extent]:
    """Return the factors of an extent that is a product, a number first; others as they are."""
    if isinstance(n, int) or len(n.parts) != 1:
        return [n]
    ((monomial, factor),) = n.parts.items()
    rest = [ExtentTerm({(atom,): 1}) for atom in reversed(monomial)]
    return rest if factor == 1 else [factor, *rest]


def places(n: Extent, name: Hashable, made: dict[Atom, Extent]) -> Iterator[Axis]:
    """Yield all indices along an axis. Each unknown factor of its extent has an index symbol, which
    is recorded with that extent."""
    digits: list[Sequence[Digit]] = []
    for factor in factors(n):
        if isinstance(factor, int):
            digits.append([(i, factor) for i in range(factor)] if factor != 1 else [])
            continue
        if factor is UNKNOWN:
            raise NotExact("an extent is not known")
        atom = _index_symbol(name, factor, made)
        digits.append([(ExtentTerm({(atom,): 1}), factor)])
    first: list[Axis] = [()]
    for options in digits:
        first = [(*axis, digit) for axis in first for digit in options] if options else first
    yield from first


def _index_symbol(name: Hashable, extent: ExtentTerm, made: dict[Atom, Extent]) -> Atom:
    for i in count():
        term = symbol(INDEX, name, extent, i, least=0)
        ((atom,),) = term.parts
        if atom not in made:
            made[atom] = extent
            return atom
    raise AssertionError


def extent_of(atom: Atom) -> Extent | None:
    """Return the extent that an index symbol is below; `None` for other atoms."""
    if atom.name == "symbol" and atom.args[0] == INDEX:
        return cast(Extent, atom.args[2])
    return None


def level(place: Axis) -> int:
    """Return the largest level of the bound index symbols in an index; 0 if it has none."""
    names = [
        atom.args[1]
        for at, _ in place
        if isinstance(at, ExtentTerm)
        for monomial in at.parts
        for atom in monomial
        if extent_of(atom) is not None
    ]
    return max((name for name in names if isinstance(name, int)), default=0)


def is_natural(n: Extent) -> bool | None:
    """Whether a number is provably at least 0, or provably below it; `None` if neither."""
    if n is UNKNOWN:
        raise NotExact("an extent is not known")
    if at_least(n, 0):
        return True
    if at_least(-1, n):
        return False
    if isinstance(n, ExtentTerm):
        for monomial, factor in n.parts.items():
            if factor == -1 and len(monomial) == 1 and (end := extent_of(monomial[0])) is not None:
                if at_least(n + ExtentTerm({monomial: 1}), end - 1):
                    return True
    return None


def regrouped(index: Index, shape: Sequence[Extent]) -> Index:
    """Return an index into the same elements in another shape. Raises `NotExact`."""
    rest = [digit for place in index for digit in place][::-1]
    result: list[Axis] = []
    for n in shape:
        taken: list[Digit] = []
        while n != 1:
            if not rest:
                raise NotExact("a reshape of unknown extents")
            at, extent = rest.pop()
            quotient = _quotient(n, extent)
            if quotient is None:
                rest += _split(at, extent, n, rest)
                continue
            taken.append((at, extent))
            n = quotient
        result.append(tuple(taken))
    if rest:
        raise NotExact("a reshape of unknown extents")
    return tuple(result)


def _quotient(n: Extent, by: Extent) -> Extent | None:
    """Return the exact quotient of two extents, `None` if there is none."""
    if isinstance(n, int):
        return n // by if isinstance(by, int) and n % by == 0 else None
    if isinstance(by, int):
        return None if any(factor % by for factor in n.parts.values()) else n // by
    quotient = n // by
    return quotient if quotient * by == n else None


def _split(at: Extent, extent: Extent, n: Extent, rest: list[Digit]) -> list[Digit]:
    """Return the digits that replace one, least significant first: it is split, or joined with the
    next one, which is removed."""
    if not isinstance(at, int) or not isinstance(extent, int) or not isinstance(n, int):
        raise NotExact("a reshape of unknown extents")
    if extent % n == 0:
        size = extent // n
        return [(at % size, size), (at // size, n)]
    if not rest:
        raise NotExact("a reshape of unknown extents")
    low, size = rest.pop()
    if not isinstance(low, int) or not isinstance(size, int):
        raise NotExact("a reshape of unknown extents")
    return [(at * size + low, extent * size)]
