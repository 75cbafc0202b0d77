"""The `.pnnx.param` beside a `.ncnn.param` is found: shapes, repairs, and the line that says so."""

from pathlib import Path

import pytest
from ncnn_opt.driver.input_forms import batch_axes_beside, forms_of
from ncnn_opt.formats.file_names import companion_of, is_source_model, pnnx_beside

import ncnn_opt

from .conftest import Command

PARAM = """7767517
3 3
Input in0 0 1 in0
torch.unsqueeze u 1 1 in0 b1
ReLU relu 1 1 b1 out0
"""
PNNX = """7767517
4 3
pnnx.Input pnnx_input_0 0 1 0 #0=(1,3,2,6)f32
torch.unsqueeze u 1 1 0 1 dim=1 #0=(1,3,2,6)f32 #1=(1,1,3,2,6)f32
nn.ReLU relu 1 1 1 2 #1=(1,1,3,2,6)f32 #2=(1,1,3,2,6)f32
pnnx.Output pnnx_output_0 1 0 2 #2=(1,1,3,2,6)f32
"""
NOTE = (
    "using m.pnnx.param for input shapes, and its operators in place of the converter's layers "
    "(--pnnx none: without it)"
)


@pytest.fixture
def pair(folder: Path) -> Path:
    """A folder with a model that needs a repair, and PNNX's own IR of it."""
    (folder / "m.ncnn.param").write_text(PARAM)
    (folder / "m.ncnn.bin").touch()
    (folder / "m.pnnx.param").write_text(PNNX)
    return folder


def test_names(pair: Path) -> None:
    path = str(pair / "m.ncnn.param")
    found = str(pair / "m.pnnx.param")
    assert pnnx_beside(path) == found
    assert pnnx_beside(str(pair / "model.param")) is None
    (pair / "other.ncnn.param").touch()
    assert pnnx_beside(str(pair / "other.ncnn.param")) is None
    assert companion_of(path, None) == (found, True)
    assert companion_of(path, "none") == (None, False)
    assert companion_of(path, "a") == ("a", False)
    assert companion_of(None, None) == (None, False)
    sources = ["m.pnnx.param", "m.pt", "m.pth", "m.ncnn.param", "m.param", "ncnn", "pt"]
    assert [is_source_model(name) for name in sources] == [True] * 3 + [False] * 4


def test_report_has_shapes(pair: Path, command: Command) -> None:
    found = command(["m.ncnn.param"], tool="ncnn-report")
    assert NOTE in found.stderr + found.stdout
    assert "3x2x6" in found.stdout
    without = command(["m.ncnn.param", "--pnnx", "none"], tool="ncnn-report")
    assert NOTE not in without.stderr + without.stdout
    assert "3x2x6" not in without.stdout


def test_optimize_repairs(pair: Path, command: Command) -> None:
    found = command(["-O", "m.ncnn.param", "-o", "o.param"])
    assert f"ncnn-opt: {NOTE}" in found.stderr
    assert "torch.unsqueeze" not in (pair / "o.param").read_text()
    without = command(["-O", "m.ncnn.param", "--pnnx", "none", "-o", "n.param"])
    assert NOTE not in without.stderr
    assert "torch.unsqueeze" in (pair / "n.param").read_text()
    plain = command(["m.ncnn.param", "-o", "p.param"])
    assert NOTE not in plain.stderr
    assert "torch.unsqueeze" in (pair / "p.param").read_text()


def test_a_certificate_depends_on_named_files_only(pair: Path, command: Command) -> None:
    found = command(["-O", "m.ncnn.param", "-o", "o.param", "--certificate", "c.json"])
    assert NOTE not in found.stderr
    command(["--check-certificate", "c.json", "m.ncnn.param", "o.param"])


def test_check_takes_the_shape(pair: Path, command: Command) -> None:
    pytest.importorskip("ncnn")
    found = command(
        ["m.ncnn.param", "--check", "-p", "eliminate-split", "-o", "o.param"], check=False
    )
    assert "a guess" not in found.stderr
    assert "in0=3,2,6" in found.stderr


def test_an_unusable_file_is_not_used(pair: Path, command: Command) -> None:
    (pair / "m.pnnx.param").write_text("7767517\n1 1\nReLU r 0 1 a\n")
    found = command(["-O", "m.ncnn.param", "-o", "o.param"])
    expected = "the file beside the model is not used: m.pnnx.param: this is not PNNX's own IR"
    assert expected in found.stderr
    model = ncnn_opt.load(pair / "m.ncnn.param")
    assert any("is not used" in warning for warning in model.warnings)


def test_python_finds_it(pair: Path) -> None:
    model = ncnn_opt.load(pair / "m.ncnn.param")
    assert model.inputs[0].shape == (3, 2, 6)
    assert model.missing == []
    assert ncnn_opt.load(pair / "m.ncnn.param", pnnx="none").inputs[0].shape is None


def test_without_pytorch_there_is_a_message(
    pair: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from ncnn_opt.interpreters.source import source_steps

    monkeypatch.setattr(source_steps, "find_spec", {}.get)  # pyright: ignore
    model = ncnn_opt.load(pair / "m.ncnn.param")
    with pytest.raises(ncnn_opt.NcnnOptError, match="PyTorch is not installed: pip install"):
        ncnn_opt.compare(model, pair / "m.pnnx.param")
    with pytest.raises(ncnn_opt.NcnnOptError, match="PyTorch is not installed: pip install"):
        ncnn_opt.export(print, None, pair / "o.param")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--engine", "iree"], "is for the engines numpy and ncnn"),
        (["--output", "o.npz"], "only compares: give no --output, --blob or --top"),
        (["--all-blobs"], "only compares: give no --output, --blob or --top"),
    ],
)
def test_options_without_effect(
    pair: Path, command: Command, options: list[str], message: str
) -> None:
    line = ["m.ncnn.param", "--compare", "m.pnnx.param", *options]
    result = command(line, tool="ncnn-run", check=False)
    assert result.returncode == 1
    assert message in result.stderr


POSITIONS = """7767517
5 5
Input in0 0 1 in0
MemoryData p 0 1 p 0=4 1=3
Reshape q 1 1 p q 0=4 1=3 2=1
BinaryOp add 2 1 in0 q r 0=0
Reshape like 1 1 r out0 6="0w,0h,0c"
"""
PNNX_OF_POSITIONS = """7767517
4 4
pnnx.Input pnnx_input_0 0 1 0 #0=(1,3,4)f32
pnnx.Attribute p 0 1 1 @data=(3,4)f32 #1=(3,4)f32
pnnx.Expression add 2 1 0 1 2 expr=add(@0,@1) #0=(1,3,4)f32 #1=(3,4)f32 #2=(1,3,4)f32
pnnx.Output pnnx_output_0 1 0 2 #2=(1,3,4)f32
"""


def script(feed: str) -> str:
    return f'        with net.create_extractor() as ex:\n            ex.input("in0", {feed})\n'


@pytest.mark.parametrize(
    ("text", "axes"),
    [
        (script("ncnn.Mat(in0.numpy(), batch_index=233).clone()"), {"in0": 233}),
        (script("ncnn.Mat(in0.numpy(), batch_index=1).clone()"), {"in0": 1}),
        (script("ncnn.Mat(in0.squeeze(0).numpy()).clone()"), {"in0": 0}),
        (script("ncnn.Mat(in0.numpy()).clone()"), {"in0": 233}),
        ("print('no input')\n", {}),
    ],
)
def test_script_states_the_batch_axis(folder: Path, text: str, axes: dict[str, int]) -> None:
    (folder / "m_ncnn.py").write_text(text)
    assert batch_axes_beside(str(folder / "m.pnnx.param")) == axes


def test_without_script(folder: Path) -> None:
    assert batch_axes_beside(str(folder / "m.pnnx.param")) == {}


@pytest.mark.parametrize(
    ("tensor", "axis", "blobs"),
    [
        ((1, 3, 4), 233, [(1, 3, 4)]),
        ((1, 3, 4), 0, [(3, 4)]),
        ((1, 3, 4), None, [(3, 4), (1, 3, 4)]),
        ((3, 1, 4), 1, [(3, 4)]),
        ((3, 1, 4), None, [(3, 1, 4), (3, 4)]),
        ((2, 3, 4, 5), 0, [(3, 4, 5)]),
        ((1, 2, 3, 4, 5), None, [(2, 3, 4, 5)]),
        ((5, 16), None, [(5, 16)]),
        ((7,), None, [(7,)]),
    ],
)
def test_forms_of_a_tensor(
    tensor: tuple[int, ...], axis: int | None, blobs: list[tuple[int, ...]]
) -> None:
    assert list(forms_of(tensor, axis)) == blobs


@pytest.fixture
def positions(folder: Path) -> Path:
    """A model that keeps all axes of its input: a sum with positions of three dims."""
    (folder / "m.ncnn.param").write_text(POSITIONS.replace("0=4 1=3 2=1", "0=4 1=3 2=1"))
    (folder / "m.ncnn.bin").write_bytes(bytes(48))
    (folder / "m.pnnx.param").write_text(PNNX_OF_POSITIONS)
    return folder


def test_check_uses_the_stated_form(positions: Path, command: Command) -> None:
    (positions / "m_ncnn.py").write_text(script("ncnn.Mat(in0.numpy(), batch_index=233)"))
    found = command(["m.ncnn.param", "--check"], tool="ncnn-opt")
    assert "in0=1,3,4" in found.stderr + found.stdout
    (positions / "m_ncnn.py").write_text(script("ncnn.Mat(in0.numpy(), batch_index=0)"))
    found = command(["m.ncnn.param", "--check", "--input-shape", "in0=1,3,4"], tool="ncnn-opt")
    assert "runs in ncnn with in0=1,3,4" in found.stderr + found.stdout


def test_report_takes_another_rank(folder: Path, command: Command) -> None:
    (folder / "m.ncnn.param").write_text("7767517\n2 2\nInput in0 0 1 in0\nReLU r 1 1 in0 out0\n")
    (folder / "m.ncnn.bin").touch()
    graph = PNNX.replace("torch.unsqueeze u 1 1 0 1 dim=1 #0=(1,3,2,6)f32 #1=(1,1,3,2,6)f32\n", "")
    graph = graph.replace("4 3", "3 2", 1).replace("relu 1 1 1 2", "relu 1 1 0 2")
    graph = graph.replace("#1=(1,1,3,2,6)f32 ", "").replace("(1,1,3,2,6)", "(5,16)")
    (folder / "m.pnnx.param").write_text(graph.replace("(1,3,2,6)", "(5,16)"))
    assert "5x16" in command(["m.ncnn.param"], tool="ncnn-report").stdout
