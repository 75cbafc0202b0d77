"""Completion of a command line in a shell, by shtab, which is an extra (`.[completion]`)."""

import argparse
from collections.abc import Sequence
from typing import Any

from ..driver.errors import UsageError

SHELLS = ("bash", "zsh", "tcsh")

FILES = ("FILE", "INPUT", "OUTPUT", "MODEL", "OTHER", "FILE|none|random[:SEED]", "ncnn|FILE")
"""Metavariables that stand for files."""


class PrintCompletion(argparse.Action):
    """`--print-completion SHELL`: print a script for the shell, and exit. A parser may provide
    another parser for the script, `for_completion`."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        make = getattr(parser, "for_completion", None)
        print(completion_of(parser if make is None else make(), str(values)))
        parser.exit(0)


def completion_of(parser: argparse.ArgumentParser, shell: str) -> str:
    """Return the completion script of a parser. Raises `UsageError` if shtab is not installed."""
    try:
        import shtab  # pyright: ignore
    except ImportError as e:
        raise UsageError("completion needs shtab: pip install 'ncnn-opt[completion]'") from e
    tool: Any = shtab
    for action in parser._actions:  # pyright: ignore[reportPrivateUsage]
        found: Any = action
        if action.metavar == "DIR":
            found.complete = tool.DIRECTORY
        elif action.metavar in FILES:
            found.complete = tool.FILE
    text: str = tool.complete(parser, shell)
    return text
