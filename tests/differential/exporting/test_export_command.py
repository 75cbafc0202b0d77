# pyright: basic, reportMissingImports=false
"""`ncnn-export`: each kind of source, int8, reports, mistakes. Needs PyTorch and PNNX."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
pytest.importorskip("pnnx", reason="PNNX is not installed")
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

from ncnn_opt.tools.ncnn_export_main import main  # noqa: E402

import ncnn_opt  # noqa: E402

torch.set_num_threads(1)

MODULE = """
import torch

def make():
    torch.manual_seed(0)
    net = torch.nn.Sequential(
        torch.nn.Conv2d(3, 8, 3, padding=1), torch.nn.BatchNorm2d(8), torch.nn.ReLU(),
        torch.nn.AdaptiveAvgPool2d(1), torch.nn.Flatten(), torch.nn.Linear(8, 5),
    ).eval()
    return net, torch.rand(1, 3, 16, 16)

class Twice(torch.nn.Module):
    def forward(self, x):
        return torch.linalg.matrix_exp(x)

def unknown():
    return Twice(), torch.rand(1, 4, 4)

def broken():
    raise ValueError("no weights here")

def nothing():
    return 1

def words():
    return torch.nn.ReLU(), ["a"]
"""


@pytest.fixture
def net() -> Any:
    Path("nets.py").write_text(MODULE)
    scope: dict[str, Any] = {}
    exec(MODULE, scope)
    return scope["make"]()


def run(*arguments: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    capsys.readouterr()
    status = 0
    try:
        main(arguments)
    except SystemExit as e:
        status = int(e.code or 0)
    out, told = capsys.readouterr()
    return status, out, told


def rows(out: str) -> list[str]:
    """The first words of the table's rows."""
    return [line.split("  ")[0].strip() for line in out.splitlines()[1:-1]]


def sources(net: Any) -> dict[str, list[str]]:
    module, x = net
    torch.jit.trace(module, x).save("m.pt")
    torch.export.save(torch.export.export(module, (x,)), "m.pt2")
    np.save("x.npy", x.numpy())
    return {
        "TorchScript": ["m.pt", "--input-shape", "1,3,16,16"],
        "TorchScript, values": ["m.pt", "--input", "x.npy"],
        "torch.export": ["m.pt2"],
        "function": ["nets.py:make"],
    }


def test_each_kind_of_source_agrees(net: Any, capsys: pytest.CaptureFixture[str]) -> None:
    x = net[1][0].numpy()
    exact = net[0](net[1]).detach().numpy()[0]
    for name, words in sources(net).items():
        status, out, told = run(*words, "-o", "o.param", "--fp32", capsys=capsys)
        assert status == 0, (name, told)
        assert rows(out) == ["converted", "-O"]
        assert out.splitlines()[-1].startswith("PASSED: each output agrees"), name
        made = ncnn_opt.load("o.param").run({"in0": x})["out0"]
        assert np.abs(made - exact).max() < 1e-5, name
        for written in ("o.param", "o.bin"):
            Path(written).unlink()


def test_onnx_is_compared_with_onnx_runtime(net: Any, capsys: pytest.CaptureFixture[str]) -> None:
    for package in ("onnx", "onnxruntime"):
        pytest.importorskip(package, reason="ONNX Runtime is not installed")
    torch.onnx.export(net[0], (net[1],), "m.onnx", dynamo=False)
    status, out, told = run("m.onnx", "-o", "o.param", capsys=capsys)
    assert status == 0, told
    assert "error against m.onnx" in out
    assert out.splitlines()[-1].startswith("PASSED")


def test_int8_page_and_program(net: Any, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("ncnn")
    np.save("calib.npy", np.random.default_rng(0).random((6, 3, 16, 16), "f4"))
    words = ["nets.py:make", "-o", "o.param", "--int8", "--data", "calib.npy"]
    status, out, told = run(*words, "--report", "p.html", "--snippet", "python", capsys=capsys)
    assert status == 0, told
    assert [line.split()[0] for line in out.splitlines()[1:4]] == ["converted", "-O", "int8"]
    assert " dB" in out.splitlines()[3]
    assert "int8: " in out.splitlines()[4]
    assert out.splitlines()[5] == "import ncnn"
    assert Path("p.html").stat().st_size > 1000
    assert any(line.split()[0] == "Convolution" and " 8=" in line for line in open("o.param"))
    strict = run(*words[:1], "-o", "n.param", *words[3:], "--min-snr", "500", capsys=capsys)
    # The limit leaves as many layers in float as it takes.
    assert strict[0] == 0
    assert "float" in strict[2]


def test_models_of_ultralytics(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ultralytics = pytest.importorskip("ultralytics", reason="Ultralytics is not installed")
    Path("run/weights").mkdir(parents=True)
    ultralytics.YOLO("yolo11n-cls.yaml", verbose=False).save("run/weights/best.pt")
    for source in ("yolo11n-cls.yaml", "run/weights/best.pt", "run"):
        words = [source, "-o", "o.param", "--input-shape", "1,3,64,64", "--no-measure"]
        status, out, told = run(*words, capsys=capsys)
        assert status == 0, (source, told)
        assert out.splitlines()[-1].startswith("PASSED")


WRONG = [
    (["m.pt", "--input-shape", "1,3,16,16", "-o", "o.param", "--report", "m.pt"], "is an input"),
    (["nets.py:make", "-o", "o.param", "--report", "o.param"], "both the page and"),
    (["m.param", "-o", "o.param"], "is a model of ncnn already: use ncnn-opt -O"),
    (["gone.pt2", "-o", "o.param"], "No such file"),
    (["nets.py:make"], "-o FILE is needed"),
    ([], "there is no source"),
    (["nets.py:make", "-o", "o.mlir"], "-o writes a .param"),
    (["nets.py:gone", "-o", "o.param"], "has no function 'gone'"),
    (["nets.py:broken", "-o", "o.param"], "no weights here"),
    (["nets.py:nothing", "-o", "o.param"], "returns int, not a module"),
    (["nets.py:words", "-o", "o.param"], "inputs that are not tensors"),
    (["gone.py:make", "-o", "o.param"], "there is no file 'gone.py'"),
    (["no_such_package:make", "-o", "o.param"], "No module named"),
    (["m.txt", "-o", "o.param"], "'m.txt' is no source"),
    (["m.pt", "-o", "o.param"], "m.pt does not state its inputs"),
    (["m.pt", "-o", "o.param", "--input-shape", "3,x"], "extents with the batch axis"),
    (["text.pt", "-o", "o.param"], "this is not a TorchScript file"),
    (["text.pt2", "-o", "o.param"], "this is no program of torch.export"),
    (["folder", "-o", "o.param"], "has no weights/best.pt"),
    (["nets.py:make", "-o", "o.param", "--int8"], "--int8 needs samples"),
    (["nets.py:make", "-o", "o.param", "--data", "x.npy"], "--data is for --int8"),
    (["nets.py:unknown", "-o", "o.param"], "matrix_exp"),
    (["nets.py:make", "-o", "gone/o.param"], "gone"),
]


@pytest.mark.parametrize(
    ("words", "message"), WRONG, ids=[f"{i} {message}" for i, (_, message) in enumerate(WRONG)]
)
def test_mistakes_are_one_message(
    words: list[str], message: str, net: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    torch.jit.trace(*net).save("m.pt")
    for name in ("text.pt", "text.pt2"):
        Path(name).write_text("text")
    Path("folder").mkdir()
    before = sorted(Path().iterdir())
    status, out, told = run(*words, capsys=capsys)
    assert status == 1
    assert message in told.replace("\n", " ")
    assert "Traceback" not in told
    assert not out
    assert [p for p in sorted(Path().iterdir()) if p.name != "__pycache__"] == before


def test_a_model_that_differs_fails(
    net: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Here by the rounding of weights. A good model stays in its place."""
    from ncnn_opt.driver import conversions

    monkeypatch.setattr(conversions, "FLOAT16_LIMIT", 1e-9)
    Path("o.param").write_text("a good model")
    status, out, told = run("nets.py:make", "-o", "o.param", capsys=capsys)
    assert status == 1
    assert out.splitlines()[-1].startswith("FAILED: fp16 weights: output 'out0' differs by ")
    assert "--fp32 keeps" in out
    assert Path("o.param").read_text() == "a good model"
    assert not Path("o.bin").exists()
    status, out, _ = run("nets.py:make", "-o", "o.param", "--keep-going", capsys=capsys)
    assert status == 1
    assert Path("o.bin").exists()


def test_help_is_quick() -> None:
    """It imports no PyTorch."""
    code = "import sys; from ncnn_opt.tools.ncnn_export_main import main; main(['--help'])"
    done = subprocess.run([sys.executable, "-X", "importtime", "-c", code], capture_output=True)
    assert done.returncode == 0
    assert b" torch\n" not in done.stderr
