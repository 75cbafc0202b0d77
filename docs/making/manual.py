"""Manual pages of the commands, from their parsers: `python manual.py FOLDER`."""

import argparse
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

from ncnn_opt.tools.arguments import make_parser as make_opt_parser
from ncnn_opt.tools.ncnn_compile_main import make_parser as make_compile_parser
from ncnn_opt.tools.ncnn_export_main import make_parser as make_export_parser
from ncnn_opt.tools.ncnn_optimize_main import USAGE
from ncnn_opt.tools.ncnn_report_main import make_parser as make_report_parser
from ncnn_opt.tools.ncnn_run_main import make_parser as make_run_parser

ABOUT = {
    "ncnn-compile": "compile an ncnn model to native code",
    "ncnn-export": "convert a model to ncnn, compare and measure it",
    "ncnn-opt": "optimize ncnn models and their IR",
    "ncnn-optimize": "optimize an ncnn model with the arguments of ncnnoptimize",
    "ncnn-report": "report the costs of an ncnn model",
    "ncnn-run": "run, compare and time an ncnn model",
}


def man_page(parser: argparse.ArgumentParser, about: str) -> str:
    """Return the page of a command in roff."""
    usage = parser.format_usage().removeprefix("usage: ").strip()
    lines = [*_head(parser.prog, about), ".SH SYNOPSIS", ".nf", _escaped(usage), ".fi"]
    lines += [".SH DESCRIPTION", ".nf", _escaped((parser.description or "").strip()), ".fi"]
    for group in parser._action_groups:  # pyright: ignore[reportPrivateUsage]
        actions = [a for a in group._group_actions if a.help != argparse.SUPPRESS]  # pyright: ignore[reportPrivateUsage]
        if actions:
            lines.append(f".SH {_escaped((group.title or '').upper())}")
            lines += [line for action in actions for line in _option(parser, action)]
    return "\n".join(lines) + "\n"


def plain_page(name: str, about: str, text: str) -> str:
    """Return the page of a command whose help is a text."""
    body = [".SH DESCRIPTION", ".nf", _escaped(text.strip()), ".fi"]
    return "\n".join([*_head(name, about), *body]) + "\n"


def _head(name: str, about: str) -> Iterator[str]:
    yield f'.TH {name.upper()} 1 "" "ncnn-opt {version("ncnn-opt")}"'
    yield ".SH NAME"
    yield f"{_escaped(name)} \\- {_escaped(about)}"


def _option(parser: argparse.ArgumentParser, action: argparse.Action) -> Iterator[str]:
    value = action.metavar or (action.dest.upper() if action.nargs != 0 else "")
    if action.choices is not None:
        value = "|".join(map(str, action.choices))
    names = ", ".join(f"\\fB{_escaped(name)}\\fR" for name in action.option_strings)
    shown = f"\\fI{_escaped(str(value))}\\fR" if value and action.nargs != 0 else ""
    yield ".TP"
    yield f"{names} {shown}".strip()
    formatter = parser._get_formatter()  # pyright: ignore[reportPrivateUsage]
    yield _escaped(formatter._expand_help(action) if action.help else "")  # pyright: ignore[reportPrivateUsage]


def _escaped(text: str) -> str:
    lines = text.replace("\\", "\\e").replace("-", "\\-").splitlines()
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in lines)


def pages() -> dict[str, str]:
    """Return all pages by file name."""
    parsers = (
        make_opt_parser().for_completion(),
        make_compile_parser(),
        make_export_parser(),
        make_report_parser(),
        make_run_parser(),
    )
    found = {p.prog: man_page(p, ABOUT[p.prog]) for p in parsers}
    found["ncnn-optimize"] = plain_page("ncnn-optimize", ABOUT["ncnn-optimize"], USAGE)
    return {f"{name}.1": page for name, page in found.items()}


def main(folder: str) -> None:
    """Write the pages to a folder."""
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    for name, page in pages().items():
        (place / name).write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "man")
