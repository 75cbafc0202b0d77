"""InnerProduct as an anchor."""

from math import prod

from ...dialects.fused import LinearOp
from ...dialects.ncnn.blob import rank_of, shape_of
from ...dialects.ncnn.innerproduct import InnerProductOp
from ...dialects.shapes.tensors import known
from ...transforms.rewriting.scalar_code import NotFused
from .anchors import ACC, FusedOpPlan, check_float
from .int8 import int8_plan


def inner_product(op: InnerProductOp) -> FusedOpPlan:
    if rank_of(op.output) is None:
        raise NotFused("the input may be rows or one vector")
    shape = shape_of(op.input)
    if rank_of(op.output) == 1 and shape is None:
        raise NotFused("the input may be one vector or a row")
    count = prod(shape) if shape is not None and all(map(known, shape)) else None
    if rank_of(op.output) == 1 and count not in (None, op.num_input()):
        raise NotFused(f"an input of {count} elements, the weight is for {op.num_input()}")
    if op.int8_scale_term:
        return int8_plan(op, LinearOp, {}, 1)
    check_float(op)
    term = op.activated(ACC)
    return FusedOpPlan(LinearOp, [op.input, op.weight, op.bias], term)
