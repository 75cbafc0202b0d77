"""Arithmetic of windows that slide along the axes of a blob: how many places one has along an axis
of a given extent. The extents are numbers or terms."""

from math import fmod
from typing import Any

from ..shapes.terms import UNKNOWN, Extent, at_least, function
from .extents import known
from .spatial import (
    OUTPUT_PADS,
    PADS,
    SAME_LOWER,
    SAME_UPPER,
    axes_of,
    kernel_extent,
    pads_of,
)

FULL, VALID, POOL_SAME_UPPER, POOL_SAME_LOWER = range(4)
"""The pad_mode of poolings."""


def places(extent: Extent, span: Extent, stride: int) -> Extent:
    """How many places a window has that spans so many elements; `UNKNOWN` if it does not fit."""
    rest = extent - span
    return UNKNOWN if isinstance(rest, int) and rest < 0 else rest // stride + 1


def same_places(extent: Extent, stride: int) -> Extent:
    """How many places a window has where the padding says SAME: ceil(extent / stride)."""
    return (extent - 1) // stride + 1


def same_total(extent: int, span: int, stride: int) -> int:
    """How many elements a window that spans so many lacks for ceil(extent / stride) places; it may
    be negative."""
    return span + (extent - 1) // stride * stride - extent


def convolved_extent(params: Any, axis: str, extent: Extent) -> Extent:
    """The output extent of a convolution along an axis. As ncnn's make_padding
    (src/layer/convolution.cpp): any positive pad makes all of them count, and only then -233 or
    -234 for all of them mean SAME."""
    stride, pads = getattr(params, f"stride_{axis}"), pads_of(params)
    if stride <= 0:
        return UNKNOWN
    if any(pad > 0 for pad in pads):
        extent = extent + sum(getattr(params, pad) for pad in PADS[axis])
    elif all(p == SAME_UPPER for p in pads) or all(p == SAME_LOWER for p in pads):
        return same_places(extent, stride)
    return places(extent, kernel_extent(params, axis), stride)


def transposed_extent(params: Any, axis: str, extent: Extent) -> Extent:
    """The output extent of a deconvolution along an axis. As ncnn's cut_padding
    (src/layer/deconvolution.cpp): positive pads are cut off; without any, wanted output extents win
    where the pads say SAME."""
    more = OUTPUT_PADS[axis]
    reach = (extent - 1) * getattr(params, f"stride_{axis}") + kernel_extent(params, axis)
    full, pads, axes = reach + getattr(params, more), pads_of(params), axes_of(params)
    wanted = [getattr(params, f"output_{a}") for a in axes]
    if any(pad > 0 for pad in pads):
        return known(full - sum(pads_of(params, axis)))
    if not all(n > 0 for n in wanted):
        return full
    if SAME_UPPER not in pads and SAME_LOWER not in pads:
        return UNKNOWN  # the runtime fails
    own = wanted[axes.index(axis)]
    if not isinstance(full, int):
        return own if at_least(full, own) else UNKNOWN
    cut = full - own
    half = int(cut / 2)
    before = half if SAME_UPPER in pads else cut - half
    return min(full - cut, full - before)  # what is too small cannot be filled up at its end


def pooled_extent(params: Any, axis: str, extent: Extent) -> Extent:
    """How many windows a pooling has along an axis (make_padding in src/layer/pooling.cpp);
    `UNKNOWN` where not one fits."""
    kernel, stride = getattr(params, f"kernel_{axis}"), getattr(params, f"stride_{axis}")
    if kernel <= 0 or stride <= 0:
        return UNKNOWN
    if params.pad_mode in (POOL_SAME_UPPER, POOL_SAME_LOWER):
        return same_places(extent, stride)
    if params.pad_mode in (FULL, VALID):
        pads = [getattr(params, pad) for pad in PADS[axis]]
        if min(pads) < 0:
            return UNKNOWN
        extent = extent + sum(pads)
    if params.pad_mode == FULL:
        if isinstance(extent, int):
            extent += tail(extent, kernel, stride)
        elif at_least(extent, kernel):
            extent = extent + (stride - 1)
        elif stride > 1:
            return function("pooled", extent, kernel, stride)  # see `tail`
    return places(extent, kernel, stride)


def tail(extent: int, kernel: int, stride: int) -> int:
    """What the last window of a pooling lacks at the end. The remainder has the sign of what it is
    of, as in C: where the kernel is larger than the input, the padding is more than one window
    needs."""
    rest = int(fmod(extent - kernel, stride))
    return stride - rest if rest else 0
