"""Which commands put the weights that passes make into a file."""

import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ncnn_opt.dialects.ncnn.weights import WeightAttr
from ncnn_opt.driver.model_files import compile_model, read_model
from ncnn_opt.driver.pipelines import run_pipeline
from ncnn_opt.frontends import ReadOptions
from ncnn_opt.targets import Output
from ncnn_opt.targets.param.export import export_module
from ncnn_opt.transforms import OPTIMIZE

pytestmark = pytest.mark.slow

Command = Callable[[Sequence[str]], Any]

MODEL = """7767517
4 4
Input data 0 1 data 0=4 1=4 2=256
Convolution conv 1 1 data conv 0=512 1=1 6=131072
BatchNorm bn 1 1 conv bn 0=512
Scale scale 1 1 bn out 0=512 1=1
"""


@pytest.fixture
def model(folder: Path) -> Path:
    (folder / "model.param").write_text(MODEL)
    values = np.random.default_rng(0).random(131072 + 6 * 512, "f4")
    (folder / "model.bin").write_bytes(bytes(4) + values.tobytes())
    return folder


def test_a_model_is_the_same_with_and_without(command: Command, model: Path) -> None:
    command(["-O", "model.param", "-o", "filed.param"])
    compile_model(
        read_model(str(model / "model.param")),
        Output(str(model / "held.param")),
        lambda module: run_pipeline(module, ",".join(OPTIMIZE)),
        in_memory=True,
    )
    assert (model / "filed.bin").read_bytes() == (model / "held.bin").read_bytes()
    assert (model / "filed.param").read_text() == (model / "held.param").read_text()


CHAIN = "".join(
    f"Convolution conv{i} 1 1 {i} c{i} 0=2048 1=1 6=4194304\n"
    f"BatchNorm bn{i} 1 1 c{i} {i + 1} 0=2048\n"
    for i in range(4)
)
IN_MEMORY = """
from ncnn_opt import load, optimize, save
model = load("large.param")
optimize(model)
save(model, "fast.param")
"""
LAUNCHER = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def test_weights_of_64_mib_take_no_memory(folder: Path) -> None:
    (folder / "large.param").write_text(f"7767517\n9 9\nInput data 0 1 0 0=1 1=1 2=2048\n{CHAIN}")
    with (folder / "large.bin").open("wb") as weights:
        for _ in range(4):
            weights.write(bytes(4) + np.full((2048, 2048), 0.5, "f4").tobytes())
            weights.write(np.full(4 * 2048, 2, "f4").tobytes())

    def peak(*command: str) -> int:
        """KiB (bytes on macOS) of a run; a child of this process would begin with its memory."""
        launcher = [sys.executable, "-c", LAUNCHER, *command]
        return int(subprocess.run(launcher, cwd=folder, stdout=-1, check=True).stdout)

    unit = 1 << (20 if sys.platform == "darwin" else 10)
    tool = str(Path(sys.executable).with_name("ncnn-opt"))
    filed = peak(tool, "-O", "-q", "large.param", "-o", "fast.param", "--print-between-passes")
    assert filed < peak(sys.executable, "-c", IN_MEMORY) - 40 * unit


def test_a_library_keeps_them_in_memory(model: Path) -> None:
    module = read_model(str(model / "model.param"), ReadOptions()).module
    run_pipeline(module, "canonicalize")
    weight, _ = (c for c, _, _ in export_module(module).weights)
    assert not isinstance(weight.value, WeightAttr)
