"""Commands at a terminal: what is printed there, and what is read."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pty = pytest.importorskip("pty")

MODEL = "7767517\n2 2\nInput data 0 1 data 0=30\nInnerProduct fc 1 1 data out 0=4 2=120\n"


def at_terminal(folder: Path, *arguments: str) -> tuple[int, str]:
    """Runs `ncnn-opt` with all streams at a terminal: exit status, and what is seen."""
    ours, theirs = pty.openpty()
    program = Path(sys.executable).with_name("ncnn-opt")
    process = subprocess.Popen(
        [str(program), *arguments], cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    seen = b""
    while True:
        try:
            part = os.read(ours, 1 << 16)
        except OSError:  # how Linux says that the other end is closed
            break
        if not part:
            break
        seen += part
    os.close(ours)
    return process.wait(60), seen.decode().replace("\r\n", "\n")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "model.param").write_text(MODEL)
    (tmp_path / "model.bin").write_bytes(bytes(4 + 4 * 120))
    return tmp_path


def test_without_arguments_there_is_help(folder: Path) -> None:
    status, seen = at_terminal(folder)
    assert status == 0
    assert seen.startswith("usage: ncnn-opt")
    assert "--fuse-conv-bn" in seen


def test_nobody_waits_for_typed_ir_unasked(folder: Path) -> None:
    status, seen = at_terminal(folder, "-O")
    assert (status, seen) == (
        1,
        "ncnn-opt: error: there is no INPUT; - reads IR from the terminal\n",
    )


def test_weights_are_left_out(folder: Path) -> None:
    status, seen = at_terminal(folder, "model.param")
    assert status == 0
    assert "#ncnn.elided" in seen
    _, all_of_it = at_terminal(folder, "model.param", "--inline-weights")
    assert "#ncnn.elided" not in all_of_it
    assert "dense" in all_of_it
