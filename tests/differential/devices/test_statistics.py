"""Intervals of paired measurements, on synthetic times."""

import numpy as np
import pytest
from ncnn_opt.runtime.devices.paired import Block, Ratio, ratio_of, without_throttled

Generator = np.random.Generator


def rounds_of(
    rng: Generator, factor: float = 1.0, between: float = 0.0, within: float = 0.02, count: int = 8
) -> list[list[Block]]:
    """Return rounds of a model that takes `factor` times the time of another, with noise that the
    blocks of a round share, and noise of its own for each run."""
    rounds: list[list[Block]] = []
    for _ in range(count):
        shared = factor * np.exp(rng.normal(0, between))
        runs = np.exp(rng.normal(0, within, (3, 2, 2)))
        rounds.append([Block([shared * first, second]) for first, second in runs])
    return rounds


@pytest.mark.parametrize(("between", "within"), [(0, 0.02), (0.01, 0.02), (0.03, 0.01)])
def test_intervals_of_equal_models_contain_one(between: float, within: float) -> None:
    rng = np.random.default_rng(0)
    ratios = [ratio_of(rounds_of(rng, 1, between, within)) for _ in range(60)]
    assert sum(r.low <= 1 <= r.high for r in ratios) >= 54
    assert sum(r.is_faster or r.is_slower for r in ratios) <= 6
    # The interval is about as wide as the noise requires.
    widths = [r.high - r.low for r in ratios]
    assert np.median(widths) < 2.5 * (between + within)


def test_a_difference_is_found() -> None:
    ratio = ratio_of(rounds_of(np.random.default_rng(1), 0.87))
    assert ratio.is_faster
    assert not ratio.is_slower
    assert ratio.value == pytest.approx(0.87, abs=0.01)
    assert ratio.sentence("a", "b") == f"a takes {ratio} of the time of b"
    assert ratio_of(rounds_of(np.random.default_rng(1), 1.2)).is_slower


def test_a_drift_cancels_in_a_block() -> None:
    # The clock doubles during each block: A B B A.
    drift = np.exp(np.log(2) * np.arange(4) / 3)
    a, b, c, d = map(float, drift)
    assert Block([[a, d], [b, c]]).ratio == pytest.approx(1)
    assert Block([[a, b], [c, d]]).ratio < 0.7


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


def test_throttled_blocks_do_not_count() -> None:
    rounds = rounds_of(np.random.default_rng(2), 0.5, count=7)
    at = [[Block(b.ms, (2000.0, 1950.0)) for b in blocks] for blocks in rounds]
    slow = [Block([[9.0, 9.0], [1.0, 1.0]], mhz) for mhz in ((2000.0, 1500.0), (1500.0, 2000.0))]
    mixed = [[*blocks, *slow[: i % 2]] for i, blocks in enumerate(at)]
    ratio = ratio_of([*mixed, [slow[1]]])
    assert (ratio.blocks, ratio.rejected) == (21, 4)
    assert ratio.value == pytest.approx(ratio_of(at).value)
    assert len(without_throttled(rounds)) == 7  # unknown frequencies count
    with pytest.raises(ValueError, match="3 rounds at the usual frequency; 4 are needed"):
        ratio_of(at[:3])
