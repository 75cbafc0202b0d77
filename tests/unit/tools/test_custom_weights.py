"""Custom layers with weights: a `.bin` whose layout is unknown is refused."""

import importlib
import json
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import ncnn_opt

Command = Callable[..., object]
Refused = Callable[..., str]


def model(type_: str, before: bool = True) -> str:
    """A model with a custom layer before or behind an InnerProduct."""
    blobs = ("x", "y", "z") if before else ("x", "z", "y")
    custom = f"{type_} w1 1 1 {'x y' if before else 'y z'}"
    product = f"InnerProduct fc 1 1 {'y z' if before else 'x y'} 0=4 1=1 2=12"
    layers = [custom, product] if before else [product, custom]
    return "\n".join(["7767517", f"3 {len(blobs)}", "Input x 0 1 x 0=3", *layers, ""])


@pytest.mark.parametrize("type_", ["my.Warp", "Warp"])
def test_surplus_before_a_layer_with_weights(type_: str, folder: Path, refused: Refused) -> None:
    (folder / "c.param").write_text(model(type_))
    (folder / "c.bin").write_bytes(bytes(4 * (8 + 1 + 12 + 4)))  # zeros, which are tags, too
    message = refused(["c.param", "-o", "out.param"])
    assert f"--custom-weights {type_}=COUNT" in message
    assert f"These bytes may belong to {type_} 'w1', which precedes layers with weights" in message
    assert "--allow-trailing-weights" not in message
    message = refused(["c.param", "--allow-trailing-weights", "-o", "out.param"])
    assert "; --allow-trailing-weights cannot ignore them" in message
    assert message.endswith(f"If it has no weights: --custom-weights {type_}=0")


def test_custom_layer_without_weights(folder: Path, command: Command, refused: Refused) -> None:
    (folder / "s.param").write_text(model("Warp"))
    none = ["--custom-weights", "Warp=0"]
    command(["-q", "s.param", "--weights", "random", *none, "-o", "c.param"])
    weights = (folder / "c.bin").read_bytes()
    (folder / "c.bin").write_bytes(weights + bytes(8))
    # The statement alone does not hide the surplus.
    message = refused(["c.param", *none, "-o", "out.param"])
    assert message.endswith("; --allow-trailing-weights ignores them")
    command(["c.param", *none, "--allow-trailing-weights", "-o", "out.param"])
    assert (folder / "out.bin").read_bytes() == weights
    for counts in ([], [0]):
        with pytest.raises(ncnn_opt.NcnnOptError, match="8 bytes are left over"):
            ncnn_opt.load(folder / "c.param", custom_weights={"Warp": counts})
        ncnn_opt.load(
            folder / "c.param", custom_weights={"Warp": counts}, allow_trailing_weights=True
        )
    for wrong in ("Warp=0,3", "Warp=3,0", "Warp=", "=0", "Warp=00"):
        assert "TYPE=0" in refused(["c.param", "--custom-weights", wrong, "-o", "out.param"])


def test_a_model_without_weights_needs_no_file(
    folder: Path, command: Command, refused: Refused
) -> None:
    head = "7767517\n2 2\nInput x 0 1 x 0=3\n"
    (folder / "relu.param").write_text(f"{head}ReLU r 1 1 x y\n")
    command(["-q", "relu.param", "-o", "out.param"])
    assert (folder / "out.bin").read_bytes() == b""
    output = ncnn_opt.load(folder / "relu.param").run(np.array([-1, 2, -3], np.float32))["y"]
    assert output.tolist() == [0, 2, 0]
    missing = "there is no '{}.bin' beside it: name the weights with --weights FILE"
    (folder / "fc.param").write_text(f"{head}InnerProduct fc 1 1 x y 0=4 2=12\n")
    (folder / "own.param").write_text(f"{head}Warp w 1 1 x y\n")
    warp = ["--custom-weights", "Warp=2"]
    for name, options in (("fc", []), ("own", []), ("own", warp)):
        message = refused([f"{name}.param", *options, "-o", "new.param"])
        assert missing.format(name) in message
        assert message.endswith("Warp=0") == (name == "own" and not options)
    assert not (folder / "new.param").exists()
    command(["-q", "own.param", "--custom-weights", "Warp=0", "-o", "new.param"])
    assert (folder / "new.bin").read_bytes() == b""


def test_surplus_of_the_last_layer(folder: Path, command: Command, refused: Refused) -> None:
    (folder / "s.param").write_text(model("Warp", before=False))
    command(["-q", "s.param", "--weights", "random", "--custom-weights", "Warp=8", "-o", "c.param"])
    assert refused(["c.param", "-o", "out.param"]).endswith("--allow-trailing-weights ignores them")
    command(["c.param", "--allow-trailing-weights", "-o", "out.param"])


def test_custom_layers_are_not_calibrated(folder: Path, command: Command) -> None:
    pytest.importorskip("ncnn")
    (folder / "s.param").write_text(model("Warp"))
    np.save(folder / "s.npy", np.ones((2, 3), "f4"))
    arguments = ["s.param", "--weights", "random", "--data", "s.npy", "-o", "q.param"]
    result = command(arguments, tool="ncnn-quantize", check=False)
    error = str(getattr(result, "stderr"))  # noqa: B009
    assert "'w1' is a custom layer, which the ncnn package cannot run on samples" in error
    assert "--weights-only" in error
    assert "--custom-layer Warp=MODULE:CLASS" in error


LAYERS = """import ncnn
import numpy as np

class Warp(ncnn.Layer):
    def __init__(self):
        super().__init__()
        self.one_blob_only = True

    def load_model(self, mb):
        self.weight = np.array(mb.load(8, 1))
        return 0

    def forward(self, bottom, top, opt):
        values = np.tanh(np.array(bottom)) * self.weight[:, None, None]
        values = np.ascontiguousarray(values, "f4")
        top.clone_from(ncnn.Mat(values), None)
        return 0
"""
CONVOLUTIONS = """7767517
5 5
Input x 0 1 x 0=8 1=8 2=3
Convolution c1 1 1 x a 0=8 1=3 4=1 5=1 6=216
Warp w 1 1 a b
Convolution c2 1 1 b c 0=8 1=3 4=1 5=1 6=576
Convolution c3 1 1 c y 0=4 1=1 6=32
"""


def custom_model(folder: Path, command: Command) -> list[str]:
    """Write a model with a custom layer between convolutions; return options that read it."""
    (folder / "layers.py").write_text(LAYERS)
    (folder / "s.param").write_text(CONVOLUTIONS)
    weights = ["--custom-weights", "Warp=8"]
    command(["-q", "s.param", "--weights", "random", *weights, "-o", "m.param"])
    np.save(folder / "x.npy", np.random.default_rng(0).normal(size=(6, 3, 8, 8)).astype("f4"))
    return ["m.param", *weights]


def test_quantize_with_a_custom_layer(folder: Path, command: Command) -> None:
    pytest.importorskip("ncnn")
    model = custom_model(folder, command)
    layer = ["--custom-layer", "Warp=layers.py:Warp"]
    options = ["--quick", "--data", "x.npy", "--jobs", "1", "--json", "e.json", "-o", "q.param"]
    command([*model, *layer, *options], tool="ncnn-quantize")
    found = json.loads((folder / "e.json").read_text())
    assert [each["name"] for each in found["layers"] if each["int8"]] == ["c1", "c3"]
    assert found["outputs"][0]["snr"] > 25
    x = np.load(folder / "x.npy")[0]
    np.save(folder / "one.npy", x)
    run = ["--input", "one.npy", "--engine", "ncnn", "--all-blobs", "-o", "b.npz"]
    command([*model, *layer, *run], tool="ncnn-run")
    blobs = np.load(folder / "b.npz")
    weight = np.fromfile(folder / "m.bin", "f4")[1 + 216 + 8 :][:8]
    assert blobs["b"] == pytest.approx(np.tanh(blobs["a"]) * weight[:, None, None], abs=1e-5)


def test_mistakes_with_custom_layers(
    folder: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("ncnn")
    model = custom_model(folder, command)
    (folder / "broken.py").write_text("raise ValueError('on import')")
    data = ["--data", "x.npy", "--jobs", "1", "-o", "q.param"]
    for spec, words in {
        "Warp": "--custom-layer takes TYPE=MODULE:CLASS, not 'Warp'",
        "Warp=layers": "'layers' is not module:Class or file.py:Class",
        "Warp=none.py:Warp": "there is no file 'none.py'",
        "Warp=layers.py:Wrap": "AttributeError",
        "Warp=no_such_module:Warp": "ModuleNotFoundError",
        "Warp=broken.py:Warp": "ValueError: on import",
        "Wrap=layers.py:Warp": "give its class (--custom-layer Warp=MODULE:CLASS)",
    }.items():
        arguments = [*model, "--custom-layer", spec, *data]
        result = command(arguments, tool="ncnn-quantize", check=False)
        error = str(getattr(result, "stderr"))  # noqa: B009
        assert words in error, spec
        assert "Traceback" not in error, spec
    loaded = ncnn_opt.load(folder / "m.param", custom_weights={"Warp": [8]})
    samples = np.load(folder / "x.npy")

    class Inner:
        pass

    with pytest.raises(ncnn_opt.NcnnOptError, match="is inside another scope"):
        ncnn_opt.quantize(loaded, samples, custom_layers={"Warp": Inner})
    table = loaded.calibrate(samples, custom_layers={"Warp": f"{folder / 'layers.py'}:Warp"})
    assert set(table.blobs) == {"c1", "c3"}
    monkeypatch.setattr(sys, "path", [str(folder), *sys.path])
    layer = importlib.import_module("layers").Warp
    assert loaded.calibrate(samples, custom_layers={"Warp": layer}).blobs == table.blobs
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["layers"])  # a class of a script
    layer.__module__ = "__main__"
    assert loaded.calibrate(samples, custom_layers={"Warp": layer}).blobs == table.blobs
    with pytest.raises(ncnn_opt.NcnnOptError, match="do not time models with custom layers"):
        ncnn_opt.quantize(loaded, samples, keep_slower=True, custom_layers={"Warp": "layers:Warp"})
