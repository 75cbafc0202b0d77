"""The shapes at which a rewrite is evaluated."""

from collections.abc import Sequence
from itertools import islice
from random import Random

import pytest
from ncnn_opt.proofs.random_instances import changed_shapes, different
from ncnn_opt.proofs.scaled_extents import candidates
from xdsl.dialects.builtin import DYNAMIC_INDEX

Shape = tuple[int, ...]


def test_changed_shapes_change_one_extent_equal_extents_and_all() -> None:
    declared = [(2, 3), (3, 5)]
    free = [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert list(islice(changed_shapes(declared, free, Random(0)), 7)) == [
        ((3, 3), (3, 5)),
        ((3, 4), (4, 6)),
        ((2, 4), (3, 5)),
        ((2, 4), (4, 5)),
        ((2, 3), (4, 5)),
        ((2, 3), (3, 6)),
        ((1, 3), (3, 5)),
    ]


def test_changed_shapes_keep_axes_that_are_not_free() -> None:
    found = list(changed_shapes([(3, 3)], [(0, 1)], Random(0)))
    assert found
    assert all(shape[0] == 3 and shape[1] != 3 for (shape,) in found)


@pytest.mark.parametrize(
    ("shapes", "first", "second"),
    [
        ([(16, 224, 224)], [(16, 5, 4)], [(16, 3, 5)]),
        ([(16, 224, 112)], [(16, 10, 4)], [(16, 6, 5)]),
        ([(8, 37, 5)], [(8, 6, 4)], [(8, 4, 5)]),
        ([(8, DYNAMIC_INDEX, 6)], [(8, 5, 4)], [(8, 3, 5)]),
        ([(10, 7)], [(5, 7)], [(3, 7)]),
        ([(9,)], [(9,)], None),
        ([(4, 1, 2)], [(4, 1, 2)], [(4, 1, 1)]),
        ([(2, 17, 1), (2, 1, 1)], [(2, 5, 1), (2, 1, 1)], [(2, 3, 1), (2, 1, 1)]),
    ],
)
def test_scaled_extents(
    shapes: Sequence[Shape], first: Sequence[Shape], second: Sequence[Shape] | None
) -> None:
    found = [list(each) for each in candidates(shapes)]
    assert found[0] == first
    assert (found[1] if len(found) > 1 else None) == second
    assert [tuple(8 if n == DYNAMIC_INDEX else n for n in each) for each in shapes] in found


def test_unknown_shapes_differ() -> None:
    assert [different((3, 4, 5), i) for i in (0, 1, 2, 3)] == [
        (3, 4, 5),
        (4, 5, 3),
        (5, 3, 4),
        (4, 5, 6),
    ]
    every = list(candidates([None, (2, DYNAMIC_INDEX), None]))
    assert every[:7] == [
        [(3, 4, 5), (2, 4), (4, 5, 3)],
        [(3, 4, 5), (2, 4), (3, 1, 1)],
        [(3, 4, 5), (2, 4), (3,)],
        [(3, 1, 1), (2, 4), (3, 4, 5)],
        [(3, 4, 5), (2, 4), (1, 4, 5)],
        [(3,), (2, 4), (3, 4, 5)],
        [(3, 4, 5), (2, 4), (3, 4, 5)],
    ]
    assert {len(each[0]) for each in every} == {1, 2, 3, 4}
