"""Rows of weights in float16: zeros stay zeros, and count for nothing."""

from typing import Any

import numpy as np
import pytest
from ncnn_opt.transforms.canonicalization.precision import (
    FLOAT16,
    _row_holds,  # pyright: ignore[reportPrivateUsage]
)

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
