"""Replacements of one layer by an equivalent one that is simpler, or faster in the runtime."""

from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.rewriter import InsertPoint

from ...analysis.shapes import shapes_of
from ...dialects.ncnn.activation import PReLUOp, ReLUOp
from ...dialects.ncnn.blob import rank_of
from ...dialects.ncnn.constant import ConstantOp, attached_constant
from ...dialects.ncnn.convolution import ConvolutionOp
from ...dialects.ncnn.innerproduct import InnerProductOp
from ...dialects.ncnn.normalization import read_float64
from ...dialects.ncnn.pooling import Pool1D
from ...dialects.ncnn.spatial import SAME_LOWER, SAME_UPPER, kernel_of, pads_of
from ...dialects.ncnn.weight_specs import Shape
from ...dialects.shapes.terms import provably_equal
from ..rewriting.pattern_set import LayerReplacement
from ..rewriting.remarks import emit_remark
from ..rewriting.running_passes import is_enabled
from .precision import fits_float16
from .rewriting import replace_by_new


class ReplacePReLU(LayerReplacement):
    """Replace a PReLU with one slope for all channels by a ReLU with a slope.

    Algebra: `x * slope[c]` is `x * slope` if all slopes are equal.

    Conditions, and why: the slopes are constants, have values, and are finite.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: PReLUOp, rewriter: PatternRewriter) -> None:
        if op.extra:
            return
        slopes = read_float64(op.slope)
        if slopes is None or not (slopes == slopes[0]).all():
            return
        if abs(slopes[0]) == float("inf"):
            return
        replace_by_new(op, ReLUOp, [op.input], {}, {"slope": float(slopes[0])}, rewriter)


class ReplaceConvolution(RewritePattern):
    """Replace a 1x1 Convolution of a 1-D blob by an InnerProduct.

    Algebra: there is one position, and the sum over its channels is a product with a matrix. The
    runtime computes it as an InnerProduct (or as an image of one pixel), and its log recommends an
    InnerProduct.

    Conditions, and why:
    - the blob provably has 1 dim, and its extent is the number of input channels of the
      Convolution;
    - there is no padding, which only some implementations apply;
    - the weights are float constants of the layer. (With int8 weights the runtime treats the blob
      as an image of one channel, so the result is not an InnerProduct);
    - float16 represents the weights: on x86 the weights of an InnerProduct are float16, but not the
      weights of a Convolution.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ConvolutionOp, rewriter: PatternRewriter) -> None:
        if (matrix := _as_matrix(op, rewriter)) is not None:
            emit_remark(self, op)
            _replace_by_inner_product(op, matrix, rewriter)


class ReplaceConvolutionOfVector(RewritePattern):
    """Replace a 1x1 Convolution after a global Pooling or an InnerProduct by an InnerProduct.

    This is a case of `ReplaceConvolution`. Its remark also lists the layer before.

    Algebra: the result of both has one dim, so there is one position.

    Conditions, and why: as for `replace-convolution-with-innerproduct`.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ConvolutionOp, rewriter: PatternRewriter) -> None:
        before = op.input.owner
        if not isinstance(before, Pool1D | InnerProductOp):
            return
        if isinstance(before, Pool1D) and before.global_pooling != 1:
            return
        if is_enabled(self, op, before) and (matrix := _as_matrix(op, rewriter)) is not None:
            emit_remark(self, op, before)
            _replace_by_inner_product(op, matrix, rewriter)


def _as_matrix(op: ConvolutionOp, rewriter: PatternRewriter) -> ConstantOp | None:
    """Return the weight of a Convolution as the weight of an equivalent InnerProduct; `None` if a
    condition of `ReplaceConvolution` does not hold."""
    if op.extra or not op.has_float_constants():
        return None
    if rank_of(op.input) not in (None, 1):
        return None  # the type contradicts a rank of 1
    weight = attached_constant(op.weight)
    pads = set(pads_of(op))
    if kernel_of(op) != (1, 1) or pads not in ({0}, {SAME_UPPER}, {SAME_LOWER}):
        return None
    shape: Shape = (op.num_output, op.num_input())
    if weight is None or not provably_equal(shapes_of(rewriter).of(op.input), shape[1:]):
        return None
    if weight.has_values() and not fits_float16(weight.read()):
        return None
    return weight.with_shape(shape)


def _replace_by_inner_product(
    op: ConvolutionOp, matrix: ConstantOp, rewriter: PatternRewriter
) -> None:
    rewriter.insert(matrix, InsertPoint.before(op))
    params = {
        "num_output": op.num_output,
        "activation_type": op.activation_type,
        "activation_params": op.activation_params,
    }
    weights = {"weight": matrix.output, "bias": op.bias}
    replace_by_new(op, InnerProductOp, [op.input], weights, params, rewriter)
