"""Reference semantics of the layers in `dialects/ncnn/joining.py`."""

from collections.abc import Sequence

import numpy as np

from ...dialects.ncnn.extents import positive_axis, slice_parts
from ...dialects.ncnn.joining import ConcatOp, SliceOp, TileOp
from ...dialects.shapes.analysis import numbers
from .semantics import Array, Inputs, Weights, semantics
from .shapes import axis_of


@semantics(ConcatOp)
def concat(op: ConcatOp, inputs: Inputs, weights: Weights) -> Array:
    return np.concatenate(inputs, axis_of(op, op.axis, inputs[0].ndim))


@semantics(SliceOp)
def slice_layer(op: SliceOp, inputs: Inputs, weights: Weights) -> Sequence[Array]:
    (x,) = inputs
    axis = axis_of(op, op.axis, x.ndim)
    parts = slice_parts(x.shape[axis], len(op.outputs), op.slices, op.indices)
    parts = None if parts is None else numbers(parts)
    if parts is None or any(n < 0 for n in parts) or sum(parts) > x.shape[axis]:
        raise ValueError(f"{op.label()}: the parts do not fit {x.shape[axis]} elements")
    # Equal shares may omit elements at the end.
    return np.split(x, np.cumsum(parts), axis)[: len(parts)]


@semantics(TileOp)
def tile(op: TileOp, inputs: Inputs, weights: Weights) -> Array:
    (x,), repeats = inputs, op.repeats
    if not repeats:
        axis = positive_axis(op.axis, x.ndim)
        return np.tile(x, [op.tiles if i == axis else 1 for i in range(x.ndim)])
    if len(repeats) == 4 and x.ndim == 3:
        x = x[:, None]
    return np.tile(x, repeats)
