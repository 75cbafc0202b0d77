"""Convolutions and transposed convolutions with weights of their own.

A blob has no batch. Several images are further channels, in groups of their own with the same
weights.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from xdsl.ir import SSAValue

from ...dialects.ncnn import convolution as forward
from ...dialects.ncnn import deconvolution as transposed
from ...dialects.ncnn.params import Value
from ...dialects.pnnx.operations import OperatorOp
from ...transforms.rewriting.layer_builder import Shape
from .lowering import Array, Lowering, OperatorBuilder, Refusal
from .padding import MODES, padded

AXES = ("w", "hw", "dhw")
"""The axes of kernels by the number of axes."""
PADS = {
    "w": ("pad_left", "pad_right"),
    "h": ("pad_top", "pad_bottom"),
    "d": ("pad_front", "pad_behind"),
}
OUTPUT_PADS = {"w": "output_pad_right", "h": "output_pad_bottom", "d": "output_pad_behind"}

FORWARD: Mapping[tuple[int, bool], type[Any]] = {
    (1, False): forward.Convolution1DOp,
    (1, True): forward.ConvolutionDepthWise1DOp,
    (2, False): forward.ConvolutionOp,
    (2, True): forward.ConvolutionDepthWiseOp,
    (3, False): forward.Convolution3DOp,
    (3, True): forward.ConvolutionDepthWise3DOp,
}
"""The layers by the number of axes and whether there are groups."""
TRANSPOSED: Mapping[tuple[int, bool], type[Any]] = {
    (1, False): transposed.Deconvolution1DOp,
    (1, True): transposed.DeconvolutionDepthWise1DOp,
    (2, False): transposed.DeconvolutionOp,
    (2, True): transposed.DeconvolutionDepthWiseOp,
    (3, False): transposed.Deconvolution3DOp,
    (3, True): transposed.DeconvolutionDepthWise3DOp,
}


def convolution(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
    """Lower a convolution of one image, or of several as groups."""
    x, weight, bias = weights_of(op, b)
    rank, shape = weight.ndim - 2, b.shape(x)
    groups = int(b.number("groups", 1))
    count = images(shape, rank)
    strides, dilations = b.ints("stride", rank, 1), b.ints("dilation", rank, 1)
    kernel = weight.shape[2:]
    pads = pads_of(b, kernel, strides, dilations)
    shape = (count * shape[-rank - 1], *shape[-rank:])
    mode = str(op.param("padding_mode", "zeros"))
    if mode != "zeros" and any(any(pair) for pair in pads):
        if mode not in MODES:
            raise Refusal(f"'padding_mode' is {mode}")
        x, shape = padded(b, x, shape, dict(enumerate(pads, 1)), mode, 0.0)
        pads = [(0, 0)] * rank
    params = along(AXES[rank - 1], kernel=kernel, stride=strides, dilation=dilations)
    for axis, pair in zip(AXES[rank - 1], pads, strict=True):
        params |= dict(zip(PADS[axis], pair, strict=True))
    return [_layer(b, FORWARD, x, shape, weight, bias, groups, count, params)]


def transposed_convolution(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
    """Lower a transposed convolution. PyTorch stores its weight as `inputs x outputs per group`,
    the layer as `outputs x inputs per group`."""
    x, weight, bias = weights_of(op, b)
    rank, shape = weight.ndim - 2, b.shape(x)
    groups = int(b.number("groups", 1))
    count = images(shape, rank)
    inputs, outputs, *kernel = weight.shape
    weight = weight.reshape(groups, inputs // groups, outputs, *kernel).swapaxes(1, 2)
    weight = weight.reshape(groups * outputs, inputs // groups, *kernel)
    if op.param("padding_mode", "zeros") != "zeros":
        raise Refusal(f"'padding_mode' is {op.param('padding_mode', None)}")
    axes = AXES[rank - 1]
    params = along(
        axes,
        kernel=tuple(kernel),
        stride=b.ints("stride", rank, 1),
        dilation=b.ints("dilation", rank, 1),
    )
    for axis, pad, more in zip(
        axes, b.ints("padding", rank, 0), b.ints("output_padding", rank, 0), strict=True
    ):
        params |= dict.fromkeys(PADS[axis], pad)
        params[OUTPUT_PADS[axis]] = more
    shape = (count * shape[-rank - 1], *shape[-rank:])
    return [_layer(b, TRANSPOSED, x, shape, weight, bias, groups, count, params)]


def weights_of(op: OperatorOp, b: OperatorBuilder) -> tuple[SSAValue, Array, Array | None]:
    """Return the input, the weight and the bias: weights of the operator, or operands that are
    constants."""
    if op.type.data.startswith("nn.") and len(op.inputs) == 1:
        bias = b.weight("bias") if "bias" in op.weight_types() else None
        return op.inputs[0], b.weight("weight"), bias
    x, weight, bias = (
        b.operand(key, place) for place, key in enumerate(("input", "weight", "bias"))
    )
    if x is None or weight is None:
        raise Refusal("it has no input or no weight")
    return x, b.known(weight, "its weight"), None if bias is None else b.known(bias, "its bias")


def images(shape: Shape, rank: int) -> int:
    """Return the number of images in a tensor for kernels of this rank."""
    if len(shape) == rank + 1:
        return 1
    if len(shape) != rank + 2:
        raise Refusal(f"its input has {len(shape)} axes")
    return shape[0]


def pads_of(
    b: OperatorBuilder, kernel: Shape, strides: Shape, dilations: Shape
) -> list[tuple[int, int]]:
    """Return the pads of each axis of the kernel."""
    word = b.operator.param("padding", 0)
    if word == "valid":
        return [(0, 0)] * len(kernel)
    if word == "same":
        if set(strides) != {1}:
            raise Refusal("'padding' is same with a stride")
        spans = [d * (k - 1) for k, d in zip(kernel, dilations, strict=True)]
        return [(n // 2, n - n // 2) for n in spans]
    return [(n, n) for n in b.ints("padding", len(kernel), 0)]


def along(axes: str, **lists: Shape) -> dict[str, Value]:
    """Return parameters of each axis: `kernel_w`, …"""
    return {
        f"{name}_{axis}": n
        for name, numbers in lists.items()
        for axis, n in zip(axes, numbers, strict=True)
    }


def _layer(
    b: OperatorBuilder,
    classes: Mapping[tuple[int, bool], type[Any]],
    x: SSAValue,
    shape: Shape,
    weight: Array,
    bias: Array | None,
    groups: int,
    count: int,
    params: dict[str, Value],
) -> SSAValue:
    """Insert a convolution of `count` images in groups of channels. Several images are further
    groups, with copies of the weights."""
    rank = weight.ndim - 2
    if shape[0] != count * groups * weight.shape[1]:
        raise Refusal(f"its weight takes {groups * weight.shape[1]} channels")
    if count > 1:
        weight = np.concatenate([weight] * count)
        bias = None if bias is None else np.concatenate([bias] * count)
        groups *= count
    cls = classes[rank, groups > 1]
    if groups > 1:
        params["group"] = groups
    out = b.outputs[0]
    found = (weight.shape[0], *out[-rank:])
    weights = {"weight": b.constant(weight), "bias": None if bias is None else b.constant(bias)}
    return b.layer_with_weights(
        cls, [b.reshape(x, shape)], weights, found, num_output=weight.shape[0], **params
    )[0]


LOWERINGS: Mapping[str, Lowering] = {
    **{f"{kind}{rank}d": convolution for kind in ("nn.Conv", "F.conv") for rank in (1, 2, 3)},
    **{
        f"{kind}{rank}d": transposed_convolution
        for kind in ("nn.ConvTranspose", "F.conv_transpose")
        for rank in (1, 2, 3)
    },
}
