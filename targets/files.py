"""Writing files so that nothing of the user's is lost: beside the target, then renamed."""

import contextlib
import errno
import os
import stat
import tempfile
from types import TracebackType
from typing import IO, Any


class OutputFiles:
    """A set of files that appear together, when the `with` block ends without an exception.

    Until then each is a temporary file beside its target, so that an error (also a full disk)
    leaves existing files as they were. What is not a regular file (`/dev/null`, a pipe) is
    written to directly.
    """

    def __init__(self) -> None:
        self._open: list[tuple[IO[Any], str | None, str]] = []

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
            self._open.append((stream, None, path))
            return stream
        path = os.path.realpath(path)  # a link stays, its target is replaced
        folder, name = os.path.split(path)
        try:
            handle, temporary = tempfile.mkstemp(prefix=f".{name}.", suffix=".tmp", dir=folder)
        except OSError as e:
            e.filename = path  # the temporary name would say nothing to a user
            raise
        os.chmod(temporary, _mode_for(path))
        stream = os.fdopen(handle, mode, encoding=encoding, newline=newline)
        self._open.append((stream, temporary, path))
        return stream

    def retarget(self, path: str, new_path: str) -> None:
        """Lets the temporary file that was to become `path` become another file beside it."""
        old = os.path.realpath(path)
        self._open = [
            (stream, temporary, os.path.realpath(new_path) if target == old else target)
            for stream, temporary, target in self._open
        ]

    def temporary_of(self, path: str) -> str | None:
        """The temporary file that is to become `path`, complete; `None` if there is none."""
        for stream, temporary, target in self._open:
            if target == os.path.realpath(path):
                stream.flush()
                return temporary
        return None

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if kind is None:
                for stream, temporary, _ in self._open:
                    stream.flush()
                    if temporary is not None:
                        os.fsync(stream.fileno())
                for stream, temporary, path in self._open:
                    stream.close()
                    if temporary is not None:
                        os.replace(temporary, path)
        finally:
            for stream, temporary, _ in self._open:
                with contextlib.suppress(OSError):  # closing flushes, and the disk may be full
                    stream.close()
                if temporary is not None:
                    with contextlib.suppress(FileNotFoundError):
                        os.unlink(temporary)


def _mode_for(path: str) -> int:
    """The permissions of the file that is replaced, or those of a new one."""
    try:
        return stat.S_IMODE(os.stat(path).st_mode)
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
