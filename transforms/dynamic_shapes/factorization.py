"""The extents of the axes that a Reshape regroups: every way in which a product of extents that
follow the inputs' sizes can be distributed among axes of known numbers."""

from collections.abc import Iterator, Sequence
from itertools import islice, product
from math import gcd, prod

from ...dialects.shapes.terms import Extent, Extents, Term
from .exported_model import Numbers, SizedModel

MOST_WAYS = 5000
"""More assignments of factors to axes are not tried."""

MOST_ORDERS = 16
"""More ways in which axes were merged are not looked at."""

DEEPEST = 4
"""Merged axes within each other."""


def distributions(
    model: SizedModel, axes: Sequence[Extent], numbers: Sequence[Numbers]
) -> list[Extents] | None:
    """All extents with these numbers at the exports whose product is that of some axes of the
    input, which are neighbours. `None` if there are too many to be sure.

    A polynomial with integer coefficients has one factorization. So an axis has some of the
    factors, times an integer that the numbers determine. If several distributions remain, those
    win in which each axis is made of neighbouring elements (the axes, taken apart where earlier
    Reshapes merged them), and of these those that cut no element. Distributions that disagree on
    which axes are static all remain: order decides between dynamic axes only.
    """
    total = prod(axes)
    if not isinstance(total, Term):
        return [tuple(n[0] for n in numbers)] if all(len(set(n)) == 1 for n in numbers) else []
    factors = factors_of(model, total)
    values = [model.numbers_of(factor) for factor in factors]
    if None in values or len(numbers) ** len(factors) > MOST_WAYS:
        return None
    known = [value for value in values if value is not None]
    found: dict[Extents, None] = {}
    for places in product(range(len(numbers)), repeat=len(factors)):
        extents = _extents(places, factors, known, numbers)
        if extents is not None and prod(extents) == total:
            found[extents] = None
    orders = [*elements_of(model, axes), *elements_of(model, [total])]
    ranked = [(max(_order(each, elements) for elements in orders), each) for each in found]
    best = max((rank for rank, _ in ranked), default=0)
    chosen = [extents for rank, extents in ranked if rank == best]
    static = {_static_axes(extents) for extents in found}
    return chosen if len(static) == 1 else list(found)


def _static_axes(extents: Extents) -> tuple[bool, ...]:
    return tuple(not isinstance(extent, Term) for extent in extents)


def factors_of(model: SizedModel, term: Term) -> list[Term]:
    """The factors of a term but for a number: the unknowns of a product; of a sum, the extents of
    the model's values that divide it."""
    rest: Extent = term // gcd(*term.parts.values())
    factors: list[Term] = []
    candidates = [t for t in model.dynamic_extents() if isinstance(t, Term) and len(t.parts) > 1]
    primitive = [t // gcd(*t.parts.values()) for t in candidates]
    for candidate in sorted({t for t in primitive if isinstance(t, Term)}, key=_degree):
        while isinstance(rest, Term) and len(rest.parts) > 1:
            quotient = rest // candidate
            if quotient * candidate != rest:
                break
            factors.append(candidate)
            rest = quotient
    if isinstance(rest, Term) and len(rest.parts) == 1:
        ((monomial, _),) = rest.parts.items()
        factors += [Term({(atom,): 1}) for atom in monomial]
    elif isinstance(rest, Term):
        factors.append(rest)
    return factors


def _degree(term: Term) -> tuple[int, int]:
    return max(map(len, term.parts)), len(term.parts)


def _extents(
    places: Sequence[int],
    factors: Sequence[Term],
    values: Sequence[Numbers],
    numbers: Sequence[Numbers],
) -> Extents | None:
    """The extents of axes that have the factors at their places; `None` if an axis then is no
    integer multiple of its factors, the same at each export."""
    extents: list[Extent] = []
    for axis, wanted in enumerate(numbers):
        own = [i for i, place in enumerate(places) if place == axis]
        base = [prod(values[i][at] for i in own) for at in range(len(wanted))]
        times = {n // m if n % m == 0 else 0 for n, m in zip(wanted, base, strict=True)}
        if len(times) != 1 or 0 in times:
            return None
        extents.append(times.pop() * prod(factors[i] for i in own))
    return tuple(extents)


def _order(extents: Extents, elements: Sequence[Extent]) -> int:
    """2 if each axis is made of neighbouring elements, 1 if elements are cut in addition, 0 if the
    axes are in another order."""
    before = [prod(elements[:i]) for i in range(len(elements) + 1)]
    ends = [prod(extents[:i]) for i in range(1, len(extents))]
    if all(end in before for end in ends):
        return 2
    pairs = list(zip(before[:-1], before[1:], strict=True))
    cut = all(
        any(_divides(first, end) and _divides(end, last) for first, last in pairs) for end in ends
    )
    return 1 if cut else 0


def _divides(part: Extent, whole: Extent) -> bool:
    """Whether an extent is certainly a multiple of another one."""
    return (whole // part) * part == whole


def elements_of(model: SizedModel, axes: Sequence[Extent]) -> list[Extents]:
    """The extents of axes, those taken apart that earlier Reshapes merged: in every way in which
    an axis of this extent was made (h*w and w*h are one term, in two orders)."""
    each = [_flattened(model, axis, DEEPEST) for axis in axes]
    ways = islice(product(*each), MOST_ORDERS)
    return [tuple(n for part in way for n in part) for way in ways]


def _flattened(model: SizedModel, term: Extent, depth: int) -> list[Extents]:
    layouts = model.parts.get(term, ()) if isinstance(term, Term) else ()
    merged = {layout[0]: None for layout in layouts if len(layout) == 1 and len(layout[0]) > 1}
    if not merged or not depth:
        return [(term,)]
    found: dict[Extents, None] = {}
    for parts in merged:
        for way in product(*(_flattened(model, part, depth - 1) for part in parts)):
            found[tuple(n for part in way for n in part)] = None
    return list(found)[:MOST_ORDERS]


def merged_axes(extents: Sequence[Extent], elements: Extents) -> Iterator[tuple[Term, Extents]]:
    """Those of some axes that are made of several whole elements each, with these elements."""
    before = [prod(elements[:i]) for i in range(len(elements) + 1)]
    for i, extent in enumerate(extents):
        first, last = prod(extents[:i]), prod(extents[: i + 1])
        if first in before and last in before and isinstance(extent, Term):
            merged = elements[before.index(first) : before.index(last)]
            if len(merged) > 1:
                yield extent, merged
