"""Replacements of one layer by an equivalent one that is simpler, or faster in the runtime."""

from xdsl.pattern_rewriter import PatternRewriter, op_type_rewrite_pattern
from xdsl.rewriter import InsertPoint

from ...analysis.shapes import shapes_of
from ...dialects.ncnn.activation import PReLUOp, ReLUOp
from ...dialects.ncnn.blob import rank_of
from ...dialects.ncnn.constant import attached_constant
from ...dialects.ncnn.convolution import ConvolutionOp
from ...dialects.ncnn.innerproduct import InnerProductOp
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.normalization import read_float64
from ...dialects.ncnn.spatial import SAME_LOWER, SAME_UPPER, kernel_of, pads_of
from ...dialects.ncnn.weight_specs import Shape
from ...dialects.shapes.terms import provably_equal
from ..rewriting.pattern_set import LayerReplacement
from ..rewriting.remarks import emit_remark
from ..rewriting.selection import Selection
from .precision import fits_float16
from .rewriting import replace_by_new
from .selective import SelectivePattern


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


class ReplaceConvolution(SelectivePattern):
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

    selection: Selection
    """Selects by the Convolution and the layer before it."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ConvolutionOp, rewriter: PatternRewriter) -> None:
        if op.extra or not op.has_float_constants():
            return
        if rank_of(op.input) not in (None, 1):
            return  # the type contradicts a rank of 1
        weight = attached_constant(op.weight)
        pads = set(pads_of(op))
        if kernel_of(op) != (1, 1) or pads not in ({0}, {SAME_UPPER}, {SAME_LOWER}):
            return
        shape: Shape = (op.num_output, op.num_input())
        if weight is None or not provably_equal(shapes_of(rewriter).of(op.input), shape[1:]):
            return
        before = op.input.owner
        before = before if isinstance(before, LayerOp) else None
        if not self.selection.has(op, before):
            return
        if weight.has_values() and not fits_float16(weight.read()):
            return
        layers = (op,) if before is None else (op, before)
        emit_remark(self, *layers, of=(op, before), behind=before)
        matrix = weight.with_shape(shape)
        rewriter.insert(matrix, InsertPoint.before(op))
        params = {
            "num_output": op.num_output,
            "activation_type": op.activation_type,
            "activation_params": op.activation_params,
        }
        weights = {"weight": matrix.output, "bias": op.bias}
        replace_by_new(op, InnerProductOp, [op.input], weights, params, rewriter)
