"""The scales of a model: of weights from their values, of blobs from their histograms.

A scale is 127 / threshold: larger magnitudes are clipped to the threshold, which one of several
methods chooses. A low threshold clips much, a high one makes steps of threshold / 127 that are
coarse for all elements.

Example: a million elements spread evenly from 0 to 1, and one element 10. Rounding makes a square
error of step^2 / 12 for each element. With the threshold 10 (`minmax`) the sum is about 520. With
the threshold 1 (`percentile`) rounding makes 5, and clipping 10 to 1 makes 81. `mse` finds the
least sum, 84, at the threshold 1.7. `kl` compares frequencies, not distances: one element of a
million counts little, and the threshold is 1.0.
"""

from collections.abc import Callable, Mapping
from math import log, pi, sqrt
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

Array = NDArray[Any]

BINS = 2048
"""Of the histograms of `kl`, as ncnn's."""
QMAX = 127
"""The largest int8."""
PERCENTILE = 99.99
"""The percentage of elements that `percentile` does not clip."""
_TARGET = 128
_EPSILON = 1e-4


def percentile(counts: Counts, percent: float = PERCENTILE) -> float:
    """Return the magnitude below which this percentage of all elements lies."""
    magnitudes, often = counts.places()
    allowed = counts.total * (1 - percent / 100)
    above = np.cumsum(often[::-1])[::-1]  # as large or larger
    clipped = np.flatnonzero(above <= allowed)
    return float(magnitudes[clipped[0]]) if clipped.size else counts.largest


def mse(counts: Counts) -> float:
    """Return the threshold with the least mean square error of int8, of 160 thresholds down to a
    hundredth of the largest magnitude."""
    magnitudes, often = counts.places()
    sums = _sums(magnitudes, often)
    candidates = counts.largest * np.geomspace(1, 0.01, 160)
    errors = [squared_error(magnitudes, often, sums, t) for t in candidates]
    return float(candidates[int(np.argmin(errors))])


def _sums(magnitudes: Array, often: Array) -> Array:
    """Return the count, the sum and the sum of squares of the elements below each magnitude."""
    powers = [often * magnitudes**n for n in range(3)]
    return np.array([np.concatenate([[0.0], np.cumsum(part)]) for part in powers])


def squared_error(magnitudes: Array, often: Array, sums: Array, threshold: float) -> float:
    """Return the square error of rounding and clipping at a threshold. The errors of elements that
    become 0 or are clipped follow from `sums`."""
    step = threshold / QMAX
    first, last = np.searchsorted(magnitudes, [step / 2, threshold])
    here = magnitudes[first:last]
    errors = here - np.rint(here / step) * step
    clipped, of_clipped, squares = sums[:, -1] - sums[:, last]
    above = squares - 2 * threshold * of_clipped + threshold**2 * clipped
    return float(sums[2, first] + often[first:last] @ (errors * errors) + max(above, 0.0))


def aciq(counts: Counts, size: int) -> float:
    """Return the best threshold for a normal distribution, as ncnn does. The deviation is estimated
    from the largest magnitude of `size` elements (R. Banner, Y. Nahshan, D. Soudry: Post training
    4-bit quantization of convolutional networks, 2019)."""
    return aciq_threshold(counts.largest, size)


def aciq_threshold(largest: float, size: int) -> float:
    """Return the threshold of `aciq` for the largest magnitude of `size` elements, at most that
    magnitude."""
    if size < 2:
        return largest
    deviation = largest * 2 * (0.5 * 0.35) * (1 + sqrt(pi * log(4))) / sqrt(2 * log(size))
    return min(3.92403714 * deviation, largest)


def kl(counts: Counts) -> float:
    """Return the threshold with the least Kullback-Leibler divergence of the clipped histogram from
    its quantization to 128 levels, as ncnn does, of the thresholds at bins 128 to 2,047. (NVIDIA,
    8-bit inference with TensorRT, 2017.)"""
    histogram = counts.histogram(BINS)
    frequencies = histogram / histogram.sum()
    below = np.concatenate([[0.0], np.cumsum(frequencies)])
    bins = np.arange(BINS + 1)
    best, least = _TARGET, np.inf
    for threshold in range(_TARGET, BINS):
        clipped = frequencies[:threshold] + _EPSILON
        clipped[-1] += 1 - below[threshold]
        ends = np.linspace(0, threshold, _TARGET + 1)
        levels = np.interp(ends, bins, below)  # the frequency below each level
        expanded = np.diff(np.interp(bins[: threshold + 1], ends, levels)) + _EPSILON
        divergence = float(clipped @ np.log(clipped / expanded))
        if divergence < least:
            best, least = threshold, divergence
    return (best + 0.5) * counts.largest / BINS


METHODS: Mapping[str, Callable[[Counts, int], float]] = {
    "kl": lambda counts, size: kl(counts),
    "minmax": lambda counts, size: counts.largest,  # nothing is clipped
    "aciq": aciq,
    "percentile": lambda counts, size: percentile(counts),
    "mse": lambda counts, size: mse(counts),
}
"""Each method maps the histogram of a blob, and its elements in one sample, to a threshold."""


LEAST_QMAX = 31
"""`ncnn2table` uses this largest integer for weights whose sums the runtime may not hold."""

LARGEST_SCALE = float(np.finfo("f4").max)
"""A layer that needs a larger one stays float: float32 does not hold the inverse of its scales."""

_CLIP_RATIOS = np.linspace(1, 0.5, 51)


WEIGHT_METHODS: Mapping[str, Callable[[Array], Array]] = {
    "minmax": largest_of_rows,
    "mse": lambda rows: largest_of_rows(rows) * best_clip_ratios(rows, QMAX, _CLIP_RATIOS),
    "aciq": lambda rows: np.array(
        [aciq_threshold(float(largest), rows.shape[1]) for largest in largest_of_rows(rows)]
    ),
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
