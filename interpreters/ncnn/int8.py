"""Quantized arithmetic: int8 elements, sums in integers, scales in float32.

Sums are made by matrix products of float64, which are exact for integers: the largest one here,
127 * 127 times the elements of a kernel, is far below 2 to the 53rd.
"""

import numpy as np

from .semantics import Array
from .traceable import traceable


@traceable
def rounded(x: Array) -> Array:
    """To the nearest integer, halves away from zero (C's `round`)."""
    return np.trunc(x + np.copysign(np.float32(0.5), x))


def to_int8(x: Array) -> Array:
    """float32 rounded to int8, within -127 and 127 (ncnn's `float2int8`)."""
    return np.clip(rounded(x), -127, 127).astype("i1")


def quantized(x: Array, scale: Array | np.float32) -> Array:
    """`x * scale` as int8; x as it is if it is int8 already."""
    return x if x.dtype == np.int8 else to_int8(x * scale)


def scale_of(x: Array, axis: int | None = None) -> Array:
    """The scale that lets the largest value of x (along an axis: of each slice, which is kept) be
    127; 1 where all are 0."""
    most = np.abs(x).max(axis, keepdims=axis is not None)
    with np.errstate(divide="ignore"):
        return np.where(most == 0, np.float32(1), np.float32(127) / most).astype("f4")


@traceable
def exact(x: Array) -> Array:
    """int8 elements in the type that sums are made in."""
    return x.astype("f8")


def rescaled(sums: Array, scale: Array | np.float32) -> Array:
    """Sums as float32 times their scale, rounded as often as the runtime does."""
    return sums.astype("f4") * scale


def dequantized(sums: Array, scale: Array, bias: Array | None) -> Array:
    """Sums times their scale plus a bias, rounded once: processors multiply and add in one step,
    and the next layer may round what comes out to int8."""
    if bias is None:
        return rescaled(sums, scale)
    return multiplied_and_added(sums.astype("f4"), scale, bias).astype("f4")


@traceable
def multiplied_and_added(a: Array, b: Array, c: Array) -> Array:
    """`a * b + c`, rounded once where it is made float32 again."""
    return a.astype("f8") * b + c


def descales(scales: Array, input_scale: Array) -> Array:
    """What sums are multiplied by: the inverse of both scales, 0 for a scale of 0."""
    with np.errstate(divide="ignore"):
        return np.where(scales == 0, np.float32(0), 1 / (scales * input_scale))
