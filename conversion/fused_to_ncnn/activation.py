"""Activations that the layer of an anchor can compute.

ncnn computes an activation in the loop of a convolution or InnerProduct. A layer of its own would
read and write the blob once more.
"""

from xdsl.dialects import arith
from xdsl.ir import Operation, OpResult, SSAValue

from ...dialects.fused import FusedOp
from ...dialects.ncnn.interfaces import Activation
from ...transforms.canonicalization.fused_scalars import Scalars
from .templates import matches


def find_activation(
    op: FusedOp, made: SSAValue, scalars: Scalars
) -> tuple[SSAValue, Activation] | None:
    """Return the activation of a layer's result that covers the most operations, with the scalar
    that it computes. Nothing else may read the layer's result."""
    found: list[tuple[int, SSAValue, Activation]] = []
    for scalar in [result for inner in op.block.ops for result in inner.results]:
        for match in matches(scalar, scalars):
            activation = match.activation()
            if activation is not None and match.args == [made] and is_all(scalar, made):
                found.append((match.size, scalar, activation))
    return max(found, key=lambda row: row[0])[1:] if found else None


def is_all(scalar: SSAValue, made: SSAValue) -> bool:
    """Whether a scalar is the only value computed from `made`: the values between have no other
    uses."""
    between: set[Operation] = set()
    pending = [scalar]
    while pending:
        value = pending.pop()
        if value is not made and isinstance(value, OpResult) and value.op not in between:
            between.add(value.op)
            pending += value.op.operands
    inner = [made, *(op.results[0] for op in between if op.results[0] is not scalar)]
    varying = [v for v in inner if not isinstance(v.owner, arith.ConstantOp)]
    return all(use.operation in between for v in varying for use in v.uses)
