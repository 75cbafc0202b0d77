"""Boxes in the order of their scores, and the best of those that overlap. A box is left, top,
right, bottom in float32."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from .semantics import Array


def by_score(scores: Array) -> Array:
    """The indices of scores, the highest first, as the runtime's quicksort leaves them."""
    order = np.argsort(-scores, kind="stable")
    ordered = scores[order]
    return _quicksorted(scores) if (ordered[1:] == ordered[:-1]).any() else order


def _quicksorted(scores: Array) -> Array:
    """As `by_score`, with equal scores where exactly this sort puts them."""
    values, order = scores.tolist(), list(range(len(scores)))
    parts = [(0, len(values) - 1)]
    while parts:
        left, right = parts.pop()
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
        parts += [part for part in ((left, j), (i, right)) if part[0] < part[1]]
    return np.array(order, "i8")


TooMuch: TypeAlias = Callable[[Array, Array], Array]
"""Whether boxes overlap by too much, by the areas of what they share and of what they cover."""


def by_quotient(threshold: float) -> TooMuch:
    """By the quotient. 0 / 0, of boxes without an area, is too much, as it is in the runtime as
    compiled."""
    return lambda shared, union: ~(shared / union <= np.float32(threshold))


def by_product(threshold: float) -> TooMuch:
    """By the product, in which boxes without an area do not overlap."""
    return lambda shared, union: shared > np.float32(threshold) * union


def without_overlap(boxes: Array, too_much: TooMuch, areas: Array | None = None) -> Array:
    """The indices of the boxes that no better one, which stands before, overlaps by too much. The
    areas are the products of their sides, if they are not given."""
    left, top, right, bottom = boxes.T
    covered: Array = (right - left) * (bottom - top) if areas is None else areas
    # Of those that are neither kept nor dropped:
    rest = np.stack([left, top, right, bottom, covered])
    indices, picked = np.arange(len(boxes)), list[int]()
    while indices.size:
        picked.append(int(indices[0]))
        shared = _intersections(rest[:, 0], rest[:, 1:])
        apart = ~too_much(shared, rest[4, 0] + rest[4, 1:] - shared)
        indices, rest = indices[1:][apart], rest[:, 1:][:, apart]
    return np.array(picked, "i8")


def _intersections(box: Array, others: Array) -> Array:
    """The areas that a box has in common with others, the coordinates of each in a column."""
    outside = (box[:2, None] > others[2:4]) | (box[2:4, None] < others[:2])
    sizes = np.minimum(box[2:4, None], others[2:4]) - np.maximum(box[:2, None], others[:2])
    return np.where(outside[0] | outside[1], np.float32(0), sizes[0] * sizes[1])


def positions(h: int, w: int) -> Array:
    """The x and the y of each position: `h x w x 2`."""
    y, x = np.indices((h, w), "f4")
    return np.stack([x, y], -1)


def around(centers: Array, sizes: Array) -> Array:
    """Boxes by center and size, both `n x 2`."""
    half = sizes * np.float32(0.5)
    return np.concatenate([centers - half, centers + half], -1)


def exp(x: Array) -> Array:
    """`e ** x` in float32 as the C library rounds it, to the nearest all but always: where scores
    are next to each other, NumPy's last bit would make another order of them."""
    return np.exp(x, dtype="f8").astype("f4")
