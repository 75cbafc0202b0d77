"""The error function, which NumPy lacks, by polynomials through values of `math.erf`."""

import math
from collections.abc import Callable
from functools import cache

import numpy as np

from .semantics import Array
from .traceable import traceable

_END = 26.0
"""The point where erfc is below float32's range but within float64's."""


@traceable
def erfc(x: Array) -> Array:
    """Return `1 - erf(x)` in float64 with relative error 1e-10 where float32 can represent the
    result."""
    size = np.minimum(np.abs(x, dtype="f8"), _END)
    tail = np.exp(-size * size) * _polynomial(_position(size), _tail_coefficients())
    return np.where(x < 0, 2 - tail, tail)


@traceable
def erf(x: Array) -> Array:
    """Return the error function in float64 with relative error 1e-10."""
    near = np.clip(x, -1, 1, dtype="f8")
    small = near * _polynomial(2 * near * near - 1, _small_coefficients())
    return np.where(np.abs(x) < 1, small, 1 - erfc(x))


def _polynomial(x: Array, coefficients: Array) -> Array:
    """Return the sum of Chebyshev polynomials with these coefficients, by Clenshaw's recurrence."""
    first, second = np.zeros_like(x), np.zeros_like(x)
    for coefficient in coefficients[:0:-1]:
        first, second = 2 * x * first - second + coefficient, first
    return x * first - second + coefficients[0]


def _position(x: Array) -> Array:
    """Map 0 … `_END` to -1 … 1, so that exp(x²) erfc(x), which decays like 1/x, is close to a
    polynomial."""
    return 2 * x * (_END + 2) / ((x + 2) * _END) - 1


def _size(position: float) -> float:
    """The inverse of `_position`."""
    part = (position + 1) * _END / (2 * (_END + 2))
    return 2 * part / (1 - part)


@cache
def _tail_coefficients() -> Array:
    def tail(position: float) -> float:
        x = _size(position)
        return math.exp(x * x) * math.erfc(x)

    return _fit(tail, 16)


@cache
def _small_coefficients() -> Array:
    def slope(position: float) -> float:
        x = math.sqrt((position + 1) / 2)
        return math.erf(x) / x

    return _fit(slope, 10)


def _fit(function: Callable[[float], float], degree: int) -> Array:
    """Return the Chebyshev coefficients of a near-minimax polynomial for a function on -1 … 1: it
    interpolates the function at the roots of a Chebyshev polynomial."""
    angles = (np.arange(degree + 1) + 0.5) * np.pi / (degree + 1)
    values = np.array([function(math.cos(angle)) for angle in angles])
    rows = np.cos(np.arange(degree + 1)[:, None] * angles)
    coefficients = rows @ values * 2 / (degree + 1)
    coefficients[0] /= 2
    return coefficients
