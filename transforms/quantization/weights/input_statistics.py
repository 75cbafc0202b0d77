"""What a matrix was multiplied by with calibration data."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from ..gptq import STEP, factorize, invert_lower
from .scaled_integers import Array

ROWS = 512
"""Rows that are looked at one by one, spread evenly over all."""
_DAMP = 0.01
"""The share of the mean square that is added to all, so that directions in which there was next to
nothing do not count as free."""


class Seen:
    """The rows of inputs of a matrix, as they came, up to a factor: methods compare errors and use
    ratios only, and squares of values that are very large or small are beyond float32."""

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
    def mean_size(self) -> Array:
        """The mean absolute value of each element of a row, relative to the largest of these."""
        total = np.zeros(self._parts[0].shape[1])
        for part in self._parts:
            total += np.abs(part).sum(0, dtype="f8")
        return total / (total.max(initial=0) or 1.0)

    def inverse_factor(self) -> Array | None:
        """The upper Cholesky factor of the inverse of `sum(x^T x)` over all rows x, divided by the
        mean of its diagonal and damped; `None` where all are 0.

        With the order of elements reversed it is the inverse of the lower factor of the sum itself,
        so that one matrix of float64 is all that is needed."""
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
        factorize(products)
        invert_lower(products)
        return np.ascontiguousarray(products[::-1, ::-1], "f4")
