"""AWQ (J. Lin et al., 2024): columns that meet large inputs get finer steps.

A column of the matrix is divided by a factor before it is rounded, and the runtime multiplies the
input by the factor: `(x * f) @ (w / f)`. Factors are `mean(|x|)^-a`, normalized to a geometric mean
of 1 and bounded. Of a = 0, 0.05, … 1, the method takes the exponent with the least square error of
the products with the inputs of the calibration data.
"""

import numpy as np

from ....dialects.ncnn.quantization import BlockQuantization
from ..layer_weights import Array
from .input_statistics import InputStatistics
from .scaled_integers import CLIP_RATIOS, Packed, check_values, chunks, quantize_blocks, restored

_STEPS = 20
_ROWS = 512
"""Rows of the matrix, spread over all, whose products are compared."""
_BOUND = 64.0
"""The largest factor, and the inverse of the least one."""


def quantize_by_awq(weight: Array, block: BlockQuantization, inputs: InputStatistics) -> Packed:
    """Return a matrix in blocks with scales of its input. Raises `Unfit`."""
    check_values(weight)
    ratios, scaled = CLIP_RATIOS["minmax"], BlockQuantization(block.bits, block.block_size, True)
    some = weight[:: max(len(weight) // _ROWS, 1)]
    errors: list[float] = []
    tried = [_factors(inputs.mean_magnitudes, step / _STEPS) for step in range(_STEPS + 1)]
    for factors in tried:
        packed = quantize_blocks(some, scaled, ratios, factors)
        errors.append(_error(some, packed, scaled, inputs.rows))
    best = tried[errors.index(min(errors))]
    return quantize_blocks(weight, scaled, ratios, best)


def _factors(magnitudes: Array, power: float) -> Array:
    """Return the factors of an input with these mean magnitudes."""
    floor = max(float(magnitudes.max()) * 1e-6, float(np.finfo("f4").tiny))
    logs = -power * np.log(np.maximum(magnitudes, floor))
    factors = np.exp(logs - logs.mean())
    return np.clip(factors, 1 / _BOUND, _BOUND).astype("f4")


def _error(weight: Array, packed: Packed, block: BlockQuantization, rows: Array) -> float:
    """Return the square error of the products with these rows."""
    total = 0.0
    for part in chunks(*weight.shape):
        own = Packed(packed.bytes[part], packed.scales[part], packed.input_scales)
        values = np.asarray(weight[part], "f4")
        difference = rows @ (restored(own, block, weight.shape[1]) - values).T
        total += float(np.einsum("ij,ij->", difference, difference, dtype="f8"))
    return total
