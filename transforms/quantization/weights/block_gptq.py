"""GPTQ of matrices in blocks. The scales of a block are chosen when it begins, by its largest
elements at that moment."""

import numpy as np

from ....dialects.ncnn.quantization import BlockQuantization
from ..gptq import round_compensated
from ..layer_weights import Array
from .input_statistics import InputStatistics
from .scaled_integers import (
    CLIP_RATIOS,
    Packed,
    check_scales,
    check_values,
    pack,
    qmax_of,
    quantize_blocks,
    scales_of,
)

_RATIOS = CLIP_RATIOS["minmax"]
"""Do not clip. GPTQ compensates for rounding errors; clipping errors are too large to compensate
for."""
_ROWS = 4096
"""Rows of the matrix that are processed at a time."""


def quantize_by_gptq(weight: Array, block: BlockQuantization, inputs: InputStatistics) -> Packed:
    """Return a matrix in blocks. Raises `Unfit`."""
    check_values(weight)
    factor = inputs.inverse_factor()
    if factor is None:
        return quantize_blocks(weight, block, _RATIOS)
    rows, columns = weight.shape
    packed = np.empty((rows, block.packed_bytes(columns)), "i1")
    scales = np.empty((rows, block.blocks(columns)), "f4")
    qmax = qmax_of(block.bits)
    for start in range(0, rows, _ROWS):
        part = slice(start, start + _ROWS)

        def scales_at(first: int, values: Array, part: slice = part) -> Array:
            found = scales_of(np.ascontiguousarray(values[0].T), qmax, _RATIOS)
            scales[part, first // block.block_size] = found
            return found[None]

        values = np.array(weight[part].T, "f4", order="C")[None]
        integers = round_compensated(values, factor[None], block.block_size, qmax, scales_at)
        packed[part] = pack(integers[0].T, block.bits)
    check_scales(scales)
    return Packed(packed, scales)
