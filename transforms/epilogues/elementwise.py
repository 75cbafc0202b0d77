"""The scalar code of the layers in `dialects/ncnn/elementwise.py`."""

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any

from xdsl.dialects import math

from ...dialects.ncnn.blob import agree, shape_of
from ...dialects.ncnn.elementwise import BINARY_OPS, BinaryOpOp, DropoutOp, EltwiseOp, PowerOp
from .registry import NotFused, Operand, scalar_code
from .terms import Term, affine, call, exp, maximum, minimum, power, term

MOST_OPERANDS = 64
"""Of an Eltwise, beyond which nothing would be gained."""

_BINARY: Mapping[str, Callable[[Term, Term], Term]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "max": maximum,
    "min": minimum,
    "pow": power,
    "rsub": lambda a, b: b - a,
    "rdiv": lambda a, b: b / a,
    "rpow": lambda a, b: power(b, a),
    "atan2": lambda a, b: call(math.Atan2Op, a, b),
    "ratan2": lambda a, b: call(math.Atan2Op, b, a),
    "logaddexp": lambda a, b: (
        maximum(a, b) + call(math.Log1pOp, exp(minimum(a, b) - maximum(a, b)))
    ),
    "floor_divide": lambda a, b: call(math.FloorOp, a / b),
    "rfloor_divide": lambda a, b: call(math.FloorOp, b / a),
}
"""Not here are fmod and remainder: arith has no exact remainder of floats in xDSL."""


@scalar_code(BinaryOpOp)
def binary(op: Any, a: Term, b: Term | None = None) -> Term:
    kind = BINARY_OPS[int(op.op_type)]
    function = _BINARY.get(kind)
    if function is None:
        raise NotFused(f"there is no scalar operation for {kind}")
    return function(a, term(op.b) if b is None else b)


def _alike(op: EltwiseOp) -> list[Operand]:
    shapes = [shape_of(v) for v in op.inputs]
    if len(shapes) > MOST_OPERANDS:
        raise NotFused(f"{len(shapes)} operands")
    if any(not agree(shapes[0], shape) for shape in shapes):
        raise NotFused("the operands have different shapes")
    return [Operand(v, leads=True) for v in op.inputs]


@scalar_code(EltwiseOp, operands=_alike)
def eltwise(op: Any, *values: Term) -> Term:
    match op.op_type:
        case 0:
            return reduce(lambda a, b: a * b, values)
        case 1:
            return reduce(lambda a, b: a + b, _weighted(values, op.coeffs))
        case _:
            return reduce(maximum, values)


def _weighted(values: Sequence[Term], coeffs: Sequence[float]) -> Sequence[Term]:
    if not coeffs:
        return values
    if len(coeffs) < len(values):
        raise NotFused(f"{len(coeffs)} coefficients of {len(values)} operands")
    return [x if c == 1 else x * c for x, c in zip(values, coeffs, strict=False)]


@scalar_code(PowerOp)
def powered(op: Any, x: Term) -> Term:
    inner = affine(x, op.scale, op.shift)
    return inner if op.power == 1 else power(inner, op.power)


@scalar_code(DropoutOp)
def dropout(op: Any, x: Term) -> Term:
    return affine(x, op.scale, 0.0)
