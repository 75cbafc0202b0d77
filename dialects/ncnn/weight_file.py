"""Where weights lie: slices of files, which are told apart by place and state, never by bytes."""

import errno
import os
import stat
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from enum import Enum
from typing import IO, TYPE_CHECKING, NamedTuple

from xdsl.utils.exceptions import VerifyException

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_MAPPED_BYTES = 1 << 14
"""From so many bytes on a weight is mapped: for fewer a read costs less."""


class WeightError(VerifyException):
    """A weight cannot be had: its file is gone, shorter or changed, or it has no value at all."""


class Storage(Enum):
    """How a slice of a `.bin` holds its elements (ncnn's `src/modelbin.cpp`)."""

    PLAIN = "plain"
    """The elements themselves, little-endian."""
    SCALED = "scaled"
    """float32 elements under the tag 0x0002C056; otherwise the same as plain."""
    TABLE = "table"
    """ncnn's old quantization: a tag, 256 float32 values, then one byte an element that
    indexes them. The offset is that of the tag."""


@dataclass(frozen=True)
class WeightFile:
    """A file of weights, told apart by its place and state, never by its bytes."""

    path: str
    """Absolute; what it is called in messages if it has no name."""
    size: int
    inode: int
    mtime_ns: int

    @staticmethod
    def open(path: str | os.PathLike[str]) -> "WeightFile":
        """The file at this path as it is now. Raises `OSError` if there is none."""
        absolute = os.path.abspath(path)
        if os.path.isdir(absolute):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        state = os.stat(path)
        if not stat.S_ISREG(state.st_mode):  # a pipe would wait for somebody to write into it
            raise OSError(errno.EINVAL, "weights have to be in a regular file", str(path))
        return WeightFile._of(absolute, state)

    @staticmethod
    def _of(path: str, state: os.stat_result) -> "WeightFile":
        return WeightFile(path, state.st_size, state.st_ino, state.st_mtime_ns)

    @property
    def has_name(self) -> bool:
        """Whether others can find it."""
        return True

    def check_unchanged(self) -> None:
        """Raises `WeightError` if the file is not what it was when it was opened."""
        try:
            now = WeightFile.open(self.path)
        except OSError as e:
            raise WeightError(f"weight file '{self.path}' is gone: {e.strerror or e}") from e
        self._check(now)

    def _check(self, now: "WeightFile") -> None:
        if now != self:
            raise WeightError(f"weight file '{self.path}' has changed since it was opened")

    def stream(self) -> IO[bytes]:
        """The file, opened again for reading. Raises `WeightError` if it is not what it was: what
        is opened stays so, whatever takes its place."""
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

    def map(self, offset: int, nbytes: int) -> "NDArray[np.uint8]":
        """These bytes of the file, read-only, mapped if they are many. Raises `WeightError`."""
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
    """Where a weight is in a file. How many elements follow is the type's to say."""

    file: WeightFile
    offset: int
    storage: Storage = Storage.PLAIN


@dataclass(frozen=True)
class _ScratchFile(WeightFile):
    """A file that has no name any more, but is open."""

    handle: IO[bytes] = field(compare=False, repr=False)

    @property
    def has_name(self) -> bool:
        return False

    def check_unchanged(self) -> None:
        pass  # nobody else can get at it

    def stream(self) -> IO[bytes]:
        return os.fdopen(os.dup(self.handle.fileno()), "rb")


class Scratch:
    """A file without a name for weights that passes make, so that they take no memory: as many as
    there are, of a model of any size. Equal weights are one."""

    LEAST = 1 << 18
    """From so many bytes on a weight is put here."""

    def __init__(self) -> None:
        self._handle: IO[bytes] | None = None
        self.size = 0
        """Bytes that are in use."""
        self._known: dict[tuple[bytes, bytes, int], list[WeightSlice]] = {}

    def put(self, data: memoryview) -> WeightSlice:
        """Where these bytes lie from now on. Raises `OSError`."""
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
        """Whether the file has these bytes there. (Python compares views of bytes one by one, and
        bytes many at a time.)"""
        if self._handle is None:
            return False
        for i in range(0, len(data), self.LEAST):
            part = bytes(data[i : i + self.LEAST])
            if os.pread(self._handle.fileno(), len(part), offset + i) != part:
                return False
        return True


SCRATCH: ContextVar[Scratch | None] = ContextVar("scratch", default=None)
"""Where large new weights go; in memory if `None`."""


@contextmanager
def scratch_file() -> Generator[Scratch]:
    """Lets large weights that are made in the block lie in a file, not in memory."""
    scratch = Scratch()
    token = SCRATCH.set(scratch)
    try:
        yield scratch
    finally:
        SCRATCH.reset(token)
