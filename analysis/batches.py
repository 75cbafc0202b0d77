"""What is certain of the batches of blobs in a model."""

from collections.abc import Sequence
from math import prod
from typing import NamedTuple, TypeGuard

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from ..dialects.ncnn.expressions import evaluate
from ..dialects.ncnn.layer import LayerOp
from ..dialects.ncnn.reshaping import ReshapeOp
from ..dialects.shapes.analysis import Shapes, Unranked
from ..dialects.shapes.terms import Extent, Extents

NO_AXIS = 233
"""Reshape's word for no batch."""


class Blobs(NamedTuple):
    """What a value holds: a blob, or a batch of blobs of one shape."""

    number: int | None
    """How many blobs there are, 1 of those that are no batch; `None` if that is not certain."""
    shape: Extents | None
    """The extents of each; `None` if not even the number of dims is certain."""

    def numbers(self) -> tuple[int, ...]:
        """The same, of a value of which that was looked at."""
        return self.extents() or ()

    def extents(self) -> tuple[int, ...] | None:
        """The extents of each, if they are certain numbers."""
        numbers = [n for n in self.shape or () if isinstance(n, int)]
        return tuple(numbers) if self.shape and len(numbers) == len(self.shape) else None


class Facts:
    """What is certain of all values of a function, batches among them."""

    def __init__(self, func: FuncOp) -> None:
        """Asks each layer, in order."""
        self._found: dict[SSAValue, Blobs] = {}
        self._shapes = Shapes()
        for op in func.body.block.ops:
            if isinstance(op, LayerOp):
                self._visit(op)

    def of(self, value: SSAValue) -> Blobs:
        """What is certain of a value."""
        return self._found.get(value) or Blobs(1, self._shapes.of(value))

    def touches_batch(self, op: Operation) -> bool:
        """Whether a layer reads or makes a batch, or may, or is told to of one blob."""
        return is_of_batch(op) or any(self.of(v).number != 1 for v in (*op.operands, *op.results))

    def _visit(self, op: LayerOp) -> None:
        inputs = [self.of(value) for value in op.operands]
        counts = {each.number for each in inputs} - {1}
        count = (counts.pop() if len(counts) == 1 else None) if counts else 1
        if is_of_batch(op):
            self._found[op.results[0]] = reshaped(op, inputs)
            return
        shapes = op.infer_shapes([each.shape for each in inputs]) or [None] * len(op.results)
        for result, shape in zip(op.results, shapes, strict=False):
            own = self._shapes.of(result) if shape is None and count == 1 else shape
            self._found[result] = Blobs(count, own)


class ShapesOfOne(Shapes):
    """The shapes of values as a layer sees them, which is given one blob of a batch at a time."""

    def __init__(self, facts: Facts) -> None:
        super().__init__()
        self._facts = facts

    def _look(self, value: SSAValue) -> Extents | Unranked:
        shape = self._facts.of(value).shape
        return Unranked(value) if shape is None else shape


def is_of_batch(op: Operation) -> TypeGuard[ReshapeOp]:
    """Whether an operation is a Reshape that takes a batch as an axis, or makes one of an axis."""
    if not isinstance(op, ReshapeOp):
        return False
    return (op.input_batch_axis, op.output_batch_axis) != (NO_AXIS, NO_AXIS)


def reshaped(op: ReshapeOp, inputs: Sequence[Blobs]) -> Blobs:
    """What a Reshape makes of a batch, or makes a batch of."""
    shape, axis = logical_output(op, inputs), op.output_batch_axis
    if axis == NO_AXIS:
        return Blobs(1, shape)
    axis = axis_in(axis, op.output_rank() or 0)
    if shape is None or axis is None:
        return Blobs(None, None)
    count = shape[axis]
    return Blobs(count if isinstance(count, int) else None, (*shape[:axis], *shape[axis + 1 :]))


def axis_in(axis: int, rank: int) -> int | None:
    """An axis counted from the outermost one; `None` if there is no such."""
    return axis % rank if -rank <= axis < rank else None


def logical_input(op: ReshapeOp, inputs: Sequence[Blobs]) -> Extents | None:
    """The extents of a Reshape's input, the batch among them if it takes that as an axis."""
    count, shape = inputs[0]
    if op.input_batch_axis == NO_AXIS or shape is None or count is None:
        return None if count is None else shape
    axis = axis_in(op.input_batch_axis, len(shape) + 1)
    return None if axis is None else (*shape[:axis], count, *shape[axis:])


def logical_output(op: ReshapeOp, inputs: Sequence[Blobs]) -> Extents | None:
    """The extents that a Reshape with batches gives, the batch among them. Where there are batches,
    0 stands for the input's axis of the same number from the outermost (src/layer/reshape.cpp)."""
    rank, wanted = op.output_rank() or 0, list[Extent]()
    if op.shape_expr:
        counts = [each.number for each in inputs]
        values = evaluate(op.shape_expr, [each.shape for each in inputs], counts)
        wanted += list(values or ())[::-1]
    elif rank <= 4:
        wanted += op.wanted(rank)
    before = logical_input(op, inputs)
    for i, n in enumerate(wanted):
        if n == 0:
            if before is None or i >= len(before):
                return None
            wanted[i] = before[i]
    if wanted.count(-1) > 1:
        return None
    if -1 in wanted:
        rest = -prod(wanted)
        if before is None or rest == 0:
            return None
        wanted[wanted.index(-1)] = prod(before) // rest
    return tuple(wanted) or None
