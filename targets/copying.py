"""Bytes from file to file, moved by the kernel where it can: their number does not matter."""

import contextlib
import errno
import os
import stat
from collections.abc import Callable
from typing import IO

_PLAIN = 1 << 20
"""Bytes that are read and written at once where the kernel does not copy."""


STEP = 1 << 25
"""So many bytes at a time begin their way to the disk."""


class TooShort(Exception):
    """The source ended before the range to copy did."""


def copy_range(source: int, out: IO[bytes], offset: int, count: int) -> None:
    """Appends `count` bytes from `offset` of the open file `source` to `out`, which is at its end.

    What takes no room in the source takes none in a regular file. Raises `OSError`, and `TooShort`
    where the source has fewer bytes.
    """
    target = out.fileno()
    sparse = stat.S_ISREG(os.fstat(target).st_mode) and hasattr(os, "SEEK_HOLE")
    end = offset + count
    while offset < end:
        out.flush()
        start, stop = _data(source, offset, end) if sparse else (offset, end)
        if start > offset:
            os.ftruncate(target, os.lseek(target, start - offset, os.SEEK_CUR))
        _copy_data(source, out, start, stop)
        offset = stop


def begin_writing(out: IO[bytes], offset: int, count: int) -> None:
    """Lets the system bring this range of a file to the disk while more of it is made: an `fsync`
    at the end then finds little left to do."""
    if hasattr(os, "posix_fadvise"):  # to give up pages, it has to write them
        out.flush()
        with contextlib.suppress(OSError):
            os.posix_fadvise(out.fileno(), offset, count, os.POSIX_FADV_DONTNEED)


def _data(source: int, offset: int, end: int) -> tuple[int, int]:
    """The first part of a range that is no hole: where it begins and ends; at the range's end, if
    there is none."""
    if end > os.fstat(source).st_size:
        return offset, end  # copying it will tell
    try:
        start = os.lseek(source, offset, os.SEEK_DATA)
    except OSError as e:
        return (end, end) if e.errno == errno.ENXIO else (offset, end)
    if start >= end:
        return end, end
    return start, min(end, os.lseek(source, start, os.SEEK_HOLE))


def _copy_data(source: int, out: IO[bytes], start: int, stop: int) -> None:
    for move in _kernel_calls():
        while start < stop:
            try:
                moved = move(source, out.fileno(), start, stop - start)
            except OSError:
                break  # it cannot; a real error (a full disk) comes up again below
            if moved == 0:
                break
            start += moved
    while start < stop:
        chunk = os.pread(source, min(_PLAIN, stop - start), start)
        if not chunk:
            raise TooShort
        out.write(chunk)
        start += len(chunk)


def _kernel_calls() -> list[Callable[[int, int, int, int], int]]:
    """What this system has for the purpose, the best first: from a file and an offset to the place
    where another file is, so many bytes; returns how many were moved."""
    calls: list[Callable[[int, int, int, int], int]] = []
    if hasattr(os, "copy_file_range"):  # within a file system, where some share the blocks
        calls.append(lambda a, b, offset, count: os.copy_file_range(a, b, count, offset))
    if hasattr(os, "sendfile"):  # between file systems; to files on Linux only
        calls.append(lambda a, b, offset, count: os.sendfile(b, a, offset, count))
    return calls
