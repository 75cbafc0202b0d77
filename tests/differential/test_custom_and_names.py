"""Names of inputs and outputs survive whatever is eliminated, and custom layers are carried."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from .compiler import command, load, optimize, run_passes, save
from .nets import Net, layer_types
from .param_files import read_lines
from .runtime import Blobs, Failure, Runtime

Build = Callable[[Net], None]


def dropout_at_the_end(net: Net) -> None:
    x = net.layer("AbsVal", net.input("data", (3, 4)), "inner")
    net.layer("Dropout", x, "out")


def chain_at_the_end(net: Net) -> None:
    x = net.layer("AbsVal", net.input("data", (3, 4)), "inner")
    x = net.layer("Noop", net.layer("Dropout", x, "d"), "n")
    net.layer("Split", net.layer("Dropout", x, "e"), "out")


def split_at_the_end(net: Net) -> None:
    x = net.layer("AbsVal", net.input("data", (3, 4)), "inner")
    net.layer("Split", x, ["first", "second", "third"])


def dropout_on_one_side_of_a_split(net: Net) -> None:
    x = net.layer("AbsVal", net.input("data", (3, 4)), "inner")
    net.layer("Split", x, ["a", "b"])
    net.layer("Dropout", "a", "out")
    net.layer("Exp", "b", "other")


def dropout_on_both_sides_of_a_split(net: Net) -> None:
    x = net.layer("AbsVal", net.input("data", (3, 4)), "inner")
    net.layer("Split", x, ["a", "b"])
    net.layer("Dropout", "a", "first")
    net.layer("Dropout", "b", "second")


def dropout_of_an_input(net: Net) -> None:
    net.layer("Dropout", net.input("data", (3, 4)), "out")


def split_of_an_input(net: Net) -> None:
    net.layer("Split", net.input("data", (3, 4)), ["out", "used"])
    net.layer("AbsVal", "used", "other")


def noop_with_two_inputs(net: Net) -> None:
    x = net.layer("AbsVal", net.input("left", (3, 4)), "x")
    y = net.layer("Exp", net.input("right", (5,)), "y")
    net.layer("Noop", [x, y], ["first", "second"])


def output_is_read_too(net: Net) -> None:
    x = net.layer("AbsVal", net.input("data", (3, 4)), "inner")
    net.layer("Split", x, ["out", "used"])
    net.layer("Dropout", net.layer("Noop", "used", "n"), "second")


def inner_name_is_that_of_an_output_elsewhere(net: Net) -> None:
    # What eliminates `second` must not name its producer as a blob that is there already.
    net.layer("Split", net.layer("AbsVal", net.input("data", (3, 4)), "x"), ["x_splitncnn_0", "y"])
    net.layer("Exp", "y", "z")
    net.layer("Dropout", "z", "second")


def fused_activation_at_the_end(net: Net) -> None:
    x = net.input("data", (3,))
    net.tagged(net.normal(4, 3))
    x = net.layer("InnerProduct", x, "fc", {0: 4, 2: 12})
    net.layer("Dropout", net.layer("ReLU", x, "relu"), "prob")


def constant_at_the_end(net: Net) -> None:
    net.layer("AbsVal", net.input("data", (3,)), "out")
    net.layer("Dropout", net.constant("offset", net.normal(4)), "dropped")


NAMES: tuple[Build, ...] = (
    dropout_at_the_end,
    chain_at_the_end,
    split_at_the_end,
    dropout_on_one_side_of_a_split,
    dropout_on_both_sides_of_a_split,
    dropout_of_an_input,
    split_of_an_input,
    noop_with_two_inputs,
    output_is_read_too,
    inner_name_is_that_of_an_output_elsewhere,
    fused_activation_at_the_end,
    constant_at_the_end,
)


def assert_same(before: Blobs | Failure, after: Blobs | Failure) -> None:
    assert not isinstance(before, Failure), before
    assert not isinstance(after, Failure), after
    for name, expected in before.items():
        np.testing.assert_allclose(after[name], expected, 1e-5, 1e-6)


@pytest.mark.parametrize("build", NAMES)
def test_outputs_keep_their_names(build: Build, runtime: Runtime, tmp_path: Path) -> None:
    net = Net()
    build(net)
    model = net.write(tmp_path)
    result = optimize(model, tmp_path / "optimized.param")
    before = runtime.run(model, net.inputs, net.outputs)
    assert_same(before, runtime.run(result, net.inputs, net.outputs))
    lines = read_lines(result)
    read = {blob for line in lines for blob in line.bottoms}
    outputs = [top for line in lines for top in line.tops if top not in read]
    assert sorted(outputs) == sorted(net.outputs)
    inputs = [top for line in lines if line.kind == "Input" for top in line.tops]
    assert inputs == list(net.inputs)


@pytest.mark.parametrize(
    "build",
    [
        dropout_at_the_end,
        chain_at_the_end,
        split_at_the_end,
        dropout_on_one_side_of_a_split,  # a Split is needed in any case
        dropout_on_both_sides_of_a_split,
    ],
)
def test_what_is_not_needed_for_a_name_goes(build: Build, tmp_path: Path) -> None:
    net = Net()
    build(net)
    result = optimize(net.write(tmp_path), tmp_path / "optimized.param")
    assert {"Dropout", "Noop"}.isdisjoint(layer_types(result))


def test_what_is_needed_for_a_name_stays(tmp_path: Path) -> None:
    net = Net()
    dropout_of_an_input(net)
    result = optimize(net.write(tmp_path), tmp_path / "optimized.param")
    assert layer_types(result) == ["Input", "Dropout"]


def test_layers_keep_their_names_and_blobs_those_of_what_they_are(tmp_path: Path) -> None:
    net = Net()
    x = net.input("data", (3,))
    net.tagged(net.normal(4, 3))
    x = net.layer("InnerProduct", x, "fc", {0: 4, 2: 12}, name="ip1")
    x = net.layer("Dropout", net.layer("ReLU", x, "relu", name="act"), "dropped")
    net.layer("TanH", x, "out", name="last")
    result = optimize(net.write(tmp_path), tmp_path / "optimized.param")
    _, fused, last = read_lines(result)
    assert (fused.name, fused.tops) == ("ip1", ("relu",))
    assert (last.name, last.bottoms) == ("last", ("relu",))


STRANGE_NAMES = ("größe", "卷积", 'quo"ted', "back\\slash", "50%", "a=b", "{x}", "//x", "0", "é\\n")


@pytest.mark.parametrize("name", STRANGE_NAMES)
def test_names_of_any_letters_survive(name: str, tmp_path: Path) -> None:
    net = Net()
    x = net.input(f"in_{name}", (3,))
    net.tagged(net.normal(40, 3))
    x = net.layer("InnerProduct", x, f"top_{name}", {0: 40, 2: 120}, name=name)
    net.layer(f"Type{name.replace('=', '_')}", x, [f"a_{name}", f"b_{name}"], f"0=text_{name}")
    model = net.write(tmp_path)
    command(model, "-o", tmp_path / "net.mlir")
    command(tmp_path / "net.mlir", "-o", tmp_path / "after.param")
    assert read_lines(tmp_path / "after.param") == read_lines(model)
    command("-o", tmp_path / "pipe.param", text=command(model))
    assert read_lines(tmp_path / "pipe.param") == read_lines(model)


def without_split(net: Net) -> None:
    x = net.layer("AbsVal", net.input("data", (3, 4)), "x")
    y = net.layer("Exp", x, "y")
    net.layer("BinaryOp", [x, y], "sum", {0: 0})


def test_blob_with_two_readers_and_no_split_stays_so(runtime: Runtime, tmp_path: Path) -> None:
    net = Net()
    without_split(net)
    model = net.write(tmp_path)
    same = save(load(model), tmp_path / "same.param")
    assert layer_types(same) == layer_types(model)
    before = runtime.run(model, net.inputs, ["sum"], light_mode=False)
    assert_same(before, runtime.run(same, net.inputs, ["sum"], light_mode=False))


def test_optimizing_gives_such_a_blob_its_split(runtime: Runtime, tmp_path: Path) -> None:
    net = Net()
    without_split(net)
    model = net.write(tmp_path)
    result = optimize(model, tmp_path / "optimized.param")
    assert layer_types(result) == ["Input", "AbsVal", "Split", "Exp", "BinaryOp"]
    before = runtime.run(model, net.inputs, ["sum"], light_mode=False)
    assert_same(before, runtime.run(result, net.inputs, ["sum"]))


def custom_model(net: Net) -> None:
    x = net.input("data", (4,))
    net.tagged(net.normal(4, 4))
    x = net.layer("InnerProduct", x, "fc", {0: 4, 2: 16})
    net.plain(net.normal(4))
    net.plain(net.normal(2))
    x = net.layer("AddTwice", x, "mine", '0=4 1=2.5 -23302=2,7,-8 3=word 4="two words"')
    net.plain(net.normal(4))
    x = net.layer("Scale", x, "scaled", {0: 4})
    net.tagged(net.normal(4, 4))
    net.layer("ReLU", net.layer("InnerProduct", x, "fc2", {0: 4, 2: 16}), "out")


CUSTOM_WEIGHTS = {"AddTwice": (4, 2)}


def test_custom_layer_is_carried_with_its_weights(tmp_path: Path) -> None:
    net = Net()
    custom_model(net)
    model = net.write(tmp_path)
    module = load(model, CUSTOM_WEIGHTS)
    after = save(module, tmp_path / "after.param")
    assert after.with_suffix(".bin").read_bytes() == model.with_suffix(".bin").read_bytes()
    assert read_lines(after) == read_lines(model)


@pytest.mark.parametrize("weights", [[], ["--weights", "none"], ["--weights", "random"]])
def test_custom_weights_through_the_command(weights: list[str], tmp_path: Path) -> None:
    net = Net()
    custom_model(net)
    model = net.write(tmp_path)
    custom = ["--custom-weights", "AddTwice=4,2"]
    command(model, *custom, *weights, "-o", tmp_path / "model.mlir")
    text = (tmp_path / "model.mlir").read_text()
    assert 'ncnn.custom "AddTwice"' in text
    assert "(tensor<4xf32>, tensor<4xf32>, tensor<2xf32>)" in text


CUSTOM_RUNNER = """
import json, sys
import numpy as np
import ncnn

class AddTwice(ncnn.Layer):
    def __init__(self):
        super().__init__()
        self.one_blob_only = True

    def load_param(self, pd):
        self.size = pd.get(0, 0)
        self.factor = pd.get(1, 0.0)
        return 0

    def load_model(self, mb):
        self.first = np.array(mb.load(self.size, 1))
        self.second = np.array(mb.load(2, 1))
        return 0

    def forward(self, bottom, top, opt):
        values = np.array(bottom) * self.factor + self.first + self.second.sum()
        top.clone_from(ncnn.Mat(values.astype("f4")).clone(), None)
        return 0

keep = []
def create():
    keep.append(AddTwice())
    return keep[-1]

net = ncnn.Net()
net.opt.num_threads = 1
net.opt.use_fp16_storage = net.opt.use_fp16_packed = net.opt.use_fp16_arithmetic = False
net.register_custom_layer("AddTwice", create, lambda layer: None)
assert net.load_param(sys.argv[1]) == 0
assert net.load_model(sys.argv[2]) == 0
extractor = net.create_extractor()
extractor.input("data", ncnn.Mat(np.arange(4, dtype="f4")).clone())
status, out = extractor.extract("out")
print(json.dumps([status, np.array(out).tolist()]))
sys.stdout.flush()
"""


def run_with_custom_layer(model: Path) -> list[float]:
    command = [sys.executable, "-c", CUSTOM_RUNNER, str(model), str(model.with_suffix(".bin"))]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.stdout, result.stderr
    status, values = json.loads(result.stdout)
    assert status == 0
    return values


def test_custom_layer_is_never_rewritten(tmp_path: Path) -> None:
    net = Net()
    custom_model(net)
    model = net.write(tmp_path)
    module = load(model, CUSTOM_WEIGHTS)
    run_passes(module, ["eliminate-split", "canonicalize"])
    result = save(module, tmp_path / "optimized.param")
    # Neither is the Scale taken into it, nor is anything before it taken for its producer.
    expected = ["Input", "InnerProduct", "AddTwice", "Scale", "InnerProduct"]
    assert layer_types(result) == expected
    assert read_lines(result)[2] == read_lines(model)[2]
    pytest.importorskip("ncnn")
    assert run_with_custom_layer(result) == pytest.approx(run_with_custom_layer(model))
