"""The `.bin` weight file: a sequence of weights in layer order (ncnn's src/modelbin.cpp).

A weight is a sequence of elements, padded to 4 bytes. A *plain* weight is float32 only; a *packed*
weight is bytes (integers of 4, 6 or 8 bits, Boolean values). A *tagged* weight begins with a 4-byte
tag for its storage:

    0x00000000  float32
    0x0002C056  float32 ("scaled"; read the same way)
    0x01306B47  float16
    0x01348B83  bfloat16
    0x000D4B38  int8
    others      a table of 256 float32, then one byte an element that indexes it

The file contains neither the number of elements nor the forms of weights: the layers determine
both.
"""

import os
import struct
from typing import Literal, NamedTuple

from .errors import FormatError

Form = Literal["plain", "tagged", "packed"]
Element = Literal["f32", "f16", "bf16", "i8"]
Storage = Literal["plain", "scaled", "table"]

TAGS: dict[tuple[Element, Storage], int] = {
    ("f32", "plain"): 0x00000000,
    ("f32", "scaled"): 0x0002C056,
    ("f16", "plain"): 0x01306B47,
    ("bf16", "plain"): 0x01348B83,
    ("i8", "plain"): 0x000D4B38,
}
ELEMENT_BYTES: dict[Element, int] = {"f32": 4, "f16": 2, "bf16": 2, "i8": 1}
TABLE_BYTES = 256 * 4
TAG_BYTES = 4


def padding(nbytes: int) -> int:
    """Return the number of padding bytes up to a multiple of 4."""
    return -nbytes % 4


def tag_bytes(element: Element, storage: Storage) -> bytes:
    """Return the tag before a weight. A table's tag is part of its data."""
    return struct.pack("<I", TAGS[element, storage])


class BinSlice(NamedTuple):
    """The position and storage of a weight in a `.bin`."""

    element: Element
    storage: Storage
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

    def take(self, count: int, form: Form, what: str) -> BinSlice:
        """Return the next weight, of `count` elements (bytes if it is packed). `what` names it in
        errors.

        Raises `FormatError` if the file ends within the weight.
        """
        element: Element = "i8" if form == "packed" else "f32"
        storage: Storage = "plain"
        start = self.offset
        data = start
        if form == "tagged":
            self._need(start + TAG_BYTES, count, what)
            (tag,) = struct.unpack("<I", self._read(start, TAG_BYTES))
            known = {value: key for key, value in TAGS.items()}.get(tag)
            # A tag whose bytes sum to 0 is 0; any other unknown tag means a table.
            element, storage = known or ("f32", "table")
            data = start + TAG_BYTES
        if storage == "table":
            data += TABLE_BYTES
            nbytes = count
        else:
            nbytes = count * ELEMENT_BYTES[element]
        end = data + nbytes + padding(nbytes)
        self._need(end, count, what)
        self.offset = end
        return BinSlice(element, storage, start if storage == "table" else data)

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
