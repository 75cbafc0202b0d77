"""`ncnn-reduce` on faults in nets: wrong passes, passes that fail, refusals, crashes, scripts."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.dialects.ncnn import BY_TYPE
from ncnn_opt.dialects.ncnn.constant import ConstantOp
from ncnn_opt.dialects.ncnn.layer import LayerOp
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.driver.model_files import read_model
from ncnn_opt.driver.reducing.failures import Differs, Ends, FailureTest, PassCrashes, Script
from ncnn_opt.driver.reducing.reducer import Reducer
from ncnn_opt.frontends import ReadOptions
from ncnn_opt.tools import ncnn_reduce_main
from ncnn_opt.transforms.edits.naming import file_layers
from ncnn_opt.transforms.reduction.values import simpler_weights, smaller_inputs
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

pytest.importorskip("ncnn")

LAYERS = 60
"""The size of the nets. (Nets of 300 layers take three times as long.)"""

MOST = 6
"""The number of layers that a reduced model may have."""


def net(path: Path, odd: str = "", layers: int = LAYERS) -> Path:
    """Write a net of residual blocks. In the middle are the lines of `odd`, which read `{}` and
    write blob `odd`."""
    lines, last, k = ["Input in0 0 1 in0 0=8 1=8 2=8"], "in0", 0
    while len(lines) < layers:
        if odd and len(lines) >= layers // 2:
            lines += odd.format(last).splitlines()
            last, odd = "odd", ""
        lines += [
            f"Split s{k} 1 2 {last} a{k} b{k}",
            f"Convolution c{k} 1 1 a{k} c{k} 0=8 1=3 4=1 5=1 6=576",
            f"BatchNorm n{k} 1 1 c{k} n{k} 0=8",
            f"ReLU r{k} 1 1 n{k} r{k}",
            f"BinaryOp o{k} 2 1 r{k} b{k} o{k} 0=0",
        ]
        last, k = f"o{k}", k + 1
    blobs = sum(int(line.split()[3]) for line in lines)
    path.write_text(f"7767517\n{len(lines)} {blobs}\n" + "\n".join(lines) + "\n")
    return path


def reduced(path: Path, test: FailureTest) -> tuple[Reducer, list[LayerOp]]:
    module = read_model(str(path), ReadOptions("random:1")).module
    with test:
        reducer = Reducer(module, test, lambda text: None)
        assert reducer.failure is not None
        return reducer, file_layers(model_of(reducer.reduce()))


def types(layers: list[LayerOp]) -> list[str]:
    return [op.LAYER_TYPE for op in layers]


def layers_of_type(module: ModuleOp, type_: str) -> list[LayerOp]:
    return [op for op in file_layers(model_of(module)) if op.LAYER_TYPE == type_]


# -- wrong passes


@dataclass(frozen=True)
class SwishIsRelu(ModulePass):
    """Replaces each Swish by a ReLU."""

    name = "swish-is-relu"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for each in layers_of_type(op, "Swish"):
            new = BY_TYPE["ReLU"].make([each.operands[0]], {}, [each.results[0].type], {})
            Rewriter.insert_op(new, InsertPoint.before(each))
            each.results[0].replace_all_uses_with(new.results[0])
            Rewriter.erase_op(each)


@dataclass(frozen=True)
class DropOneBatchNorm(ModulePass):
    """Removes one BatchNorm of all."""

    name = "drop-one-batchnorm"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        found = layers_of_type(op, "BatchNorm")
        for each in found[len(found) // 2 :][:1]:
            each.results[0].replace_all_uses_with(each.operands[0])
            Rewriter.erase_op(each)


@dataclass(frozen=True)
class DropsReluBeforeAdd(ModulePass):
    """Removes a ReLU that follows a BatchNorm and precedes a BinaryOp."""

    name = "drop-relu-before-add"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for each in layers_of_type(op, "ReLU"):
            users = [use.operation for use in each.results[0].uses]
            owner = each.operands[0].owner
            if getattr(owner, "LAYER_TYPE", "") == "BatchNorm" and all(
                getattr(user, "LAYER_TYPE", "") == "BinaryOp" for user in users
            ):
                each.results[0].replace_all_uses_with(each.operands[0])
                Rewriter.erase_op(each)


@dataclass(frozen=True)
class Fails(ModulePass):
    """Fails with another error for a Swish behind an addition than for any other."""

    name = "fails"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for each in layers_of_type(op, "Swish"):
            if getattr(each.operands[0].owner, "LAYER_TYPE", "") == "BinaryOp":
                raise KeyError("behind an addition")
            raise ZeroDivisionError


SWISH = "Swish odd 1 1 {} odd"
OVERFLOW = "MemoryData k 0 1 k 0=8000 1=8 2=8\nConcat odd 2 1 {} k odd 0=0"
"""A Concat of blobs with different extents. The runtime allocates the extents of the first one, and
writes outside of them."""
SCRIPT = """import sys
text = open(sys.argv[1]).read()
sys.exit({})
"""


@pytest.mark.parametrize(
    ("odd", "test", "wanted"),
    [
        (SWISH, lambda: Differs([SwishIsRelu()]), ["Swish"]),
        ("", lambda: Differs([DropOneBatchNorm()]), ["BatchNorm"]),
        ("", lambda: Differs([DropsReluBeforeAdd()]), ["BatchNorm", "ReLU", "BinaryOp"]),
        (SWISH, lambda: PassCrashes([Fails()]), ["BinaryOp", "Swish"]),
        ("MyLayer odd 1 1 {} odd", lambda: Ends(False), ["Custom"]),
        ("torch.roll odd 1 1 {} odd", lambda: Ends(False), ["Custom"]),
    ],
    ids=["swish", "batchnorm", "three-layers", "exception", "custom", "leftover"],
)
def test_built_in_tests(
    tmp_path: Path, odd: str, test: Callable[[], FailureTest], wanted: list[str]
) -> None:
    reducer, layers = reduced(net(tmp_path / "m.param", odd), test())
    assert types(layers) == wanted
    assert reducer.tests < 200


def test_a_crash_of_the_runtime(tmp_path: Path) -> None:
    reducer, layers = reduced(net(tmp_path / "m.param", OVERFLOW, 12), Ends(True))
    assert (reducer.failure or "").startswith("the runtime crashed")
    assert types(layers) == ["Concat"]


def test_a_model_of_unknown_shape_is_refused_without_inputs(tmp_path: Path) -> None:
    path = tmp_path / "m.param"
    path.write_text("7767517\n2 2\nInput x 0 1 x\nNope y 1 1 x y\n")
    module = read_model(str(path), ReadOptions("random:1")).module
    with Ends(False) as refused, Ends(True) as crashes:
        assert refused(module) == "load_param: -… (layer Nope not exists or registered)"
        assert crashes(module) is None


@pytest.mark.parametrize(
    ("condition", "odd", "most"),
    [
        ("3 * ('Swish' in text)", SWISH, 1),
        ("'ReLU' in text and 'Convolution' in text", "", 2),
        ("text.count('Convolution') >= 2", "", 2),
        ("125 if 'Softmax' in text else 'Swish' in text", SWISH, 1),
    ],
)
def test_scripts(tmp_path: Path, condition: str, odd: str, most: int) -> None:
    script = tmp_path / "check.py"
    script.write_text(SCRIPT.format(f"int({condition})"))
    test = Script(f"{sys.executable} {script}", 60)
    _, layers = reduced(net(tmp_path / "m.param", odd, 30), test)
    assert 0 < len(layers) <= most <= MOST


def weights_of(module: ModuleOp) -> list[list[float]]:
    """The values of the constants of a model."""
    ops = model_of(module).body.block.ops
    return [list(op.read().reshape(-1)) for op in ops if isinstance(op, ConstantOp)]


def test_weights_become_simpler_once(tmp_path: Path) -> None:
    """Zeros stay zeros, and whole numbers become only zeros."""
    path = tmp_path / "m.param"
    path.write_text(
        "7767517\n4 4\nInput x 0 1 x 0=2\n"
        + "".join(f"Scale {b} 1 1 {a} {b} 0=2\n" for a, b in ("xa", "ab", "bc"))
    )
    given = [0.3, -1.2], [2.0, 3.0], [0.0, 0.0]
    path.with_suffix(".bin").write_bytes(np.array(given, "<f4").tobytes())
    module = read_model(str(path), ReadOptions()).module
    assert [weights_of(each) for each in simpler_weights(module)] == [
        [[0, 0], [0, 0], [0, 0]],
        [[1, -5], [2, 3], [0, 0]],
        [[0, 0], [2, 3], [0, 0]],
        [[1, -5], [2, 3], [0, 0]],
        [weights_of(module)[0], [0, 0], [0, 0]],
    ]


def test_an_input_of_unknown_shape_does_not_become_smaller(tmp_path: Path) -> None:
    path = tmp_path / "m.param"
    path.write_text("7767517\n2 2\nInput x 0 1 x\nReLU y 1 1 x y\n")
    assert list(smaller_inputs(read_model(str(path), ReadOptions("random:1")).module)) == []


def test_extents_and_parameters_become_small(tmp_path: Path) -> None:
    path = net(tmp_path / "m.param", "Interp odd 1 1 {} odd 0=2 1=2.0 2=2.0", 20)
    script = tmp_path / "check.py"
    script.write_text(SCRIPT.format("int('Interp' in text)"))
    reducer, layers = reduced(path, Script(f"{sys.executable} {script}", 60))
    assert types(layers) == ["Interp"]
    (arg,) = model_of(reducer.module).body.block.args
    assert str(arg.type) == "tensor<1x1x1xf32>"


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = net(tmp_path / "m.param", "MyLayer odd 1 1 {} odd", 20), tmp_path / "small.param"
    ncnn_reduce_main.main([str(path), "--weights", "random", "--refused", "-o", str(out)])
    assert "MyLayer" in out.read_text()
    assert len(out.read_text().splitlines()) == 4
    told = capsys.readouterr().err
    assert "ncnn-reduce: 21 -> 2 layers" in told or "-> 2 layers" in told


def test_shapes_of_inputs_can_be_given(tmp_path: Path) -> None:
    path, out = tmp_path / "m.param", tmp_path / "small.param"
    path.write_text("7767517\n3 3\nInput x 0 1 x\nReLU y 1 1 x y\nMyLayer z 1 1 y z\n")
    words = ["--weights", "random", "--refused", "--input-shape", "x=3,4,5", "-o", str(out)]
    ncnn_reduce_main.main([str(path), *words])
    (head,) = (line for line in out.read_text().splitlines() if line.startswith("Input"))
    assert head.split()[5:] == ["0=1", "1=1", "2=1"]


SOURCE = """import torch

def net(x):
    for _ in range(20):
        x = 3 - torch.abs(x)
    return torch.softmax(torch.sigmoid(x) * 2, 1)

def make():
    return net, torch.linspace(-3, 3, 24).reshape(1, 3, 8)

def bare():
    return net
"""


def of_source(path: Path, activation: str) -> Path:
    """Write `net` as a model, with an activation behind all others."""
    lines, last = ["Input in0 0 1 in0 0=8 1=3"], "in0"
    for k in range(20):
        lines += [
            f"AbsVal a{k} 1 1 {last} a{k}",
            f"BinaryOp s{k} 1 1 a{k} s{k} 0=7 1=1 2=3.0",
        ]
        last = f"s{k}"
    lines += [
        f"{activation} odd 1 1 {last} odd",
        "BinaryOp two 1 1 odd two 0=2 1=1 2=2.0",
        "Softmax end 1 1 two out0 0=0 1=1",
    ]
    path.write_text(f"7767517\n{len(lines)} {len(lines)}\n" + "\n".join(lines) + "\n")
    return path


@pytest.mark.parametrize("function", ["make", "bare"])
def test_an_operator_of_pytorch(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    function: str,
) -> None:
    pytest.importorskip("torch")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "source.py").write_text(SOURCE)
    of_source(tmp_path / "m.param", "TanH")
    differs = ["--weights", "none", "--differs", f"source.py:{function}", "-o", "small.param"]
    ncnn_reduce_main.main(["m.param", *differs])
    assert "44 -> 2 layers" in capsys.readouterr().err
    lines = (tmp_path / "small.param").read_text().splitlines()
    assert lines[2].split() == ["Input", "s19", "0", "1", "s19", "0=8", "1=3"]
    assert lines[3].split() == ["TanH", "odd", "1", "1", "s19", "odd"]
    inputs, expected = (np.load(tmp_path / f"small{end}.npz") for end in ("", ".expected"))
    np.testing.assert_allclose(expected["odd"], 1 / (1 + np.exp(-inputs["s19"])), rtol=1e-5)

    of_source(tmp_path / "m.param", "Sigmoid")
    for path in tmp_path.glob("small*"):
        path.unlink()
    with pytest.raises(SystemExit) as end:
        ncnn_reduce_main.main(["m.param", *differs])
    assert end.value.code == 1
    assert "m.param does not fail: there is nothing to reduce" in capsys.readouterr().err
    assert not list(tmp_path.glob("small*"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["-o", "o.param"],
            "one test is needed: --test COMMAND, --differs, --crashes or --refused",
        ),
        (["--refused"], "-o OUTPUT is needed"),
        (["--refused", "--crashes", "-o", "o.param"], "one test is needed"),
        (["--test", "true", "-o", "o.param"], "does not fail: there is nothing to reduce"),
        (["--differs", "-o", "o.param"], "does not fail: there is nothing to reduce"),
        (["--differs", "releases", "-o", "o.param"], "needs the other release: --python PYTHON"),
        (["--test", "true", "--python", "x", "-o", "o.param"], "--python is for --differs"),
        (
            ["--differs", "numpi", "-o", "o.param"],
            "--differs is one of passes, numpy, vulkan, releases, or a model of PyTorch "
            "(.pnnx.param, .pt, .pt2, module:function), not 'numpi'",
        ),
        (["--differs", "-p", "no-pass", "-o", "o.param"], "unknown pass 'no-pass'"),
    ],
)
def test_mistakes(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    path = net(tmp_path / "m.param", "", 8)
    with pytest.raises(SystemExit) as end:
        ncnn_reduce_main.main([str(path), "--weights", "random", *arguments])
    assert end.value.code == 1
    assert message in capsys.readouterr().err
    assert not (tmp_path / "o.param").exists()
