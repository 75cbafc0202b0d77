"""Ratios of paired times, and their intervals, on synthetic times."""

from itertools import combinations_with_replacement, product

import numpy as np
import pytest
from ncnn_opt.paired_times.ratio import (
    CONFIDENCE,
    MOST,
    Ratio,
    cut_off,
    ratio_of,
    ratio_of_groups,
    ratio_of_pairs,
)

Generator = np.random.Generator


def test_the_estimate_and_the_interval_are_averages_of_two() -> None:
    logs = [0.05, -0.3, 0.1, 0.2, -0.02, 0.31, 0.07, 0.4]
    averages = sorted((a + b) / 2 for a, b in combinations_with_replacement(logs, 2))
    ratio = ratio_of([float(np.exp(each)) for each in logs])
    assert np.log([ratio.value, ratio.low, ratio.high]) == pytest.approx(
        [(averages[17] + averages[18]) / 2, averages[3], averages[-4]]
    )
    assert ratio.confidence == CONFIDENCE


@pytest.mark.parametrize("count", range(1, 13))
def test_the_signed_rank_distribution(count: int) -> None:
    """The number of averages to cut off, by all signs of the ranks."""
    sums = [
        sum(rank for rank, sign in enumerate(signs, 1) if sign)
        for signs in product((0, 1), repeat=count)
    ]
    outside, confidence = cut_off(count)

    def at_most(number: int) -> float:
        return sum(each <= number for each in sums) / len(sums)

    assert confidence == pytest.approx(min(1 - 2 * at_most(outside), CONFIDENCE))
    if count < 6:
        assert outside == 0
        assert confidence < CONFIDENCE
    else:
        assert at_most(outside) <= (1 - CONFIDENCE) / 2 < at_most(outside + 1)
        assert confidence == CONFIDENCE


def test_few_ratios_have_less_confidence() -> None:
    ratio = ratio_of([0.5, 0.6, 0.7, 0.8])
    assert (ratio.low, ratio.high) == (pytest.approx(0.5), pytest.approx(0.8))
    assert ratio.percent == "87 %"
    assert ratio_of([0.5] * 5).percent == "93 %"
    assert ratio_of([0.5] * 6).percent == "95 %"
    single = ratio_of([0.25])
    assert (single.value, single.low, single.high) == pytest.approx((0.25, 0.25, 0.25))
    assert single.percent == "0 %"
    with pytest.raises(ValueError, match="no pairs"):
        ratio_of([])


def test_the_ratio_is_that_of_pairs() -> None:
    """Both models meet the same disturbances: medians would be equal."""
    ratio = ratio_of_pairs([2.0, 20.0, 2.0, 20.0, 11.0], [1.0, 10.0, 1.0, 10.0, 5.5])
    assert (ratio.value, ratio.low, ratio.high) == pytest.approx((2, 2, 2))
    ratio = ratio_of_pairs([1.0, 2.0] * 10, [2.0, 1.0] * 10)
    assert ratio.low < 1 < ratio.high
    assert ratio.value == pytest.approx(1)
    with pytest.raises(ValueError, match="zip"):
        ratio_of_pairs([1.0, 2.0], [1.0])


def test_a_clock_that_stands_still_has_a_ratio() -> None:
    ratio = ratio_of_pairs([0.0] * 6, [0.0] * 6)
    assert (ratio.low, ratio.high) == (1, 1)


def test_a_group_counts_as_one_ratio() -> None:
    """Many ratios of one group do not make the interval narrow, or move the estimate."""
    groups = [[0.7], [0.8], [0.9], [1.0], [1.1], [1.2]]
    ratio = ratio_of([each for (each,) in groups])
    assert ratio_of_groups(groups) == ratio
    assert ratio_of_groups([[0.7] * 50, *groups[1:]]) == ratio
    assert ratio_of_groups([[0.1, 0.7, 9.0], *groups[1:]]) == ratio  # the median of the group
    assert ratio_of_groups([[0.5, 2.0]]).value == pytest.approx(1)
    assert ratio_of([0.7] * 49 + [each for (each,) in groups]).high < ratio.high


def test_neighbors_are_joined_where_there_are_many() -> None:
    """A disturbance that lasts for many pairs counts about as often as it occurs."""
    ratios = np.exp(np.random.default_rng(3).normal(0, 0.02, 20 * MOST))
    ratios[:7] = 100.0
    ratio = ratio_of(ratios.tolist())
    assert ratio.low < 1 < ratio.high
    assert ratio.high - ratio.low < 0.004
    # The median of each three neighbors is 1.
    ratio = ratio_of([1.0, 1.0, 8.0] * MOST)
    assert (ratio.value, ratio.low, ratio.high) == (1, 1, 1)
    assert ratio_of([1.0, 1.0, 8.0] * (MOST // 3)).high > 2  # not joined


def groups_of(
    rng: Generator, factor: float = 1.0, between: float = 0.0, within: float = 0.02, count: int = 8
) -> list[list[float]]:
    """Return groups of ratios of a model that takes `factor` times the time of another, with noise
    that the ratios of a group share, and noise of their own."""
    shared = factor * np.exp(rng.normal(0, between, (count, 1)))
    return (shared * np.exp(rng.normal(0, within, (count, 3)))).tolist()


@pytest.mark.parametrize(("between", "within"), [(0, 0.02), (0.01, 0.02), (0.03, 0.01)])
def test_intervals_of_equal_models_contain_one(between: float, within: float) -> None:
    rng = np.random.default_rng(0)
    ratios = [ratio_of_groups(groups_of(rng, 1, between, within)) for _ in range(200)]
    assert sum(r.low <= 1 <= r.high for r in ratios) >= 186
    assert sum(r.is_faster or r.is_slower for r in ratios) <= 14
    # The interval is about as wide as the noise requires.
    widths = [r.high - r.low for r in ratios]
    assert np.median(widths) < 2.5 * (between + within)


def test_a_difference_is_found() -> None:
    ratio = ratio_of_groups(groups_of(np.random.default_rng(1), 0.87))
    assert ratio.is_faster
    assert not ratio.is_slower
    assert ratio.value == pytest.approx(0.87, abs=0.02)
    assert ratio.sentence("a", "b") == f"a takes {ratio} of the time of b"
    assert ratio_of_groups(groups_of(np.random.default_rng(1), 1.2)).is_slower


@pytest.mark.parametrize(
    ("ratio", "text"),
    [
        (Ratio(0.87, 0.85, 0.89), "a takes 0.87 (0.85 to 0.89) of the time of b"),
        (Ratio(1.0, 0.991, 1.009), "a and b: no difference beyond 1 %"),
        (Ratio(0.995, 0.991, 0.999), "a and b: no difference beyond 1 %"),
        (
            Ratio(1.0, 0.98, 1.009),
            "a takes 1.00 (0.98 to 1.01) of the time of b: no difference is shown",
        ),
        (Ratio(1.2, 1.1, 1.3), "a takes 1.20 (1.10 to 1.30) of the time of b"),
    ],
)
def test_sentences(ratio: Ratio, text: str) -> None:
    assert ratio.sentence("a", "b") == text
