"""Factors of matrix products that are slices of other tensors."""

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects import math, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.dialects.linalg import ops as linalg
from xdsl.ir import SSAValue

from ..tracing.nodes import Node
from .builder import Builder, dim
from .scalars import Place


def materialized(builder: Builder, node: Node, value: SSAValue) -> SSAValue:
    """Return the factor of a matrix product. If it is a slice of another tensor, copy it into a
    tensor of its own.

    IREE fuses a slice into the kernel that reads it unless the slice is contiguous, and a
    permutation into the maps of the product. Then the kernel that multiplies also lays out its
    factors, a whole matrix at a time. That is slow, or refused because vectors are too long.
    """
    if node.dtype.kind != "f" or not _is_part(value):
        return value
    dims = [dim(i) for i in range(len(node.shape))]
    out = builder.empty(node.shape, node.dtype)
    return builder.generic([(value, dims)], out, dims, len(dims), copied)


def copied(args: Sequence[SSAValue], place: Place) -> SSAValue:
    """Write the body of a copy that is not fused with its readers, because it computes something:
    `copysign(x, x)` is x, but MLIR does not fold it."""
    return place(math.CopySignOp(args[0], args[0]))


def _is_part(value: SSAValue) -> bool:
    """Whether a tensor is a slice, perhaps reshaped and transposed."""
    match value.owner:
        case tensor.ExpandShapeOp() | tensor.CollapseShapeOp() as op:
            return _is_part(op.src)
        case (linalg.GenericOp() | linalg.TransposeOp()) as op if (
            len(op.inputs) == 1 and len(op.body.block.ops) == 1
        ):
            return _is_part(op.inputs[0])
        case tensor.ExtractSliceOp() as op:
            return not _is_in_one_piece(op) or _is_part(op.source)
        case _:
            return False


def _is_in_one_piece(op: tensor.ExtractSliceOp) -> bool:
    """Whether a slice is contiguous."""
    shape = cast(TensorType[Any], op.source.type).get_shape()
    sizes = cast(Sequence[int], op.static_sizes.get_values())
    strides = cast(Sequence[int], op.static_strides.get_values())
    first = next((i for i, n in enumerate(sizes) if n != 1), len(sizes))
    whole = DYNAMIC_INDEX not in shape and tuple(sizes[first + 1 :]) == tuple(shape[first + 1 :])
    return whole and all(stride == 1 for stride in strides)
