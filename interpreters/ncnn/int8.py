"""Quantized arithmetic: int8 elements, integer sums, float32 scales.

Sums are matrix products in float64, which are exact for integers: the largest sum, 127 * 127 times
the kernel's elements, is far below 2 to the 53rd.
"""

import numpy as np

from .semantics import Array
from .traceable import traceable


@traceable
def rounded(x: Array) -> Array:
    """Round to the nearest integer, halves away from zero (C's `round`)."""
    return np.trunc(x + np.copysign(np.float32(0.5), x))


def to_int8(x: Array) -> Array:
    """Round float32 to int8, clamped to -127 and 127 (ncnn's `float2int8`)."""
    return np.clip(rounded(x), -127, 127).astype("i1")


def quantized(x: Array, scale: Array | np.float32) -> Array:
    """Return `x * scale` as int8; x unchanged if it is int8."""
    return x if x.dtype == np.int8 else to_int8(x * scale)


def scale_of(x: Array, axis: int | None = None) -> Array:
    """Return the scale that maps the largest magnitude of x (with `axis`: of each slice, keeping
    dims) to 127; 1 for all zeros."""
    most = np.abs(x).max(axis, keepdims=axis is not None)
    with np.errstate(divide="ignore"):
        return np.where(most == 0, np.float32(1), np.float32(127) / most).astype("f4")


@traceable
def exact(x: Array) -> Array:
    """Return int8 elements in the type of exact sums."""
    return x.astype("f8")


def rescaled(sums: Array, scale: Array | np.float32) -> Array:
    """Return sums as float32 times their scale, with the runtime's roundings."""
    return sums.astype("f4") * scale


def dequantized(sums: Array, scale: Array, bias: Array | None) -> Array:
    """Return sums times their scale plus a bias, rounded once as by a fused multiply-add: the next
    layer may round the result to int8."""
    if bias is None:
        return rescaled(sums, scale)
    return mac_body(sums.astype("f4"), scale, bias).astype("f4")


@traceable
def mac_body(a: Array, b: Array, c: Array) -> Array:
    """Return `a * b + c`, rounded to float32 once."""
    return a.astype("f8") * b + c


def descales(scales: Array, input_scale: Array) -> Array:
    """Return the factors of the sums: the inverse of both scales, 0 for a scale of 0."""
    with np.errstate(divide="ignore"):
        return np.where(scales == 0, np.float32(0), 1 / (scales * input_scale))
