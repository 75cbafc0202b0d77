"""GPTQ: the error of each element is made up for by those after it.

Elements of a row are rounded one after the other. What the rounding of element k changes in the
products with the inputs that were seen, the best change of the elements after it takes back, in the
sense of least squares: with U the upper Cholesky factor of the inverse of `sum(x^T x)`, element j >
k is changed by `-(w[k] - q[k]) * U[k, j] / U[k, k]`. The scales of a block are chosen when it
begins, by the largest of its elements as they are then. (Frantar et al., GPTQ, 2023.)
"""

import numpy as np

from ....dialects.ncnn.quantization import BlockQuantization
from .input_statistics import Seen
from .scaled_integers import (
    CLIPPINGS,
    Array,
    Packed,
    check_scales,
    check_values,
    levels,
    pack,
    quantize_blocks,
    scales_of,
    to_integers,
)

_SHARES = CLIPPINGS["minmax"]
"""Values are not clipped: what rounding makes of them is made up for, what clipping takes off them
would be so much that it is not."""
_ROWS = 4096
"""Rows of the matrix that are worked on at a time."""


def gptq(weight: Array, block: BlockQuantization, seen: Seen) -> Packed:
    """A matrix in blocks. Raises `Unfit`."""
    check_values(weight)
    factor = seen.inverse_factor()
    if factor is None:
        return quantize_blocks(weight, block, _SHARES)
    rows, columns = weight.shape
    packed = np.empty((rows, block.packed_bytes(columns)), "i1")
    scales = np.empty((rows, block.blocks(columns)), "f4")
    for start in range(0, rows, _ROWS):
        part = slice(start, start + _ROWS)
        # Columns are outermost here, to be worked on one after the other.
        values = np.array(weight[part].T, "f4", order="C")
        integers, scales[part] = _rounded(values, block, factor)
        packed[part] = pack(integers, block.bits)
    check_scales(scales)
    return Packed(packed, scales)


def _rounded(values: Array, block: BlockQuantization, factor: Array) -> tuple[Array, Array]:
    """The integers of rows that lie along the second axis (and are overwritten), and the scales."""
    columns, rows = values.shape
    most = levels(block.bits)
    integers = np.empty((rows, columns), "i1")
    scales = np.empty((rows, block.blocks(columns)), "f4")
    for i, start in enumerate(range(0, columns, block.block_size)):
        end = min(start + block.block_size, columns)
        scale = scales[:, i] = scales_of(np.ascontiguousarray(values[start:end].T), most, _SHARES)
        errors = np.empty((end - start, rows), "f4")
        for k in range(start, end):
            integer = to_integers(values[k], scale, most)
            integers[:, k] = integer
            errors[k - start] = (values[k] - integer / scale) / factor[k, k]
            values[k + 1 : end] -= np.outer(factor[k, k + 1 : end], errors[k - start])
        values[end:] -= factor[start:end, end:].T @ errors
    return integers, scales
