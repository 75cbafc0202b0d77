"""Processes that are killed at each of their file operations, one after the other.

Run as a program, this file is a small process, of which a fork costs little (`Writer`).
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ncnn_opt.targets.atomic_files import OutputFiles

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


def writing(folder: Path, files: Mapping[str, str]) -> Callable[[], None]:
    """Writes texts to files in the folder, as results of one run."""

    def write() -> None:
        with OutputFiles() as outputs:
            for name, text in files.items():
                outputs.create(str(folder / name), "w").write(text)

    return write


def refuse(*_: object) -> None:
    """A hard link on a file system that has none."""
    raise PermissionError(1, "Operation not permitted")


class Writer:
    """A process whose forks write files until they are killed."""

    def __init__(self, links: bool) -> None:
        program = [sys.executable, __file__, *([] if links else ["without links"])]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(program, stdin=pipe, stdout=pipe, text=True)

    def run_until(self, last: int, folder: Path, files: Mapping[str, str]) -> bool:
        """`run_until` of `writing`."""
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        print(json.dumps([last, str(folder), files]), file=process.stdin, flush=True)
        return json.loads(process.stdout.readline())

    def stop(self) -> None:
        self._process.communicate()


def main() -> None:
    os.fsync = int  # the disk itself plays no part
    if sys.argv[1:] == ["without links"]:
        os.link = refuse
    for line in sys.stdin:
        last, folder, files = json.loads(line)
        print(json.dumps(run_until(last, writing(Path(folder), files))), flush=True)


if __name__ == "__main__":
    main()
