"""How far blobs after a pass are from those before it."""

from dataclasses import dataclass

import numpy as np

from .process import Array


@dataclass
class Checked:
    """What came out after one pass."""

    name: str
    outputs: int = 0
    error: float = 0.0
    worst: str = ""
    """The output with the largest error."""
    limit: float = 0.0
    hollow: str = ""
    """What is to be said of an output that has no elements (nothing was detected), or no finite
    ones: what was compared instead."""
    note: str = ""

    def take(self, name: str, error: float) -> None:
        """Notes the error of a blob."""
        if not self.worst or error > self.error:
            self.error, self.worst = error, name


def relative_error(expected: Array, actual: Array) -> float:
    """The largest difference, relative to the largest expected value; infinite where the shapes
    differ, or one has a NaN or an infinity where the other does not have the same."""
    if expected.shape != actual.shape:
        return float("inf")
    a, b = expected.astype("f8"), actual.astype("f8")
    finite = np.isfinite(a)
    if not np.array_equal(a[~finite], b[~finite], equal_nan=True):
        return float("inf")
    if not np.isfinite(b[finite]).all():
        return float("inf")
    a, b = a[finite], b[finite]
    largest, difference = np.abs(a).max(initial=0), np.abs(a - b).max(initial=0)
    if difference == 0:
        return 0.0
    return float(difference / largest) if largest else float("inf")
