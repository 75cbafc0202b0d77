"""Constants whose rows are sines and cosines of multiples of the position."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

TOLERANCE = 2e-6
"""The absolute error of a sine, beside the error of a float32 angle."""


@dataclass(frozen=True)
class Sinusoids:
    """Rows `sin(f*i)` and `cos(f*i)` of the position i, each with its own frequency f."""

    runs: Sequence[tuple[str, Array]]
    """Runs of rows with the same function (`sin`, `cos`), with their frequencies."""

    @staticmethod
    def fit(exports: Sequence[Array]) -> "Sinusoids | None":
        """Return the sinusoids that equal the rows in all exports; `None` if a row is none."""
        runs: list[tuple[str, list[float]]] = []
        longest = max(exports, key=lambda rows: rows.shape[1])
        for row in longest:
            wave = _fit_row(row)
            if wave is None:
                return None
            if not runs or runs[-1][0] != wave[0]:
                runs.append((wave[0], []))
            runs[-1][1].append(wave[1])
        if len(exports) == 1 and any(_may_follow(f, longest.shape[1]) for _, r in runs for f in r):
            return None
        for rows in exports:
            if not np.array_equal(rows, longest[:, : rows.shape[1]]):
                return None
        return Sinusoids([(function, np.array(frequencies)) for function, frequencies in runs])


def _may_follow(frequency: float, extent: int) -> bool:
    """Whether the extent is a multiple of a quarter of the period. Then the frequency may depend on
    the extent, and another export must show that it does not."""
    quarters = [frequency * n * 2 / np.pi for n in (extent, extent - 1)]
    return any(0.5 < t < 64 and abs(t - round(t)) < 3e-6 * t for t in quarters)


def _fit_row(row: Array) -> tuple[str, float] | None:
    """Return the function and the frequency of a row; `None` if it is no sinusoid."""
    if row.size < 8 or np.abs(row).max() > 1 + TOLERANCE:
        return None
    function = "sin" if abs(row[0]) < TOLERANCE else "cos" if abs(row[0] - 1) < TOLERANCE else None
    if function is None:
        return None
    # The first value that differs enough to determine the angle.
    far = np.abs(row - row[0]) > 0.1
    i = int(far.argmax()) if far.any() else row.size - 1
    angle = float(np.arcsin(row[i]) if function == "sin" else np.arccos(min(row[i], 1.0)))
    for guess in (angle / i, (np.pi - angle) / i):  # the angle of a sine may exceed pi / 2
        if (frequency := _refine(row, function, guess)) is not None:
            return function, frequency
    return None


def _refine(row: Array, function: str, frequency: float) -> float | None:
    """Return the frequency, near a guess, of a sinusoid that equals the row; `None` without one.
    Least squares (Gauss-Newton) on increasing prefixes, since a guess is good only for the
    beginning."""
    count = 4
    while True:
        count = min(2 * count, row.size)
        i = np.arange(count, dtype="f8")
        for _ in range(8):
            wave, slope = np.sin(i * frequency), i * np.cos(i * frequency)
            if function == "cos":
                wave, slope = np.cos(i * frequency), -i * np.sin(i * frequency)
            size = float(slope @ slope)
            if size < 1e-12:
                break
            frequency += float(slope @ (row[:count] - wave)) / size
        if count == row.size:
            break
    i = np.arange(row.size, dtype="f8")
    exact = float(np.float32(frequency))
    wave = np.sin(i * exact) if function == "sin" else np.cos(i * exact)
    allowed = TOLERANCE + 2**-22 * abs(exact) * row.size
    return exact if np.abs(row - wave).max() <= allowed else None
