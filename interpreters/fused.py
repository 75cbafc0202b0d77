"""Semantics of the fused operations on arrays: the anchors, by the kernels of the ncnn layers, then
the operations of `arith` and `math` in their epilogues. The arrays may be traced
(`conversion/tracing/`)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import numpy as np
from xdsl.dialects import arith
from xdsl.dialects.builtin import BFloat16Type, Float16Type, FloatAttr, IntegerAttr, IntegerType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.exceptions import InterpretationError

from ..dialects.fused import (
    ConvOp,
    ConvTransposeOp,
    ElementwiseOp,
    FusedOp,
    LinearOp,
    PoolOp,
    YieldOp,
)
from ..dialects.shapes.tensors import element_of, shape_of, spread_extents
from .implementations import functions_of
from .ncnn.channels import along_outermost
from .ncnn.formulas import OPERATIONS
from .ncnn.int8 import exact
from .ncnn.semantics import Array, needed
from .ncnn.traceable import traceable
from .ncnn.windows import adaptive, correlate, over_windows, pad, spread

Operands = Mapping[str, Array | None]
"""The operands of an anchor by name, `None` for an omitted one."""


def evaluate(op: FusedOp, operands: Sequence[Array]) -> Array:
    """Return the result of a fused operation for its operands' values, in operand order."""
    value, elements = evaluate_elements(op, operands)
    shape = np.broadcast_shapes(*(each.shape for each in elements))
    if op.accumulator_type() is not None and shape != elements[0].shape:
        raise ValueError(f"residuals broadcast {elements[0].shape} to {shape}")
    result = to_type(np.broadcast_to(value, shape), element_of(op.result))
    return np.ascontiguousarray(result)


def evaluate_elements(op: FusedOp, operands: Sequence[Any]) -> tuple[Any, Sequence[Any]]:
    """Return the value of the epilogue for the operands' values, in operand order, which may be
    traced arrays; and the accumulator, if there is one, and the residuals. These broadcast to the
    shape of the result; the value may have fewer axes if it does not depend on all of them."""
    accumulator, residuals = accumulate(op, operands)
    rank = _rank(op, accumulator, residuals)
    elements = [] if accumulator is None else [accumulator]
    elements += [_spread(value, op.explicit_axes(i), rank) for i, value in enumerate(residuals)]
    values: dict[SSAValue, Any] = dict(zip(op.block.args, elements, strict=True))
    for scalar in op.block.ops:
        if isinstance(scalar, YieldOp):
            break
        value = compute(scalar, tuple(values[v] for v in scalar.operands))
        if not scalar.operands and elements:  # a number is one node of a graph, however often read
            value = np.full((), value, value.dtype, like=elements[0])
        values[scalar.results[0]] = value
    return values[op.yielded], elements


def _rank(op: FusedOp, accumulator: Any, residuals: Sequence[Any]) -> int:
    """Return the rank of the result."""
    if accumulator is not None:
        return accumulator.ndim
    shape = shape_of(op.result)
    if shape is not None:
        return len(shape)
    axes = (op.explicit_axes(i) for i in range(len(residuals)))
    ends = (each[-1] + 1 if each else x.ndim for each, x in zip(axes, residuals, strict=True))
    return max(ends)


def _spread(value: Array, axes: Sequence[int], rank: int) -> Array:
    """Return a residual expanded to the result's rank, with extent 1 along axes that it lacks."""
    return value.reshape(spread_extents(value.shape, axes, rank))


# -- anchors


def accumulate(op: FusedOp, operands: Sequence[Any]) -> tuple[Any, Sequence[Any]]:
    """Return the accumulator for all elements of the result (`None` if there is none), and the
    residuals, for the values of all operands in order."""
    given = iter(operands)
    anchor = {n: None if v is None else next(given) for n, v in op.anchor_operands().items()}
    function: Callable[[Any, Operands], Array | None] = _ANCHORS[type(op)]
    return function(op, anchor), list(given)


def _factors(operands: Operands) -> tuple[Array, Array]:
    """Return input and weight in the type in which their products are summed."""
    x, weight = needed(operands, "input"), needed(operands, "weight")
    if x.dtype.kind == "i":
        return exact(x), exact(weight)
    return x.astype("f4", copy=False), weight.astype("f4", copy=False)


def _finished(sums: Array, x: Array, bias: Array | None) -> Array:
    """Return the sums plus bias, as int32 for integer inputs."""
    if bias is not None:
        sums = sums + bias.astype(sums.dtype)
    return sums.astype("f4" if x.dtype == np.float32 else "i4", copy=False)


def _conv(op: ConvOp, operands: Operands) -> Array:
    x, weight = _factors(operands)
    window, value = op.window_on(x.shape[1:], weight.shape[2:]), op.pad_value.value.data
    value = value if x.dtype == np.float32 else float(np.trunc(value))
    sums = correlate(pad(x, window.pads, value), weight, window)
    return _finished(sums, x, _outermost(operands["bias"], x.ndim))


def _conv_transpose(op: ConvTransposeOp, operands: Operands) -> Array:
    x, weight = _factors(operands)
    sums = spread(x, weight, op.window_on(x.shape[1:], weight.shape[2:]))
    return _finished(sums, x, _outermost(operands["bias"], x.ndim))


def _outermost(bias: Array | None, rank: int) -> Array | None:
    return None if bias is None else along_outermost(bias.reshape(-1), rank)


def _linear(op: LinearOp, operands: Operands) -> Array:
    x, weight = _factors(operands)
    matrix = weight.T if op.transposed is not None else weight.reshape(len(weight), -1)
    rows = x.reshape(-1, x.shape[-1]) if op.has_rows() else x.reshape(1, -1)
    sums = _finished(rows @ matrix.T, x, operands["bias"])
    return sums if op.has_rows() else sums[0]


def _elementwise(op: ElementwiseOp, operands: Operands) -> Array | None:
    return operands["input"]


def _pool(op: PoolOp, operands: Operands) -> Array:
    x = needed(operands, "input")
    x = x if op.is_max() or x.dtype.kind == "i" else x.astype("f4")
    if op.is_global is not None:
        channels = x.reshape(len(x), -1)
        return channels.max(1) if op.is_max() else channels.mean(1)
    if op.adaptive is not None:
        return adaptive(x, _wanted(op), op.is_max())
    window = op.window_on(x.shape[1:])
    pads = window.pads
    least = np.finfo("f4").min if x.dtype.kind == "f" else np.iinfo(x.dtype).min
    empty = float(least) if op.is_max() else 0
    result = over_windows(np.maximum if op.is_max() else np.add, pad(x, pads, empty), window)
    if op.is_max():
        return result
    if op.count_include_pad is not None:
        return result / np.float32(np.prod(window.kernel))
    ones = pad(np.ones((1, *x.shape[1:]), "f4", like=x), pads, 0)
    return result / over_windows(np.add, ones, window)


def _wanted(op: PoolOp) -> Sequence[int]:
    shape = shape_of(op.result)
    if shape is None or min(shape[1:]) < 1:
        raise ValueError("adaptive pooling to dynamic extents")
    return shape[1:]


_ANCHORS: Mapping[type[FusedOp], Callable[[Any, Operands], Array | None]] = {
    ConvOp: _conv,
    ConvTransposeOp: _conv_transpose,
    LinearOp: _linear,
    ElementwiseOp: _elementwise,
    PoolOp: _pool,
}


# -- epilogues

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


FusedFunctions = functions_of("FusedFunctions", _ANCHORS, lambda op, args: (evaluate(op, args),))
"""The fused operations for xDSL's `Interpreter`. Values are NumPy arrays of float32, or of int8 and
int32 according to their types."""
