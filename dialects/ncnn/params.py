"""Layer parameters: the `id=value` pairs of a `.param` line, declared once, on the operation.

A declaration such as

    kernel_w = int_param(1)
    kernel_h = int_param(11, default="kernel_w")

creates an optional property of the operation and a Python attribute with the plain value:
`op.kernel_h` is an `int`, with the default already resolved. Assigning a parameter never changes
the resolved value of another one. A property that equals its default is dropped, so the IR is
canonical. Ids, kinds and defaults follow each layer's `load_param` in ncnn's `src/layer/*.cpp`.
"""

import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Any, cast

from xdsl.dialects.builtin import DenseArrayBase, FloatAttr, IntegerAttr, StringAttr, f32, i32
from xdsl.ir import Attribute
from xdsl.irdl import AttrConstraint, IRDLOperation, VerificationContext, opt_prop_def
from xdsl.utils.exceptions import VerifyException

Value = int | float | str | tuple[int, ...] | tuple[float, ...]
"""The Python value of a parameter."""

Default = Value | Callable[[Any], Value]
"""A default: a value, or a function of the other parameters."""


class ParamKind(Enum):
    """The type that ncnn's loader expects (`ParamDict::get` is untyped)."""

    INT = "int"
    FLOAT = "float"
    INTS = "ints"
    FLOATS = "floats"
    STR = "str"


def to_float32(value: float) -> float:
    """Return the nearest float32 as a Python float; ±inf if the value is too large."""
    try:
        return struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def encode(kind: ParamKind, value: Value) -> Attribute:
    """Return the attribute for a value of this kind; floats are rounded to float32."""
    match kind:
        case ParamKind.INT:
            return _int_attr(cast(int, value))
        case ParamKind.FLOAT:
            rounded = to_float32(cast(float, value))
            return _float_attr(struct.pack("<f", rounded))
        case ParamKind.STR:
            return StringAttr(cast(str, value))
        case ParamKind.INTS:
            return DenseArrayBase.from_list(i32, cast(tuple[int, ...], value))
        case ParamKind.FLOATS:
            floats = [to_float32(v) for v in cast(tuple[float, ...], value)]
            return DenseArrayBase.from_list(f32, floats)


@lru_cache(4096)
def _int_attr(value: int) -> Attribute:
    return IntegerAttr(value, i32)


@lru_cache(4096)
def _float_attr(word: bytes) -> Attribute:  # bitwise key: 0.0 == -0.0
    return FloatAttr(struct.unpack("<f", word)[0], f32)


def decode(attr: Attribute) -> Value:
    """Return the Python value of an attribute made by `encode`."""
    if isinstance(attr, IntegerAttr):
        return cast(IntegerAttr[Any], attr).value.data
    if isinstance(attr, FloatAttr):
        return cast(FloatAttr[Any], attr).value.data
    if isinstance(attr, StringAttr):
        return attr.data
    if isinstance(attr, DenseArrayBase):
        return cast(DenseArrayBase[Any], attr).get_values()
    raise VerifyException(f"{attr} is not a layer parameter")


def kind_of(attr: Attribute) -> ParamKind | None:
    """Return the kind of an attribute's value, `None` if it is not a parameter."""
    if isinstance(attr, IntegerAttr):
        own: Attribute = cast(IntegerAttr[Any], attr).type
        return ParamKind.INT if own is i32 or own == i32 else None
    if isinstance(attr, FloatAttr):
        own = cast(FloatAttr[Any], attr).type
        return ParamKind.FLOAT if own is f32 or own == f32 else None
    if isinstance(attr, StringAttr):
        return ParamKind.STR
    if isinstance(attr, DenseArrayBase):
        element = cast(DenseArrayBase[Any], attr).elt_type
        return ParamKind.INTS if element == i32 else ParamKind.FLOATS if element == f32 else None
    return None


@dataclass(frozen=True)
class Param(AttrConstraint):
    """The declaration of one parameter; also the constraint on its property."""

    id: int
    kind: ParamKind
    default: Default
    names: tuple[str, ...] = ()
    """For an enumeration: the keywords for 0, 1, 2, … in the assembly format."""
    shown: bool = False
    """Whether the assembly format prints it even if it equals the default."""
    bitwise: bool = False
    """Whether ints in a file are bit patterns of floats (elsewhere ncnn converts them)."""
    within: tuple[int, int] | None = None
    """The least and the largest value with which the runtime loads the layer; `None`: any."""

    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        if kind_of(attr) is not self.kind:
            raise VerifyException(f"expected a parameter of kind '{self.kind.value}', got {attr}")

    def mapping_type_vars(self, type_var_mapping: object) -> "Param":
        return self

    def default_for(self, params: object) -> Value:
        """Return the default, given an operation or a `ParamView` with the other parameters."""
        return self.default(params) if callable(self.default) else self.default


@dataclass(frozen=True)
class ParamAccessor:
    """Python access to a parameter: reads resolve the default, writes keep the canonical form."""

    name: str
    param: Param

    def __get__(self, op: IRDLOperation | None, owner: type | None = None) -> Any:
        if op is None:
            return self
        attr = op.properties.get(self.name)
        if attr is not None:
            return decode(attr)
        default = self.param.default
        return default(op) if callable(default) else default

    def __set__(self, op: IRDLOperation, value: Value) -> None:
        cast(Any, op).set_params(**{self.name: value})


class DerivedParam(property):
    """A parameter that is derived from the operands (a weight's size, a bias flag).

    It is not a property of the operation. Import reads it from the file to know which weights
    follow; export recomputes it.
    """

    id: int
    default: int

    def default_for(self, params: object) -> int:
        """Return the value that ncnn assumes if the file omits the parameter."""
        return self.default


def derived_param(id: int, default: int = 0) -> Callable[[Callable[[Any], int]], Any]:
    """Declares the decorated method as a `DerivedParam` with this id."""

    def decorate(compute: Callable[[Any], int]) -> DerivedParam:
        param = DerivedParam(compute, doc=compute.__doc__)
        param.id = id
        param.default = default
        return param

    return decorate


class ParamView:
    """The parameters of a line before its operation exists, by declared name."""

    def __init__(
        self, declared: Mapping[str, Param | DerivedParam], values: Mapping[str, Value]
    ) -> None:
        self._declared = declared
        self._values = values

    def __getattr__(self, name: str) -> Any:
        if name in self._values:
            return self._values[name]
        if name not in self._declared:
            raise AttributeError(name)
        return self._declared[name].default_for(self)


def _declare(param: Param) -> Any:
    return opt_prop_def(param)


def _reference(default: Default) -> Default:
    """Return a default given as a parameter's name as a function that reads that parameter."""
    if isinstance(default, str):
        name = default
        return lambda params: getattr(params, name)
    return default


def int_param(
    id: int,
    default: int | str | Callable[[Any], int] = 0,
    *,
    within: tuple[int, int] | None = None,
) -> int:
    """Declare an int32 parameter. A string default is the name of the parameter that it copies.
    The verifier refuses values that are not `within` these bounds."""
    return _declare(Param(id, ParamKind.INT, _reference(default), within=within))


def enum_param(
    id: int,
    names: Sequence[str],
    default: int = 0,
    *,
    shown: bool = False,
    within: tuple[int, int] | None = None,
) -> int:
    """Declare an int32 parameter with a keyword for each value.

    `shown`: print it even if it equals the default (for example a BinaryOp's operation). `within`
    is as for `int_param`.
    """
    return _declare(Param(id, ParamKind.INT, default, tuple(names), shown, within=within))


def float_param(id: int, default: float | str | Callable[[Any], float] = 0.0) -> float:
    """Declare a float32 parameter. A string default is the name of the parameter that it copies."""
    default = to_float32(default) if isinstance(default, float) else default
    return _declare(Param(id, ParamKind.FLOAT, _reference(default)))


def ints_param(id: int) -> tuple[int, ...]:
    """Declare an array of int32, empty by default."""
    return _declare(Param(id, ParamKind.INTS, ()))


def floats_param(id: int, *, bitwise: bool = False) -> tuple[float, ...]:
    """Declare an array of float32, empty by default. `bitwise`: ints in a file are bit patterns of
    floats."""
    return _declare(Param(id, ParamKind.FLOATS, (), bitwise=bitwise))


def str_param(id: int) -> str:
    """Declare a string parameter (for example an expression), empty by default."""
    return _declare(Param(id, ParamKind.STR, ""))
