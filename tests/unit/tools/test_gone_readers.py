"""Commands whose messages or results nobody reads: they write their files as ever."""

import os
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX")]

LIKE_NCNN = ["model.param", "model.bin", "out.param", "out.bin"]

WITH_MESSAGES = [
    ("ncnn-opt", ["-O", "--remarks", "--time-passes", "model.param", "-o", "out.param"]),
    ("ncnn-opt", ["-O", "--remarks=json", "--remarks=missed", "model.param", "-o", "out.param"]),
    ("ncnn-opt", ["-O", "--print-between-passes", "model.param", "-o", "out.param"]),
    ("ncnn-optimize", [*LIKE_NCNN, "0"]),
    ("ncnn-int8", LIKE_NCNN),
]

QUANTIZE = ["model.param", "--data", "x.npy", "--measure", "-o", "out.param"]

WITH_RESULTS = [
    ("ncnn-quantize", QUANTIZE, "out.param"),
    (
        "ncnn-run",
        ["model.param", "--input", "random", "--compare", "ncnn", "-o", "out.npz"],
        "out.npz",
    ),
    (
        "ncnn-run",
        ["model.param", "--engine", "ncnn", "--repeat", "2", "--report", "out.html"],
        "out.html",
    ),
]


@contextmanager
def unread() -> Generator[int]:
    """The end of a pipe that nobody reads."""
    reader, writer = os.pipe()
    os.close(reader)
    yield writer
    os.close(writer)


def run(folder: Path, tool: str, arguments: list[str], **streams: int) -> tuple[int, str]:
    """The exit status, and the messages where they are read."""
    program = Path(sys.executable).with_name(tool)
    given: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, **streams}
    done: subprocess.CompletedProcess[str] = subprocess.run(
        [str(program), *arguments], cwd=folder, text=True, check=False, **given
    )
    return done.returncode, done.stderr or ""


@pytest.mark.parametrize(("tool", "arguments"), WITH_MESSAGES)
def test_messages(tool: str, arguments: list[str], folder: Path) -> None:
    with unread() as nobody:
        assert run(folder, tool, arguments, stderr=nobody) == (0, "")
    assert "InnerProduct" in (folder / "out.param").read_text()
    assert (folder / "out.bin").stat().st_size > 12


@pytest.mark.parametrize(("tool", "arguments", "written"), WITH_RESULTS)
@pytest.mark.parametrize("reader", ["gone", "full"])
def test_results(reader: str, tool: str, arguments: list[str], written: str, folder: Path) -> None:
    pytest.importorskip("ncnn")
    np.save(folder / "x.npy", np.random.default_rng(0).random((4, 3), "f4"))
    if reader == "gone":
        with unread() as nobody:
            status, said = run(folder, tool, arguments, stdout=nobody)
        assert f"{tool}: error" not in said
    else:
        if not os.path.exists("/dev/full"):
            pytest.skip("no /dev/full here")
        with open("/dev/full", "wb") as full:
            status, said = run(folder, tool, arguments, stdout=full.fileno())
        assert said.endswith(f"{tool}: error: standard output: No space left on device\n")
    assert status == 1
    assert "Traceback" not in said
    assert (folder / written).read_bytes() not in (b"", b"old param")
