"""The error of a blob relative to its largest value, and the results of a check after a pass.

Comparisons of models share this error, so a tolerance has the same meaning in all of them.
"""

from dataclasses import dataclass

import numpy as np

from .host import Array

ROUNDING = 0.05
"""The tolerance for models of which one has weights that the other has rounded to 16 bits."""


@dataclass
class Checked:
    """The result of the check after one pass."""

    name: str
    outputs: int = 0
    error: float = 0.0
    worst: str = ""
    """The output with the largest error."""
    limit: float = 0.0
    hollow: str = ""
    """A note on an output without elements (a detector found nothing) or without finite values: the
    blobs that were compared in its place."""
    note: str = ""

    def take(self, name: str, error: float) -> None:
        """Record the error of a blob."""
        if not self.worst or error > self.error:
            self.error, self.worst = error, name

    def line(self, width: int) -> str:
        """Return a line of a table. `width` is the width of the column of names."""
        error = "-" if self.note and not self.outputs else f"{self.error:.2g} '{self.worst}'"
        note = f"  ({self.note})" if self.note else ""
        return f"{self.name:{width}}  {self.outputs:7}  {error}{note}"


def relative_error(expected: Array, actual: Array) -> float:
    """Return the largest difference, relative to the largest expected value; where all expected
    values are 0, the largest difference itself. The result is infinite if the shapes differ, or if
    NaNs or infinities are not at the same positions."""
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
    # Rounding may leave 1e-9 where terms cancel to 0 in the original.
    return float(difference / (largest or 1.0))
