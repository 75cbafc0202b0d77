"""Reference semantics of the layers in `dialects/ncnn/deconvolution.py`."""

from ...dialects.ncnn.deconvolution import Transposed
from .convolution import static_weight, with_bias_and_activation
from .semantics import Array, Inputs, Weights, semantics
from .windows import spread, window_of


@semantics(Transposed)
def deconvolution(op: Transposed, inputs: Inputs, weights: Weights) -> Array:
    weight = static_weight(op, weights)
    window = window_of(op, inputs[0], weight.shape[2:])
    if op.weights_are_dynamic():  # the layout is inputs x outputs in each group
        inner = weight.reshape(window.groups, -1, *weight.shape[1:]).swapaxes(1, 2)
        weight = inner.reshape(-1, *inner.shape[2:])
    return with_bias_and_activation(op, spread(inputs[0], weight, window), weights)
