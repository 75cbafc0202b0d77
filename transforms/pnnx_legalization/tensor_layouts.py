"""The layouts of blobs: the axis of a PyTorch tensor that a blob lacks, or that is a batch of
blobs."""

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from ...analysis.batches import Batches, BlobBatch
from ...dialects.ncnn.blob import static_shape_of
from ...dialects.pnnx.operations import OperatorOp
from ..rewriting.layer_builder import Shape
from .legalization import shape_of_tensor
from .shape_operators import order_of

MAX_DEFINITIONS = 16
"""The maximal number of tensors through which an axis is tracked back."""


class Layout(NamedTuple):
    """The relation of a blob to a tensor."""

    axis: int | None = None
    """The tensor's axis that the blob lacks; `None` if the blob has all axes."""
    batch: int = 1
    """The extent of that axis: the number of blobs in the batch."""

    def batch_axis(self) -> int | None:
        """The tensor's axis that is a batch of several blobs."""
        return self.axis if self.batch != 1 else None


def batches_for(func: FuncOp, inputs: Sequence[Shape | None]) -> Batches:
    """Return a batch analysis for the shapes that the model was converted with. `inputs` are the
    shapes of the input tensors. If their first axis is a batch of one, the blobs lack it."""
    batches = Batches(declared=True)
    for i, arg in enumerate(func.body.block.args):
        shape = static_shape_of(arg)
        if shape is None and i < len(inputs) and (tensor := inputs[i]) is not None:
            shape = tensor[1:] if tensor[0] == 1 and len(tensor) > 1 else tensor
        batches.record(arg, BlobBatch(shape))
    return batches


def layout_of(blobs: BlobBatch, value: SSAValue) -> Layout | None:
    """Return the layout of a blob for a tensor of a PNNX graph: with all axes, or without the batch
    axis. Return `None` if their elements differ, or the batch axis is ambiguous."""
    tensor, shape = shape_of_tensor(value), blobs.extents()
    if tensor is None:
        return None
    if shape == tensor and blobs.count == 1:
        return Layout()
    fits = [
        k
        for k, n in enumerate(tensor)
        if n == blobs.count and (*tensor[:k], *tensor[k + 1 :]) == shape
    ]
    if blobs.count == 1:
        return Layout(fits[0]) if fits else _layout_by_elements(shape, tensor)
    if len(fits) > 1:
        # The axis that exists in the most tensors before this one.
        ages = {k: _age(value, k) for k in fits}
        fits = [k for k in fits if ages[k] == max(ages.values())]
    return Layout(fits[0], blobs.count or 0) if len(fits) == 1 else None


def _age(value: SSAValue, axis: int) -> int:
    """Return the number of preceding tensors that have the same axis."""
    for count in range(MAX_DEFINITIONS):
        op, shape = value.owner, shape_of_tensor(value)
        if not isinstance(op, OperatorOp) or not op.inputs or shape is None:
            return count
        before = shape_of_tensor(op.inputs[0])
        found = None if before is None else _axis_before(op, before, shape, axis)
        if found is None:
            return count
        value, axis = op.inputs[0], found
    return MAX_DEFINITIONS


def _axis_before(op: OperatorOp, before: Shape, after: Shape, axis: int) -> int | None:
    """Return the axis of an operator's input that became an axis of its result."""
    if op.type.data in ("Tensor.permute", "torch.permute", "torch.transpose"):
        order = order_of(op, len(before))
        return None if order is None else order[axis]
    if prod(before) == prod(after) or len(before) == len(after):
        # A reshape keeps the number of elements outside the axis; other operators keep outer axes.
        outside = prod(after[:axis])
        places = (i for i, n in enumerate(before) if n == after[axis])
        return next((i for i in places if prod(before[:i]) == outside), None)
    return None


def _layout_by_elements(shape: Shape | None, tensor: Shape) -> Layout | None:
    """Return the layout of a blob that matches a tensor in the number of elements only. An unknown
    shape is taken from the tensor."""
    if shape is None:
        return Layout(0 if tensor[0] == 1 and len(tensor) > 1 else None)
    return Layout() if prod(shape) == prod(tensor) else None
