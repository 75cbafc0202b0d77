"""Writing constants as bytes: unchanged weights are copied from file to file."""

from collections.abc import Callable, Iterator
from math import prod
from typing import IO, Any, cast

from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    TensorType,
)
from xdsl.ir import Attribute

from ...dialects.ncnn.constant import ConstantOp
from ...dialects.ncnn.weights import (
    ELIDED,
    RandomAttr,
    WeightAttr,
    WeightError,
    WeightFile,
    random_chunks,
    slice_bytes,
    storage_of,
)
from ...formats.bin import padding
from ...formats.weight_storage import BinEncoding, SliceLayout, WeightStorage
from ..byte_copies import STEP, TooShort, begin_writeback, copy_range


class WeightWriter:
    """Writes weights to an open, empty binary file."""

    def __init__(self, out: IO[bytes], progress: Callable[[int], None] | None = None) -> None:
        self.out = out
        self.offset = 0
        self._begun = 0
        self._progress = progress
        self._sources: set[WeightFile] = set()

    def write_slot(self, constant: ConstantOp, encoding: BinEncoding) -> int | None:
        """Write a weight in its encoding: tag, data, padding. Elements that the encoding does not
        support are converted to float32. Return the position of its original data in the file,
        `None` if they were converted. Raises `WeightError`."""
        storage = stored_as(constant)
        if not storage.fits(encoding):
            if storage is WeightStorage.INT8 or encoding == "packed":
                raise WeightError(f"the runtime does not read {storage.element} values here")
            self._put(constant.read().astype("<f4").tobytes())
            return None
        if encoding == "tagged":
            self._put(storage.tag_bytes)
        start = self.offset
        self.write_data(constant)
        return start

    def write_data(self, constant: ConstantOp) -> None:
        """Write the stored bytes of a weight and its padding. Existing padding (not always zeros)
        is copied too, so that an unchanged model stays identical."""
        value, type_ = constant.value, cast(TensorType[Attribute], constant.output.type)
        start = self.offset
        if isinstance(value, WeightAttr):
            self._copy(value, type_)
        else:
            for chunk in _chunks(constant):
                self._put(chunk)
        self._put(bytes(padding(self.offset - start)))
        if self._progress is not None:
            self._progress(self.offset)

    def _put(self, data: bytes | memoryview) -> None:
        self.out.write(data)
        self._advance(len(data))

    def _advance(self, count: int) -> None:
        self.offset += count
        if self.offset - self._begun >= STEP:
            begin_writeback(self.out, self._begun, self.offset - self._begun)
            self._begun = self.offset

    def _copy(self, value: WeightAttr, type_: TensorType[Attribute]) -> None:
        where = value.data
        count = slice_bytes(where.layout, type_)
        count += min(padding(count), where.file.size - where.offset - count)
        self._sources.add(where.file)

        with where.file.stream() as source:
            try:
                for done in range(0, count, STEP):
                    part = min(STEP, count - done)
                    copy_range(source.fileno(), self.out, where.offset + done, part)
                    self._advance(part)
            except TooShort as e:
                path = where.file.path
                raise WeightError(f"weight file '{path}' was truncated") from e

    def finish(self) -> int:
        """Return the number of bytes written. Raises `WeightError` if a copied file has changed
        meanwhile."""
        for file in self._sources:
            file.check_unchanged()
        return self.offset


def _chunks(constant: ConstantOp) -> Iterator[bytes | memoryview]:
    """Yield the bytes of a weight that is not in a file, in chunks."""
    value, type_ = constant.value, cast(TensorType[Attribute], constant.output.type)
    if isinstance(value, RandomAttr):
        for array in random_chunks(value, type_):
            yield array.tobytes()
    elif isinstance(value, DenseIntOrFPElementsAttr):
        yield cast(DenseIntOrFPElementsAttr[Any], value).data.data
    else:
        raise WeightError(f"the weights {ELIDED}")


def slot_bytes(constant: ConstantOp, encoding: BinEncoding) -> int:
    """Return the number of bytes that `write_slot` writes."""
    type_ = cast(TensorType[Attribute], constant.output.type)
    storage, count = stored_as(constant), prod(type_.get_shape())
    if not storage.fits(encoding):
        return WeightStorage.FLOAT32.data_bytes(count)
    nbytes = storage.data_bytes(count)
    tag = storage.tag_bytes if encoding == "tagged" else b""
    return len(tag) + nbytes + padding(nbytes)


def stored_as(constant: ConstantOp) -> WeightStorage:
    """Return the storage of a weight in a `.bin`. Raises `WeightError` for elements that no `.bin`
    stores."""
    type_ = cast(TensorType[Attribute], constant.output.type)
    value = constant.value
    layout = value.data.layout if isinstance(value, WeightAttr) else SliceLayout.PLAIN
    storage = storage_of(type_.element_type, layout)
    if storage is None:
        raise WeightError(f"a .bin cannot store {type_.element_type} values")
    return storage
