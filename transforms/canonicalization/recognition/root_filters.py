"""Which layers something that a graph spells out may end with, as far as types and parameters show.

Most layers of the types that it can end with are no such end: sums are in every residual network.
This tells before patterns are imported, and before terms are made.
"""

from xdsl.ir import Operation, OpResult, SSAValue

from ....dialects.ncnn.elementwise import BINARY_OPS, BinaryOpOp, EltwiseOp
from ....dialects.ncnn.layer import LayerOp


def ends_formula(op: Operation) -> bool:
    """Whether a layer may be the last one of a formula of a recognizer. None of them is a sum, and
    none is a single layer: one without weights comes before."""
    return not is_sum(op) and any(
        maker is not None and not maker.WEIGHTS for maker in map(maker_of, op.operands)
    )


def ends_rotation(op: Operation) -> bool:
    """Whether a layer may add the two products of a rotary embedding."""
    return is_sum(op) and len(op.operands) == 2 and all(map(_is_product, op.operands))


def joins_rotation(op: Operation) -> bool:
    """Whether a layer may join the halves that a rotary embedding is computed in."""
    makers = [maker_of(value) for value in op.operands]
    return len(makers) == 2 and all(isinstance(each, BinaryOpOp | EltwiseOp) for each in makers)


def is_sum(op: Operation) -> bool:
    """Whether a layer adds, or subtracts."""
    if isinstance(op, BinaryOpOp):
        return BINARY_OPS[op.op_type] in ("add", "sub", "rsub")
    return isinstance(op, EltwiseOp) and op.op_type == 1


def _is_product(value: SSAValue) -> bool:
    maker = maker_of(value)
    if isinstance(maker, BinaryOpOp):
        return BINARY_OPS[maker.op_type] == "mul" and len(maker.inputs) == 2
    return isinstance(maker, EltwiseOp) and maker.op_type == 0


def maker_of(value: SSAValue) -> LayerOp | None:
    """The layer that makes a blob."""
    owner = value.op if isinstance(value, OpResult) else None
    return owner if isinstance(owner, LayerOp) else None
