"""Sliding windows over blobs: channels first, then the spatial axes of d, h, w that exist."""

from collections.abc import Sequence
from functools import reduce
from itertools import product
from math import prod
from typing import cast

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.spatial import WindowParams, axes_of
from ...dialects.shapes.windows import HasWindow, Window, span_of
from .semantics import Array
from .traceable import traceable

COLUMN_ELEMENTS = 1 << 19
"""The number of window elements laid out at a time. Matrix products are several times faster on
data that fits the caches."""


@traceable
def pad(x: Array, pads: Sequence[tuple[int, int]], value: float) -> Array:
    """Return the blob with a border of this value, cast to the blob's type. Pads give the elements
    before and after each spatial axis; negative pads cut off."""
    if any(n < 0 for pair in pads for n in pair):
        pairs = zip(pads, x.shape[x.ndim - len(pads) :], strict=True)
        cuts = (slice(max(-a, 0), n - max(-b, 0)) for (a, b), n in pairs)
        x = x[(..., *cuts)]
    if not any(n > 0 for pair in pads for n in pair):
        return x
    widths = [(max(a, 0), max(b, 0)) for a, b in pads]
    whole = [(0, 0)] * (x.ndim - len(pads))
    return np.pad(x, [*whole, *widths], constant_values=x.dtype.type(value))


def window_of(op: HasWindow, x: Array, kernel: Sequence[int] | None = None) -> Window[int]:
    """Return the window of a layer on a blob. Raises `ValueError` for a blob of another rank."""
    return op.window_on(spatial_extents(op, x), kernel)


def spatial_extents(op: HasWindow, x: Array) -> Sequence[int]:
    """Return the extents of a blob that a layer's window slides along. Raises `ValueError` for a
    blob of another rank."""
    rank = len(axes_of(cast(WindowParams, op))) + 1
    if x.ndim != rank:
        label = cast(LayerOp, op).label()
        raise ValueError(f"{label} takes a blob of {rank} dims, and gets one of {x.ndim}")
    return x.shape[1:]


@traceable
def windows(
    x: Array, kernel: Sequence[int], strides: Sequence[int], dilations: Sequence[int]
) -> Array:
    """Return all windows as a view of `… x windows x kernel`, for the remaining axes."""
    axes = tuple(range(x.ndim - len(kernel), x.ndim))
    spans = [span_of(k, d) for k, d in zip(kernel, dilations, strict=True)]
    if any(x.shape[a] < span for a, span in zip(axes, spans, strict=True)):
        raise ValueError(f"a window of {spans} does not fit into {list(x.shape)}")
    view = sliding_window_view(x, spans, axes)
    steps = [slice(None, None, n) for n in (*strides, *dilations)]
    return view[(..., *steps)]


@traceable
def over_windows(function: np.ufunc, x: Array, window: Window[int]) -> Array:
    """Reduce each window with a binary function: padded x `… x extents` -> `… x windows`."""
    view = windows(x, window.kernel, window.strides, window.dilations)
    return reduce(function, (view[(..., *place)] for place in product(*map(range, window.kernel))))


@traceable
def correlate(x: Array, weight: Array, window: Window[int]) -> Array:
    """Return the sums of a convolution on a padded input: x `c x …`, weight
    `outputs x c / group x kernel` -> `outputs x …`."""
    group, strides, dilations = window.groups, window.strides, window.dilations
    outputs, inputs, *kernel = weight.shape
    if inputs * group != x.shape[0]:
        raise ValueError(f"{x.shape[0]} channels, but the weight needs {inputs * group}")
    matrix = weight.reshape(group, outputs // group, -1)
    if all(n == 1 for n in (*kernel, *strides)):
        return (matrix @ x.reshape(group, inputs, -1)).reshape(outputs, *x.shape[1:])
    view = windows(x, kernel, strides, dilations)
    extents = view.shape[1 : 1 + len(kernel)]
    split = view.reshape(group, inputs, *view.shape[1:]) if group > 1 else view[None]
    # group, inputs, kernel, windows: the columns of one matrix product per group
    order = (0, 1, *range(2 + len(kernel), split.ndim), *range(2, 2 + len(kernel)))
    columns = split.transpose(order)
    result = np.empty((group, outputs // group, *extents), np.result_type(x, weight))
    rows, row = extents[0], prod(extents[1:]) * prod(columns.shape[: 2 + len(kernel)])
    step = max(COLUMN_ELEMENTS // max(row, 1), 1)
    places = (slice(None),) * (2 + len(kernel))
    for start in range(0, rows, step):
        part = columns[(*places, slice(start, start + step))]
        sums = matrix @ part.reshape(group, matrix.shape[2], -1)
        target = result[:, :, start : start + step]
        target[...] = sums.reshape(target.shape)
    return result.reshape(outputs, *extents)


@traceable
def spread(x: Array, weight: Array, window: Window[int]) -> Array:
    """Return the sums of a deconvolution, including the elements that its pads cut off: x `c x …`,
    weight `outputs x c / group x kernel` -> `outputs x …`."""
    group, strides, dilations = window.groups, window.strides, window.dilations
    outputs, inputs, *kernel = weight.shape
    if inputs * group != x.shape[0]:
        raise ValueError(f"{x.shape[0]} channels, but the weight needs {inputs * group}")
    matrix = weight.reshape(group, outputs // group, inputs, -1).transpose(0, 1, 3, 2)
    sums = matrix.reshape(group, -1, inputs) @ x.reshape(group, inputs, -1)
    parts = sums.reshape(outputs, *kernel, *x.shape[1:])
    full = [
        (n - 1) * s + span_of(k, d) + m
        for n, s, d, k, m in zip(x.shape[1:], strides, dilations, kernel, window.more, strict=True)
    ]
    result = np.zeros((outputs, *full), sums.dtype)
    for place in product(*map(range, kernel)):
        target = tuple(
            slice(p * d, p * d + (n - 1) * s + 1, s)
            for p, d, n, s in zip(place, dilations, x.shape[1:], strides, strict=True)
        )
        result[(slice(None), *target)] += parts[(slice(None), *place)]
    kept = (slice(a, n - b) for (a, b), n in zip(window.pads, full, strict=True))
    return result[(slice(None), *kept)]


def adaptive(x: Array, counts: Sequence[int], is_max: bool) -> Array:
    """Return the maximum or the mean of each window of adaptive pooling, this number of windows
    along each axis."""
    pool = np.max if is_max else np.mean
    for axis, count in enumerate(counts, 1):
        n = x.shape[axis]
        parts = [slice(i * n // count, -(-(i + 1) * n // count)) for i in range(count)]
        before = (slice(None),) * axis
        x = np.stack([pool(x[(*before, part)], axis=axis) for part in parts], axis=axis)
    return x
