"""Weights and biases that are fitted to what int8 makes of the input."""

from typing import Any

import numpy as np
import pytest
from ncnn_opt.quantization.gptaq import Moments, fit
from numpy.typing import NDArray

Array = NDArray[Any]


def seen(floats: Array, integers: Array | None = None) -> Moments:
    moments = Moments.of(floats.shape[0], floats.shape[2])
    for start in range(0, floats.shape[1], 1500):
        part = slice(start, start + 1500)
        of_int8 = floats if integers is None else integers
        moments.add(floats[:, part], of_int8[:, part])
    return moments


def error(weight: Array, integers: Array, scales: Array, x: Array) -> float:
    """Of the sums, without what a bias makes up for."""
    d = (weight - integers / scales[:, :, None]) @ x.transpose(0, 2, 1)
    return float(d.var(2).sum())


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(0)


@pytest.mark.parametrize(("groups", "columns", "share"), [(5, 9, 0.5), (1, 90, 0.25)])
def test_correlated_inputs(
    groups: int, columns: int, share: float, rng: np.random.Generator
) -> None:
    """Neighbours much alike, as pixels are: what one is off, the next takes back; also where there
    are more than are rounded at once."""
    x = np.cumsum(rng.normal(size=(groups, 4000, columns)), 2) + 3
    weight = rng.normal(size=(groups, 6, columns))
    scales = 15 / np.abs(weight).max(2)
    integers, bias = fit(weight, np.zeros((groups, 6)), scales, seen(x))
    assert (integers == np.rint(integers)).all()
    assert np.abs(integers).max() <= 127
    nearest = np.rint(weight * scales[:, :, None])
    assert error(weight, integers, scales, x) < share * error(weight, nearest, scales, x)
    sums = [w @ x.transpose(0, 2, 1) for w in (weight, integers / scales[:, :, None])]
    assert (sums[1] + bias[:, :, None]).mean(2) == pytest.approx(sums[0].mean(2), abs=1e-6)


def test_inputs_that_have_nothing_in_common(rng: np.random.Generator) -> None:
    """Nothing can be taken back: all are rounded to the nearest."""
    signs = np.array([[1 if i >> k & 1 else -1 for k in range(6)] for i in range(64)], "f8")
    x = np.tile(signs, (200, 1))[None]
    weight = rng.normal(size=(1, 3, 6))
    scales = 127 / np.abs(weight).max(2)
    integers, bias = fit(weight, np.ones((1, 3)), scales, seen(x))
    assert (integers == np.rint(weight * scales[:, :, None])).all()
    assert bias == pytest.approx(1)


def test_inputs_that_int8_has_changed(rng: np.random.Generator) -> None:
    """What it does to all of a channel alike is undone."""
    x = rng.normal(size=(1, 20000, 8))
    factors, shifts = rng.uniform(0.8, 1.2, 8), rng.uniform(-1, 1, 8)
    weight = rng.normal(size=(1, 4, 8))
    scales = np.full((1, 4), 30.0)
    integers, bias = fit(weight, np.zeros((1, 4)), scales, seen(x, x * factors + shifts))
    wanted = weight / factors
    assert integers / 30 == pytest.approx(wanted, abs=0.05)
    assert bias == pytest.approx(-(integers / 30) @ shifts, abs=0.05)


def test_few_inputs_change_little(rng: np.random.Generator) -> None:
    """Three windows of many elements: there is nothing to learn from that."""
    x = rng.normal(size=(1, 3, 500))
    weight = rng.normal(size=(1, 4, 500))
    scales = 127 / np.abs(weight).max(2)
    integers, _ = fit(weight, np.zeros((1, 4)), scales, seen(x, x + rng.normal(size=x.shape) / 50))
    assert np.abs(integers - np.rint(weight * scales[:, :, None])).max() <= 1


def test_inputs_that_are_always_0(rng: np.random.Generator) -> None:
    weight = rng.normal(size=(1, 2, 4))
    scales = np.full((1, 2), 20.0)
    integers, bias = fit(weight, np.ones((1, 2)), scales, seen(np.zeros((1, 10, 4))))
    assert (integers == np.rint(weight * 20)).all()
    assert (bias == 1).all()


@pytest.mark.parametrize("factor", [1e-41, 1e-12, 1.0, 1e9, 1e36])
@pytest.mark.parametrize("count", [1, 2, 7])
@pytest.mark.parametrize("equal", [False, True])
def test_few_equal_tiny_and_huge_inputs(
    equal: bool, count: int, factor: float, rng: np.random.Generator
) -> None:
    """Means and squares of which nearly nothing is left when one is taken off the other: weights
    that nothing speaks against stay the nearest, and the bias keeps the mean."""
    x = rng.normal(size=(2, 1 if equal else count, 40))
    x = np.repeat(x, count if equal else 1, 1)
    floats = (x * factor).astype("f4")
    integers = (np.rint(x * 40) / 40 * factor).astype("f4")
    weight = rng.normal(size=(2, 3, 40))
    scales = 127 / np.abs(weight).max(2)
    found, bias = fit(weight, np.zeros((2, 3)), scales, seen(floats, integers))
    nearest = np.rint(weight * scales[:, :, None])
    assert np.abs(found - nearest).max() <= (0 if equal or count == 1 else 2)
    means = [
        np.einsum("grc,gc->gr", w, each.astype("f8").mean(1))
        for w, each in ((weight, floats), (found / scales[:, :, None], integers))
    ]
    assert means[1] + bias == pytest.approx(means[0], rel=1e-6, abs=1e-9 * factor)


def test_a_small_spread_around_a_large_mean(rng: np.random.Generator) -> None:
    """Windows that differ by less than float32 holds of their squares."""
    x = (1e4 + rng.normal(size=(1, 5000, 30)) * 1e-2).astype("f4")
    weight = rng.normal(size=(1, 4, 30))
    scales = 127 / np.abs(weight).max(2)
    found, _ = fit(weight, np.zeros((1, 4)), scales, seen(x))
    assert np.isfinite(found).all()
    assert np.abs(found - weight * scales[:, :, None]).max() < 3


@pytest.mark.parametrize("factor", [1e-30, 0.1, 1e30])
def test_many_equal_windows(factor: float, rng: np.random.Generator) -> None:
    """Of the squares nothing but rounding errors is left, in all directions."""
    x = np.tile(rng.normal(size=(1, 1, 60)) * factor, (1, 6000, 1)).astype("f4")
    weight = rng.normal(size=(1, 3, 60))
    scales = 127 / np.abs(weight).max(2)
    found, _ = fit(weight, np.zeros((1, 3)), scales, seen(x))
    assert (found == np.rint(weight * scales[:, :, None])).all()
