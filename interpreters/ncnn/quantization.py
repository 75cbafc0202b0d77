"""Reference semantics of the layers in `dialects/ncnn/quantization.py`: their formulas, on blobs
and weights as the runtime reads them."""

import numpy as np

from ...dialects.ncnn.quantization import DequantizeOp, QuantizeOp, RequantizeOp
from .formulas import by_formula
from .semantics import Array, Inputs, Weights, semantics


def as_int32(x: Array) -> Array:
    """Return a blob's bits as int32, as the runtime reads them, for any element type."""
    return x if x.dtype == np.int32 else x.astype("<f4", copy=False).view("<i4")


def _seen(weights: Weights, x: Array) -> Weights:
    """Return the values that apply to a blob: only the first for a 1-D blob."""
    if x.ndim > 1:
        return weights
    return {name: None if v is None else v[:1] for name, v in weights.items()}


@semantics(QuantizeOp)
def quantize(op: QuantizeOp, inputs: Inputs, weights: Weights) -> Array:
    return by_formula(op, inputs, _seen(weights, inputs[0]))


@semantics(DequantizeOp, RequantizeOp)
def dequantize(op: DequantizeOp | RequantizeOp, inputs: Inputs, weights: Weights) -> Array:
    return by_formula(op, [as_int32(inputs[0])], _seen(weights, inputs[0]))
