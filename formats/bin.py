"""The `.bin` weight file: a sequence of weights in layer order (ncnn's src/modelbin.cpp).

A weight is a sequence of elements, padded to 4 bytes. A *plain* weight is float32 only; a *packed*
weight is bytes (integers of 4, 6 or 8 bits, Boolean values). A *tagged* weight begins with a 4-byte
tag for its storage; `weight_storage.py` lists them. A tag that is not listed means a table of 256
float32, then one byte an element that indexes it.

The file contains neither the number of elements nor the encodings of weights: the layers
determine both.
"""

import os
import struct
from typing import NamedTuple

from .errors import FormatError
from .weight_storage import TAG_BYTES, BinEncoding, SliceLayout, WeightStorage


def padding(nbytes: int) -> int:
    """Return the number of padding bytes up to a multiple of 4."""
    return -nbytes % 4


class BinSlice(NamedTuple):
    """The position and storage of a weight in a `.bin`."""

    storage: WeightStorage
    offset: int
    """The offset of the first element; for a table, of the tag."""


class BinReader:
    """A reader that advances through a `.bin` and reads only the tags.

    Raises `OSError` if the file cannot be opened.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._fd = os.open(path, os.O_RDONLY)
        self.size = os.fstat(self._fd).st_size
        self.offset = 0

    def __enter__(self) -> "BinReader":
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._fd)

    def take(self, count: int, encoding: BinEncoding, what: str) -> BinSlice:
        """Return the next weight, of `count` elements (bytes if it is packed). `what` names it in
        errors.

        Raises `FormatError` if the file ends within the weight.
        """
        storage = WeightStorage.INT8 if encoding == "packed" else WeightStorage.FLOAT32
        data = self.offset
        if encoding == "tagged":
            self._need(data + TAG_BYTES, count, what)
            (tag,) = struct.unpack("<I", self._read(data, TAG_BYTES))
            storage = WeightStorage.of_tag(tag)
            if storage.layout is not SliceLayout.TABLE:
                data += TAG_BYTES
        nbytes = storage.data_bytes(count)
        end = data + nbytes + padding(nbytes)
        self._need(end, count, what)
        self.offset = end
        return BinSlice(storage, data)

    def _read(self, start: int, count: int) -> bytes:
        try:
            data = os.pread(self._fd, count, start)
        except OSError as e:
            e.filename = self.path
            raise
        if len(data) < count:
            raise FormatError(self.path, "the file was truncated while it was read")
        return data

    def _need(self, end: int, count: int, what: str) -> None:
        if end > self.size:
            raise FormatError(
                self.path,
                f"too short: {what} ({count} elements, from byte {self.offset}) needs "
                f"{end} bytes, but the file has {self.size}",
            )
