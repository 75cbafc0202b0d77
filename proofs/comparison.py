"""Comparison of the two sides of a rewrite's region, at random points."""

from collections.abc import Callable, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import SSAValue

from ..analysis.input_shapes import expected_input_shape
from ..analysis.wide_values import thresholds_of
from ..dialects.ncnn.weight_specs import Shape
from .array import ExactArray, NotExact, exact
from .calls import call_axes
from .exact_evaluation import Decision, decide, evaluate, is_refusal
from .random_instances import extents_of
from .regions import Pair, Region
from .sampling import INTERIOR
from .scaled_extents import candidates, element_count

MOST_ELEMENTS = 1 << 19
"""The largest operand of a layer in a region."""

LARGE = 1 << 16
"""Inputs with more elements are evaluated at one point only."""

ROUNDING = 1e-3
"""The largest error of float32 that a check accepts."""

SMALL = 1 << 12
"""Inputs with more elements are not evaluated at undeclared extents of the model."""

FEW = 1 << 5
"""Inputs with more elements have many thresholds at one point, others are evaluated at more."""

OTHERS = 5
"""Undeclared extents of the model's inputs at which a region is evaluated."""

ALL_RANKS = 32
"""Points of a region that has inputs of unknown shapes."""

CALLS = ((3, 2), (1, 4), (2, 1))
"""The numbers of new and of past steps in calls of a model with caches."""

MakeInput = Callable[[Shape, np.random.Generator, Sequence[float]], Any]
"""`exact_sample` or `float_sample`."""


@dataclass(frozen=True)
class RegionComparison:
    """The differences of the results of a region."""

    errors: dict[Pair, float]
    """The relative error of each pair whose residues differ; infinite if the shapes differ."""
    shapes: Sequence[Shape]
    """The shapes of the region's inputs."""
    inputs: Sequence[Any]
    values: dict[Pair, tuple[Any, Any]]
    """The values of each pair that differs."""
    decision: Decision = Decision()
    """Whether equal results are a proof for all orders of the numbers."""

    @property
    def is_wrong(self) -> bool:
        """Whether rounding does not explain the differences."""
        return not self.error <= ROUNDING

    @property
    def error(self) -> float:
        """The largest error."""
        return max(self.errors.values(), default=0.0)


def compare(
    region: Region,
    shapes: Sequence[Shape | None],
    make: MakeInput,
    points: int,
    seed: int,
    others: Sequence[Sequence[Shape]] = (),
    caches: Set[SSAValue] = frozenset(),
) -> list[RegionComparison]:
    """Compare the results of a region for random inputs, at several extents if they exist.

    `shapes` are the shapes of the region's inputs in the model, `others` their shapes for inputs of
    the model that have undeclared extents, and `caches` the inputs that are caches of steps.
    Numbers are in (-1, 1) at the first point, and from a wide range and at thresholds at the
    others. Raises `NotExact`.
    """
    found: list[RegionComparison] = []
    reason = "no extents are found that its layers take"
    thresholds = thresholds_of([*region.before, *region.after])
    required = [
        required_shape(x, shape) for (x, _), shape in zip(region.inputs, shapes, strict=True)
    ]
    wanted = points if None not in shapes else ALL_RANKS

    def at(each: Sequence[Shape], is_other: bool = False) -> RegionComparison:
        random = np.random.default_rng((seed, len(found)))
        is_inside = not found
        inputs = [make(n, random, INTERIOR if is_inside else thresholds) for n in each]
        return _at(region, inputs, each, not is_inside, is_other)

    axes = call_axes([x for x, _ in region.inputs], region.before, caches)
    calls = [] if axes is None else [axes.shapes(*steps) for steps in CALLS]
    spatial = candidates(shapes, extents_of(region.before))
    for each in chain(calls, spatial, candidates(required)):
        try:
            found.append(at(each))
        except NotExact as e:
            reason = str(e)
            continue
        if len(found) >= wanted or element_count(each) > LARGE or found[-1].is_wrong:
            break
    if not found:
        raise NotExact(reason)
    size = element_count(found[-1].shapes)
    more = 4 if size <= FEW else 1 if size <= SMALL else 0
    for _ in range(max(points - len(found), more)):
        if found[-1].is_wrong or size > LARGE:
            break
        found.append(at(found[-1].shapes))
    done, tried = {tuple(each.shapes) for each in found}, 0
    for each in others:
        if found[-1].is_wrong or tried >= OTHERS:
            break
        if tuple(each) not in done and element_count(each) <= SMALL:
            done.add(tuple(each))
            with suppress(NotExact):
                found.append(at(each, is_other=True))
                tried += 1
    return found


def required_shape(value: SSAValue, shape: Shape | None) -> Shape | None:
    """Return the shape that the weights behind a blob require, or the blob's shape if they require
    none: a file may declare an input of another shape than its layers take."""
    if (found := expected_input_shape(value)) is None:
        return shape
    return tuple(DYNAMIC_INDEX if n is None else n for n in found[1])


def _at(
    region: Region, inputs: Sequence[Any], shapes: Sequence[Shape], is_wide: bool, is_other: bool
) -> RegionComparison:
    exactly = any(isinstance(x, ExactArray) for x in inputs) or not inputs
    before: dict[SSAValue, Any] = dict(zip((x for x, _ in region.inputs), inputs, strict=True))
    evaluate(region.before, before, MOST_ELEMENTS, exactly)
    after = {y: before[x] for x, y in region.boundary}
    errors: dict[Pair, float] = {}
    values: dict[Pair, tuple[Any, Any]] = {}
    try:
        evaluate(region.after, after, MOST_ELEMENTS, exactly)
    except NotExact as e:
        if not is_other or not is_refusal(e):
            raise
        nothing = np.zeros(0)  # the layers after the rewrite refuse what those before it take
        values = {pair: (np.asarray(before[pair[0]], "f8"), nothing) for pair in region.results}
        return RegionComparison(dict.fromkeys(region.results, np.inf), shapes, inputs, values)
    for pair in region.results:
        a, b = before[pair[0]], after[pair[1]]
        if not a.size:
            raise NotExact("the extents are too small for its layers")
        if a.shape != b.shape:
            errors[pair] = np.inf
        elif not np.array_equal(*((exact(a).residues, exact(b).residues) if exactly else (a, b))):
            error = relative_error if not is_wide else wide_error if exactly else float_error
            x, y = np.asarray(a, "f8"), np.asarray(b, "f8")
            errors[pair] = error(x, y)
        if pair in errors:
            values[pair] = np.asarray(a, "f8"), np.asarray(b, "f8")
    decision = Decision()
    if exactly and not is_wide and not errors:
        decision = decide(inputs, partial(_results, region, 0), partial(_results, region, 1))
        if decision.witness and not is_other:
            with suppress(NotExact):
                found = _at(region, decision.witness, shapes, True, is_other)
                if found.is_wrong:
                    return found
    return RegionComparison(errors, shapes, inputs, values, decision)


def _results(region: Region, side: int, inputs: Sequence[Any]) -> list[Any]:
    """Return the results of one side of a region."""
    values: dict[SSAValue, Any] = dict(zip((x for x, _ in region.inputs), inputs, strict=True))
    if side == 0 or region.boundary is not region.inputs:
        evaluate(region.before, values, MOST_ELEMENTS)
    if side == 0:
        return [values[x] for x, _ in region.results]
    values = {y: values[x] for x, y in region.boundary}
    evaluate(region.after, values, MOST_ELEMENTS)
    return [values[y] for _, y in region.results]


def relative_error(a: Any, b: Any) -> float:
    """Return the largest difference, relative to the largest magnitude; NaN equals NaN."""
    with np.errstate(all="ignore"):
        error = float(differences(a, b).max(initial=0))
        error /= max(1e-30, float(np.abs(np.where(np.isnan(a) & np.isnan(b), 0, a)).max(initial=0)))
    return error if error == error else float("inf")


def differences(a: Any, b: Any) -> Any:
    """Return the magnitude of the difference of each element. NaN equals NaN, and differs from a
    number by infinity."""
    with np.errstate(all="ignore"):
        found = np.where((a == b) | (np.isnan(a) & np.isnan(b)), 0, np.abs(a - b))
    return np.where(np.isnan(found), np.inf, found)


def wide_error(a: Any, b: Any, smallest: float = 1e-6, weight: float = 1e-2) -> float:
    """Return the largest difference, relative to the magnitude of each element; elements that are
    not finite do not count. A function of large arguments magnifies the rounding of constants, so
    the result has a weight."""
    with np.errstate(all="ignore"):
        finite = np.isfinite(a) & np.isfinite(b)
        a, b = np.where(finite, a, 0), np.where(finite, b, 0)
        size = np.maximum(np.abs(a), np.abs(b))
        size = size + smallest * float(size.max(initial=0)) + 1e-30
        return weight * float((np.abs(a - b) / size).max(initial=0))


def float_error(a: Any, b: Any) -> float:
    """Return the same for float32 results, which cancellation makes less precise."""
    return wide_error(a, b, 1e-2, 0.1)
