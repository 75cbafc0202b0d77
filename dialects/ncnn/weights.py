"""The values of an `ncnn.constant`.

Models have 1 MB to 10 GB, so weights that no pass changes are never read. `#ncnn.weight` is a slice
of a mapped file and is copied file to file on export. A changed weight is a builtin `dense<…>`, or
a slice of a scratch file (`weight_file.py`) if it is large and a command writes files.
`#ncnn.random` generates its values on demand; `#ncnn.elided` has a type only.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from contextvars import ContextVar
from math import isfinite, prod
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    BFloat16Type,
    BytesAttr,
    DenseIntOrFPElementsAttr,
    Float32Type,
    IntAttr,
    IntegerType,
    TensorType,
    bf16,
    f16,
    f32,
    i8,
)
from xdsl.ir import Attribute, Data, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from ...formats.weight_storage import TABLE_BYTES, TAG_BYTES, SliceLayout, WeightStorage
from .weight_file import SCRATCH, Scratch, WeightError, WeightFile, WeightSlice

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array: TypeAlias = NDArray[Any]

ELIDED = (
    "are elided and have no values; read a .param with its .bin (--weights FILE), or with "
    "--weights random"
)
"""The end of a message about weights without values."""

WEIGHT_BASE: ContextVar[str | None] = ContextVar("WEIGHT_BASE", default=None)
"""The folder that printed weight references are relative to; `None`: the working directory."""

INLINE_ELEMENTS = 16
"""The maximum number of elements that are printed as a list."""


@irdl_attr_definition
class WeightAttr(Data[WeightSlice]):
    """A slice of a file: `#ncnn.weight<"model.bin", 1028>`, with `scaled` or `table` as an optional
    third word for the layout. The path is relative to the `.mlir` file, on standard streams to the
    working directory."""

    name = "ncnn.weight"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> WeightSlice:
        with parser.in_angle_brackets():
            data = parser.parse_optional_bytes_literal()  # for a path that is not UTF-8
            path = (
                parser.parse_str_literal(" for the weight file")
                if data is None
                else os.fsdecode(data)
            )
            parser.parse_punctuation(",")
            offset = parser.parse_integer(allow_boolean=False, allow_negative=False)
            layout = SliceLayout.PLAIN
            if parser.parse_optional_punctuation(","):
                words = [each.value for each in SliceLayout]
                layout = SliceLayout(parser.parse_keyword_in(words, " for the storage"))
        return open_weights(parser, path, offset, layout).data

    def print_parameter(self, printer: Printer) -> None:
        base = WEIGHT_BASE.get() or os.getcwd()
        with printer.in_angle_brackets():
            printer.print_bytes_literal(os.fsencode(os.path.relpath(self.data.file.path, base)))
            printer.print_string(f", {self.data.offset}")
            if self.data.layout is not SliceLayout.PLAIN:
                printer.print_string(f", {self.data.layout.value}")


def parse_text(parser: AttrParser, what: str) -> str:
    """Parse a string literal, including the bytes literal that xDSL prints for non-ASCII
    strings."""
    data = parser.parse_optional_bytes_literal()
    if data is None:
        return parser.parse_str_literal(f" for {what}")
    try:
        return data.decode()
    except UnicodeDecodeError:
        parser.raise_error(f"UTF-8 expected for {what}")


def open_weights(parser: AttrParser, path: str, offset: int, layout: SliceLayout) -> WeightAttr:
    """Return the slice of a file named in a text; the path is relative to the text's folder."""
    try:
        name = parser.lexer.input.name  # of a file, or a word for a stream
        folder = os.path.dirname(name) if os.path.isfile(name) else ""
        file = WeightFile.open(Path(folder, path))
    except (OSError, ValueError) as e:
        reason = e.strerror if isinstance(e, OSError) and e.strerror else str(e)
        parser.raise_error(f"cannot open weight file '{path}': {reason}")
    return WeightAttr(WeightSlice(file, offset, layout))


@irdl_attr_definition
class RandomAttr(ParametrizedAttribute):
    """A weight of random values, deterministic by seed and stream:
    `#ncnn.random<seed = 0, stream = 3>`. `, positive` follows where values must be (a variance, a
    quantization scale)."""

    name = "ncnn.random"
    seed: IntAttr
    stream: IntAttr
    positive: IntAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> list[Attribute]:
        with parser.in_angle_brackets():
            seed = _parse_field(parser, "seed")
            parser.parse_punctuation(",")
            stream = _parse_field(parser, "stream")
            positive = 0
            if parser.parse_optional_punctuation(","):
                parser.parse_keyword("positive")
                positive = 1
        return [IntAttr(seed), IntAttr(stream), IntAttr(positive)]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(f"seed = {self.seed.data}, stream = {self.stream.data}")
            if self.positive.data:
                printer.print_string(", positive")


def _parse_field(parser: AttrParser, word: str) -> int:
    parser.parse_keyword(word)
    parser.parse_punctuation("=")
    return parser.parse_integer(allow_boolean=False, allow_negative=False)


@irdl_attr_definition
class ElidedAttr(ParametrizedAttribute):
    """A weight without values, for structure-only work."""

    name = "ncnn.elided"


@irdl_attr_definition
class HeldWeight(Data[Any]):
    """A weight whose values are no NumPy array, but behave as one: the exact numbers of a proof
    (`proofs/`). It has no text, and no file holds it."""

    name = "ncnn.held"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Any:
        parser.raise_error("a weight of exact numbers has no text")

    def print_parameter(self, printer: Printer) -> None:
        printer.print_string("<…>")

    def __hash__(self) -> int:
        return id(self.data)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HeldWeight) and self.data is other.data


Weight: TypeAlias = (
    WeightAttr | RandomAttr | ElidedAttr | HeldWeight | DenseIntOrFPElementsAttr[Any]
)


ELEMENT_TYPES: dict[WeightStorage, AnyFloat | IntegerType] = {
    storage: type_
    for type_ in (f16, f32, bf16, i8)
    for storage in WeightStorage
    if storage.element == str(type_)
}
"""The type of the elements in each storage."""


def storage_of(element: Attribute, layout: SliceLayout = SliceLayout.PLAIN) -> WeightStorage | None:
    """Return the storage of elements of a type; `None` if no `.bin` stores these."""
    match element:
        case IntegerType() if element.width.data == 8:
            return WeightStorage.of_element("i8", layout)
        case _:
            return WeightStorage.of_element(element.name, layout)


def dtype_of(element: Attribute) -> str:
    """Return the NumPy dtype that stores a weight's elements; uint16 for bf16, which NumPy lacks.
    Raises `VerifyException` for types other than f32, f16, bf16, i32 and i8."""
    if (storage := storage_of(element)) is not None:
        return storage.dtype
    match element:
        case IntegerType() if element.width.data == 32:
            return "<i4"
        case _:
            raise VerifyException(f"a weight has elements of f32, f16, bf16 or i8, not {element}")


def element_size(type_: TensorType[Attribute]) -> int:
    """Return the bytes per element."""
    return int(dtype_of(type_.element_type)[-1])


def slice_bytes(layout: SliceLayout, type_: TensorType[Attribute]) -> int:
    """Return the bytes that a slice takes in the file, without trailing padding."""
    count = prod(type_.get_shape())
    if layout is SliceLayout.TABLE:
        return WeightStorage.TABLE.data_bytes(count)
    return count * element_size(type_)


def read_weight(value: Attribute, type_: TensorType[Attribute]) -> "Array":
    """Return the values of a weight in its type's shape and element type: read-only, mapped if they
    are in a file, bf16 as float32. Raises `WeightError` if there are none."""
    import numpy as np

    shape, dtype = type_.get_shape(), dtype_of(type_.element_type)
    if isinstance(value, WeightAttr):
        where = value.data
        raw = where.file.map(where.offset, slice_bytes(where.layout, type_))
        if where.layout is SliceLayout.TABLE:
            head = TAG_BYTES + TABLE_BYTES
            table = np.frombuffer(raw[TAG_BYTES:head].tobytes(), "<f4")
            return table[raw[head:]].reshape(shape)
        return _from_stored(raw.view(dtype), type_).reshape(shape)
    if isinstance(value, DenseIntOrFPElementsAttr):
        data = cast(DenseIntOrFPElementsAttr[Any], value).data.data
        return _from_stored(np.frombuffer(data, dtype), type_).reshape(shape)
    if isinstance(value, RandomAttr):
        return random_weight(value, type_)
    if isinstance(value, HeldWeight):
        return value.data.reshape(shape)
    raise WeightError(f"the weights of this model {ELIDED}")


def _from_stored(stored: "Array", type_: TensorType[Attribute]) -> "Array":
    if not isinstance(type_.element_type, BFloat16Type):
        return stored
    return (stored.astype("<u4") << 16).view("<f4")  # bf16 is the upper half of a float32


def _to_stored(values: "Array", type_: TensorType[Attribute]) -> "Array":
    if not isinstance(type_.element_type, BFloat16Type):
        return values.astype(dtype_of(type_.element_type), copy=False)
    bits = values.astype("<f4").view("<u4")
    odd = (bits >> 16) & 1  # round to nearest even
    return ((bits + 0x7FFF + odd) >> 16).astype("<u2")


def random_weight(value: RandomAttr, type_: TensorType[Attribute]) -> "Array":
    """Return the values of a random weight in its type's shape."""
    import numpy as np

    chunks = list(random_chunks(value, type_))
    flat = np.concatenate(chunks) if chunks else np.zeros(0, dtype_of(type_.element_type))
    return _from_stored(flat, type_).reshape(type_.get_shape())


def random_chunks(value: RandomAttr, type_: TensorType[Attribute]) -> Iterator["Array"]:
    """Yield the stored elements of a random weight in flat chunks. They are uniform in ±sqrt(3 /
    fan-in), so that activations keep their magnitude from layer to layer; in [0.5, 1.5) where they
    must be positive; over the whole range for int8."""
    import numpy as np

    shape, dtype = type_.get_shape(), dtype_of(type_.element_type)
    rng = np.random.default_rng((value.seed.data, value.stream.data))
    fan_in = max(prod(shape[1:]), 1) if len(shape) > 1 else 300
    bound = np.float32((3 / fan_in) ** 0.5)
    left = prod(shape)
    while left > 0:
        count = min(left, 1 << 20)
        left -= count
        if dtype == "i1":
            yield rng.integers(-127, 128, count, np.int8)
            continue
        values = rng.random(count, np.float32)
        if value.positive.data:
            values += np.float32(0.5)
        else:
            values = (values * 2 - 1) * bound
        yield _to_stored(values, type_)


def make_weight(values: "Array", type_: TensorType[Attribute]) -> Weight:
    """Return a weight of these values, converted to the type's element type. Large weights go to
    the scratch file, if there is one. Values that are no NumPy array are held as they are."""
    if (held := getattr(values, "as_weight", None)) is not None:
        return held()
    scratch = SCRATCH.get()
    if scratch is not None and slice_bytes(SliceLayout.PLAIN, type_) >= Scratch.LEAST:
        with suppress(OSError):  # disk full: memory may suffice
            stored: Any = _to_stored(values, type_).reshape(-1)
            return WeightAttr(scratch.put(memoryview(stored).cast("B")))
    return dense_weight(values, type_)


def dense_weight(values: "Array", type_: TensorType[Attribute]) -> DenseIntOrFPElementsAttr[Any]:
    """Return the attribute with these values inline, converted to the type's element type."""
    return DenseIntOrFPElementsAttr(
        cast(Any, type_), BytesAttr(_to_stored(values, type_).tobytes())
    )


def rounded(values: "Array", type_: TensorType[Attribute]) -> "Array":
    """Return these values rounded to a weight's type."""
    return _from_stored(_to_stored(values, type_), type_)


def print_weight(value: Attribute, type_: Attribute, printer: Printer) -> None:
    """Print a constant's value without its type. Up to 16 elements are a list; more are a reference
    or hex, which parses a thousand times faster."""
    if isinstance(value, WeightAttr) and value.data.layout is SliceLayout.PLAIN:
        tensor = cast(TensorType[Attribute], type_)
        if prod(tensor.get_shape()) <= INLINE_ELEMENTS or not value.data.file.has_name:
            value = dense_weight(read_weight(value, tensor), tensor)
    if not isinstance(value, DenseIntOrFPElementsAttr):
        printer.print_attribute(value)
        return
    dense = cast(DenseIntOrFPElementsAttr[Any], value)
    size = dense.get_element_type().compile_time_size
    data = dense.data.data
    # Lists lose NaN payloads and read infinities back as integers; a splat would equate -0.0 and
    # 0.0. So compare bytes.
    if len(data) > INLINE_ELEMENTS * size or not all(map(isfinite, dense.get_values())):
        printer.print_string(f'dense<"0x{data.hex().upper()}">')
    elif len(data) > size and data == data[:size] * (len(data) // size):
        splat = DenseIntOrFPElementsAttr(
            cast(Any, TensorType(dense.get_element_type(), [1])), BytesAttr(data[:size])
        )
        splat.print_without_type(printer)
    else:
        _print_list(dense, printer)


def _print_list(dense: DenseIntOrFPElementsAttr[Any], printer: Printer) -> None:
    element: Any = dense.get_element_type()
    integer = isinstance(element, IntegerType)

    def print_nested(values: Any, shape: tuple[int, ...]) -> None:
        if not shape:
            one: Any = printer.print_int if integer else printer.print_float
            one(values[0], element)
            return
        step = len(values) // shape[0] if shape[0] else 0
        rows = [values[i : i + step] for i in range(0, len(values), step)] if step else []
        with printer.in_square_brackets():
            printer.print_list(rows, lambda row: print_nested(row, shape[1:]))

    printer.print_string("dense")
    with printer.in_angle_brackets():
        print_nested(dense.get_values(), dense.get_shape())


def check_weight(value: Attribute, type_: TypeAttribute | Attribute) -> None:
    """Raise `VerifyException` unless the value fits the type: kind of value, static shape, element
    type, and the file's size for a slice."""
    if not isinstance(type_, TensorType) or any(
        d < 0 for d in cast(TensorType[Attribute], type_).get_shape()
    ):
        raise VerifyException(f"a constant has a static tensor type, not {type_}")
    tensor = cast(TensorType[Attribute], type_)
    dtype_of(tensor.element_type)
    if isinstance(value, WeightAttr):
        where = value.data
        end = where.offset + slice_bytes(where.layout, tensor)
        if end > where.file.size:
            raise WeightError(
                f"weight file '{where.file.path}' has {where.file.size} bytes, "
                f"a {tensor} at byte {where.offset} ends at {end}"
            )
        plain = where.layout is SliceLayout.PLAIN
        if not plain and not isinstance(tensor.element_type, Float32Type):
            raise VerifyException(f"'{where.layout.value}' storage holds f32, not {tensor}")
    elif isinstance(value, DenseIntOrFPElementsAttr):
        own = cast(DenseIntOrFPElementsAttr[Any], value).type
        if own != tensor:
            raise VerifyException(f"the value has type {own}, but the constant {tensor}")
        size = len(cast(DenseIntOrFPElementsAttr[Any], value).data.data)
        # xDSL's parser accepts a partial last element.
        if size != slice_bytes(SliceLayout.PLAIN, tensor):
            raise VerifyException(f"the value has {size} bytes, which do not form a {tensor}")
    elif not isinstance(value, RandomAttr | ElidedAttr | HeldWeight):
        raise VerifyException(f"{value} is not a weight")
