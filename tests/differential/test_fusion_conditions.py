"""The conditions of fusions one by one: each near-miss differs from what is fused in one thing."""

import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.transforms import OPTIMIZE, get_all_passes

from .compiler import optimize
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


def compare(runtime: Runtime, tmp_path: Path, net: Net) -> list[str]:
    """The layer types after `-O`, once the outputs are known to be the same."""
    param = net.write(tmp_path)
    result = optimize(param, tmp_path / "optimized.param")
    before = runtime.run(param, net.inputs, net.outputs)
    after = runtime.run(result, net.inputs, net.outputs)
    assert not isinstance(before, Failure), before
    assert not isinstance(after, Failure), after
    for name, expected in before.items():
        np.testing.assert_allclose(after[name], expected, 0, 1e-4 * np.abs(expected).max())
    return layer_types(result)


def test_what_the_near_misses_miss_is_fused(runtime: Runtime, tmp_path: Path) -> None:
    net = Net()
    net.layer("ReLU", scale(net, batch_norm(net, convolution(net))), "out")
    assert compare(runtime, tmp_path, net) == ["Input", "Convolution"]


def test_quantized_weights_stay(runtime: Runtime, tmp_path: Path) -> None:
    net = Net()
    x = convolution(net, {8: 2})
    net.plain(np.full(CHANNELS, 100, "f4"))
    net.plain(np.full(1, 40, "f4"))
    batch_norm(net, x)
    assert compare(runtime, tmp_path, net) == ["Input", "Convolution", "BatchNorm"]


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
    assert compare(runtime, tmp_path, net) == ["Input", "Input", "Convolution"]

    net = Net()
    x = net.input("in0", (3, 6, 7))
    w = net.input("in1", (CHANNELS, 3, 3, 3))
    batch_norm(net, net.layer("Convolution", [x, w], "linear", {**CONV, 19: 1}))
    assert compare(runtime, tmp_path, net) == ["Input", "Input", "Convolution", "BatchNorm"]


def test_named_weights_of_a_convolution_are_shared(runtime: Runtime, tmp_path: Path) -> None:
    net = Net()
    x = net.input("in0", (3, 6, 7))
    w = net.constant("kernel", net.normal(CHANNELS, 3, 3, 3))
    batch_norm(net, net.layer("Convolution", [x, w], "linear", {**CONV, 19: 1}))
    types = compare(runtime, tmp_path, net)
    assert types == ["Input", "MemoryData", "Convolution", "BatchNorm"]


def test_dynamic_scale_stays(runtime: Runtime, tmp_path: Path) -> None:
    net = Net()
    x = convolution(net)
    factors = net.input("factors", (CHANNELS,))
    net.layer("Scale", [x, factors], "out", {0: -233})
    assert sorted(compare(runtime, tmp_path, net)) == ["Convolution", "Input", "Input", "Scale"]


def test_layers_with_different_feature_masks_stay_apart(runtime: Runtime, tmp_path: Path) -> None:
    net = Net()
    scale(net, convolution(net, {31: 1}))
    assert compare(runtime, tmp_path, net) == ["Input", "Convolution", "Scale"]

    net = Net()
    scale(net, convolution(net, {31: 1}), {31: 1})
    assert compare(runtime, tmp_path, net) == ["Input", "Convolution"]


@pytest.mark.parametrize("where", ["producer", "follower"])
def test_parameters_without_a_meaning_keep_a_layer_apart(
    where: str, runtime: Runtime, tmp_path: Path
) -> None:
    unknown: dict[str, Params] = {where: {27: 5}}
    net = Net()
    scale(net, convolution(net, unknown.get("producer")), unknown.get("follower"))
    assert compare(runtime, tmp_path, net) == ["Input", "Convolution", "Scale"]


def test_constant_with_a_second_reader_stays_for_it(runtime: Runtime, tmp_path: Path) -> None:
    net = Net()
    x = convolution(net)
    net.constant("offset", net.normal(CHANNELS))
    net.layer("Split", "offset", ["offset_a", "offset_b"])
    net.layer("BinaryOp", [x, "offset_a"], "out", {0: 0})
    net.layer("Exp", "offset_b", "other")
    types = compare(runtime, tmp_path, net)
    assert types == ["Input", "Convolution", "MemoryData", "Exp"]


def test_constant_that_is_an_output_stays_one(runtime: Runtime, tmp_path: Path) -> None:
    net = Net()
    x = convolution(net)
    net.constant("offset", net.normal(CHANNELS))
    net.layer("Split", "offset", ["offset_a", "offset_b"])
    net.layer("BinaryOp", ["offset_a", x], "out", {0: 0})
    assert compare(runtime, tmp_path, net) == ["Input", "Convolution", "MemoryData"]


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


@pytest.mark.parametrize(("factor", "half"), [(2.0, True), (0.7, False), (1e9, False)])
def test_half_precision_stays_where_it_holds_the_values(
    factor: float, half: bool, runtime: Runtime, tmp_path: Path
) -> None:
    net = Net()
    scalar(net, convolution(net, storage="half"), 2, factor)
    assert compare(runtime, tmp_path, net) == ["Input", "Convolution"]
    (tag,) = struct.unpack("<I", (tmp_path / "optimized.bin").read_bytes()[:4])
    assert (tag == TAGS["half"]) == half


def test_models_without_a_bias_get_none_from_a_scale(runtime: Runtime, tmp_path: Path) -> None:
    net = Net()
    scale(net, convolution(net))
    assert compare(runtime, tmp_path, net) == ["Input", "Convolution"]
    assert (tmp_path / "optimized.bin").stat().st_size == 4 + 4 * CHANNELS * 27


def test_second_activation_is_left(runtime: Runtime, tmp_path: Path) -> None:
    net = Net()
    x = net.layer("ReLU", convolution(net), "first")
    net.layer("Sigmoid", x, "out")
    assert compare(runtime, tmp_path, net) == ["Input", "Convolution", "Sigmoid"]


PAIRS: dict[str, tuple[Callable[[Net], str], Callable[[Net, str], str]]] = {
    "fuse-conv-bn": (convolution, batch_norm),
    "fuse-conv-mul": (convolution, scale),
    "fuse-conv-add": (convolution, lambda net, x: scalar(net, x, 1)),
    "fuse-conv-activation": (convolution, lambda net, x: net.layer("Mish", x, "out")),
    "fuse-innerproduct-bn": (inner_product, batch_norm),
    "fuse-innerproduct-mul": (inner_product, lambda net, x: scalar(net, x, 3)),
    "fuse-innerproduct-add": (inner_product, lambda net, x: scalar(net, x, 0)),
    "fuse-innerproduct-activation": (
        inner_product,
        lambda net, x: net.layer("Clip", x, "out", {0: -1.0}),
    ),
    "fuse-bn-scale": (lambda net: batch_norm(net, net.input("in0", (CHANNELS, 5, 6))), scale),
    "eliminate-dropout": (
        lambda net: net.layer("AbsVal", net.input("in0", (4,)), "x"),
        lambda net, x: net.layer("Dropout", x, "out"),
    ),
    "eliminate-noop": (
        lambda net: net.layer("AbsVal", net.input("in0", (4,)), "x"),
        lambda net, x: net.layer("Noop", x, "out"),
    ),
}
"""What each named pass joins: a layer, and one after it."""


@pytest.mark.parametrize("pass_name", PAIRS)
def test_a_named_pass_does_what_it_says_and_no_more(
    pass_name: str, runtime: Runtime, tmp_path: Path
) -> None:
    for pair, (first, second) in PAIRS.items():
        net = Net()
        second(net, first(net))
        param = net.write(tmp_path)
        result = optimize(param, tmp_path / "optimized.param", [pass_name])
        removed = len(layer_types(param)) - len(layer_types(result))
        assert removed == (pair == pass_name), pair
        before = runtime.run(param, net.inputs, net.outputs)
        after = runtime.run(result, net.inputs, net.outputs)
        assert not isinstance(before, Failure)
        assert not isinstance(after, Failure)
        for name, expected in before.items():
            np.testing.assert_allclose(after[name], expected, 1e-4, 1e-5)


def test_every_fusion_and_elimination_has_a_pair() -> None:
    rewriting = {name for name in get_all_passes() if name.startswith(("fuse-", "eliminate-"))}
    assert rewriting - set(OPTIMIZE) == set(PAIRS)


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_scalars_that_change_nothing_still_leave_a_model(
    value: float, runtime: Runtime, tmp_path: Path
) -> None:
    ops: dict[float, Number] = {0.0: 0, 1.0: 2}
    net = Net()
    net.layer("BinaryOp", convolution(net), "out", {0: ops[value], 1: 1, 2: value})
    assert compare(runtime, tmp_path, net) == ["Input", "Convolution"]
