"""Masks of attention on a batch of sequences."""

from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern
from xdsl.rewriter import InsertPoint

from ...analysis.batches import Batches
from ...dialects.ncnn.attention import MultiHeadAttentionOp
from ...dialects.ncnn.blob import UNRANKED, static_shape_of
from ...dialects.ncnn.extents import extent_params
from ...dialects.ncnn.reshaping import ReshapeOp
from ..rewriting.remarks import emit_remark


class LegalizeMask(RewritePattern):
    """Make the mask of a MultiHeadAttention on a batch of sequences a batch of masks.

    PyTorch's mask of `n` sequences and `k` heads has `n*k` matrices, ordered by sequence. The
    runtime passes the same blob with every sequence of a batch and uses its first `k` matrices. If
    the masks differ, as between the windows of a shifted Swin block, every sequence but the first
    one gets a wrong mask. A mask that is a batch itself is split with the sequences.

    Conditions: the mask has `n*k` matrices, and the query is known to be a batch of `n`.
    """

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, MultiHeadAttentionOp) or not op.attn_mask or op.parent is None:
            return
        place = len(op.sequences(op.inputs))
        mask, heads = op.inputs[place], op.num_heads
        shape = static_shape_of(mask)
        if shape is None or len(shape) != 3 or shape[0] == heads:
            return
        count = Batches.of_block(op.parent).of(op.inputs[0]).count
        if count is None or shape[0] != count * heads:
            return
        reshape = ReshapeOp.make([mask], {}, [UNRANKED], {})
        extents = extent_params((count, heads, *shape[1:]))
        reshape.init_params({**extents, "output_batch_axis": 0})
        rewriter.insert(reshape, InsertPoint.before(op))
        emit_remark(self, op)
        op.operands[place] = reshape.results[0]
        rewriter.notify_op_modified(op)
