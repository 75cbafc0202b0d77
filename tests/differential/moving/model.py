"""A model that grows by steps that know the shapes of blobs."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from hypothesis import strategies as st

from ..nets import Array, Params, Shape
from ..sketches import Sketch, Weigh, nothing

W, H, D, C = 0, 1, 11, 2
"""The ids of the extents that a Reshape, Squeeze or Interp has."""

RESHAPE_IDS = {1: (W,), 2: (H, W), 3: (C, H, W), 4: (C, D, H, W)}
"""Those of a Reshape by its dims, outermost first."""

SUM, MEAN, MAX, MIN = 0, 3, 4, 5
"""Reduction's `operation`."""


@dataclass(frozen=True)
class Value:
    """A blob of a model."""

    name: str
    shape: Shape
    exact: bool = True
    """Whether it is computed without rounding: else floor of it may be another number after."""


@dataclass
class Moves:
    """A model, and what draws its steps."""

    draw: st.DrawFn
    sketch: Sketch = field(default_factory=Sketch)

    def input(self, shape: Shape, declared: bool | Shape) -> Value:
        """A further input."""
        return Value(self.sketch.input(shape, declared, 3.0), shape)

    def add(
        self,
        kind: str,
        reads: Value | Sequence[Value],
        shape: Shape,
        params: Params | None = None,
        weigh: Weigh = nothing,
        exact: bool = True,
    ) -> Value:
        """A layer of one output."""
        (value,) = self.cut(kind, reads, [shape], params, weigh)
        return Value(value.name, shape, exact and value.exact)

    def cut(
        self,
        kind: str,
        reads: Value | Sequence[Value],
        shapes: Sequence[Shape],
        params: Params | None = None,
        weigh: Weigh = nothing,
    ) -> list[Value]:
        """A layer of several outputs."""
        reads = [reads] if isinstance(reads, Value) else reads
        names = self.sketch.cut(kind, [v.name for v in reads], len(shapes), params, weigh)
        exact = all(v.exact for v in reads)
        return [Value(name, shape, exact) for name, shape in zip(names, shapes, strict=True)]

    def values(self, shape: Shape) -> Array:
        """Random values around 0."""
        rng = np.random.default_rng(self.draw(st.integers(0, 99)))
        return rng.standard_normal(shape).astype("f4")

    def constant(self, values: Array) -> Value:
        """A MemoryData."""
        return Value(self.sketch.constant(values), values.shape)


def with_extent(shape: Shape, axis: int, n: int) -> Shape:
    """A shape with another extent along an axis."""
    return (*shape[:axis], n, *shape[axis + 1 :])
