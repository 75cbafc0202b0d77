"""Messages of commands on standard error, and their results on standard output. A stream that
nobody reads any more (`… 2>&1 | head`) never keeps a command from writing its files."""

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TextIO

from ..formats.columns import printable

_QUIET: ContextVar[bool] = ContextVar("quiet", default=False)

_LOST: ContextVar[OSError | None] = ContextVar("lost", default=None)
"""Why results could not be printed."""


def say(text: str) -> None:
    """Says something that is no error, unless that is not wanted."""
    if not _QUIET.get():
        tell(text)


def tell(text: str) -> None:
    """Print what was asked for, or what is wrong, on standard error."""
    on_stderr(printable(text) + "\n")


def on_stderr(text: str) -> None:
    """Print on standard error. Where that fails, this message and all later ones are dropped."""
    try:
        print(text, end="", file=sys.stderr, flush=True)
    except OSError:
        drop(sys.stderr)


def print_result(text: str) -> None:
    """Print a result on standard output. Where that fails, this result and all later ones are
    dropped; the command goes on, and fails at its end (see `check_shown`)."""
    try:
        print(text, flush=True)
    except OSError as e:
        drop(sys.stdout)
        _LOST.set(of_stdout(e))


def of_stdout(error: OSError) -> OSError:
    """Return an error of writing to standard output, which names no file, with a name."""
    return OSError(error.errno, error.strerror, "standard output")


def check_shown() -> None:
    """Raise the `OSError` of a result that could not be printed."""
    if (error := _LOST.get()) is not None:
        raise error


def drop(stream: TextIO) -> None:
    """Redirect a stream to nowhere: Python would write what is left in its buffer once more when it
    ends, and complain."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


@contextmanager
def quiet(wanted: bool = True) -> Generator[None]:
    """Lets nothing be said in the block but errors."""
    token = _QUIET.set(wanted)
    try:
        yield
    finally:
        _QUIET.reset(token)
