"""Layers in one dim that the runtime has fast code for in two only."""

from collections.abc import Sequence
from typing import TypeAlias

from xdsl.dialects.builtin import TensorType, f32
from xdsl.ir import Block, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects.ncnn.assembly import names_of, set_names
from ...dialects.ncnn.blob import static_shape_of
from ...dialects.ncnn.constant import ConstantOp, attached_constant
from ...dialects.ncnn.convolution import ConvolutionDepthWise1DOp, ConvolutionDepthWiseOp
from ...dialects.ncnn.deconvolution import (
    Deconvolution1DOp,
    DeconvolutionDepthWise1DOp,
    DeconvolutionDepthWiseOp,
    DeconvolutionOp,
    Transposed,
)
from ...dialects.ncnn.interfaces import ChannelAffine
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.params import Param, Value
from ...dialects.ncnn.reshaping import ReshapeOp
from ...dialects.ncnn.slots import Shape
from ...dialects.ncnn.spatial import SAME_LOWER, SAME_UPPER, kernel_of, pads_of
from ...dialects.ncnn.weights import ElidedAttr
from ..analysis.shapes import shapes_of
from ..costs import pays
from ..remarks import tell
from ..tuning import processors_for, slow_activation
from .activation import activation_of
from .equivalent_layers import with_shape
from .parallel_branches import reads
from .precision import is_held
from .rewriting import agrees, changed, only_producer, only_user, successor, typed

InOneDim: TypeAlias = Deconvolution1DOp | DeconvolutionDepthWise1DOp | ConvolutionDepthWise1DOp

IN_TWO_DIMS: dict[type[LayerOp], type[LayerOp]] = {
    Deconvolution1DOp: DeconvolutionOp,
    DeconvolutionDepthWise1DOp: DeconvolutionDepthWiseOp,
    ConvolutionDepthWise1DOp: ConvolutionDepthWiseOp,
}

COLUMNS = 256
"""So many are reckoned with where it is not known how many there will be."""


class ReplaceOneDim(RewritePattern):
    """Makes a Deconvolution1D, or one of the depthwise layers in one dim, a layer in two dims with
    a kernel of one row, between two Reshapes.

    Algebra: a blob of one row for each channel has the same elements. A window of one row, moved
    by one without padding above and below, sees the same of it. (Reshapes between neighbours of
    the kind cancel each other, see `MergeReshapes`.)

    Conditions, and why:
    - weights are float constants, which float16 holds: on arm those in two dims are float16;
    - pads are numbers, or both SAME of one kind in a convolution; and no wanted extent (`output_w`)
      of a deconvolution, which its pads decide about;
    - the blob certainly has 2 dims, one row for each input channel;
    - groups are single channels: for others there are layers in the layer, each with its own cost;
    - nothing follows that could become a part of it, an activation, scale or shift, or a branch on
      the same blob that is added: behind a Reshape that could not be seen;
    - it is faster, Reshapes included, on all processors that the model is made for (`costs`). The
      file's number of columns decides, or `COLUMNS`.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: InOneDim, rewriter: PatternRewriter) -> None:
        weight = attached_constant(op.weight)
        if weight is None or op.extra or op.featmask or not op.has_float_constants():
            return
        channels, outputs = op.num_input(), op.num_output
        if not isinstance(op, Deconvolution1DOp) and not op.group == channels == outputs:
            return
        vertical = pads_above(op)
        if vertical is None or not agrees(op) or may_absorb(op):
            return
        shape = shapes_of(rewriter).of(op.input)
        if shape is None or len(shape) != 2 or (shape[0] != channels and isinstance(shape[0], int)):
            return
        if not is_faster(op, vertical) or (weight.has_values() and not is_held(weight.read())):
            return
        tell(self, op)
        kernel = rewriter.insert(with_shape(weight, kernel_shape(op)), InsertPoint.before(op))
        *layers, last = in_two_dims(op, op.input, kernel.output, vertical)
        if last.result_types != op.result_types:
            Rewriter.replace_value_with_new_type(last.results[0], op.results[0].type)
        rewriter.insert(layers, InsertPoint.before(op))
        rewriter.replace(op, last)


def pads_above(op: InOneDim) -> int | None:
    """What a layer in two dims has for pads above and below, if its others are those of one in one
    dim; `None` if they are no such ones."""
    pads = pads_of(op)
    if isinstance(op, Transposed):
        return 0 if min(pads) >= 0 and not op.output_w else None
    if pads in ([SAME_UPPER] * 2, [SAME_LOWER] * 2):
        return pads[0]
    return 0 if min(pads) >= 0 else None


def may_absorb(op: InOneDim) -> bool:
    """Whether the layer may take over what the only one does that reads it."""
    user = only_user(op)
    if user is None or op.activation_type:
        return False
    if isinstance(user, ChannelAffine) and user.affine_operand() is op.results[0]:
        return True
    if (activation := activation_of(user)) is not None:
        slow = slow_activation(op, activation.type)
        return not any(p.name in slow for p in processors_for(op))
    if not isinstance(op, ConvolutionDepthWise1DOp) or len(user.operands) != 2:
        return False
    other = next(v for v in user.operands if v is not op.results[0])
    return reads(op.input, other, only_producer(other, user))


def kernel_shape(op: InOneDim) -> Shape:
    """The extents of the weight of the layer in two dims."""
    return (op.num_output, op.num_input() // op.group_count(), 1, *kernel_of(op))


def in_two_dims(op: InOneDim, rows: SSAValue, kernel: SSAValue, vertical: int) -> Sequence[LayerOp]:
    """What does the same to a blob in two dims, in order."""
    own = {name: getattr(op, name) for name, p in op.PARAMS.items() if isinstance(p, Param)}
    params: dict[str, Value] = {"kernel_h": 1, "dilation_h": 1, "stride_h": 1}
    params |= {"pad_top": vertical, "pad_bottom": vertical}
    params |= {"output_pad_bottom": 0, "output_h": 0} if isinstance(op, Transposed) else {}
    name = None if op.layer_name is None else op.layer_name.data

    image = successor(op, ReshapeOp, [rows], {}, {"w": 0, "h": 1, "c": op.num_input()})
    set_names(image, None, (None,))
    weights = {"weight": kernel, "bias": op.bias}
    layer = successor(op, IN_TWO_DIMS[type(op)], [typed(image)], weights, own | params)
    set_names(layer, name, (None,))
    for between in (image, layer):
        between.set_params(shape_hints=())
    after = successor(op, ReshapeOp, [typed(layer)], {}, {"w": 0, "h": op.num_output})
    set_names(after, None, names_of(op))
    typed(after)
    return image, layer, after


def is_faster(op: InOneDim, vertical: int) -> bool:
    """Whether the layer in two dims is, with its Reshapes."""
    shape = static_shape_of(op.input)
    columns = COLUMNS if shape is None else shape[1]
    block = Block(arg_types=[TensorType(f32, (op.num_input(), columns))])
    kernel = ConstantOp.of(ElidedAttr(), TensorType(f32, kernel_shape(op)))
    old = changed(op, block.args)
    typed(old)
    new = in_two_dims(op, block.args[0], kernel.output, vertical)
    found = pays([old], new, of=op)
    for layer in (old, *new):
        layer.drop_all_references()
    return found
