"""Squeeze-and-excitation blocks: factors for channels, computed from the mean of each channel."""

from collections.abc import Sequence

from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from ...analysis.shapes import shapes_of
from ...dialects.ncnn.constant import attached_constant
from ...dialects.ncnn.convolution import ConvolutionOp
from ...dialects.ncnn.elementwise import BinaryOpOp
from ...dialects.ncnn.interfaces import ElementWise
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.reduction import ReductionOp
from ...dialects.ncnn.reshaping import ReshapeOp
from ...dialects.shapes.analysis import Shapes
from ...dialects.shapes.terms import Extent, provably_equal
from ..rewriting.remarks import emit_remark
from .convolution_composition import is_pointwise
from .precision import fits_float16
from .rewriting import MAX_BETWEEN, agrees, changed, only_user, put_before


class DropAxesOfGate(RewritePattern):
    """Make a Reduction over h and w drop these axes, or drop a Reshape of a vector to an image of
    one pixel, if only 1x1 Convolutions and a broadcasting BinaryOp follow. Then the Reduction can
    become a global Pooling and the Convolutions InnerProducts; the runtime has faster code for
    both.

    Algebra: an image of one pixel has the elements of a vector of its channels, and a 1x1
    Convolution of the image is the same map of the vector. (Hu et al., Squeeze-and-Excitation
    Networks, CVPR 2018.)

    Conditions, and why:
    - a Reduction is a mean or a maximum, which Pooling can compute too. A sum grows with the
      image, and with it the effect of weights rounded to float16;
    - each value between has one use and is no output: another user would need its old shape. Only
      Convolutions without padding and element-wise layers are between: the latter ignore the shape;
    - each Convolution provably has the number of channels of its input. The other operand of the
      BinaryOp provably has 3 dims and the channels of the last layer: BinaryOp would treat a vector
      of another length as columns;
    - the Convolutions can be InnerProducts (see `ReplaceConvolution`): their weights are float
      constants that float16 represents.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ReductionOp | ReshapeOp, rewriter: PatternRewriter) -> None:
        shapes = shapes_of(rewriter)
        channels = channels_of(op, shapes)
        found = None if channels is None else layers_after(op, channels, shapes)
        if found is None:
            return
        layers, gate = found
        place = list(gate.operands).index(layers[-1].results[0])
        emit_remark(self, *layers, gate)
        value: SSAValue = op.operands[0]
        for layer in layers[1:] if isinstance(op, ReshapeOp) else layers:
            drops = {"keepdims": 0} if layer is op else {}
            value = put_before(layer, changed(layer, [value], shape_hints=(), **drops), rewriter)
        gate.operands[place] = value
        rewriter.notify_op_modified(gate)
        for layer in reversed(layers):
            rewriter.erase(layer)


def channels_of(op: ReductionOp | ReshapeOp, shapes: Shapes) -> Extent | None:
    """Return the number of channels of the vector that a layer makes an image of one pixel; `None`
    for another layer."""
    shape = shapes.of(op.operands[0])
    if shape is None or len(op.operands) != 1:
        return None
    if isinstance(op, ReductionOp):
        return shape[0] if len(shape) == 3 and op.as_global_pooling(keepdims=True) else None
    image = shapes.of(op.results[0])
    is_pixel = len(shape) == 1 and image is not None and provably_equal(image, (shape[0], 1, 1))
    return shape[0] if is_pixel else None


def layers_after(
    op: ReductionOp | ReshapeOp, channels: Extent, shapes: Shapes
) -> tuple[Sequence[LayerOp], BinaryOpOp] | None:
    """Return the chain from a layer of this many channels up to a BinaryOp, and the BinaryOp;
    `None` if a layer between does not accept vectors."""
    layers: list[LayerOp] = [op]
    has_convolution = False
    while len(layers) <= MAX_BETWEEN and isinstance(channels, int) and agrees(layers[-1]):
        user = only_user(layers[-1])
        match user:
            case ConvolutionOp() if takes_vector(user, channels):
                channels, has_convolution = user.num_output, True
            case ElementWise() if user.is_elementwise():
                pass
            case BinaryOpOp() if has_convolution:
                others = [v for v in user.inputs if v is not layers[-1].results[0]]
                image = shapes.of(others[0]) if others else None
                fits = image is not None and len(image) == 3 and image[0] == channels
                return (layers, user) if fits else None
            case _:
                return None
        layers.append(user)
    return None


def takes_vector(op: ConvolutionOp, channels: int) -> bool:
    """Whether a Convolution may become an InnerProduct of a vector of this many elements."""
    weight = attached_constant(op.weight)
    if weight is None or not is_pointwise(op) or op.num_input() != channels:
        return False
    return not weight.has_values() or fits_float16(weight.read())
