"""A page for each command of the package: its help, with all options."""

import io
import os
import re
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout, suppress
from importlib.metadata import entry_points
from unittest.mock import patch

from ncnn_opt.tools.arguments import make_parser

WIDTH = 88
SUBCOMMANDS = {
    "ncnn-quantize": ("quantize", "calibrate", "merge", "apply", "measure", "weights"),
    "ncnn-device": ("probe", "prepare"),
}
"""The commands whose first argument is another command."""


def command_pages() -> Iterator[tuple[str, str]]:
    """Yield the path and the text of each page; the first one lists the others."""
    commands = {
        point.name: point.load()
        for point in sorted(entry_points(group="console_scripts"), key=lambda point: point.name)
        if point.value.startswith("ncnn_opt.")
    }
    lines = [
        "# All commands",
        "",
        "The output of `COMMAND --help`.",
        "",
        "| command | |",
        "| --- | --- |",
    ]
    pages: dict[str, str] = {}
    for name, main in commands.items():
        helped = help_of(main)
        parts = [f"# {name}", f"```text\n{helped}\n```"]
        if name == "ncnn-opt":  # its help has the groups of options only
            with patch.dict(os.environ, COLUMNS=str(WIDTH)):
                every = make_parser().for_completion().format_help()
            parts.append(f"## All options\n\n```text\n{every.strip()}\n```")
        for sub in SUBCOMMANDS.get(name, ()):
            parts.append(f"## {name} {sub}\n\n```text\n{help_of(main, sub)}\n```")
        pages[f"commands/{name}.md"] = "\n\n".join(parts) + "\n"
        lines.append(f"| [{name}]({name}.md) | {_about(helped)} |")
    yield "commands/index.md", "\n".join(lines) + "\n"
    yield from pages.items()


def help_of(main: Callable[[list[str]], object], *words: str) -> str:
    """Return the help of a command."""
    text = io.StringIO()
    with patch.dict(os.environ, COLUMNS=str(WIDTH)), redirect_stdout(text):
        with suppress(SystemExit):
            main([*words, "--help"])
    return text.getvalue().strip()


def _about(helped: str) -> str:
    """Return the first sentence of a help: the first paragraph that is no usage."""
    paragraphs = re.split(r"\n\s*\n", helped)
    first = next(each for each in paragraphs if not each.startswith(("usage:", " ")))
    return " ".join(first.split()).split(". ")[0].rstrip(".:").replace("|", "\\|")
