"""Pooling windows that cover whole channels."""

from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import PatternRewriter, op_type_rewrite_pattern

from ...analysis.shapes import shapes_of
from ...dialects.ncnn.innerproduct import InnerProductOp
from ...dialects.ncnn.interfaces import Reshaping
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.pooling import PAD_MODES, PoolingOp
from ...dialects.ncnn.spatial import kernel_of, pads_of, wanted_of
from ...dialects.shapes.analysis import Shapes
from ...dialects.shapes.terms import Extents, provably_equal
from ..rewriting.pattern_set import LayerReplacement
from .rewriting import agrees, only_user, put_before, successor


class ReplacePooling(LayerReplacement):
    """Replace a Pooling with a single window by a global Pooling, before a layer that accepts a
    vector.

    Algebra: the maximum or mean of the only window is the maximum or mean of the channel; the shape
    is `c` instead of `c x 1 x 1`.

    Conditions, and why:
    - the blob has 3 dims, and the window provably covers the image without padding, which a mean
      may count: the Pooling is adaptive with a 1 x 1 result, or its kernel has the statically known
      extents (perhaps from `--fix-shapes`);
    - the result has one user and is no output, because its rank changes. The user only reshapes,
      provably to the same shape, or is an InnerProduct, which reads the elements in order.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: PoolingOp, rewriter: PatternRewriter) -> None:
        if op.extra or op.global_pooling:
            return
        shapes = shapes_of(rewriter)
        shape, user = shapes.of(op.input), only_user(op)
        if shape is None or len(shape) != 3 or user is None or not has_one_window(op, shape):
            return
        if not takes_vector(user, op.output, shape[:1], shapes):
            return
        params = {"pooling_type": op.pooling_type, "global_pooling": 1}
        new = successor(op, PoolingOp, [op.input], {}, params)
        new.set_params(shape_hints=())
        types = new.infer_types()
        if types is None or not agrees(user, {op.output: types[0]}):
            new.drop_all_references()
            return
        user.operands[0] = put_before(op, new, rewriter)
        rewriter.notify_op_modified(user)
        rewriter.erase(op)


def has_one_window(op: PoolingOp, shape: Extents) -> bool:
    """Whether the only window of a Pooling is the whole image."""
    if op.adaptive_pooling:
        return wanted_of(op, "out") == (1, 1)
    plain = PAD_MODES[op.pad_mode] in ("full", "valid") and not any(pads_of(op))
    return plain and provably_equal(kernel_of(op), shape[1:])


def takes_vector(user: LayerOp, blob: SSAValue, vector: Extents, shapes: Shapes) -> bool:
    """Whether the user of a blob has the same result for a vector of the blob's elements."""
    if isinstance(user, InnerProductOp):
        return user.input is blob
    if not isinstance(user, Reshaping) or len(user.operands) != 1 or not user.keeps_order(shapes):
        return False
    return provably_equal(user.infer_shapes([vector]), [shapes.of(user.results[0])])
