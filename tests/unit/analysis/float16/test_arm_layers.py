"""Layers in emulated float16 on arm, and cases nearby in which the code is another one."""

from typing import Any

import numpy as np
import pytest
from float16_nets import func_of
from ncnn_opt.analysis.float16.arm_layers import EXPONENT, has_fault, transforms_of
from ncnn_opt.analysis.float16.emulation import DEVICES, Setting, emulate
from ncnn_opt.analysis.float16.half_array import Arithmetic
from ncnn_opt.analysis.float16.winograd import F23, F43, F63, winograd
from ncnn_opt.analysis.target_info.arm import ARM
from ncnn_opt.dialects.ncnn.convolution import ConvolutionOp
from ncnn_opt.dialects.ncnn.layer import LayerOp
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.frontends import ReadOptions
from ncnn_opt.frontends.param.model_reader import import_param
from ncnn_opt.interpreters.ncnn import evaluate

ON_ARM = Setting(device="arm")


def result(*lines: str, x: Any, setting: Setting = ON_ARM) -> Any:
    (values,) = emulate(func_of(*lines), {"x": np.asarray(x, "f4")}, setting).values()
    return values


def layer(line: str, inputs: int = 16) -> Any:
    """The layer of a line that reads an image with so many channels."""
    text = f"7767517\n2 2\nInput x 0 1 x 0=20 1=20 2={inputs}\n{line}\n"
    func = model_of(import_param(text.encode(), "it.param", ReadOptions("none"))[0])
    return [op for op in func.body.block.ops if isinstance(op, LayerOp)][-1]


def test_layers_without_float16_blobs_compute_in_float32() -> None:
    total = "Reduction y 1 1 x y 0=0 1=1"
    x = [4e4, 4e4, 1, 2]
    assert result(total, x=x).tolist() == [80003]
    assert np.isinf(result(total, x=x, setting=Setting())).all()
    doubled = "BinaryOp z 1 1 y z 0=2 1=1 2=2"
    assert np.isinf(result(total, doubled, x=x)).all()  # it reads the sum as float16


def test_normalizations_compute_in_float32() -> None:
    norm = "LayerNorm y 1 1 x y 0=4 1=1e-5 2=0"
    x = [-3e4, 3e4, -3e4, 3e4]
    assert result(norm, x=x).tolist() == [-1, 1, -1, 1]
    assert result(norm, x=x, setting=Setting()).tolist() == [0, 0, 0, 0]


def test_the_argument_of_exp_is_limited() -> None:
    sigmoid = "Sigmoid y 1 1 x y"
    least = np.float16(1 / (1 + np.exp(EXPONENT)))
    assert result(sigmoid, x=[-30, -20, -12, 30]) == pytest.approx(
        [least, least, least, 1], rel=1e-2
    )
    assert result(sigmoid, x=[-30] * 4, setting=Setting()).tolist() == [0] * 4
    near = result(sigmoid, x=[-10.5, -10, -9, -8])
    assert near == pytest.approx(1 / (1 + np.exp([10.5, 10, 9, 8])), rel=2e-2)


def test_a_sum_is_rounded_after_each_product() -> None:
    sums = Arithmetic(terms=1)
    a = np.array([[2048, 1, 1, 1, 1]], "f4")
    ones = np.ones((5, 1), "f4")
    assert np.asarray(sums.of(a) @ ones).tolist() == [[2048]]
    assert np.asarray(Arithmetic().of(a) @ ones).tolist() == [[2052]]


@pytest.mark.parametrize(
    ("inputs", "outputs", "more", "expected"),
    [
        (16, 16, "", F63),
        (4, 16, "", F63),
        (128, 128, "", F63),
        (8, 8, "", None),
        (129, 16, "", F43),
        (129, 8, "", F23),
        (16, 16, "3=2", None),
        (16, 16, "2=2", None),
        (16, 16, "31=64", None),
    ],
)
def test_the_tiles_of_winograd(inputs: int, outputs: int, more: str, expected: Any) -> None:
    conv = layer(f"Convolution y 1 1 x y 0={outputs} 1=3 6={9 * inputs * outputs} {more}", inputs)
    assert transforms_of(conv, [np.zeros((inputs, 20, 20), "f4")]) is expected


def test_winograd_needs_float16_arithmetic() -> None:
    conv = layer("Convolution y 1 1 x y 0=16 1=3 6=2304")
    r = np.random.default_rng(0)
    operands = [r.standard_normal((16, 20, 20)).astype("f4"), r.standard_normal(2304).astype("f4")]
    operands[1] = operands[1].reshape(16, 16, 3, 3)
    compute = DEVICES["arm"].compute
    (exact,) = evaluate(conv, operands)
    (float32,) = compute(conv, operands, Arithmetic(), False, "")
    (float16,) = compute(conv, operands, Arithmetic(), True, "")
    assert np.array_equal(float32, exact)
    assert 1e-3 < np.abs(float16 - exact).max() / np.abs(exact).max() < 0.1


@pytest.mark.parametrize("transforms", [F23, F43, F63])
def test_the_transforms_are_a_convolution(transforms: Any) -> None:
    conv = layer("Convolution y 1 1 x y 0=3 1=3 4=1 6=54", 2)
    assert isinstance(conv, ConvolutionOp)
    r = np.random.default_rng(0)
    x, weight = (r.standard_normal(n).astype("f4") for n in ((2, 13, 17), (3, 2, 3, 3)))
    (exact,) = evaluate(conv, [x, weight])
    store = Arithmetic(np.inf, rounds=False)
    weights = {"weight": weight, "bias": None}
    found = winograd(conv, x, weights, transforms, store, lambda v: v)
    assert np.abs(found - exact).max() < 1e-4


@pytest.mark.parametrize(
    ("line", "columns", "expected"),
    [
        ("0=16 1=3 3=2 6=144 7=16", 6, True),
        ("0=16 1=3 3=2 6=144 7=16", 7, True),
        ("0=16 1=3 3=2 6=144 7=16", 5, False),
        ("0=16 1=3 3=2 6=144 7=16", 8, False),
        ("0=16 1=3 3=1 6=144 7=16", 6, False),
        ("0=16 1=5 3=2 6=400 7=16", 6, False),
        ("0=16 1=3 2=2 3=2 6=144 7=16", 6, False),
        ("0=16 1=3 3=2 6=288 7=8", 6, False),
    ],
)
def test_depthwise_layers_with_a_fault(line: str, columns: int, expected: bool) -> None:
    op = layer(f"ConvolutionDepthWise y 1 1 x y {line}")
    assert has_fault(op, [np.zeros((16, 4, columns), "f4")]) == expected
    assert not has_fault(op, [np.zeros((12, 4, columns), "f4")])


def test_the_table_of_arm_lists_layers_with_float16_blobs() -> None:
    stores = DEVICES["arm"].stores_float16
    for line in ("Sigmoid y 1 1 x y", "Permute y 1 1 x y", "AbsVal y 1 1 x y"):
        op = layer(line)
        assert stores(op) == ARM.code_of(op.LAYER_TYPE).half
