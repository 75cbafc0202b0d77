"""Matrices of packed integers, with a scale for each block of a row (see `BlockQuantization`)."""

import numpy as np

from ...dialects.ncnn.quantization import BlockQuantization
from .int8 import exact, to_int8
from .semantics import Array


def block_product(
    block: BlockQuantization, x: Array, packed: Array, scales: Array, input_scales: Array | None
) -> Array:
    """`x @ transpose(w)` of x `rows x k` with w as packed bytes `columns x bytes` and its scales
    `columns x blocks`; `input_scales` multiply the elements of each row of x.

    With 8 bits the blocks of x are quantized as well, each by its largest value, and multiplied in
    integers; with fewer the elements of w are what they stand for.
    """
    k = x.shape[1]
    if input_scales is not None:
        x = x * input_scales
    w = unpack(packed, k, block.bits)
    if block.bits < 8:
        return x @ (w * np.repeat(1 / scales, block.block_size, axis=1)[:, :k]).T
    sums = np.zeros((len(x), len(w)), "f4")
    for i, start in enumerate(range(0, k, block.block_size)):
        part = x[:, start : start + block.block_size]
        most = np.abs(part).max(1, keepdims=True)
        with np.errstate(divide="ignore", invalid="ignore"):
            rounded = to_int8(np.where(most == 0, 0, part * (np.float32(127) / most)))
        products = exact(rounded) @ exact(w[:, start : start + block.block_size]).T
        sums += products.astype("f4") * (most / np.float32(127)) / scales[:, i]
    return sums


def unpack(packed: Array, count: int, bits: int) -> Array:
    """The signed integers in rows of bytes, the first one in the lowest bits: `rows x count`, as
    int8 or, of fewer bits, as float32."""
    raw = packed.view("u1")
    if bits == 8:
        return raw[:, :count].view("i1")
    stream = np.unpackbits(raw, axis=1, bitorder="little")[:, : count * bits]
    digits = stream.reshape(len(raw), count, bits).astype("i4")
    values = (digits << np.arange(bits)).sum(2)
    return (values - (digits[..., -1] << bits)).astype("f4")
