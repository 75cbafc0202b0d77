"""The scales of a model: of weights from their values, of blobs from what was counted."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.func import FuncOp
from xdsl.utils.exceptions import PassFailedException

from ..dialects.ncnn.int8 import StaticInt8
from ..dialects.ncnn.ranges import range_of_blob
from ..formats.scale_table import ScaleTable
from ..transforms.quantization.int8 import weight_rows
from .histograms import Counts
from .prepared import Prepared
from .statistics import Statistics
from .thresholds import LEVELS, METHODS, aciq_threshold

Array = NDArray[Any]

FEWEST_LEVELS = 31
"""Of weights whose sums could be too large for the runtime, `ncnn2table` tells so many apart."""

LARGEST_SCALE = float(np.finfo("f4").max)
"""A layer that needs a larger one stays float: float32 does not hold the inverse of its scales."""

_CANDIDATES = np.linspace(1, 0.5, 51)


def _by_largest(rows: Array) -> Array:
    """The largest magnitude of each row."""
    return np.abs(rows).max(1)


def _by_aciq(rows: Array) -> Array:
    """As ncnn's `aciq`."""
    return np.array([aciq_threshold(float(most), rows.shape[1]) for most in _by_largest(rows)])


def _by_mse(rows: Array) -> Array:
    """The squares of what rounding and clipping change are least, from half of the largest
    magnitude on."""
    largest = _by_largest(rows)
    best, least = largest.copy(), np.full(len(rows), np.inf)
    for share in _CANDIDATES:
        step = np.where(largest > 0, largest * share / LEVELS, 1)[:, None]
        rounded = np.clip(np.rint(rows / step), -LEVELS, LEVELS) * step
        error = ((rows - rounded) ** 2).sum(1)
        best = np.where(error < least, largest * share, best)
        least = np.minimum(error, least)
    return best


WEIGHT_METHODS: Mapping[str, Callable[[Array], Array]] = {
    "minmax": _by_largest,
    "mse": _by_mse,
    "aciq": _by_aciq,
}
"""Up to which magnitude the weights of each row are told apart."""


def weight_scales(op: StaticInt8, method: str = "minmax") -> Array:
    """The scale of each slice of a weight, 1 where all of it is 0, and at most `LARGEST_SCALE`.

    `127 / threshold`, unless the runtime's sums (`StaticInt8.largest_sum`) could be too large: then
    so much less that no input makes them so, but not less than ncnn's `31 / threshold`.

    Raises `PassFailedException` for weights that are not finite.
    """
    rows = weight_rows(op).astype("f8")
    if not np.isfinite(rows).all():
        raise PassFailedException(f"{op.label()}: its weight is not finite")
    thresholds = WEIGHT_METHODS[method](rows)
    empty = thresholds == 0
    scales = np.where(empty, 1.0, LEVELS / np.where(empty, LEVELS, thresholds))
    for attempt in range(3):
        most = largest_sums(op, np.clip(np.rint(rows * scales[:, None]), -LEVELS, LEVELS))
        if (most <= op.largest_sum()).all():
            break
        share = op.largest_sum() / np.maximum(most, 1)
        if attempt == 2:  # rounding keeps making them too large, by at most a half each
            room = op.largest_sum() - LEVELS * rows.shape[1] / 2
            share = room / np.maximum(largest_sums(op, rows * scales[:, None]), 1)
        share = np.where(most <= op.largest_sum(), 1.0, np.minimum(1.0, share))
        floor = FEWEST_LEVELS / np.where(empty, FEWEST_LEVELS, thresholds)
        scales = np.where(empty, 1.0, np.maximum(scales * share, np.minimum(floor, scales)))
    return np.minimum(scales, LARGEST_SCALE).astype("f4")


def largest_sums(op: StaticInt8, integers: Array) -> Array:
    """The largest sum of products, without its sign, that some input makes with each row of
    integers. An input that is certain not to be negative adds up either with the positive weights
    or the others."""
    positive, negative = (np.maximum(part, 0).sum(1) for part in (integers, -integers))
    one_sided = range_of_blob(op.data_operands()[0]).low >= 0
    return LEVELS * (np.maximum(positive, negative) if one_sided else positive + negative)


def blob_scale(counts: Counts, size: int, method: str) -> float:
    """The scale of a blob, infinite if it was always 0, else at most `LARGEST_SCALE`."""
    if counts.largest == 0:
        return float("inf")
    return min(LEVELS / METHODS[method](counts, size), LARGEST_SCALE)


def make_table(
    func: FuncOp, prepared: Prepared, found: Statistics, method: str, weight_method: str
) -> ScaleTable:
    """The table of a model, by what was counted on samples."""
    table, blobs = ScaleTable(), dict[str, float]()
    layers = {
        op.layer_name.data: op
        for op in func.body.block.ops
        if isinstance(op, StaticInt8) and op.layer_name is not None
    }
    for candidate in prepared.candidates:
        scales = weight_scales(layers[candidate.name], weight_method)
        table.weights[candidate.name, 0] = tuple(map(float, scales))
    for candidate in prepared.candidates:
        name = candidate.bottom
        if name not in blobs:
            blobs[name] = blob_scale(found.counts[name], found.sizes[name], method)
        table.blobs[candidate.name] = (blobs[name],)
    return table
