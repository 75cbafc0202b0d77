"""Factors of large matrices, in the place of the matrix itself. (NumPy's functions need three.)"""

import numpy as np

from .weights.scaled_integers import Array

STEP = 512
"""Rows that are worked on at a time."""


def factorize(matrix: Array) -> None:
    """The lower Cholesky factor of a symmetric, positive definite matrix; what is above is 0.
    Raises `np.linalg.LinAlgError` if it is none."""
    count = len(matrix)
    for start in range(0, count, STEP):
        end = min(start + STEP, count)
        corner = matrix[start:end, start:end] = np.linalg.cholesky(matrix[start:end, start:end])
        below = matrix[end:, start:end] = matrix[end:, start:end] @ np.linalg.inv(corner).T
        for row in range(end, count, STEP):
            part = below[row - end : row - end + STEP]
            matrix[row : row + STEP, end:] -= part @ below.T
        matrix[start:end, end:] = 0


def invert_lower(matrix: Array) -> None:
    """The inverse of a lower triangular matrix."""
    count = len(matrix)
    for start in range(0, count, STEP):
        end = min(start + STEP, count)
        corner = np.linalg.inv(matrix[start:end, start:end])
        matrix[start:end, :start] = -corner @ (matrix[start:end, :start] @ matrix[:start, :start])
        matrix[start:end, start:end] = np.tril(corner)
