"""Errors of files and of requests, and places in the messages of others."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager


class UsageError(Exception):
    """A contradictory or impossible request."""


class FormatError(Exception):
    """An invalid file, or a model that its format cannot represent.

    `path` is the file as given by the caller ("" for a model without a file). `line` and `column`
    are 1-based; they are `None` where lines do not apply (messages on binary files contain a byte
    offset). Columns count characters, not bytes.
    """

    def __init__(
        self, path: str, message: str, line: int | None = None, column: int | None = None
    ) -> None:
        # All four go to Exception.args, so that the error can be pickled.
        super().__init__(path, message, line, column)
        self.path = path
        self.message = message
        self.line = line
        self.column = column

    def __str__(self) -> str:
        """Return `path:line:column: message`, without missing parts."""
        place = [self.path] if self.path else []
        if self.line is not None:
            place.append(str(self.line))
            if self.column is not None:
                place.append(str(self.column))
        return f"{':'.join(place)}: {self.message}" if place else self.message


def decoded(data: bytes, path: str, message: str) -> str:
    """Return a file's content as text. Raises `FormatError` with the line of the first byte that is
    not UTF-8; `{}` in the message is its offset."""
    try:
        return data.decode()
    except UnicodeDecodeError as e:
        line = data.count(b"\n", 0, e.start) + 1
        raise FormatError(path, message.format(e.start), line) from e


@contextmanager
def parsing(path: str, message: str, *documented: type[Exception]) -> Generator[None]:
    """Raise `FormatError` for any error of a library that reads a file's content in the block, with
    this message and the reason: a damaged file can cause errors that libraries do not document.
    `FormatError`, `documented` errors, and errors of the system, which have a number, propagate
    unchanged."""
    try:
        yield
    except (FormatError, *documented):
        raise
    except Exception as e:
        if isinstance(e, OSError) and e.errno is not None:
            raise
        deep = isinstance(e, RecursionError)
        reason = "it is nested too deeply" if deep else str(e) or type(e).__name__
        raise FormatError(path, f"{message}: {' '.join(reason.split())}") from e


@contextmanager
def prefixed(kind: type[Exception], place: str) -> Generator[None]:
    """Put a place before the messages of errors of this kind that the block raises."""
    try:
        yield
    except kind as e:
        raise kind(f"{place}: {e}") from e
