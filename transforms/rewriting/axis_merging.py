"""Tensors of any rank in blobs of at most four dims: merged axes, and permutations in steps.

Neighbouring axes that stay neighbours are merged, and axes of extent 1 are dropped. A permutation
of more than four remaining axes becomes several steps. Each step permutes two to four blocks of
neighbouring axes, so that more axes become neighbours.

The functions compute on integers and create no operations.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, permutations
from math import prod

from ...dialects.ncnn.extents import MAX_DIMS

Order = tuple[int, ...]
"""A permutation: axis `i` of the result is axis `order[i]` of the operand."""


@dataclass(frozen=True)
class AxisPermutation:
    """A permutation of the axes of a row-major tensor."""

    shape: tuple[int, ...]
    """The tensor's shape before the step."""
    order: Order

    def result(self) -> tuple[int, ...]:
        """Return the tensor's shape after the step."""
        return tuple(self.shape[axis] for axis in self.order)


def permutation_steps(
    shape: Sequence[int], order: Sequence[int], max_dims: int = MAX_DIMS
) -> list[AxisPermutation]:
    """Return the steps, of at most `max_dims` axes each, that permute the axes of a tensor.

    After them, the elements have the row-major order of the permuted tensor. The list is empty if
    no element moves. `order` is a permutation of the axes of `shape`, `max_dims` at least 3.
    """
    steps: list[AxisPermutation] = []
    extents, order = merge(shape, order)
    while len(order) > 1:
        if len(order) <= max_dims:
            return [*steps, AxisPermutation(extents, order)]
        cuts, blocks = _best_move(order, max_dims)
        bounds = (0, *cuts, len(order))
        groups = [range(a, b) for a, b in zip(bounds, bounds[1:], strict=False)]
        steps.append(AxisPermutation(tuple(prod(extents[i] for i in g) for g in groups), blocks))
        moved = [i for block in blocks for i in groups[block]]
        extents, order = merge([extents[i] for i in moved], [moved.index(i) for i in order])
    return steps


def merge(shape: Sequence[int], order: Sequence[int]) -> tuple[tuple[int, ...], Order]:
    """Return the same permutation on the fewest axes: without axes of extent 1, and with neighbours
    that stay neighbours merged. At most one axis remains if no element moves."""
    kept = [axis for axis in order if shape[axis] != 1]
    place = {axis: i for i, axis in enumerate(sorted(kept))}
    wanted = [place[axis] for axis in kept]
    extents = [shape[axis] for axis in sorted(kept)]
    heads = [a for i, a in enumerate(wanted) if i == 0 or wanted[i - 1] != a - 1]
    bounds = [*sorted(heads), len(wanted)]
    merged = [prod(extents[a:b]) for a, b in zip(bounds, bounds[1:], strict=False)]
    number = {head: i for i, head in enumerate(bounds[:-1])}
    return tuple(merged), tuple(number[head] for head in heads)


def _moves(count: int, max_dims: int) -> Iterator[tuple[tuple[int, ...], Order]]:
    """Yield the ways to split `count` axes into blocks and to permute the blocks."""
    for blocks in range(2, max_dims + 1):
        for cuts in combinations(range(1, count), blocks - 1):
            for order in permutations(range(blocks)):
                if order != tuple(range(blocks)):
                    yield cuts, order


@lru_cache(1024)
def _best_move(order: Order, max_dims: int) -> tuple[tuple[int, ...], Order]:
    """Return the move after which the fewest axes remain.

    Ties go to a move that keeps the innermost block (then whole rows are copied), then to the
    fewest blocks. With three blocks, some move always makes two axes neighbours that are neighbours
    in the end: it exchanges two blocks so that an axis comes before its successor.
    """
    count = len(order)
    after = dict(zip(order, order[1:], strict=False))

    def cost(move: tuple[tuple[int, ...], Order]) -> tuple[int, bool, int]:
        cuts, blocks = move
        bounds = (0, *cuts, count)
        # Neighbours within a block do not change, and none of them can be merged.
        ends = [(bounds[b], bounds[b + 1] - 1) for b in blocks]
        joined = sum(after.get(a[1]) == b[0] for a, b in zip(ends, ends[1:], strict=False))
        return -joined, blocks[-1] != len(blocks) - 1, len(blocks)

    return min(_moves(count, max_dims), key=cost)


def fold_shape(shape: Sequence[int], max_dims: int = MAX_DIMS) -> tuple[int, ...]:
    """Return a shape with the same number of elements and at most `max_dims` dims.

    A shape with more dims loses its axes of extent 1. If that is not enough, its outermost axes are
    merged.
    """
    if 0 < len(shape) <= max_dims:
        return tuple(shape)
    long = [n for n in shape if n != 1] or [1]
    excess = len(long) - max_dims
    return tuple(long) if excess <= 0 else (prod(long[: excess + 1]), *long[excess + 1 :])


def broadcast_shapes(
    shapes: Sequence[Sequence[int]], max_dims: int = MAX_DIMS
) -> list[tuple[int, ...]] | None:
    """Return shapes of one rank that broadcast as these do in NumPy; `None` if they need more than
    `max_dims` dims.

    Neighbouring axes are merged if every operand has extents of 1 along both or along neither.
    """
    rank = max(len(shape) for shape in shapes)
    full = [(1,) * (rank - len(shape)) + tuple(shape) for shape in shapes]
    columns = [c for c in zip(*full, strict=True) if set(c) != {1}] or [(1,) * len(shapes)]
    groups: list[tuple[int, ...]] = []
    for column in columns:
        long = tuple(n != 1 for n in column)
        if groups and tuple(n != 1 for n in groups[-1]) == long:
            groups[-1] = tuple(a * b for a, b in zip(groups[-1], column, strict=True))
        else:
            groups.append(column)
    if len(groups) > max_dims:
        return None
    return [tuple(group[i] for group in groups) for i in range(len(shapes))]


def fold_around(shape: Sequence[int], axis: int) -> tuple[tuple[int, ...], int]:
    """Return a shape like `fold_shape` that keeps `axis` as one axis, and its new place.

    Outer axes are merged first, inner axes if there are no outer ones.
    """
    extents = list(shape)
    if len(extents) > MAX_DIMS:
        kept = [i for i, n in enumerate(extents) if n != 1 or i == axis]
        axis, extents = kept.index(axis), [extents[i] for i in kept]
    while len(extents) > MAX_DIMS:
        at = 0 if axis >= 2 else axis + 1
        extents[at : at + 2] = [extents[at] * extents[at + 1]]
        axis -= axis >= 2
    return tuple(extents), axis
