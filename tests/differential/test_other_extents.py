"""What a file says of its inputs' extents holds nobody to them: each model is optimized once, and
gives what it gave before at the declared extents, at others, and where blobs have other dims by
them."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.transforms import OPTIMIZE

from .comparing import assert_equal, is_evidence
from .compiler import command, optimize
from .nets import Net, Params, Shape, layer_types
from .runtime import Failure, Runtime

ADD, SUB, MUL, DIV = range(4)
"""BinaryOp's `op_type`."""

SQUARE, SQRT, EXP = 4, 5, 7
"""UnaryOp's `op_type`."""

SUM, SUMSQ, MEAN, MAX = 0, 2, 3, 4
"""Reduction's `operation`."""


def check(
    runtime: Runtime,
    folder: Path,
    net: Net,
    shapes: Sequence[Shape],
    passes: Sequence[str] = OPTIMIZE,
) -> list[str]:
    """Asserts that a model of one input gives the same after some passes at its own and at other
    extents, as often as it gives anything. Returns the layer types, Inputs left out."""
    result = optimize(net.write(folder), folder / "optimized.param", passes)
    own = net.inputs["in0"].shape
    evidence = 0
    for shape in (own, *shapes):
        given = {**net.inputs, "in0": net.normal(*shape)}
        before = runtime.run(folder / "net.param", given, net.outputs)
        if not isinstance(before, Failure) and is_evidence(before):
            assert_equal(before, runtime.run(result, given, net.outputs))
            evidence += 1
    assert evidence > len(shapes) / 2
    return [kind for kind in layer_types(result) if kind not in ("Input", "Split", "MemoryData")]


def squeezed(net: Net, shape: Shape = (1, 4, 8), **params: int) -> str:
    """A blob of one dim less at the declared extents, and of as many at others."""
    ids = {"w": 0, "h": 1, "c": 2}
    axes = params or {"c": 1}
    return net.layer("Squeeze", net.input("in0", shape), "q", {ids[a]: n for a, n in axes.items()})


def rows(net: Net, inputs: int = 3, outputs: int = 5) -> str:
    """A vector at the declared extents, rows where there are as many columns as inputs."""
    x = net.input("in0", (inputs, 1))
    net.tagged(net.normal(outputs, inputs))
    return net.layer("InnerProduct", x, "p", {0: outputs, 2: outputs * inputs})


SQUEEZED: Sequence[Shape] = [(3, 4, 8), (3, 4, 6), (1, 2, 5), (4, 1, 8)]
ROWS: Sequence[Shape] = [(3, 3), (5, 3), (1, 3), (3, 1, 1), (3,)]


# -- scales behind normalizations


def scaled(net: Net, x: str, values: Shape | None = None) -> str:
    if values is None:
        return net.layer("BinaryOp", x, "m", {0: MUL, 1: 1, 2: 2.0})
    return net.layer("BinaryOp", (x, net.constant("k", net.normal(*values))), "m", {0: MUL})


NORMS: dict[str, tuple[Shape, Params, Sequence[Shape]]] = {
    "LayerNorm": ((4, 8), {0: 8, 1: 1e-3, 2: 0}, [(4, 12), (1, 8), (4, 1), (8, 8), (3, 5)]),
    "RMSNorm": ((4, 8), {0: 8, 1: 1e-3, 2: 0}, [(4, 12), (1, 8), (4, 1), (8, 8), (3, 5)]),
    "InstanceNorm": ((3, 4, 4), {0: 3, 1: 1e-3, 2: 0}, [(3, 2, 5), (1, 6, 4), (8, 3, 4)]),
    "GroupNorm": ((4, 4, 4), {0: 2, 1: 4, 2: 1e-3, 3: 0}, [(4, 2, 5), (4, 4, 1), (6, 3, 4)]),
}
"""A normalization without weights: its input, its parameters, and other inputs. (A GroupNorm of
fewer channels than it says reads what is behind them.)"""


def meets(constant: Shape, blob: Shape) -> bool:
    """Whether a BinaryOp broadcasts the two as anybody would. (It takes others.)"""
    inner = (*(1,) * (len(blob) - len(constant)), *constant)
    outer = (*constant, *(1,) * (len(blob) - len(constant)))
    spread = outer if constant[0] == blob[0] else inner
    return all(m == n or 1 in (m, n) for m, n in zip(spread, blob, strict=True))


@pytest.mark.parametrize("values", [None, "channels", "slice"])
@pytest.mark.parametrize("kind", NORMS)
def test_a_normalization_without_weights_gets_none_for_declared_extents(
    kind: str, values: str | None, runtime: Runtime, tmp_path: Path
) -> None:
    shape, params, others = NORMS[kind]
    net = Net()
    x = net.layer(kind, net.input("in0", shape), "n", params)
    given = {"channels": (shape[0], *(1,) * (len(shape) - 1)), "slice": shape[-1:]}
    constant = None if values is None else given[values]
    scaled(net, x, constant)
    others = [shape for shape in others if constant is None or meets(constant, shape)]
    assert check(runtime, tmp_path, net, others) == [kind, "BinaryOp"]


@pytest.mark.parametrize("kind", ["LayerNorm", "RMSNorm"])
def test_weights_say_what_a_scalar_needs_to_know(
    kind: str, runtime: Runtime, tmp_path: Path
) -> None:
    net = Net()
    for _ in range(1 if kind == "RMSNorm" else 2):
        net.plain(net.normal(8))
    scaled(net, net.layer(kind, net.input("in0", (4, 8)), "n", {0: 8, 1: 1e-3}))
    assert check(runtime, tmp_path, net, [(8, 8), (3, 5), (4, 1), (8,), (2, 3, 8)]) == [kind]


def test_a_vector_for_columns_is_one_for_rows_where_there_are_as_many(
    runtime: Runtime, tmp_path: Path
) -> None:
    net = Net()
    for _ in range(2):
        net.plain(net.normal(8))
    scaled(net, net.layer("LayerNorm", net.input("in0", (4, 8)), "n", {0: 8, 1: 1e-3}), (8,))
    found = check(runtime, tmp_path, net, [(8, 8), (3, 8), (2, 1)])
    assert found == ["LayerNorm", "BinaryOp"]


def test_certain_extents_make_weights(runtime: Runtime, tmp_path: Path) -> None:
    net = Net()
    net.tagged(net.normal(3, 2, 3, 3))
    x = net.layer("Convolution", net.input("in0", (2, 5, 5)), "c", {0: 3, 1: 3, 6: 54})
    scaled(net, net.layer("InstanceNorm", x, "n", {0: 3, 1: 1e-3, 2: 0}), (3, 1, 1))
    found = check(runtime, tmp_path, net, [(2, 8, 8), (2, 5, 9)])
    assert found == ["Convolution", "InstanceNorm"]
    net = Net()
    x = net.layer("Reshape", net.input("in0", (2, 4, 8)), "r", {0: 8, 1: -1})
    scaled(net, net.layer("RMSNorm", x, "n", {0: 8, 1: 1e-3, 2: 0}), (1, 8))
    assert check(runtime, tmp_path, net, [(8, 8), (64,), (3, 8, 1)]) == ["Reshape", "RMSNorm"]


def centred_and_divided(net: Net, x: str, axes: tuple[int, ...]) -> str:
    """A normalization that a graph spells out."""
    params: Params = {0: MEAN, 1: 0, 3: axes, 4: 1, 5: 1}
    net.layer("Split", x, ["x0", "x1"])
    net.layer("Reduction", "x1", "mean", params)
    net.layer("BinaryOp", ("x0", "mean"), "d", {0: SUB})
    net.layer("Split", "d", ["d0", "d1"])
    net.layer("UnaryOp", "d1", "s", {0: SQUARE})
    net.layer("Reduction", "s", "v", params)
    net.layer("BinaryOp", "v", "e", {0: ADD, 1: 1, 2: 1e-3})
    net.layer("UnaryOp", "e", "root", {0: SQRT})
    return net.layer("BinaryOp", ("d0", "root"), "n", {0: DIV})


@pytest.mark.parametrize(
    ("shape", "axes", "kind", "others"),
    [
        ((4, 8), (-1,), "LayerNorm", [(4, 12), (8, 8), (3, 5)]),
        ((3, 4, 4), (1, 2), "InstanceNorm", [(8, 4, 4), (3, 2, 5)]),
    ],
)
def test_what_was_just_recognized_gets_no_weights_either(
    shape: Shape,
    axes: tuple[int, ...],
    kind: str,
    others: Sequence[Shape],
    runtime: Runtime,
    tmp_path: Path,
) -> None:
    net = Net()
    scaled(net, centred_and_divided(net, net.input("in0", shape), axes))
    assert check(runtime, tmp_path, net, others) == [kind, "BinaryOp"]


# -- numbers of dims


def softmax(net: Net, x: str, axes: tuple[int, ...]) -> str:
    e = net.layer("UnaryOp", x, "e", {0: EXP})
    net.layer("Split", e, ["e0", "e1"])
    net.layer("Reduction", "e1", "r", {0: SUM, 1: 0, 3: axes, 4: 1, 5: 1})
    return net.layer("BinaryOp", ("e0", "r"), "y", {0: DIV})


def rms(net: Net, x: str, axes: tuple[int, ...]) -> str:
    net.layer("Split", x, ["x0", "x1", "x2"])
    net.layer("BinaryOp", ("x1", "x2"), "s", {0: MUL})
    net.layer("Reduction", "s", "r", {0: MEAN, 1: 0, 3: axes, 4: 1, 5: 1})
    net.layer("BinaryOp", "r", "e", {0: ADD, 1: 1, 2: 1e-3})
    net.layer("UnaryOp", "e", "root", {0: SQRT})
    return net.layer("BinaryOp", ("x0", "root"), "y", {0: DIV})


def normalized(net: Net, x: str, axes: tuple[int, ...]) -> str:
    net.layer("Split", x, ["x0", "x1"])
    net.layer("Reduction", "x1", "r", {0: SUMSQ, 1: 0, 3: axes, 4: 1, 5: 1})
    net.layer("BinaryOp", "r", "e", {0: ADD, 1: 1, 2: 1e-3})
    net.layer("UnaryOp", "e", "root", {0: SQRT})
    return net.layer("BinaryOp", ("x0", "root"), "y", {0: DIV})


SPELLED = {"Softmax": softmax, "RMSNorm": rms, "Normalize": normalized, "LayerNorm": None}


@pytest.mark.parametrize("axes", [(1, -1), (0,), (1,), (-1,)])
@pytest.mark.parametrize("kind", SPELLED)
@pytest.mark.parametrize("before", ["Squeeze", "InnerProduct"])
def test_axes_are_those_of_a_certain_number_of_dims(
    before: str, kind: str, axes: tuple[int, ...], runtime: Runtime, tmp_path: Path
) -> None:
    net = Net()
    x = squeezed(net) if before == "Squeeze" else rows(net)
    (SPELLED[kind] or centred_and_divided)(net, x, axes)
    found = check(runtime, tmp_path, net, SQUEEZED if before == "Squeeze" else ROWS)
    assert kind not in found


def test_global_pooling_is_a_mean_of_what_is_certainly_there(
    runtime: Runtime, tmp_path: Path
) -> None:
    net = Net()
    net.layer("Split", squeezed(net, (1, 2, 4, 8)[1:]), ["q0", "q1", "q2"])
    pooled = net.layer("Pooling", "q1", "pool", {0: 1, 4: 1})
    net.layer("BinaryOp", ("q0", pooled), "d", {0: SUB})
    check(runtime, tmp_path, net, [(3, 4, 8), (2, 2, 2)])


@pytest.mark.parametrize("before", ["Squeeze", "InnerProduct"])
def test_the_first_bias_is_for_all_in_a_certain_number_of_dims(
    before: str, runtime: Runtime, tmp_path: Path
) -> None:
    net = Net()
    x = squeezed(net) if before == "Squeeze" else rows(net)
    net.plain(net.normal(5))
    net.layer("Bias", x, "b", {0: 5})
    net.layer("BinaryOp", "b", "y", {0: ADD, 1: 1, 2: 1.0})
    found = check(runtime, tmp_path, net, SQUEEZED if before == "Squeeze" else ROWS)
    assert found == [before, "Bias", "BinaryOp"]


@pytest.mark.parametrize("follower", ["BatchNorm", "Scale", "Bias", "BinaryOp"])
def test_rows_of_an_inner_product_are_no_channels(
    follower: str, runtime: Runtime, tmp_path: Path
) -> None:
    net = Net()
    x = rows(net)
    match follower:
        case "BatchNorm":
            for _ in range(4):
                net.plain(net.positive(5))
            net.layer(follower, x, "y", {0: 5})
        case "Scale":
            net.plain(net.normal(5))
            net.layer(follower, x, "y", {0: 5})
        case "Bias":
            net.plain(net.normal(5))
            net.layer(follower, x, "y", {0: 5})
        case _:
            net.layer(follower, (x, net.constant("k", net.normal(5))), "y", {0: ADD})
    found = check(runtime, tmp_path, net, ROWS)
    assert found == ["InnerProduct", follower]


@pytest.mark.parametrize("extents", [(1, 1), (1, 1, 1)])
def test_one_number_of_more_dims_is_no_scalar(
    extents: Shape, runtime: Runtime, tmp_path: Path
) -> None:
    net = Net()
    x = squeezed(net, (1, 1, 5), c=1, h=1) if len(extents) == 2 else squeezed(net)
    net.layer("BinaryOp", (x, net.constant("k", net.positive(*extents))), "y", {0: MUL})
    net.layer("Reduction", "y", "r", {0: SUM, 1: 0, 3: (0,), 4: 0, 5: 1})
    check(runtime, tmp_path, net, [(1, 4, 5), (3, 4, 5), (1, 1, 2)])


# -- one process


def test_what_was_certain_before_a_cut_is_not_afterwards(runtime: Runtime, tmp_path: Path) -> None:
    net = Net()
    x = net.layer("Reshape", net.input("in0", (3, 8, 8)), "x", {0: 16, 1: 12})
    x = net.layer("AbsVal", x, "y", name="abs")
    x = net.layer("Reshape", x, "z", {0: 16, 1: 12})
    net.tagged(net.normal(4, 16))
    net.layer("InnerProduct", x, "out", {0: 4, 2: 64})
    param = net.write(tmp_path)
    once, result = tmp_path / "once.param", param
    passes = ("--eliminate-reshape-before-innerproduct", "--cut-model=from=abs", "-O")
    command(param, *passes, "-o", once)
    for i, each in enumerate(passes):
        result = tmp_path / f"step{i}.param"
        command(param, each, "-o", result)
        param = result
    assert layer_types(once) == layer_types(result)
    for shape in ((12, 16), (3, 64), (192,), (48, 4)):
        given = {"x": np.random.default_rng(0).standard_normal(shape).astype("f4")}
        before = runtime.run(result, given, ["out"])
        assert_equal(before, runtime.run(once, given, ["out"]))
