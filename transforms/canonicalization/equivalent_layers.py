"""One layer for another that does the same: simpler, or faster in the runtime."""

from typing import Any, cast

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, TensorType
from xdsl.ir import Attribute
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.rewriter import InsertPoint

from ...dialects.ncnn.activation import PReLUOp, ReLUOp
from ...dialects.ncnn.blob import rank_of
from ...dialects.ncnn.constant import ConstantOp, attached_constant
from ...dialects.ncnn.convolution import ConvolutionOp
from ...dialects.ncnn.innerproduct import InnerProductOp
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.normalization import read_float64
from ...dialects.ncnn.slots import Shape
from ...dialects.ncnn.spatial import SAME_LOWER, SAME_UPPER, kernel_of, pads_of
from ...dialects.ncnn.weights import RandomAttr, make_weight
from ..analysis.shapes import shapes_of
from ..remarks import tell
from ..selection import Selection
from .precision import is_held
from .rewriting import replace_by_new
from .selective import SelectivePattern


class ReplacePReLU(RewritePattern):
    """Makes a ReLU with a slope of a PReLU that has one slope for all channels.

    Algebra: `x * slope[c]` is `x * slope` where all slopes are the same.

    Conditions, and why: the slopes are constants, known, and numbers.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: PReLUOp, rewriter: PatternRewriter) -> None:
        if op.extra:
            return
        slopes = read_float64(op.slope)
        if slopes is None or not slopes.size or not (slopes == slopes[0]).all():
            return
        if abs(slopes[0]) == float("inf"):
            return
        tell(self, op)
        replace_by_new(op, ReLUOp, [op.input], {}, {"slope": float(slopes[0])}, rewriter)


class ReplaceConvolution(SelectivePattern):
    """Makes an InnerProduct of a 1x1 Convolution of a 1-D blob.

    Algebra: there is one position, and the sum over its channels is the product with a matrix. The
    runtime computes it so (or by way of an image of one pixel) and asks in its log to be given an
    InnerProduct.

    Conditions, and why:
    - the blob certainly has 1 dim, and as many elements as the Convolution has input channels;
    - no padding, which some implementations apply and others do not;
    - float weights that are constants of the layer (with int8 ones the runtime takes the blob for
      an image of one channel: what it computes is no InnerProduct);
    - float16 holds the weights: on x86 those of an InnerProduct are float16, those of a Convolution
      are not.
    """

    selection: Selection
    """Of the Convolution and the layer before it."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ConvolutionOp, rewriter: PatternRewriter) -> None:
        if op.extra or not op.has_float_constants():
            return
        if rank_of(op.input) not in (None, 1):
            return  # what has another rank by its type has not 1 dim for certain
        weight = attached_constant(op.weight)
        pads = set(pads_of(op))
        if kernel_of(op) != (1, 1) or pads not in ({0}, {SAME_UPPER}, {SAME_LOWER}):
            return
        shape: Shape = (op.num_output, op.num_input())
        if weight is None or shapes_of(rewriter).of(op.input) != shape[1:]:
            return
        before = op.input.owner
        before = before if isinstance(before, LayerOp) else None
        if not self.selection.has(op, before):
            return
        if weight.has_values() and not is_held(weight.read()):
            return
        layers = (op,) if before is None else (op, before)
        tell(self, *layers, of=(op, before), behind=before)
        matrix = with_shape(weight, shape)
        rewriter.insert(matrix, InsertPoint.before(op))
        params = {
            "num_output": op.num_output,
            "activation_type": op.activation_type,
            "activation_params": op.activation_params,
        }
        weights = {"weight": matrix.output, "bias": op.bias}
        replace_by_new(op, InnerProductOp, [op.input], weights, params, rewriter)


def with_shape(constant: ConstantOp, shape: Shape) -> ConstantOp:
    """A constant of the same elements in another shape. They are not read, unless they are random:
    what these are depends on the shape."""
    value: Any = constant.value
    element = cast(TensorType[Attribute], constant.output.type).element_type
    type_ = TensorType(element, shape)
    if isinstance(value, DenseIntOrFPElementsAttr):
        value = DenseIntOrFPElementsAttr(cast(Any, type_), cast(Any, value).data)
    elif isinstance(value, RandomAttr):
        value = make_weight(constant.read().reshape(shape), type_)
    other = ConstantOp.of(value, type_)
    other.attributes.update(constant.attributes)
    other.output.name_hint = constant.output.name_hint
    return other
