"""The ratio of paired times, with a confidence interval.

The logarithms of the ratios of pairs are symmetric around the logarithm of the true ratio: noise
affects both functions of a pair alike, since their order alternates. So Wilcoxon's signed-rank test
holds for any distribution of the noise, and its interval is exact: the averages of any two
logarithms (each with itself, too) are sorted, and some are cut off at both ends. The estimate is
their median (Hodges and Lehmann). With 8 logarithms there are 36 averages; 3 are cut off at each
end, because the test statistic is at most 3 with a probability of 5 / 256.

Pairs that share noise, such as those between two loadings of the models, count as one: their
median.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from statistics import median

import numpy as np

CONFIDENCE = 0.95
LEAST = 6
"""The least number of independent ratios for this confidence. With fewer ratios, the interval
contains all of them, and its confidence is lower."""
MOST = 100
"""Of more ratios, neighbors are replaced by their median."""
BAND = 0.01
"""A difference that is provably smaller than this counts as none."""
TINY = 1e-9
"""The least time, for a clock that stands still."""


@dataclass(frozen=True)
class Ratio:
    """The time of a function divided by the time of another, with a confidence interval."""

    value: float
    low: float
    high: float
    confidence: float = CONFIDENCE
    """The probability that the interval contains the true ratio, at most `CONFIDENCE`."""

    @property
    def is_faster(self) -> bool:
        """Whether the first function is faster, beyond the interval."""
        return self.high < 1

    @property
    def is_slower(self) -> bool:
        """Whether the first function is slower, beyond the interval."""
        return self.low > 1

    @property
    def is_none(self) -> bool:
        """Whether a difference is provably at most `BAND`."""
        return 1 - BAND <= self.low and self.high <= 1 + BAND

    @property
    def percent(self) -> str:
        """The confidence as text, rounded down."""
        return f"{int(100 * self.confidence)} %"

    def __str__(self) -> str:
        return f"{self.value:.2f} ({self.low:.2f} to {self.high:.2f})"

    def sentence(self, first: str, second: str) -> str:
        """Return the comparison of two models as text."""
        if self.is_none:
            return f"{first} and {second}: no difference beyond {100 * BAND:g} %"
        text = f"{first} takes {self} of the time of {second}"
        uncertain = not (self.is_faster or self.is_slower)
        return f"{text}: no difference is shown" if uncertain else text


def ratio_of_pairs(first: Sequence[float], second: Sequence[float]) -> Ratio:
    """Return the ratio of independent pairs of times, in one unit. Equal positions are a pair.
    Raise `ValueError` without pairs, or for sequences of different lengths."""
    pairs = zip(first, second, strict=True)
    return ratio_of([max(a, TINY) / max(b, TINY) for a, b in pairs])


def ratio_of_groups(groups: Sequence[Sequence[float]]) -> Ratio:
    """Return the ratio for groups of ratios. The ratios of a group share noise, groups are
    independent. Raise `ValueError` without groups, or for an empty group."""
    return ratio_of([float(np.exp(median(np.log(group)))) for group in groups])


def ratio_of(ratios: Sequence[float]) -> Ratio:
    """Return the ratio for independent ratios, which are positive. Raise `ValueError` if there are
    none."""
    if not ratios:
        raise ValueError("no pairs")
    logs = np.log(ratios)
    if len(logs) > MOST:
        logs = np.array([np.median(part) for part in np.array_split(logs, MOST)])
    i, j = np.triu_indices(len(logs))
    averages = np.sort((logs[i] + logs[j]) / 2)
    outside, confidence = cut_off(len(logs))
    low, high = averages[outside], averages[-1 - outside]
    value = float(np.median(averages))
    return Ratio(float(np.exp(value)), float(np.exp(low)), float(np.exp(high)), confidence)


@cache
def cut_off(count: int) -> tuple[int, float]:
    """Return the number of averages beyond each end of the interval of `count` ratios, and the
    interval's confidence, at most `CONFIDENCE`. For too few ratios the number is 0."""
    # The signed-rank statistic is a sum of the ranks 1 to `count`, each with probability 1/2.
    probabilities = np.zeros(count * (count + 1) // 2 + 1)
    probabilities[0] = 1.0
    for rank in range(1, count + 1):
        probabilities[rank:] += probabilities[:-rank].copy()
        probabilities /= 2
    at_most = np.cumsum(probabilities)
    outside = max(int(np.searchsorted(at_most, (1 - CONFIDENCE) / 2, "right")) - 1, 0)
    return outside, min(CONFIDENCE, float(1 - 2 * at_most[outside]))
