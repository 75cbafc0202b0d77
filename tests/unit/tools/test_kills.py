"""The command killed at each of its file operations: the model that is there is the old or the new
one, and where it is not in its place the next command says where."""

import os
import shutil
import struct
from collections.abc import Callable
from pathlib import Path

import pytest
from ncnn_opt.targets.replacement import SAVED
from ncnn_opt.tools.ncnn_opt_main import main

from ..targets.killing import run_until

pytestmark = pytest.mark.slow

MODEL = """7767517
3 3
Input data 0 1 data 0=4 1=4 2=8
Convolution conv 1 1 data conv 0=8 1=1 6=64
BatchNorm bn 1 1 conv out 0=8
"""
WEIGHTS = bytes(4) + struct.pack("<96f", *(1 + i / 7 for i in range(96)))

Command = list[str]

COMMANDS: dict[str, tuple[Command, Command, str]] = {
    "in place": ([], ["-O", "m.param", "-o", "m.param"], "m.param"),
    "a new model": ([], ["-O", "m.param", "-o", "n.param"], "n.param"),
    "over another model": (
        ["m.param", "-o", "n.param"],
        ["-O", "m.param", "-o", "n.param"],
        "n.param",
    ),
    "IR in place": (["m.param", "-o", "n.mlir"], ["-O", "n.mlir", "-o", "n.mlir"], "n.mlir"),
}
"""What is done before, the command, and what it writes."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with a model in a folder `old`."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(os, "fsync", int)  # the disk itself plays no part here
    old = tmp_path / "old"
    old.mkdir()
    (old / "m.param").write_text(MODEL)
    (old / "m.bin").write_bytes(WEIGHTS)
    return tmp_path


def pair(graph: Path, saved: str = "") -> tuple[bytes, bytes] | None:
    """A model, `None` if its graph is not there."""
    weights = graph.with_suffix(".bin")
    if not (graph.parent / (graph.name + saved)).exists():
        return None
    aside = graph.parent / (weights.name + saved)
    at = aside if saved and aside.exists() else weights
    return (graph.parent / (graph.name + saved)).read_bytes(), at.read_bytes()


def run(*command: str) -> Callable[[], None]:
    return lambda: main(command)


@pytest.mark.parametrize("what", COMMANDS)
def test_kill_of_the_command(
    what: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    prepare, command, written = COMMANDS[what]
    if prepare:
        monkeypatch.chdir(folder / "old")
        main(prepare)
    before = pair(folder / "old" / written)
    monkeypatch.chdir(folder)
    shutil.copytree(folder / "old", folder / "whole")
    monkeypatch.chdir(folder / "whole")
    main(command)
    after = pair(folder / "whole" / written)
    assert after is not None
    assert before != after

    before_names = os.listdir(folder / "old")
    last, ended = 0, False
    seen: set[object] = set()
    while not ended:
        place = folder / str(last)
        shutil.copytree(folder / "old", place)
        monkeypatch.chdir(place)
        ended = run_until(last, run(*command))
        graph = place / written
        now = pair(graph)
        seen.add(now)
        assert now in (before, after, None)
        if now is None and before is not None:
            assert pair(graph, SAVED) == before
            capfd.readouterr()
            with pytest.raises(SystemExit):
                main([written])
            assert f"'{written}{SAVED}'" in capfd.readouterr().err
        if now is not None or written != command[1]:
            main(command)
            left = {path.name for path in place.iterdir()}
            # The second time the weights of IR stay where they are, and so does what is saved.
            assert left <= {*before_names, written, "n.bin", f"n.bin{SAVED}"}
            assert f"n.bin{SAVED}" not in left or written.endswith(".mlir")
        last += 1
    assert seen == {before, after, None}
