"""What commands say on standard error."""

import sys
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar

from ..formats.columns import printable

_QUIET: ContextVar[bool] = ContextVar("quiet", default=False)


def say(text: str) -> None:
    """Says something that is no error, unless that is not wanted."""
    if not _QUIET.get():
        tell(text)


def tell(text: str) -> None:
    """Says what was asked for, or what is wrong."""
    print(printable(text), file=sys.stderr)


@contextmanager
def quiet(wanted: bool = True) -> Generator[None]:
    """Lets nothing be said in the block but errors."""
    token = _QUIET.set(wanted)
    try:
        yield
    finally:
        _QUIET.reset(token)
