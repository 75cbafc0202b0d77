"""Layers that the converter could not write down, by PNNX's own IR: the model then computes what
the operators do."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.frontends import ReadOptions
from ncnn_opt.frontends.param.model_reader import import_param
from ncnn_opt.interpreters.run import run
from numpy.typing import NDArray

import ncnn_opt

Array = NDArray[Any]
Shape = tuple[int, ...]

X = np.random.default_rng(0).standard_normal((6, 4, 3)).astype("f4")
"""The input of each model."""
WIDE = (1, 3, 2, 2, 2, 3)
"""More dims than a blob has."""
TURNED = (0, 1, 3, 2, 4, 5)


class Pair:
    """A model as the converter writes it, and PNNX's own IR of it: each layer with the operator
    that it was made of."""

    def __init__(self) -> None:
        self.layers = ["Input in0 0 1 in0 0=3 1=4 2=6"]
        self.operators = ["pnnx.Input pnnx_input_0 0 1 t0 #t0=(1,6,4,3)f32"]
        self.shapes: dict[str, Shape] = {"t0": (1, 6, 4, 3)}
        self.blobs = {"t0": "in0"}
        self.weights = b""
        self.count = 0

    def layer(self, kind: str, inputs: Sequence[str], outputs: Sequence[str], params: str) -> None:
        """A layer between blobs, named after its kind and its number."""
        number = len(self.layers)
        blobs = " ".join([*inputs, *outputs])
        name = f"{kind.lower()}_{number}"
        self.layers.append(f"{kind} {name} {len(inputs)} {len(outputs)} {blobs} {params}")

    def operator(
        self, kind: str, name: str, inputs: Sequence[str], shape: Shape, params: str
    ) -> str:
        """An operator; returns its tensor."""
        self.count += 1
        result = f"t{self.count}"
        self.shapes[result] = shape
        shapes = " ".join(
            f"#{t}=({','.join(map(str, self.shapes[t]))})f32" for t in (*inputs, result)
        )
        first = f"$input={inputs[0]} " if len(inputs) == 1 and kind != "pnnx.Expression" else ""
        self.operators.append(
            f"{kind} {name} {len(inputs)} 1 {' '.join([*inputs, result])} {params} {first}{shapes}"
        )
        return result

    def custom(self, kind: str, x: str, shape: Shape, params: str) -> str:
        """An operator that the converter left as it was."""
        name = f"{kind.rpartition('.')[2]}_{100 + self.count}"
        result = self.operator(kind, name, [x], shape, params)
        self.blobs[result] = f"b{result}"
        self.layers.append(f"{kind} {name} 1 1 {self.blobs[x]} {self.blobs[result]}")
        return result

    def widened(self, x: str) -> str:
        return self.custom("Tensor.reshape", x, WIDE, f"shape=({','.join(map(str, WIDE))})")

    def of(self, kind: str, x: str, shape: Shape, operator: str, params: str, layer: str) -> str:
        """A layer, and the operator that it was made of."""
        result = self.operator(operator, f"op_{self.count}", [x], shape, params)
        self.blobs[result] = f"b{result}"
        self.layer(kind, [self.blobs[x]], [self.blobs[result]], layer)
        return result

    def turned(self, x: str, order: Sequence[int] = TURNED) -> str:
        """A Permute that the converter wrote as if nothing moved."""
        dims = f"dims=({','.join(map(str, order))})"
        shape = tuple(self.shapes[x][i] for i in order)
        return self.of("Permute", x, shape, "Tensor.permute", dims, "0=0")

    def flattened(self, x: str) -> str:
        return self.of("Reshape", x, (6, 4, 3), "Tensor.reshape", "shape=(6,4,3)", "0=3 1=4 2=6")

    def relu(self, x: str) -> str:
        return self.of("ReLU", x, self.shapes[x], "nn.ReLU", "", "")

    def repaired(self, folder: Path, last: str) -> Path:
        """The file of the repaired model."""
        shape = ",".join(map(str, self.shapes[last]))
        self.operators.append(f"pnnx.Output pnnx_output_0 1 0 {last} #{last}=({shape})f32")
        for name, lines in (("m.param", self.layers), ("m.pnnx.param", self.operators)):
            blobs = sum(int(line.split()[3]) for line in lines)
            (folder / name).write_text("\n".join(["7767517", f"{len(lines)} {blobs}", *lines, ""]))
        (folder / "m.bin").write_bytes(self.weights)
        model = ncnn_opt.load(folder / "m.param", pnnx=folder / "m.pnnx.param")
        result = folder / "fixed.param"
        ncnn_opt.save(model, result)
        return result

    def computed(self, folder: Path, last: str) -> Array:
        """The output of the repaired model for the input."""
        result = self.repaired(folder, last)
        module, _ = import_param(result.read_bytes(), str(result), ReadOptions())
        return next(iter(run(model_of(module), {"in0": X}).values()))


Function = Callable[[Array], Array]


def wide(x: Array) -> Array:
    return x.reshape(WIDE)


def turned(x: Array) -> Array:
    """What `turned` and `flattened` of a `widened` value are."""
    return wide(x).transpose(TURNED).reshape(6, 4, 3)


@pytest.fixture
def pair() -> Pair:
    return Pair()


def test_a_permute_of_six_dims(pair: Pair, tmp_path: Path) -> None:
    y = pair.relu(pair.flattened(pair.turned(pair.widened("t0"))))
    expected = np.maximum(wide(X).transpose(TURNED).reshape(6, 4, 3), 0)
    assert np.array_equal(pair.computed(tmp_path, y), expected)


def test_permutes_of_six_dims_one_after_the_other(pair: Pair, tmp_path: Path) -> None:
    order = (0, 5, 2, 3, 4, 1)
    y = pair.flattened(pair.turned(pair.turned(pair.widened("t0")), order))
    expected = wide(X).transpose(TURNED).transpose(order).reshape(6, 4, 3)
    assert np.array_equal(pair.computed(tmp_path, y), expected)


EXPRESSIONS: list[tuple[str, Sequence[str], Function]] = [
    ("abs(@0)", ["UnaryOp 0=0"], np.abs),
    ("mul(@0,2.0)", ["BinaryOp 0=2 1=1 2=2.0"], lambda x: x * 2),
    (
        "mul(add(@0,1.0),2.0)",
        ["BinaryOp 0=0 1=1 2=1.0", "BinaryOp 0=2 1=1 2=2.0"],
        lambda x: (x + 1) * 2,
    ),
    (
        "mul(add(abs(@0),1.0),2.0)",
        ["UnaryOp 0=0", "BinaryOp 0=0 1=1 2=1.0", "BinaryOp 0=2 1=1 2=2.0"],
        lambda x: (np.abs(x) + 1) * 2,
    ),
    (
        "neg(mul(sub(3.0,abs(@0)),2.0))",
        ["UnaryOp 0=0", "BinaryOp 0=7 1=1 2=3.0", "BinaryOp 0=2 1=1 2=2.0", "UnaryOp 0=1"],
        lambda x: -(3 - np.abs(x)) * 2,
    ),
]


@pytest.mark.parametrize("relu_first", [False, True])
@pytest.mark.parametrize(("words", "layers", "function"), EXPRESSIONS)
def test_an_expression_of_several_layers(
    words: str,
    layers: Sequence[str],
    function: Function,
    relu_first: bool,
    pair: Pair,
    tmp_path: Path,
) -> None:
    start = pair.relu("t0") if relu_first else "t0"
    x = pair.widened(start)
    y = pair.operator("pnnx.Expression", "pnnx_expr_0", [x], WIDE, f"expr={words}")
    blob = pair.blobs[x]
    for i, line in enumerate(layers):
        kind, _, params = line.partition(" ")
        made = f"e{i}"
        pair.layer(kind, [blob], [made], params)
        blob = made
    pair.blobs[y] = blob
    last = pair.flattened(pair.turned(y))
    value = np.maximum(X, 0) if relu_first else X
    expected = function(wide(value)).transpose(TURNED).reshape(6, 4, 3)
    assert pair.computed(tmp_path, last) == pytest.approx(expected)


@pytest.mark.parametrize("swapped", [False, True])
def test_an_expression_of_two_tensors(swapped: bool, pair: Pair, tmp_path: Path) -> None:
    x = pair.relu("t0")
    a = pair.widened(x)
    b = pair.turned(a)
    words, operands = ("sub(@1,@0)", [b, a]) if swapped else ("sub(@0,@1)", [a, b])
    pair.layers[-2:] = [pair.layers[-2].replace(pair.blobs[a], "whole"), pair.layers[-1]]
    pair.layers.insert(-1, f"Split s 1 2 whole {pair.blobs[a]} other")
    y = pair.operator("pnnx.Expression", "pnnx_expr_0", operands, WIDE, f"expr={words}")
    pair.blobs[y] = "difference"
    pair.layer("BinaryOp", ["other", pair.blobs[b]], ["difference"], "0=1")
    last = pair.flattened(y)
    w = wide(np.maximum(X, 0))
    expected = (w - w.transpose(TURNED)).reshape(6, 4, 3)
    assert pair.computed(tmp_path, last) == pytest.approx(expected)


def test_an_expression_whose_first_tensor_comes_from_another_layer(
    pair: Pair, tmp_path: Path
) -> None:
    x = pair.relu("t0")
    pair.layers[-1] = pair.layers[-1].replace(pair.blobs[x], "both")
    pair.layers.append(f"Split s 1 2 both {pair.blobs[x]} other")
    row = pair.of("Reduction", x, (3,), "torch.sum", "dim=(0,1,2)", "0=0 1=0 -23303=2,0,1 5=1")
    pair.blobs[x] = "other"
    a = pair.widened(x)
    y = pair.operator("pnnx.Expression", "pnnx_expr_0", [row, a], WIDE, "expr=sub(@0,@1)")
    pair.blobs[y] = "difference"
    pair.layer("BinaryOp", [pair.blobs[row], pair.blobs[a]], ["difference"], "0=1")
    last = pair.flattened(pair.turned(y))
    relu = np.maximum(X, 0)
    expected = (relu.sum((0, 1)) - wide(relu)).transpose(TURNED).reshape(6, 4, 3)
    assert pair.computed(tmp_path, last) == pytest.approx(expected, rel=1e-5)


def test_a_split_of_too_many_dims(pair: Pair, tmp_path: Path) -> None:
    x = pair.widened(pair.relu("t0"))
    pair.layers[-1] = pair.layers[-1].replace(pair.blobs[x], "whole")
    pair.layers.append(f"Split s 1 2 whole {pair.blobs[x]} other")
    first = pair.flattened(pair.turned(x))
    pair.blobs[x] = "other"
    second = pair.flattened(x)
    y = pair.operator(
        "pnnx.Expression", "pnnx_expr_0", [first, second], (6, 4, 3), "expr=add(@0,@1)"
    )
    pair.blobs[y] = "sum"
    pair.layer("BinaryOp", [pair.blobs[first], pair.blobs[second]], ["sum"], "0=0")
    w = wide(np.maximum(X, 0))
    expected = (w.transpose(TURNED) + w).reshape(6, 4, 3)
    assert pair.computed(tmp_path, y) == pytest.approx(expected)


def test_a_permute_of_six_dims_that_is_read_twice(pair: Pair, tmp_path: Path) -> None:
    orders = (0, 5, 2, 3, 4, 1), (0, 1, 2, 3, 5, 4)
    x = pair.turned(pair.widened("t0"))
    pair.layers[-1] = pair.layers[-1].replace(pair.blobs[x], "both")
    pair.layers.append(f"Split s 1 2 both {pair.blobs[x]} other")
    first = pair.flattened(pair.turned(x, orders[0]))
    pair.blobs[x] = "other"
    second = pair.flattened(pair.turned(x, orders[1]))
    y = pair.operator(
        "pnnx.Expression", "pnnx_expr_0", [first, second], (6, 4, 3), "expr=sub(@0,@1)"
    )
    pair.blobs[y] = "difference"
    pair.layer("BinaryOp", [pair.blobs[first], pair.blobs[second]], ["difference"], "0=1")
    a, b = (wide(X).transpose(TURNED).transpose(order).reshape(6, 4, 3) for order in orders)
    assert pair.computed(tmp_path, y) == pytest.approx(a - b)


def test_layers_of_an_expression_need_not_be_neighbours(pair: Pair, tmp_path: Path) -> None:
    x = pair.relu("t0")
    pair.layers[-1] = pair.layers[-1].replace(pair.blobs[x], "both")
    pair.layers.append(f"Split s 1 2 both {pair.blobs[x]} other")
    a = pair.widened(x)
    pair.blobs[x] = "other"
    b = pair.widened(x)
    pair.layer("UnaryOp", [pair.blobs[a]], ["e0"], "0=1")
    b = pair.turned(b)
    y = pair.operator(
        "pnnx.Expression", "pnnx_expr_0", [a, b], WIDE, "expr=sub(mul(exp(neg(@0)),2.0),@1)"
    )
    pair.layer("UnaryOp", ["e0"], ["e1"], "0=7")
    pair.layer("BinaryOp", ["e1"], ["e2"], "0=2 1=1 2=2.0")
    pair.layer("BinaryOp", ["e2", pair.blobs[b]], ["e3"], "0=1")
    pair.blobs[y] = "e3"
    last = pair.flattened(y)
    w = wide(np.maximum(X, 0))
    expected = (np.exp(-w) * 2 - w.transpose(TURNED)).reshape(6, 4, 3)
    assert pair.computed(tmp_path, last) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("dim", [0, 1, 2, -1])
def test_a_norm_along_another_axis(dim: int, pair: Pair, tmp_path: Path) -> None:
    x = pair.flattened(pair.turned(pair.widened("t0")))
    layer = "0=0 4=1 1=1 2=1e-12 3=1 9=1"
    params = f"dim={dim} eps=1.0e-12 p=2.0"
    y = pair.of("Normalize", x, (6, 4, 3), "F.normalize", params, layer)
    pair.weights = np.ones(1, "<f4").tobytes()
    r = wide(X).transpose(TURNED).reshape(6, 4, 3).astype("f8")
    expected = r / np.sqrt((r**2).sum(dim, keepdims=True))
    assert pair.computed(tmp_path, y) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("layer", ["0=3 1=4 2=6", "0=0 1=-1 2=6", "0=-1 1=0 2=6", '6="3,4,6"'])
def test_a_batch_that_the_converter_made(layer: str, pair: Pair, tmp_path: Path) -> None:
    x = pair.relu("t0")
    x = pair.of("Reshape", x, (6, 4, 3), "Tensor.reshape", "shape=(6,4,3)", f"{layer} 13=0")
    y = pair.flattened(pair.turned(pair.widened(x)))
    assert np.array_equal(pair.computed(tmp_path, y), turned(np.maximum(X, 0)))


def test_batch_normalization_of_rows(pair: Pair, tmp_path: Path) -> None:
    """The channels are the columns; the layer would take them for the rows."""
    x = pair.flattened(pair.turned(pair.widened("t0")))
    x = pair.of("Reshape", x, (24, 3), "Tensor.reshape", "shape=(24,3)", "0=3 1=24")
    rng = np.random.default_rng(1)
    slope, mean, bias = rng.standard_normal((3, 3)).astype("f4")
    var = rng.uniform(0.5, 1.5, 3).astype("f4")
    pair.weights = b"".join(a.tobytes() for a in (slope, mean, var, bias))
    params = "affine=True eps=1.0e-5 num_features=3"
    y = pair.of("BatchNorm", x, (24, 3), "nn.BatchNorm1d", params, "0=3 1=1.0e-5")
    rows = wide(X).transpose(TURNED).reshape(24, 3)
    expected = (rows - mean) / np.sqrt(var + 1e-5) * slope + bias
    assert pair.computed(tmp_path, y) == pytest.approx(expected, rel=1e-4, abs=1e-5)


def test_a_convolution_by_a_constant(pair: Pair, tmp_path: Path) -> None:
    """Its image has no batch axis, which the layers behind it rely on."""
    kernel = np.random.default_rng(1).standard_normal((2, 6, 1, 1)).astype("f4")
    pair.weights = kernel.tobytes()
    pair.shapes["w"] = kernel.shape
    pair.operators.append("pnnx.Attribute attribute 0 1 w @data=(2,6,1,1)f32 #w=(2,6,1,1)f32")
    pair.layer("MemoryData", [], ["w"], "0=1 1=1 11=6 2=2")
    x = pair.relu("t0")
    y = pair.operator("F.conv2d", "conv_1", [x, "w"], (1, 2, 4, 3), "bias=None groups=1")
    pair.operators[-1] += f" $input={x} $weight=w"
    pair.blobs[y] = "conv"
    pair.layers.append(f"F.conv2d conv_1 2 1 {pair.blobs[x]} w conv")
    last = pair.relu(y)
    expected = np.maximum(np.einsum("chw,ocij->ohw", np.maximum(X, 0), kernel), 0)
    assert pair.computed(tmp_path, last) == pytest.approx(expected, abs=1e-5)
    lines = (tmp_path / "fixed.param").read_text().splitlines()
    assert [line.split()[0] for line in lines[2:]] == ["Input", "ReLU", "Convolution", "ReLU"]


def test_one_of_a_batch_is_a_blob_without_the_batch_axis(pair: Pair, tmp_path: Path) -> None:
    x = pair.relu("t0")
    shape = "shape=(2,1,3,4,3)"
    x = pair.of("Reshape", x, (2, 1, 3, 4, 3), "Tensor.reshape", shape, '6="3,4,3,1,2" 13=0')
    x = pair.custom("Tensor.select", x, (1, 3, 4, 3), "dim=0 index=1")
    y = pair.of("Softmax", x, (1, 3, 4, 3), "F.softmax", "dim=1", "0=0 1=1")
    lines = pair.repaired(tmp_path, y).read_text().splitlines()
    found = [line.split() for line in lines[-3:]]
    assert [line[0] for line in found] == ["Crop", "Reshape", "Softmax"]
    assert found[1][6:] == ["0=3", "1=4", "2=3"]


def test_what_a_reshape_leaves_open_follows_from_the_batch(pair: Pair, tmp_path: Path) -> None:
    """No type says the extents of blobs of a batch."""
    x = pair.of("Reshape", "t0", (6, 4, 3), "Tensor.reshape", "shape=(6,4,3)", "0=3 1=4 2=6 13=0")
    x = pair.of("Reshape", x, (6, 12), "Tensor.reshape", "shape=(6,12)", "0=-1")
    y = pair.flattened(pair.turned(pair.widened(x)))
    assert np.array_equal(pair.computed(tmp_path, y), turned(X))


def test_a_batch_that_a_reshape_ends(pair: Pair, tmp_path: Path) -> None:
    x = pair.of("Reshape", "t0", (6, 4, 3), "Tensor.reshape", "shape=(6,4,3)", "0=3 1=4 2=6 13=0")
    x = pair.of("Reshape", x, (6, 4, 3), "Tensor.reshape", "shape=(6,4,3)", "0=3 1=4 2=6 12=0")
    y = pair.flattened(pair.turned(pair.widened(x)))
    assert np.array_equal(pair.computed(tmp_path, y), turned(X))


def test_of_two_equal_axes_the_older_one_is_the_batch(pair: Pair, tmp_path: Path) -> None:
    x = pair.of("Reshape", "t0", (2, 36), "Tensor.reshape", "shape=(2,36)", "0=36 1=2 13=0")
    x = pair.of("Reshape", x, (2, 2, 18), "Tensor.reshape", "shape=(2,2,18)", "0=18 1=2")
    y = pair.flattened(pair.turned(pair.widened(x)))
    assert np.array_equal(pair.computed(tmp_path, y), turned(X))


def test_parts_that_are_not_equal(pair: Pair, tmp_path: Path) -> None:
    """The runtime's parts are 1, 1 and 2 rows; PyTorch's are 2, 1 and 1."""
    parts = ("a", "b", "c")
    pair.shapes |= {"a": (1, 6, 2, 3), "b": (1, 6, 1, 3), "c": (1, 6, 1, 3)}
    pair.blobs |= {name: name for name in parts}
    shapes = " ".join(f"#{n}=({','.join(map(str, pair.shapes[n]))})f32" for n in ("t0", *parts))
    pair.operators.append(f"torch.tensor_split ts 1 3 t0 a b c dim=2 sections=3 $input=t0 {shapes}")
    pair.layers.append("Slice tensor_split_0 1 3 in0 a b c -23300=3,-233,-233,-233 1=1")
    text = pair.repaired(tmp_path, pair.relu("a")).read_text()
    assert "-23300=3,2,1,1 1=2" in text
