"""Rows of floats as integers with scales: `q = round(w * scale)` represents `q / scale`.

Integers of b bits are within ±(2^(b-1) - 1): ncnn does not use the lowest one, and some of its
kernels rely on that (`tools/quantize/ncnnllm_quant.h`, `src/layer/quantize.cpp`).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import gcd

import numpy as np

from ....dialects.ncnn.quantization import BlockQuantization
from ....interpreters.ncnn.blocks import unpack
from ..gptq import to_integers
from ..layer_weights import Array, Unfit

CLIP_RATIOS: dict[str, Array] = {
    "minmax": np.ones(1, "f4"),
    "mse": np.linspace(1, 0.5, 21, dtype="f4"),
}
"""The methods that read weights only, with the clip ratios that they try: fractions of the largest
value to which values are clipped. Clipping few large values may cost less than coarse steps for all
others."""
CHUNK = 1 << 19
"""Elements that are processed at a time: temporary arrays take a few times their bytes."""


def qmax_of(bits: int) -> int:
    """Return the largest integer of this number of bits."""
    return (1 << (bits - 1)) - 1


def scales_of(rows: Array, qmax: int, ratios: Array) -> Array:
    """Return the scale of each row for integers within ±qmax, by the clip ratio with the least
    square error; 1 for a row of zeros."""
    return _scale(largest_of_rows(rows) * best_clip_ratios(rows, qmax, ratios), qmax)


def largest_of_rows(rows: Array) -> Array:
    """Return the largest magnitude of each row."""
    return np.abs(rows).max(1, initial=0)


def best_clip_ratios(rows: Array, qmax: int, ratios: Array) -> Array:
    """Return for each row the first of the clip ratios with the least square error of integers
    within ±qmax. Computes in the type of `rows`."""
    best = np.full(len(rows), ratios[0])
    if len(ratios) == 1:
        return best
    largest = largest_of_rows(rows)
    least = _square_errors(rows, _scale(largest * ratios[0], qmax), qmax)
    for ratio in ratios[1:]:
        errors = _square_errors(rows, _scale(largest * ratio, qmax), qmax)
        best = np.where(errors < least, ratio, best)
        least = np.minimum(errors, least)
    return best


def scale_of_all(values: Array, qmax: int, ratios: Array) -> Array:
    """Return the scale of a whole matrix, an array of 1 element, found in the same way."""
    parts = list(chunks(*values.shape))
    largest = np.max([np.abs(values[part]).max(initial=0) for part in parts]).astype("f4")
    tried = [_scale(largest * ratio, qmax).reshape(1) for ratio in ratios]
    if len(tried) == 1:
        return tried[0]
    errors = np.zeros(len(tried))
    for part in parts:
        rows = np.asarray(values[part], "f4")
        errors += [_square_errors(rows, scale, qmax).sum(dtype="f8") for scale in tried]
    return tried[int(errors.argmin())]


def _scale(largest: Array, qmax: int) -> Array:
    with np.errstate(divide="ignore", over="ignore"):
        scales: Array = np.where(largest == 0, 1, qmax / largest)
    return scales.astype(largest.dtype)


def _square_errors(rows: Array, scales: Array, qmax: int) -> Array:
    column = scales[:, None]
    with np.errstate(invalid="ignore"):
        difference = to_integers(rows, column, qmax) / column - rows
    return np.einsum("ij,ij->i", difference, difference)


def check_values(rows: Array) -> None:
    """Raises `Unfit` for infinities and NaN in a matrix."""
    bad = sum(int((~np.isfinite(rows[part])).sum()) for part in chunks(*rows.shape))
    if bad:
        values_are = "1 value is" if bad == 1 else f"{bad} values are"
        raise Unfit(f"{values_are} infinite or NaN")


def check_scales(scales: Array) -> None:
    """Raises `Unfit` for scales by which the runtime cannot divide: infinite ones (of tiny values),
    and those whose inverse is no normal float32."""
    with np.errstate(over="ignore", divide="ignore"):
        inverse = np.float32(1) / scales
    if not np.isfinite(scales).all() or inverse.min(initial=1) < np.finfo("f4").tiny:
        raise Unfit("the largest of values that share a scale is below what float32 can scale")
    if not np.isfinite(inverse).all():
        raise Unfit("the largest of values that share a scale is beyond what float32 can scale")


def chunks(rows: int, columns: int) -> Iterator[slice]:
    """Yield slices that divide the rows of a matrix into parts of about `CHUNK` elements."""
    step = max(CHUNK // max(columns, 1), 1)
    for start in range(0, rows, step):
        yield slice(start, min(start + step, rows))


@dataclass(frozen=True)
class Packed:
    """A matrix of integers in blocks, as the runtime reads it."""

    bytes: Array
    """`rows x packed_bytes`, as int8."""
    scales: Array
    """`rows x blocks`, float32."""
    input_scales: Array | None = None
    """The factors of the input's elements, float32; `None` if the input is not scaled."""


def quantize_blocks(
    weight: Array,
    block: BlockQuantization,
    ratios: Array,
    input_scales: Array | None = None,
) -> Packed:
    """Return a matrix in blocks. Its columns are first divided by the scales of the input, if there
    are any. Raises `Unfit`."""
    check_values(weight)
    rows, columns = weight.shape
    packed = np.empty((rows, block.packed_bytes(columns)), "i1")
    found = np.empty((rows, block.blocks(columns)), "f4")
    for part in chunks(rows, columns):
        values = np.asarray(weight[part], "f4")
        if input_scales is not None:
            values = values / input_scales
        integers, found[part] = integers_of(values, block, ratios)
        packed[part] = pack(integers, block.bits)
    check_scales(found)
    return Packed(packed, found, input_scales)


def integers_of(values: Array, block: BlockQuantization, ratios: Array) -> tuple[Array, Array]:
    """Return the integers (int8) of rows, and the scales of their blocks."""
    rows, columns = values.shape
    qmax = qmax_of(block.bits)
    integers = np.empty((rows, columns), "i1")
    found = np.empty((rows, block.blocks(columns)), "f4")
    whole = columns - columns % block.block_size
    if whole:
        parts = values[:, :whole].reshape(-1, block.block_size)
        each = scales_of(parts, qmax, ratios)
        integers[:, :whole] = _int8(parts, each, qmax).reshape(rows, whole)
        found[:, : whole // block.block_size] = each.reshape(rows, -1)
    if whole < columns:  # the last block has fewer
        found[:, -1] = scales_of(values[:, whole:], qmax, ratios)
        integers[:, whole:] = _int8(values[:, whole:], found[:, -1], qmax)
    return integers, found


def _int8(rows: Array, scales: Array, qmax: int) -> Array:
    integers = to_integers(rows, scales[:, None], qmax)
    with np.errstate(invalid="ignore"):  # the integer of an infinite scale is NaN
        return integers.astype("i1")


def pack(integers: Array, bits: int) -> Array:
    """Return rows of signed integers as rows of bytes, the first integer in the lowest bits."""
    raw = np.ascontiguousarray(integers, "i1").view("u1")
    if bits == 8:
        return raw.view("i1")
    rows, count = raw.shape
    raw = raw & ((1 << bits) - 1)
    result = np.zeros((rows, -(-count * bits // 8)), "u1")
    period = 8 // gcd(bits, 8)  # each element of this period begins with a byte
    for first in range(min(period, count)):
        byte, shift = divmod(first * bits, 8)
        step = period * bits // 8
        own = raw[:, first::period]
        result[:, byte::step][:, : own.shape[1]] |= own << shift
        if shift + bits > 8:
            result[:, byte + 1 :: step][:, : own.shape[1]] |= own >> (8 - shift)
    return result.view("i1")


def restored(packed: Packed, block: BlockQuantization, columns: int) -> Array:
    """Return the floats that a matrix in blocks represents, times the scales of the input."""
    result = np.empty((len(packed.bytes), columns), "f4")
    factors = np.float32(1) / packed.scales
    for part in chunks(*result.shape):
        each = np.repeat(factors[part], block.block_size, axis=1)[:, :columns]
        result[part] = unpack(packed.bytes[part], columns, block.bits) * each
    return result if packed.input_scales is None else result * packed.input_scales
