"""xDSL's parser and verifier behind a guard.

xDSL 0.74: both say most of what is wrong in errors of their own, but for some texts they end in a
`KeyError`, an `OverflowError` or the like.
"""

from collections.abc import Generator
from contextlib import contextmanager


class Unmeant(Exception):
    """What xDSL did not mean to raise; the message says what it was."""


@contextmanager
def guarded(meant: tuple[type[BaseException], ...]) -> Generator[None]:
    """Makes an `Unmeant` of what xDSL does not mean to raise in the block, but for `meant`. What
    our own code does not mean to raise is a defect and leaves as it is."""
    try:
        yield
    except (*meant, MemoryError):
        raise
    except RecursionError as e:
        raise Unmeant(": it is nested too deeply") from e
    except Exception as e:
        if not _is_from_xdsl(e):
            raise
        reason = f"{type(e).__name__}: {e}".rstrip(": ")
        raise Unmeant(f" ({reason})") from e


def _is_from_xdsl(error: Exception) -> bool:
    """Whether an exception was raised in code of xDSL's."""
    trace = error.__traceback__
    module = ""
    while trace is not None:
        module = str(trace.tb_frame.f_globals.get("__name__", ""))
        trace = trace.tb_next
    return module.split(".")[0] == "xdsl"
