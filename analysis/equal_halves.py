"""Blobs whose two halves along the innermost axis are provably equal."""

from xdsl.ir import Operation, SSAValue

from ..dialects.ncnn.constant import ConstantOp
from ..dialects.ncnn.extents import positive_axis
from ..dialects.ncnn.interfaces import ElementWise, Reshaping
from ..dialects.ncnn.joining import ConcatOp
from ..dialects.ncnn.structure import SplitOp
from ..dialects.shapes.analysis import Shapes


def has_equal_halves(value: SSAValue, shapes: Shapes) -> bool:
    """Whether the two halves of a blob along its innermost axis are provably equal for all inputs:
    those of a constant, of a Concat of the same blobs twice, and of element-wise layers and layers
    that keep the rows of such a blob."""
    op = value.owner
    match op:
        case ConstantOp():
            return _are_equal_in(op)
        case ConcatOp():
            return _repeats(op, shapes)
        case SplitOp():
            return has_equal_halves(op.operands[0], shapes)
        case Reshaping() if op.keeps_order(shapes) and _keeps_rows(op, shapes):
            return has_equal_halves(op.operands[0], shapes)
        case ElementWise() if op.is_elementwise() and len(op.data_operands()) == 1:
            return has_equal_halves(op.operands[0], shapes)
        case _:
            return False


def half_of(value: SSAValue, shapes: Shapes) -> SSAValue | None:
    """Return the blob that is both halves of a blob: a Concat joins it with itself, perhaps before
    layers that keep the rows."""
    op = value.owner
    match op:
        case ConcatOp() if len(op.inputs) == 2 and _repeats(op, shapes):
            return op.inputs[0]
        case SplitOp():
            return half_of(op.operands[0], shapes)
        case Reshaping() if op.keeps_order(shapes) and _keeps_rows(op, shapes):
            return half_of(op.operands[0], shapes)
        case _:
            return None


def _are_equal_in(constant: ConstantOp) -> bool:
    if not constant.has_values():
        return False
    values = constant.read()
    half, rest = divmod(values.shape[-1], 2)
    return not rest and bool((values[..., :half] == values[..., half:]).all())


def _repeats(concat: ConcatOp, shapes: Shapes) -> bool:
    """Whether a Concat along the innermost axis has the same blobs twice, in the same order."""
    half, rest = divmod(len(concat.inputs), 2)
    rank = shapes.rank(concat.inputs[0])
    if rest or rank is None or positive_axis(concat.axis, rank) != rank - 1:
        return False
    blobs = [_origin(value) for value in concat.inputs]
    return blobs[:half] == blobs[half:]


def _origin(value: SSAValue) -> SSAValue:
    """Return the blob that a Split copies."""
    while isinstance(value.owner, SplitOp):
        value = value.owner.operands[0]
    return value


def _keeps_rows(op: Operation, shapes: Shapes) -> bool:
    """Whether the innermost extents of a layer's input and output are provably the same."""
    before, after = shapes.of(op.operands[0]), shapes.of(op.results[0])
    return before is not None and after is not None and before[-1] == after[-1]
