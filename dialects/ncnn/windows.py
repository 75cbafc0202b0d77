"""Arithmetic of windows that slide along the axes of a blob: how many places one has along an axis
of a given extent, a number or a term; and the windows themselves, with the modes of ncnn's pads
resolved for extents that are numbers."""

from collections.abc import Sequence
from dataclasses import replace
from math import fmod
from typing import Any

from xdsl.dialects.builtin import DYNAMIC_INDEX

from ..shapes.terms import UNKNOWN, Extent, at_least, function
from ..shapes.windows import NoWindow, Pads, Window
from .extents import known
from .spatial import (
    OUTPUT_PADS,
    PADS,
    SAME_LOWER,
    SAME_UPPER,
    axes_of,
    kernel_extent,
    kernel_of,
    pads_of,
    steps_of,
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
        before, after = pads_of(params, axis)
        return known(full - before - max(after, 0))  # nothing can be filled up at the end
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


# -- windows with all pads resolved


def convolution_window(op: Any, extents: Sequence[int], kernel: Sequence[int] | None) -> Window:
    """The window of a convolution. As ncnn's make_padding (src/layer/convolution.cpp): any positive
    pad makes all of them count, and only then -233 or -234 for all of them mean SAME. Raises
    `NoWindow`."""
    window = _window(op, kernel)
    pads = pads_of(op)
    if any(n > 0 for n in pads):
        return replace(window, pads=_pairs(pads))
    upper, lower = (all(n == mode for n in pads) for mode in (SAME_UPPER, SAME_LOWER))
    if not (upper or lower):
        return window
    if DYNAMIC_INDEX in window.kernel:
        raise NoWindow("SAME pads of a kernel that is a blob")
    return replace(window, pads=_same_pads(op, window, extents, lower))


def transposed_window(op: Any, extents: Sequence[int], kernel: Sequence[int] | None) -> Window:
    """The window of a deconvolution; its pads are cut off. As ncnn's cut_padding
    (src/layer/deconvolution.cpp): any positive pad makes all of them count; without, wanted output
    extents win if there are any, one element too few is not missed. Nothing is filled up at the
    end; where the output would begin before the first element, the runtime reads what is no part of
    the blob. Raises `NoWindow`."""
    axes, pads = axes_of(op), pads_of(op)
    more = tuple(getattr(op, OUTPUT_PADS[axis]) for axis in axes)
    window = replace(_window(op, kernel), more=more)
    if any(n > 0 for n in pads):
        if min(pads[::2]) < 0:
            raise NoWindow(f"pads of {min(pads)}")
        return replace(window, pads=tuple((a, max(b, 0)) for a, b in _pairs(pads)))
    wanted = [getattr(op, f"output_{axis}") for axis in axes]
    if not all(n > 0 for n in wanted):
        return window
    upper = SAME_UPPER in pads
    if not upper and SAME_LOWER not in pads:
        raise NoWindow("output extents without pads that say SAME, where the runtime fails")
    cuts: list[tuple[int, int]] = []
    for i, extent in enumerate(_known(extents)):
        cut = (extent - 1) * window.strides[i] + window.spans[i] + more[i] - wanted[i]
        half = int(cut / 2)  # as in C
        before = half if upper else cut - half
        if before < 0:
            raise NoWindow("output extents that are larger than what there is")
        cuts.append((before, cut - before))
    return replace(window, pads=tuple(cuts))


def pooling_window(op: Any, extents: Sequence[int]) -> Window:
    """The window of a pooling that is not global or adaptive (make_padding in
    src/layer/pooling.cpp). Raises `NoWindow`."""
    window = _window(op, None)
    if op.pad_mode in (POOL_SAME_UPPER, POOL_SAME_LOWER):
        lower = op.pad_mode == POOL_SAME_LOWER
        return replace(window, pads=_same_pads(op, window, extents, lower))
    pads = _pairs(pads_of(op, axes_of(op)))
    if op.pad_mode == FULL and any(stride > 1 for stride in window.strides):
        rows = zip(_known(extents), window.kernel, window.strides, pads, strict=True)
        pads = tuple((p[0], p[1] + tail(n + sum(p), k, s)) for n, k, s, p in rows)
    return replace(window, pads=pads)


def _window(op: Any, kernel: Sequence[int] | None) -> Window:
    """A window without pads."""
    axes = axes_of(op)
    if kernel is None:
        kernel = (DYNAMIC_INDEX,) * len(axes) if op.weights_are_dynamic() else kernel_of(op)
    steps = steps_of(op, "stride"), steps_of(op, "dilation")
    return Window(tuple(kernel), *steps, ((0, 0),) * len(axes), getattr(op, "group", 1))


def _pairs(pads: Sequence[int]) -> Pads:
    return tuple(zip(pads[::2], pads[1::2], strict=True))


def _known(extents: Sequence[int]) -> Sequence[int]:
    if DYNAMIC_INDEX in extents:
        raise NoWindow("the pads depend on extents that are not known")
    return extents


def _same_pads(op: Any, window: Window, extents: Sequence[int], lower: bool) -> Pads:
    """The pads for ceil(extent / stride) places along each axis, the odd one after or, where it is
    the `lower` mode, before: but the runtime pads the depth as for the other. None at all if
    nothing is lacking; what the runtime makes of less than nothing is not defined."""
    rows = zip(_known(extents), window.spans, window.strides, strict=True)
    totals = [same_total(*row) for row in rows]
    if not any(n > 0 for n in totals):
        return window.pads
    if min(totals) < 0:
        raise NoWindow("SAME pads along one axis, and negative ones along another")
    halves = [
        n - n // 2 if lower and axis != "d" else n // 2
        for axis, n in zip(axes_of(op), totals, strict=True)
    ]
    return tuple((half, n - half) for half, n in zip(halves, totals, strict=True))
