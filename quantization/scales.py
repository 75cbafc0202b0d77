"""The scales of a model: of weights from their values, of blobs from their histograms."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.utils.exceptions import PassFailedException

from ..dialects.ncnn.int8 import StaticInt8
from ..dialects.ncnn.ranges import range_of_blob
from ..formats.scale_table import ScaleTable
from ..transforms.quantization.int8 import weight_rows
from ..transforms.quantization.weights.scaled_integers import best_clip_ratios, largest_of_rows
from .histograms import Counts
from .int8_models import named_layers
from .prepared import RuntimeModel
from .statistics import Statistics
from .thresholds import METHODS, QMAX, aciq_threshold

Array = NDArray[Any]

LEAST_QMAX = 31
"""`ncnn2table` uses this largest integer for weights whose sums the runtime may not hold."""

LARGEST_SCALE = float(np.finfo("f4").max)
"""A layer that needs a larger one stays float: float32 does not hold the inverse of its scales."""

_CLIP_RATIOS = np.linspace(1, 0.5, 51)


def _aciq_thresholds(rows: Array) -> Array:
    return np.array([aciq_threshold(float(n), rows.shape[1]) for n in largest_of_rows(rows)])


def _mse_thresholds(rows: Array) -> Array:
    return largest_of_rows(rows) * best_clip_ratios(rows, QMAX, _CLIP_RATIOS)


WEIGHT_METHODS: Mapping[str, Callable[[Array], Array]] = {
    "minmax": largest_of_rows,
    "mse": _mse_thresholds,
    "aciq": _aciq_thresholds,
}
"""The methods that choose the clipping threshold of each row of weights."""


def weight_scales(op: StaticInt8, method: str = "minmax") -> Array:
    """Return the scale of each slice of a weight: 1 for a slice of zeros, at most `LARGEST_SCALE`.

    A scale is `127 / threshold`. If sums could exceed the runtime's limit
    (`StaticInt8.largest_sum`), it is smaller, so that no input exceeds the limit, but at least
    ncnn's `31 / threshold`.

    Raises `PassFailedException` for weights that are not finite.
    """
    rows = weight_rows(op).astype("f8")
    if not np.isfinite(rows).all():
        raise PassFailedException(f"{op.label()}: its weight is not finite")
    thresholds = WEIGHT_METHODS[method](rows)
    empty = thresholds == 0
    scales = np.where(empty, 1.0, QMAX / np.where(empty, QMAX, thresholds))
    for attempt in range(3):
        most = largest_sums(op, np.clip(np.rint(rows * scales[:, None]), -QMAX, QMAX))
        if (most <= op.largest_sum()).all():
            break
        factor = op.largest_sum() / np.maximum(most, 1)
        if attempt == 2:  # rounding still enlarges the sums, by at most a half for each weight
            limit = op.largest_sum() - QMAX * rows.shape[1] / 2
            factor = limit / np.maximum(largest_sums(op, rows * scales[:, None]), 1)
        factor = np.where(most <= op.largest_sum(), 1.0, np.minimum(1.0, factor))
        floor = LEAST_QMAX / np.where(empty, LEAST_QMAX, thresholds)
        scales = np.where(empty, 1.0, np.maximum(scales * factor, np.minimum(floor, scales)))
    return np.minimum(scales, LARGEST_SCALE).astype("f4")


def largest_sums(op: StaticInt8, integers: Array) -> Array:
    """Return the largest magnitude of the sum of products of any input with each row of integers.
    An input that is known not to be negative adds up with weights of one sign only."""
    positive, negative = (np.maximum(part, 0).sum(1) for part in (integers, -integers))
    one_sided = range_of_blob(op.data_operands()[0]).low >= 0
    return QMAX * (np.maximum(positive, negative) if one_sided else positive + negative)


def blob_scale(counts: Counts, size: int, method: str) -> float:
    """Return the scale of a blob: infinite if it was always 0, else at most `LARGEST_SCALE`."""
    if counts.largest == 0:
        return float("inf")
    return min(QMAX / METHODS[method](counts, size), LARGEST_SCALE)


def make_table(
    prepared: RuntimeModel, found: Statistics, method: str, weight_method: str
) -> ScaleTable:
    """Return the scale table of a model, from the statistics of its blobs."""
    table, blobs = ScaleTable(), dict[str, float]()
    layers = named_layers(prepared.module)
    for candidate in prepared.candidates:
        layer = layers[candidate.name]
        assert isinstance(layer, StaticInt8)
        scales = weight_scales(layer, weight_method)
        table.weights[candidate.name, 0] = tuple(map(float, scales))
    for candidate in prepared.candidates:
        name = candidate.bottom
        if name not in blobs:
            blobs[name] = blob_scale(found.counts[name], found.sizes[name], method)
        table.blobs[candidate.name] = (blobs[name],)
    return table
