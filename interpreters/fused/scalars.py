"""The operations of `arith` and `math` that epilogues are made of, on whole arrays."""

from collections.abc import Callable, Mapping
from typing import Any, cast

import numpy as np
from xdsl.dialects import arith
from xdsl.dialects.builtin import BFloat16Type, Float16Type, FloatAttr, IntegerAttr, IntegerType
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import InterpretationError

from ..ncnn.formulas import OPERATIONS
from ..ncnn.semantics import Array

CONVERSIONS = (
    arith.SIToFPOp,
    arith.FPToSIOp,
    arith.ExtFOp,
    arith.TruncFOp,
    arith.ExtSIOp,
    arith.TruncIOp,
)
"""Operations that only change the type of elements."""

_ORDERED: Mapping[int, Callable[[Array, Array], Array]] = {
    1: np.equal,
    2: np.greater,
    3: np.greater_equal,
    4: np.less,
    5: np.less_equal,
    6: np.not_equal,
}
"""The comparisons of arith.cmpf that are false where a side is no number; 8 to 13 are the same, but
true there."""


def compute(op: Operation, args: tuple[Array, ...]) -> Array:
    """What an operation makes of arrays that broadcast, in the element type of its result. Raises
    `InterpretationError` for one that is not known here."""
    if isinstance(op, arith.ConstantOp):
        return _constant(op)
    if isinstance(op, arith.CmpfOp):
        return _compared(op.predicate.value.data, *args)
    type_ = op.results[0].type
    if isinstance(op, CONVERSIONS):
        return to_type(args[0], type_)
    function = OPERATIONS.get(op.name)
    if function is None:
        raise InterpretationError(f"nothing here computes '{op.name}'")
    return to_type(function(*args), type_)


def _constant(op: arith.ConstantOp) -> Array:
    value = op.value
    if not isinstance(value, FloatAttr | IntegerAttr):
        raise InterpretationError(f"a constant of {op.result.type} in an epilogue")
    return to_type(np.asarray(cast(Any, value).value.data), op.result.type)


def _compared(predicate: int, a: Array, b: Array) -> Array:
    unordered = np.isnan(a) | np.isnan(b)
    if predicate in (7, 14):
        return unordered if predicate == 14 else ~unordered
    if predicate in (0, 15):
        return np.broadcast_to(np.asarray(predicate == 15), unordered.shape)
    if predicate < 7:
        return _ORDERED[predicate](a, b) & ~unordered
    return _ORDERED[predicate - 7](a, b) | unordered


def to_type(x: Array, type_: Attribute) -> Array:
    """The values as elements of a scalar type; of bf16 as the float32 that they round to."""
    if isinstance(type_, BFloat16Type):
        bits = x.astype("f4").view("u4")
        rounded_up = bits + 0x7FFF + ((bits >> 16) & 1)  # to nearest, ties to even
        return (rounded_up & 0xFFFF0000).view("f4")
    if isinstance(type_, Float16Type):
        return x.astype("f2")
    if isinstance(type_, IntegerType):
        width: int = cast(Any, type_).width.data
        return x.astype("?" if width == 1 else f"i{width // 8}")
    return x.astype("f4", copy=False)
