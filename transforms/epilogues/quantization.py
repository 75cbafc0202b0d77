"""The scalar code of the layers in `dialects/ncnn/quantization.py`, which have int8 or int32
elements on one side."""

from typing import Any

from xdsl.dialects.builtin import i32

from ...dialects.ncnn.blob import rank_of
from ...dialects.ncnn.quantization import DequantizeOp, QuantizeOp, RequantizeOp
from .activation import activation
from .registry import NotFused, Operand, default_operands, scalar_code
from .terms import Term, from_int, to_int8


def _operands(op: Any) -> list[Operand]:
    operands = default_operands(op)
    several = any(v is not None and v.type.get_shape() != (1,) for v in _weights(op))
    if several and rank_of(op.input) in (None, 1):
        raise NotFused("several scales, of which a 1-D blob sees the first only")
    return operands


def _weights(op: Any) -> list[Any]:
    return list(op.weight_operands().values())


def _integer_operands(op: Any) -> list[Operand]:
    if op.input.type.element_type != i32:
        raise NotFused(f"elements of {op.input.type.element_type} instead of i32")
    return _operands(op)


@scalar_code(QuantizeOp, operands=_operands)
def quantize(op: Any, x: Term, scale: Term) -> Term:
    return to_int8(x * scale)


@scalar_code(DequantizeOp, operands=_integer_operands, integers=True)
def dequantize(op: Any, x: Term, scale: Term, bias: Term | None = None) -> Term:
    y = from_int(x) * scale
    return y if bias is None else y + bias


@scalar_code(RequantizeOp, operands=_integer_operands, integers=True)
def requantize(op: Any, x: Term, scale_in: Term, scale_out: Term, bias: Term | None = None) -> Term:
    y = dequantize(op, x, scale_in, bias)
    return to_int8(activation(op.activation_type, op.activation_params, y) * scale_out)
