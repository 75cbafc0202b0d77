"""Statistics of the values of a weight: a histogram, a few figures, the first values."""

from dataclasses import dataclass
from math import prod
from typing import Any

from ..dialects.ncnn.blob import static_shape_of
from ..dialects.ncnn.constant import ConstantOp

MOST = 1 << 16
"""The largest number of values that are read, in evenly spaced pieces. This keeps a page of any
model quick to generate; the histogram looks like the one of all values."""
PIECE = 1 << 10
BINS = 40
FIRST = 16


@dataclass(frozen=True)
class ValueStatistics:
    """Statistics of the finite values that were read; all 0 if there are no such values."""

    shape: tuple[int, ...]
    looked_at: int
    not_finite: int
    zeros: int
    lowest: float
    highest: float
    mean: float
    deviation: float
    bins: tuple[int, ...]
    """The number of values in each of `BINS` ranges of equal width from the lowest to the highest
    value; one range if these are equal."""
    first: tuple[float, ...]
    """The first values, row-major, finite or not."""


def sample(constant: ConstantOp) -> ValueStatistics | None:
    """Return the statistics of a constant; `None` if it has no values. Raise `WeightError` if their
    file is missing or truncated."""
    import numpy as np

    shape = static_shape_of(constant.output)
    if shape is None or not constant.has_values() or not prod(shape):
        return None
    flat: Any = constant.read().reshape(-1)
    first = tuple(float(v) for v in flat[:FIRST])
    if flat.size > MOST:
        pieces = MOST // PIECE
        starts = [i * (flat.size - PIECE) // (pieces - 1) for i in range(pieces)]
        flat = np.concatenate([flat[i : i + PIECE] for i in starts])
    values = flat[np.isfinite(flat)].astype(np.float64)
    figures, bins = (0.0, 0.0, 0.0, 0.0), ()
    if values.size:
        low, high = float(values.min()), float(values.max())
        counted, _ = np.histogram(values, BINS if high > low else 1, (low, high))
        bins = tuple(int(n) for n in counted)
        figures = (low, high, float(values.mean()), float(values.std()))
    zeros, missing = int((values == 0).sum()), int(flat.size - values.size)
    return ValueStatistics(shape, flat.size, missing, zeros, *figures, bins, first)
