"""Activations that the layer of an anchor can do itself."""

from xdsl.dialects import arith
from xdsl.ir import Operation, OpResult, SSAValue

from ...dialects.fused import FusedOp
from ...dialects.ncnn.interfaces import Activation
from ...transforms.canonicalization.fused_scalars import Scalars
from .templates import matches


def find_activation(
    op: FusedOp, made: SSAValue, scalars: Scalars
) -> tuple[SSAValue, Activation] | None:
    """The scalar that an activation makes of what a layer makes, of which nothing else is made,
    and that activation: that of the most operations."""
    found: list[tuple[int, SSAValue, Activation]] = []
    for scalar in [result for inner in op.block.ops for result in inner.results]:
        for match in matches(scalar, scalars):
            activation = match.activation()
            if activation is not None and match.args == [made] and is_all(scalar, made):
                found.append((match.size, scalar, activation))
    return max(found, key=lambda row: row[0])[1:] if found else None


def is_all(scalar: SSAValue, made: SSAValue) -> bool:
    """Whether nothing but a scalar is computed of a value: what is between them has no other
    use."""
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
