"""Errors of users, and their messages: place, problem, remedy.

A command prints one message for each of `USER_ERRORS` and exits with status 1. Any other exception
is an error of this program.
"""

import errno
import os

from xdsl.utils.exceptions import DiagnosticException, ParseError, UnregisteredConstructException

from ..formats.errors import FormatError, UsageError
from ..interpreters.errors import RunError
from ..targets.output_checks import OutputError
from ..targets.replacement import describe_leftover


class PassError(Exception):
    """An exception, the cause, in a pass of another package. The command line shows its traceback,
    because the defect is in that package."""


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
"""Errors that a user's input can raise. Any other exception is our defect and keeps its
traceback."""


def describe(error: BaseException, path: str) -> str:
    """Return the message for one of `USER_ERRORS`. `path` is the input, for errors that do not name
    a file."""
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

                # Writers of output files name the file; only temporary files have no name.
                folder = tempfile.gettempdir()
                reason += f" for temporary files in '{folder}'; TMPDIR can name another folder"
            return f"{error.filename}: {reason}" if error.filename else reason
        case UsageError() | OutputError() | RunError() | PassError():
            return str(error)
        case _:
            return f"{path}: {error}" if path else str(error)
