"""Repair of `torch.unbind` in an ncnn model without PNNX's own IR."""

import re
from typing import ClassVar

from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from ...analysis.batches import Batches
from ...dialects.ncnn.blob import static_shape_of
from ...dialects.ncnn.custom import CustomOp
from ...dialects.ncnn.extents import ABSENT, MAX_DIMS
from ...dialects.ncnn.joining import SliceOp
from ..rewriting.layer_builder import LayerBuilder
from ..rewriting.remarks import emit_remark
from .legalization import replace_in_model, resized


class RepairUnbind(RewritePattern):
    """Replace `torch.unbind` by a Slice and Reshapes. The file contains only the number of results;
    the axis is the one with this extent.

    Conditions: all extents of the blob are static, exactly one axis has this extent and is not the
    only axis, and the blob does not belong to a batch that the model creates. A reshape that the
    converter inserted before it changes only whether the batch counts as an axis; it is skipped.
    """

    INSERTED: ClassVar[re.Pattern[str]] = re.compile(r".*_ncnnbatch2dim_[0-9]+")
    """The names of reshapes that the converter inserts to make the batch an axis."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, CustomOp) or op.type.data != "torch.unbind" or len(op.inputs) != 1:
            return
        source, count = self._before_inserted(op.inputs[0]), len(op.outputs)
        shape = static_shape_of(source)
        if shape is None or not 1 < len(shape) <= MAX_DIMS or count < 2 or shape.count(count) != 1:
            return
        if op.parent is None or Batches.of_block(op.parent).of(source).count != 1:
            return
        axis, builder = shape.index(count), LayerBuilder(op, rewriter)
        parts = [resized(shape, axis, 1)] * count
        equal = {"slices": (ABSENT,) * count, "axis": axis}
        slices = builder.layer(SliceOp, [source], *parts, **equal)
        results = [builder.reshape(v, resized(shape, axis)) for v in slices]
        emit_remark(self, op)
        replace_in_model(op, results, rewriter)

    def _before_inserted(self, value: SSAValue) -> SSAValue:
        """Return the blob before a reshape that the converter inserted."""
        op = value.owner
        if not isinstance(op, CustomOp) or op.type.data != "Tensor.reshape" or len(op.inputs) != 1:
            return value
        name = "" if op.layer_name is None else op.layer_name.data
        return op.inputs[0] if self.INSERTED.fullmatch(name) else value
