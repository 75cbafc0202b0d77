"""Layers in emulated float16 on a GPU."""

from typing import Any

import numpy as np
import pytest
from ncnn_opt.analysis.float16.cpu_layers import truncated
from ncnn_opt.analysis.float16.emulation import Setting, computed, emulate
from ncnn_opt.analysis.float16.gpu_layers import FLOAT32_SQUARES, uses_winograd
from ncnn_opt.analysis.float16.half_array import MAX
from ncnn_opt.analysis.float16.ranges import EXACT, ranges_of
from ncnn_opt.dialects.ncnn.layer import LayerOp
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.frontends import ReadOptions
from ncnn_opt.frontends.param.model_reader import import_param
from ncnn_opt.interpreters.errors import RunError
from xdsl.dialects.func import FuncOp

ROW = np.array([1, 2, 3, 300], "f4")


def model(*lines: str, weights: str = "none", shape: str = "0=4") -> FuncOp:
    """The function of a model with the input `x`."""
    layers = [f"Input x 0 1 x {shape}", *lines]
    blobs = sum(int(line.split()[3]) for line in layers)
    text = "\n".join(["7767517", f"{len(layers)} {blobs}", *layers]) + "\n"
    return model_of(import_param(text.encode(), "it.param", ReadOptions(weights))[0])


def last(func: FuncOp) -> LayerOp:
    """The last layer."""
    return [op for op in func.body.block.ops if isinstance(op, LayerOp)][-1]


def result(func: FuncOp, x: Any, setting: Setting = Setting()) -> Any:
    (values,) = emulate(func, {"x": x}, setting).values()
    return values


def test_the_gpu_stores_blobs_in_float16() -> None:
    func = model("BinaryOp y 1 1 x y 0=2 1=1 2=300")
    assert result(func, ROW).tolist() == [300, 600, 900, np.inf]
    third = model("BinaryOp y 1 1 x y 0=3 1=1 2=3")
    assert result(third, ROW[:1]).tolist() == [np.float32(np.float16(1 / 3))]


def test_a_layer_without_gpu_code_computes_in_float32() -> None:
    func = model("BinaryOp a 1 1 x a 0=2 1=1 2=300 31=16", "Exp y 1 1 a y 1=1e-6 0=2.71828")
    assert np.isfinite(result(func, ROW)).all()
    func = model("BinaryOp a 1 1 x a 0=2 1=1 2=300", "Exp y 1 1 a y 1=1e-6 0=2.71828")
    assert not np.isfinite(result(func, ROW)).all()


def test_a_blob_of_the_cpu_with_two_readers_passes_a_split_on_the_gpu() -> None:
    shared = model(
        "BinaryOp a 1 1 x a 0=2 1=1 2=300 31=16",
        "Split s 1 2 a a1 a2",
        "Noop b 1 1 a1 b 31=16",
        "BinaryOp y 2 1 a2 b y 0=4 31=16",
    )
    assert not np.isfinite(result(shared, ROW)).all()


@pytest.mark.parametrize(("bits", "finite"), [(0, False), (1, True), (64, False)])
def test_a_mask_excludes_float16_arithmetic(bits: int, finite: bool) -> None:
    func = model(f"Reduction y 1 1 x y 0=3 1=1 5=1 31={bits}", shape="0=64 1=8")
    x = np.full((8, 64), 900, "f4")
    assert np.isfinite(result(func, x)).all() == finite
    assert np.isfinite(result(func, x, Setting(arithmetic=False))).all()


def test_the_limit_is_a_margin() -> None:
    func = model("BinaryOp y 1 1 x y 0=2 1=1 2=100")
    assert np.isfinite(result(func, ROW)).all()
    assert np.isinf(result(func, ROW, Setting(limit=MAX / 4))).tolist() == [False] * 3 + [True]


@pytest.mark.parametrize(
    ("release", "finite"), [("", False), ("20260526", False), (FLOAT32_SQUARES, True)]
)
def test_squares_of_norms_before_a_release(release: str, finite: bool) -> None:
    func = model("LayerNorm y 1 1 x y 0=4 1=1e-5 2=0")
    step = computed(last(func), [4 * ROW], Setting(release=release))
    assert (np.abs(step.results[0]).max() > 1) == finite
    assert step.peak > MAX or finite


CONVOLUTION = "Convolution y 1 1 x y 0=16 1={k} 3={s} 4=1 5=1 6={n} 9=1"


def convolved(extent: int, **sizes: int) -> tuple[LayerOp, list[Any]]:
    values = {"k": 3, "s": 1, "n": 16 * 16 * 9} | sizes
    func = model(CONVOLUTION.format(**values), weights="random:3", shape="0=9 1=9 2=16")
    op = last(func)
    weights = [v.owner.read() for v in op.operands[1:]]  # pyright: ignore
    rng = np.random.default_rng(0)
    return op, [rng.standard_normal((16, extent, extent + 3)).astype("f4"), *weights]


@pytest.mark.parametrize("extent", [5, 7, 13, 16])
def test_winograd_computes_the_convolution(extent: int) -> None:
    op, operands = convolved(extent)
    assert uses_winograd(op, operands)
    expected = result_of(op, operands, 64)
    assert np.abs(result_of(op, operands, 0) - expected).max() < 1e-4 * np.abs(expected).max()


def result_of(op: LayerOp, operands: list[Any], bits: int) -> Any:
    op.set_params(featmask=bits)
    return computed(op, operands, EXACT).results[0]


def test_only_some_convolutions_use_winograd() -> None:
    for sizes in ({"k": 1, "n": 256}, {"s": 2}):
        op, operands = convolved(8, **sizes)
        assert not uses_winograd(op, operands)
    op, operands = convolved(8)
    assert not uses_winograd(op, [operands[0][:15], *operands[1:]])
    op.set_params(featmask=64)
    assert not uses_winograd(op, operands)


def test_winograd_overflows_even_with_float32_arithmetic() -> None:
    op, operands = convolved(16)
    stripes = 3e4 * np.tile(np.array([1, 0, -1, 0], "f4"), 5)[:19]
    operands[0] = np.broadcast_to(stripes, (16, 16, 19)).copy()
    assert not np.isfinite(computed(op, operands, Setting(False)).results[0]).all()
    op.set_params(featmask=64)
    assert np.isfinite(computed(op, operands, Setting(False)).results[0]).all()


def test_a_missing_input() -> None:
    with pytest.raises(RunError, match="input 'x' is missing"):
        emulate(model("ReLU y 1 1 x y"), {})


def test_ranges_and_samples_that_are_not_finite() -> None:
    func = model("Reduction y 1 1 x y 0=3 1=1 4=0 5=1")
    good, large = {"x": np.array([6e4, 6e4, -5, 1], "f4")}, {"x": np.array([3e38] * 4, "f4")}
    found, unused = ranges_of(func, [("a", good), ("b", large), ("c", {"x": -ROW})])
    assert unused == ["b"]
    assert (found["x"].low, found["x"].high) == (-300, 6e4)
    assert (found["y"].low, found["y"].high, found["y"].peak) == (-76.5, np.float32(29999), 119996)
    assert found["y"].share > 1


def test_an_inner_product_on_the_cpu_has_float16_weights() -> None:
    x = np.array([1, -1], "f4")
    product = last(model("InnerProduct y 1 1 x y 0=2 2=4 31=16", shape="0=2"))
    small = np.array([[1 + 2**-10 - 2**-13, 0], [-1 - 2**-11, 1e-9]], "f4")
    (result,) = computed(product, [x, small], Setting()).results
    assert result.tolist() == [1, -1]
    large = np.array([[1e5, 1], [-65520, 65520]], "f4")
    (result,) = computed(product, [x, large], Setting()).results
    assert result.tolist() == [65503, -2 * 65504]
    conv = last(model("Convolution y 1 1 x y 0=2 1=1 6=4 31=16", shape="0=1 1=1 2=2"))
    (result,) = computed(conv, [x[:, None, None], small[:, :, None, None]], Setting()).results
    assert result.reshape(-1).tolist() == (small @ x).tolist()


def test_rounding_toward_zero() -> None:
    values = np.array([65504, 65535, -65535, 65536, 0, -1e-8, 2049, -2051], "f4")
    expected = [65504, 65504, -65504, 65504, 0, 0, 2048, -2050]
    assert truncated(values).tolist() == expected
