"""The storages of weights in a `.bin` (ncnn's src/modelbin.cpp), and all facts about each.

Readers, writers, options, releases and reports derive their tables from `WeightStorage`.
"""

import struct
from enum import Enum
from typing import Literal, TypeAlias

BinEncoding: TypeAlias = Literal["plain", "tagged", "packed"]
"""The rule by which a layer reads a weight: float32 without a tag, elements after a tag for their
storage, or bytes without a tag (integers of `BLOCK_BITS` bits, Boolean values)."""

StorageOption: TypeAlias = Literal["fp16", "fp32", "bf16"]
"""The storages that a user can choose, as options spell them."""

TAG_BYTES = 4
TABLE_BYTES = 256 * 4

BLOCK_BITS = (4, 6, 8)
"""The bits of an integer in a packed weight."""

BLOCK_SIZES = (32, 64, 128)
"""The numbers of integers with one scale in a packed weight."""


class SliceLayout(Enum):
    """The part of a weight's storage that the type of its elements does not determine."""

    PLAIN = "plain"
    """Elements only, little-endian."""
    SCALED = "scaled"
    """float32 elements after a tag of their own; otherwise like plain."""
    TABLE = "table"
    """ncnn's old quantization: a tag, 256 float32 values, then a one-byte index per element. The
    offset of the slice points to the tag."""


class WeightStorage(Enum):
    """The storages of a weight's elements, in the order of the options for them."""

    FLOAT16 = ("f16", SliceLayout.PLAIN, 0x01306B47, "<f2", 2, "float16", "fp16", None)
    FLOAT32 = ("f32", SliceLayout.PLAIN, 0x00000000, "<f4", 4, "float32", "fp32", None)
    BFLOAT16 = ("bf16", SliceLayout.PLAIN, 0x01348B83, "<u2", 2, "bfloat16", "bf16", "20261020")
    INT8 = ("i8", SliceLayout.PLAIN, 0x000D4B38, "i1", 1, "int8", None, None)
    SCALED = ("f32", SliceLayout.SCALED, 0x0002C056, "<f4", 4, "float32", None, None)
    TABLE = ("f32", SliceLayout.TABLE, None, "i1", 1, "table", None, None)

    def __init__(
        self,
        element: str,
        layout: SliceLayout,
        tag: int | None,
        dtype: str,
        element_bytes: int,
        word: str,
        option: StorageOption | None,
        since: str | None,
    ) -> None:
        self.element = element
        """The MLIR type of the elements."""
        self.layout = layout
        self.tag = tag
        """The tag before the elements; `None` for a table, whose tag is any other number."""
        self.dtype = dtype
        """The NumPy dtype of the stored elements; uint16 for bfloat16, which NumPy lacks, and bytes
        for the indices of a table."""
        self.element_bytes = element_bytes
        """The bytes that each element takes."""
        self.word = word
        """The name in reports."""
        self.option: StorageOption | None = option
        """The spelling in options; `None` if no option chooses the storage."""
        self.since = since
        """The first release of the runtime that reads the storage; `None` for all."""

    @property
    def tag_bytes(self) -> bytes:
        """The bytes of the tag before the elements. A table's tag is part of its data."""
        return b"" if self.tag is None else struct.pack("<I", self.tag)

    def data_bytes(self, count: int) -> int:
        """Return the bytes of `count` elements, for a table with its tag and values, without
        padding."""
        head = TAG_BYTES + TABLE_BYTES if self.layout is SliceLayout.TABLE else 0
        return head + count * self.element_bytes

    def fits(self, encoding: BinEncoding) -> bool:
        """Whether the runtime reads elements in this storage from a weight of this encoding."""
        if encoding == "plain":
            return self.element == "f32" and self.layout is not SliceLayout.TABLE
        return encoding == "tagged" or self is WeightStorage.INT8

    @staticmethod
    def of_tag(tag: int) -> "WeightStorage":
        """Return the storage with a tag. A tag whose bytes sum to 0 is 0; any other unknown tag
        means a table."""
        return _BY_TAG.get(tag, WeightStorage.TABLE)

    @staticmethod
    def of_option(option: str) -> "WeightStorage | None":
        """Return the storage that an option chooses; `None` for other words."""
        return _BY_OPTION.get(option)

    @staticmethod
    def of_element(element: str, layout: SliceLayout = SliceLayout.PLAIN) -> "WeightStorage | None":
        """Return the storage of elements of an MLIR type; `None` if no `.bin` stores these."""
        return _BY_ELEMENT.get((element, layout))


_BY_TAG = {each.tag: each for each in WeightStorage if each.tag is not None}
_BY_OPTION: dict[str, WeightStorage] = {
    each.option: each for each in WeightStorage if each.option is not None
}
_BY_ELEMENT = {(each.element, each.layout): each for each in WeightStorage}

STORAGE_OPTIONS: tuple[StorageOption, ...] = tuple(
    each.option for each in WeightStorage if each.option is not None
)
"""The storages that layers can have by their type or name."""
