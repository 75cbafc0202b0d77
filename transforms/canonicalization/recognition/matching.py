"""Search for a formula in the graph.

A layer is part of a match if its result corresponds to a part of the formula. A match may be the
formula times a number: a factor can be anywhere in a product, or distributed over all terms of a
sum, so `x * (0.5 + 0.5 * y)` is `0.5 * x * (1 + y)`. The number of the complete match must be 1.

Sums and products are matched in any order and association (AC matching: modulo associativity and
commutativity).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import combinations
from math import isfinite
from typing import TypeVar

from xdsl.ir import OpResult, SSAValue
from xdsl.transforms.dead_code_elimination import is_trivially_dead

from ....dialects.ncnn.layer import LayerOp
from ....dialects.shapes.analysis import Shapes
from .algebra import (
    AnyBlob,
    AnyNumber,
    BlobTerm,
    Clip,
    FunctionTerm,
    NumberTerm,
    Power,
    Product,
    Reduced,
    Sum,
    Term,
    normal,
)
from .layer_formulas import formula_of

_T = TypeVar("_T")

TOLERANCE = 2e-6
"""Maximal relative difference of equal numbers, relative to the larger one. Files contain float32
numbers (relative error 2^-24, 6e-8), and converters write 7 digits (error up to 5e-7). Two such
errors, for example from the factor and the bound of a clip, exceed 1e-6."""

MAX_LAYERS = 16
"""Maximal number of layers of a match: no formula needs more, and it limits the search in long
chains."""


@dataclass(frozen=True)
class Match:
    """The values of the names in a pattern."""

    blobs: Mapping[str, SSAValue]
    scalars: Mapping[str, float]
    axes: frozenset[int] | None = None
    """The axes of all reductions."""
    layers: tuple[LayerOp, ...] = ()
    """The layers that compute the formula, the last one first."""
    spelling: int = 0
    """The index of the formula."""
    shapes: Shapes = field(default_factory=Shapes)
    """The known shapes."""
    formulas: dict[LayerOp, Term | None] = field(default_factory=dict[LayerOp, Term | None])
    """A cache of the formulas of layers, shared by all attempts."""

    def with_blob(self, name: str, value: SSAValue) -> "Match | None":
        """Return this match with a name bound to a blob; `None` if the name is bound to another
        one."""
        if name in self.blobs:
            return self if self.blobs[name] is value else None
        return replace(self, blobs={**self.blobs, name: value})

    def with_scalar(self, name: str, value: float) -> "Match | None":
        """Return this match with a name bound to a number; `None` if the name is bound to another
        one."""
        if name in self.scalars:
            return self if close(self.scalars[name], value) else None
        return replace(self, scalars={**self.scalars, name: value})

    def with_layer(self, layer: LayerOp) -> "Match | None":
        """Return this match with a further layer; `None` if it would be too large."""
        if layer in self.layers:
            return self
        return (
            replace(self, layers=(*self.layers, layer)) if len(self.layers) < MAX_LAYERS else None
        )

    def is_self_contained(self) -> bool:
        """Whether the values between have no users outside, and all layers have the same feature
        mask. (A dead user that has not been removed yet does not count.)"""
        last, *inner = self.layers
        users = {use.operation for op in inner for result in op.results for use in result.uses}
        return all(user in self.layers or is_trivially_dead(user) for user in users) and all(
            op.featmask == last.featmask for op in inner
        )


Found = Iterator[tuple[float, Match]]
"""Ways to match a term as a number times a pattern."""


def close(a: float, b: float) -> bool:
    """Whether two numbers are equal up to rounding."""
    return a == b or (isfinite(a - b) and abs(a - b) <= TOLERANCE * max(abs(a), abs(b)))


_normal = cache(normal)


def matches(spellings: Sequence[Term], op: LayerOp, shapes: Shapes) -> Iterator[Match]:
    """Yield every way in which an operation and its predecessors compute one of these formulas,
    if nothing else uses the values between."""
    formula = formula_of(op, shapes)
    if formula is None:
        return
    start = Match({}, {}, layers=(op,), shapes=shapes)
    for i, pattern in enumerate(map(_normal, spellings)):
        for scale, found in _match(pattern, formula, replace(start, spelling=i)):
            if close(scale, 1.0) and found.is_self_contained():
                yield found


def _match(pattern: Term, term: Term, found: Match) -> Found:
    if isinstance(pattern, Product):
        yield from _match_factors(pattern.factors, (term,), found)
        return
    if isinstance(pattern, AnyBlob) and isinstance(term, BlobTerm):
        if (bound := found.with_blob(pattern.name, term.value)) is not None:
            yield 1.0, bound
    if isinstance(term, BlobTerm):
        for formula, deeper in _producer_formula(term, found):
            yield from _match(pattern, formula, deeper)
        return
    if isinstance(term, Product):
        yield from _match_multiple(pattern, term, found)
    match pattern, term:
        case NumberTerm(), NumberTerm() if pattern.value:
            yield term.value / pattern.value, found
        case AnyNumber(), NumberTerm():  # the caller binds the name
            yield term.value, found
        case Sum(), Sum():
            yield from _match_sum(pattern, term, found)
        case Power(), Product() if pattern.exponent % 1 == 0 and pattern.exponent >= 2:
            same = (pattern.base,) * int(pattern.exponent)
            yield from _match_factors(same, term.factors, found)
        case Power(), Power():
            yield from _match_power(pattern, term, found)
        case ((AnyBlob() | Sum() | FunctionTerm() | Clip()), Power()) if term.exponent == -1:
            for scale, deeper in _match(Power(pattern, -1.0), term.base, found):
                if scale:
                    yield 1 / scale, deeper
        case FunctionTerm(), FunctionTerm() if pattern.name == term.name:
            yield from _match_arguments(pattern.of, term.of, found)
        case Clip(), Clip():
            yield from _match_clip(pattern, term, found)
        case Reduced(), Reduced() if pattern.kind == term.kind:
            if found.axes in (None, term.axes):
                along = replace(found, axes=term.axes)
                for scale, deeper in _match(pattern.of, term.of, along):
                    if pattern.kind != "max" or scale > 0:
                        yield scale, deeper
        case _:
            pass


def _producer_formula(term: BlobTerm, found: Match) -> Iterator[tuple[Term, Match]]:
    """Yield the formula of the layer that produces a blob."""
    value = term.value
    if isinstance(value, OpResult) and isinstance(value.op, LayerOp):
        if value.op not in found.formulas:
            found.formulas[value.op] = formula_of(value.op, found.shapes)
        formula, deeper = found.formulas[value.op], found.with_layer(value.op)
        if formula is not None and deeper is not None:
            yield formula, deeper


def _match_multiple(pattern: Term, term: Product, found: Match) -> Found:
    """Match a term that is a number times one other factor."""
    number, rest = _split(term.factors)
    if len(rest) == 1:
        for scale, deeper in _match(pattern, rest[0], found):
            yield number * scale, deeper


def _match_factors(patterns: Sequence[Term], terms: Sequence[Term], found: Match) -> Found:
    """Match a product in any order and association."""
    number, factors = _split(patterns)
    names = [factor.name for factor in factors if isinstance(factor, AnyNumber)]
    factors = [factor for factor in factors if not isinstance(factor, AnyNumber)]
    for scale, deeper in _match_all(factors, terms, found):
        scale /= number
        if not names:
            yield scale, deeper
        elif (bound := deeper.with_scalar(names[0], scale)) is not None:
            yield 1.0, bound


def _match_all(patterns: Sequence[Term], terms: Sequence[Term], found: Match) -> Found:
    """Match each pattern in a term, with at least one pattern per term."""
    number, terms = _split(terms)
    if not terms or len(terms) > len(patterns):
        return
    if len(terms) == 1 and len(patterns) == 1:
        for scale, deeper in _match(patterns[0], terms[0], found):
            yield number * scale, deeper
    elif len(terms) == 1:
        for scale, deeper in _match_inside(patterns, terms[0], found):
            yield number * scale, deeper
    else:
        for some, rest in _subsets(patterns, leave=len(terms) - 1):
            for one, deeper in _match_all(some, terms[:1], found):
                for other, deepest in _match_all(rest, terms[1:], deeper):
                    yield number * one * other, deepest


def _match_inside(patterns: Sequence[Term], term: Term, found: Match) -> Found:
    """Match several factors in one term."""
    match term:
        case BlobTerm():
            for formula, deeper in _producer_formula(term, found):
                yield from _match_inside(patterns, formula, deeper)
        case Product():
            yield from _match_all(patterns, term.factors, found)
        case Power() if term.exponent == -1:
            for scale, deeper in _match_all([_inverse(p) for p in patterns], (term.base,), found):
                if scale:
                    yield 1 / scale, deeper
        case Power() if term.exponent % 1 == 0 and 2 <= term.exponent <= len(patterns):
            yield from _match_all(patterns, (term.base,) * int(term.exponent), found)
        case _:
            pass


def _match_sum(pattern: Sum, term: Sum, found: Match) -> Found:
    """Match a sum in any order and association."""
    for scales, deeper in _match_terms(pattern.terms, term.terms, found):
        pairs = list(zip(pattern.terms, scales, strict=True))
        common = [scale for p, scale in pairs if not isinstance(p, AnyNumber)]
        bound: Match | None = deeper
        for p, number in pairs:
            if isinstance(p, AnyNumber) and bound is not None:
                bound = bound.with_scalar(p.name, number / common[0])
        if bound is not None and all(close(scale, common[0]) for scale in common):
            yield common[0], bound


def _match_terms(
    patterns: Sequence[Term], terms: Sequence[Term], found: Match
) -> Iterator[tuple[list[float], Match]]:
    """Match each pattern in a term, with at least one pattern per term; yield the factor of each
    pattern."""
    if len(terms) > len(patterns):
        return
    if len(patterns) == 1:
        for scale, deeper in _match(patterns[0], terms[0], found):
            if scale and isfinite(scale):
                yield [scale], deeper
    elif len(terms) == 1:
        match terms[0]:
            case BlobTerm() as value:
                for formula, deeper in _producer_formula(value, found):
                    yield from _match_terms(patterns, (formula,), deeper)
            case Sum() as inner:
                yield from _match_terms(patterns, inner.terms, found)
            case Product() as product:
                number, rest = _split(product.factors)
                if len(rest) == 1:
                    for scales, deeper in _match_terms(patterns, rest, found):
                        yield [number * scale for scale in scales], deeper
            case _:
                pass
    else:
        indices = range(len(patterns))
        for some, rest in _subsets(indices, leave=len(terms) - 1):
            of_some, of_rest = [patterns[i] for i in some], [patterns[i] for i in rest]
            for one, deeper in _match_terms(of_some, terms[:1], found):
                for other, deepest in _match_terms(of_rest, terms[1:], deeper):
                    by_index = dict(zip((*some, *rest), (*one, *other), strict=True))
                    yield [by_index[i] for i in indices], deepest


def _match_power(pattern: Power, term: Power, found: Match) -> Found:
    """Match a power, also of a power: `(x ** 0.5) ** -1` is `x ** -0.5`."""
    exponent = pattern.exponent / term.exponent
    base = pattern.base if exponent == 1 else Power(pattern.base, exponent)
    for scale, deeper in _match(base, term.base, found):
        if scale > 0 or (scale < 0 and term.exponent % 1 == 0):
            try:
                yield scale**term.exponent, deeper
            except OverflowError:
                pass  # cannot be close to 1


def _match_clip(pattern: Clip, term: Clip, found: Match) -> Found:
    """Match a clip with both bounds in one layer or in two consecutive ones."""
    for inner, low, high, deeper in _clipped(term, found):
        for scale, deepest in _match(pattern.of, inner, deeper):
            if scale > 0:
                bound = _with_bound(pattern.low, low / scale, deepest)
                bound = bound and _with_bound(pattern.high, high / scale, bound)
                if bound is not None:
                    yield scale, bound


def _clipped(term: Clip, found: Match) -> Iterator[tuple[Term, float, float, Match]]:
    assert isinstance(term.low, NumberTerm)  # bounds in a layer's formula are numbers
    assert isinstance(term.high, NumberTerm)
    low, high = term.low.value, term.high.value
    if low > high:
        return
    yield term.of, low, high, found
    if isinstance(term.of, BlobTerm):
        for formula, deeper in _producer_formula(term.of, found):
            if isinstance(formula, Clip):
                for inner, inner_low, inner_high, deepest in _clipped(formula, deeper):
                    inner_low, inner_high = max(low, inner_low), min(high, inner_high)
                    if inner_low <= inner_high:
                        yield inner, inner_low, inner_high, deepest


def _match_arguments(patterns: Sequence[Term], terms: Sequence[Term], found: Match) -> Found:
    """Match arguments in order, without factors."""
    if not patterns:
        yield 1.0, found
        return
    for scale, deeper in _match(patterns[0], terms[0], found):
        if close(scale, 1.0):
            yield from _match_arguments(patterns[1:], terms[1:], deeper)


def _with_bound(pattern: Term, number: float, found: Match) -> Match | None:
    if isinstance(pattern, AnyNumber):
        return found.with_scalar(pattern.name, number)
    return found if isinstance(pattern, NumberTerm) and close(pattern.value, number) else None


def _split(factors: Sequence[Term]) -> tuple[float, list[Term]]:
    """Return the product of the numbers, and the other factors."""
    number, rest = 1.0, list[Term]()
    for factor in factors:
        if isinstance(factor, NumberTerm):
            number *= factor.value
        elif isinstance(factor, Product):
            inner, others = _split(factor.factors)
            number *= inner
            rest += others
        else:
            rest.append(factor)
    return number, rest


def _inverse(term: Term) -> Term:
    if isinstance(term, Power):
        return term.base if term.exponent == -1 else Power(term.base, -term.exponent)
    return Power(term, -1.0)


def _subsets(items: Sequence[_T], leave: int) -> Iterator[tuple[list[_T], list[_T]]]:
    """Yield every choice of at least one item that leaves at least `leave` items, and the remaining
    items."""
    indices = range(len(items))
    for size in range(1, len(items) - leave + 1):
        for chosen in combinations(indices, size):
            yield [items[i] for i in chosen], [items[i] for i in indices if i not in chosen]
