"""What the layers of `dialects/ncnn/quantization.py` compute: their formulas, of blobs and weights
as the runtime takes them."""

from collections.abc import Sequence

import numpy as np

from ...dialects.ncnn.quantization import DequantizeOp, QuantizeOp, RequantizeOp
from .formulas import by_formula
from .semantics import Array, Weights, semantics


def as_int32(x: Array) -> Array:
    """The elements of a blob as the runtime takes them where it expects int32: by their bits,
    whatever they are."""
    return x if x.dtype == np.int32 else x.astype("<f4", copy=False).view("<i4")


def _seen(weights: Weights, x: Array) -> Weights:
    """The values that a blob sees: a 1-D blob only the first."""
    if x.ndim > 1:
        return weights
    return {name: None if v is None else v[:1] for name, v in weights.items()}


@semantics(QuantizeOp)
def quantize(op: QuantizeOp, inputs: Sequence[Array], weights: Weights) -> Array:
    return by_formula(op, inputs, _seen(weights, inputs[0]))


@semantics(DequantizeOp, RequantizeOp)
def dequantize(op: DequantizeOp | RequantizeOp, inputs: Sequence[Array], weights: Weights) -> Array:
    return by_formula(op, [as_int32(inputs[0])], _seen(weights, inputs[0]))
