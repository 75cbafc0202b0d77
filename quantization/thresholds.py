"""Up to which magnitude a blob is told apart in int8, from its counts; what is larger counts as
that. The scale is 127 / that."""

from collections.abc import Callable, Mapping
from math import log, pi, sqrt

import numpy as np

from .histograms import Array, Counts

BINS = 2048
"""Of the histograms of `kl`, as ncnn's."""
LEVELS = 127
"""The largest int8."""
PERCENTILE = 99.99
"""Percent of all elements that `percentile` does not clip."""
_TARGET = 128
_EPSILON = 1e-4


def minmax(counts: Counts) -> float:
    """Nothing is clipped."""
    return counts.largest


def percentile(counts: Counts, percent: float = PERCENTILE) -> float:
    """So many percent of all elements are not clipped."""
    magnitudes, often = counts.places()
    allowed = counts.total * (1 - percent / 100)
    above = np.cumsum(often[::-1])[::-1]  # as large or larger
    clipped = np.flatnonzero(above <= allowed)
    return float(magnitudes[clipped[0]]) if clipped.size else counts.largest


def mse(counts: Counts) -> float:
    """The mean squared difference between elements and what int8 makes of them is least, among 160
    thresholds down to a hundredth of the largest magnitude."""
    magnitudes, often = counts.places()
    sums = _sums(magnitudes, often)
    candidates = counts.largest * np.geomspace(1, 0.01, 160)
    errors = [squared_error(magnitudes, often, sums, t) for t in candidates]
    return float(candidates[int(np.argmin(errors))])


def _sums(magnitudes: Array, often: Array) -> Array:
    """How many magnitudes there are before each, their sum and that of their squares."""
    powers = [often * magnitudes**n for n in range(3)]
    return np.array([np.concatenate([[0.0], np.cumsum(part)]) for part in powers])


def squared_error(magnitudes: Array, often: Array, sums: Array, threshold: float) -> float:
    """What rounding and clipping at a threshold changes, squared and added up. What becomes 0 and
    what is clipped are parts of sums that are known."""
    step = threshold / LEVELS
    first, last = np.searchsorted(magnitudes, [step / 2, threshold])
    here = magnitudes[first:last]
    errors = here - np.rint(here / step) * step
    clipped, of_clipped, squares = sums[:, -1] - sums[:, last]
    above = squares - 2 * threshold * of_clipped + threshold**2 * clipped
    return float(sums[2, first] + often[first:last] @ (errors * errors) + max(above, 0.0))


def aciq(counts: Counts, size: int) -> float:
    """As ncnn's: the best threshold for a normal distribution, whose deviation is guessed from the
    largest magnitude of `size` elements (R. Banner, Y. Nahshan, D. Soudry: Post training 4-bit
    quantization of convolutional networks, 2019)."""
    return aciq_threshold(counts.largest, size)


def aciq_threshold(largest: float, size: int) -> float:
    """The same, of the largest magnitude of so many elements. Never more than that."""
    if size < 2:
        return largest
    deviation = largest * 2 * (0.5 * 0.35) * (1 + sqrt(pi * log(4))) / sqrt(2 * log(size))
    return min(3.92403714 * deviation, largest)


def kl(counts: Counts) -> float:
    """As ncnn's: the divergence (S. Kullback, R. A. Leibler, 1951) of the histogram, what is above
    the threshold in its last bin, from the same in 128 levels is least, among the thresholds at
    bins 128 to 2,047. (NVIDIA, 8-bit inference with TensorRT, 2017.)"""
    histogram = counts.histogram(BINS)
    shares = histogram / histogram.sum()
    below = np.concatenate([[0.0], np.cumsum(shares)])
    bins = np.arange(BINS + 1)
    best, least = _TARGET, np.inf
    for threshold in range(_TARGET, BINS):
        clipped = shares[:threshold] + _EPSILON
        clipped[-1] += 1 - below[threshold]
        ends = np.linspace(0, threshold, _TARGET + 1)
        levels = np.interp(ends, bins, below)  # what lies below each level
        expanded = np.diff(np.interp(bins[: threshold + 1], ends, levels)) + _EPSILON
        divergence = float(clipped @ np.log(clipped / expanded))
        if divergence < least:
            best, least = threshold, divergence
    return (best + 0.5) * counts.largest / BINS


METHODS: Mapping[str, Callable[[Counts, int], float]] = {
    "kl": lambda counts, size: kl(counts),
    "minmax": lambda counts, size: minmax(counts),
    "aciq": aciq,
    "percentile": lambda counts, size: percentile(counts),
    "mse": lambda counts, size: mse(counts),
}
"""Each method, of the counts of a blob and how many elements it has in one sample."""
