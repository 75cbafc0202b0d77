"""Finding a formula in the graph.

A layer is part of a match if its output means a part of the formula. What is matched may be the
formula times a number: a factor can stand anywhere in a product, or be given to all terms of a sum,
so `x * (0.5 + 0.5 * y)` is `0.5 * x * (1 + y)`. In the end that number has to be 1.

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
    Blob,
    Clip,
    Function,
    Number,
    Power,
    Product,
    Reduced,
    Scalar,
    Sum,
    Term,
    Value,
    normal,
)
from .layer_formulas import meaning_of

_T = TypeVar("_T")

TOLERANCE = 2e-6
"""How much numbers that ought to be equal may differ, of the larger one. The files hold numbers as
float32 (2^-24 off the true one, 6e-8), and converters write them with 7 digits (up to 5e-7 off);
the factor and the bound of a clip, say, make that two such errors and more than 1e-6."""

MOST_LAYERS = 16
"""Layers that one match may have: no formula needs more, and long chains end there."""


@dataclass(frozen=True)
class Match:
    """What the names in a pattern stand for."""

    blobs: Mapping[str, SSAValue]
    scalars: Mapping[str, float]
    axes: frozenset[int] | None = None
    """The axes of all reductions."""
    layers: tuple[LayerOp, ...] = ()
    """The layers that compute the formula, the last one first."""
    spelling: int = 0
    """Which of several formulas it is."""
    shapes: Shapes = field(default_factory=Shapes)
    """What is known of shapes."""
    meanings: dict[LayerOp, Term | None] = field(default_factory=dict[LayerOp, Term | None])
    """What layers mean, asked once for all tries."""

    def with_blob(self, name: str, value: SSAValue) -> "Match | None":
        """This match with a name for a blob; `None` if the name has another."""
        if name in self.blobs:
            return self if self.blobs[name] is value else None
        return replace(self, blobs={**self.blobs, name: value})

    def with_scalar(self, name: str, value: float) -> "Match | None":
        """This match with a name for a number; `None` if the name has another."""
        if name in self.scalars:
            return self if close(self.scalars[name], value) else None
        return replace(self, scalars={**self.scalars, name: value})

    def with_layer(self, layer: LayerOp) -> "Match | None":
        """This match with a further layer; `None` if it is too large for that."""
        if layer in self.layers:
            return self
        return (
            replace(self, layers=(*self.layers, layer)) if len(self.layers) < MOST_LAYERS else None
        )

    def is_apart(self) -> bool:
        """Whether nobody but these layers uses what they make on the way, and nothing tells one
        from the other for the runtime. (What is unused itself may not have been removed yet.)"""
        last, *inner = self.layers
        users = {use.operation for op in inner for result in op.results for use in result.uses}
        return all(user in self.layers or is_trivially_dead(user) for user in users) and all(
            op.featmask == last.featmask for op in inner
        )


Found = Iterator[tuple[float, Match]]
"""Ways to see a term as a number times a pattern."""


def close(a: float, b: float) -> bool:
    """Whether two numbers are the same but for rounding."""
    return a == b or (isfinite(a - b) and abs(a - b) <= TOLERANCE * max(abs(a), abs(b)))


_normal = cache(normal)


def matches(spellings: Sequence[Term], op: LayerOp, shapes: Shapes) -> Iterator[Match]:
    """Every way in which an operation and those before it compute one of these formulas, and
    nothing else needs what they make on the way."""
    meaning = meaning_of(op, shapes)
    if meaning is None:
        return
    start = Match({}, {}, layers=(op,), shapes=shapes)
    for i, pattern in enumerate(map(_normal, spellings)):
        for scale, found in _match(pattern, meaning, replace(start, spelling=i)):
            if close(scale, 1.0) and found.is_apart():
                yield found


def _match(pattern: Term, term: Term, found: Match) -> Found:
    if isinstance(pattern, Product):
        yield from _match_factors(pattern.factors, (term,), found)
        return
    if isinstance(pattern, Blob) and isinstance(term, Value):
        if (bound := found.with_blob(pattern.name, term.value)) is not None:
            yield 1.0, bound
    if isinstance(term, Value):
        for meaning, deeper in _meaning(term, found):
            yield from _match(pattern, meaning, deeper)
        return
    if isinstance(term, Product):
        yield from _match_multiple(pattern, term, found)
    match pattern, term:
        case Number(), Number() if pattern.value:
            yield term.value / pattern.value, found
        case Scalar(), Number():  # the number itself; who asks gives it the name
            yield term.value, found
        case Sum(), Sum():
            yield from _match_sum(pattern, term, found)
        case Power(), Product() if pattern.exponent % 1 == 0 and pattern.exponent >= 2:
            same = (pattern.base,) * int(pattern.exponent)
            yield from _match_factors(same, term.factors, found)
        case Power(), Power():
            yield from _match_power(pattern, term, found)
        case ((Blob() | Sum() | Function() | Clip()), Power()) if term.exponent == -1:
            for scale, deeper in _match(Power(pattern, -1.0), term.base, found):
                if scale:
                    yield 1 / scale, deeper
        case Function(), Function() if pattern.name == term.name:
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


def _meaning(term: Value, found: Match) -> Iterator[tuple[Term, Match]]:
    """What the layer behind a blob computes."""
    value = term.value
    if isinstance(value, OpResult) and isinstance(value.op, LayerOp):
        if value.op not in found.meanings:
            found.meanings[value.op] = meaning_of(value.op, found.shapes)
        meaning, deeper = found.meanings[value.op], found.with_layer(value.op)
        if meaning is not None and deeper is not None:
            yield meaning, deeper


def _match_multiple(pattern: Term, term: Product, found: Match) -> Found:
    """A number times something that matches."""
    number, rest = _split(term.factors)
    if len(rest) == 1:
        for scale, deeper in _match(pattern, rest[0], found):
            yield number * scale, deeper


def _match_factors(patterns: Sequence[Term], terms: Sequence[Term], found: Match) -> Found:
    """Products, whatever their order and association."""
    number, factors = _split(patterns)
    names = [factor.name for factor in factors if isinstance(factor, Scalar)]
    factors = [factor for factor in factors if not isinstance(factor, Scalar)]
    for scale, deeper in _match_all(factors, terms, found):
        scale /= number
        if not names:
            yield scale, deeper
        elif (bound := deeper.with_scalar(names[0], scale)) is not None:
            yield 1.0, bound


def _match_all(patterns: Sequence[Term], terms: Sequence[Term], found: Match) -> Found:
    """Each pattern in a term, and something in each term."""
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
    """Several factors in one term."""
    match term:
        case Value():
            for meaning, deeper in _meaning(term, found):
                yield from _match_inside(patterns, meaning, deeper)
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
    """Sums, whatever their order and association."""
    for scales, deeper in _match_terms(pattern.terms, term.terms, found):
        pairs = list(zip(pattern.terms, scales, strict=True))
        common = [scale for p, scale in pairs if not isinstance(p, Scalar)]
        bound: Match | None = deeper
        for p, number in pairs:
            if isinstance(p, Scalar) and bound is not None:
                bound = bound.with_scalar(p.name, number / common[0])
        if bound is not None and all(close(scale, common[0]) for scale in common):
            yield common[0], bound


def _match_terms(
    patterns: Sequence[Term], terms: Sequence[Term], found: Match
) -> Iterator[tuple[list[float], Match]]:
    """Each pattern in a term, and something in each term: by how much each has to be multiplied."""
    if len(terms) > len(patterns):
        return
    if len(terms) == 1 and len(patterns) == 1:
        for scale, deeper in _match(patterns[0], terms[0], found):
            if scale and isfinite(scale):
                yield [scale], deeper
    elif len(terms) == 1:
        match terms[0]:
            case Value() as value:
                for meaning, deeper in _meaning(value, found):
                    yield from _match_terms(patterns, (meaning,), deeper)
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
    """Powers, of powers as well: `(x ** 0.5) ** -1` is `x ** -0.5`."""
    exponent = pattern.exponent / term.exponent
    base = pattern.base if exponent == 1 else Power(pattern.base, exponent)
    for scale, deeper in _match(base, term.base, found):
        if scale > 0 or (scale < 0 and term.exponent % 1 == 0):
            try:
                yield scale**term.exponent, deeper
            except OverflowError:
                pass  # as far from 1 as can be


def _match_clip(pattern: Clip, term: Clip, found: Match) -> Found:
    """Bounds on both sides, in one layer or one after the other."""
    for inner, low, high, deeper in _clipped(term, found):
        for scale, deepest in _match(pattern.of, inner, deeper):
            if scale > 0:
                bound = _with_bound(pattern.low, low / scale, deepest)
                bound = bound and _with_bound(pattern.high, high / scale, bound)
                if bound is not None:
                    yield scale, bound


def _clipped(term: Clip, found: Match) -> Iterator[tuple[Term, float, float, Match]]:
    assert isinstance(term.low, Number)  # in what a layer means, bounds are numbers
    assert isinstance(term.high, Number)
    low, high = term.low.value, term.high.value
    if low > high:
        return
    yield term.of, low, high, found
    if isinstance(term.of, Value):
        for meaning, deeper in _meaning(term.of, found):
            if isinstance(meaning, Clip):
                for inner, least, most, deepest in _clipped(meaning, deeper):
                    if max(low, least) <= min(high, most):
                        yield inner, max(low, least), min(high, most), deepest


def _match_arguments(patterns: Sequence[Term], terms: Sequence[Term], found: Match) -> Found:
    """One by one, each as it is."""
    if not patterns:
        yield 1.0, found
        return
    for scale, deeper in _match(patterns[0], terms[0], found):
        if close(scale, 1.0):
            yield from _match_arguments(patterns[1:], terms[1:], deeper)


def _with_bound(pattern: Term, number: float, found: Match) -> Match | None:
    if isinstance(pattern, Scalar):
        return found.with_scalar(pattern.name, number)
    return found if isinstance(pattern, Number) and close(pattern.value, number) else None


def _split(factors: Sequence[Term]) -> tuple[float, list[Term]]:
    """The product of the numbers, and the other factors."""
    number, rest = 1.0, list[Term]()
    for factor in factors:
        if isinstance(factor, Number):
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
    """Every choice of at least one item that leaves at least so many, and what is left."""
    indices = range(len(items))
    for size in range(1, len(items) - leave + 1):
        for chosen in combinations(indices, size):
            yield [items[i] for i in chosen], [items[i] for i in indices if i not in chosen]
