"""The operations that compute the input of a convolution."""

from math import prod
from typing import Any, cast

from xdsl.dialects import tensor
from xdsl.dialects.builtin import TensorType
from xdsl.dialects.linalg import ops as linalg
from xdsl.ir import Operation, SSAValue

from ..tracing import nodes


def sliced_elements(node: nodes.Node) -> int:
    """Return the number of elements of the slices from which a blob is computed, pixel by pixel:
    the slices that the windows of depthwise convolutions and of pools read. A sum over channels is
    computed pixel by pixel, too, unless it merges the axes of the pixels."""
    pending = [each.value for each in nodes.in_order([node]) if isinstance(each, nodes.Input)]
    seen: set[Operation] = set()
    count = 0
    while pending:
        value = pending.pop()
        op: Any = value.owner
        if not isinstance(op, Operation) or op in seen:
            continue
        seen.add(op)
        match op:
            case linalg.GenericOp() | linalg.TransposeOp():
                blobs = [each for each in op.inputs if len(_shape(each)) > 2]
                slices = [each for each in blobs if isinstance(each.owner, tensor.ExtractSliceOp)]
                count += sum(prod(_shape(each)) for each in slices)
                pending += [each for each in blobs if each not in slices]
            case tensor.CollapseShapeOp() | tensor.ExpandShapeOp() if len(_shape(op.src)) > 2:
                pending.append(op.src)
            case _:
                pass
    return count


def _shape(value: SSAValue) -> tuple[int, ...]:
    type_ = value.type
    return cast(TensorType[Any], type_).get_shape() if isinstance(type_, TensorType) else ()
