"""Weights that a factor makes smaller, as float16 holds them: zeros stay zeros, and count for
nothing; what gets lost is not folded."""

from typing import Any

import numpy as np
import pytest
from ncnn_opt.dialects.ncnn import BY_TYPE
from ncnn_opt.dialects.ncnn.blob import UNRANKED
from ncnn_opt.transforms.canonicalization.precision import (
    FLOAT16,
    _row_holds,  # pyright: ignore[reportPrivateUsage]
    overflows_float16,
    scaled_weight,
)
from xdsl.utils.test_value import create_ssa_value

LEAST = FLOAT16.least


def holds(row: list[float], factor: float, worse: bool) -> bool:
    values: Any = np.array(row, "f4")
    return _row_holds(values, np.array([factor] * len(row)), worse)


@pytest.mark.parametrize("zeros", [0, 1, 5])
def test_zeros_of_a_row_make_no_difference(zeros: int) -> None:
    """A normal number times a factor that keeps it one, or makes less than the least of it."""
    row = [0.5, *[0.0] * zeros]
    assert holds(row, 1.0, worse=False)
    assert holds(row, 1.85 * LEAST, worse=False)  # its error is that of 0.54, of 0.707 at most
    assert not holds(row, 1.4 * LEAST, worse=False)  # that of 0.714


@pytest.mark.parametrize("zeros", [0, 1, 5])
def test_a_row_may_be_as_bad_as_it_was(zeros: int) -> None:
    row = [LEAST / 4, *[0.0] * zeros]
    assert not holds(row, 1.0, worse=False)
    assert holds(row, 1.0, worse=True)
    assert not holds(row, 0.5, worse=True)


@pytest.mark.parametrize("factors", [[0.5], [0.5, 0.25], [0.0], [2.0, 1e-9], [1.0]])
def test_channels_that_are_held(factors: list[float]) -> None:
    """That of the largest weights counts, and one that is switched off is none."""
    found = times(factors)
    assert found is not None
    assert found.ravel().tolist() == np.array([0.5 * f for f in factors], "f4").tolist()


@pytest.mark.parametrize("factors", [[1e-6], [1e-6, 1e-7], [1e-6, 0.0]])
def test_channels_that_would_be_lost(factors: list[float]) -> None:
    assert times(factors) is None


def times(factors: list[float]) -> Any:
    """A Convolution's weights of 0.5 times factors, one for each output."""
    convolution = BY_TYPE["Convolution"].make([create_ssa_value(UNRANKED)], {}, [UNRANKED], {})
    by: Any = np.array(factors).reshape(-1, 1, 1, 1)
    weight: Any = np.full(by.shape, 0.5, "f4")
    return scaled_weight(weight, by, 0, convolution)


@pytest.mark.parametrize("largest", [65519.0, 65520.0])
@pytest.mark.parametrize("before", [1.0, 65520.0])
def test_vectors_that_overflow_float16(largest: float, before: float) -> None:
    """65520 is the least value that float16 rounds to infinity. A vector that was infinite may stay
    so; a matrix is not checked here."""
    old = [np.array([before]), np.array([-2.0])]
    vector, row, matrix = (np.full(shape, -largest) for shape in ((3,), (1, 3), (2, 2)))
    overflows = largest > 65519 and before == 1.0
    assert overflows_float16([np.zeros(2), vector], lambda: old) == overflows
    assert overflows_float16([row], lambda: old) == overflows
    assert not overflows_float16([matrix], lambda: old)
