"""Replacement of old files by new ones, such that a kill at any moment harms no model.

A model is a graph (`.param` or `.mlir`) and its weights (`.bin`). A rename replaces one file
atomically, but no system call replaces two, so the graph is removed first and added last:

1. the old graph is renamed to `NAME.ncnn-opt-saved`;
2. the old weights get a second name likewise (by a link, or by a rename where links are not
   supported); an empty file `NAME.ncnn-opt-none` marks that there were none;
3. the new weights are renamed to their place;
4. the new graph is renamed to its place: the new model is now valid;
5. the saved files are removed.

Each step is on the disk before the next begins. So at any moment

- a graph is in its place only if the weights beside it are its own, old or new;
- until the new graph is in its place, all old files exist, in their place or as saved files.

The next run that writes the same files repairs the state after a kill (`restore`); a run that would
read them reports it (`describe_leftover`).
"""

import contextlib
import errno
import os
import time
from collections.abc import Callable, Generator, Sequence

try:
    import fcntl
except ImportError:  # not a POSIX system
    fcntl = None

SAVED = ".ncnn-opt-saved"
"""The suffix of an old file while its model is being replaced."""

NONE = ".ncnn-opt-none"
"""The suffix of a file that marks a missing old file."""

LOCK_SECONDS = 20.0
"""The time limit of waiting for another process that replaces files in the same folder."""

_CANNOT_SYNC = {
    *(errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP),
    *(errno.EBADF, errno.EACCES, errno.EPERM),
}
"""The errors of file systems (and folders) that do not support syncing."""


def replace_together(
    files: Sequence[tuple[str, str]], check: Callable[[], None] | None = None
) -> None:
    """Rename each new file (first of a pair) to its place (second). The last is the graph, which
    must not appear beside files of another model; the order of the others does not matter.

    The new files must be on the disk, each in the folder of its place. `check` is called under the
    folders' locks before any change. Raises `OSError` and the exceptions of `check`; the old files
    are then unchanged.
    """
    places = [place for _, place in files]
    folders = sorted({os.path.dirname(place) for place in places})
    with locked(folders):
        if check is not None:
            check()
        if len(files) == 1:
            os.replace(*files[0])
            _sync(folders)
            _remove_saved(places)
            return
        restore(places)
        try:
            _replace(files, folders)
        except BaseException:
            with contextlib.suppress(OSError):  # as far as the file system allows
                new_graph, graph = files[-1]
                if not os.path.lexists(new_graph):
                    os.replace(graph, new_graph)
                restore(places)
            raise
        _remove_saved(places)


def _replace(files: Sequence[tuple[str, str]], folders: Sequence[str]) -> None:
    """Steps 1 to 4."""
    *others, (new_graph, graph) = files
    for _, place in files:
        if os.path.isdir(place):  # a rename would move all that is in it
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), place)
    if os.path.lexists(graph):
        os.rename(graph, graph + SAVED)
        _sync(folders)
    for _, place in others:
        _save(place)
    _sync(folders)
    for new, place in others:
        os.replace(new, place)
    _sync(folders)
    os.replace(new_graph, graph)
    _sync(folders)


def _save(place: str) -> None:
    if not os.path.lexists(place):
        os.close(os.open(place + NONE, os.O_WRONLY | os.O_CREAT, 0o666))
        return
    try:
        os.link(place, place + SAVED)
    except OSError:
        os.rename(place, place + SAVED)


def restore(places: Sequence[str]) -> None:
    """Undo an interrupted replacement of these files; the last is the graph.

    If the graph is in its place, the files beside it are its own and saved ones are obsolete.
    Otherwise the others are restored, then the graph. A kill in between is harmless. Raises
    `OSError`.
    """
    *others, graph = places
    if not os.path.lexists(graph):
        for place in others:
            if os.path.lexists(place + SAVED):
                os.replace(place + SAVED, place)
            elif os.path.lexists(place + NONE):
                _remove(place)
        with contextlib.suppress(OSError):  # a failing disk: no better remedy exists
            _sync(sorted({os.path.dirname(place) for place in others}))
        if os.path.lexists(graph + SAVED):
            os.replace(graph + SAVED, graph)
    _remove_saved(places)


def _remove_saved(places: Sequence[str]) -> None:
    """Remove the files of `_save`. (One may be a hard link of the file in its place; renaming to
    there then has no effect.)"""
    for place in places:
        _remove(place + SAVED)
        _remove(place + NONE)


def _remove(path: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)


def describe_leftover(path: str) -> str | None:
    """Describe the location of a file that is missing because its replacement was killed, or is in
    progress; `None` otherwise."""
    place = os.path.realpath(path) if os.path.islink(path) else path
    if os.path.lexists(place) or not os.path.lexists(place + SAVED):
        return None
    try:
        with locked([os.path.dirname(place)], seconds=0):
            if os.path.lexists(place):
                return "another command has just replaced it"
    except TimeoutError:
        return "another command is replacing it"
    return f"a run that was to replace it was killed, and left it as '{place}{SAVED}'"


@contextlib.contextmanager
def locked(folders: Sequence[str], seconds: float = LOCK_SECONDS) -> Generator[None]:
    """Hold exclusive locks on these folders in the block. If the file system or operating system
    has no locks, only run the block. Raises `TimeoutError`."""
    handles: list[int] = []
    try:
        for folder in sorted(set(folders)):
            handle = _lock(folder, seconds)
            if handle is not None:
                handles.append(handle)
        yield
    finally:
        for handle in handles:
            os.close(handle)


def _lock(folder: str, seconds: float) -> int | None:
    if fcntl is None:
        return None
    try:
        handle = os.open(folder or ".", os.O_RDONLY)
    except OSError:
        return None  # later operations there will report the error
    end = time.monotonic() + seconds
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return handle
        except BlockingIOError as e:
            if time.monotonic() < end:
                time.sleep(0.01)
                continue
            os.close(handle)
            reason = "another process has locked this folder for too long"
            raise TimeoutError(errno.ETIMEDOUT, reason, folder or ".") from e
        except OSError:
            return handle  # no locks here


def _sync(folders: Sequence[str]) -> None:
    """Flush the names in these folders to the disk, where folders support that. Raises `OSError` if
    the disk fails."""
    for folder in folders:
        try:
            handle = os.open(folder or ".", os.O_RDONLY)
        except OSError:
            continue  # a folder that is writable but not readable
        try:
            sync(handle)
        finally:
            os.close(handle)


def sync(handle: int) -> None:
    """Flush an open file or folder to the disk, if the file system supports that. Raises `OSError`
    if the disk fails or is full."""
    try:
        os.fsync(handle)
    except OSError as e:
        if e.errno not in _CANNOT_SYNC:
            raise
