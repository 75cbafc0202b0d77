"""Reference semantics of the layers in `dialects/ncnn/reshaping.py`: the same elements in other
positions."""

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX

from ...dialects.ncnn.extents import permutation
from ...dialects.ncnn.reshaping import (
    DiagOp,
    ExpandDimsOp,
    FlattenOp,
    FlipOp,
    PermuteOp,
    ReshapeOp,
    SqueezeOp,
)
from .semantics import Array, Inputs, NoSemantics, Weights, semantics
from .shapes import axis_of, result_shape


@semantics(ReshapeOp)
def reshape(op: ReshapeOp, inputs: Inputs, weights: Weights) -> Array:
    if op.is_batched():
        raise NoSemantics(f"{op.label()}: no reference semantics for batches of blobs")
    x = inputs[0]
    if x.ndim == 4 and op.output_rank() == 3 and op.c == 0 and not op.shape_expr:
        # Types omit extents that the runtime's packed code may read wrongly.
        return x.reshape((x.shape[0], op.h or x.shape[2], op.w or x.shape[3]))
    shape = result_shape(op, inputs)
    if shape.count(DYNAMIC_INDEX) > 1:
        raise NoSemantics(f"{op.label()}: '{op.shape_expr}' depends on the C library")
    return x.reshape([-1 if n == DYNAMIC_INDEX else n for n in shape])


@semantics(FlattenOp, SqueezeOp, ExpandDimsOp)
def reshape_as_inferred(
    op: FlattenOp | SqueezeOp | ExpandDimsOp, inputs: Inputs, weights: Weights
) -> Array:
    return inputs[0].reshape(result_shape(op, inputs))


@semantics(PermuteOp)
def permute(op: PermuteOp, inputs: Inputs, weights: Weights) -> Array:
    (x,) = inputs
    order = permutation(op.order_type, x.ndim)
    if order is None:
        raise ValueError(f"{op.label()}: order_type {op.order_type} is undefined for {x.ndim} dims")
    return np.transpose(x, order)


@semantics(FlipOp)
def flip(op: FlipOp, inputs: Inputs, weights: Weights) -> Array:
    (x,) = inputs
    return np.flip(x, tuple({axis_of(op, axis, x.ndim) for axis in op.axes}))


@semantics(DiagOp)
def diag(op: DiagOp, inputs: Inputs, weights: Weights) -> Array:
    return np.diag(inputs[0], op.diagonal)
