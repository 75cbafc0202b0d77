"""Reference semantics of the layers in `dialects/ncnn/convolution.py`, and the part shared with
deconvolutions."""

from typing import TypeAlias, cast

import numpy as np

from ...dialects.ncnn.convolution import (
    Convolutional,
    ConvolutionDepthWiseOp,
    ConvolutionOp,
    DeformableConv2DOp,
    Forward,
)
from ...dialects.ncnn.interfaces import ActivationHost
from ...dialects.ncnn.spatial import axes_of
from .channels import along_outermost
from .fused_activation import activate
from .innerproduct import inner_product
from .int8 import dequantized, descales, exact, quantized, to_int8
from .interpolation import blend, linear_taps
from .semantics import Array, Inputs, Weights, needed, semantics
from .windows import correlate, pad, window_of

Convolution2D: TypeAlias = ConvolutionOp | ConvolutionDepthWiseOp
"""The convolutions with int8 inference."""


@semantics(Forward)
def convolution(op: Forward, inputs: Inputs, weights: Weights) -> Array:
    weight = static_weight(op, weights)
    window = window_of(op, inputs[0], weight.shape[2:])
    padded = pad(inputs[0], window.pads, op.pad_value)
    return with_bias_and_activation(op, correlate(padded, weight, window), weights)


@semantics(ConvolutionOp, ConvolutionDepthWiseOp)
def convolution_2d(op: Convolution2D, inputs: Inputs, weights: Weights) -> Array:
    x = inputs[0]
    if x.ndim == 1 and op.takes_vectors() and not op.int8_scale_term:
        return cast(Array, inner_product(op, inputs, weights))  # as in the runtime
    if op.int8_scale_term and not op.weights_are_dynamic():
        return _int8(op, x, weights)
    return cast(Array, convolution(op, inputs, weights))


def _int8(op: Convolution2D, x: Array, weights: Weights) -> Array:
    weight, scales, input_scale = (
        needed(weights, name) for name in ("weight", "weight_int8_scales", "bottom_int8_scales")
    )
    per_output = np.repeat(scales, len(weight) // scales.size)  # per group or per output
    weight = quantized(weight, along_outermost(per_output, weight.ndim))
    if x.ndim != weight.ndim - 1:
        raise ValueError(f"{op.label()}: the runtime's int8 code does not support {x.ndim} dims")
    x = quantized(x, input_scale)
    window = op.window_on(x.shape[1:])
    sums = correlate(exact(pad(x, window.pads, op.pad_value)), exact(weight), window)
    scale, bias = descales(per_output, input_scale), weights["bias"]
    y = dequantized(
        sums,
        along_outermost(scale, sums.ndim),
        None if bias is None else along_outermost(bias, sums.ndim),
    )
    y = activate(y, op.activation_type, op.activation_params)
    return to_int8(y * needed(weights, "top_int8_scales")) if op.int8_scale_term > 100 else y


def static_weight(op: Convolutional, weights: Weights) -> Array:
    """Return the layer's weight, constant or a blob. Raises `ValueError` for a blob of the wrong
    rank."""
    weight, rank = needed(weights, "weight"), len(axes_of(op)) + 2
    if weight.ndim != rank:
        raise ValueError(f"{op.label()}: the weight has {weight.ndim} dims, not {rank}")
    return weight


def with_bias_and_activation(op: ActivationHost, sums: Array, weights: Weights) -> Array:
    """Return the sums plus the optional bias, after the activation."""
    bias = weights["bias"]
    if bias is not None:
        sums = sums + along_outermost(bias.reshape(-1), sums.ndim)
    return activate(sums, op.activation_type, op.activation_params)


@semantics(DeformableConv2DOp)
def deformable(op: DeformableConv2DOp, inputs: Inputs, weights: Weights) -> Array:
    x, offset = inputs[:2]
    outputs, _, kh, kw = needed(weights, "weight").shape
    extents = offset.shape[1:]
    # sampling positions: kernel x windows
    steps = [np.arange(n, dtype="f4") for n in (kh, kw, *extents)]
    rows = steps[0][:, None, None, None] * op.dilation_h + steps[2][:, None] * op.stride_h
    columns = steps[1][:, None, None] * op.dilation_w + steps[3] * op.stride_w
    shifts = offset.reshape(kh, kw, 2, *extents)
    y = (rows - op.pad_top) + shifts[:, :, 0]
    x_ = (columns - op.pad_left) + shifts[:, :, 1]
    inside = (y > -1) & (x_ > -1) & (y < x.shape[1]) & (x_ < x.shape[2])
    samples = blend(x, [linear_taps(np.where(inside, place, -2)) for place in (y, x_)])
    if len(inputs) == 3:
        samples = samples * inputs[2].reshape(kh, kw, *extents)
    matrix = needed(weights, "weight").reshape(outputs, -1)
    sums = matrix @ samples.reshape(matrix.shape[1], -1)
    return with_bias_and_activation(op, sums.reshape(outputs, *extents), weights)
