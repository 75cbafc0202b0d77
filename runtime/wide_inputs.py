"""Outputs for inputs from wide ranges: an error counts only if rounding does not explain it.

For example, a rounding of the inputs changes an output by 0.01 of its largest value. Then an error
of 0.05 does not count, because it is below `NOISE` (10) times 0.01; an error of 0.2 counts.
"""

from collections.abc import Callable, Sequence

import numpy as np

from .differences import relative_error
from .host import Array
from .process import Blobs, Failure

NOISE = 10
"""Outputs may differ by this multiple of their change under a rounding of the inputs."""


def wide_errors(
    expected: Blobs,
    found: Blobs,
    tolerance: float,
    rerun: Callable[[Sequence[str]], Blobs | Failure],
) -> dict[str, float]:
    """Return the error of each output. `rerun` computes expected outputs for nudged inputs: an
    output that a rounding of the inputs changes as much counts as right."""
    errors = {name: finite_error(expected[name], array) for name, array in found.items()}
    wrong = [name for name, error in errors.items() if error > tolerance]
    if not wrong or isinstance(others := rerun(wrong), Failure):
        return errors
    for name in wrong:
        if errors[name] < NOISE * finite_error(expected[name], others[name]):
            errors[name] = 0.0
    return errors


def finite_error(expected: Array, actual: Array) -> float:
    """Return the largest difference of elements that are finite in both arrays, relative to the
    largest expected value. The result is infinite if the shapes differ."""
    if expected.shape != actual.shape:
        return float("inf")
    finite = np.isfinite(expected) & np.isfinite(actual)
    return relative_error(expected[finite], actual[finite])


def nudged(array: Array) -> Array:
    """Return an array whose elements are rounded differently, except multiples of 1/2: these are on
    purpose where a number is rounded to an integer."""
    if array.dtype.kind != "f":
        return array
    with np.errstate(all="ignore"):
        nudged = array * np.float32(1 + 2**-21)
        return np.where(array * 2 == np.rint(array * 2), array, nudged).astype(array.dtype)
