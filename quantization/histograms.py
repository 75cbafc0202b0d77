"""Histograms of the magnitudes in a blob. They do not depend on the order of samples: the
histograms of parts of the data add up to the histogram of all, to the byte.

The bin of a magnitude is the upper bits of its float32: the exponent and 11 bits of the mantissa.
So there are 2,048 bins between a number and its double, the range need not be known in advance, and
a shift finds the bin. `ncnn2table` makes a histogram of 2,048 equal bins up to the largest value,
in a second pass; here the upper half of this range has two bins for each of them.

Example: 3 = 1.5 * 2^1. The first bin begins at 2^-24, so its exponent is the 25th behind the first,
and its mantissa is at the middle: bin 25 * 2,048 + 1,024 = 52,224, from 3 to 3 + 2 / 2,048.
"""

import hashlib
from dataclasses import dataclass, field
from math import isfinite, isqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

PLACES = 2048
"""Bins between a number and its double, a power of two. (The bins of the threshold `kl` are others:
`scales.BINS`.)"""
_SHIFT = 24 - PLACES.bit_length()
"""The bits of a mantissa that a bin does not tell apart."""
_LEAST_EXPONENT = -24
"""Smaller magnitudes than 2 to this power, except 0, count as this power."""
_FIRST = (_LEAST_EXPONENT + 127) * PLACES
"""Its bin."""
_INFINITE = 0x7F800000


class NotFinite(Exception):
    """A value is infinite or NaN."""


def largest_of(values: Array) -> float:
    """Return the largest magnitude. Raises `NotFinite`."""
    if not values.size:
        return 0.0
    most = max(float(values.max()), -float(values.min()))
    if not isfinite(most):
        raise NotFinite
    return most


PRINTED = 1 << 12
"""Elements in the fingerprint of a blob."""


def fingerprint(values: Array) -> str:
    """Return a text that identifies finite values: `=` and the value if all are equal, else a
    digest of the extremes and of some elements."""
    if not values.size:
        return "="
    low, high = float(values.min()), float(values.max())
    if low == high:
        return f"={low + 0.0:g}"  # -0 is 0
    digest = hashlib.blake2b(thinned(values, 0, PRINTED).tobytes(), digest_size=8)
    digest.update(repr((low, high, values.size)).encode())
    return digest.hexdigest()


def thinned(values: Array, index: int, most: int) -> Array:
    """Return a copy of at most `most` elements of sample number `index`: each n-th, with another
    first element in each sample. The choice does not depend on other samples.

    n is prime. It has no factor in common with the extents of nearly all blobs, so that elements of
    all rows, columns and channels are chosen.
    """
    flat = values.reshape(-1)
    step = -(-flat.size // most)
    while any(step % factor == 0 for factor in range(2, isqrt(step) + 1)):
        step += 1
    return np.array(flat[index % step :: step] if step > 1 else flat, "<f4")


@dataclass
class Counts:
    """The histogram of one blob."""

    zeros: int = 0
    """The number of elements that are 0."""
    largest: float = 0.0
    """The largest magnitude."""
    counts: Array = field(default_factory=lambda: np.zeros(0, np.int64))
    """The number of other elements in each bin, from 2**-24 on."""

    def add(self, values: Array) -> None:
        """Count the elements of a blob. Raises `NotFinite`."""
        flat = np.ascontiguousarray(values, "<f4").reshape(-1).view("<u4")
        if not flat.size:
            return
        # Reuse memory: new pages take longer than the work on them.
        bits, indices = _scratch(flat.size)
        np.bitwise_and(flat, np.uint32(0x7FFFFFFF), out=bits)
        most = bits.max()
        if most >= _INFINITE:
            raise NotFinite
        self.largest = max(self.largest, float(most.view("<f4")))
        nonzero = int(np.count_nonzero(bits))
        self.zeros += flat.size - nonzero
        kept = np.compress(bits != 0, bits, out=indices[:nonzero].view("<u4")[:nonzero])
        np.right_shift(kept, np.uint32(_SHIFT), out=bits[:nonzero])
        np.maximum(bits[:nonzero], np.uint32(_FIRST), out=bits[:nonzero])
        np.subtract(bits[:nonzero], np.uint32(_FIRST), out=indices[:nonzero], casting="unsafe")
        self._add_counts(np.bincount(indices[:nonzero]))

    def merge(self, other: "Counts") -> None:
        """Add the histogram of other data."""
        self.zeros += other.zeros
        self.largest = max(self.largest, other.largest)
        longer = len(other.counts) > len(self.counts)
        self._add_counts(other.counts.copy() if longer else other.counts)

    def _add_counts(self, found: Array) -> None:
        """Add counts, and take over their array."""
        if len(found) > len(self.counts):
            self.counts, found = found, self.counts
        self.counts[: len(found)] += found

    @property
    def total(self) -> int:
        """The number of counted elements."""
        return self.zeros + int(self.counts.sum())

    def places(self) -> tuple[Array, Array]:
        """Return the magnitudes that occur (the middle of each bin, at most the largest magnitude)
        with their counts, without 0."""
        used = np.flatnonzero(self.counts)
        middles = (_edges(used) + _edges(used + 1)) / 2
        return np.minimum(middles, self.largest), self.counts[used]

    def histogram(self, bins: int) -> Array:
        """Return counts in equal bins up to the largest magnitude, without 0. A count that lies in
        several bins is divided among them."""
        used = np.flatnonzero(self.counts)
        if not used.size:
            return np.zeros(bins)
        first = int(used[0])
        counts = self.counts[first:]
        edges = np.minimum(_edges(np.arange(first, first + len(counts) + 1)), self.largest)
        below = np.concatenate([[0.0], np.cumsum(counts)])
        ends = np.linspace(0, self.largest, bins + 1)
        return np.diff(np.interp(ends, edges, below, left=0.0))


_SCRATCH: list[Array] = [np.zeros(0, "<u4"), np.zeros(0, np.int64)]


def _scratch(size: int) -> list[Array]:
    """Return arrays for `size` magnitudes and `size` bins."""
    if len(_SCRATCH[0]) < size:
        _SCRATCH[:] = np.empty(size, "<u4"), np.empty(size, np.int64)
    return [array[:size] for array in _SCRATCH]


def _edges(places: Array) -> Array:
    """Return the lower bounds of bins."""
    exponents, parts = np.divmod(places, PLACES)
    return np.ldexp(1 + parts / PLACES, exponents + _LEAST_EXPONENT)
