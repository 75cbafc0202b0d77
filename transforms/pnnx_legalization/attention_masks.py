"""Masks of attention over a batch of sequences."""

from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern
from xdsl.rewriter import InsertPoint

from ...dialects.ncnn.attention import MultiHeadAttentionOp
from ...dialects.ncnn.blob import blob, static_shape_of
from ...dialects.ncnn.extents import AXES
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.reshaping import ReshapeOp
from ..rewriting.remarks import tell

NO_BATCH = 233


class LegalizeMask(RewritePattern):
    """The mask of a MultiHeadAttention over a batch of sequences as a batch of masks.

    PyTorch's mask of `n` sequences and `k` heads has `n*k` matrices, those of a sequence after each
    other. The runtime gives every sequence of a batch the same blob, and takes its first `k`
    matrices: with masks that differ, as between the windows of a shifted Swin block, all but the
    first sequence get those of another. A blob that is a batch itself is taken apart with the
    sequences.

    Conditions: the mask has `n*k` matrices; the query is certainly a batch of `n`, by the Reshape
    that makes it, or by one before layers that keep its shape.
    """

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, MultiHeadAttentionOp) or not op.attn_mask:
            return
        place = len(op.sequences(op.inputs))
        mask, batch = op.inputs[place], batch_of(op.inputs[0])
        shape = static_shape_of(mask)
        if shape is None or len(shape) != 3 or batch is None or batch == 1:
            return
        if shape[0] != batch * op.num_heads:
            return
        reshape = ReshapeOp.make([mask], {}, [blob(None)], {})
        extents = dict(zip(AXES[4], (batch, op.num_heads, *shape[1:]), strict=True))
        reshape.init_params({**extents, "output_batch_axis": 0})
        rewriter.insert(reshape, InsertPoint.before(op))
        tell(self, op)
        op.operands[place] = reshape.results[0]
        rewriter.notify_op_modified(op)


def batch_of(value: SSAValue) -> int | None:
    """How many blobs are certainly in the batch that a value is, if a Reshape says it."""
    while not isinstance(op := value.owner, ReshapeOp):
        if not isinstance(op, LayerOp) or not op.keeps_shape():
            return None
        value = op.operands[0]
    axis = op.output_batch_axis
    extents = op.wanted(op.output_rank())
    if axis == NO_BATCH or op.shape_expr or not 0 <= axis < len(extents) or extents[axis] <= 0:
        return None
    return extents[axis]
