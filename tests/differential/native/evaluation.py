"""Lowered cases, evaluated in NumPy."""

from linalg_values import results_of

from ..semantics import TOLERANCE, error
from .layers import Lowered


def assert_right(code: Lowered) -> None:
    """Assert that code computes the reference's results."""
    found = results_of(code.func, code.inputs)
    for result, expected in zip(found, code.expected, strict=True):
        assert (result.shape, result.dtype) == (expected.shape, expected.dtype), code.name
        assert error(result, expected) <= TOLERANCE, code.name
