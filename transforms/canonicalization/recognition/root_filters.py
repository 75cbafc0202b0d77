"""Cheap checks of whether a layer may end a spelled-out operation, from types and parameters only.

Most layers of the possible types do not end one: for example, every residual network contains sums.
These checks run before patterns are imported and before formulas are built.
"""

from xdsl.ir import Operation, OpResult, SSAValue

from ....dialects.ncnn.elementwise import BINARY_OPS, BinaryOpOp, EltwiseOp
from ....dialects.ncnn.interfaces import Reshaping
from ....dialects.ncnn.layer import LayerOp


def may_end_formula(op: Operation) -> bool:
    """Whether a layer may end the formula of a recognizer. No formula ends with a sum, and none is
    a single layer: a layer without weights precedes."""
    return not is_sum(op) and any(
        producer is not None and not producer.WEIGHTS for producer in map(producer_of, op.operands)
    )


def may_end_rotation(op: Operation) -> bool:
    """Whether a layer may add the two products of a rotary embedding."""
    return is_sum(op) and len(op.operands) == 2 and all(map(_is_product, op.operands))


def may_join_rotation(op: Operation) -> bool:
    """Whether a layer may concatenate the separately computed halves of a rotary embedding."""
    producers = [producer_of(value) for value in op.operands]
    return len(producers) == 2 and all(
        isinstance(each, BinaryOpOp | EltwiseOp) for each in producers
    )


def may_join_pairs(op: Operation) -> bool:
    """Whether a layer may interleave the separately computed features of pairs: it concatenates two
    sums, or reshaped blobs."""
    producers = [producer_of(value) for value in op.operands]
    return len(producers) == 2 and all(
        isinstance(each, BinaryOpOp | EltwiseOp | Reshaping) for each in producers
    )


def is_sum(op: Operation) -> bool:
    """Whether a layer adds or subtracts."""
    if isinstance(op, BinaryOpOp):
        return BINARY_OPS[op.op_type] in ("add", "sub", "rsub")
    return isinstance(op, EltwiseOp) and op.op_type == 1


def _is_product(value: SSAValue) -> bool:
    producer = producer_of(value)
    if isinstance(producer, BinaryOpOp):
        return BINARY_OPS[producer.op_type] == "mul" and len(producer.inputs) == 2
    return isinstance(producer, EltwiseOp) and producer.op_type == 0


def producer_of(value: SSAValue) -> LayerOp | None:
    """Return the layer that produces a blob."""
    owner = value.op if isinstance(value, OpResult) else None
    return owner if isinstance(owner, LayerOp) else None
