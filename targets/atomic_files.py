"""Atomic writing of files: into temporary files, which are renamed at the end.

A full disk, an error or Ctrl-C leaves all old files as they were, and no temporary file.
"""

import contextlib
import errno
import os
import re
import signal
import stat
from collections.abc import Callable, Generator
from dataclasses import dataclass
from types import TracebackType
from typing import IO, Any

from .replacement import NONE, SAVED, locked, replace_together, sync

try:
    import fcntl
except ImportError:  # not a POSIX system
    fcntl = None

_STANDARD = {"/dev/stdin": 0, "/dev/stdout": 1, "/dev/stderr": 2}


@dataclass
class _Output:
    """A file that is being written."""

    stream: IO[Any]
    temporary: str | None
    """The temporary file; `None` if the path is written directly."""
    path: str
    """The final path."""


class OutputFiles:
    """A set of files that appear together when the `with` block ends without an exception.

    Until then each is a temporary file beside its target, so that an error (also a full disk)
    leaves existing files unchanged. The file created last refers to the others: it never appears
    beside files of another model (see `replacement.py`). Paths that are not regular files
    (`/dev/null`, a pipe), or are already open (`/dev/stdout`), are written directly.

    A killed run leaves hidden files `.NAME.….tmp`. The next run that writes the same file removes
    them; running processes hold locks on theirs.
    """

    def __init__(self) -> None:
        self._open: list[_Output] = []
        self._checks: list[Callable[[], None]] = []

    def __enter__(self) -> "OutputFiles":
        return self

    def create(self, path: str, mode: str) -> IO[Any]:
        """Create a file for `path`, opened in this mode ("w" or "wb"). Raises `OSError`."""
        encoding = None if "b" in mode else "utf-8"
        newline = None if "b" in mode else "\n"
        if (number := descriptor_of(path)) is not None:
            with _named(path):
                stream = os.fdopen(os.dup(number), mode, encoding=encoding, newline=newline)
            self._open.append(_Output(stream, None, path))
            return stream
        if not path:  # its real path is that of the working directory
            raise FileNotFoundError(errno.ENOENT, "the name of the output is empty")
        if os.path.exists(path) and not os.path.isfile(path):
            if os.path.isdir(path):
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
            stream = open(path, mode, encoding=encoding, newline=newline)
            self._open.append(_Output(stream, None, path))
            return stream
        given, path = path, os.path.realpath(path)  # a link is kept, its target is replaced
        with _named(given), _delayed_signals() as delay:
            handle, temporary = _make_temporary(path, delay)
            stream = os.fdopen(handle, mode, encoding=encoding, newline=newline)
            self._open.append(_Output(stream, temporary, path))
        return stream

    def before_replacing(self, check: Callable[[], None]) -> None:
        """Call `check` now, and again when all files are written and none is replaced yet, under
        the folders' locks. An exception keeps all files unchanged."""
        check()  # a slow check should fail before others have to wait
        self._checks.append(check)

    def retarget(self, path: str, new_path: str) -> None:
        """Change the final path of a temporary file to another one in the same folder."""
        old = os.path.realpath(path)
        for output in self._open:
            if output.path == old:
                output.path = os.path.realpath(new_path)

    def temporary_of(self, path: str) -> str | None:
        """Return the complete temporary file of `path`; `None` if there is none."""
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
                    with contextlib.suppress(OSError):  # gone, or owned by another process
                        os.unlink(output.temporary)
            self._open.clear()

    def _finish(self) -> None:
        """Flush all files to the disk, then make them appear."""
        for output in self._open:
            output.stream.flush()
            if output.temporary is not None:
                with _named(output.path):
                    sync(output.stream.fileno())
        ready = [(o.temporary, o.path) for o in self._open if o.temporary is not None]
        if not ready:
            return
        try:
            replace_together(ready, self._check)
        except OSError as e:
            for temporary, path in ready:
                if e.filename in (temporary, path + SAVED, path + NONE):
                    e.filename = path  # temporary names mean nothing to a user
            raise

    def _check(self) -> None:
        for check in self._checks:
            check()


def write_file(path: str, content: str | bytes) -> None:
    """Write a file completely or not at all. Raises `OSError`."""
    with naming(path), OutputFiles() as files:
        files.create(path, "w" if isinstance(content, str) else "wb").write(content)


def descriptor_of(path: str) -> int | None:
    """Return the open file behind a path like `/dev/stdout` or `/dev/fd/3`. (It may be a regular
    file with other content, so it must not be replaced.)"""
    if os.name != "posix":
        return None
    found = re.fullmatch(r"/(?:dev|proc/self)/fd/(\d{1,9})", os.path.normpath(path))
    return int(found[1]) if found else _STANDARD.get(os.path.normpath(path))


def check_writable(*paths: str) -> None:
    """Raise `OSError` if there can be no file at one of these paths. Called before long work, whose
    result would be lost."""
    for path in paths:
        if os.path.isdir(path):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
        if descriptor_of(path) is not None or (os.path.exists(path) and not os.path.isfile(path)):
            continue  # a device or a pipe
        folder = os.path.dirname(os.path.realpath(path))
        if not os.path.isdir(folder):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
        if not os.access(folder, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)


@contextlib.contextmanager
def naming(path: str) -> Generator[None]:
    """Add the output's name to write errors without a file name (a full disk)."""
    try:
        yield
    except OSError as e:
        if e.filename is None:
            e.filename = path
        raise


@contextlib.contextmanager
def _named(path: str) -> Generator[None]:
    """Replace the file name in errors of the block by the user's name."""
    try:
        yield
    except OSError as e:
        e.filename = path
        raise


@contextlib.contextmanager
def _delayed_signals() -> Generator[Callable[[], object]]:
    """Yield a function that delays the signals that end a command until the end of the block. A
    signal between the creation of a file and its registration would leave the file behind."""
    if not hasattr(signal, "pthread_sigmask"):  # not a POSIX system
        yield lambda: None
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    ending = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    try:
        yield lambda: signal.pthread_sigmask(signal.SIG_BLOCK, ending)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _make_temporary(path: str, delay: Callable[[], object]) -> tuple[int, str]:
    """Create a file beside `path`, open and locked, with the permissions of the file that it
    replaces. Remove the leftovers of killed runs. Call `delay` before the file exists, but not
    while other commands hold the folder's lock."""
    folder, name = os.path.split(path)
    _check_name(folder, name)
    prefix, suffix = f".{name}.", ".tmp"
    try:
        old = os.stat(path)
    except FileNotFoundError:
        old = None
    with locked([folder]):
        _remove_abandoned(folder, prefix, suffix)
        delay()
        # No other user can open it until it has the old file's owner and permissions.
        handle, temporary = _create(os.path.join(folder, prefix), suffix, 0o600 if old else 0o666)
        _lock_file(handle)
    if old is not None:
        _inherit(handle, temporary, old)
    return handle, temporary


def _check_name(folder: str, name: str) -> None:
    """Raise `OSError` if a name is too long for the temporary names derived from it."""
    longest = 255
    with contextlib.suppress(OSError, AttributeError, ValueError):
        longest = os.pathconf(folder or ".", "PC_NAME_MAX")
    if len(os.fsencode(name)) + len(SAVED) > longest:
        reason = f"the name is too long: the limit is {longest - len(SAVED)} bytes"
        raise OSError(errno.ENAMETOOLONG, reason)


def _create(start: str, suffix: str, mode: int) -> tuple[int, str]:
    """Create a file with this name prefix and suffix."""
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    while True:
        path = f"{start}{os.urandom(4).hex()}{suffix}"
        with contextlib.suppress(FileExistsError):
            return os.open(path, flags, mode), path


def _inherit(handle: int, path: str, old: os.stat_result) -> None:
    """Copy owner and permissions of an old file to a new one, as far as possible."""
    mode = stat.S_IMODE(old.st_mode)
    if hasattr(os, "chown"):
        for user in (old.st_uid, -1):
            with contextlib.suppress(OSError):  # only the superuser may change owners
                os.chown(path, user, old.st_gid)
                break
        if os.fstat(handle).st_gid != old.st_gid:
            mode &= ~0o070 | (mode & 0o007) << 3  # the new group gets others' permissions
    with contextlib.suppress(OSError):  # some file systems have no permissions
        os.chmod(path, mode)


def _remove_abandoned(folder: str, prefix: str, suffix: str) -> None:
    """Remove temporary files of a path that no process writes any more."""
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
    """Lock an open file until it is closed. Return whether that succeeded."""
    if fcntl is None:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
