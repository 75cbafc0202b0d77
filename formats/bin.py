"""The `.bin` weight file: a sequence of weights in layer order (ncnn's src/modelbin.cpp).

A weight is so many elements, padded to 4 bytes. A *plain* one is float32 and nothing else, a
*packed* one is bytes (integers of 4, 6 or 8 bits). A *tagged* one has 4 bytes before it that say
how it is stored:

    0x00000000  float32
    0x0002C056  float32 ("scaled"; read the same way)
    0x01306B47  float16
    0x01348B83  bfloat16
    0x000D4B38  int8
    others      a table of 256 float32, then one byte an element that indexes it

Nothing in the file says how many elements there are, nor which weights have which form: the layers
do.
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
    """How many bytes follow that many, up to a multiple of 4."""
    return -nbytes % 4


def tag_bytes(element: Element, storage: Storage) -> bytes:
    """The tag before a weight. A table's tag is part of its data."""
    return struct.pack("<I", TAGS[element, storage])


class BinSlice(NamedTuple):
    """Where a weight is in a `.bin` and how it is stored."""

    element: Element
    storage: Storage
    offset: int
    """Of the first element; of the tag for a table."""


class BinReader:
    """Walks through a `.bin` without reading more than the tags.

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
        """The next weight, of that many elements (bytes, if it is packed); `what` names it in
        errors.

        Raises `FormatError` if the file ends before the weight does.
        """
        element: Element = "i8" if form == "packed" else "f32"
        storage: Storage = "plain"
        start = self.offset
        data = start
        if form == "tagged":
            self._need(start + TAG_BYTES, count, what)
            (tag,) = struct.unpack("<I", self._read(start, TAG_BYTES))
            known = {value: key for key, value in TAGS.items()}.get(tag)
            # A tag whose bytes add up to 0 is 0; all other unknown ones mean a table.
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
            raise FormatError(self.path, "the file has become shorter while it was read")
        return data

    def _need(self, end: int, count: int, what: str) -> None:
        if end > self.size:
            raise FormatError(
                self.path,
                f"too short: {what} ({count} elements, from byte {self.offset}) needs "
                f"{end} bytes, the file has {self.size}",
            )
