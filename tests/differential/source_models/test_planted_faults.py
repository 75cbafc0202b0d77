# pyright: basic, reportMissingImports=false
"""`compare` names the layer of each planted fault, and none in the models without the fault. Needs
PyTorch and PNNX."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs PyTorch (the extra export)")
pnnx = pytest.importorskip("pnnx", reason="needs PNNX (the extra export)")
pytestmark = pytest.mark.filterwarnings("ignore")


import ncnn_opt  # noqa: E402

from .nets import NETS, make  # noqa: E402
from .planting import plant  # noqa: E402

torch.set_num_threads(1)


@pytest.fixture(scope="module")
def exports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """All modules, converted by PNNX, by name."""
    return {name: convert(name, tmp_path_factory.mktemp("export")) for name in NETS}


def convert(name: str, folder: Path) -> Path:
    """Convert a module in a folder."""
    module, inputs = make(name)
    torch.jit.trace(module, tuple(inputs), check_trace=False).save(str(folder / "m.pt"))
    shapes = ",".join(f"{list(x.shape)}f32".replace(" ", "") for x in inputs)
    command = [pnnx.EXEC_PATH, "m.pt", f"inputshape={shapes}"]
    subprocess.run(command, cwd=folder, capture_output=True, check=True)
    return folder


def sources(name: str, folder: Path) -> list[Any]:
    """PNNX's IR, the TorchScript file and the module."""
    return [folder / "m.pnnx.param", folder / "m.pt", make(name)[0]]


@pytest.mark.parametrize("name", NETS)
def test_a_correct_export_has_no_difference(name: str, exports: dict[str, Path]) -> None:
    model = ncnn_opt.load(exports[name] / "m.ncnn.param")
    for source in sources(name, exports[name]):
        found = ncnn_opt.compare(model, source, make(name)[1])
        assert found, found
        assert found.differences == []
        assert "no operator differs" in str(found)
        assert 0 < found.compared <= found.operands
        assert max(found.errors.values()) < 1e-2


@pytest.mark.parametrize("name", NETS)
def test_the_layer_at_fault_is_named(name: str, exports: dict[str, Path]) -> None:
    fault = NETS[name][2]
    model, label = plant(exports[name], fault)
    found = ncnn_opt.compare(model, exports[name] / "m.pnnx.param", make(name)[1])
    assert not found
    first = found.differences[0]
    if fault.dropped:
        assert first.kind == "absent", found
        assert label.split()[0].lower() in first.step.label().lower(), found
    elif not fault.params and fault.exchanged:
        assert label in [layer.label for layer in first.layers], found
    else:
        assert [layer.label for layer in first.layers] == [label] or (
            first.kind == "absent" and first.layers[0].label == label
        ), found
    assert str(found).startswith("the first difference: ")


@pytest.mark.parametrize("name", ["plain", "residual", "head"])
def test_all_kinds_of_sources_find_the_layer(name: str, exports: dict[str, Path]) -> None:
    model, label = plant(exports[name], NETS[name][2])
    for source in sources(name, exports[name]):
        found = ncnn_opt.compare(model, source, make(name)[1])
        assert not found
        text = str(found)
        assert label in text or "sigmoid" in text, text


def test_the_command_prints_the_layer(exports: dict[str, Path]) -> None:
    folder = exports["pad"]
    model, label = plant(folder, NETS["pad"][2])
    ncnn_opt.save(model, folder / "faulty.param")
    np.save(folder / "x.npy", make("pad")[1][0][0].numpy())
    done = ncnn_run(folder, "faulty.param", "--compare", "m.pnnx.param", "--input", "x.npy")
    assert done.returncode == 1
    first, *others = done.stdout.splitlines()
    assert first.startswith(f"the first difference: {label} differs from nn.Conv2d '2'")
    assert "  all operators behind it agree with the model's blobs" in others
    done = ncnn_run(folder, "m.ncnn.param", "--compare", "m.pt")
    assert done.returncode == 0
    assert "no operator differs" in done.stdout
    assert "compared with in0=3,16,16" in done.stdout
    assert "using m.pnnx.param for input shapes" in done.stderr


def ncnn_run(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run the command in a folder."""
    program = str(Path(sys.executable).with_name("ncnn-run"))
    return subprocess.run([program, *arguments], cwd=folder, capture_output=True, text=True)
