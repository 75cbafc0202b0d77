"""Edits of a model in memory."""

from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.dialects.ncnn.constant import ConstantOp
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.tools.ncnn_opt_main import main
from numpy.typing import NDArray

import ncnn_opt
from ncnn_opt import Model, NcnnOptError

ROOT = Path(__file__).parents[3]


@pytest.fixture
def model() -> Model:
    return ncnn_opt.load(ROOT / "examples/small_cnn.param")


def test_names_and_order(model: Model) -> None:
    model.rename({"data": "in0", "prob": "output", "layer:conv1": "stem"})
    model.insert(["SherpaMetaData meta 0 0 0=2"])
    model.reorder(["in0"], ["output"])
    assert [b.name for b in (*model.inputs, *model.outputs)] == ["in0", "output"]
    assert [(b.type, b.name, b.outputs) for b in model.layers[:3]] == [
        ("Input", "in0", ("in0",)),
        ("SherpaMetaData", "meta", ()),
        ("Convolution", "stem", ("conv1",)),
    ]
    assert [r.rewrite for r in model.remarks][-2:] == ["reorder-model", "reorder-model"]


def test_parts_joined_are_the_model(model: Model, tmp_path: Path) -> None:
    for parts in (
        model.split(["bn1", "conv3"]),
        model.split(size=30_000),
        *(model.split(parts=count) for count in (2, 3, 5)),
    ):
        assert len(parts) > 1
        for part, following in zip(parts, parts[1:], strict=False):
            assert part.outputs == following.inputs
        joined = ncnn_opt.join(parts)
        assert joined.layers == model.layers
        joined.save(tmp_path / "joined.param")
        assert (tmp_path / "joined.bin").read_bytes() == (
            ROOT / "examples/small_cnn.bin"
        ).read_bytes()


AMONG_LAYERS = """7767517
9 12
Input x 0 1 x
Split s 1 2 x x0 x1
Input mask 0 1 mask 0=8
BinaryOp a 2 1 x0 mask a 0=0
Input caches 0 3 k0 v0 k1
BinaryOp b 2 1 a k0 b 0=0
BinaryOp c 2 1 b v0 c 0=0
BinaryOp d 2 1 c k1 d 0=0
BinaryOp e 2 1 d x1 e 0=2
"""
"""Inputs among other layers, one of them with several blobs."""

GROUPED = """7767517
4 6
Input both 0 3 x y z
BinaryOp a 2 1 x z a
BinaryOp b 2 1 a y b 0=2
ReLU r 1 1 b r
"""


@pytest.mark.parametrize("text", [AMONG_LAYERS, GROUPED], ids=["among layers", "grouped"])
def test_input_layers_stay_where_they_are(text: str, tmp_path: Path) -> None:
    whole = tmp_path / "whole.param"
    whole.write_text(text)
    whole.with_suffix(".bin").touch()
    main([str(whole), "-q", "-o", str(whole)])
    blobs = [blob for layer in ncnn_opt.load(whole).layers[:-1] for blob in layer.outputs]
    cuts = [blob for blob in blobs if blob in "abcd" or blob == "x1"]
    for at in (*cuts, ",".join(cuts)):
        parts, again = tmp_path / "p.param", tmp_path / "again.param"
        main([str(whole), "-q", "--split-at", at, "-o", str(parts)])
        main([str(tmp_path / "p.json"), "-q", "--join", "-o", str(again)])
        assert again.read_text() == whole.read_text(), at


def test_a_number_of_parts(model: Model) -> None:
    sizes = [[_bytes(part) for part in model.split(parts=count)] for count in (2, 3, 5)]
    assert [len(each) for each in sizes] == [2, 3, 5]
    assert all(sum(each) == _bytes(model) for each in sizes)
    assert max(sizes[0]) > max(sizes[1]) >= max(sizes[2])


def _bytes(model: Model) -> int:
    return sum(values.nbytes for values in _weights(model))


def test_pairs(model: Model) -> None:
    parts = model.split(["conv3"])
    parts[1].rename({"conv3": "other"})
    assert ncnn_opt.join(parts, {"conv3": "other"}).layers == model.layers
    with pytest.raises(NcnnOptError, match="model 1 is connected to no other"):
        ncnn_opt.join(parts)
    with pytest.raises(NcnnOptError, match="no model has an output 'conv9'"):
        ncnn_opt.join(parts, {"conv9": "other"})


def test_weights_between_two_models(model: Model) -> None:
    other = ncnn_opt.load(ROOT / "examples/small_cnn.param", weights="random")
    old = _weights(model), _weights(other)
    model.interpolate(other, 0.25)
    for x, y, z in zip(*old, _weights(model), strict=True):
        np.testing.assert_allclose(z, 0.75 * x + 0.25 * y, rtol=1e-6, atol=1e-7)
    unchanged = _weights(other)
    assert all(map(np.array_equal, unchanged, old[1]))
    model.interpolate(model, 0.5)  # nothing differs
    with pytest.raises(NcnnOptError, match="fraction must be a number from 0 to 1"):
        model.interpolate(other, 1.5)
    other.insert(["ReLU last 1 1 prob prob"])
    with pytest.raises(NcnnOptError, match="'last'"):
        model.interpolate(other, 0.5)


def test_layers_stand_for_custom_layers(tmp_path: Path) -> None:
    texts = {
        "custom": "3 3\nInput x 0 1 x 0=8\nMine act 1 1 x 1\nReLU last 1 1 1 y\n",
        "mine": "2 2\nInput in 0 1 in\nAbsVal abs 1 1 in out\n",
        "two": "3 3\nInput a 0 1 a\nInput b 0 1 b\nBinaryOp sum 2 1 a b out\n",
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.param").write_text(f"7767517\n{text}")
        (tmp_path / f"{name}.bin").touch()
    custom, mine, two = (ncnn_opt.load(tmp_path / f"{name}.param") for name in texts)
    for layers, words in (
        ({"Other": mine}, "there is no custom layer of type 'Other'"),
        (
            {"Mine": two},
            "Mine 'act' has 1 inputs and 1 outputs, and the model that stands for it 2",
        ),
        ({"Mine": 3}, "layers must be a mapping of types to Models"),
    ):
        with pytest.raises(NcnnOptError, match=words):
            custom.expand_custom(layers)  # type: ignore
        assert [each.type for each in custom.layers] == ["Input", "Mine", "ReLU"]
    custom.expand_custom({"Mine": mine})
    assert [(each.type, each.name, each.outputs) for each in custom.layers[1:]] == [
        ("AbsVal", "act_abs", ("1",)),
        ("ReLU", "last", ("y",)),
    ]
    assert [blob.shape for blob in custom.outputs] == [(8,)]


def test_shapes_of_custom_layers_are_declared(tmp_path: Path) -> None:
    (tmp_path / "m.param").write_text(
        "7767517\n3 3\nInput x 0 1 x 0=8\nMine act 1 1 x 1 0=2\nReLU last 1 1 1 y\n"
    )
    (tmp_path / "m.bin").touch()
    model = ncnn_opt.load(tmp_path / "m.param")
    for functions, words in (
        ({"Other": "in0"}, "there is no custom layer of type 'Other'"),
        ({"Mine": "0h"}, "Mine 'act' has no 0h, which '0h' names: input 0 is 1-D"),
        ({"Mine": "w"}, "'w' is no extent"),
        ({"Mine": 3}, "functions must be a mapping of layer types to shape functions"),
    ):
        with pytest.raises(NcnnOptError, match=words):
            model.declare_shapes(functions)  # type: ignore
        assert [blob.shape for blob in model.outputs] == [None]
    model.declare_shapes({"Mine": "*(0w,p0),3"})
    assert [blob.shape for blob in model.outputs] == [(3, 16)]


def _weights(model: Model) -> list[NDArray[np.float32]]:
    return [op.read() for op in model_of(model.module).walk() if isinstance(op, ConstantOp)]


def test_mistakes_leave_the_model(model: Model) -> None:
    before = model.layers
    for edit, words in (
        (lambda: model.rename({"nothing": "x"}), "there is no blob and no layer 'nothing'"),
        (lambda: model.rename({"data": "prob"}), "'data' cannot become 'prob'"),
        (lambda: model.rename({1: "x"}), "names must be a mapping of old names to new names"),  # type: ignore
        (lambda: model.reorder(outputs=["data"]), "there is no output 'data'"),
        (lambda: model.insert(["ReLU r 1 1 gone x"]), "there is no blob 'gone'"),
        (lambda: model.split(), "give either at, size or parts"),
        (lambda: model.split(["prob"]), "no layer is behind it"),
        (lambda: model.split(parts=1), "two parts or more"),
        (lambda: model.split(parts=99), "99 parts need 99 layers with weights"),
        (lambda: model.split(size=100), "alone has 2,596 bytes of weights"),
        (lambda: ncnn_opt.join([model]), "two Models or more"),
        (lambda: ncnn_opt.join([model, 3]), "models must be a list of Models"),  # type: ignore
    ):
        with pytest.raises(NcnnOptError, match=words):
            edit()
    assert model.layers == before
