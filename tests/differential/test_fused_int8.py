"""The table of fusions for layers with int8 weights: sums in int32, and one epilogue that makes
floats of them, normalizes, adds, activates and, where an int8 layer follows, rounds to its int8.
Each is one operation; NumPy computes of it and of the layers what the runtime computes without
packed layouts, and as layers again it gives the same."""

from itertools import product
from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.dialects.fused import ElementwiseOp
from xdsl.dialects.builtin import i8, i32
from xdsl.ir import Attribute

from .fused_models import Conversion, check_equal, converted
from .nets import Net, Number, Shape
from .runtime import Blobs, Failure, Runtime
from .semantics import interpret

KINDS: dict[str, tuple[str, Shape, dict[int, Number], int, Shape]] = {
    "convolution": ("Convolution", (4, 6, 7), {0: 8, 1: 3, 4: 1, 5: 1, 6: 288, 8: 2}, 8, (8, 6, 7)),
    "depthwise": (
        "ConvolutionDepthWise",
        (8, 6, 7),
        {0: 8, 1: 3, 4: 1, 5: 1, 6: 72, 7: 8, 8: 1},
        8,
        (8, 6, 7),
    ),
    "grouped": (
        "ConvolutionDepthWise",
        (4, 6, 7),
        {0: 8, 1: 3, 4: 1, 5: 1, 6: 144, 7: 2, 8: 1},
        2,
        (8, 6, 7),
    ),
    "linear": ("InnerProduct", (12,), {0: 8, 1: 1, 2: 96, 8: 2}, 8, (8,)),
}
"""Layer, shape of the input, parameters, scales of the weight, shape of the output."""

ADDS = ("", "first", "second")
ACTIVATIONS: dict[str, tuple[str, dict[int, Number]]] = {
    "": ("", {}),
    "relu": ("ReLU", {}),
    "relu6": ("Clip", {0: 0.0, 1: 6.0}),
}
NEXT: dict[int, tuple[str, dict[int, Number]]] = {
    3: ("Convolution", {0: 5, 1: 1, 5: 1, 6: 40, 8: 2}),
    1: ("InnerProduct", {0: 5, 1: 1, 2: 40, 8: 2}),
}
"""The int8 layer that follows, by the dims of its input."""


def int8_layer(
    net: Net, layer: str, x: str, name: str, params: dict[int, Number], scales: int
) -> str:
    outputs = int(params[0])
    values = net.normal(int(params[2 if layer == "InnerProduct" else 6]))
    net.tagged(np.clip(values, -2.5, 2.5), "int8")
    net.plain(net.normal(outputs))
    net.plain(net.positive(scales) * 40)
    net.plain(net.positive(1) * 40)
    return net.layer(layer, x, name, params)


def model(kind: str, norm: bool, add: str, activation: str, followed: bool) -> Net:
    net = Net(7)
    layer, shape, params, scales, result = KINDS[kind]
    x = net.layer("TanH", net.input("x", shape), "tanh")
    other = net.input("r", result) if add else ""
    y = int8_layer(net, layer, x, "anchor", params, scales)
    if norm:
        n = result[0]
        for values in (net.positive(n), net.normal(n), net.positive(n), net.normal(n)):
            net.plain(values)
        y = net.layer("BatchNorm", y, "bn", {0: n, 1: 1e-5})
    if add:
        y = net.layer("BinaryOp", [y, other] if add == "first" else [other, y], "add", {0: 0})
    if activation:
        kind_of, values = ACTIVATIONS[activation]
        y = net.layer(kind_of, y, activation, values)
    if followed:
        after, values = NEXT[len(result)]
        int8_layer(net, after, y, "next", values, int(values[0]))
    return net


def elements(result: Conversion) -> list[tuple[Attribute, Attribute]]:
    """What the accumulators and the results of the operations are."""
    return [
        (op.epilogue.block.args[0].type, op.results[0].type.element_type)  # pyright: ignore
        for op in result.fused
    ]


@pytest.mark.parametrize("followed", [False, True])
@pytest.mark.parametrize(
    ("kind", "norm", "add", "activation"), list(product(KINDS, (False, True), ADDS, ACTIVATIONS))
)
def test_combination(
    kind: str,
    norm: bool,
    add: str,
    activation: str,
    followed: bool,
    runtime: Runtime,
    tmp_path: Path,
) -> None:
    net = model(kind, norm, add, activation, followed)
    param = net.write(tmp_path)

    def compute(path: Path) -> Blobs:
        found = runtime.run(path, net.inputs, net.outputs, packing=False)
        assert not isinstance(found, Failure), found
        return found

    result = converted(param)
    assert not result.left
    before, anchor, *after = result.fused
    assert isinstance(before, ElementwiseOp)
    assert not isinstance(anchor, ElementwiseOp)
    assert len(after) == followed
    assert [acc for acc, _ in elements(result)][1:] == [i32] * (1 + followed)
    assert [made == i8 for _, made in elements(result)] == [True, followed, *[False] * followed]
    wanted = compute(param)
    check_equal(wanted, dict(zip(net.outputs, interpret(param, net.inputs), strict=True)), 1e-5)
    check_equal(wanted, result.compute(net.inputs), 1e-5)
    check_equal(wanted, compute(result.back(tmp_path / "back.param")), 1e-5)
