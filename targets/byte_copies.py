"""Copying bytes from file to file, in the kernel where possible, at any size.

Most weights of a model do not change. Their bytes need not pass through this process, and on some
file systems copies share the blocks of the original.
"""

import contextlib
import errno
import os
import stat
from collections.abc import Callable
from typing import IO

_PLAIN = 1 << 20
"""The chunk size of copying without the kernel."""


STEP = 1 << 25
"""The chunk size of early write-back to the disk."""


class TooShort(Exception):
    """The source ended before the end of the range."""


def copy_range(source: int, out: IO[bytes], offset: int, count: int) -> None:
    """Append `count` bytes from `offset` of the open file `source` to `out`, which is at its end.

    Holes in the source become holes in a regular file. Raises `OSError`, and `TooShort` if the
    source has fewer bytes.
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


def begin_writeback(out: IO[bytes], offset: int, count: int) -> None:
    """Start the write-back of this range of a file, so that a final `fsync` has little left to
    do."""
    if hasattr(os, "posix_fadvise"):  # the kernel writes pages back before it drops them
        out.flush()
        with contextlib.suppress(OSError):
            os.posix_fadvise(out.fileno(), offset, count, os.POSIX_FADV_DONTNEED)


def _data(source: int, offset: int, end: int) -> tuple[int, int]:
    """Return the first non-hole part of a range: its start and end; the range's end if there is
    none."""
    if end > os.fstat(source).st_size:
        return offset, end  # the copy will report the error
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
                break  # unsupported; real errors (a full disk) recur below
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
    """Return this system's copy functions, best first. Each copies a number of bytes from an offset
    of a file to the position of another, and returns the number copied."""
    calls: list[Callable[[int, int, int, int], int]] = []
    if hasattr(os, "copy_file_range"):  # within a file system, some of which share blocks
        calls.append(lambda a, b, offset, count: os.copy_file_range(a, b, count, offset))
    if hasattr(os, "sendfile"):  # between file systems; to files on Linux only
        calls.append(lambda a, b, offset, count: os.sendfile(b, a, offset, count))
    return calls
