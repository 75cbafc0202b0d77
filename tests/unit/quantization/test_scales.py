"""Scales of weights and blobs: 127 steps up to a threshold, fewer where sums could be too large."""

import numpy as np
import pytest
from ncnn_opt.dialects.ncnn.int8 import StaticInt8
from ncnn_opt.dialects.ncnn.lookup import find_layer, model_of
from ncnn_opt.quantization.histograms import Counts
from ncnn_opt.quantization.scales import WEIGHT_METHODS, blob_scale, largest_sums, weight_scales
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import PassFailedException

from .conftest import Array, Load, drawn

WINOGRAD = (2**31 - 1) // 576
"""The largest sum that a 3x3 convolution computes right."""


def layer(module: ModuleOp, name: str = "c") -> StaticInt8:
    op = find_layer(model_of(module), name)
    assert isinstance(op, StaticInt8)
    return op


def convolution(load: Load, weight: Array, before: str = "TanH") -> StaticInt8:
    outputs, inputs = weight.shape[:2]
    kernel = weight.shape[2]
    return layer(
        load(
            f"Input in 0 1 in 0=8 1=8 2={inputs}\n{before} r 1 1 in r\n"
            f"Convolution c 1 1 r c 0={outputs} 1={kernel} 6={weight.size}",
            weight,
        )
    )


def sums(op: StaticInt8, weight: Array, scales: Array) -> Array:
    rows = weight.reshape(len(weight), -1)
    return largest_sums(op, np.clip(np.rint(rows * scales[:, None]), -127, 127))


def test_the_largest_weight_is_127_and_rows_of_zeros_have_1(load: Load) -> None:
    weight = np.array([[1, -4], [0, 0], [0.5, 0.25]], "f4").reshape(3, 2, 1, 1)
    assert weight_scales(convolution(load, weight)).tolist() == [127 / 4, 1, 127 / 0.5]


@pytest.mark.parametrize(("before", "one_sided"), [("ReLU", True), ("TanH", False), ("Exp", True)])
def test_inputs_that_are_not_negative_add_up_with_one_sign(
    before: str, one_sided: bool, load: Load
) -> None:
    op = convolution(load, drawn(2, 3, 1, 1), before)
    integers = np.array([[3.0, -2.0, 4.0], [-9.0, 1.0, -1.0]])
    expected = [7 * 127, 10 * 127] if one_sided else [9 * 127, 11 * 127]
    assert largest_sums(op, integers).tolist() == expected


@pytest.mark.parametrize("before", ["ReLU", "TanH"])
def test_sums_of_winograd_stay_within_32_bits(before: str, load: Load) -> None:
    weight = np.concatenate([np.ones((1, 64, 3, 3), "f4"), drawn(1, 64, 3, 3) / 1000])
    weight[1, 0, 0, 0] = 1
    op = convolution(load, weight, before)
    assert op.largest_sum() == WINOGRAD
    scales = weight_scales(op)
    most = sums(op, weight, scales)
    assert (most <= WINOGRAD).all()
    assert most[0] > 0.9 * WINOGRAD
    assert 31 < scales[0] < 127
    assert scales[1] == 127


def test_not_fewer_steps_than_31(load: Load) -> None:
    weight = np.ones((2, 512, 3, 3), "f4") * np.array([1, 2], "f4").reshape(2, 1, 1, 1)
    op = convolution(load, weight, "ReLU")
    scales = weight_scales(op)
    assert scales.tolist() == [31, 15.5]
    assert (sums(op, weight, scales) > WINOGRAD).all()


def test_rounding_that_makes_sums_larger_is_made_up_for(load: Load) -> None:
    # Of 127 * 1.5 / 127 steps all round up, so that the first factor is not enough.
    weight = np.full((1, 60, 3, 3), 0.6, "f4")
    weight[0, 0, 0, 0] = 50
    op = convolution(load, weight, "ReLU")
    scales = weight_scales(op)
    assert (sums(op, weight, scales) <= WINOGRAD).all()


@pytest.mark.parametrize("value", [np.inf, np.nan])
def test_weights_that_are_not_finite(value: float, load: Load) -> None:
    weight = drawn(2, 2, 1, 1)
    weight[1, 0] = value
    with pytest.raises(PassFailedException, match="Convolution 'c': its weight is not finite"):
        weight_scales(convolution(load, weight))


def test_clipping_one_large_weight_makes_the_squares_less() -> None:
    rows = np.concatenate([np.linspace(-1, 1, 999), [1.6]])[None]

    def error(threshold: float) -> float:
        step = threshold / 127
        return float(((rows - np.clip(np.rint(rows / step), -127, 127) * step) ** 2).sum())

    (found,) = WEIGHT_METHODS["mse"](rows)
    assert 0.5 * 1.6 <= found < 1.6
    assert error(found) == min(error(1.6 * share) for share in np.linspace(1, 0.5, 51))
    assert WEIGHT_METHODS["minmax"](rows).tolist() == [1.6]
    assert WEIGHT_METHODS["mse"](np.zeros((1, 4))).tolist() == [0]


def test_the_threshold_of_a_normal_distribution() -> None:
    rows = np.array([[3.0, -8.0] * 50_000, [1.0, 2.0] * 50_000])
    factor = 0.35 * (1 + np.sqrt(np.pi * np.log(4))) / np.sqrt(2 * np.log(100_000)) * 3.92403714
    assert WEIGHT_METHODS["aciq"](rows) == pytest.approx([8 * factor, 2 * factor])
    assert WEIGHT_METHODS["aciq"](np.array([[-5.0]])).tolist() == [5]


def test_blobs_that_are_always_0_have_an_infinite_scale() -> None:
    counts = Counts()
    counts.add(np.zeros(4, "f4"))
    assert blob_scale(counts, 4, "minmax") == np.inf
    counts.add(np.array([-0.5, 0.25], "f4"))
    assert blob_scale(counts, 4, "minmax") == 254
