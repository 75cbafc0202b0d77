"""What the values of a weight are like: a histogram, a few figures, the first values."""

from dataclasses import dataclass
from math import prod
from typing import Any

from ..dialects.ncnn.blob import static_shape_of
from ..dialects.ncnn.constant import ConstantOp

MOST = 1 << 16
"""Of more values than that only so many are looked at, in pieces that lie apart evenly: a page is
to be made in seconds of any model, and a histogram of so many is that of all to the eye."""
PIECE = 1 << 10
BINS = 40
FIRST = 16


@dataclass(frozen=True)
class Sample:
    """Figures of the finite values among those looked at, all 0 if there is none."""

    shape: tuple[int, ...]
    looked_at: int
    not_finite: int
    zeros: int
    lowest: float
    highest: float
    mean: float
    deviation: float
    bins: tuple[int, ...]
    """How many are in each of `BINS` ranges of equal width from the lowest to the highest; one
    range if these are the same."""
    first: tuple[float, ...]
    """The first values, row-major, finite or not."""


def sample(constant: ConstantOp) -> Sample | None:
    """The values of a constant; `None` if it has none. Raises `WeightError` if their file is gone,
    or shorter than it was."""
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
    return Sample(shape, flat.size, missing, zeros, *figures, bins, first)
