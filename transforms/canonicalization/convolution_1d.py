"""1-D convolutions as 2-D ones, where the runtime has fast code for 2-D only."""

from collections.abc import Sequence
from typing import TypeAlias

from xdsl.dialects.builtin import TensorType, f32
from xdsl.ir import Block, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, op_type_rewrite_pattern
from xdsl.rewriter import InsertPoint, Rewriter

from ...analysis.profitability import is_profitable
from ...analysis.shapes import shapes_of
from ...analysis.tuning_facts import processors_for, slow_activation
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
from ...dialects.ncnn.spatial import SAME_LOWER, SAME_UPPER, kernel_of, pads_of
from ...dialects.ncnn.weight_specs import Shape
from ...dialects.ncnn.weights import ElidedAttr
from ..rewriting.pattern_set import LayerReplacement
from .activation import activation_of
from .parallel_branches import reads
from .precision import fits_float16
from .rewriting import agrees, changed, only_producer, only_user, successor, typed

Layer1D: TypeAlias = Deconvolution1DOp | DeconvolutionDepthWise1DOp | ConvolutionDepthWise1DOp

TYPES_2D: dict[type[LayerOp], type[LayerOp]] = {
    Deconvolution1DOp: DeconvolutionOp,
    DeconvolutionDepthWise1DOp: DeconvolutionDepthWiseOp,
    ConvolutionDepthWise1DOp: ConvolutionDepthWiseOp,
}

ASSUMED_COLUMNS = 256
"""The number of columns that the cost model assumes if it is unknown."""


class Replace1DWith2D(LayerReplacement):
    """Replace a Deconvolution1D, or a 1-D depthwise layer, by a 2-D layer with a kernel of one row,
    between two Reshapes.

    Algebra: a blob of one row per channel has the same elements. A window of one row with stride 1
    and no vertical padding reads the same elements. (Reshapes between such neighbours cancel, see
    `MergeReshapes`.)

    Conditions, and why:
    - the weights are float constants that float16 represents: on arm the weights of 2-D layers are
      float16;
    - the padding is numeric, or both sides are the same SAME mode in a convolution. A deconvolution
      has no target extent (`output_w`), which would determine its padding;
    - the blob provably has 2 dims, with one row per input channel;
    - each group is a single channel: for other groups the runtime creates inner layers, each with
      its own cost;
    - no later fusion is prevented: the next layer is no activation, scale or shift, and no sum with
      a branch on the same blob. A Reshape between them would hide it;
    - it is faster, including the Reshapes, on all target processors (`costs`). The file's number of
      columns decides, or `ASSUMED_COLUMNS`.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: Layer1D, rewriter: PatternRewriter) -> None:
        weight = attached_constant(op.weight)
        if weight is None or op.extra or op.featmask or not op.has_float_constants():
            return
        channels, outputs = op.num_input(), op.num_output
        if not isinstance(op, Deconvolution1DOp) and not op.group == channels == outputs:
            return
        vertical = vertical_padding(op)
        if vertical is None or not agrees(op) or may_absorb(op):
            return
        shape = shapes_of(rewriter).of(op.input)
        if shape is None or len(shape) != 2 or (shape[0] != channels and isinstance(shape[0], int)):
            return
        if not is_faster(op, vertical) or (weight.has_values() and not fits_float16(weight.read())):
            return
        kernel = rewriter.insert(weight.with_shape(kernel_shape(op)), InsertPoint.before(op))
        *layers, last = layers_2d(op, op.input, kernel.output, vertical)
        if last.result_types != op.result_types:
            Rewriter.replace_value_with_new_type(last.results[0], op.results[0].type)
        rewriter.insert(layers, InsertPoint.before(op))
        rewriter.replace(op, last)


def vertical_padding(op: Layer1D) -> int | None:
    """Return the vertical padding of the 2-D layer if the horizontal padding can be kept; `None` if
    it cannot."""
    pads = pads_of(op)
    if isinstance(op, Transposed):
        return 0 if min(pads) >= 0 and not op.output_w else None
    if pads in ([SAME_UPPER] * 2, [SAME_LOWER] * 2):
        return pads[0]
    return 0 if min(pads) >= 0 else None


def may_absorb(op: Layer1D) -> bool:
    """Whether the layer may absorb its only user."""
    user = only_user(op)
    if user is None or op.activation_type:
        return False
    if isinstance(user, ChannelAffine) and user.affine_operand() is op.results[0]:
        return True
    if (activation := activation_of(user)) is not None:
        slow = slow_activation(op, activation.type)
        return not any(p.name in slow for p in processors_for(op, "activation"))
    if not isinstance(op, ConvolutionDepthWise1DOp) or len(user.operands) != 2:
        return False
    other = next(v for v in user.operands if v is not op.results[0])
    return reads(op.input, other, only_producer(other, user))


def kernel_shape(op: Layer1D) -> Shape:
    """Return the extents of the 2-D layer's weight."""
    return (op.num_output, op.num_input() // op.group_count(), 1, *kernel_of(op))


def layers_2d(op: Layer1D, rows: SSAValue, kernel: SSAValue, vertical: int) -> Sequence[LayerOp]:
    """Return the 2-D layers that replace a 1-D layer, in order."""
    own = {name: getattr(op, name) for name, p in op.PARAMS.items() if isinstance(p, Param)}
    params: dict[str, Value] = {"kernel_h": 1, "dilation_h": 1, "stride_h": 1}
    params |= {"pad_top": vertical, "pad_bottom": vertical}
    params |= {"output_pad_bottom": 0, "output_h": 0} if isinstance(op, Transposed) else {}
    name = None if op.layer_name is None else op.layer_name.data

    image = successor(op, ReshapeOp, [rows], {}, {"w": 0, "h": 1, "c": op.num_input()})
    set_names(image, None, (None,))
    weights = {"weight": kernel, "bias": op.bias}
    layer = successor(op, TYPES_2D[type(op)], [typed(image)], weights, own | params)
    set_names(layer, name, (None,))
    for between in (image, layer):
        between.set_params(shape_hints=())
    after = successor(op, ReshapeOp, [typed(layer)], {}, {"w": 0, "h": op.num_output})
    set_names(after, None, names_of(op))
    typed(after)
    return image, layer, after


def is_faster(op: Layer1D, vertical: int) -> bool:
    """Whether the 2-D layer with its Reshapes is faster."""
    shape = static_shape_of(op.input)
    columns = ASSUMED_COLUMNS if shape is None else shape[1]
    block = Block(arg_types=[TensorType(f32, (op.num_input(), columns))])
    kernel = ConstantOp.of(ElidedAttr(), TensorType(f32, kernel_shape(op)))
    old = changed(op, block.args)
    typed(old)
    new = layers_2d(op, block.args[0], kernel.output, vertical)
    found = is_profitable([old], new, of=op)
    for layer in (old, *new):
        layer.drop_all_references()
    return found
