"""The process with the runtime: its environment, and how it ends. A module that stands for the
package `ncnn` makes it end as a test needs."""

import os
import sys
from pathlib import Path

import pytest
from ncnn_opt.driver.model_files import read_model
from ncnn_opt.driver.reducing.failures import Ends
from ncnn_opt.runtime.process import Failure, Runtime

PARAM = "7767517\n2 2\nInput x 0 1 x 0=8\nReLU r 1 1 x y\n"


@pytest.fixture
def model(tmp_path: Path) -> Path:
    param = tmp_path / "m.param"
    param.write_text(PARAM)
    param.with_suffix(".bin").touch()
    return param


def end(model: Path, python: str) -> str:
    """Return the reason why an interpreter does not run a model."""
    with Runtime(python=python) as runtime:
        found = runtime.run(model, {}, ["y"])
    assert isinstance(found, Failure)
    return found.reason


def stand_in(folder: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Make a folder with a package `ncnn` that runs this text the first one in PYTHONPATH."""
    folder.mkdir()
    lines = ["import os, signal, sys", "def Net():", f"    {text}", ""]
    (folder / "ncnn.py").write_text("\n".join(lines))
    before = os.environ.get("PYTHONPATH")
    monkeypatch.setenv("PYTHONPATH", f"{folder}{os.pathsep}{before}" if before else str(folder))


def test_only_this_interpreter_gets_our_packages(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(tmp_path / "own", monkeypatch, "os._exit(5)")
    other = tmp_path / "python"
    other.write_text('#!/bin/sh\n[ -z "${PYTHONPATH+set}${PYTHONHOME+set}" ] && exit 3\nexit 4\n')
    other.chmod(0o755)
    assert end(model, sys.executable) == "the runtime ended with status 5"
    assert end(model, str(other)) == "the runtime ended with status 3"
    assert "PYTHONPATH" in os.environ


@pytest.mark.parametrize(
    ("text", "crashes", "refuses"),
    [
        ("os.kill(os.getpid(), signal.SIGSEGV)", True, True),
        ("os._exit(255)", True, True),
        ("raise RuntimeError('a C++ exception')", True, True),
        ("raise MemoryError", True, True),
        ("raise ValueError('an array of the runner')", False, True),
        ("raise KeyError('a name of the runner')", False, True),
        ("os.kill(os.getpid(), signal.SIGALRM)", False, True),
    ],
)
def test_crashes_are_those_of_the_runtime(
    model: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    text: str,
    crashes: bool,
    refuses: bool,
) -> None:
    stand_in(tmp_path / "own", monkeypatch, text)
    module = read_model(str(model)).module
    for test, wanted in ((Ends(True), crashes), (Ends(False), refuses)):
        with test:
            assert (test(module) is not None) == wanted
