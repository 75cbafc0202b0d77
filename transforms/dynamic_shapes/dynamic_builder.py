"""Layers that compute from the inputs' extents what was a constant."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import Attribute, SSAValue
from xdsl.pattern_rewriter import PatternRewriter

from ...dialects.ncnn.blob import UNRANKED
from ...dialects.ncnn.constant import ConstantOp
from ...dialects.ncnn.cropping import CropOp
from ...dialects.ncnn.joining import ConcatOp
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.params import Value
from ...dialects.ncnn.reduction import CumulativeSumOp
from ...dialects.ncnn.resampling import InterpOp
from ...dialects.ncnn.reshaping import ReshapeOp
from ...dialects.ncnn.unary import UNARY_OPS, UnaryOpOp
from ...dialects.shapes.terms import Extent, Extents, ExtentTerm
from ..rewriting.layer_builder import LayerBuilder
from .exported_model import ExportedModel
from .extent_expressions import set_expressions
from .sinusoids import Sinusoids

Array = NDArray[Any]


class DynamicBuilder(LayerBuilder):
    """Inserts layers of dynamic shapes before a layer."""

    def __init__(self, op: LayerOp, model: ExportedModel) -> None:
        super().__init__(op, PatternRewriter(op))
        self.model = model

    def result_type(self, shape: Extents) -> Attribute:
        return UNRANKED

    def record(self, value: SSAValue, shape: Extents) -> None:
        self.model.record(value, shape)

    def constant(self, values: Array) -> SSAValue:
        """Insert a float32 constant, and return it."""
        new = ConstantOp.holding(np.ascontiguousarray(values, "f4"))
        self.insert(new)
        self.model.new_constants.add(new)
        self.record(new.output, values.shape)
        return new.output

    def by_expression(
        self,
        cls: type[LayerOp],
        blob: SSAValue,
        shape: Extents,
        option: str,
        extents: Sequence[Extent],
        **params: Value,
    ) -> SSAValue:
        """Insert a layer whose parameter `option` is a list of expressions of these extents, and
        return its result. Raises `Inexpressible`."""
        new = cls.make([blob], {}, [UNRANKED], {})
        self.insert(new)
        set_expressions(new, self.model, [blob], {option: extents}, **params)
        self.record(new.results[0], shape)
        return new.results[0]

    def positions(self, extents: Sequence[Extent], axis: int | None) -> SSAValue:
        """Return a blob `1 x h x w` of ones, or of the numbers 1, 2, 3, … along an axis (1 or 2): a
        resized constant, and its cumulative sum."""
        one = self.constant(np.ones((1, 1, 1), "f4"))
        h, w = ([1, *extents])[-2:]
        shape = (1, h, w)
        ones = self.by_expression(InterpOp, one, shape, "size_expr", (w, h), resize_type=1)
        return ones if axis is None else self.layer(CumulativeSumOp, [ones], shape, axis=axis)[0]

    def as_row(self, value: SSAValue, extent: Extent) -> SSAValue:
        """Return the elements of a blob as one row."""
        return self.layer(ReshapeOp, [value], (1, extent), w=-1, h=1)[0]

    def grids(self, parts: Sequence[tuple[Extents, Array]], extent: Extent) -> SSAValue:
        """Return rows that are affine in the positions of grids, concatenated. Each part is a grid
        and the coefficients (see `grid`); `extent` is the total length."""
        rows = [self.grid(grid, coefficients) for grid, coefficients in parts]
        if len(rows) == 1:
            return rows[0]
        return self.layer(ConcatOp, rows, (parts[0][1].shape[0], extent), axis=1)[0]

    def grid(self, grid: Extents, coefficients: Array) -> SSAValue:
        """Return rows `first + step * i + …` over a grid of one or two axes. Each row of the
        coefficients has the steps along the axes, and the first value."""
        rows, total = coefficients.shape[0], grid[0] if len(grid) == 1 else grid[0] * grid[1]
        steps = [(i, coefficients[:, i]) for i in range(len(grid)) if coefficients[:, i].any()]
        # Positions count from 1, so the constant is the value at position -1.
        first = coefficients[:, -1] - sum((step for _, step in steps), np.zeros(rows))
        shape, result = (rows, total), None
        for axis, step in steps:
            row = self.as_row(self.positions(grid, axis + 3 - len(grid)), total)
            scaled = self.binary("mul", row, self.constant(step[:, None]), shape)
            result = scaled if result is None else self.binary("add", result, scaled, shape)
        if result is None:
            ones = self.as_row(self.positions(grid, None), total)
            return self.binary("mul", ones, self.constant(first[:, None]), shape)
        if first.any():
            result = self.binary("add", result, self.constant(first[:, None]), shape)
        return result

    def plane(self, coefficients: Array, extents: Extents) -> SSAValue:
        """Return a blob `c x h x w` that is affine in the positions along h and w, with the
        coefficients of each channel (see `grid`)."""
        shape, rows = (coefficients.shape[0], *extents), self.grid(extents, coefficients)
        return self.by_expression(ReshapeOp, rows, shape, "shape_expr", shape[::-1])

    def sinusoids(self, sinusoids: Sinusoids, extent: Extent) -> SSAValue:
        """Return rows of sines and cosines of multiples of the position."""
        row = self.as_row(self.positions((extent,), 2), extent)
        minus_one = self.constant(np.full((1, 1), -1.0))
        position = self.binary("add", row, minus_one, (1, extent))
        made: list[SSAValue] = []
        for function, frequencies in sinusoids.runs:
            shape = (len(frequencies), extent)
            angles = self.binary("mul", position, self.constant(frequencies[:, None]), shape)
            op_type = UNARY_OPS.index(function)
            made += self.layer(UnaryOpOp, [angles], shape, op_type=op_type)
        if len(made) == 1:
            return made[0]
        rows = sum(len(frequencies) for _, frequencies in sinusoids.runs)
        return self.layer(ConcatOp, made, (rows, extent), axis=0)[0]

    def prefix(self, blob: SSAValue, axis: int, extent: ExtentTerm, shape: Extents) -> SSAValue:
        """Return the first `extent` elements of a blob along an axis."""
        params = {"starts_expr": "0", "axes_expr": str(axis)}
        return self.by_expression(CropOp, blob, shape, "ends_expr", (extent,), **params)
