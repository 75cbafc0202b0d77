"""The fused level gives what the runtime gives: computed in NumPy, and as layers again."""

from collections import Counter
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ncnn_opt.conversion.ncnn_to_fused.lowering import anchor_of
from ncnn_opt.dialects.fused import ElementwiseOp, FusedOp
from ncnn_opt.dialects.ncnn.blob import static_shape_of
from ncnn_opt.dialects.ncnn.function import input_name, output_names
from ncnn_opt.dialects.ncnn.interfaces import HasFormula
from ncnn_opt.dialects.ncnn.layer import LayerOp
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.transforms import OPTIMIZE

from .amount import REPEATABLE, examples
from .followers import LINEAR, Model, models
from .fused_models import check, check_equal, converted
from .graphs import Graph, graphs
from .nets import Net, Number, Shape
from .runtime import Runtime

EXAMPLES = examples(25)
"""Models of each kind."""

ANCHORS: dict[str, tuple[str, Shape, Shape, dict[int, Number], Shape]] = {
    "conv2d": ("Convolution", (4, 6, 7), (8, 4, 3, 3), {0: 8, 1: 3, 4: 1, 5: 1, 6: 288}, (8, 6, 7)),
    "conv_transpose2d": (
        "Deconvolution",
        (4, 3, 5),
        (8, 4, 4, 4),
        {0: 8, 1: 4, 3: 2, 4: 1, 5: 1, 6: 512},
        (8, 6, 10),
    ),
    "conv3d": (
        "Convolution3D",
        (4, 3, 6, 7),
        (8, 4, 3, 3, 3),
        {0: 8, 1: 3, 4: 1, 5: 1, 6: 864},
        (8, 3, 6, 7),
    ),
    "linear": ("InnerProduct", (12,), (10, 12), {0: 10, 1: 1, 2: 120}, (10,)),
}
"""Layer, shape of the input, of the weight, parameters, shape of the output."""

NEVER_ANCHORS = ("DeformableConv2D", "Gemm with a constant A")

ADDS = ("", "first", "second")
ACTIVATIONS: dict[str, tuple[str, dict[int, Number]]] = {
    "": ("", {}),
    "relu": ("ReLU", {}),
    "relu6": ("Clip", {0: 0.0, 1: 6.0}),
}

FUSABLE = (
    "ReLU", "Sigmoid", "AbsVal", "Pooling", "Convolution", "BatchNorm", "BinaryOp", "Eltwise",
)  # fmt: skip
"""Layers of graphs that must not be left as they are."""

EXAMPLE_MODELS = sorted((Path(__file__).parents[2] / "examples").glob("*.param"))


def add_anchor(net: Net, kind: str, x: str, name: str) -> str:
    layer, _, weight, params, _ = ANCHORS[kind]
    net.tagged(net.normal(*weight, scale=0.3))
    net.plain(net.normal(weight[0]))
    return net.layer(layer, x, name, params)


def add_norm(net: Net, kind: str, x: str) -> str:
    n = ANCHORS[kind][4][0]
    for values in (net.positive(n), net.normal(n), net.positive(n), net.normal(n)):
        net.plain(values)
    return net.layer("BatchNorm", x, "bn", {0: n, 1: 1e-5})


def add_rest(net: Net, value: str, other: str, add: str, activation: str) -> None:
    if add:
        pair = [value, other] if add == "first" else [other, value]
        value = net.layer("BinaryOp", pair, "add", {0: 0})
    if activation:
        layer, params = ACTIVATIONS[activation]
        net.layer(layer, value, activation, params)


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("add", ADDS)
@pytest.mark.parametrize("norm", [False, True])
@pytest.mark.parametrize("kind", ANCHORS)
def test_the_whole_table(
    kind: str, norm: bool, add: str, activation: str, runtime: Runtime, tmp_path: Path
) -> None:
    net = Net()
    value = add_anchor(net, kind, net.input("x", ANCHORS[kind][1]), "anchor")
    other = net.input("r", ANCHORS[kind][4]) if add else ""
    if norm:
        value = add_norm(net, kind, value)
    add_rest(net, value, other, add, activation)
    result = check(net, net.write(tmp_path), runtime)
    assert result is not None
    assert len(result.fused) == 1
    assert not result.left


@pytest.mark.parametrize("add", ADDS[1:])
@pytest.mark.parametrize("kind", ANCHORS)
def test_two_anchors_of_one_add(kind: str, add: str, runtime: Runtime, tmp_path: Path) -> None:
    net = Net()
    shape = ANCHORS[kind][1]
    x, z = net.input("x", shape), net.input("z", shape)
    one, two = add_anchor(net, kind, x, "one"), add_anchor(net, kind, z, "two")
    add_rest(net, one, two, add, "relu")
    result = check(net, net.write(tmp_path), runtime)
    assert result is not None
    assert [op.blob_name for op in result.fused] == ["one", "relu"]
    assert not result.left


@pytest.mark.parametrize("kind", LINEAR)
def test_anchors_and_followers(kind: str, runtime: Runtime, tmp_path: Path) -> None:
    seen: Counter[str] = Counter()

    @settings(REPEATABLE, max_examples=EXAMPLES)
    @given(models(kind), st.booleans(), st.booleans())
    def run(model: Model, optimized: bool, simplified: bool) -> None:
        net = model.build()
        before = OPTIMIZE if optimized else ()
        after = ("canonicalize",) if simplified else ()
        result = check(net, net.write(tmp_path), runtime, before, after)
        if result is None:
            return
        seen["evidence"] += 1
        anchors = [op for op in result.fused if not isinstance(op, ElementwiseOp)]
        seen["anchors"] += len(anchors)
        seen["alone"] += len(result.fused) == 1 and not result.left

    run()
    assert seen["evidence"] > 0.8 * EXAMPLES, seen
    if kind not in NEVER_ANCHORS:
        assert seen["anchors"], seen
        assert seen["alone"], seen


def test_graphs(runtime: Runtime, tmp_path: Path) -> None:
    seen: Counter[str] = Counter()

    @settings(REPEATABLE, max_examples=examples(75))
    @given(graphs())
    def run(graph: Graph) -> None:
        net = graph.build()
        param = net.write(tmp_path)
        result = check(net, param, runtime)
        if result is None:
            return
        seen["evidence"] += 1
        seen["joined"] += len(result.fused) < sum(n.kind in FUSABLE for n in graph.nodes)
        assert not [op for op in result.left if op.LAYER_TYPE in FUSABLE], result.remarks

    run()
    assert seen["evidence"] > 60, seen
    assert seen["joined"] > 30, seen


@pytest.mark.parametrize("optimized", [False, True])
@pytest.mark.parametrize("path", EXAMPLE_MODELS, ids=lambda path: path.stem)
def test_models_of_the_project(
    path: Path, optimized: bool, runtime: Runtime, tmp_path: Path
) -> None:
    result = converted(path, OPTIMIZE if optimized else ())
    func = model_of(result.module)
    rng = np.random.default_rng(0)
    inputs = {
        input_name(func, i): rng.standard_normal(static_shape_of(arg) or ()).astype("f4")
        for i, arg in enumerate(func.body.block.args)
    }
    before = runtime.run(path, inputs, output_names(func), light_mode=False)
    assert isinstance(before, dict)
    check_equal(before, result.compute(inputs))
    back = result.back(tmp_path / "back.param")
    check_equal(before, runtime.run(back, inputs, output_names(func)))
    element_wise = {op.LAYER_TYPE for op in result.left if is_element_wise(op)}
    assert not element_wise


def is_element_wise(op: LayerOp) -> bool:
    """Whether a layer is an anchor, or said in scalars."""
    return anchor_of(type(op)) is not None or isinstance(op, HasFormula)


INT8: list[tuple[str, dict[int, Number], Shape, int, int]] = [
    ("Convolution", {0: 6, 1: 3, 4: 1, 5: 1, 6: 216, 8: 1}, (4, 6, 7), 6, 0),
    ("Convolution", {0: 6, 1: 3, 5: 0, 6: 216, 8: 2, 9: 1}, (4, 6, 7), 6, 0),
    ("Convolution", {0: 6, 1: 1, 5: 1, 6: 24, 8: 102}, (4, 6, 7), 6, 1),
    ("ConvolutionDepthWise", {0: 4, 1: 3, 4: 1, 5: 1, 6: 36, 7: 4, 8: 1}, (4, 6, 7), 4, 0),
    ("ConvolutionDepthWise", {0: 4, 1: 3, 5: 1, 6: 36, 7: 4, 8: 102}, (4, 6, 7), 1, 1),
    ("InnerProduct", {0: 6, 1: 1, 2: 24, 8: 1}, (4,), 6, 0),
    ("InnerProduct", {0: 6, 1: 1, 2: 24, 8: 1, 9: 1}, (3, 4), 6, 0),
]
"""Layers with int8 weights: parameters, input, scales of the weight and of the output."""


@pytest.mark.parametrize(("case", "stored"), [*product(range(len(INT8)), ["int8", "float"])])
def test_int8(case: int, stored: str, runtime: Runtime, tmp_path: Path) -> None:
    layer, params, shape, scales, outputs = INT8[case]
    net = Net()
    x = net.layer("TanH", net.input("x", shape), "tanh")
    size = int(params[2 if layer == "InnerProduct" else 6])
    net.tagged(net.normal(size, scale=0.5), stored)
    if params[1 if layer == "InnerProduct" else 5]:
        net.plain(net.normal(int(params[0])))
    for count in (scales, 1, *(1,) * outputs):
        net.plain(net.positive(count) * 40)
    y = net.layer(layer, x, "anchor", params)
    if not outputs:
        net.layer("Sigmoid", y, "sigmoid")
    param = net.write(tmp_path)
    for after in ((), ("canonicalize",)):
        result = check(net, param, runtime, (), after)
        assert result is not None
        assert len(result.fused) == 2
    result = converted(param)
    assert not result.left


def test_nothing_is_fused_twice(tmp_path: Path) -> None:
    net = Net()
    value = add_anchor(net, "conv2d", net.input("x", (4, 6, 7)), "anchor")
    net.layer("ReLU", add_norm(net, "conv2d", value), "relu")
    result = converted(net.write(tmp_path))
    names = [op.blob_name for op in result.module.walk() if isinstance(op, FusedOp)]
    assert names == ["relu"]
