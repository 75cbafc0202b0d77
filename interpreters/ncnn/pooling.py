"""Reference semantics of pooling over windows and whole channels in `dialects/ncnn/pooling.py`.
(Regions are in regions.py.)"""

from collections.abc import Sequence
from math import prod

import numpy as np

from ...dialects.ncnn.activation import FLT_MAX
from ...dialects.ncnn.extents import ABSENT
from ...dialects.ncnn.pooling import Pool1D, StatisticsPoolingOp
from ...dialects.ncnn.spatial import pad_pairs, wanted_of
from ...dialects.ncnn.windows import FULL
from .channels import as_channels
from .regions import psroi_pooling, roi_align, roi_pooling
from .semantics import Array, Inputs, Weights, semantics
from .windows import adaptive, over_windows, pad, spatial_extents, window_of

__all__ = ["pooling", "psroi_pooling", "roi_align", "roi_pooling", "statistics_pooling"]

_MAX = 0


@semantics(Pool1D)
def pooling(op: Pool1D, inputs: Inputs, weights: Weights) -> Array:
    (x,) = inputs
    if op.global_pooling:
        channels = x.reshape(x.shape[0], -1)
        return channels.max(1) if op.pooling_type == _MAX else channels.mean(1)
    if op.adaptive_pooling:
        wanted = zip(spatial_extents(op, x), wanted_of(op, "out"), strict=True)
        return adaptive(x, [n if m == ABSENT else m for n, m in wanted], op.pooling_type == _MAX)
    window = window_of(op, x)
    bordered = pad(x, window.pads, -FLT_MAX if op.pooling_type == _MAX else 0)
    if op.pooling_type == _MAX:
        return over_windows(np.maximum, bordered, window)
    if op.avgpool_count_include_pad:
        return over_windows(np.add, bordered, window) / np.float32(prod(window.kernel))
    counted = np.zeros_like(bordered)
    kept = _counted(op, x, bordered)
    counted[(slice(None), *kept)] = bordered[(slice(None), *kept)]
    ones = np.full((1, *bordered.shape[1:]), 0, "f4", like=x)
    ones[(slice(None), *kept)] = 1
    with np.errstate(invalid="ignore"):  # 0 / 0: a window of padding only
        return over_windows(np.add, counted, window) / over_windows(np.add, ones, window)


def _counted(op: Pool1D, x: Array, bordered: Array) -> Sequence[slice]:
    """Return the range that a mean counts along each axis: the elements that are not padding
    according to the parameters. (For SAME modes these differ from the actual padding.)"""
    slices: list[slice] = []
    rows = zip(pad_pairs(op), x.shape[1:], bordered.shape[1:], strict=True)
    for (before, after), extent, whole in rows:
        slices.append(slice(before, extent + before if op.pad_mode == FULL else whole - after))
    return slices


@semantics(StatisticsPoolingOp)
def statistics_pooling(op: StatisticsPoolingOp, inputs: Inputs, weights: Weights) -> Array:
    channels = as_channels(inputs[0])
    means = channels.mean(1)
    if not op.include_stddev:
        return means
    return np.concatenate([means, np.sqrt(np.square(channels - means[:, None]).mean(1))])
