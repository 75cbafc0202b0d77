"""Messages of commands on standard error, results on standard output. A closed stream
(`… 2>&1 | head`) does not keep a command from writing its files."""

import json
import os
import sys
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from math import isfinite
from typing import TextIO

from ..formats.columns import printable

_QUIET: ContextVar[bool] = ContextVar("quiet", default=False)

_JSON: ContextVar[str] = ContextVar("json", default="")
"""The command whose messages are JSON; empty for text."""

LOGS = ("text", "json")
"""The values of `--log`, which `tools.process.running` takes from the command line."""

_LEVELS = ("error", "warning", "note", "remark", "missed", "PASSED", "FAILED")
"""The words with which messages begin."""

_LOST: ContextVar[OSError | None] = ContextVar("lost", default=None)
"""The error of printing a result."""


Figures = Mapping[str, object]
"""The numbers of a message by name, and the names that they belong to: values for JSON."""


def print_note(text: str, figures: Figures | None = None) -> None:
    """Print a message on standard error, unless `--quiet` is given. `figures` are the numbers in
    the text, which a message in JSON has as numbers."""
    if not _QUIET.get():
        tell(text, figures)


def print_notes(command: str, lines: Iterable[str], figures: Figures | None = None) -> None:
    """Print the lines of a command's summary. The figures belong to the first line."""
    for index, line in enumerate(lines):
        print_note(f"{command}: {line}", None if index else figures)


def report(text: str) -> None:
    """Print a message of `ncnn-opt`, unless `--quiet` is given."""
    print_note(f"ncnn-opt: {text}")


def tell(text: str, figures: Figures | None = None) -> None:
    """Print a requested text or an error on standard error."""
    if command := _JSON.get():
        text = _as_json(command, text, figures)
    on_stderr((text if command else printable(text)) + "\n")


def _as_json(command: str, text: str, figures: Figures | None) -> str:
    """Return a message as a JSON object in one line. A text that is such an object stays as it
    is: a remark of `--remarks=json`."""
    if text.startswith("{") and "\n" not in text:
        return text
    text = text.removeprefix(f"{command}: ")
    word, colon, rest = text.partition(": ")
    known = bool(colon) and word in _LEVELS
    fields = {"command": command, "level": word.lower() if known else "info"}
    found: dict[str, object] = {**fields, "message": rest if known else text}
    if figures:
        found["figures"] = {name: _finite(value) for name, value in figures.items()}
    return json.dumps(found, ensure_ascii=True, allow_nan=False)


def _finite(value: object) -> object:
    """Return a value for JSON, which has no infinities."""
    return None if isinstance(value, float) and not isfinite(value) else value


def shows_text() -> bool:
    """Whether messages are for people, who also want progress and tables."""
    return not _JSON.get()


@contextmanager
def logging(command: str, wanted: bool) -> Generator[None]:
    """If wanted, print each message of a command in the block as a JSON object in one line."""
    token = _JSON.set(command if wanted else "")
    try:
        yield
    finally:
        _JSON.reset(token)


def on_stderr(text: str) -> None:
    """Print on standard error. After a failure, this message and all later ones are dropped."""
    try:
        print(text, end="", file=sys.stderr, flush=True)
    except OSError:
        drop(sys.stderr)


def print_result(text: str) -> None:
    """Print a result on standard output. After a failure, this result and all later ones are
    dropped; the command continues, and fails at its end (see `check_shown`)."""
    try:
        print(text, flush=True)
    except OSError as e:
        drop(sys.stdout)
        _LOST.set(of_stdout(e))


def write_result(text: str) -> None:
    """Write all of a text to standard output. Unbuffered (`python -u`), Python writes a part and
    does not report the rest. Raises `OSError`."""
    try:
        sys.stdout.flush()
        left = memoryview(text.encode())
        while left:
            left = left[sys.stdout.buffer.write(left) :]
        sys.stdout.flush()
    except OSError as e:
        raise of_stdout(e) from e


def of_stdout(error: OSError) -> OSError:
    """Return an error of writing to standard output with a file name."""
    return OSError(error.errno, error.strerror, "standard output")


def check_shown() -> None:
    """Raise the `OSError` of a result that could not be printed."""
    if (error := _LOST.get()) is not None:
        raise error


def drop(stream: TextIO) -> None:
    """Redirect a stream to the null device. Otherwise Python would write the rest of its buffer
    when it ends, and report the error."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


@contextmanager
def quiet(wanted: bool = True) -> Generator[None]:
    """Print only errors within the block."""
    token = _QUIET.set(wanted)
    try:
        yield
    finally:
        _QUIET.reset(token)
