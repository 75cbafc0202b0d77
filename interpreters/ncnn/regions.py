"""Reference semantics of region pooling: a blob `c x h x w` and a region x1, y1, x2, y2 give
`c x pooled_height x pooled_width`.

Coordinates are float32 as in the runtime, since another precision could round to another element.
(The runtime divides by approximate inverses, so a bin ending at an integer may have one element
more there.)
"""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from ...dialects.ncnn.pooling import PSROIPoolingOp, ROIAlignOp, ROIPoolingOp
from .int8 import rounded
from .semantics import Array, Inputs, Weights, semantics

Spans: TypeAlias = Sequence[slice]
"""The elements of an axis in each bin."""

MAX_SAMPLES = 1 << 16
"""The maximum number of samples per bin along an axis: a region's coordinates may be any floats."""


def _spans(starts: Array, ends: Array, extent: int) -> Spans:
    bounds = (np.clip(v, 0, extent).astype("i8").tolist() for v in (starts, ends))
    return [slice(a, b) for a, b in zip(*bounds, strict=True)]


@semantics(ROIPoolingOp)
def roi_pooling(op: ROIPoolingOp, inputs: Inputs, weights: Weights) -> Array:
    x, region = inputs
    x1, y1, x2, y2 = rounded(region.reshape(-1)[:4] * np.float32(op.spatial_scale))

    def spans(first: Array, last: Array, bins: int, extent: int) -> Spans:
        size = np.maximum(last - first + 1, 1) / np.float32(bins)
        edges = np.arange(bins + 1, dtype="f4") * size
        return _spans(first + np.floor(edges[:-1]), first + np.ceil(edges[1:]), extent)

    rows = spans(y1, y2, op.pooled_height, x.shape[1])
    columns = spans(x1, x2, op.pooled_width, x.shape[2])
    result = np.zeros((len(x), len(rows), len(columns)), "f4")
    for i, row in enumerate(rows):
        for j, column in enumerate(columns):
            if row.start < row.stop and column.start < column.stop:
                result[:, i, j] = x[:, row, column].max((1, 2))
    return result


@semantics(PSROIPoolingOp)
def psroi_pooling(op: PSROIPoolingOp, inputs: Inputs, weights: Weights) -> Array:
    x, region = inputs
    x1, y1, x2, y2 = rounded(region.reshape(-1)[:4] + np.array([0, 0, 1, 1], "f4"))

    def spans(first: Array, last: Array, bins: int, extent: int) -> Spans:
        scale = np.float32(op.spatial_scale)
        start = first * scale
        size = np.maximum(last * scale - start, np.float32(0.1)) / np.float32(bins)
        edges = start + np.arange(bins + 1, dtype="f4") * size
        return _spans(np.floor(edges[:-1]), np.ceil(edges[1:]), extent)

    rows = spans(y1, y2, op.pooled_height, x.shape[1])
    columns = spans(x1, x2, op.pooled_width, x.shape[2])
    planes = x.reshape(op.output_dim, len(rows), len(columns), *x.shape[1:])
    result = np.zeros(planes.shape[:3], "f4")
    for i, row in enumerate(rows):
        for j, column in enumerate(columns):
            if row.start < row.stop and column.start < column.stop:
                result[:, i, j] = planes[:, i, j, row, column].mean((1, 2))
    return result


@semantics(ROIAlignOp)
def roi_align(op: ROIAlignOp, inputs: Inputs, weights: Weights) -> Array:
    x, region = inputs
    edge = np.float32(0.5 if op.aligned else 0)
    x1, y1, x2, y2 = region.reshape(-1)[:4] * np.float32(op.spatial_scale) - edge
    rows = _bin_weights(op, y1, y2, op.pooled_height, x.shape[1])
    columns = _bin_weights(op, x1, x2, op.pooled_width, x.shape[2])
    return rows @ x @ columns.T


def _bin_weights(op: ROIAlignOp, start: Array, end: Array, bins: int, extent: int) -> Array:
    """Return each element's weight in the mean of each bin along an axis: `bins x extent`. Bilinear
    sampling on a grid is separable."""
    size = end - start
    size = (size if op.aligned else np.maximum(size, 1)) / np.float32(bins)
    firsts = start + np.arange(bins, dtype="f4") * size
    ends = start + np.arange(1, bins + 1, dtype="f4") * size
    if op.version == 0:
        firsts, ends = np.clip(firsts, 0, extent), np.clip(ends, 0, extent)
    weights = np.zeros((bins, extent), "f4")
    for row, first, last in zip(weights, firsts, ends, strict=True):
        if op.version == 0 and last <= first:
            continue
        samples = op.sampling_ratio
        if samples <= 0:
            count = last - first if op.version == 0 else size
            if not count <= MAX_SAMPLES:
                raise ValueError(f"{op.label()}: the region needs too many samples")
            samples = int(np.ceil(count))
        positions = first + (np.arange(samples, dtype="f4") + np.float32(0.5)) * size / max(
            samples, 1
        )
        if op.version == 1:
            positions = positions[(positions >= -1) & (positions <= extent)]
        _add_bilinear(row, positions)
        row /= max(samples, 1)
    return weights


def _add_bilinear(weights: Array, positions: Array) -> None:
    """Add each element's weight in samples at these positions along an axis. (Beyond the last
    element the runtime reads out of bounds; here the nearest element counts.)"""
    positions = np.clip(positions, 0, len(weights) - 1)
    low = positions.astype("i8")
    high = np.minimum(low + 1, len(weights) - 1)
    part = positions - low.astype("f4")
    np.add.at(weights, low, 1 - part)
    np.add.at(weights, high, part)
