"""Reference semantics of the layer in `dialects/ncnn/innerproduct.py`."""

from ...dialects.ncnn.convolution import ConvolutionOp
from ...dialects.ncnn.innerproduct import InnerProductOp
from .fused_activation import activate
from .int8 import dequantized, descales, exact, quantized
from .semantics import Array, Inputs, Weights, needed, semantics


@semantics(InnerProductOp)
def inner_product(op: InnerProductOp | ConvolutionOp, inputs: Inputs, weights: Weights) -> Array:
    """InnerProduct, and a 1x1 Convolution on a 1-D blob."""
    (x,), weight, bias = inputs, needed(weights, "weight"), weights["bias"]
    matrix = weight.reshape(len(weight), -1)
    rows = x if x.ndim == 2 and x.shape[1] == matrix.shape[1] else x.reshape(1, -1)
    if rows.shape[1] != matrix.shape[1]:
        raise ValueError(
            f"{op.label()}: {rows.shape[1]} inputs, but the weight needs {matrix.shape[1]}"
        )
    if op.int8_scale_term:
        scales, input_scale = (
            needed(weights, n) for n in ("weight_int8_scales", "bottom_int8_scales")
        )
        sums = exact(quantized(rows, input_scale)) @ exact(quantized(matrix, scales[:, None])).T
        y = dequantized(sums, descales(scales, input_scale), bias)
    else:
        y = rows @ matrix.T if bias is None else rows @ matrix.T + bias
    y = activate(y, op.activation_type, op.activation_params)
    return y if rows is x else y[0]
