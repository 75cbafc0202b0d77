"""Layers that compute from the size what was a constant."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import TensorType, f32
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects.ncnn.blob import UNRANKED
from ...dialects.ncnn.constant import ConstantOp
from ...dialects.ncnn.cropping import CropOp
from ...dialects.ncnn.elementwise import BINARY_OPS, BinaryOpOp
from ...dialects.ncnn.joining import ConcatOp
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.params import Value
from ...dialects.ncnn.reduction import CumulativeSumOp
from ...dialects.ncnn.resampling import InterpOp
from ...dialects.ncnn.reshaping import ReshapeOp
from ...dialects.ncnn.unary import UNARY_OPS, UnaryOpOp
from ...dialects.ncnn.weights import make_weight
from ...dialects.shapes.terms import Extent, Extents, Term
from .exported_model import SizedModel
from .extent_expressions import Expressions
from .sinusoids import Waves

Array = NDArray[Any]


class NotSaid(Exception):
    """No expression says an extent."""


@dataclass
class Builder:
    """Makes layers in front of one."""

    op: LayerOp
    model: SizedModel

    def insert(self, new: Operation) -> None:
        Rewriter().insert_op(new, InsertPoint.before(self.op))

    def constant(self, values: Array) -> SSAValue:
        """A blob of fixed values."""
        data = np.ascontiguousarray(values, "f4")
        type_ = TensorType(f32, data.shape)
        new = ConstantOp.of(make_weight(data, type_), type_)
        self.insert(new)
        self.model.built.add(new)
        self.model.settle(new.output, tuple(data.shape))
        return new.output

    def layer(
        self,
        cls: type[LayerOp],
        inputs: Sequence[SSAValue],
        extents: Sequence[Extents],
        **params: Value,
    ) -> SSAValue:
        """The result, of these extents, of a layer with these parameters."""
        new = cls.make(inputs, {}, [UNRANKED] * len(extents), {})
        new.init_params(params)
        self.insert(new)
        for result, each in zip(new.results, extents, strict=True):
            self.model.settle(result, each)
        return new.results[0]

    def binary(self, op: str, a: SSAValue, b: SSAValue, extents: Extents) -> SSAValue:
        return self.layer(BinaryOpOp, [a, b], [extents], op_type=BINARY_OPS.index(op))

    def numbers_of(self, part: Extents) -> list[tuple[int, ...]] | None:
        """The extents of a part at the size of each export."""
        found: list[tuple[int, ...]] = []
        for term in part:
            numbers = self.model.numbers_of(term)
            if numbers is None:
                return None
            found.append(numbers)
        return list(zip(*found, strict=True))

    def said(
        self,
        cls: type[LayerOp],
        blob: SSAValue,
        shape: Extents,
        extents: Sequence[Extent],
        option: str,
        **params: Value,
    ) -> SSAValue:
        """The result of a layer with a parameter that is an expression of these extents. Raises
        `NotSaid`."""
        new = cls.make([blob], {}, [UNRANKED], {})
        self.insert(new)
        writer = Expressions(self.model, new, [blob])
        texts = [writer.write(n) for n in extents]
        if None in texts:
            raise NotSaid
        new.init_params({**params, option: ",".join(map(str, texts))})
        new.operands = writer.blobs
        self.model.settle(new.results[0], shape)
        return new.results[0]

    def counted(self, extents: Sequence[Extent], axis: int | None) -> SSAValue:
        """A blob `1 x h x w` of ones, or of 1, 2, 3, … along an axis (1 or 2): one element that is
        resized, and the sums along the axis."""
        one = self.constant(np.ones((1, 1, 1), "f4"))
        h, w = ([1, *extents])[-2:]
        shape = (1, h, w)
        ones = self.said(InterpOp, one, shape, (w, h), "size_expr", resize_type=1)
        return ones if axis is None else self.layer(CumulativeSumOp, [ones], [shape], axis=axis)

    def joined(self, parts: Sequence[tuple[Extents, Array]], extent: Extent) -> SSAValue:
        """Rows of steps over the grids of these parts, one part after the other."""
        made = [self._part(grid, columns) for grid, columns in parts]
        if len(made) == 1:
            return made[0]
        return self.layer(ConcatOp, made, [(parts[0][1].shape[0], extent)], axis=1)

    def _part(self, grid: Extents, columns: Array) -> SSAValue:
        """Rows of steps over a grid of one or two axes: `first + step * i + …`."""
        rows, total = columns.shape[0], grid[0] if len(grid) == 1 else grid[0] * grid[1]
        # Counted from 1, so the first value is that of position -1.
        steps = [(axis, columns[:, axis]) for axis in range(len(grid)) if columns[:, axis].any()]
        first = columns[:, -1] - sum((step for _, step in steps), np.zeros(rows))
        shape, result = (rows, total), None
        for axis, step in steps:
            counted = self.counted(grid, axis + 3 - len(grid))
            flat = self.layer(ReshapeOp, [counted], [(1, total)], w=-1, h=1)
            scaled = self.binary("mul", flat, self.constant(step[:, None]), shape)
            result = scaled if result is None else self.binary("add", result, scaled, shape)
        if result is None:
            ones = self.layer(ReshapeOp, [self.counted(grid, None)], [(1, total)], w=-1, h=1)
            return self.binary("mul", ones, self.constant(first[:, None]), shape)
        if first.any():
            result = self.binary("add", result, self.constant(first[:, None]), shape)
        return result

    def plane(self, columns: Array, extents: Extents) -> SSAValue:
        """`c x h x w` of steps along h and w, of each channel others."""
        shape = (columns.shape[0], *extents)
        return self.said(ReshapeOp, self._part(extents, columns), shape, shape[::-1], "shape_expr")

    def waves(self, waves: Waves, extent: Extent) -> SSAValue:
        """Rows of sines, and rows of cosines, of multiples of the position."""
        counted = self.counted((extent,), 2)
        flat = self.layer(ReshapeOp, [counted], [(1, extent)], w=-1, h=1)
        back = self.constant(np.full((1, 1), -1.0))
        place = self.binary("add", flat, back, (1, extent))
        made: list[SSAValue] = []
        for kind, frequencies in waves.runs:
            shape = (len(frequencies), extent)
            angles = self.binary("mul", place, self.constant(frequencies[:, None]), shape)
            made.append(self.layer(UnaryOpOp, [angles], [shape], op_type=UNARY_OPS.index(kind)))
        if len(made) == 1:
            return made[0]
        rows = sum(len(frequencies) for _, frequencies in waves.runs)
        return self.layer(ConcatOp, made, [(rows, extent)], axis=0)

    def cut(self, blob: SSAValue, axis: int, extent: Term, shape: Extents) -> SSAValue:
        """A blob up to an extent along an axis."""
        params = {"starts_expr": "0", "axes_expr": str(axis)}
        return self.said(CropOp, blob, shape, (extent,), "ends_expr", **params)
