"""Channels between two convolutions get ranges that are alike, and the model computes the same."""

from typing import Any, cast

import numpy as np
import pytest
from ncnn_opt.dialects.ncnn.constant import attached_constant
from ncnn_opt.dialects.ncnn.lookup import find_layer, model_of
from ncnn_opt.quantization.equalization import equalizable_pairs, equalize
from xdsl.dialects.builtin import ModuleOp

from .conftest import Array, Load, drawn, outputs

WIDE = np.array([4, 1, 0.25, 16], "f4")
"""The ranges of channels."""


def weight_of(module: ModuleOp, name: str, slot: str = "weight") -> Array:
    constant = attached_constant(getattr(cast(Any, find_layer(model_of(module), name)), slot))
    assert constant is not None
    return constant.read()


def model(load: Load, second: str, activation: str = "9=1", more: str = "") -> ModuleOp:
    """A convolution with a bias and one behind it."""
    depthwise = second == "ConvolutionDepthWise"
    weights = drawn(4, 1, 3, 3, seed=3) if depthwise else drawn(5, 4, 3, 3, seed=3)
    params = "0=4 1=3 4=1 6=36 7=4" if depthwise else "0=5 1=3 4=1 6=180"
    return load(
        f"Input in 0 1 in 0=6 1=6 2=3\nConvolution a 1 1 in a 0=4 1=1 5=1 6=12 {activation}\n"
        f"{second} b 1 1 a b {params} {more}",
        drawn(4, 3, 1, 1, seed=1) * WIDE.reshape(4, 1, 1, 1),
        drawn(4, seed=2) * WIDE,
        weights,
    )


INPUT = {"in": drawn(3, 6, 6, seed=9)}


@pytest.mark.parametrize("activation", ["", "9=1", "9=2 -23310=1,0.1"])
@pytest.mark.parametrize("second", ["Convolution", "ConvolutionDepthWise"])
def test_it_computes_the_same(second: str, activation: str, load: Load) -> None:
    module = model(load, second, activation)
    before = outputs(module, INPUT)
    weights = {name: weight_of(module, name) for name in "ab"}
    assert equalize(model_of(module), {"a": WIDE}) == 1
    after = outputs(module, INPUT)
    assert after["b"] == pytest.approx(before["b"], rel=1e-5, abs=1e-5)
    factors = (weights["a"] / weight_of(module, "a"))[:, 0, 0, 0]
    if second == "Convolution":
        columns = np.abs(weights["b"]).max((0, 2, 3))
        expected = np.sqrt(WIDE / columns)
        expected = expected / expected.max()
        # Both ranges are the root of their product, up to a factor that all channels have.
        spread = (WIDE / factors) / (columns * factors)
        assert spread == pytest.approx(spread[0])
    else:
        expected = WIDE / WIDE.max()
    assert factors == pytest.approx(expected, rel=1e-5)
    module.verify()


def test_channels_of_zeros_stay_and_others_are_not_made_too_wide(load: Load) -> None:
    module = model(load, "ConvolutionDepthWise")
    before = outputs(module, INPUT)
    old = weight_of(module, "a")
    assert equalize(model_of(module), {"a": np.array([1, 0, 1e-9, 0.5])}) == 1
    factors = (old / weight_of(module, "a"))[:, 0, 0, 0]
    assert factors == pytest.approx([1, 1, 1e-3, 0.5])
    assert outputs(module, INPUT)["b"] == pytest.approx(before["b"], rel=1e-4, abs=1e-4)


def test_columns_of_zeros_stay(load: Load) -> None:
    module = load(
        "Input in 0 1 in 0=6 1=6 2=3\nConvolution a 1 1 in a 0=4 1=1 6=12\n"
        "Convolution b 1 1 a b 0=2 1=1 6=8",
        drawn(4, 3, 1, 1, seed=1),
        drawn(2, 4, 1, 1) * np.array([1, 0, 1, 4], "f4").reshape(1, 4, 1, 1),
    )
    old, before = weight_of(module, "a"), outputs(module, INPUT)
    assert equalize(model_of(module), {"a": WIDE}) == 1
    assert (old / weight_of(module, "a"))[1, 0, 0, 0] == 1
    assert outputs(module, INPUT)["b"] == pytest.approx(before["b"], rel=1e-5, abs=1e-5)


@pytest.mark.parametrize(
    "ranges",
    [{}, {"b": WIDE}, {"a": WIDE[:3]}, {"a": WIDE * np.inf}, {"a": WIDE * np.nan}, {"a": WIDE * 0}],
)
def test_without_ranges_nothing_changes(ranges: dict[str, Array], load: Load) -> None:
    module = model(load, "Convolution")
    before = str(module)
    assert equalize(model_of(module), ranges) == 0
    assert str(module) == before


@pytest.mark.parametrize(
    ("second", "activation", "more"),
    [
        ("Convolution", "9=4", ""),  # Sigmoid
        ("Convolution", "9=3 -23310=2,0.0,6.0", ""),  # Clip
        ("Convolution", "9=1", "18=0.5"),  # pads with another value
        ("ConvolutionDepthWise", "9=1", "18=0.5"),
    ],
)
def test_pairs_that_would_compute_something_else(
    second: str, activation: str, more: str, load: Load
) -> None:
    module = model(load, second, activation, more)
    assert not equalizable_pairs(model_of(module))
    assert equalize(model_of(module), {"a": WIDE}) == 0


def test_groups_of_channels_and_further_readers_are_no_equalizable_pairs(load: Load) -> None:
    head = "Input in 0 1 in 0=6 1=6 2=3\nConvolution a 1 1 in a 0=4 1=1 6=12\n"
    grouped = load(
        head + "ConvolutionDepthWise b 1 1 a b 0=4 1=1 6=8 7=2",
        drawn(4, 3, 1, 1), drawn(4, 2, 1, 1),
    )  # fmt: skip
    assert not equalizable_pairs(model_of(grouped))
    read_twice = load(
        head + "Split s 1 2 a x y\nConvolution b 1 1 x b 0=2 1=1 6=8\nReLU r 1 1 y r",
        drawn(4, 3, 1, 1), drawn(2, 4, 1, 1),
    )  # fmt: skip
    assert not equalizable_pairs(model_of(read_twice))
    is_output = load(
        head + "Split s 1 2 a x y\nConvolution b 1 1 x b 0=2 1=1 6=8",
        drawn(4, 3, 1, 1), drawn(2, 4, 1, 1),
    )  # fmt: skip
    assert not equalizable_pairs(model_of(is_output))
    between = load(
        head + "ReLU r 1 1 a r\nConvolution b 1 1 r b 0=2 1=1 6=8",
        drawn(4, 3, 1, 1), drawn(2, 4, 1, 1),
    )  # fmt: skip
    assert not equalizable_pairs(model_of(between))


@pytest.mark.parametrize("slot", ["weight", "bias"])
def test_weights_that_float32_would_not_hold_stay(slot: str, load: Load) -> None:
    largest = 2e38
    weights = {"weight": drawn(4, 3, 1, 1, seed=1), "bias": drawn(4, seed=2)}
    weights[slot].reshape(-1)[0] = largest
    module = load(
        "Input in 0 1 in 0=6 1=6 2=3\nConvolution a 1 1 in a 0=4 1=1 5=1 6=12\n"
        "ConvolutionDepthWise b 1 1 a b 0=4 1=3 4=1 6=36 7=4",
        *weights.values(),
        drawn(4, 1, 3, 3, seed=3),
    )
    ranges = np.array([1, 2, 2, 2], "f4")
    assert equalize(model_of(module), {"a": ranges}) == 0
    assert weight_of(module, "a", slot).reshape(-1)[0] == np.float32(largest)
    assert equalize(model_of(module), {"a": ranges[::-1]}) == 1


@pytest.mark.parametrize("reason", ["infinite range", "no range", "weights of zeros"])
def test_pairs_behind_one_that_cannot_be_equalized(reason: str, load: Load) -> None:
    lines = ["Input in 0 1 in 0=6 1=6 2=4"]
    for bottom, top in zip(("in", "a", "b", "c"), "abcd", strict=True):
        lines.append(f"Convolution {top} 1 1 {bottom} {top} 0=4 1=1 5=1 6=16")
    weights = [drawn(4, 4, 1, 1, seed=3) if i % 2 == 0 else drawn(4, seed=2) for i in range(8)]
    ranges = dict.fromkeys("abc", WIDE)
    if reason == "weights of zeros":
        weights[2][:] = 0
    else:
        ranges["a"] = WIDE * np.float32(np.inf if reason == "infinite range" else 0)
    assert equalize(model_of(load("\n".join(lines), *weights)), ranges) == 2
