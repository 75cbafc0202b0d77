"""Processes that are killed at each of their file operations, one after the other."""

import os
import sys
from collections.abc import Callable
from typing import Any

KILLED = 137

OPERATIONS = (
    *("replace", "rename", "link", "unlink", "fsync", "open", "close", "chmod", "chown"),
    *("copy_file_range", "sendfile"),
)
"""Of the module `os`: what changes files or their names, or has them on the disk."""


class Script:
    """Ends the process before its operation number `last`, from 0 on."""

    def __init__(self, last: int) -> None:
        self.last = last
        self.done = 0

    def before(self, operation: Callable[..., Any]) -> Callable[..., Any]:
        """The operation as it is from now on."""

        def call(*args: Any, **kwargs: Any) -> Any:
            if self.done == self.last:
                os._exit(KILLED)
            self.done += 1
            return operation(*args, **kwargs)

        return call

    def install(self) -> None:
        """Lets all operations count."""
        for name in OPERATIONS:
            if hasattr(os, name):
                setattr(os, name, self.before(getattr(os, name)))


def run_until(last: int, action: Callable[[], object]) -> bool:
    """Runs the action in a process that is killed before its operation of this number; returns
    whether it ended before."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            Script(last).install()
            action()
            status = 0
        except BaseException as e:
            print(f"in the process: {e!r}", file=sys.stderr)
        finally:
            os._exit(status)
    _, waited = os.waitpid(child, 0)
    status = os.waitstatus_to_exitcode(waited)
    assert status in (0, KILLED), status
    return status == 0
