"""Constants → bytes: copied from file to file where nothing changed them."""

import os
from collections.abc import Callable, Iterator
from math import prod
from typing import IO, Any, cast

from xdsl.dialects.builtin import (
    BFloat16Type,
    DenseIntOrFPElementsAttr,
    Float16Type,
    IntegerType,
    TensorType,
)
from xdsl.ir import Attribute

from ...dialects.ncnn.constant import ConstantOp
from ...dialects.ncnn.slots import Form
from ...dialects.ncnn.weights import (
    RandomAttr,
    Storage,
    WeightAttr,
    WeightError,
    WeightFile,
    element_size,
    random_chunks,
    slice_bytes,
)
from ...formats import bin as bin_format
from ..copying import STEP, TooShort, begin_writing, copy_range
from .ahead import CopyAhead


class WeightWriter:
    """Writes weights to an open binary file: an empty one, or that of a copy made ahead."""

    def __init__(
        self,
        out: IO[bytes],
        progress: Callable[[int], None] | None = None,
        ahead: CopyAhead | None = None,
    ) -> None:
        self.out = out
        self.offset = 0
        self._begun = 0
        self._progress = progress
        self._copied = None if ahead is None else ahead.file
        self._ready = 0 if ahead is None else ahead.finish()
        """Up to here, what comes after `offset` is as in the file that was copied."""
        self._sources: set[WeightFile] = set()

    def write_slot(self, constant: ConstantOp, form: Form) -> int | None:
        """A weight as the `.bin` holds it: tag, data, padding. What its form cannot say is
        converted to float32. Returns where its own data are in the file, `None` if they were
        converted. Raises `WeightError`."""
        element, storage = stored_as(constant)
        if not fits(element, storage, form):
            if element == "i8" or form == "packed":
                raise WeightError(f"the runtime expects no {element} values here")
            self._put(constant.read().astype("<f4").tobytes())
            return None
        if form == "tagged" and storage != "table":
            self._put(bin_format.tag_bytes(element, storage))
        start = self.offset
        self.write_data(constant)
        return start

    def write_data(self, constant: ConstantOp) -> None:
        """The stored bytes of a weight, and the padding after them. What a file has for padding
        (it need not be zeros) is copied too, so that an unchanged model stays the same."""
        value, type_ = constant.value, cast(TensorType[Attribute], constant.output.type)
        start = self.offset
        if isinstance(value, WeightAttr):
            self._copy(value, type_)
        else:
            for chunk in _chunks(constant):
                self._put(chunk)
        self._put(bytes(bin_format.padding(self.offset - start)))
        if self._progress is not None:
            self._progress(self.offset)

    def _put(self, data: bytes | memoryview) -> None:
        self.out.write(data)
        self._advance(len(data))

    def _advance(self, count: int) -> None:
        self.offset += count
        if self.offset - self._begun >= STEP:
            begin_writing(self.out, self._begun, self.offset - self._begun)
            self._begun = self.offset

    def _copy(self, value: WeightAttr, type_: TensorType[Attribute]) -> None:
        where = value.data
        count = slice_bytes(where.storage, type_)
        count += min(bin_format.padding(count), where.file.size - where.offset - count)
        self._sources.add(where.file)
        if where.file == self._copied and where.offset == self.offset:
            if self.offset + count <= self._ready:
                self.out.seek(count, os.SEEK_CUR)
                self.offset = self._begun = self.offset + count
                return
        self._cut()  # what takes no room is skipped: nothing may lie there
        with where.file.stream() as source:
            try:
                for done in range(0, count, STEP):
                    part = min(STEP, count - done)
                    copy_range(source.fileno(), self.out, where.offset + done, part)
                    self._advance(part)
            except TooShort as e:
                path = where.file.path
                raise WeightError(f"weight file '{path}' has become shorter") from e

    def _cut(self) -> None:
        """Removes what is left of a copy made ahead."""
        if self._ready > self.offset:
            self.out.flush()
            os.ftruncate(self.out.fileno(), self.offset)
        self._ready = 0

    def finish(self) -> int:
        """How many bytes were written. Raises `WeightError` if they were copied from a file that
        has changed meanwhile."""
        self._cut()
        for file in self._sources:
            file.check_unchanged()
        return self.offset


def _chunks(constant: ConstantOp) -> Iterator[bytes | memoryview]:
    """The bytes of a weight that is not in a file, in pieces."""
    value, type_ = constant.value, cast(TensorType[Attribute], constant.output.type)
    if isinstance(value, RandomAttr):
        for array in random_chunks(value, type_):
            yield array.tobytes()
    elif isinstance(value, DenseIntOrFPElementsAttr):
        yield cast(DenseIntOrFPElementsAttr[Any], value).data.data
    else:
        raise WeightError("the weights were left out: there are no values to write")


def fits(element: bin_format.Element, storage: bin_format.Storage, form: Form) -> bool:
    """Whether the runtime reads elements in this storage from a weight of this form."""
    if form == "plain":
        return element == "f32" and storage != "table"
    return form == "tagged" or element == "i8"


def slot_bytes(constant: ConstantOp, form: Form) -> int:
    """How many bytes `write_slot` writes."""
    type_ = cast(TensorType[Attribute], constant.output.type)
    element, storage = stored_as(constant)
    if not fits(element, storage, form):
        return 4 * prod(type_.get_shape())
    nbytes = slice_bytes(Storage(storage), type_)
    nbytes += bin_format.padding(nbytes)
    return nbytes + bin_format.TAG_BYTES if form == "tagged" and storage != "table" else nbytes


def stored_as(constant: ConstantOp) -> tuple[bin_format.Element, bin_format.Storage]:
    """Element type and storage of a weight, in the words of the format."""
    type_ = cast(TensorType[Attribute], constant.output.type)
    element, value = type_.element_type, constant.value
    storage = value.data.storage if isinstance(value, WeightAttr) else Storage.PLAIN
    if isinstance(element, Float16Type):
        return "f16", storage.value
    if isinstance(element, BFloat16Type):
        return "bf16", storage.value
    if isinstance(element, IntegerType):
        if element_size(type_) != 1:
            raise WeightError(f"a .bin has no place for {element} values")
        return "i8", storage.value
    return "f32", storage.value
