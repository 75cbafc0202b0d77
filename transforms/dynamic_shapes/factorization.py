"""The extents of axes that a Reshape regroups: the distributions of a product of dynamic extents
among axes whose numbers are known."""

from collections.abc import Iterator, Sequence
from itertools import islice, product
from math import gcd, prod

from ...dialects.shapes.terms import Extent, Extents, ExtentTerm
from .exported_model import ExportedModel, Numbers

MAX_ASSIGNMENTS = 5000
"""The maximal number of assignments of factors to axes."""

MAX_ORDERS = 16
"""The maximal number of orders of merged axes."""

MAX_NESTING = 4
"""The maximal nesting of merged axes."""


def distributions(
    model: ExportedModel, axes: Sequence[Extent], numbers: Sequence[Numbers]
) -> list[Extents] | None:
    """Return the tuples of extents with these numbers whose product is the product of
    neighbouring input axes. Return `None` if there are too many to try.

    A polynomial with integer coefficients has a unique factorization. So an extent is a product of
    some factors and an integer, which the numbers determine. If several distributions remain, an
    order of the elements decides: the input axes, with axes that earlier Reshapes merged split
    again. Distributions whose axes consist of whole neighbouring elements are preferred, then
    distributions that split elements. The order decides between dynamic axes only: distributions
    with different static axes all remain.
    """
    total = prod(axes)
    if not isinstance(total, ExtentTerm):
        return [tuple(n[0] for n in numbers)] if all(len(set(n)) == 1 for n in numbers) else []
    factors = factors_of(model, total)
    values = [model.numbers_of(factor) for factor in factors]
    if None in values or len(numbers) ** len(factors) > MAX_ASSIGNMENTS:
        return None
    known = [value for value in values if value is not None]
    found: dict[Extents, None] = {}
    for places in product(range(len(numbers)), repeat=len(factors)):
        extents = _extents(places, factors, known, numbers)
        if extents is not None and prod(extents) == total:
            found[extents] = None
    orders = [*unmerged_axes(model, axes), *unmerged_axes(model, [total])]
    ranked = [(max(_order(each, elements) for elements in orders), each) for each in found]
    best = max((rank for rank, _ in ranked), default=0)
    chosen = [extents for rank, extents in ranked if rank == best]
    static = {tuple(not isinstance(n, ExtentTerm) for n in extents) for extents in found}
    return chosen if len(static) == 1 else list(found)


def factors_of(model: ExportedModel, term: ExtentTerm) -> list[ExtentTerm]:
    """Return the factors of a term without its integer factor: the atoms of a product; for a sum,
    the dynamic extents of the model that divide it."""
    rest: Extent = term // gcd(*term.parts.values())
    factors: list[ExtentTerm] = []
    candidates = [
        t for t in model.dynamic_extents() if isinstance(t, ExtentTerm) and len(t.parts) > 1
    ]
    primitive = [t // gcd(*t.parts.values()) for t in candidates]
    for candidate in sorted({t for t in primitive if isinstance(t, ExtentTerm)}, key=_degree):
        while isinstance(rest, ExtentTerm) and len(rest.parts) > 1:
            quotient = rest // candidate
            if quotient * candidate != rest:
                break
            factors.append(candidate)
            rest = quotient
    if isinstance(rest, ExtentTerm) and len(rest.parts) == 1:
        ((monomial, _),) = rest.parts.items()
        factors += [ExtentTerm({(atom,): 1}) for atom in monomial]
    elif isinstance(rest, ExtentTerm):
        factors.append(rest)
    return factors


def _degree(term: ExtentTerm) -> tuple[int, int]:
    return max(map(len, term.parts)), len(term.parts)


def _extents(
    places: Sequence[int],
    factors: Sequence[ExtentTerm],
    values: Sequence[Numbers],
    numbers: Sequence[Numbers],
) -> Extents | None:
    """Return the extents of axes for an assignment of factors to axes (`places`); `None` unless
    each axis is the same integer multiple of its factors in all exports."""
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
    """Return 2 if each axis consists of whole neighbouring elements, 1 if it also splits elements,
    0 if the axes have another order."""
    before = [prod(elements[:i]) for i in range(len(elements) + 1)]
    ends = [prod(extents[:i]) for i in range(1, len(extents))]
    if all(end in before for end in ends):
        return 2
    pairs = list(zip(before[:-1], before[1:], strict=True))
    splits = all(
        any(_divides(first, end) and _divides(end, last) for first, last in pairs) for end in ends
    )
    return 1 if splits else 0


def _divides(part: Extent, whole: Extent) -> bool:
    """Whether an extent is provably a multiple of another one."""
    return (whole // part) * part == whole


def unmerged_axes(model: ExportedModel, axes: Sequence[Extent]) -> list[Extents]:
    """Return the extents of axes, with axes that earlier Reshapes merged split again. There is one
    result for each order of merged axes: h*w and w*h are the same term."""
    each = [_split(model, axis, MAX_NESTING) for axis in axes]
    ways = islice(product(*each), MAX_ORDERS)
    return [tuple(n for part in way for n in part) for way in ways]


def _split(model: ExportedModel, term: Extent, depth: int) -> list[Extents]:
    compositions = model.compositions.get(term, ()) if isinstance(term, ExtentTerm) else ()
    merged = {parts[0]: None for parts in compositions if len(parts) == 1 and len(parts[0]) > 1}
    if not merged or not depth:
        return [(term,)]
    found: dict[Extents, None] = {}
    for parts in merged:
        for way in product(*(_split(model, part, depth - 1) for part in parts)):
            found[tuple(n for part in way for n in part)] = None
    return list(found)[:MAX_ORDERS]


def merged_axes(
    extents: Sequence[Extent], elements: Extents
) -> Iterator[tuple[ExtentTerm, Extents]]:
    """Yield the extents that are products of several whole elements, with these elements."""
    before = [prod(elements[:i]) for i in range(len(elements) + 1)]
    for i, extent in enumerate(extents):
        first, last = prod(extents[:i]), prod(extents[: i + 1])
        if first in before and last in before and isinstance(extent, ExtentTerm):
            merged = elements[before.index(first) : before.index(last)]
            if len(merged) > 1:
                yield extent, merged
