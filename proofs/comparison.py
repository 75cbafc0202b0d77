"""Comparison of the two sides of a rewrite's region, at random points."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import SSAValue

from ..analysis.input_shapes import taken
from ..dialects.ncnn.slots import Shape
from .array import ExactArray, NotExact, exact
from .evaluation import evaluate
from .field import PRIME
from .points import BITS
from .regions import Pair, Region
from .scaled_extents import candidates, element_count

MOST_ELEMENTS = 1 << 19
"""The largest operand of a layer in a region."""

LARGE = 1 << 16
"""Inputs with more elements are evaluated at one point only."""

MakeInput = Callable[[Shape, np.random.Generator], Any]


@dataclass(frozen=True)
class Comparison:
    """The differences of the results of a region."""

    errors: dict[Pair, float]
    """The relative error of each pair whose images differ; infinite if the shapes differ."""
    shapes: Sequence[Shape]
    """The shapes of the region's inputs."""
    inputs: Sequence[Any]
    values: dict[Pair, tuple[Any, Any]]
    """The values of each pair that differs."""

    @property
    def error(self) -> float:
        """The largest error."""
        return max(self.errors.values(), default=0.0)


def exact_input(shape: Shape, random: np.random.Generator) -> ExactArray:
    """Return random exact numbers in (-1, 1)."""
    numerators: Any = random.integers(1 - (1 << BITS), 1 << BITS, shape)
    inverse = pow(1 << BITS, -1, PRIME)
    return ExactArray(numerators.astype(object) * inverse % PRIME, numerators / (1 << BITS))


def float_input(shape: Shape, random: np.random.Generator) -> Any:
    """Return random float32 numbers in (-1, 1)."""
    return random.uniform(-1, 1, shape).astype("f4")


def compare(
    region: Region, shapes: Sequence[Shape | None], make: MakeInput, points: int, seed: int
) -> list[Comparison]:
    """Compare the results of a region for random inputs, at several extents if they exist.

    `shapes` are the shapes of the region's inputs in the model. Raises `NotExact`.
    """
    found: list[Comparison] = []
    reason = "no extents are found that its layers take"
    required = [
        required_shape(x, shape) for (x, _), shape in zip(region.inputs, shapes, strict=True)
    ]
    for each in chain(candidates(shapes), candidates(required)):
        random = np.random.default_rng((seed, len(found)))
        try:
            found.append(_at(region, [make(shape, random) for shape in each], each))
        except NotExact as e:
            reason = str(e)
            continue
        if len(found) == points or element_count(each) > LARGE or found[-1].errors:
            return found
    if not found:
        raise NotExact(reason)
    while len(found) < points:  # there is only one choice of extents
        each = found[-1].shapes
        random = np.random.default_rng((seed, len(found)))
        found.append(_at(region, [make(shape, random) for shape in each], each))
    return found


def required_shape(value: SSAValue, shape: Shape | None) -> Shape | None:
    """Return the shape that the weights behind a blob require, or the blob's shape if they require
    none: a file may declare an input of another shape than its layers take."""
    if (found := taken(value)) is None:
        return shape
    return tuple(DYNAMIC_INDEX if n is None else n for n in found[1])


def _at(region: Region, inputs: Sequence[Any], shapes: Sequence[Shape]) -> Comparison:
    exactly = any(isinstance(x, ExactArray) for x in inputs) or not inputs
    before: dict[SSAValue, Any] = dict(zip((x for x, _ in region.inputs), inputs, strict=True))
    evaluate(region.before, before, MOST_ELEMENTS, exactly)
    after = {y: before[x] for x, y in region.boundary}
    evaluate(region.after, after, MOST_ELEMENTS, exactly)
    errors: dict[Pair, float] = {}
    values: dict[Pair, tuple[Any, Any]] = {}
    for pair in region.results:
        a, b = before[pair[0]], after[pair[1]]
        if not a.size:
            raise NotExact("the extents are too small for its layers")
        if a.shape != b.shape:
            errors[pair] = np.inf
        elif not np.array_equal(*((exact(a).images, exact(b).images) if exactly else (a, b))):
            errors[pair] = relative_error(*(np.asarray(x, "f8") for x in (a, b)))
        if pair in errors:
            values[pair] = np.asarray(a, "f8"), np.asarray(b, "f8")
    return Comparison(errors, shapes, inputs, values)


def relative_error(a: Any, b: Any) -> float:
    """Return the largest difference, relative to the largest magnitude; NaN equals NaN."""
    both = np.isnan(a) & np.isnan(b)
    a, b = np.where(both, 0, a), np.where(both, 0, b)
    with np.errstate(all="ignore"):
        error = float(np.where(a == b, 0, np.abs(a - b)).max(initial=0))
        error /= max(1e-30, float(np.abs(a).max(initial=0)))
    return error if error == error else float("inf")
