"""Deconvolutions as Convolutions, for which the runtime has int8 code."""

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import PatternRewriter, op_type_rewrite_pattern
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects.ncnn.assembly import names_of, set_names
from ...dialects.ncnn.blob import blob_like
from ...dialects.ncnn.constant import attached_constant
from ...dialects.ncnn.convolution import ConvolutionOp
from ...dialects.ncnn.deconvolution import DeconvolutionOp
from ...dialects.ncnn.resampling import PixelShuffleOp
from ...dialects.ncnn.spatial import (
    dilations_of,
    kernel_of,
    output_pads_of,
    pads_of,
    strides_of,
    wanted_of,
)
from ..canonicalization.rewriting import agrees, new_weight, successor, typed
from ..rewriting.pattern_set import LayerReplacement


class ReplaceDeconvolution(LayerReplacement):
    """Replace a Deconvolution with adjacent windows by a 1x1 Convolution and a PixelShuffle.

    Algebra: with a kernel of s x s and a stride of s each element of the output belongs to one
    window: `out[o, s * y + i, s * x + j] = sum over c of w[o, c, i, j] * in[c, y, x]`. So the
    elements (o, i, j) of a window are the output channels of a 1x1 Convolution, in the order that
    PixelShuffle reads. All of them have the bias of o; an activation applies to single elements.

    Conditions, and why:
    - weight and bias are float constants with values;
    - kernel and stride are one number, more than 1, the dilation is 1: windows neither overlap nor
      leave gaps, and PixelShuffle has one factor;
    - there are no pads (they crop the output), no output pads, and no output size.

    The purpose is int8: in float, the runtime's Deconvolution is as fast.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: DeconvolutionOp, rewriter: PatternRewriter) -> None:
        weight, bias = attached_constant(op.weight), attached_constant(op.bias)
        if weight is None or op.extra or op.featmask or not op.has_float_constants():
            return
        if not weight.has_values() or (bias is not None and not bias.has_values()):
            return
        factor, *others = {*kernel_of(op), *strides_of(op)}
        if others or factor == 1 or any(n != 1 for n in dilations_of(op)):
            return
        if any(pads_of(op)) or any(output_pads_of(op)) or any(wanted_of(op, "output")):
            return
        if not agrees(op):
            return
        positions = factor * factor
        turned = weight.read().transpose(0, 2, 3, 1)
        columns = turned.reshape(op.num_output * positions, op.num_input(), 1, 1)
        weights: dict[str, SSAValue | None] = {
            "weight": new_weight(columns, op.weight, op, rewriter),
            "bias": None
            if bias is None
            else new_weight(bias.read().repeat(positions), op.bias, op, rewriter),
        }
        params = {
            "num_output": op.num_output * positions,
            "kernel_w": 1,
            "activation_type": op.activation_type,
            "activation_params": op.activation_params,
        }
        pointwise = successor(op, ConvolutionOp, [op.input], weights, params)
        set_names(pointwise, None if op.layer_name is None else op.layer_name.data, (None,))
        pointwise.set_params(shape_hints=())
        # The input of a Deconvolution has 3 dims, even if its type does not specify them.
        image = blob_like(op.output, (pointwise.num_output, DYNAMIC_INDEX, DYNAMIC_INDEX))
        (type_,) = pointwise.infer_types() or [image]
        pixels = Rewriter.replace_value_with_new_type(pointwise.output, type_)
        last = successor(op, PixelShuffleOp, [pixels], {}, {"upscale_factor": factor})
        set_names(last, None, names_of(op))
        typed(last)
        if last.result_types != op.result_types:
            Rewriter.replace_value_with_new_type(last.results[0], op.results[0].type)
        rewriter.insert(pointwise, InsertPoint.before(op))
        rewriter.replace(op, last)
