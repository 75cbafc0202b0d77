"""Permutations of more axes than a blob has, as sequences of permutations of at most four.

Axes that stay beside each other in the same order move as one, and axes of extent 1 do not matter.
What is left with more than four is taken apart: a permutation of two to four blocks of neighbouring
axes, after which more axes are beside each other than before, and so on.

This knows numbers only, no operations.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, permutations
from math import prod

MOST_DIMS = 4
"""The dims of a blob."""

Order = tuple[int, ...]
"""A permutation: axis `i` of the result is axis `order[i]` of the operand."""


@dataclass(frozen=True)
class Step:
    """The elements, row-major, as a tensor of this shape, and its axes in another order."""

    shape: tuple[int, ...]
    order: Order

    def result(self) -> tuple[int, ...]:
        """The shape after it."""
        return tuple(self.shape[axis] for axis in self.order)


def plan(shape: Sequence[int], order: Sequence[int], most_dims: int = MOST_DIMS) -> list[Step]:
    """The steps, each of at most so many dims, that put the axes of a tensor into another order.

    The elements, row-major, are then those of the permuted tensor; there is no step if they are in
    that order already. `order` is a permutation of the axes of `shape`, `most_dims` at least 3.
    """
    steps: list[Step] = []
    extents, order = merge(shape, order)
    while len(order) > 1:
        if len(order) <= most_dims:
            return [*steps, Step(extents, order)]
        cuts, blocks = _best_move(order, most_dims)
        bounds = (0, *cuts, len(order))
        groups = [range(a, b) for a, b in zip(bounds, bounds[1:], strict=False)]
        steps.append(Step(tuple(prod(extents[i] for i in g) for g in groups), blocks))
        moved = [i for block in blocks for i in groups[block]]
        extents, order = merge([extents[i] for i in moved], [moved.index(i) for i in order])
    return steps


def merge(shape: Sequence[int], order: Sequence[int]) -> tuple[tuple[int, ...], Order]:
    """The same movement of the same elements with the fewest axes: without those of extent 1, and
    with neighbours that stay neighbours as one. At most one axis is left where nothing moves."""
    kept = [axis for axis in order if shape[axis] != 1]
    place = {axis: i for i, axis in enumerate(sorted(kept))}
    wanted = [place[axis] for axis in kept]
    extents = [shape[axis] for axis in sorted(kept)]
    heads = [a for i, a in enumerate(wanted) if i == 0 or wanted[i - 1] != a - 1]
    bounds = [*sorted(heads), len(wanted)]
    merged = [prod(extents[a:b]) for a, b in zip(bounds, bounds[1:], strict=False)]
    number = {head: i for i, head in enumerate(bounds[:-1])}
    return tuple(merged), tuple(number[head] for head in heads)


def _moves(count: int, most_dims: int) -> Iterator[tuple[tuple[int, ...], Order]]:
    """All ways to cut so many axes into blocks and to put these into another order."""
    for blocks in range(2, most_dims + 1):
        for cuts in combinations(range(1, count), blocks - 1):
            for order in permutations(range(blocks)):
                if order != tuple(range(blocks)):
                    yield cuts, order


@lru_cache(1024)
def _best_move(order: Order, most_dims: int) -> tuple[tuple[int, ...], Order]:
    """The move after which the fewest axes are left. Of several that one whose innermost block
    stays (rows are copied whole then), and of these the one of the fewest blocks.

    With three blocks some move always brings two axes together that are together in the end: that
    which exchanges two of them so that an axis comes before the one that follows it.
    """
    count = len(order)
    after = dict(zip(order, order[1:], strict=False))

    def cost(move: tuple[tuple[int, ...], Order]) -> tuple[int, bool, int]:
        cuts, blocks = move
        bounds = (0, *cuts, count)
        # Within a block nothing is beside another axis than before, and nothing was there merged.
        ends = [(bounds[b], bounds[b + 1] - 1) for b in blocks]
        joined = sum(after.get(a[1]) == b[0] for a, b in zip(ends, ends[1:], strict=False))
        return -joined, blocks[-1] != len(blocks) - 1, len(blocks)

    return min(_moves(count, most_dims), key=cost)


def split_shape(shape: Sequence[int], *cuts: int) -> tuple[int, ...]:
    """A shape with its axes between the cuts merged: `split_shape((2, 3, 4, 5), 1, 2)` is
    `(2, 3, 20)`."""
    bounds = (0, *cuts, len(shape))
    return tuple(prod(shape[a:b]) for a, b in zip(bounds, bounds[1:], strict=False))


def fold_shape(shape: Sequence[int], most_dims: int = MOST_DIMS) -> tuple[int, ...]:
    """A shape of the same elements with at most so many dims: as it is if it has no more, else
    without axes of extent 1, and if that is not enough with the outermost ones merged."""
    if 0 < len(shape) <= most_dims:
        return tuple(shape)
    long = [n for n in shape if n != 1] or [1]
    excess = len(long) - most_dims
    return tuple(long) if excess <= 0 else (prod(long[: excess + 1]), *long[excess + 1 :])


def broadcast_shapes(
    shapes: Sequence[Sequence[int]], most_dims: int = MOST_DIMS
) -> list[tuple[int, ...]] | None:
    """Shapes of one rank that broadcast with each other as these do, with neighbouring axes merged
    where each operand has both or neither; `None` if that leaves more dims than are allowed.

    The operands broadcast as in NumPy: from the innermost axis, an extent of 1 with any.
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
    if len(groups) > most_dims:
        return None
    return [tuple(group[i] for group in groups) for i in range(len(shapes))]
