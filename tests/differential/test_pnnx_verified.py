"""Models that PNNX's own IR repairs, through commands that need the ncnn runtime."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.driver.model_files import read_model
from ncnn_opt.driver.pipelines import run_pipeline
from ncnn_opt.driver.sidecar_files import attach_to_module, read_pnnx
from ncnn_opt.runtime.equivalence import EquivalenceCheck, Mismatch
from ncnn_opt.tools.ncnn_opt_main import main
from ncnn_opt.tools.ncnn_quantize_main import main as quantize
from ncnn_opt.tools.ncnn_run_main import main as run
from ncnn_opt.transforms import REPAIR

from .test_equivalence import LeakPass

pytestmark = pytest.mark.usefixtures("runtime")

PARAM = """7767517
5 5
Input in0 0 1 in0 0=5 1=4 2=3
Convolution conv 1 1 in0 b0 0=4 1=1 6=12
ReLU relu 1 1 b0 b1
torch.unsqueeze u 1 1 b1 b2
pnnx.Expression e 1 1 b2 b3
"""
PNNX = """7767517
6 5
pnnx.Input i 0 1 0 #0=(1,3,4,5)f32
nn.Conv2d conv 1 1 0 1 #0=(1,3,4,5)f32 #1=(1,4,4,5)f32
nn.ReLU relu 1 1 1 2 #1=(1,4,4,5)f32 #2=(1,4,4,5)f32
torch.unsqueeze u 1 1 2 3 dim=1 #2=(1,4,4,5)f32 #3=(1,1,4,4,5)f32
pnnx.Expression e 1 1 3 4 expr=sub(pow(@0,2),1) #3=(1,1,4,4,5)f32 #4=(1,1,4,4,5)f32
pnnx.Output o 1 0 4 #4=(1,1,4,4,5)f32
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the model."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "net.param").write_text(PARAM)
    (tmp_path / "net.pnnx.param").write_text(PNNX)
    weights = np.random.default_rng(0).normal(size=12).astype("f4")
    (tmp_path / "net.bin").write_bytes(bytes(4) + weights.tobytes())
    return tmp_path


BOTH: Sequence[str] = ("net.param", "--pnnx", "net.pnnx.param")


def test_passes_after_the_repair_are_compared(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["-O", *BOTH, "--verify-equivalence", "-o", "made.param"])
    rows = {line.split()[0]: line for line in capsys.readouterr().err.splitlines() if line.strip()}
    note = "(the model up to here is repaired, later passes are compared with it)"
    assert rows["legalize-pnnx-mask"].endswith(f" 0  -  {note}")
    assert "restore-pnnx" not in rows
    assert rows["canonicalize"].split()[1:] == ["1", "0", "'b3'"]
    assert (folder / "made.param").exists()


def test_a_wrong_pass_after_the_repair_is_found() -> None:
    file = read_pnnx("net.pnnx.param")
    module = read_model("net.param").module
    attach_to_module(module, file.graph)
    with EquivalenceCheck(0, 1, 1e-4) as check:
        run_pipeline(module, [*REPAIR], observers=[check])
        with pytest.raises(Mismatch, match="pass 'leak' is not equivalent"):
            run_pipeline(module, [REPAIR[-1], LeakPass()], observers=[check], verification="never")


def test_quantizing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.save("x.npy", np.random.default_rng(1).normal(size=(4, 3, 4, 5)).astype("f4"))
    quantize([*BOTH, "-O", "--data", "x.npy", "-o", "int8.param"])
    assert "1 of 1 layers in int8" in capsys.readouterr().err
    text = (folder / "int8.param").read_text()
    assert "pnnx" not in text
    assert "unsqueeze" not in text


def test_running_the_repaired_model(capsys: pytest.CaptureFixture[str]) -> None:
    """Not the file, which the runtime does not load."""
    run([*BOTH, "--engine", "ncnn", "--input", "random", "--compare", "numpy"])
    assert "unsqueeze" not in capsys.readouterr().out
