"""The operations of `arith` and `math` in epilogues, on whole arrays."""

from collections.abc import Callable, Mapping
from typing import Any, cast

import numpy as np
from xdsl.dialects import arith
from xdsl.dialects.builtin import BFloat16Type, Float16Type, FloatAttr, IntegerAttr, IntegerType
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import InterpretationError

from ..ncnn.formulas import OPERATIONS
from ..ncnn.semantics import Array
from ..ncnn.traceable import traceable

CONVERSIONS = (
    arith.SIToFPOp,
    arith.FPToSIOp,
    arith.ExtFOp,
    arith.TruncFOp,
    arith.ExtSIOp,
    arith.TruncIOp,
)
"""Operations that only convert the element type."""

_ORDERED: Mapping[int, Callable[[Array, Array], Array]] = {
    1: np.equal,
    2: np.greater,
    3: np.greater_equal,
    4: np.less,
    5: np.less_equal,
    6: np.not_equal,
}
"""The ordered comparisons of arith.cmpf, which are false for NaN. Predicates 8 to 13 are the same
comparisons, but true for NaN."""


def compute(op: Operation, args: tuple[Array, ...]) -> Array:
    """Return the result of an operation on broadcast arrays, in the result's element type. Raises
    `InterpretationError` for an unknown operation."""
    if isinstance(op, arith.ConstantOp):
        return _constant(op)
    if isinstance(op, arith.CmpfOp):
        return compared(op.predicate.value.data, *args)
    type_ = op.results[0].type
    if isinstance(op, CONVERSIONS):
        return to_type(args[0], type_)
    function = OPERATIONS.get(op.name)
    if function is None:
        raise InterpretationError(f"'{op.name}' has no reference semantics")
    return to_type(function(*args), type_)


def _constant(op: arith.ConstantOp) -> Array:
    value = op.value
    if not isinstance(value, FloatAttr | IntegerAttr):
        raise InterpretationError(f"an epilogue cannot have a constant of {op.result.type}")
    return to_type(np.asarray(cast(Any, value).value.data), op.result.type)


@traceable
def compared(predicate: int, a: Array, b: Array) -> Array:
    """Return a comparison of floats by the number of its predicate in arith.cmpf."""
    unordered = np.isnan(a) | np.isnan(b)
    if predicate in (7, 14):
        return unordered if predicate == 14 else ~unordered
    if predicate in (0, 15):
        return np.broadcast_to(np.asarray(predicate == 15), unordered.shape)
    if predicate < 7:
        return _ORDERED[predicate](a, b) & ~unordered
    return _ORDERED[predicate - 7](a, b) | unordered


def to_type(x: Array, type_: Attribute) -> Array:
    """Convert values to a scalar type; bf16 values are float32 rounded to bf16."""
    if isinstance(type_, BFloat16Type):
        bits = x.astype("f4").view("u4")
        rounded_up = bits + 0x7FFF + ((bits >> 16) & 1)  # round to nearest even
        return (rounded_up & 0xFFFF0000).view("f4")
    if isinstance(type_, Float16Type):
        return x.astype("f2")
    if isinstance(type_, IntegerType):
        width: int = cast(Any, type_).width.data
        return x.astype("?" if width == 1 else f"i{width // 8}")
    return x.astype("f4", copy=False)
