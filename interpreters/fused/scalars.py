"""The operations of `arith` and `math` that epilogues are made of, on whole arrays."""

from collections.abc import Callable, Mapping
from typing import Any, cast

import numpy as np
from xdsl.dialects import arith, math
from xdsl.dialects.builtin import BFloat16Type, Float16Type, FloatAttr, IntegerAttr, IntegerType
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import InterpretationError

from ..ncnn.erf import erf
from ..ncnn.int8 import rounded
from ..ncnn.semantics import Array


def _multiplied_and_added(a: Array, b: Array, c: Array) -> Array:
    """Rounded once."""
    return a.astype("f8") * b + c


def _inverse_root(x: Array) -> Array:
    return 1 / np.sqrt(x)


_FUNCTIONS: Mapping[type[Operation], Any] = {
    arith.AddfOp: np.add,
    arith.SubfOp: np.subtract,
    arith.MulfOp: np.multiply,
    arith.DivfOp: np.divide,
    arith.NegfOp: np.negative,
    arith.MaximumfOp: np.maximum,
    arith.MinimumfOp: np.minimum,
    arith.MaxnumfOp: np.fmax,
    arith.MinnumfOp: np.fmin,
    arith.SelectOp: np.where,
    arith.AddiOp: np.add,
    arith.SubiOp: np.subtract,
    arith.MuliOp: np.multiply,
    arith.MaxSIOp: np.maximum,
    arith.MinSIOp: np.minimum,
    arith.AndIOp: np.bitwise_and,
    arith.OrIOp: np.bitwise_or,
    arith.XOrIOp: np.bitwise_xor,
    math.AbsFOp: np.abs,
    math.AcosOp: np.arccos,
    math.AcoshOp: np.arccosh,
    math.AsinOp: np.arcsin,
    math.AsinhOp: np.arcsinh,
    math.AtanOp: np.arctan,
    math.Atan2Op: np.arctan2,
    math.AtanhOp: np.arctanh,
    math.CbrtOp: np.cbrt,
    math.CeilOp: np.ceil,
    math.CopySignOp: np.copysign,
    math.CosOp: np.cos,
    math.CoshOp: np.cosh,
    math.ErfOp: erf,
    math.ExpOp: np.exp,
    math.Exp2Op: np.exp2,
    math.ExpM1Op: np.expm1,
    math.FloorOp: np.floor,
    math.FmaOp: _multiplied_and_added,
    math.LogOp: np.log,
    math.Log10Op: np.log10,
    math.Log1pOp: np.log1p,
    math.Log2Op: np.log2,
    math.PowFOp: np.power,
    math.RoundOp: rounded,
    math.RoundEvenOp: np.rint,
    math.RsqrtOp: _inverse_root,
    math.SinOp: np.sin,
    math.SinhOp: np.sinh,
    math.SqrtOp: np.sqrt,
    math.TanOp: np.tan,
    math.TanhOp: np.tanh,
    math.TruncOp: np.trunc,
}

_CONVERSIONS = (
    arith.SIToFPOp,
    arith.FPToSIOp,
    arith.ExtFOp,
    arith.TruncFOp,
    arith.ExtSIOp,
    arith.TruncIOp,
)

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
    if isinstance(op, _CONVERSIONS):
        return to_type(args[0], type_)
    function = _FUNCTIONS.get(type(op))
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
