"""How often magnitudes occur in a blob: counts that do not depend on the order of samples, so that
those of parts of the data add up to those of the whole, to the byte.

A magnitude is counted by the upper bits of its float32: the exponent and 11 bits of the mantissa.
So there are 2,048 places between a number and twice that, nothing has to be known of the range
before, and placing a value is a shift. Of a histogram with 2,048 bins up to the largest value, as
ncnn's `ncnn2table` makes one in a second pass, the upper half has two places for each bin.
"""

import hashlib
from dataclasses import dataclass, field
from math import isfinite, isqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

PLACES = 2048
"""Places between a number and twice that."""
_SHIFT = 12
_LEAST_EXPONENT = -24
"""Magnitudes below 2 to this count as that, unless they are 0."""
_FIRST = (_LEAST_EXPONENT + 127) * PLACES
"""The place of that."""
_INFINITE = 0x7F800000


class NotFinite(Exception):
    """There is an infinity or a NaN among the values."""


def largest_of(values: Array) -> float:
    """The largest magnitude. Raises `NotFinite`."""
    if not values.size:
        return 0.0
    most = max(float(values.max()), -float(values.min()))
    if not isfinite(most):
        raise NotFinite
    return most


PRINTED = 1 << 12
"""Elements by which a blob is told from the same blob of another sample."""


def fingerprint(values: Array) -> str:
    """A text that is the same for the same finite values: `=` and the value if all are one value,
    else a digest of the extremes and of some elements."""
    if not values.size:
        return "="
    low, high = float(values.min()), float(values.max())
    if low == high:
        return f"={low + 0.0:g}"  # -0 is 0
    digest = hashlib.blake2b(thinned(values, 0, PRINTED).tobytes(), digest_size=8)
    digest.update(repr((low, high, values.size)).encode())
    return digest.hexdigest()


def thinned(values: Array, index: int, most: int) -> Array:
    """A copy of elements of sample number `index`, at most so many: each n-th, beginning with
    another one in each sample. Which ones does not depend on what else is counted.

    n is prime: it has no factor in common with the extents of nearly all blobs, so all rows,
    columns and channels are among them.
    """
    flat = values.reshape(-1)
    step = -(-flat.size // most)
    while any(step % factor == 0 for factor in range(2, isqrt(step) + 1)):
        step += 1
    return np.array(flat[index % step :: step] if step > 1 else flat, "<f4")


@dataclass
class Counts:
    """The counts of one blob."""

    zeros: int = 0
    """How many elements are 0."""
    largest: float = 0.0
    """The largest magnitude."""
    counts: Array = field(default_factory=lambda: np.zeros(0, np.int64))
    """How many others there are, from place 2**-24 on."""

    def add(self, values: Array) -> None:
        """Counts the elements of a blob. Raises `NotFinite`."""
        flat = np.ascontiguousarray(values, "<f4").reshape(-1).view("<u4")
        if not flat.size:
            return
        # Memory that was used before: pages that are new take longer than the work on them.
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
        """Adds the counts of other data."""
        self.zeros += other.zeros
        self.largest = max(self.largest, other.largest)
        longer = len(other.counts) > len(self.counts)
        self._add_counts(other.counts.copy() if longer else other.counts)

    def _add_counts(self, found: Array) -> None:
        """Adds counts, which become ours."""
        if len(found) > len(self.counts):
            self.counts, found = found, self.counts
        self.counts[: len(found)] += found

    @property
    def total(self) -> int:
        """How many elements were counted."""
        return self.zeros + int(self.counts.sum())

    def places(self) -> tuple[Array, Array]:
        """The magnitudes (the middle of each place, at most the largest one) that occur and how
        often, those of 0 left out."""
        used = np.flatnonzero(self.counts)
        middles = (_edges(used) + _edges(used + 1)) / 2
        return np.minimum(middles, self.largest), self.counts[used]

    def histogram(self, bins: int) -> Array:
        """Counts in so many bins of one width up to the largest magnitude, those of 0 left out. A
        place that lies in several bins is divided among them."""
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
    """Room for so many magnitudes, and as many places."""
    if len(_SCRATCH[0]) < size:
        _SCRATCH[:] = np.empty(size, "<u4"), np.empty(size, np.int64)
    return [array[:size] for array in _SCRATCH]


def _edges(places: Array) -> Array:
    """Where places begin."""
    exponents, parts = np.divmod(places, PLACES)
    return np.ldexp(1 + parts / PLACES, exponents + _LEAST_EXPONENT)
