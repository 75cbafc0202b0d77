"""The windows of layers: the meaning of ncnn's pad modes on a blob of given extents, integers or
terms.

`dialects/shapes/windows.py` has the arithmetic on windows, for example the number of positions.
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
"""The values of a pooling's pad_mode."""


class TransposedLayer(TransposedParams, Protocol):
    """The parameters of a deconvolution that its window depends on."""

    def weights_are_dynamic(self) -> bool: ...

    def group_count(self) -> int: ...


class PoolingParams(WindowParams, Protocol):
    """The parameters of a pooling's window."""

    pad_mode: int


def convolution_window(
    op: Window1D, extents: Sequence[Extent], kernel: Extents | None = None, groups: int = 1
) -> Window[Extent]:
    """Return the window of a convolution.

    As in ncnn's make_padding (src/layer/convolution.cpp): if any pad is positive, all are explicit.
    Otherwise -233 or -234 for all of them means SAME.
    """
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
    """Return the window of a deconvolution; its pads are cut off.

    As in ncnn's cut_padding (src/layer/deconvolution.cpp): if any pad is positive, all are
    explicit; otherwise requested output extents apply, if any. Elements missing at the end are not
    filled up. Raises `NoWindow` where the runtime fails.
    """
    window = _window(op, _kernel(op, kernel), op.group_count())
    window, pads = window._replace(more=output_pads_of(op)), pads_of(op)
    if any(n > 0 for n in pads):
        return window._replace(pads=tuple((a, max(b, 0)) for a, b in pad_pairs(op)))
    wanted = wanted_of(op, "output")
    if not all(n > 0 for n in wanted):
        return window
    upper = SAME_UPPER in pads
    if not upper and SAME_LOWER not in pads:
        raise NoWindow("output extents need SAME pads; the runtime fails on others")
    cuts = zip(window.reach(extents), wanted, strict=True)
    return window._replace(pads=tuple(_cut(n, m, upper) for n, m in cuts))


def _cut(extent: Extent, wanted: int, upper: bool) -> tuple[Extent, Extent]:
    """Return the pads cut off for a requested extent. `upper`: the odd element is cut off after,
    else before."""
    cut = extent - wanted
    if isinstance(cut, int):
        half = int(cut / 2)  # truncation as in C
        before = half if upper else cut - half
        return before, max(cut - before, 0)
    if not at_least(extent, wanted):
        return UNKNOWN, UNKNOWN
    half = cut // 2
    return (half, cut - half) if upper else (cut - half, half)


def pooling_window(op: PoolingParams, extents: Sequence[Extent]) -> Window[Extent]:
    """Return the window of a pooling that is neither global nor adaptive (make_padding in
    src/layer/pooling.cpp). Raises `NoWindow`."""
    window = _window(op, kernel_of(op))
    if op.pad_mode in (POOL_SAME_UPPER, POOL_SAME_LOWER):
        lower = op.pad_mode == POOL_SAME_LOWER
        return window._replace(pads=_same_pads(op, window, extents, lower))
    if op.pad_mode not in (FULL, VALID):
        return window
    if (least := min(pads_of(op))) < 0:
        raise NoWindow(f"a pad is negative ({least})")
    pads: Pads[Extent] = pad_pairs(op)
    if op.pad_mode == FULL:
        rows = zip(extents, window.kernel, window.strides, pads, strict=True)
        pads = tuple((a, b + _tail(n + (a + b), k, stride)) for n, k, stride, (a, b) in rows)
    return window._replace(pads=pads)


def _tail(extent: Extent, kernel: Extent, stride: int) -> Extent:
    """Return the padding that the last pooling window needs at the end. The remainder has the
    dividend's sign, as in C: if the kernel is larger than the input, the padding exceeds one
    window's need."""
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
    """Return the window of a layer with explicit pads only."""
    return _window(op, kernel_of(op))._replace(pads=pad_pairs(op))


def _kernel(op: Window1D | TransposedLayer, given: Extents | None) -> Extents:
    """Return the given kernel, or the parameters' kernel unless it is a blob."""
    if given is not None:
        return given
    return (UNKNOWN,) * len(axes_of(op)) if op.weights_are_dynamic() else kernel_of(op)


def _window(op: WindowParams, kernel: Extents, groups: int = 1) -> Window[Extent]:
    """Return a window without pads."""
    return Window(kernel, strides_of(op), dilations_of(op), ((0, 0),) * len(kernel), groups)


def _same_pads(
    op: WindowParams, window: Window[Extent], extents: Sequence[Extent], lower: bool
) -> Pads[Extent]:
    """Return the pads for ceil(extent / stride) positions along each axis.

    The odd element goes after, or before in the `lower` mode; the runtime always pads the depth in
    `upper` mode. No axis is padded if no axis needs padding. (As terms, pads may be negative where
    the runtime adds none; the number of positions is the same.)
    """
    totals = list(map(lacking, extents, window.spans, window.strides))
    if all(isinstance(n, int) and n <= 0 for n in totals):
        return window.pads
    pads: list[tuple[Extent, Extent]] = []
    for axis, n in zip(axes_of(op), totals, strict=True):
        half = int(n / 2) if isinstance(n, int) else n // 2  # truncation as in C
        pads.append((n - half, half) if lower and axis != "d" else (half, n - half))
    return tuple(pads)
