"""Putting new files in the place of old ones, so that a kill at any moment harms no model.

A model is a graph (`.param` or `.mlir`) and its weights (`.bin`). A rename replaces one file at
once, but no system call replaces two, so the graph goes first and comes last:

1. the old graph is renamed to `NAME.ncnn-opt-saved`;
2. the old weights get a second name likewise (by a link; where there are no links, they are
   renamed); where there are none, an empty file `NAME.ncnn-opt-none` says so;
3. the new weights are renamed to their place;
4. the new graph is renamed to its place: from here on the new model counts;
5. the saved files are removed.

Each step is on the disk before the next begins. So at any moment

- a graph stands in its place only if the weights beside it are its own, the old or the new;
- until the new graph does, all that was there is there, in its place or as a saved file.

What a killed run leaves is found by the next one that writes the same files (`restore`), and told
to one that would read them (`describe_leftover`).
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
"""What the name of an old file ends with while its model is being replaced."""

NONE = ".ncnn-opt-none"
"""What the name of a file ends with that says that there was no old one."""

LOCK_SECONDS = 20.0
"""How long to wait for another process that replaces files in the same folder."""

_CANNOT_SYNC = {
    *(errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP),
    *(errno.EBADF, errno.EACCES, errno.EPERM),
}
"""Errors of file systems (and folders) that cannot be asked to bring anything to the disk."""


def replace_together(
    files: Sequence[tuple[str, str]], check: Callable[[], None] | None = None
) -> None:
    """Renames each new file (first of a pair) to its place (second). The last is the graph, which
    must not stand beside other files than its own; the order of the others does not matter.

    The new files must be on the disk, each in the folder of its place. `check` is called when
    nobody else replaces anything there, and before anything changes. Raises `OSError`, and what
    `check` raises; all is then as it was, but for new files.
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
            with contextlib.suppress(OSError):  # as far as the file system lets us
                new_graph, graph = files[-1]
                if not os.path.lexists(new_graph):
                    os.replace(graph, new_graph)
                restore(places)
            raise
        _remove_saved(places)


def _replace(files: Sequence[tuple[str, str]], folders: Sequence[str]) -> None:
    """Steps 1 to 4."""
    *others, (new_graph, graph) = files
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
    """Undoes what a killed run has left of replacing these files; the last is the graph.

    If the graph is in its place, the files beside it are its own, and saved ones are too old. If it
    is not, the others become what they were, then the graph. A kill in between does no harm. Raises
    `OSError`.
    """
    *others, graph = places
    if not os.path.lexists(graph):
        for place in others:
            if os.path.lexists(place + SAVED):
                os.replace(place + SAVED, place)
            elif os.path.lexists(place + NONE):
                _remove(place)
        with contextlib.suppress(OSError):  # a disk that fails: there is nothing better to do
            _sync(sorted({os.path.dirname(place) for place in others}))
        if os.path.lexists(graph + SAVED):
            os.replace(graph + SAVED, graph)
    _remove_saved(places)


def _remove_saved(places: Sequence[str]) -> None:
    """Removes what `_save` makes. (It may be another name of the file in its place, in which case a
    rename to there does nothing.)"""
    for place in places:
        _remove(place + SAVED)
        _remove(place + NONE)


def _remove(path: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)


def describe_leftover(path: str) -> str | None:
    """Where a file is that is not in its place because a run that was to replace it was killed, or
    is at it; `None` if that is not so."""
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
    """Within the block no other process that asks for these folders has them. Without locks on the
    file system or in the operating system the block just runs. Raises `TimeoutError`."""
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
        return None  # what is to be done there will say why
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
            reason = "another process has had a lock on this folder for too long"
            raise TimeoutError(errno.ETIMEDOUT, reason, folder or ".") from e
        except OSError:
            return handle  # no locks here


def _sync(folders: Sequence[str]) -> None:
    """Has the names in these folders on the disk, where folders can be synchronized. Raises
    `OSError` if the disk fails."""
    for folder in folders:
        try:
            handle = os.open(folder or ".", os.O_RDONLY)
        except OSError:
            continue  # one that may be written, but not read
        try:
            sync(handle)
        finally:
            os.close(handle)


def sync(handle: int) -> None:
    """Has an open file or folder on the disk, if the file system can be asked for that. Raises
    `OSError` if the disk fails or is full."""
    try:
        os.fsync(handle)
    except OSError as e:
        if e.errno not in _CANNOT_SYNC:
            raise
