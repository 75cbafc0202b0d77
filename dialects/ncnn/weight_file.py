"""Locations of weights: slices of files. A file's identity is its path and state, never its
bytes."""

import errno
import os
import stat
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, NamedTuple

from xdsl.utils.exceptions import VerifyException

from ...formats.weight_storage import SliceLayout

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_MAPPED_BYTES = 1 << 14
"""The size in bytes from which a weight is mapped; reading is faster below."""


class WeightError(VerifyException):
    """A weight is unavailable: its file is missing, truncated or changed, or it has no values."""


@dataclass(frozen=True)
class WeightFile:
    """A file of weights, identified by its path and state, never by its bytes."""

    path: str
    """An absolute path, or a description for messages if the file is unnamed."""
    size: int
    inode: int
    mtime_ns: int

    @staticmethod
    def open(path: str | os.PathLike[str]) -> "WeightFile":
        """Open the file at this path in its present state. Raises `OSError` if it is missing."""
        absolute = os.path.abspath(path)
        if os.path.isdir(absolute):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        state = os.stat(path)
        if not stat.S_ISREG(state.st_mode):  # a pipe would block
            raise OSError(errno.EINVAL, "weights must be in a regular file", str(path))
        return WeightFile._of(absolute, state)

    @staticmethod
    def _of(path: str, state: os.stat_result) -> "WeightFile":
        return WeightFile(path, state.st_size, state.st_ino, state.st_mtime_ns)

    @property
    def has_name(self) -> bool:
        """Whether other processes can open the file by name."""
        return True

    def check_unchanged(self) -> None:
        """Raise `WeightError` if the file has changed since it was opened."""
        try:
            now = WeightFile.open(self.path)
        except OSError as e:
            raise WeightError(f"weight file '{self.path}' is gone: {e.strerror or e}") from e
        self._check(now)

    def _check(self, now: "WeightFile") -> None:
        if now != self:
            raise WeightError(f"weight file '{self.path}' has changed since it was opened")

    def stream(self) -> IO[bytes]:
        """Reopen the file for reading. The stream stays valid if the path is replaced. Raises
        `WeightError` if the file has changed."""
        try:
            file = open(self.path, "rb")
        except OSError as e:
            raise WeightError(f"weight file '{self.path}' is gone: {e.strerror or e}") from e
        try:
            self._check(WeightFile._of(self.path, os.fstat(file.fileno())))
        except BaseException:
            file.close()
            raise
        return file

    def detached(self) -> "WeightFile":
        """Return the file as one without a name, which stays readable after its path is removed.
        Raises `WeightError`."""
        return _ScratchFile("(in memory)", self.size, 0, 0, self.stream())

    def map(self, offset: int, nbytes: int) -> "NDArray[np.uint8]":
        """Return these bytes of the file, read-only; large slices are mapped. Raises
        `WeightError`."""
        import numpy as np

        with self.stream() as file:
            if offset + nbytes > self.size:
                raise WeightError(
                    f"weight file '{self.path}' has {self.size} bytes, {offset + nbytes} are needed"
                )
            if nbytes < _MAPPED_BYTES:  # (an empty slice cannot be mapped)
                return np.frombuffer(os.pread(file.fileno(), nbytes, offset), np.uint8)
            return np.memmap(file, np.uint8, "r", offset, (nbytes,))


class WeightSlice(NamedTuple):
    """The location of a weight in a file. The type gives the number of elements."""

    file: WeightFile
    offset: int
    layout: SliceLayout = SliceLayout.PLAIN


@dataclass(frozen=True)
class _ScratchFile(WeightFile):
    """An open file without a name."""

    handle: IO[bytes] = field(compare=False, repr=False)

    @property
    def has_name(self) -> bool:
        return False

    def check_unchanged(self) -> None:
        pass  # no other process can change it

    def stream(self) -> IO[bytes]:
        return os.fdopen(os.dup(self.handle.fileno()), "rb")


class Scratch:
    """An unnamed temporary file for weights that passes create, to save memory. Equal weights are
    stored once."""

    LEAST = 1 << 18
    """The size in bytes from which a weight is stored here."""

    def __init__(self) -> None:
        self._handle: IO[bytes] | None = None
        self.size = 0
        """The number of bytes in use."""
        self._known: dict[tuple[bytes, bytes, int], list[WeightSlice]] = {}

    def put(self, data: memoryview) -> WeightSlice:
        """Store these bytes and return their location. Raises `OSError`."""
        ends = (bytes(data[:64]), bytes(data[-64:]), len(data))
        alike = self._known.setdefault(ends, [])
        for known in alike:
            if self._holds(known.offset, data):
                return known
        if self._handle is None:
            from tempfile import TemporaryFile

            self._handle = TemporaryFile()
        offset, written = self.size, 0
        while written < len(data):
            written += os.pwrite(self._handle.fileno(), data[written:], offset + written)
        self.size += len(data)
        file = _ScratchFile("(scratch)", self.size, 0, 0, self._handle)
        alike.append(WeightSlice(file, offset))
        return alike[-1]

    def _holds(self, offset: int, data: memoryview) -> bool:
        """Whether the file has these bytes at an offset. (Python compares memory views byte by
        byte, but bytes objects fast.)"""
        if self._handle is None:
            return False
        for i in range(0, len(data), self.LEAST):
            part = bytes(data[i : i + self.LEAST])
            if os.pread(self._handle.fileno(), len(part), offset + i) != part:
                return False
        return True


SCRATCH: ContextVar[Scratch | None] = ContextVar("scratch", default=None)
"""The storage of large new weights; memory if `None`."""


@contextmanager
def scratch_file() -> Generator[Scratch]:
    """Store large new weights in a temporary file inside the block."""
    scratch = Scratch()
    token = SCRATCH.set(scratch)
    try:
        yield scratch
    finally:
        SCRATCH.reset(token)
