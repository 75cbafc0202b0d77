"""Convolutions as anchors."""

from typing import Any

from xdsl.dialects.builtin import FloatAttr, f32
from xdsl.ir import Attribute

from ...dialects.fused import ConvOp, LinearOp
from ...dialects.fused.properties import integer, ints
from ...dialects.ncnn.blob import rank_of, shape_of
from ...dialects.ncnn.convolution import (
    Convolution1DOp,
    Convolution3DOp,
    ConvolutionDepthWise1DOp,
    ConvolutionDepthWise3DOp,
    ConvolutionDepthWiseOp,
    ConvolutionOp,
)
from ...dialects.ncnn.spatial import axes_of
from ...dialects.shapes.tensors import known
from ..epilogues.terms import NotFused
from .anchors import ACC, Plan, anchor
from .int8 import check_float, int8_plan
from .windows import check_rank, convolution_pads, per_axis


def check_channels(op: Any) -> None:
    """Raises `NotFused` unless the input may have as many channels as the weight is for."""
    if op.weights_are_dynamic():
        return
    shape, wanted = shape_of(op.input), op.num_input()
    if shape is not None and known(shape[0]) and shape[0] != wanted:
        raise NotFused(f"an input of {shape[0]} channels, the weight is for {wanted}")


@anchor(
    Convolution1DOp,
    Convolution3DOp,
    ConvolutionDepthWise1DOp,
    ConvolutionDepthWise3DOp,
)
def convolution(op: Any) -> Plan:
    check_rank(op.input, axes_of(op))
    check_channels(op)
    check_float(op)
    return Plan(
        ConvOp,
        [op.input, op.weight, op.bias],
        op.activated(ACC),
        window(op),
    )


def window(op: Any) -> dict[str, Attribute]:
    """The properties of a fused.conv. Raises `NotFused` if the pads are not known."""
    return {
        "strides": per_axis(op, "stride"),
        "dilations": per_axis(op, "dilation"),
        "pads": ints(convolution_pads(op)),
        "pad_value": FloatAttr(op.pad_value, f32),
        "groups": integer(getattr(op, "group", 1)),
    }


@anchor(ConvolutionOp, ConvolutionDepthWiseOp)
def convolution_2d(op: Any) -> Plan:
    if op.takes_vectors() and rank_of(op.input) in (None, 1):
        return _vector(op)
    if not op.int8_scale_term or op.weights_are_dynamic():
        return convolution(op)
    check_rank(op.input, axes_of(op))
    check_channels(op)
    outputs = op.num_output // getattr(op, "group", op.num_output)
    return int8_plan(op, ConvOp, window(op), outputs)


def _vector(op: ConvolutionOp) -> Plan:
    """A 1x1 Convolution of a 1-D blob, which the runtime takes as an InnerProduct."""
    if rank_of(op.input) is None:
        raise NotFused("a 1x1 kernel takes 1-D blobs too, and the number of dims is not known")
    if op.int8_scale_term:
        raise NotFused("int8 on a 1-D blob")
    check_channels(op)
    check_float(op)
    term = op.activated(ACC)
    return Plan(LinearOp, [op.input, op.weight, op.bias], term)
