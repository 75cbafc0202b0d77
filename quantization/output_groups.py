"""Groups of elements of one output with different ranges.

A detector's output can hold boxes (0 to 320) and scores (0 to 1) in one blob, in rows or columns.
The energy of the boxes hides any error of the scores, so that groups are evaluated apart.

Along an axis, each index has a range: its largest magnitude over all samples. Some indices are a
group if their ranges are within a factor of `GAP` and above 1, and all other ranges are smaller by
more than `GAP`. So there are at most two groups. Probabilities are never divided, and a single
index with a large range is an outlier, not a group. Of a blob with rows, columns and several
channels, only channels are groups: its rows and columns are places of an image, whose border may
have a smaller range.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .blob_errors import BlobError
from .histograms import Array

GAP = 8.0
"""The least ratio between the ranges of two groups, and the largest ratio inside one."""


@dataclass(frozen=True)
class Group:
    """Some indices along an axis of a blob."""

    axis: int
    indices: tuple[int, ...]
    rank: int
    """The number of axes of the blob."""
    are_scores: bool
    """Whether the values along the axis are several scores, from 0 to 1."""

    def label(self) -> str:
        """Return the group as an index of NumPy: `[:, 0:4]`."""
        parts = [":"] * self.rank
        parts[self.axis] = "+".join(f"{a}:{b}" for a, b in _runs(self.indices))
        return f"[{', '.join(parts)}]"

    def difference(self, expected: Array, actual: Array) -> BlobError:
        """Return the difference of the group, with the agreement of the largest scores."""
        if expected.size != actual.size or max(self.indices) >= expected.shape[self.axis]:
            return BlobError.of(expected, np.zeros(0))
        a = np.take(expected, self.indices, self.axis)
        b = np.take(actual.reshape(expected.shape), self.indices, self.axis)
        found = BlobError.of(a, b)
        if not self.are_scores:
            return found
        same = np.argmax(a, self.axis) == np.argmax(b, self.axis)
        return found + BlobError(ranked=same.size, same=int(same.sum()))


def groups_of(blobs: Sequence[Array]) -> tuple[Group, ...]:
    """Return the groups of an output, given in each sample; none if it is one group."""
    shapes = {blob.shape for blob in blobs}
    if len({len(shape) for shape in shapes}) != 1 or not all(np.isfinite(b).all() for b in blobs):
        return ()
    rank = len(next(iter(shapes)))
    if rank < 2 or not all(blob.size for blob in blobs):
        return ()
    best, groups = GAP, ()
    is_image = rank > 2 and any(shape[0] > 1 for shape in shapes)
    for axis in range(1 if is_image else rank):
        if len({shape[axis] for shape in shapes}) > 1:
            continue
        gap, large = _largest_indices(_ranges(blobs, axis))
        if gap > best:
            every = range(blobs[0].shape[axis])
            small = tuple(i for i in every if i not in large)
            found = (large, small)
            best = gap
            groups = tuple(
                Group(axis, part, rank, _are_scores(blobs, axis, part))
                for part in sorted(found, key=min)
            )
    return groups


def _ranges(blobs: Sequence[Array], axis: int) -> Array:
    """Return the largest magnitude at each index of an axis."""
    others = tuple(i for i in range(blobs[0].ndim) if i != axis)
    return np.max([np.abs(blob).max(others) for blob in blobs], axis=0)


def _largest_indices(ranges: Array) -> tuple[float, tuple[int, ...]]:
    """Return the indices with the largest ranges if they are a group, and the gap behind them; a
    gap of 0 for one group."""
    order = np.argsort(-ranges, kind="stable")
    sizes = ranges[order]
    for count in range(2, len(sizes)):
        least, following = float(sizes[count - 1]), float(sizes[count])
        if sizes[0] > GAP * least:
            break
        if following > 0 and least > 1 and least > GAP * following:
            return least / following, tuple(sorted(map(int, order[:count])))
    return 0.0, ()


def _are_scores(blobs: Sequence[Array], axis: int, indices: tuple[int, ...]) -> bool:
    parts = [np.take(blob, indices, axis) for blob in blobs]
    return len(indices) > 1 and all(((p >= 0) & (p <= 1)).all() for p in parts)


def _runs(indices: Sequence[int]) -> list[tuple[int, int]]:
    """Return the ranges of successive indices, each with its excluded end."""
    found: list[tuple[int, int]] = []
    for i in indices:
        if found and found[-1][1] == i:
            found[-1] = found[-1][0], i + 1
        else:
            found.append((i, i + 1))
    return found
