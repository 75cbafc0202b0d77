"""Interpolation: the elements that contribute to a sample, and their weights.

A position is in elements along an axis. Its taps are pairs of an index, possibly outside the blob,
and a weight; the weights of a position sum to 1.
"""

from collections.abc import Sequence
from itertools import product

import numpy as np

from .semantics import Array

_A = np.float32(-0.75)
"""The slope of the cubic kernel at distance 1."""

Taps = list[tuple[Array, Array]]


def linear_taps(positions: Array) -> Taps:
    """Return the two elements around each position."""
    first = np.floor(positions)
    part = positions - first
    index = first.astype("i8")
    return [(index, 1 - part), (index + 1, part)]


def cubic_taps(positions: Array) -> Taps:
    """Return the four elements around each position, weighted by cubic convolution."""
    first = np.floor(positions)
    part = positions - first
    index = first.astype("i8")
    parts = [_far(part + 1), _near(part), _near(1 - part)]
    parts.append(1 - parts[0] - parts[1] - parts[2])
    return [(index + i - 1, each) for i, each in enumerate(parts)]


def _near(x: Array) -> Array:
    """The kernel at a distance up to 1."""
    return (_A + 2) * x * x * x - (_A + 3) * x * x + 1


def _far(x: Array) -> Array:
    """The kernel at a distance from 1 to 2."""
    return _A * x * x * x - 5 * _A * x * x + 8 * _A * x - 4 * _A


def blend(x: Array, taps: Sequence[Taps]) -> Array:
    """Return samples of `c x …` with these taps along each axis, outermost first; elements outside
    the blob are 0. The result is `c x` the shape of the positions."""
    flat = x.reshape(len(x), -1)
    result = np.zeros((len(x), *taps[0][0][0].shape), "f4", like=x)
    for choice in product(*taps):
        place, share, inside = np.int64(0), np.float32(1), np.True_
        for (index, part), extent in zip(choice, x.shape[1:], strict=True):
            inside = inside & (index >= 0) & (index < extent)
            place = place * extent + index
            share = share * part
        values = flat[:, np.where(inside, place, 0)]
        result += np.where(inside, values, np.float32(0)) * share
    return result
