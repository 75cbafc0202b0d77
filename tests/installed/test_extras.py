"""A wheel of the package, installed with each of its extras into an environment that has nothing
else. `make test-wheel` runs this; pip downloads the dependencies."""

import os
import shutil
import subprocess
import sys
import tomllib
import venv
from collections.abc import Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODEL = ROOT / "examples" / "small_cnn.param"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]

COMMANDS: dict[str, Sequence[str]] = {
    "": ("ncnn-opt", "-O", str(MODEL), "-o", "fast.param"),
    "verify": ("ncnn-opt", "-O", "--verify-equivalence", str(MODEL), "-o", "fast.param"),
    "image": ("python", "-c", "import ncnn_opt.samples.images, PIL.Image"),
    "native": ("ncnn-compile", str(MODEL), "-o", "model.vmfb"),
    "dask": ("python", "-c", "import distributed, ncnn_opt.quantization.scheduled"),
    "tokenizers": ("python", "-c", "import tokenizers, ncnn_opt.driver.bundles.token_generation"),
    "progress": ("python", "-c", "import tqdm, ncnn_opt.driver.progress"),
    "plot": ("python", "-c", "import matplotlib.pyplot, ncnn_opt.report.plots"),
    "completion": ("ncnn-opt", "--print-completion", "bash"),
    "prove": ("python", "-c", "from ncnn_opt.proofs.patterns import z3; z3.Solver()"),
    "onnx": ("python", "-c", "import onnx, onnxruntime, ncnn_opt.driver.onnx_session"),
    "mutation": ("python", "-c", "import cosmic_ray.plugins"),
    "browser": ("python", "-c", "import selenium.webdriver"),
    "docs": ("mkdocs", "--version"),
    "notebook": ("python", "-c", "import nbclient, nbformat, ipykernel"),
    "lint": ("ruff", "--version"),
    "test": ("python", "-c", "import hypothesis, lit, filecheck, ncnn, pytest, xdist"),
    "export,sources": (
        "python",
        "-c",
        "import torch, torchvision, timm, pnnx, transformers, spandrel, ultralytics",
    ),
}
"""For each extra a command that needs it; the first is for the package alone. PyTorch is large: the
extras with it are installed together."""


def run(folder: Path, command: Sequence[str]) -> None:
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr[-2000:]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run(ROOT, [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(folder), "."])
    (found,) = folder.glob("*.whl")
    return found


@pytest.mark.parametrize("extra", COMMANDS)
def test_the_wheel_with_an_extra(extra: str, wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "venv", with_pip=True)
    bin_ = tmp_path / "venv" / "bin"
    wanted = f"{wheel}[{extra}]" if extra else str(wheel)
    run(tmp_path, [str(bin_ / "python"), "-m", "pip", "install", "-q", wanted])
    program, *arguments = COMMANDS[extra]
    run(tmp_path, [str(bin_ / program), *arguments])
    if "fast.param" in arguments:
        assert (tmp_path / "fast.param").stat().st_size < MODEL.stat().st_size


def other_pythons() -> list[str]:
    """Return an interpreter of each other supported version that the machine has."""
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found: list[str] = []
    for version in ("3.11", "3.12", "3.13", "3.14"):
        on_path = shutil.which(f"python{version}")
        managed = sorted(map(str, root.glob(f"{version}.*/bin/python")))
        works = (path for path in [*filter(None, [on_path]), *managed] if _version(path) == version)
        if version != "{}.{}".format(*sys.version_info):
            found += [path for path, _ in zip(works, range(1), strict=False)]
    return found


def _version(python: str) -> str:
    """Return the version of an interpreter, or nothing if it does not start."""
    command = [python, "-c", "import sys; print('{}.{}'.format(*sys.version_info))"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def test_the_wheel_with_other_pythons(wheel: Path, tmp_path: Path) -> None:
    for python in other_pythons():
        run(tmp_path, [python, "-m", "venv", "--clear", "venv"])
        bin_ = tmp_path / "venv" / "bin"
        run(tmp_path, [str(bin_ / "python"), "-m", "pip", "install", "-q", str(wheel)])
        program, *arguments = COMMANDS[""]
        run(tmp_path, [str(bin_ / program), *arguments])


def test_each_extra_has_a_command() -> None:
    assert {extra for extras in COMMANDS for extra in extras.split(",")} == {"", *EXTRAS}
