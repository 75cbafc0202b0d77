"""A folder with models, and running the command there."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.tools.ncnn_run_main import main

Run = Callable[..., str]

SCORES = """7767517
3 3
Input data 0 1 data 0=2 1=2 2=3
Reduction sums 1 1 data sums 0=0 1=0 -23303=2,1,2 5=1
Power half 1 1 sums prob 1=0.5
"""
"""Half the sum of each channel."""

TWO_INPUTS = """7767517
3 3
Input a 0 1 a 0=2
Input b=c 0 1 b=c
BinaryOp sub 2 1 a b=c diff 0=1
"""

WORDS = """7767517
2 2
Input ids 0 1 ids 0=3
Embed embed 1 1 ids rows 0=2 1=5 3=10
"""

ATTENTION = """7767517
4 9
Input x 0 1 x 0=4 1=3 2=1
Input past 0 2 keys values
Split split 1 3 x q k v
SDPA attention 5 3 q k v keys values y all_keys all_values 7=1
"""
TABLE = np.arange(10, dtype="<f4")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with models."""
    texts = {"scores": SCORES, "two": TWO_INPUTS, "words": WORDS, "attention": ATTENTION}
    for name, text in texts.items():
        (tmp_path / f"{name}.param").write_text(text)
        (tmp_path / f"{name}.bin").write_bytes(b"")
    (tmp_path / "words.bin").write_bytes(bytes(4) + TABLE.tobytes())
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(folder: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the command; returns what it prints."""

    def run(*arguments: str) -> str:
        main(arguments)
        out, err = capsys.readouterr()
        assert not err
        return out

    return run


@pytest.fixture
def refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the command, which must fail with one message; returns that."""

    def run(*arguments: str) -> str:
        with pytest.raises(SystemExit) as exit:
            main(arguments)
        out, err = capsys.readouterr()
        assert (exit.value.code, out) == (1, "")
        (message,) = err.splitlines()
        assert message.startswith("ncnn-run: error: ")
        return message.removeprefix("ncnn-run: error: ")

    return run
