"""Permutations of many axes in steps of at most four, against NumPy."""

import os
from collections import Counter
from itertools import permutations
from math import prod
from random import Random

import numpy as np
import pytest
from ncnn_opt.transforms.rewriting.axis_merging import (
    broadcast_shapes,
    fold_shape,
    merge,
    permutation_steps,
)

CHAINS = 200 * int(os.environ.get("NCNN_OPT_EXAMPLES", "1"))
"""How many random chains are tried: NCNN_OPT_EXAMPLES=25 for 5,000."""


def factors(random: Random, count: int, dims: int) -> list[int]:
    """A random shape of so many elements."""
    shape = [1] * dims
    for prime in (2, 3, 5, 7):
        while count % prime == 0:
            shape[random.randrange(dims)] *= prime
            count //= prime
    return shape


def moved(x: np.ndarray, order: list[int], max_dims: int = 4) -> np.ndarray:
    """The elements of a permuted tensor, in these steps."""
    flat = x
    for step in permutation_steps(x.shape, order, max_dims):
        assert 2 <= len(step.shape) == len(step.order) <= max_dims
        flat = flat.reshape(step.shape).transpose(step.order)
        assert flat.shape == step.result()
    return flat.reshape(-1)


def test_chains_of_reshapes_and_permutes() -> None:
    random, longest = Random(CHAINS), 0
    for _ in range(CHAINS):
        count = random.choice([64, 96, 128, 210, 256, 360, 420, 720])
        expected = got = np.arange(count)
        for _ in range(random.randint(1, 3)):
            shape = factors(random, count, random.randint(1, 8))
            order = random.sample(range(len(shape)), len(shape))
            expected = expected.reshape(shape).transpose(order).reshape(-1)
            got = moved(got.reshape(shape), order)
            longest = max(longest, len(permutation_steps(shape, order)))
        assert (got == expected).all()
    assert longest >= 2


def test_all_orders_of_six_axes_take_few_steps() -> None:
    x = np.arange(prod(shape := (2, 3, 2, 3, 2, 3))).reshape(shape)
    steps = Counter(len(permutation_steps(shape, order)) for order in permutations(range(6)))
    assert max(steps) == 3
    assert steps[3] < steps[1] < steps[2]
    for order in permutations(range(6)):
        assert (moved(x, list(order)) == x.transpose(order).reshape(-1)).all()


def test_fewer_dims_take_more_steps() -> None:
    x = np.arange(prod(shape := (2, 3, 4, 5))).reshape(shape)
    for order in permutations(range(4)):
        assert (moved(x, list(order), 3) == x.transpose(order).reshape(-1)).all()


@pytest.mark.parametrize(
    ("shape", "order", "merged"),
    [
        # A partition into windows is one permutation of four axes.
        ((1, 8, 7, 8, 7, 96), (0, 1, 3, 2, 4, 5), ((8, 7, 8, 672), (0, 2, 1, 3))),
        # The batch axis goes where it likes.
        ((1, 197, 3, 3, 64), (2, 0, 3, 1, 4), ((197, 9, 64), (1, 0, 2))),
        ((2, 3, 4), (0, 1, 2), ((24,), (0,))),
        ((5, 1, 1), (2, 0, 1), ((5,), (0,))),
        ((1, 1), (1, 0), ((), ())),
    ],
)
def test_what_stays_together_moves_as_one(
    shape: tuple[int, ...],
    order: tuple[int, ...],
    merged: tuple[tuple[int, ...], tuple[int, ...]],
) -> None:
    assert merge(shape, order) == merged


def test_order_of_merging() -> None:
    # (a b c d) -> (c d a b): two blocks that change places.
    assert merge((2, 3, 4, 5), (2, 3, 0, 1)) == ((6, 20), (1, 0))


def test_shapes_with_fewer_dims() -> None:
    assert fold_shape((1, 3, 224, 224)) == (1, 3, 224, 224)
    assert fold_shape((1, 8, 1, 7, 7, 96)) == (8, 7, 7, 96)
    assert fold_shape((2, 8, 8, 7, 7, 96)) == (128, 7, 7, 96)
    assert fold_shape((1, 1, 1, 1, 1)) == (1,)


def test_shapes_that_broadcast() -> None:
    assert broadcast_shapes([(1, 64, 3, 49, 49), (1, 64, 1, 49, 49)]) == [
        (64, 3, 2401),
        (64, 1, 2401),
    ]
    assert broadcast_shapes([(3, 1), (1, 4)]) == [(3, 1), (1, 4)]
    assert broadcast_shapes([(2, 3, 4), ()]) == [(24,), (1,)]
    assert broadcast_shapes([(1,), (1, 1)]) == [(1,), (1,)]
    assert broadcast_shapes([(2, 1, 2, 1, 2), (1, 2, 1, 2, 1)]) is None
    random = Random(1)
    for _ in range(500):
        rank = random.randint(1, 8)
        out = [random.choice([1, 2, 3]) for _ in range(rank)]
        shapes = [
            tuple(random.choice([1, n]) for n in out)[random.randint(0, rank) :] for _ in "ab"
        ]
        folded = broadcast_shapes(shapes)
        if folded is not None:
            a, b = (np.arange(prod(s)) * k for s, k in zip(shapes, (1, 100), strict=True))
            expected = a.reshape(shapes[0]) + b.reshape(shapes[1])
            got = a.reshape(folded[0]) + b.reshape(folded[1])
            assert (got.reshape(-1) == expected.reshape(-1)).all()
