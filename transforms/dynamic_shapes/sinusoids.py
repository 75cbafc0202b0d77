"""Rows of a constant that are sines and cosines of multiples of the position."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

NEAR = 2e-6
"""How far sines may be off, beside what angles in float32 are."""


@dataclass(frozen=True)
class Waves:
    """Rows `sin(f*i)` and `cos(f*i)` of the position i, each with an f of its own."""

    runs: Sequence[tuple[str, Array]]
    """Neighbouring rows that are all sines, or all cosines (`sin`, `cos`), with their factors."""

    @staticmethod
    def found(exports: Sequence[Array]) -> "Waves | None":
        """What rows at the sizes of several exports are; `None` if they are something else."""
        runs: list[tuple[str, list[float]]] = []
        longest = max(exports, key=lambda rows: rows.shape[1])
        for row in longest:
            wave = _wave(row)
            if wave is None:
                return None
            if not runs or runs[-1][0] != wave[0]:
                runs.append((wave[0], []))
            runs[-1][1].append(wave[1])
        if len(exports) == 1 and any(_is_of_size(f, longest.shape[1]) for _, r in runs for f in r):
            return None
        for rows in exports:
            if not np.array_equal(rows, longest[:, : rows.shape[1]]):
                return None
        return Waves([(kind, np.array(factors)) for kind, factors in runs])


def _is_of_size(factor: float, extent: int) -> bool:
    """Whether a wave goes through a whole part of its period in the extent: then it may follow it,
    and another export must show that it does not."""
    turns = [factor * n * 2 / np.pi for n in (extent, extent - 1)]
    return any(0.5 < t < 64 and abs(t - round(t)) < 3e-6 * t for t in turns)


def _wave(row: Array) -> tuple[str, float] | None:
    """The kind of wave that a row is, and its factor."""
    if row.size < 8 or np.abs(row).max() > 1 + NEAR:
        return None
    kind = "sin" if abs(row[0]) < NEAR else "cos" if abs(row[0] - 1) < NEAR else None
    if kind is None:
        return None
    # The first value that has gone far enough, so that the angle can be told from it.
    far = np.abs(row - row[0]) > 0.1
    i = int(far.argmax()) if far.any() else row.size - 1
    angle = float(np.arcsin(row[i]) if kind == "sin" else np.arccos(min(row[i], 1.0)))
    for guess in (angle / i, (np.pi - angle) / i):  # a sine may be past its largest value
        if (factor := _factor(row, kind, guess)) is not None:
            return kind, factor
    return None


def _factor(row: Array, kind: str, factor: float) -> float | None:
    """The factor near this one with which a row is such a wave: by least squares (Gauss-Newton) on
    ever more of it, since the first guess is good only for its beginning."""
    count = 4
    while True:
        count = min(2 * count, row.size)
        i = np.arange(count, dtype="f8")
        for _ in range(8):
            wave, slope = np.sin(i * factor), i * np.cos(i * factor)
            if kind == "cos":
                wave, slope = np.cos(i * factor), -i * np.sin(i * factor)
            size = float(slope @ slope)
            if size < 1e-12:
                break
            factor += float(slope @ (row[:count] - wave)) / size
        if count == row.size:
            break
    i = np.arange(row.size, dtype="f8")
    exact = float(np.float32(factor))
    wave = np.sin(i * exact) if kind == "sin" else np.cos(i * exact)
    allowed = NEAR + 2**-22 * abs(exact) * row.size
    return exact if np.abs(row - wave).max() <= allowed else None
