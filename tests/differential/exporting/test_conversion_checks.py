# pyright: basic, reportMissingImports=false
"""`ncnn-opt` compares a model that it converts with PNNX's graph. Needs PyTorch."""

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
pytest.importorskip("ncnn", reason="the ncnn runtime is not installed")
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

from ncnn_opt.conversion.pnnx_to_ncnn import table  # noqa: E402
from ncnn_opt.driver.sidecar_files import read_repaired  # noqa: E402
from ncnn_opt.formats.pnnx_bin import write_members  # noqa: E402
from ncnn_opt.frontends import ReadOptions  # noqa: E402
from ncnn_opt.interpreters.errors import RunError  # noqa: E402
from ncnn_opt.interpreters.source.ties import stable_order  # noqa: E402
from ncnn_opt.tools.ncnn_opt_main import main  # noqa: E402

GRAPH = """7767517
6 6
pnnx.Input in 0 1 0 #0=(1,3,8)f32
nn.Linear fc 1 1 0 1 bias=True in_features=8 out_features=8 @bias=(8)f32 @weight=(8,8)f32
nn.ReLU relu 1 1 1 2 #1=(1,3,8)f32 #2=(1,3,8)f32
torch.sort sort 1 2 2 3 4 dim=-1 descending=True #2=(1,3,8)f32 #3=(1,3,8)f32 #4=(1,3,8)i64
pnnx.Expression sum 2 1 3 4 5 expr=add(@0,@1) #3=(1,3,8)f32 #4=(1,3,8)i64 #5=(1,3,8)f32
pnnx.Output out 1 0 5 #5=(1,3,8)f32
"""


@pytest.fixture
def graph(folder: Path) -> Path:
    """A graph in `m.pnnx.param`. Its ReLU makes equal elements, which a sort orders."""
    rng = np.random.default_rng(0)
    weights = {"fc.bias": rng.normal(size=8), "fc.weight": rng.normal(size=(8, 8))}
    (folder / "m.pnnx.param").write_text(GRAPH)
    with open(folder / "m.pnnx.bin", "w+b") as out:
        write_members(out, [(key, [x.astype("<f4").tobytes()]) for key, x in weights.items()])
    return folder


@pytest.fixture
def wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """A ReLU is converted to another function."""
    monkeypatch.setitem(table.LOWERINGS, "nn.ReLU", table.LOWERINGS["torch.tanh"])  # type: ignore


@pytest.mark.parametrize("options", [[], ["-O"]])
def test_a_model_that_agrees(
    graph: Path, options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    main([*options, "m.pnnx.param", "-o", "o.param"])
    last = capsys.readouterr().err.splitlines()[-1]
    assert "outputs agree with m.pnnx.param in the ncnn runtime (error " in last
    assert (graph / "o.param").exists()


def test_a_model_that_differs_is_not_written(
    graph: Path, wrong: None, capsys: pytest.CaptureFixture[str]
) -> None:
    (graph / "o.param").write_text("a good one")
    with pytest.raises(SystemExit) as found:
        main(["m.pnnx.param", "-o", "o.param"])
    text = capsys.readouterr().err
    assert found.value.code == 1
    assert "the model differs from m.pnnx.param: the first difference: " in text
    assert "no layer behind Gemm 'fc' computes nn.ReLU 'relu'" in text
    assert "--keep-going writes it nevertheless" in text
    assert (graph / "o.param").read_text() == "a good one"
    assert not (graph / "o.bin").exists()


def test_keep_going_writes_it(graph: Path, wrong: None, capsys: pytest.CaptureFixture[str]) -> None:
    main(["m.pnnx.param", "-o", "o.param", "--keep-going"])
    last = capsys.readouterr().err.splitlines()[-1]
    assert "warning: the model differs from m.pnnx.param: " in last
    assert (graph / "o.param").read_text().startswith("7767517")


def test_a_model_with_other_outputs_is_compared_behind_the_conversion(
    graph: Path, wrong: None, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["m.pnnx.param", "-o", "o.param", "--rename", "out0=y"])
    assert "nn.ReLU 'relu'" in capsys.readouterr().err


def test_no_operator_without_weights(graph: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (graph / "m.ncnn.param").write_text(
        "7767517\n3 3\nInput in0 0 1 in0\ntorch.unsqueeze u 1 1 in0 b\nReLU r 1 1 b out0\n"
    )
    (graph / "m.ncnn.bin").touch()
    (graph / "m.pnnx.bin").unlink()
    (graph / "m.pnnx.param").write_text(
        "7767517\n5 4\npnnx.Input i 0 1 0 #0=(1,3,8)f32\n"
        "torch.unsqueeze u 1 1 0 1 dim=1 #0=(1,3,8)f32 #1=(1,1,3,8)f32\n"
        "nn.PReLU r 1 1 1 2 num_parameters=1 @weight=(1)f32 #1=(1,1,3,8)f32 #2=(1,1,3,8)f32\n"
        "nn.ReLU s 1 1 2 3 #2=(1,1,3,8)f32 #3=(1,1,3,8)f32\n"
        "pnnx.Output o 1 0 3 #3=(1,1,3,8)f32\n"
    )
    main(["m.ncnn.param", "--pnnx", "m.pnnx.param", "-o", "o.param"])
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.endswith("outputs not compared: needs m.pnnx.bin")


def test_other_commands_compare(graph: Path, wrong: None) -> None:
    (graph / "m.ncnn.param").write_text("7767517\n2 2\nInput in0 0 1 in0\nReLU r 1 1 in0 out0\n")
    (graph / "m.ncnn.bin").touch()
    read_repaired("m.ncnn.param", ReadOptions(), None)
    with pytest.raises(RunError, match="nn.ReLU 'relu'; --pnnx none takes the converter's own"):
        read_repaired("m.ncnn.param", ReadOptions(), None, compared=True)


@pytest.mark.parametrize("stable", [None, False])
def test_equal_elements_keep_their_order(stable: bool | None) -> None:
    x = torch.arange(4000) % 7
    with torch.inference_mode(), stable_order():
        found = torch.ops.aten.sort.stable(x, stable=stable, dim=-1, descending=False)[1]
        few = x.topk(9)[1]
    assert torch.equal(found, x.sort(stable=True)[1])
    assert few.tolist() == [6 + 7 * i for i in range(9)]
