"""Comparisons of unknown extents, and the extents at which they would come out otherwise.

Code that runs on terms takes one way through its comparisons: `n == 1` is false for an unknown n.
Its result holds for the extents at which all of its comparisons have this outcome. The others are
*exceptions*.
"""

from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeAlias

from ..dialects.shapes.terms import UNKNOWN, Atom, Extent, ExtentTerm, least, most, symbol

Case: TypeAlias = Mapping[Atom, Extent]
"""Extents in the place of symbols."""

LARGEST_EXCEPTION = 64
"""The largest extent that is searched for exceptions."""


@contextmanager
def recorded() -> Generator[set[ExtentTerm]]:
    """Record the differences of all terms that code in the block compares and finds unequal. A
    difference is 0 at the exceptions of the comparison. (Comparisons of `UNKNOWN` belong to shape
    inference, which treats it as any extent.)"""
    found: set[ExtentTerm] = set()
    equal, kind = ExtentTerm.__eq__, type(UNKNOWN)

    def compare(self: ExtentTerm, other: object) -> bool:
        if equal(self, other):
            return True
        if isinstance(other, int | ExtentTerm) and not isinstance(other, kind):
            difference = self - other
            if isinstance(difference, ExtentTerm):
                found.add(difference)
        return False

    def is_true(self: ExtentTerm) -> bool:
        found.add(self)
        return True

    patched: Any = ExtentTerm
    patched.__eq__, patched.__bool__ = compare, is_true
    try:
        yield found
    finally:
        patched.__eq__ = equal
        del patched.__bool__


def exceptions(difference: ExtentTerm) -> list[Case] | None:
    """Return cases that cover all extents at which a difference is 0; `None` if they are not
    finitely many."""
    if difference is UNKNOWN:
        return None
    difference = _without_common_factors(difference)
    if _has_no_zero(difference):
        return []
    symbols = sorted(symbols_of(difference), key=lambda atom: atom.serial)
    equal = _equal_symbols(difference, symbols)
    if equal is not None:
        return [equal]
    for bound in range(1, LARGEST_EXCEPTION + 1):
        larger = {atom: symbol("larger", atom, bound, least=bound + 1) for atom in symbols}
        if _has_no_zero(substituted(difference, larger)):
            return list(_small(difference, symbols, bound))
    return None


def _without_common_factors(difference: ExtentTerm) -> ExtentTerm:
    """Return a difference that is 0 at the same extents, divided by factors that are at least 1."""
    first, *others = difference.parts
    rest = dict(difference.parts)
    for atom in first:
        if atom.least >= 1 and all(atom in monomial for monomial in rest):
            rest = {_without(monomial, atom): factor for monomial, factor in rest.items()}
    return ExtentTerm(rest) if others else difference


def _without(monomial: tuple[Atom, ...], atom: Atom) -> tuple[Atom, ...]:
    at = monomial.index(atom)
    return (*monomial[:at], *monomial[at + 1 :])


def _small(difference: ExtentTerm, symbols: list[Atom], bound: int) -> Iterator[Case]:
    for atom in symbols:
        for n in range(1, bound + 1):
            if not _has_no_zero(substituted(difference, {atom: n})):
                yield {atom: n}


def _has_no_zero(difference: Extent) -> bool:
    low, high = least(difference), most(difference)
    return low is not None and high is not None and (low > 0 or high < 0)


def _equal_symbols(difference: ExtentTerm, symbols: list[Atom]) -> Case | None:
    """Return the case that one symbol equals the other if this is what a difference expresses."""
    if len(symbols) != 2 or len(difference.parts) != 2:
        return None
    a, b = symbols
    if {difference.parts.get((a,)), difference.parts.get((b,))} != {1, -1}:
        return None
    return {b: ExtentTerm({(a,): 1})}


def symbols_of(extent: Extent) -> set[Atom]:
    """Return the symbols that an extent depends on."""
    if isinstance(extent, int):
        return set()
    found: set[Atom] = set()
    for atom in (atom for monomial in extent.parts for atom in monomial):
        found |= {atom} if atom.name == "symbol" else _symbols_in(atom.args)
    return found


def _symbols_in(value: object) -> set[Atom]:
    if isinstance(value, ExtentTerm):
        return symbols_of(value)
    if isinstance(value, tuple | frozenset):
        return {atom for each in value for atom in _symbols_in(each)}  # pyright: ignore
    return set()


def substituted(extent: Extent, case: Mapping[Atom, Extent]) -> Extent:
    """Return an extent with other extents in the place of symbols; `UNKNOWN` if it depends on them
    by a function that is not known here."""
    if isinstance(extent, int):
        return extent
    total: Extent = 0
    for monomial, factor in extent.parts.items():
        part: Extent = factor
        for atom in monomial:
            part = part * _atom(atom, case)
        total = total + part
    return total


def _atom(atom: Atom, case: Mapping[Atom, Extent]) -> Extent:
    if atom in case:
        return case[atom]
    own = ExtentTerm({(atom,): 1})
    if atom.name == "symbol" or not _symbols_in(atom.args) & set(case):
        return own
    if atom.name in ("//", "quotient"):
        dividend, by = (substituted(arg, case) for arg in atom.args)  # pyright: ignore
        return dividend // by if by != 0 else UNKNOWN
    return UNKNOWN
