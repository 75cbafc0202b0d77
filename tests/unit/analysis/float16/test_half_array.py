"""Arrays that compute in float16."""

import numpy as np
import pytest
from ncnn_opt.analysis.float16.half_array import LANES, MAX, Arithmetic

HALF = np.float32(1 + 2**-11)
"""Halfway between two float16 values."""


def test_each_operation_rounds_its_operands_and_its_result() -> None:
    values = Arithmetic()
    x = values.of(np.array([1, 2], "f4"))
    assert np.asarray(x + np.float32(2**-11)).tolist() == [1, 2]  # 1 + 2^-11: to even
    assert np.asarray(x * HALF).tolist() == [1, 2]
    assert np.asarray(x * np.array([3.0, 3e4])).tolist() == [3, 6e4]
    assert values.peak == 6e4


def test_magnitudes_above_the_limit_are_infinite() -> None:
    values = Arithmetic()
    x = values.of(np.array([-200, 200], "f4"))
    assert np.isinf(np.asarray(x * 400)).all()
    assert values.peak == 80000
    safe = Arithmetic(MAX / 4)
    x = safe.of(np.array([16000, 17000], "f4"))
    assert np.isfinite(np.asarray(x * 1)).tolist() == [True, False]


def test_without_rounding_only_the_peak_is_recorded() -> None:
    values = Arithmetic(np.inf, rounds=False)
    x = values.of(np.array([1e6], "f4"))
    assert np.asarray((x * 3 - x * 3) + HALF).tolist() == [HALF]
    assert values.peak == 3e6


def test_a_product_adds_four_terms_at_a_time() -> None:
    values = Arithmetic()
    a = values.of(np.array([[3e4] * 4 + [-3e4] * 4], "f4"))
    assert np.isinf(np.asarray(a @ np.ones((8, 1), "f4"))).all()
    assert values.peak == 120000
    a = values.of(np.array([[3e4, -3e4] * 4], "f4"))
    assert np.asarray(a @ np.ones((8, 1), "f4")).tolist() == [[0]]


@pytest.mark.parametrize(
    "shapes", [((5,), (5, 3)), ((2, 5), (5,)), ((5,), (5,)), ((4, 2, 5), (5, 3))]
)
def test_products_of_all_ranks(shapes: tuple[tuple[int, ...], tuple[int, ...]]) -> None:
    rng = np.random.default_rng(0)
    a, b = (rng.integers(-4, 4, shape).astype("f4") for shape in shapes)
    found = np.asarray(Arithmetic().of(a) @ b)
    assert np.array_equal(found.reshape(np.shape(a @ b)), a @ b)


def test_sums_are_added_in_lanes() -> None:
    values = Arithmetic()
    x = values.of(np.repeat(np.array([3e4, -3e4], "f4"), LANES))
    assert float(np.asarray(x.sum())) == 0
    assert values.peak == 0  # the two elements of a lane cancel
    x = values.of(np.repeat(np.array([100, -100, 100, -100], "f4"), LANES // 2))
    assert float(np.asarray(x.sum())) == 0
    assert values.peak == 200  # then lanes whose distance is half of all lanes cancel
    assert np.isinf(float(np.asarray(values.of(np.full(4 * LANES, 100, "f4")).sum())))


def test_sums_along_axes() -> None:
    rng = np.random.default_rng(0)
    x = rng.integers(-9, 9, (3, 4, 5)).astype("f4")
    half = Arithmetic().of(x)
    for axis in (None, 0, -1, (0, 2)):
        for keep in (False, True):
            assert np.array_equal(half.sum(axis, keepdims=keep), x.sum(axis, keepdims=keep))
    assert np.allclose(np.asarray(half.mean(1)), x.mean(1), atol=2e-3)


def test_integers_and_masks_are_not_rounded() -> None:
    x = Arithmetic().of(np.array([1, 3000], "f4"))
    assert np.asarray(x < 2000).tolist() == [True, False]
    assert np.where(x < 2000, x, 0).tolist() == [1, 0]


def test_sums_that_are_not_rounded() -> None:
    values = Arithmetic(sums=False)
    a = values.of(np.array([[3e4] * 4 + [-3e4] * 4], "f4"))
    assert np.asarray(a @ np.ones((8, 1), "f4")).tolist() == [[0]]
    assert float(np.asarray(a.sum())) == 0
    assert values.peak == 0
    assert np.isinf(np.asarray(a @ np.full((8, 1), [[3]] * 4 + [[0]] * 4, "f4"))).all()
