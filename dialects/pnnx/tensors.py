"""PNNX's element types and shapes as MLIR types."""

from typing import cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ComplexType,
    IntegerType,
    Signedness,
    TensorType,
    bf16,
    f16,
    f32,
    f64,
    i1,
    i8,
    i16,
    i32,
    i64,
)
from xdsl.ir import Attribute
from xdsl.utils.exceptions import VerifyException

from .attributes import AnyType, NullType

ELEMENTS: dict[str, Attribute] = {
    "null": NullType(),
    "f32": f32,
    "f64": f64,
    "f16": f16,
    "i32": i32,
    "i64": i64,
    "i16": i16,
    "i8": i8,
    "u8": IntegerType(8, Signedness.UNSIGNED),
    "bool": i1,
    "c64": ComplexType(f32),
    "c128": ComplexType(f64),
    "c32": ComplexType(f16),
    "bf16": bf16,
}
"""The element types by PNNX name."""

NAMES_IN_TORCH: dict[str, str] = {
    "f32": "float32",
    "f64": "float64",
    "f16": "float16",
    "bf16": "bfloat16",
    "i64": "int64",
    "i32": "int32",
    "i16": "int16",
    "i8": "int8",
    "u8": "uint8",
    "bool": "bool",
    "c64": "complex64",
    "c128": "complex128",
}
"""PyTorch's names of the element types, also NumPy's, by PNNX name."""

_NAMES = {element: name for name, element in ELEMENTS.items()}


def tensor(extents: tuple[int | None, ...], dtype: str) -> TensorType[Attribute]:
    """Return a tensor type; `None` is a dynamic extent."""
    return TensorType(ELEMENTS[dtype], [DYNAMIC_INDEX if n is None else n for n in extents])


def tensor_parts(type_: Attribute) -> tuple[tuple[int | None, ...], str] | None:
    """Return the extents and PNNX's name of the element type; `None` for `!pnnx.any`. Raises
    `VerifyException` for a type that PNNX lacks."""
    if isinstance(type_, AnyType):
        return None
    if isinstance(type_, TensorType):
        tensor_type = cast(TensorType[Attribute], type_)
        name, shape = _NAMES.get(tensor_type.element_type), tensor_type.get_shape()
        if name is not None:
            return tuple(None if n == DYNAMIC_INDEX else n for n in shape), name
    raise VerifyException(f"a .pnnx.param cannot express the type {type_}")


def shape_in_torch(type_: Attribute) -> tuple[int, ...] | None:
    """Return the extents of an operand if all are static."""
    if not isinstance(type_, TensorType):
        return None
    shape = cast(TensorType[Attribute], type_).get_shape()
    return None if DYNAMIC_INDEX in shape else tuple(shape)
