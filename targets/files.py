"""Writing files so that nothing of the user's is lost: beside the target, then renamed."""

import contextlib
import errno
import os
import re
import stat
import tempfile
from dataclasses import dataclass
from types import TracebackType
from typing import IO, Any

from .replacing import locked, replace_together

try:
    import fcntl
except ImportError:  # not a POSIX system
    fcntl = None


@dataclass
class _Output:
    """A file that is being written."""

    stream: IO[Any]
    temporary: str | None
    """What it is called until the end; `None` if it is written to directly."""
    path: str
    """What it is called then."""


class OutputFiles:
    """A set of files that appear together, when the `with` block ends without an exception.

    Until then each is a temporary file beside its target, so that an error (also a full disk)
    leaves existing files as they were. The file that was created last is the one that refers to the
    others: it is never there with others than its own (see `replacing.py`). What is not a regular
    file (`/dev/null`, a pipe) is written to directly.

    A killed run leaves hidden files `.NAME.….tmp`, which the next one that writes the same file
    removes: a living one holds a lock on them.
    """

    def __init__(self) -> None:
        self._open: list[_Output] = []

    def __enter__(self) -> "OutputFiles":
        return self

    def create(self, path: str, mode: str) -> IO[Any]:
        """A new file for `path`, opened with this mode ("w" or "wb"). Raises `OSError`."""
        encoding = None if "b" in mode else "utf-8"
        newline = None if "b" in mode else "\n"
        if os.path.exists(path) and not os.path.isfile(path):
            if os.path.isdir(path):
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
            stream = open(path, mode, encoding=encoding, newline=newline)
            self._open.append(_Output(stream, None, path))
            return stream
        path = os.path.realpath(path)  # a link stays, its target is replaced
        try:
            handle, temporary = _make_temporary(path)
        except OSError as e:
            e.filename = path  # the temporary name would say nothing to a user
            raise
        stream = os.fdopen(handle, mode, encoding=encoding, newline=newline)
        self._open.append(_Output(stream, temporary, path))
        os.chmod(temporary, _mode_for(path))
        return stream

    def retarget(self, path: str, new_path: str) -> None:
        """Lets the temporary file that was to become `path` become another file beside it."""
        old = os.path.realpath(path)
        for output in self._open:
            if output.path == old:
                output.path = os.path.realpath(new_path)

    def temporary_of(self, path: str) -> str | None:
        """The temporary file that is to become `path`, complete; `None` if there is none."""
        for output in self._open:
            if output.path == os.path.realpath(path):
                output.stream.flush()
                return output.temporary
        return None

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if kind is None:
                self._finish()
        finally:
            for output in self._open:
                with contextlib.suppress(OSError):  # closing flushes, and the disk may be full
                    output.stream.close()
                if output.temporary is not None:
                    with contextlib.suppress(FileNotFoundError):
                        os.unlink(output.temporary)

    def _finish(self) -> None:
        """Has all on the disk, then lets it appear."""
        for output in self._open:
            output.stream.flush()
            if output.temporary is not None:
                os.fsync(output.stream.fileno())
        ready = [(o.temporary, o.path) for o in self._open if o.temporary is not None]
        if ready:
            replace_together(ready)


def _make_temporary(path: str) -> tuple[int, str]:
    """A new file beside `path`, open and locked. Removes those that killed runs have left."""
    folder, name = os.path.split(path)
    prefix, suffix = f".{name}.", ".tmp"
    with locked([folder]):
        _remove_abandoned(folder, prefix, suffix)
        handle, temporary = tempfile.mkstemp(prefix=prefix, suffix=suffix, dir=folder)
        _lock_file(handle)
    return handle, temporary


def _remove_abandoned(folder: str, prefix: str, suffix: str) -> None:
    """Removes temporary files for one path that no process is writing any more."""
    if fcntl is None:
        return
    form = re.compile(re.escape(prefix) + "[a-z0-9_]{8}" + re.escape(suffix))
    with contextlib.suppress(OSError):
        for name in filter(form.fullmatch, os.listdir(folder)):
            other = os.path.join(folder, name)
            with contextlib.suppress(OSError):
                handle = os.open(other, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
                try:
                    if stat.S_ISREG(os.fstat(handle).st_mode) and _lock_file(handle):
                        os.unlink(other)
                finally:
                    os.close(handle)


def _lock_file(handle: int) -> bool:
    """Locks an open file as long as it is open; whether that was possible."""
    if fcntl is None:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _mode_for(path: str) -> int:
    """The permissions of the file that is replaced, or those of a new one."""
    try:
        return stat.S_IMODE(os.stat(path).st_mode)
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
