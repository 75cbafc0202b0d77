"""Writing constants as bytes: unchanged weights are copied from file to file."""

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
from ...dialects.ncnn.weight_specs import Form
from ...dialects.ncnn.weights import (
    ELIDED,
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
from ..copying import STEP, TooShort, begin_writeback, copy_range


class WeightWriter:
    """Writes weights to an open, empty binary file."""

    def __init__(self, out: IO[bytes], progress: Callable[[int], None] | None = None) -> None:
        self.out = out
        self.offset = 0
        self._begun = 0
        self._progress = progress
        self._sources: set[WeightFile] = set()

    def write_slot(self, constant: ConstantOp, form: Form) -> int | None:
        """Write a weight in its `.bin` form: tag, data, padding. Elements that the form does not
        support are converted to float32. Return the position of its original data in the file,
        `None` if they were converted. Raises `WeightError`."""
        element, storage = stored_as(constant)
        if not fits(element, storage, form):
            if element == "i8" or form == "packed":
                raise WeightError(f"the runtime does not read {element} values here")
            self._put(constant.read().astype("<f4").tobytes())
            return None
        if form == "tagged" and storage != "table":
            self._put(bin_format.tag_bytes(element, storage))
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
        self._put(bytes(bin_format.padding(self.offset - start)))
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
        count = slice_bytes(where.storage, type_)
        count += min(bin_format.padding(count), where.file.size - where.offset - count)
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


def fits(element: bin_format.Element, storage: bin_format.Storage, form: Form) -> bool:
    """Whether the runtime reads elements in this storage from a weight of this form."""
    if form == "plain":
        return element == "f32" and storage != "table"
    return form == "tagged" or element == "i8"


def slot_bytes(constant: ConstantOp, form: Form) -> int:
    """Return the number of bytes that `write_slot` writes."""
    type_ = cast(TensorType[Attribute], constant.output.type)
    element, storage = stored_as(constant)
    if not fits(element, storage, form):
        return 4 * prod(type_.get_shape())
    nbytes = slice_bytes(Storage(storage), type_)
    nbytes += bin_format.padding(nbytes)
    return nbytes + bin_format.TAG_BYTES if form == "tagged" and storage != "table" else nbytes


def stored_as(constant: ConstantOp) -> tuple[bin_format.Element, bin_format.Storage]:
    """Return the element type and storage of a weight as the format's names."""
    type_ = cast(TensorType[Attribute], constant.output.type)
    element, value = type_.element_type, constant.value
    storage = value.data.storage if isinstance(value, WeightAttr) else Storage.PLAIN
    if isinstance(element, Float16Type):
        return "f16", storage.value
    if isinstance(element, BFloat16Type):
        return "bf16", storage.value
    if isinstance(element, IntegerType):
        if element_size(type_) != 1:
            raise WeightError(f"a .bin cannot store {element} values")
        return "i8", storage.value
    return "f32", storage.value
