"""Running the real command, in a folder with a small model and with results of earlier runs."""

import struct
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import warm_server

Command = Callable[..., subprocess.CompletedProcess[str]]
Refused = Callable[..., str]

MODEL = """7767517
3 3
Input data 0 1 data 0=3
InnerProduct fc 1 1 data fc 0=4 1=1 2=12
ReLU relu 1 1 fc out
"""
WEIGHTS = bytes(4) + struct.pack("<16f", *range(16))

NAMES = ("a", "b", "c")

OLD_RESULTS = {"out.param": b"old param", "out.bin": b"old bin", "out.mlir": b"old mlir"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with `model.param`, its `.bin`, and files that a run may replace or must not."""
    (tmp_path / "model.param").write_text(MODEL)
    (tmp_path / "model.bin").write_bytes(WEIGHTS)
    for name, content in OLD_RESULTS.items():
        (tmp_path / name).write_bytes(content)
    return tmp_path


@pytest.fixture
def command(folder: Path) -> Command:
    """Runs `ncnn-opt`, or another `tool`, in the folder; it must succeed unless `check=False`."""

    def run(arguments: Sequence[str], **options: Any) -> subprocess.CompletedProcess[str]:
        program = Path(sys.executable).with_name(options.pop("tool", "ncnn-opt"))
        return warm_server.run(
            [str(program), *arguments],
            cwd=folder,
            timeout=120,
            text=True,
            stdin=None if "input" in options else subprocess.DEVNULL,
            stdout=options.pop("stdout", subprocess.PIPE),
            stderr=subprocess.PIPE,
            check=options.pop("check", True),
            **options,
        )

    return run


@pytest.fixture
def refused(folder: Path, command: Command) -> Refused:
    """Runs `ncnn-opt`, which must fail with one message, and nothing else; returns that."""

    def run(arguments: Sequence[str], **options: Any) -> str:
        before = content_of(folder)
        result = command(arguments, check=False, **options)
        assert result.returncode == 1, result.stderr
        assert not result.stdout
        assert "Traceback" not in result.stderr
        message, *others = result.stderr.splitlines()
        assert not others, result.stderr
        assert message.startswith("ncnn-opt: error: ")
        assert content_of(folder) == before
        return message.removeprefix("ncnn-opt: error: ")

    return run


@pytest.fixture
def models(folder: Path) -> Path:
    """The folder with three models."""
    for i, name in enumerate(NAMES):
        (folder / f"{name}.param").write_text((folder / "model.param").read_text())
        weights = bytearray((folder / "model.bin").read_bytes())
        weights[4] = i
        (folder / f"{name}.bin").write_bytes(weights)
    return folder


@pytest.fixture
def alone(models: Path, command: Command) -> dict[str, bytes]:
    """What each of them becomes by itself."""
    (models / "alone").mkdir()
    for name in NAMES:
        command(["-O", f"{name}.param", "-o", f"alone/{name}.param"])
    return {path.name: path.read_bytes() for path in (models / "alone").iterdir()}


def content_of(folder: Path) -> dict[str, bytes | None]:
    """All files below a folder with what is in them; folders, too."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in folder.rglob("*")
    }
