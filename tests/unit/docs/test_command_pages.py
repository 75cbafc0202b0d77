"""Each command has a page with all of its options."""

import tomllib
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest
from ncnn_opt.tools.arguments import make_parser
from ncnn_opt.tools.ncnn_run_main import make_parser as make_run_parser

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    module: dict[str, Any] = run_path(str(ROOT / "docs" / "making" / "command_pages.py"))
    return dict(module["command_pages"]())


def test_each_command_has_a_page(pages: dict[str, str]) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    commands = sorted(project["scripts"])
    assert sorted(pages) == sorted(
        [*(f"commands/{name}.md" for name in commands), "commands/index.md"]
    )
    for name in commands:
        (line,) = [row for row in pages["commands/index.md"].splitlines() if f"[{name}]" in row]
        assert len(line.split("|")[2]) > 20
        assert name in pages[f"commands/{name}.md"]


def test_pages_have_all_options(pages: dict[str, str]) -> None:
    for name, parser in (
        ("ncnn-opt", make_parser().for_completion()),
        ("ncnn-run", make_run_parser()),
    ):
        shown = {
            option
            for action in parser._actions  # pyright: ignore[reportPrivateUsage]
            if action.help != "==SUPPRESS=="
            for option in action.option_strings
        }
        assert len(shown) > 20
        assert not {option for option in shown if option not in pages[f"commands/{name}.md"]}


def test_commands_of_a_command_have_their_help(pages: dict[str, str]) -> None:
    text = pages["commands/ncnn-quantize.md"]
    for name in ("calibrate", "apply", "measure", "merge"):
        _, _, part = text.partition(f"## ncnn-quantize {name}\n")
        assert f"usage: ncnn-quantize {name} " in part[:200]
    assert "## ncnn-device probe" in pages["commands/ncnn-device.md"]
