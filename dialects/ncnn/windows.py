"""The windows of layers: what the modes of ncnn's pads mean on a blob of given extents, numbers or
terms. What follows from it, say how many places a window has, is in `dialects/shapes/windows.py`.
"""

from collections.abc import Sequence
from math import fmod
from typing import Protocol

from ..shapes.terms import UNKNOWN, Extent, Extents, at_least, function
from ..shapes.windows import NoWindow, Pads, Window, lacking
from .spatial import (
    SAME_LOWER,
    SAME_UPPER,
    TransposedParams,
    Window1D,
    WindowParams,
    axes_of,
    dilations_of,
    kernel_of,
    output_pads_of,
    pad_pairs,
    pads_of,
    strides_of,
    wanted_of,
)

FULL, VALID, POOL_SAME_UPPER, POOL_SAME_LOWER = range(4)
"""The pad_mode of poolings."""


class TransposedLayer(TransposedParams, Protocol):
    """What is asked of a deconvolution."""

    def weights_are_dynamic(self) -> bool: ...

    def group_count(self) -> int: ...


class PoolingParams(WindowParams, Protocol):
    """The parameters of a pooling's window."""

    pad_mode: int


def convolution_window(
    op: Window1D, extents: Sequence[Extent], kernel: Extents | None = None, groups: int = 1
) -> Window[Extent]:
    """The window of a convolution. As ncnn's make_padding (src/layer/convolution.cpp): any positive
    pad makes all of them count, and only then -233 or -234 for all of them mean SAME."""
    window = _window(op, _kernel(op, kernel), groups)
    pads = pads_of(op)
    if any(n > 0 for n in pads):
        return window._replace(pads=pad_pairs(op))
    upper, lower = (all(n == mode for n in pads) for mode in (SAME_UPPER, SAME_LOWER))
    if not (upper or lower):
        return window
    return window._replace(pads=_same_pads(op, window, extents, lower))


def transposed_window(
    op: TransposedLayer, extents: Sequence[Extent], kernel: Extents | None = None
) -> Window[Extent]:
    """The window of a deconvolution; its pads are cut off. As ncnn's cut_padding
    (src/layer/deconvolution.cpp): any positive pad makes all of them count; without, wanted output
    extents win if there are any. Nothing is filled up at the end: one element too few is not
    missed. Raises `NoWindow` where the runtime fails."""
    window = _window(op, _kernel(op, kernel), op.group_count())
    window, pads = window._replace(more=output_pads_of(op)), pads_of(op)
    if any(n > 0 for n in pads):
        return window._replace(pads=tuple((a, max(b, 0)) for a, b in pad_pairs(op)))
    wanted = wanted_of(op, "output")
    if not all(n > 0 for n in wanted):
        return window
    upper = SAME_UPPER in pads
    if not upper and SAME_LOWER not in pads:
        raise NoWindow("output extents without pads that say SAME, where the runtime fails")
    cuts = zip(window.reach(extents), wanted, strict=True)
    return window._replace(pads=tuple(_cut(n, m, upper) for n, m in cuts))


def _cut(extent: Extent, wanted: int, upper: bool) -> tuple[Extent, Extent]:
    """What is cut off for a wanted extent; the odd element after or, if not `upper`, before."""
    cut = extent - wanted
    if isinstance(cut, int):
        half = int(cut / 2)  # as in C
        before = half if upper else cut - half
        return before, max(cut - before, 0)
    if not at_least(extent, wanted):
        return UNKNOWN, UNKNOWN
    half = cut // 2
    return (half, cut - half) if upper else (cut - half, half)


def pooling_window(op: PoolingParams, extents: Sequence[Extent]) -> Window[Extent]:
    """The window of a pooling that is not global or adaptive (make_padding in
    src/layer/pooling.cpp). Raises `NoWindow`."""
    window = _window(op, kernel_of(op))
    if op.pad_mode in (POOL_SAME_UPPER, POOL_SAME_LOWER):
        lower = op.pad_mode == POOL_SAME_LOWER
        return window._replace(pads=_same_pads(op, window, extents, lower))
    if op.pad_mode not in (FULL, VALID):
        return window
    if (least := min(pads_of(op))) < 0:
        raise NoWindow(f"pads of {least}")
    pads: Pads[Extent] = pad_pairs(op)
    if op.pad_mode == FULL:
        rows = zip(extents, window.kernel, window.strides, pads, strict=True)
        pads = tuple((a, b + _tail(n + (a + b), k, stride)) for n, k, stride, (a, b) in rows)
    return window._replace(pads=pads)


def _tail(extent: Extent, kernel: Extent, stride: int) -> Extent:
    """What the last window of a pooling lacks at the end. The remainder has the sign of what it is
    of, as in C: where the kernel is larger than the input, the padding is more than one window
    needs."""
    rest = extent - kernel
    if stride <= 1:
        return 0
    if isinstance(rest, int):
        left = int(fmod(rest, stride))
        return stride - left if left else 0
    if at_least(rest, 0):
        return (rest + (stride - 1)) // stride * stride - rest
    return function("tail", rest, stride, least=0, most=2 * stride - 1)


def given_window(op: WindowParams) -> Window[Extent]:
    """The window of a layer whose pads mean what they say."""
    return _window(op, kernel_of(op))._replace(pads=pad_pairs(op))


def _kernel(op: Window1D | TransposedLayer, given: Extents | None) -> Extents:
    """A kernel as given; otherwise as the parameters say, unless it is a blob's."""
    if given is not None:
        return given
    return (UNKNOWN,) * len(axes_of(op)) if op.weights_are_dynamic() else kernel_of(op)


def _window(op: WindowParams, kernel: Extents, groups: int = 1) -> Window[Extent]:
    """A window without pads."""
    return Window(kernel, strides_of(op), dilations_of(op), ((0, 0),) * len(kernel), groups)


def _same_pads(
    op: WindowParams, window: Window[Extent], extents: Sequence[Extent], lower: bool
) -> Pads[Extent]:
    """The pads for ceil(extent / stride) places along each axis, the odd one after or, where it is
    the `lower` mode, before: but the runtime pads the depth as for the other. None at all if
    nothing is lacking along any axis. (As terms they may be less than nothing where the runtime
    pads nothing; the number of places is the same.)"""
    totals = list(map(lacking, extents, window.spans, window.strides))
    if all(isinstance(n, int) and n <= 0 for n in totals):
        return window.pads
    pads: list[tuple[Extent, Extent]] = []
    for axis, n in zip(axes_of(op), totals, strict=True):
        half = int(n / 2) if isinstance(n, int) else n // 2  # as in C
        pads.append((n - half, half) if lower and axis != "d" else (half, n - half))
    return tuple(pads)
