"""Convolutions and deconvolutions as anchors.

All their layer types, from 1-D to 3-D and with groups, become `fused.conv` or
`fused.conv_transpose`, so that later passes handle two operations.
"""

from xdsl.dialects.builtin import FloatAttr, f32
from xdsl.ir import Attribute

from ...dialects.fused import ConvOp, ConvTransposeOp, LinearOp
from ...dialects.fused.properties import integer, ints
from ...dialects.ncnn.blob import rank_of, shape_of
from ...dialects.ncnn.convolution import ConvolutionDepthWiseOp, ConvolutionOp, Forward
from ...dialects.ncnn.deconvolution import Transposed
from ...dialects.shapes.tensors import known, static_shape_of
from ...dialects.shapes.windows import Window
from ...transforms.rewriting.scalar_code import NotFused
from .anchors import ACC, FusedOpPlan, check_float, properties_of, window_of
from .int8 import int8_plan


def check_channels(op: Forward | Transposed) -> None:
    """Raise `NotFused` unless the input may have the number of channels of the weight, and the
    weight's shape can be recovered."""
    if op.weights_are_dynamic():
        ranks = map(rank_of, (op.input, op.weight, op.output))
        if None in ranks and static_shape_of(op.weight) is None:
            raise NotFused("the shape of the weight is unknown")
        return
    shape, wanted = shape_of(op.input), op.num_input()
    if shape is not None and known(shape[0]) and shape[0] != wanted:
        raise NotFused(f"an input of {shape[0]} channels, the weight is for {wanted}")


def convolution(op: Forward) -> FusedOpPlan:
    properties = convolution_properties(op)
    check_channels(op)
    check_float(op)
    return FusedOpPlan(ConvOp, [op.input, op.weight, op.bias], op.activated(ACC), properties)


def convolution_properties(op: Forward) -> dict[str, Attribute]:
    """Return the properties of a fused.conv. Raises `NotFused` if the pads are not known."""
    window, value = window_of(op), FloatAttr(op.pad_value, f32)
    return {**properties_of(window), **grouped(window), "pad_value": value}


def grouped(window: Window[int]) -> dict[str, Attribute]:
    """Return the properties that only convolutions and deconvolutions have."""
    return {"dilations": ints(window.dilations), "groups": integer(window.groups)}


def convolution_2d(op: ConvolutionOp | ConvolutionDepthWiseOp) -> FusedOpPlan:
    if isinstance(op, ConvolutionOp) and op.takes_vectors() and rank_of(op.input) in (None, 1):
        return _vector(op)
    if not op.int8_scale_term or op.weights_are_dynamic():
        return convolution(op)
    properties = convolution_properties(op)
    check_channels(op)
    outputs = 1 if isinstance(op, ConvolutionOp) else op.num_output // op.group  # per weight scale
    return int8_plan(op, ConvOp, properties, outputs)


def _vector(op: ConvolutionOp) -> FusedOpPlan:
    """Plan a 1x1 Convolution of a 1-D blob, which the runtime computes as an InnerProduct."""
    if rank_of(op.input) is None:
        raise NotFused("a 1x1 kernel accepts 1-D blobs too, and the rank of the input is unknown")
    if op.int8_scale_term:
        raise NotFused("int8 on a 1-D blob")
    if rank_of(op.output) is None:
        raise NotFused("the rank of the result is unknown")
    check_channels(op)
    check_float(op)
    term = op.activated(ACC)
    return FusedOpPlan(LinearOp, [op.input, op.weight, op.bias], term)


def deconvolution(op: Transposed) -> FusedOpPlan:
    if op.weights_are_dynamic():
        raise NotFused("a weight that is a blob has its inputs before its outputs")
    window = window_of(op)
    check_channels(op)
    check_float(op)
    own = {**properties_of(window), **grouped(window), "output_padding": ints(window.more)}
    return FusedOpPlan(ConvTransposeOp, [op.input, op.weight, op.bias], op.activated(ACC), own)
