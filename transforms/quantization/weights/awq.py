"""AWQ: what is multiplied by large inputs gets finer steps.

A column of the matrix is divided by a factor before it is rounded, and the runtime multiplies the
input by it: `(x * f) @ (w / f)`. Factors are `mean(|x|)^-a`, normalized to a geometric mean of 1
and bounded; of a = 0, 0.05, … 1 the one is taken with the least square error of the products with
the inputs that were seen. (Lin et al., AWQ, 2024.)
"""

import numpy as np

from ....dialects.ncnn.quantization import BlockQuantization
from .input_statistics import Seen
from .scaled_integers import (
    CLIPPINGS,
    Array,
    Packed,
    check_values,
    chunks,
    quantize_blocks,
    restored,
)

_STEPS = 20
_ROWS = 512
"""Rows of the matrix, spread over all, of whose products the error is looked at."""
_BOUND = 64.0
"""The largest factor, and the inverse of the least one."""


def awq(weight: Array, block: BlockQuantization, seen: Seen) -> Packed:
    """A matrix in blocks with scales of its input. Raises `Unfit`."""
    check_values(weight)
    scaled = BlockQuantization(block.bits, block.block_size, True)
    some = weight[:: max(len(weight) // _ROWS, 1)]
    errors: list[float] = []
    tried = [_factors(seen.mean_size, step / _STEPS) for step in range(_STEPS + 1)]
    for factors in tried:
        packed = quantize_blocks(some, scaled, CLIPPINGS["minmax"], factors)
        errors.append(_error(some, packed, scaled, seen.rows))
    best = tried[errors.index(min(errors))]
    return quantize_blocks(weight, scaled, CLIPPINGS["minmax"], best)


def _factors(sizes: Array, power: float) -> Array:
    """The factors of the input for its mean sizes."""
    floor = max(float(sizes.max()) * 1e-6, float(np.finfo("f4").tiny))
    logs = -power * np.log(np.maximum(sizes, floor))
    factors = np.exp(logs - logs.mean())
    return np.clip(factors, 1 / _BOUND, _BOUND).astype("f4")


def _error(weight: Array, packed: Packed, block: BlockQuantization, rows: Array) -> float:
    """The square error of the products with these rows."""
    total = 0.0
    for part in chunks(*weight.shape):
        own = Packed(packed.bytes[part], packed.scales[part], packed.input_scales)
        values = np.asarray(weight[part], "f4")
        difference = rows @ (restored(own, block, weight.shape[1]) - values).T
        total += float(np.einsum("ij,ij->", difference, difference, dtype="f8"))
    return total
