"""Statistics of the inputs of a matrix in calibration data."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from ..gptq import STEP, inverse_factor
from ..layer_weights import Array

ROWS = 512
"""Rows that are kept, spread evenly over all."""
_DAMP = 0.01
"""The fraction of the mean square that is added to all squares, so that directions without input do
not count as free."""


class InputStatistics:
    """The rows of inputs of a matrix, from one array for each sample, up to a common factor.

    Methods only compare errors and use ratios, and the squares of very large or small values exceed
    float32."""

    def __init__(self, parts: Sequence[Array]) -> None:
        self._parts = parts
        count = sum(len(part) for part in parts)
        kept = set(np.linspace(0, count - 1, min(count, ROWS)).astype(int).tolist())
        rows: list[Array] = []
        start = 0
        for part in parts:
            here = [i - start for i in range(start, start + len(part)) if i in kept]
            rows.append(np.asarray(part[here], "f4"))
            start += len(part)
        kept_rows = np.concatenate(rows)
        largest = float(np.abs(kept_rows).max(initial=0)) or 1.0
        self.rows: Array = (kept_rows.astype("f8") / largest).astype("f4")

    @cached_property
    def mean_magnitudes(self) -> Array:
        """The mean magnitude of each element of a row, relative to the largest mean."""
        total = np.zeros(self._parts[0].shape[1])
        for part in self._parts:
            total += np.abs(part).sum(0, dtype="f8")
        return total / (total.max(initial=0) or 1.0)

    def inverse_factor(self) -> Array | None:
        """Return the upper Cholesky factor of the inverse of `sum(x^T x)` over all rows x, float32;
        `None` if all inputs are 0. The sum is divided by the mean of its diagonal and damped."""
        columns = self._parts[0].shape[1]
        products = np.zeros((columns, columns))
        for part in self._parts:
            values = part[:, ::-1].astype("f8")
            for start in range(0, columns, STEP):
                own = slice(start, start + STEP)
                products[own] += values[:, own].T @ values
        diagonal = np.einsum("ii->i", products)
        mean = float(diagonal.mean())
        if not mean > 0:
            return None
        products /= mean
        diagonal += _DAMP
        return np.ascontiguousarray(inverse_factor(products), "f4")
