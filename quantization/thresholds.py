"""Methods that choose the clipping threshold of a blob from its histogram. Larger magnitudes are
clipped to the threshold; the scale is 127 / threshold."""

from collections.abc import Callable, Mapping
from math import log, pi, sqrt

import numpy as np

from .histograms import Array, Counts

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
