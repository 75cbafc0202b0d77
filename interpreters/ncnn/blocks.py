"""Matrices of packed integers with one scale per block of a row (see `BlockQuantization`)."""

from math import gcd

import numpy as np

from ...dialects.ncnn.quantization import BlockQuantization
from .int8 import exact, to_int8
from .semantics import Array


def block_product(
    block: BlockQuantization, x: Array, packed: Array, scales: Array, input_scales: Array | None
) -> Array:
    """Return `x @ transpose(w)`.

    x is `rows x k`; w is packed as `columns x bytes` with scales `columns x blocks`. `input_scales`
    multiply the elements of each row of x. With 8 bits, the blocks of x are also quantized, each by
    its largest magnitude, and products are integers. With fewer bits, elements of w are
    dequantized.
    """
    k = x.shape[1]
    if input_scales is not None:
        x = x * input_scales
    w = unpack(packed, k, block.bits)
    if block.bits < 8:
        return x @ (w * np.repeat(1 / scales, block.block_size, axis=1)[:, :k]).T
    sums = np.zeros((len(x), len(w)), "f4", like=x)
    for i, start in enumerate(range(0, k, block.block_size)):
        part = x[:, start : start + block.block_size]
        most = np.abs(part).max(1, keepdims=True)
        with np.errstate(divide="ignore", invalid="ignore"):
            rounded = to_int8(np.where(most == 0, 0, part * (np.float32(127) / most)))
        products = exact(rounded) @ exact(w[:, start : start + block.block_size]).T
        sums += products.astype("f4") * (most / np.float32(127)) / scales[:, i]
    return sums


def unpack(packed: Array, count: int, bits: int) -> Array:
    """Return the signed integers in rows of bytes, lowest bits first: `rows x count`, as int8 or,
    for fewer bits, as float32."""
    raw = packed.view("u1")
    if bits == 8:
        return raw[:, :count].view("i1")
    values = np.empty((len(raw), count), "f4", like=raw)
    period = 8 // gcd(bits, 8)  # elements per byte-aligned group
    for first in range(min(period, count)):
        byte, shift = divmod(first * bits, 8)
        step = period * bits // 8
        elements = len(range(first, count, period))
        low = raw[:, byte::step][:, :elements] >> shift
        if shift + bits > 8:
            low = low | raw[:, byte + 1 :: step][:, :elements] << (8 - shift)
        sign = 1 << (bits - 1)
        digits = (low & ((1 << bits) - 1)).astype("i1")
        values[:, first::period] = (digits ^ sign) - sign
    return values
