"""GPTQ (E. Frantar, S. Ashkboos, T. Hoefler, D. Alistarh, 2023): elements of a row are rounded one
after the other, and later elements compensate for the errors of earlier ones.

Algebra: H is the sum of `x^T x` over the inputs x of the matrix, U the upper Cholesky factor of its
inverse. After element k is rounded from w[k] to q[k], element j > k changes by
`-(w[k] - q[k]) * U[k, j] / U[k, k]`: the best compensation in the sense of least squares.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...interpreters.ncnn.int8 import rounded

Array = NDArray[Any]

STEP = 512
"""Rows of a matrix that are factorized at a time."""


def to_integers(values: Array, scales: Array, qmax: int) -> Array:
    """Return `round(values * scales)` within ±qmax, as floats."""
    with np.errstate(invalid="ignore", over="ignore"):  # infinite scales are refused in the end
        return np.clip(rounded(values * scales), -qmax, qmax)


def round_compensated(
    values: Array,
    factor: Array,
    block: int,
    qmax: int,
    scales_of: Callable[[int, Array], Array],
) -> Array:
    """Return the integers within ±qmax (int8) of matrices `groups x columns x rows`, which are
    overwritten. `factor` has U of each group.

    `scales_of` returns the scales (`groups x rows`) of a block of columns, from the index of its
    first column and its values when the block begins. Errors reach the columns behind a block once,
    when it ends.
    """
    columns = values.shape[1]
    integers = np.empty(values.shape, "i1")
    for start in range(0, columns, block):
        end = min(start + block, columns)
        scales = scales_of(start, values[:, start:end])
        errors = np.empty((len(values), end - start, values.shape[2]), values.dtype)
        for k in range(start, end):
            integer = to_integers(values[:, k], scales, qmax)
            with np.errstate(invalid="ignore"):  # the integer of an infinite scale is NaN
                integers[:, k] = integer
            error = (values[:, k] - integer / scales) / factor[:, k, k, None]
            errors[:, k - start] = error
            values[:, k + 1 : end] -= factor[:, k, k + 1 : end, None] * error[:, None]
        values[:, end:] -= factor[:, start:end, end:].transpose(0, 2, 1) @ errors
    return integers


def inverse_factor(reversed_products: Array) -> Array:
    """Return the upper Cholesky factor of the inverse of a symmetric, positive definite matrix H.

    The argument is H with rows and columns in reverse order, float64, and is overwritten: in this
    order U is the inverse of H's own lower factor. So no inverse is factorized (the inverse of an
    ill-conditioned H may not be positive definite after rounding), and no further matrix of this
    size is needed (NumPy's functions need three). Raises `np.linalg.LinAlgError`.
    """
    _factorize(reversed_products)
    _invert_lower(reversed_products)
    return reversed_products[::-1, ::-1]


def _factorize(matrix: Array) -> None:
    """Replace a matrix by its lower Cholesky factor, with zeros above."""
    count = len(matrix)
    for start in range(0, count, STEP):
        end = min(start + STEP, count)
        corner = matrix[start:end, start:end] = np.linalg.cholesky(matrix[start:end, start:end])
        below = matrix[end:, start:end] = matrix[end:, start:end] @ np.linalg.inv(corner).T
        for row in range(end, count, STEP):
            part = below[row - end : row - end + STEP]
            matrix[row : row + STEP, end:] -= part @ below.T
        matrix[start:end, end:] = 0


def _invert_lower(matrix: Array) -> None:
    """Replace a lower triangular matrix by its inverse."""
    count = len(matrix)
    for start in range(0, count, STEP):
        end = min(start + STEP, count)
        corner = np.linalg.inv(matrix[start:end, start:end])
        matrix[start:end, :start] = -corner @ (matrix[start:end, :start] @ matrix[:start, :start])
        matrix[start:end, start:end] = np.tril(corner)
