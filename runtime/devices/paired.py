"""Statistics of paired measurements.

A measurement consists of rounds, and a round of blocks. Each round loads both models again, in
alternating order, because the addresses of their memory change their speed. A block is A B B A or
B A A B, so that a steady drift of the processor's speed cancels. The ratio of a block is the
geometric mean of its two pairs.

Noise of other processes, of the temperature and of addresses is common to the blocks of a round.
The bootstrap therefore draws rounds first, and then blocks within each round.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np

RESAMPLINGS = 4000
"""The number of bootstrap samples."""
CONFIDENCE = 0.95
BAND = 0.01
"""A difference that is provably smaller than this counts as none."""
THROTTLED = 0.9
"""A block below this fraction of the usual frequency does not count."""
FEW_ROUNDS = 4
"""The least number of rounds for an interval."""
_STUDENT = {3: 3.182, 4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306, 9: 2.262, 10: 2.228}
"""97.5 % quantiles of Student's distribution for few degrees of freedom; for more, the first terms
of its expansion are near enough."""


@dataclass(frozen=True)
class Block:
    """A block of runs."""

    ms: Sequence[Sequence[float]]
    """The times of each model in milliseconds."""
    mhz: Sequence[float] = (0.0, 0.0)
    """The frequency before and after, 0 if it is unknown."""

    @property
    def ratio(self) -> float:
        """The time of the first model divided by the time of the second."""
        first, second = (float(np.log(np.maximum(times, 1e-9)).mean()) for times in self.ms)
        return float(np.exp(first - second))


Rounds = Sequence[Sequence[Block]]


def usual_frequency(rounds: Rounds) -> float:
    """Return the median frequency of all blocks in MHz, 0 if it is unknown."""
    known = [f for blocks in rounds for block in blocks for f in block.mhz if f > 0]
    return median(known) if known else 0.0


def without_throttled(rounds: Rounds) -> list[list[Block]]:
    """Return the blocks at the usual frequency, in rounds that have some."""
    usual = usual_frequency(rounds)
    kept = [[b for b in blocks if min(b.mhz) >= THROTTLED * usual] for blocks in rounds]
    return [blocks for blocks in kept if blocks]


@dataclass(frozen=True)
class Ratio:
    """The time of a model divided by the time of another, with a confidence interval."""

    value: float
    low: float
    high: float
    blocks: int = 0
    """The number of blocks that count."""
    rejected: int = 0
    """The number of blocks that do not count, because the processor was throttled."""

    @property
    def is_faster(self) -> bool:
        """Whether the first model is faster, beyond the interval."""
        return self.high < 1

    @property
    def is_slower(self) -> bool:
        """Whether the first model is slower, beyond the interval."""
        return self.low > 1

    @property
    def is_none(self) -> bool:
        """Whether a difference is provably at most `BAND`."""
        return 1 - BAND <= self.low and self.high <= 1 + BAND

    def __str__(self) -> str:
        return f"{self.value:.2f} ({self.low:.2f} to {self.high:.2f})"

    def sentence(self, first: str, second: str) -> str:
        """Return the comparison of two models as text."""
        if self.is_none:
            return f"{first} and {second}: no difference beyond {100 * BAND:g} %"
        text = f"{first} takes {self} of the time of {second}"
        uncertain = not (self.is_faster or self.is_slower)
        return f"{text}: no difference is shown" if uncertain else text


def ratio_of(rounds: Rounds) -> Ratio:
    """Return the ratio of two models: the median of all blocks, with a bootstrap interval over
    rounds and blocks. Raise `ValueError` for too few rounds."""
    kept = without_throttled(rounds)
    logs = [np.log([block.ratio for block in blocks]) for blocks in kept]
    if len(logs) < FEW_ROUNDS:
        raise ValueError(f"{len(logs)} rounds at the usual frequency; {FEW_ROUNDS} are needed")
    value = float(np.median(np.concatenate(logs)))
    rng = np.random.default_rng(0)
    widest = max(map(len, logs))
    # Rows of different lengths: draw a position by a fraction.
    table = np.array([np.resize(row, widest) for row in logs])
    lengths = np.array([len(row) for row in logs])
    rounds_drawn = rng.integers(0, len(logs), (RESAMPLINGS, len(logs)))
    drawn = rng.random((RESAMPLINGS, len(logs), widest)) * lengths[rounds_drawn][..., None]
    samples = table[rounds_drawn[..., None], drawn.astype(int)].reshape(RESAMPLINGS, -1)
    # A bootstrap of n groups underestimates the variance by (n - 1) / n, and its quantiles are
    # those of the normal distribution, not of Student's: widen the interval around the median.
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(np.median(samples, axis=1), [tail, 1 - tail])
    z, freedom = 1.96, len(logs) - 1
    student = _STUDENT.get(freedom) or z + (z**3 + z) / (4 * freedom)
    wider = student / z * np.sqrt(len(logs) / freedom)
    low, high = (
        value + (min(low, value) - value) * wider,
        value + (max(high, value) - value) * wider,
    )
    total, count = sum(map(len, rounds)), int(lengths.sum())
    return Ratio(
        float(np.exp(value)), float(np.exp(low)), float(np.exp(high)), count, total - count
    )
