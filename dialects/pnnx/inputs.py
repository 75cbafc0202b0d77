"""The blobs of a graph's inputs."""

from typing import cast

from xdsl.dialects.builtin import IntegerAttr, IntegerType

from .operations import OperatorOp
from .tensors import shape_in_torch

BATCH_AXIS = "batch_axis"
"""The attribute of a `pnnx.Input` with the tensor's axis that the converter's own script feeds as a
batch of blobs; an axis beyond the tensor's stands for none."""

MAX_DIMS = 4
"""The most dims of a blob."""


def batch_axis(op: OperatorOp) -> int | None:
    """Return the stated batch axis of an input; `None` if none is stated, or the tensor has no such
    axis."""
    attr, shape = op.attributes.get(BATCH_AXIS), shape_in_torch(op.outputs[0].type)
    if not isinstance(attr, IntegerAttr) or shape is None:
        return None
    axis = cast("IntegerAttr[IntegerType]", attr).value.data
    return axis if 0 <= axis < len(shape) else None


def is_stated(op: OperatorOp) -> bool:
    """Whether the converter states the form of an input."""
    return BATCH_AXIS in op.attributes


def blob_shape(op: OperatorOp) -> tuple[int, ...] | None:
    """Return the shape of the blob that an input takes: the tensor without its batch axis of extent
    1, which is the first one unless the converter states another; `None` if it is not known, or a
    batch of several blobs."""
    shape = shape_in_torch(op.outputs[0].type)
    if shape is None:
        return None
    axis = batch_axis(op) if is_stated(op) else 0
    if axis is not None and len(shape) > 1:
        if shape[axis] != 1:
            return None
        shape = (*shape[:axis], *shape[axis + 1 :])
    return shape if 1 <= len(shape) <= MAX_DIMS else None
