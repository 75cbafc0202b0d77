"""One message for each mistake of a user's: where, and what."""

import errno
import os

from xdsl.utils.exceptions import (
    DiagnosticException,
    ParseError,
    UnregisteredConstructException,
)

from ..formats.errors import FormatError
from ..interpreters.errors import RunError
from ..targets.overwriting import OutputError
from ..targets.replacing import describe_leftover


class UsageError(Exception):
    """What is asked for cannot be meant."""


class PassError(Exception):
    """A pass that is not ours has raised an exception, which is the cause. The defect is of those
    who wrote the pass: it keeps its traceback on the command line."""


USER_ERRORS = (
    FormatError,
    ParseError,
    DiagnosticException,
    UnregisteredConstructException,
    UsageError,
    OutputError,
    RunError,
    OSError,
)
"""What a user's input can raise. Anything else is a defect of ours and keeps its traceback."""


def describe(error: BaseException, path: str) -> str:
    """The message for one of `USER_ERRORS`; `path` is the input it is about, if it says none."""
    match error:
        case ParseError():
            place = error.span.get_location()
            return f"{place}: {error.msg}"
        case FormatError():
            return str(error) if error.path or not path else f"{path}: {error}"
        case OSError():
            reason = error.strerror or str(error)
            name = error.filename
            if isinstance(name, str) and (left := describe_leftover(name)) is not None:
                reason = f"{reason}; {left}"
            if error.errno == errno.ENOENT and isinstance(name, str):
                folder = os.path.dirname(name)
                if folder and not os.path.isdir(folder):
                    reason = f"there is no folder '{folder}'"
            if error.errno == errno.ENOSPC and not error.filename:
                import tempfile  # seldom needed

                # Whoever writes what was asked for names it.
                folder = tempfile.gettempdir()
                reason += f" for temporary files in '{folder}'; TMPDIR can name another folder"
            return f"{error.filename}: {reason}" if error.filename else reason
        case UsageError() | OutputError() | RunError() | PassError():
            return str(error)
        case _:
            return f"{path}: {error}"
