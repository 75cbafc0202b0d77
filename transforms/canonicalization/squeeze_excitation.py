"""Squeeze and excitation: factors for channels, computed from what is on the whole in each."""

from collections.abc import Sequence

from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from ...dialects.ncnn.constant import attached_constant
from ...dialects.ncnn.convolution import ConvolutionOp
from ...dialects.ncnn.elementwise import BinaryOpOp
from ...dialects.ncnn.interfaces import ElementWise
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.reduction import ReductionOp
from ...dialects.ncnn.spatial import kernel_of, pads_of
from ...dialects.shapes.analysis import Shapes
from ...dialects.shapes.terms import Extent
from ..analysis.shapes import shapes_of
from ..remarks import tell
from .precision import is_held
from .rewriting import MOST_BETWEEN, agrees, changed, only_user, put_before


class DropAxesOfGate(RewritePattern):
    """Lets a Reduction over h and w drop these axes where 1x1 Convolutions follow and a BinaryOp,
    which broadcasts a vector along the channels just so. The Reduction can be a global Pooling then
    and the Convolutions InnerProducts, which the runtime has faster code for.

    Algebra: an image of one pixel is its channels; a 1x1 Convolution of it is one of a vector. (Hu
    et al., Squeeze-and-Excitation Networks, CVPR 2018.)

    Conditions, and why:
    - it is a mean or a maximum, which a Pooling is as well: a sum grows with the image, and with it
      what float16 makes of weights;
    - what is between has one use each and is no output: somebody else needs it as it is; it is
      Convolutions without pads and element-wise layers, to which a shape is all the same;
    - each certainly has as many channels as it takes, and the image at the end certainly has 3 dims
      and as many channels: BinaryOp would take a vector of another length for columns;
    - the Convolutions can be InnerProducts (see `ReplaceConvolution`): weights are float constants
      that float16 holds.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ReductionOp, rewriter: PatternRewriter) -> None:
        shapes = shapes_of(rewriter)
        shape = shapes.of(op.input)
        if shape is None or len(shape) != 3 or not would_be_pooling(op):
            return
        found = layers_behind(op, shape[0], shapes)
        if found is None:
            return
        layers, gate = found
        place = list(gate.operands).index(layers[-1].results[0])
        tell(self, *layers, gate)
        value: SSAValue = op.input
        for layer in layers:
            drops = {"keepdims": 0} if layer is op else {}
            value = put_before(layer, changed(layer, [value], shape_hints=(), **drops), rewriter)
        gate.operands[place] = value
        rewriter.notify_op_modified(gate)
        for layer in reversed(layers):
            rewriter.erase(layer)


def would_be_pooling(op: ReductionOp) -> bool:
    """Whether a Reduction is a global Pooling, but for the axes that it keeps."""
    if not op.keepdims:
        return False
    dropping = changed(op, [op.input], keepdims=0)
    dropping.drop_all_references()
    return isinstance(dropping, ReductionOp) and dropping.is_global_pooling()


def layers_behind(
    op: ReductionOp, channels: Extent, shapes: Shapes
) -> tuple[Sequence[LayerOp], BinaryOpOp] | None:
    """A Reduction of so many channels with what follows up to a BinaryOp, and that; `None` if that
    is not all for vectors."""
    layers: list[LayerOp] = [op]
    has_convolution = False
    while len(layers) <= MOST_BETWEEN and isinstance(channels, int) and agrees(layers[-1]):
        user = only_user(layers[-1])
        match user:
            case ConvolutionOp() if takes_vector(user, channels):
                channels, has_convolution = user.num_output, True
            case ElementWise() if user.is_elementwise():
                pass
            case BinaryOpOp() if has_convolution and len(user.inputs) == 2:
                others = [v for v in user.inputs if v is not layers[-1].results[0]]
                image = shapes.of(others[0]) if others else None
                fits = image is not None and len(image) == 3 and image[0] == channels
                return (layers, user) if fits else None
            case _:
                return None
        layers.append(user)
    return None


def takes_vector(op: ConvolutionOp, channels: int) -> bool:
    """Whether a Convolution may be an InnerProduct of a vector of so many elements."""
    weight = attached_constant(op.weight)
    if weight is None or kernel_of(op) != (1, 1) or any(pads_of(op)):
        return False
    if op.num_input() != channels or not op.has_float_constants():
        return False
    return not weight.has_values() or is_held(weight.read())
