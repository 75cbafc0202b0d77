"""A guard around xDSL's parser and verifier.

xDSL 0.74: both report most errors by documented exceptions, but some texts cause a `KeyError`, an
`OverflowError` or the like.
"""

from collections.abc import Generator
from contextlib import contextmanager


class UndocumentedError(Exception):
    """An exception that xDSL does not document; the message describes it."""


@contextmanager
def guarded(documented: tuple[type[BaseException], ...]) -> Generator[None]:
    """Turn exceptions from xDSL's code in the block into `UndocumentedError`, except `documented`.
    Exceptions from this project's code are defects and propagate unchanged."""
    try:
        yield
    except (*documented, MemoryError):
        raise
    except RecursionError as e:
        raise UndocumentedError(": it is nested too deeply") from e
    except Exception as e:
        if not _is_from_xdsl(e):
            raise
        reason = f"{type(e).__name__}: {e}".rstrip(": ")
        raise UndocumentedError(f" ({reason})") from e


def _is_from_xdsl(error: Exception) -> bool:
    """Whether an exception was raised in xDSL's code."""
    trace = error.__traceback__
    module = ""
    while trace is not None:
        module = str(trace.tb_frame.f_globals.get("__name__", ""))
        trace = trace.tb_next
    return module.split(".")[0] == "xdsl"
