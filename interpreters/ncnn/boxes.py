"""Sorting of boxes by score and non-maximum suppression. A box is left, top, right, bottom in
float32."""

from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias

import numpy as np

from .semantics import Array


def by_score(scores: Array) -> Array:
    """Return the indices of scores, highest first, in the order of the runtime's quicksort."""
    order = np.argsort(-scores, kind="stable")
    ordered = scores[order]
    ties = ordered[1:] == ordered[:-1]
    if not ties.any():
        return order
    return _order_of_equal(len(scores)) if ties.all() else _quicksorted(scores)


def _quicksorted(scores: Array) -> Array:
    """Like `by_score`; equal scores are ordered exactly as by the runtime's sort. Parts of distinct
    or of equal scores are not sorted step by step."""
    values, order = scores.tolist(), list(range(len(scores)))
    is_ordered = not np.isnan(scores).any()
    parts = [(0, len(values) - 1)]
    while parts:
        left, right = parts.pop()
        part, count = slice(left, right + 1), right + 1 - left
        distinct = len(set(values[part])) if is_ordered else 0
        if distinct == count:
            pairs = sorted(zip(values[part], order[part], strict=True), reverse=True)
            order[part] = [index for _, index in pairs]
            continue
        if distinct == 1:
            order[part] = np.array(order[part])[_order_of_equal(count)].tolist()
            continue
        i, j, pivot = left, right, values[(left + right) // 2]
        while i <= j:
            while values[i] > pivot:
                i += 1
            while values[j] < pivot:
                j -= 1
            if i <= j:
                values[i], values[j] = values[j], values[i]
                order[i], order[j] = order[j], order[i]
                i, j = i + 1, j - 1
        parts += [each for each in ((left, j), (i, right)) if each[0] < each[1]]
    return np.array(order, "i8")


@lru_cache(128)
def _order_of_equal(count: int) -> Array:
    """Return the order of equal scores: the sort reverses them, then sorts both halves without the
    middle. The array is shared: do not write to it."""
    order, half = np.arange(count)[::-1].copy(), count // 2
    if half > 1:
        inner = _order_of_equal(half)
        for part in (order[:half], order[count - half :]):
            part[:] = part[inner]
    order.flags.writeable = False
    return order


BLOCK = 32
"""The number of boxes that are compared with all others at once: a call of NumPy for each box would
take longer than its arithmetic."""

OverlapTest: TypeAlias = Callable[[Array, Array], Array]
"""Whether boxes overlap too much, given the areas of intersection and union."""


def by_quotient(threshold: float) -> OverlapTest:
    """Compare the quotient of the areas. 0 / 0 (boxes without area) is too much, as in the compiled
    runtime."""
    return lambda shared, union: ~(shared / union <= np.float32(threshold))


def by_product(threshold: float) -> OverlapTest:
    """Compare by a product; boxes without area do not overlap."""
    return lambda shared, union: shared > np.float32(threshold) * union


def non_maximum_suppression(
    boxes: Array, overlaps: OverlapTest, areas: Array | None = None
) -> Array:
    """Return the indices of the boxes that overlap no better, earlier box too much. `areas`
    defaults to the products of the sides."""
    left, top, right, bottom = boxes.T
    covered: Array = (right - left) * (bottom - top) if areas is None else areas
    # Among the boxes that are neither kept nor dropped:
    rest = np.stack([left, top, right, bottom, covered])
    indices, picked = np.arange(len(boxes)), list[int]()
    # No side is negative, and all coordinates are numbers of moderate size.
    ordered = (np.abs(boxes) < LARGE).all() and (boxes[:, :2] <= boxes[:, 2:]).all()
    intersections = _intersections_of_ordered if ordered else _intersections
    while indices.size:
        block = rest[:, :BLOCK, None]
        shared = intersections(block, rest)
        union = block[4] + rest[4]
        union -= shared
        apart = ~overlaps(shared, union)
        left_over = np.ones(len(indices), bool)
        for i, row in enumerate(apart):
            if left_over[i]:
                picked.append(int(indices[i]))
                left_over[i + 1 :] &= row[i + 1 :]
        left_over[: len(apart)] = False
        indices, rest = indices[left_over], rest[:, left_over]
    return np.array(picked, "i8")


LARGE = np.float32(1e18)
"""The product of two smaller lengths is finite."""


def _intersections(some: Array, others: Array) -> Array:
    """Return the areas of the intersections of boxes, whose coordinates broadcast."""
    others = others[:, None]
    outside = (some[:2] > others[2:4]) | (some[2:4] < others[:2])
    sizes = np.minimum(some[2:4], others[2:4]) - np.maximum(some[:2], others[:2])
    return np.where(outside[0] | outside[1], np.float32(0), sizes[0] * sizes[1])


def _intersections_of_ordered(some: Array, others: Array) -> Array:
    """Return the same for boxes without negative sides: a negative size means that a box is outside
    the other one. This takes a seventh of the time."""
    areas, heights = (
        np.minimum(some[axis + 2], others[axis + 2]) - np.maximum(some[axis], others[axis])
        for axis in (0, 1)
    )
    areas = np.maximum(areas, 0, out=areas)
    areas *= np.maximum(heights, 0, out=heights)
    return areas


def positions(h: int, w: int) -> Array:
    """Return the x and y of each position: `h x w x 2`."""
    y, x = np.indices((h, w), "f4")
    return np.stack([x, y], -1)


def around(centers: Array, sizes: Array) -> Array:
    """Return boxes from centers and sizes, both `n x 2`."""
    half = sizes * np.float32(0.5)
    return np.concatenate([centers - half, centers + half], -1)


def exp(x: Array) -> Array:
    """Return `e ** x` in float32 rounded as in the C library, almost always correctly. NumPy's last
    bit could change the order of close scores."""
    return np.exp(x, dtype="f8").astype("f4")
