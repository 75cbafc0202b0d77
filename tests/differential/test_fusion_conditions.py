"""The conditions of fusions one by one: each near-miss differs from what is fused in one thing."""

import struct
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.transforms.rewriting.passes.fusions import FUSIONS

from .compiler import optimize
from .driver import types_after
from .nets import TAGS, Net, Number, Params, layer_types
from .runtime import Failure, Runtime

CHANNELS = 4

CONV: Params = {0: CHANNELS, 1: 3, 6: CHANNELS * 3 * 9}


def convolution(net: Net, params: Params | None = None, storage: str = "float") -> str:
    x = net.input("in0", (3, 6, 7))
    net.tagged(net.normal(CHANNELS, 3, 3, 3, scale=0.2), storage)
    return net.layer("Convolution", x, "linear", {**CONV, **(params or {})})


def inner_product(net: Net) -> str:
    x = net.input("in0", (5,))
    net.tagged(net.normal(CHANNELS, 5))
    return net.layer("InnerProduct", x, "linear", {0: CHANNELS, 2: CHANNELS * 5})


def batch_norm(net: Net, x: str) -> str:
    net.plain(net.normal(CHANNELS))
    net.plain(net.normal(CHANNELS))
    net.plain(net.positive(CHANNELS))
    net.plain(net.normal(CHANNELS))
    return net.layer("BatchNorm", x, "normalized", {0: CHANNELS})


def scale(net: Net, x: str, params: Params | None = None) -> str:
    net.plain(net.normal(CHANNELS))
    return net.layer("Scale", x, "scaled", {0: CHANNELS, **(params or {})})


def scalar(net: Net, x: str, op: int, value: float = 2.0) -> str:
    return net.layer("BinaryOp", x, "calculated", {0: op, 1: 1, 2: value})


def test_what_the_near_misses_miss_is_fused(runtime: Runtime, tmp_path: Path) -> None:
    net = Net()
    net.layer("ReLU", scale(net, batch_norm(net, convolution(net))), "out")
    assert types_after(runtime, tmp_path, net) == ["Input", "Convolution"]


def test_quantized_weights_stay(runtime: Runtime, tmp_path: Path) -> None:
    net = Net()
    x = convolution(net, {8: 2})
    net.plain(np.full(CHANNELS, 100, "f4"))
    net.plain(np.full(1, 40, "f4"))
    batch_norm(net, x)
    assert types_after(runtime, tmp_path, net) == ["Input", "Convolution", "BatchNorm"]


@pytest.mark.parametrize(("term", "fused"), [(2, True), (102, False)])
def test_quantized_output_comes_before_an_activation_of_its_own(
    term: int, fused: bool, tmp_path: Path
) -> None:
    net = Net()
    x = convolution(net, {8: term})
    for size in (CHANNELS, 1, *([1] if term > 100 else [])):
        net.plain(np.full(size, 50, "f4"))
    net.layer("Clip", x, "out", {0: -1.0, 1: 1.0})
    result = optimize(net.write(tmp_path), tmp_path / "optimized.param")
    assert ("Clip" not in layer_types(result)) == fused


def test_dynamic_weights_stay_but_activations_fuse(runtime: Runtime, tmp_path: Path) -> None:
    net = Net()
    x = net.input("in0", (3, 6, 7))
    w = net.input("in1", (CHANNELS, 3, 3, 3))
    x = net.layer("Convolution", [x, w], "linear", {**CONV, 19: 1})
    net.layer("Sigmoid", x, "out")
    assert types_after(runtime, tmp_path, net) == ["Input", "Input", "Convolution"]

    net = Net()
    x = net.input("in0", (3, 6, 7))
    w = net.input("in1", (CHANNELS, 3, 3, 3))
    batch_norm(net, net.layer("Convolution", [x, w], "linear", {**CONV, 19: 1}))
    assert types_after(runtime, tmp_path, net) == ["Input", "Input", "Convolution", "BatchNorm"]


def test_named_weights_of_a_convolution_are_shared(runtime: Runtime, tmp_path: Path) -> None:
    net = Net()
    x = net.input("in0", (3, 6, 7))
    w = net.constant("kernel", net.normal(CHANNELS, 3, 3, 3))
    batch_norm(net, net.layer("Convolution", [x, w], "linear", {**CONV, 19: 1}))
    types = types_after(runtime, tmp_path, net)
    assert types == ["Input", "MemoryData", "Convolution", "BatchNorm"]


def test_dynamic_scale_stays(runtime: Runtime, tmp_path: Path) -> None:
    net = Net()
    x = convolution(net)
    factors = net.input("factors", (CHANNELS,))
    net.layer("Scale", [x, factors], "out", {0: -233})
    assert sorted(types_after(runtime, tmp_path, net)) == ["Convolution", "Input", "Input", "Scale"]


def test_layers_with_different_feature_masks_stay_apart(runtime: Runtime, tmp_path: Path) -> None:
    net = Net()
    scale(net, convolution(net, {31: 1}))
    assert types_after(runtime, tmp_path, net) == ["Input", "Convolution", "Scale"]

    net = Net()
    scale(net, convolution(net, {31: 1}), {31: 1})
    assert types_after(runtime, tmp_path, net) == ["Input", "Convolution"]


@pytest.mark.parametrize("where", ["producer", "follower"])
def test_parameters_without_a_meaning_keep_a_layer_apart(
    where: str, runtime: Runtime, tmp_path: Path
) -> None:
    unknown: dict[str, Params] = {where: {27: 5}}
    net = Net()
    scale(net, convolution(net, unknown.get("producer")), unknown.get("follower"))
    assert types_after(runtime, tmp_path, net) == ["Input", "Convolution", "Scale"]


def test_constant_with_a_second_reader_stays_for_it(runtime: Runtime, tmp_path: Path) -> None:
    net = Net()
    x = convolution(net)
    net.constant("offset", net.normal(CHANNELS))
    net.layer("Split", "offset", ["offset_a", "offset_b"])
    net.layer("BinaryOp", [x, "offset_a"], "out", {0: 0})
    y = net.input("in1", (CHANNELS,))
    net.layer("BinaryOp", [y, "offset_b"], "other", {0: 4})
    types = types_after(runtime, tmp_path, net)
    assert sorted(types) == ["BinaryOp", "Convolution", "Input", "Input", "MemoryData"]


def test_constant_that_is_an_output_stays_one(runtime: Runtime, tmp_path: Path) -> None:
    net = Net()
    x = convolution(net)
    net.constant("offset", net.normal(CHANNELS))
    net.layer("Split", "offset", ["offset_a", "offset_b"])
    net.layer("BinaryOp", ["offset_a", x], "out", {0: 0})
    assert types_after(runtime, tmp_path, net) == ["Input", "Convolution", "MemoryData"]


@pytest.mark.parametrize("kind", ["BatchNorm", "Scale", "Bias"])
def test_fewer_channels_than_the_blob_has_do_not_match(kind: str, tmp_path: Path) -> None:
    net = Net()  # the runtime would read past the end
    x = convolution(net)
    fewer = CHANNELS - 1
    for _ in range({"BatchNorm": 4}.get(kind, 1)):
        net.plain(net.positive(fewer))
    net.layer(kind, x, "out", {0: fewer})
    result = optimize(net.write(tmp_path), tmp_path / "optimized.param")
    assert layer_types(result) == ["Input", "Convolution", kind]


def huge_scale(net: Net, x: str) -> None:
    net.plain(np.full(CHANNELS, 3e38, "f4"))
    net.layer("Scale", scalar(net, x, 2, 1e6), "out", {0: CHANNELS})


def divided_by_zero(net: Net, x: str) -> None:
    scalar(net, x, 3, 0.0)


def infinite_shift(net: Net, x: str) -> None:
    net.plain(np.array([np.inf, 0, 0, 0], "f4"))
    net.layer("Bias", x, "out", {0: CHANNELS})


@pytest.mark.parametrize("follow", [huge_scale, divided_by_zero, infinite_shift])
def test_nothing_becomes_infinite_by_folding(
    follow: Callable[[Net, str], None], tmp_path: Path
) -> None:
    net = Net()
    follow(net, convolution(net))
    result = optimize(net.write(tmp_path), tmp_path / "optimized.param")
    assert layer_types(result)[-1] in ("Scale", "BinaryOp", "Bias")
    assert np.isfinite(np.fromfile(result.with_suffix(".bin"), "<f4")[1 : CHANNELS * 27]).all()


@pytest.mark.parametrize(("factor", "half"), [(2.0, True), (0.7, False), (1e3, False)])
def test_half_precision_stays_where_it_holds_the_values(
    factor: float, half: bool, runtime: Runtime, tmp_path: Path
) -> None:
    net = Net()
    scalar(net, convolution(net, storage="half"), 2, factor)
    assert types_after(runtime, tmp_path, net) == ["Input", "Convolution"]
    (tag,) = struct.unpack("<I", (tmp_path / "optimized.bin").read_bytes()[:4])
    assert (tag == TAGS["half"]) == half


def test_models_without_a_bias_get_none_from_a_scale(runtime: Runtime, tmp_path: Path) -> None:
    net = Net()
    scale(net, convolution(net))
    assert types_after(runtime, tmp_path, net) == ["Input", "Convolution"]
    assert (tmp_path / "optimized.bin").stat().st_size == 4 + 4 * CHANNELS * 27


@pytest.mark.parametrize("op", [4, 5])
@pytest.mark.parametrize("bound", [0.0, -2.0, 3.0])
def test_one_bound_keeps_infinities(
    op: int, bound: float, runtime: Runtime, tmp_path: Path
) -> None:
    net = Net()
    x = net.input("in0", (1, 4, 4))
    net.inputs["in0"][0, :2] = [[np.inf] * 4, [-np.inf] * 4]
    net.tagged(np.full((1, 1, 1, 1), 0.5, "f4"))
    x = net.layer("Convolution", x, "conv", {0: 1, 1: 1, 6: 1})
    scalar(net, x, op, bound)
    param = net.write(tmp_path)
    result = optimize(param, tmp_path / "optimized.param")
    before, after = (runtime.run(file, net.inputs, net.outputs) for file in (param, result))
    assert not isinstance(before, Failure)
    assert not isinstance(after, Failure)
    (expected,), (found,) = before.values(), after.values()
    np.testing.assert_array_equal(found, expected)
    assert np.isinf(found).sum() == 4
    assert (len(layer_types(result)) == 2) == ((op, bound) == (4, 0.0))


def test_second_activation_is_left(runtime: Runtime, tmp_path: Path) -> None:
    net = Net()
    x = net.layer("ReLU", convolution(net), "first")
    net.layer("Sigmoid", x, "out")
    assert types_after(runtime, tmp_path, net) == ["Input", "Convolution", "Sigmoid"]


def windowed(kind: str, axes: int = 2, group: int = 1) -> Callable[[Net], str]:
    """A convolution or deconvolution of this kind on a blob of its own."""

    def add(net: Net) -> str:
        x = net.input("in0", (CHANNELS, *(6, 5, 4)[:axes]))
        params: dict[int, Number] = {0: CHANNELS, 1: 3, 6: CHANNELS * CHANNELS // group * 3**axes}
        if group > 1:
            params[7] = group
        net.tagged(net.normal(CHANNELS, CHANNELS // group, *(3,) * axes, scale=0.2))
        return net.layer(kind, x, "linear", params)

    return add


def gemm(net: Net) -> str:
    x = net.input("in0", (3, 5))
    net.tagged(net.normal(5, CHANNELS))
    return net.layer("Gemm", x, "linear", {5: 1, 8: CHANNELS, 9: 5})


def curve(net: Net) -> str:
    return net.layer("AbsVal", net.input("in0", (CHANNELS, 5, 6)), "x")


def scaled_convolution(net: Net, x: str) -> str:
    y = scale(net, x)
    net.tagged(net.normal(CHANNELS, CHANNELS, 1, 1))
    return net.layer("Convolution", y, "out", {0: CHANNELS, 1: 1, 6: CHANNELS**2})


def weighted_sum(net: Net, x: str) -> str:
    net.layer("Split", x, ["left", "right"])
    y = scalar(net, "left", 2)
    return net.layer("BinaryOp", [net.layer("TanH", "right", "t"), y], "out", {0: 0})


CONVOLUTIONS: dict[str, Callable[[Net], str]] = {
    "Convolution": windowed("Convolution"),
    "Convolution1D": windowed("Convolution1D", axes=1),
    "ConvolutionDepthWise": windowed("ConvolutionDepthWise", group=2),
    "Deconvolution": windowed("Deconvolution"),
    "Deconvolution3D": windowed("Deconvolution3D", axes=3),
    "DeconvolutionDepthWise": windowed("DeconvolutionDepthWise", group=CHANNELS),
}
PRODUCERS = {**CONVOLUTIONS, "InnerProduct": inner_product, "Gemm": gemm}
FOLLOWERS: dict[str, Callable[[Net, str], str]] = {
    "batchnorm": batch_norm,
    "mul": lambda net, x: scalar(net, x, 3),
    "add": lambda net, x: scalar(net, x, 1),
    "dropout": lambda net, x: net.layer("Dropout", x, "out", {0: 0.5}),
    "activation": lambda net, x: net.layer("Mish", x, "out"),
}

PAIRS: dict[str, tuple[Callable[[Net], str], Callable[[Net, str], str]]] = {
    **{
        f"{first} {second}": (PRODUCERS[first], FOLLOWERS[second])
        for first in PRODUCERS
        for second in FOLLOWERS
    },
    "batchnorm, scale": (lambda net: batch_norm(net, curve(net)), scale),
    "scale, add": (lambda net: scale(net, curve(net)), FOLLOWERS["add"]),
    "scale, convolution": (curve, scaled_convolution),
    "relu, clip": (
        lambda net: net.layer("ReLU", curve(net), "y"),
        lambda net, x: net.layer("Clip", x, "out", {0: -1.0, 1: 6.0}),
    ),
    "memorydata, binaryop": (
        curve,
        lambda net, x: net.layer("BinaryOp", [net.constant("c", net.normal(1)), x], "out", {0: 6}),
    ),
    "factor, sum": (curve, weighted_sum),
    "dropout": (curve, lambda net, x: net.layer("Dropout", x, "out")),
    "noop": (curve, lambda net, x: net.layer("Noop", x, "out")),
}
"""Layers of which one goes: what is first, and what comes after it."""


def pairs(firsts: Iterable[str], *seconds: str) -> set[str]:
    return {f"{first} {second}" for first in firsts for second in seconds}


BOTH = {"batchnorm, scale"}
FIRES: dict[str, set[str]] = {
    "fuse-bn-scale": BOTH,
    "fuse-conv-bn": pairs(CONVOLUTIONS, "batchnorm"),
    "fuse-conv-mul": pairs(CONVOLUTIONS, "mul", "dropout"),
    "fuse-conv-add": pairs(CONVOLUTIONS, "add"),
    "fuse-conv-activation": pairs(CONVOLUTIONS, "activation"),
    "fuse-innerproduct-bn": pairs(["InnerProduct"], "batchnorm"),
    "fuse-innerproduct-mul": pairs(["InnerProduct"], "mul", "dropout"),
    "fuse-gemm-affine": pairs(["Gemm"], "mul", "add", "dropout"),
    "fuse-affine-linear": {"scale, convolution"},
    "fuse-affine-affine": {"batchnorm, scale", "scale, add"},
    "fuse-activation-activation": {"relu, clip"},
    "fuse-batchnorm-scale": BOTH,
    "fuse-convolution-batchnorm": pairs(["Convolution"], "batchnorm"),
    "fuse-convolution-mul": pairs(["Convolution"], "mul", "dropout"),
    "fuse-convolution-add": pairs(["Convolution"], "add"),
    "fuse-convolution-activation": pairs(["Convolution", "Convolution1D"], "activation"),
    "fuse-convolutiondepthwise-batchnorm": pairs(["ConvolutionDepthWise"], "batchnorm"),
    "fuse-convolutiondepthwise-mul": pairs(["ConvolutionDepthWise"], "mul", "dropout"),
    "fuse-convolutiondepthwise-add": pairs(["ConvolutionDepthWise"], "add"),
    "fuse-convolutiondepthwise-activation": pairs(["ConvolutionDepthWise"], "activation"),
    "fuse-deconvolution-batchnorm": pairs(["Deconvolution"], "batchnorm"),
    "fuse-deconvolution-mul": pairs(["Deconvolution"], "mul", "dropout"),
    "fuse-deconvolution-add": pairs(["Deconvolution"], "add"),
    "fuse-deconvolution-activation": pairs(["Deconvolution"], "activation"),
    "fuse-deconvolutiondepthwise-batchnorm": pairs(["DeconvolutionDepthWise"], "batchnorm"),
    "fuse-deconvolutiondepthwise-activation": pairs(["DeconvolutionDepthWise"], "activation"),
    "fuse-innerproduct-batchnorm": pairs(["InnerProduct"], "batchnorm"),
    "fuse-innerproduct-add": pairs(["InnerProduct"], "add"),
    "fuse-innerproduct-dropout": pairs(["InnerProduct"], "dropout"),
    "fuse-innerproduct-activation": pairs(["InnerProduct"], "activation"),
    "fuse-memorydata-binaryop": {"memorydata, binaryop"},
    "fuse-binaryop-eltwise": {"factor, sum"},
    "eliminate-dropout": {"dropout"},
    "eliminate-noop": {"noop"},
}
"""The pairs of which each pass takes one layer away; it takes none from the others."""

ELSEWHERE = {
    "fuse-parallel-branches": "test_parallel_branches",
    "fuse-affine-through-layout": "test_scaled_layouts",
    "fuse-convolution-convolution": "test_pointwise",
}
"""Passes with models and a test of their own."""


@pytest.mark.parametrize("pass_name", FIRES)
def test_a_named_pass_does_what_it_says_and_no_more(
    pass_name: str, runtime: Runtime, tmp_path: Path
) -> None:
    for pair, (first, second) in PAIRS.items():
        net = Net()
        second(net, first(net))
        param = net.write(tmp_path)
        result = optimize(param, tmp_path / "optimized.param", [pass_name])
        removed = len(layer_types(param)) - len(layer_types(result))
        assert removed == (pair in FIRES[pass_name]), pair
        if not removed:
            continue
        before = runtime.run(param, net.inputs, net.outputs)
        after = runtime.run(result, net.inputs, net.outputs)
        assert not isinstance(before, Failure)
        assert not isinstance(after, Failure)
        for name, expected in before.items():
            np.testing.assert_allclose(after[name], expected, 1e-4, 1e-5)


def test_every_fusion_has_a_pair() -> None:
    assert FIRES.keys() | ELSEWHERE.keys() >= {row.name for row in FUSIONS}
    assert all(FIRES.values())


@pytest.mark.parametrize("factor", [0.5, -3.0])
@pytest.mark.parametrize("constant", [False, True])
def test_one_factor_of_integers_is_one_of_alpha(
    constant: bool, factor: float, runtime: Runtime, tmp_path: Path
) -> None:
    net = Net()
    blobs = [net.input("in0", (7, 16))]
    params: dict[int, Number] = {0: 0.75, 3: 1, 18: 2}
    if constant:
        net.tagged(net.normal(CHANNELS, 16), "int8")
        net.tagged(net.normal(1, CHANNELS))
        net.plain(np.full(1, 50, "f4"))
        params |= {5: 1, 6: 1, 8: CHANNELS, 9: 16, 10: 4}
    else:
        blobs.append(net.input("in1", (CHANNELS, 16)))
    scalar(net, net.layer("Gemm", blobs, "linear", params), 2, factor)
    inputs = ["Input"] * len(blobs)
    assert types_after(runtime, tmp_path, net) == [*inputs, "Gemm"]


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_scalars_that_change_nothing_still_leave_a_model(
    value: float, runtime: Runtime, tmp_path: Path
) -> None:
    ops: dict[float, Number] = {0.0: 0, 1.0: 2}
    net = Net()
    net.layer("BinaryOp", convolution(net), "out", {0: ops[value], 1: 1, 2: value})
    assert types_after(runtime, tmp_path, net) == ["Input", "Convolution"]
