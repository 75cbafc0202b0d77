"""docs/editing.md, followed from top to bottom: each command, and each file before and after it."""

import re
import shlex
from pathlib import Path

import pytest
from ncnn_opt.tools import ncnn_opt_main, ncnn_reduce_main

ROOT = Path(__file__).parents[3]
BLOCK = re.compile(
    r"^(?:`(?P<name>[^`\n]+)` (?P<when>before|after):|(?P<prints>prints))?\n\n?"
    r"```(?P<kind>sh)?\n(?P<text>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)
MAINS = {"ncnn-opt": ncnn_opt_main.main, "ncnn-reduce": ncnn_reduce_main.main}


def test_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("ncnn")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    done = {"before": 0, "after": 0, "sh": 0, "prints": 0}
    told = ""
    for block in BLOCK.finditer((ROOT / "docs/editing.md").read_text("utf-8")):
        text = block["text"]
        if block["kind"] == "sh":
            done["sh"] += 1
            told = run(text, capsys)
        elif block["prints"]:
            done["prints"] += 1
            assert set(text.splitlines()) <= set(told.splitlines())
        elif block["when"] == "after":
            done["after"] += 1
            assert Path(block["name"]).read_text("utf-8") == text, block["name"]
        elif block["when"] == "before":
            done["before"] += 1
            write(tmp_path / block["name"], text)
    assert done == {"before": 10, "after": 12, "sh": 15, "prints": 2}


def write(path: Path, text: str) -> None:
    path.write_text(text, "utf-8")
    if path.suffix == ".sh":
        path.chmod(0o755)


def run(text: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Run a command. Return its messages."""
    tool, *arguments = shlex.split(text)
    status = None
    capsys.readouterr()
    try:
        MAINS[tool](arguments)
    except SystemExit as end:
        status = end.code
    told = capsys.readouterr().err
    assert not status, told
    return told
