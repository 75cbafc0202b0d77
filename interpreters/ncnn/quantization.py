"""What the layers of `dialects/ncnn/quantization.py` compute."""

from collections.abc import Sequence

import numpy as np

from ...dialects.ncnn.quantization import DequantizeOp, QuantizeOp, RequantizeOp
from .channels import along_outermost
from .fused_activation import activate
from .int8 import to_int8
from .semantics import Array, Weights, needed, semantics


def as_int32(x: Array) -> Array:
    """The elements of a blob as the runtime takes them where it expects int32: by their bits,
    whatever they are."""
    return x if x.dtype == np.int32 else np.ascontiguousarray(x, "<f4").view("<i4")


def _per_channel(values: Array, x: Array) -> Array:
    """One value, or one for each element of the outermost axis; a 1-D blob only has one."""
    return values[:1] if x.ndim == 1 or values.size == 1 else along_outermost(values, x.ndim)


def _dequantized(x: Array, scale: Array, bias: Array | None) -> Array:
    values = as_int32(x).astype("f4") * _per_channel(scale, x)
    return values if bias is None else values + _per_channel(bias, x)


@semantics(QuantizeOp)
def quantize(op: QuantizeOp, inputs: Sequence[Array], weights: Weights) -> Array:
    (x,) = inputs
    return to_int8(x * _per_channel(needed(weights, "scale"), x))


@semantics(DequantizeOp)
def dequantize(op: DequantizeOp, inputs: Sequence[Array], weights: Weights) -> Array:
    return _dequantized(inputs[0], needed(weights, "scale"), weights["bias"])


@semantics(RequantizeOp)
def requantize(op: RequantizeOp, inputs: Sequence[Array], weights: Weights) -> Array:
    (x,) = inputs
    values = _dequantized(x, needed(weights, "scale_in"), weights["bias"])
    values = activate(values, op.activation_type, op.activation_params)
    return to_int8(values * _per_channel(needed(weights, "scale_out"), x))
