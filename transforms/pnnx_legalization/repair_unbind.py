"""What can be known of layers that PNNX left as they were, without its own IR."""

import re

from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from ...dialects.ncnn.blob import blob_like, static_shape_of
from ...dialects.ncnn.custom import CustomOp
from ...dialects.ncnn.extents import ABSENT, AXES
from ...dialects.ncnn.joining import SliceOp
from ...dialects.ncnn.reshaping import ReshapeOp
from ..rewriting.remarks import tell
from .attention_masks import NO_BATCH, batch_of

_INSERTED = re.compile(r".*_ncnnbatch2dim_[0-9]+")
"""Names of reshapes that the converter puts in where the batch is to count as an axis."""


class RepairUnbind(RewritePattern):
    """`torch.unbind` of which the file only says how many blobs it makes, as a Slice and Reshapes:
    along the axis whose extent is that number.

    Conditions: all extents of the blob are known, exactly one axis has as many, it is not the only
    axis, and the blob is not one of a batch that the model makes. A reshape before it that the
    converter put in changes nothing but how the batch counts.
    """

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, CustomOp) or op.type.data != "torch.unbind" or len(op.inputs) != 1:
            return
        source, count = _before_batch(op.inputs[0]), len(op.outputs)
        shape = static_shape_of(source)
        if shape is None or not 1 < len(shape) <= 4 or count < 2 or shape.count(count) != 1:
            return
        if may_be_batch(source):
            return
        axis = shape.index(count)
        part = blob_like(source, (*shape[:axis], 1, *shape[axis + 1 :]))
        cut = SliceOp.make([source], {}, [part] * count, {})
        cut.init_params({"slices": (ABSENT,) * count, "axis": axis})
        left = (*shape[:axis], *shape[axis + 1 :])
        flat = [ReshapeOp.make([v], {}, [blob_like(v, left)], {}) for v in cut.results]
        for each in flat:
            each.init_params(dict(zip(AXES[len(left)], left, strict=True)))
        tell(self, op)
        rewriter.replace(op, [cut, *flat], [each.results[0] for each in flat])


def may_be_batch(value: SSAValue) -> bool:
    """Whether a value may be a batch of blobs, made by a Reshape before it. (Types say nothing of
    that.)"""
    pending, seen = [value], {value}
    while pending:
        op = pending.pop().owner
        if isinstance(op, ReshapeOp):
            if op.output_batch_axis != NO_BATCH and batch_of(op.outputs[0]) != 1:
                return True
            if op.input_batch_axis != NO_BATCH:
                continue  # which makes one blob of them
        for operand in op.operands if isinstance(op, Operation) else ():
            if operand not in seen:
                seen.add(operand)
                pending.append(operand)
    return False


def _before_batch(value: SSAValue) -> SSAValue:
    """The blob before a reshape that the converter put in."""
    op = value.owner
    if not isinstance(op, CustomOp) or op.type.data != "Tensor.reshape" or len(op.inputs) != 1:
        return value
    name = "" if op.layer_name is None else op.layer_name.data
    return op.inputs[0] if _INSERTED.fullmatch(name) else value
