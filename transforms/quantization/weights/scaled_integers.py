"""Rows of floats as integers with scales: `q = round(w * scale)`, which stands for `q / scale`.

Integers of b bits are within ±(2^(b-1) - 1): ncnn leaves out the lowest one, and some of its
kernels rely on that (`tools/quantize/ncnnllm_quant.h`, `src/layer/quantize.cpp`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import gcd
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ....dialects.ncnn.quantization import BlockQuantization
from ....interpreters.ncnn.int8 import rounded

Array: TypeAlias = NDArray[Any]

CLIPPINGS: dict[str, tuple[float, ...]] = {
    "minmax": (1.0,),
    "mse": tuple(float(share) for share in np.linspace(1, 0.5, 21, dtype="f4")),
}
"""Methods that look at nothing but the values, and to which shares of the largest value they try to
clip: few large values may cost less than coarse steps for all others."""
CHUNK = 1 << 19
"""Elements that are worked on at a time: what is made on the way takes a few times their bytes."""


class Unfit(Exception):
    """Why a weight cannot be integers."""


def levels(bits: int) -> int:
    """The largest integer of so many bits."""
    return (1 << (bits - 1)) - 1


def scales_of(rows: Array, most: int, shares: Sequence[float]) -> Array:
    """The scale of each row for integers within ±most: that with the least square error of those
    that clip its largest value to one of these shares; 1 for a row of zeros."""
    largest = np.abs(rows).max(1, initial=0)
    best = _scale(largest * np.float32(shares[0]), most)
    if len(shares) == 1:
        return best
    least = _square_errors(rows, best, most)
    for share in shares[1:]:
        scales = _scale(largest * np.float32(share), most)
        errors = _square_errors(rows, scales, most)
        better = errors < least
        best, least = np.where(better, scales, best), np.where(better, errors, least)
    return best


def scale_of_all(values: Array, most: int, shares: Sequence[float]) -> Array:
    """The one scale for all of a matrix (of 1 element), found in the same way."""
    parts = list(chunks(*values.shape))
    largest = np.max([np.abs(values[part]).max(initial=0) for part in parts]).astype("f4")
    tried = [_scale(largest * np.float32(share), most).reshape(1) for share in shares]
    if len(tried) == 1:
        return tried[0]
    errors = np.zeros(len(tried))
    for part in parts:
        rows = np.asarray(values[part], "f4")
        errors += [_square_errors(rows, scale, most).sum(dtype="f8") for scale in tried]
    return tried[int(errors.argmin())]


def _scale(largest: Array, most: int) -> Array:
    with np.errstate(divide="ignore", over="ignore"):
        scales = np.where(largest == 0, np.float32(1), np.float32(most) / largest)
    return scales.astype("f4")


def _square_errors(rows: Array, scales: Array, most: int) -> Array:
    column = scales[:, None]
    with np.errstate(invalid="ignore"):
        difference = to_integers(rows, column, most) / column - rows
    return np.einsum("ij,ij->i", difference, difference)


def to_integers(rows: Array, scales: Array, most: int) -> Array:
    """`round(rows * scales)` within ±most, as float32."""
    with np.errstate(invalid="ignore", over="ignore"):  # infinite scales are refused in the end
        return np.clip(rounded(rows * scales), -most, most)


def check_values(rows: Array) -> None:
    """Raises `Unfit` for infinities and NaN in a matrix."""
    bad = sum(int((~np.isfinite(rows[part])).sum()) for part in chunks(*rows.shape))
    if bad:
        values_are = "1 value is" if bad == 1 else f"{bad} values are"
        raise Unfit(f"{values_are} infinite or NaN")


def check_scales(scales: Array) -> None:
    """Raises `Unfit` for scales that the runtime could not divide by: values so small that theirs
    is infinite, or the inverse of it no normal float32."""
    with np.errstate(over="ignore", divide="ignore"):
        inverse = np.float32(1) / scales
    if not np.isfinite(scales).all() or inverse.min(initial=1) < np.finfo("f4").tiny:
        raise Unfit("the largest of values that share a scale is below what float32 can scale")
    if not np.isfinite(inverse).all():
        raise Unfit("the largest of values that share a scale is beyond what float32 can scale")


def chunks(rows: int, columns: int) -> Iterator[slice]:
    """The rows of a matrix, some at a time."""
    step = max(CHUNK // max(columns, 1), 1)
    for start in range(0, rows, step):
        yield slice(start, min(start + step, rows))


@dataclass(frozen=True)
class Packed:
    """A matrix of integers as the runtime takes it, and what it stands for."""

    bytes: Array
    """`rows x packed_bytes`, as int8."""
    scales: Array
    """`rows x blocks`, float32."""
    input_scales: Array | None = None
    """What elements of the input are multiplied by, float32; `None`: by nothing."""


def quantize_blocks(
    weight: Array,
    block: BlockQuantization,
    shares: Sequence[float],
    input_scales: Array | None = None,
) -> Packed:
    """A matrix in blocks, its columns divided by the scales of the input beforehand, if there are
    any. Raises `Unfit`."""
    check_values(weight)
    rows, columns = weight.shape
    packed = np.empty((rows, block.packed_bytes(columns)), "i1")
    found = np.empty((rows, block.blocks(columns)), "f4")
    for part in chunks(rows, columns):
        values = np.asarray(weight[part], "f4")
        if input_scales is not None:
            values = values / input_scales
        integers, found[part] = integers_of(values, block, shares)
        packed[part] = pack(integers, block.bits)
    check_scales(found)
    return Packed(packed, found, input_scales)


def integers_of(
    values: Array, block: BlockQuantization, shares: Sequence[float]
) -> tuple[Array, Array]:
    """The integers (int8) of all blocks of some rows, and their scales."""
    rows, columns = values.shape
    most = levels(block.bits)
    integers = np.empty((rows, columns), "i1")
    found = np.empty((rows, block.blocks(columns)), "f4")
    whole = columns - columns % block.block_size
    if whole:
        parts = values[:, :whole].reshape(-1, block.block_size)
        each = scales_of(parts, most, shares)
        integers[:, :whole] = _int8(parts, each, most).reshape(rows, whole)
        found[:, : whole // block.block_size] = each.reshape(rows, -1)
    if whole < columns:  # the last block has fewer
        found[:, -1] = scales_of(values[:, whole:], most, shares)
        integers[:, whole:] = _int8(values[:, whole:], found[:, -1], most)
    return integers, found


def _int8(rows: Array, scales: Array, most: int) -> Array:
    integers = to_integers(rows, scales[:, None], most)
    with np.errstate(invalid="ignore"):  # that of an infinite scale is NaN
        return integers.astype("i1")


def pack(integers: Array, bits: int) -> Array:
    """Rows of signed integers as rows of bytes, the first one in the lowest bits."""
    raw = np.ascontiguousarray(integers, "i1").view("u1")
    if bits == 8:
        return raw.view("i1")
    rows, count = raw.shape
    raw = raw & ((1 << bits) - 1)
    result = np.zeros((rows, -(-count * bits // 8)), "u1")
    period = 8 // gcd(bits, 8)  # after so many elements one begins with a byte again
    for first in range(min(period, count)):
        byte, shift = divmod(first * bits, 8)
        step = period * bits // 8
        own = raw[:, first::period]
        result[:, byte::step][:, : own.shape[1]] |= own << shift
        if shift + bits > 8:
            result[:, byte + 1 :: step][:, : own.shape[1]] |= own >> (8 - shift)
    return result.view("i1")


def restored(packed: Packed, block: BlockQuantization, columns: int) -> Array:
    """The floats that a matrix in blocks stands for, with the scales of the input in it."""
    from ....interpreters.ncnn.blocks import unpack

    result = np.empty((len(packed.bytes), columns), "f4")
    factors = np.float32(1) / packed.scales
    for part in chunks(*result.shape):
        each = np.repeat(factors[part], block.block_size, axis=1)[:, :columns]
        result[part] = unpack(packed.bytes[part], columns, block.bits) * each
    return result if packed.input_scales is None else result * packed.input_scales
