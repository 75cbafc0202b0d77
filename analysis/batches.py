"""Batch analysis: which values are batches of blobs.

The runtime can hold a batch of blobs of one shape. Reshape creates a batch from an axis, and turns
a batch into an axis. Every other layer computes each blob of a batch separately. Types do not
describe batches.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import TypeGuard

from xdsl.ir import Block, Operation, SSAValue

from ..dialects.ncnn.blob import static_shape_of
from ..dialects.ncnn.expressions import evaluate
from ..dialects.ncnn.extents import NO_BATCH
from ..dialects.ncnn.layer import LayerOp
from ..dialects.ncnn.reshaping import ReshapeOp
from ..dialects.shapes.analysis import Shapes, Unranked
from ..dialects.shapes.terms import UNKNOWN, Extent, Extents


@dataclass(frozen=True)
class Blobs:
    """The contents of a value: one blob, or a batch of blobs of one shape."""

    shape: Extents | None
    """The extents of each blob; `None` if the rank is unknown."""
    count: int | None = 1
    """The number of blobs, 1 for a value that is no batch; `None` if it is unknown."""

    def extents(self) -> tuple[int, ...] | None:
        """The extents of each blob; `None` unless all are integers."""
        numbers = [n for n in self.shape or () if isinstance(n, int)]
        return tuple(numbers) if self.shape and len(numbers) == len(self.shape) else None

    def known_extents(self) -> tuple[int, ...]:
        """The extents of each blob, if the caller has checked that all are integers."""
        return self.extents() or ()


class Batches:
    """The analysis, forward. `visit` takes layers in program order."""

    def __init__(self, declared: bool = False) -> None:
        """`declared`: the extents of types are certain."""
        self._declared = declared
        self._found: dict[SSAValue, Blobs] = {}
        self._shapes = Shapes()

    @staticmethod
    def of_block(block: Block) -> "Batches":
        """Return the analysis of all layers of a block."""
        batches = Batches()
        for op in block.ops:
            if isinstance(op, LayerOp):
                batches.visit(op)
        return batches

    def of(self, value: SSAValue) -> Blobs:
        """Return the contents of a value."""
        found = self._found.get(value)
        if found is None:
            found = Blobs(static_shape_of(value) if self._declared else self._shapes.of(value))
        return found

    def record(self, value: SSAValue, blobs: Blobs) -> None:
        """Record the contents of a value."""
        self._found[value] = blobs

    def touches_batch(self, op: Operation) -> bool:
        """Whether a layer may read or create a batch, or has parameters for one."""
        return is_batched(op) or any(self.of(v).count != 1 for v in (*op.operands, *op.results))

    def visit(self, op: LayerOp) -> None:
        """Infer the contents of a layer's results."""
        inputs = [self.of(value) for value in op.operands]
        if is_batched(op):
            self._found[op.results[0]] = _reshaped(op, inputs)
            return
        counts = {each.count for each in inputs} - {1}
        count = (counts.pop() if len(counts) == 1 else None) if counts else 1
        shapes = op.infer_shapes([each.shape for each in inputs]) or [None] * len(op.results)
        for result, shape in zip(op.results, shapes, strict=False):
            if self._declared:
                shape = static_shape_of(result) or shape
            elif shape is None and count == 1:
                shape = self._shapes.of(result)
            self._found[result] = Blobs(shape, count)


class ShapesInBatches(Shapes):
    """Shapes as layers see them: a layer sees one blob of a batch at a time."""

    def __init__(self, batches: Batches) -> None:
        super().__init__()
        self._batches = batches

    def _look(self, value: SSAValue) -> Extents | Unranked:
        shape = self._batches.of(value).shape
        return Unranked(value) if shape is None else shape


def is_batched(op: Operation) -> TypeGuard[ReshapeOp]:
    """Whether an operation is a Reshape that takes a batch as an axis, or creates one from an
    axis."""
    return isinstance(op, ReshapeOp) and op.is_batched()


def _reshaped(op: ReshapeOp, inputs: Sequence[Blobs]) -> Blobs:
    """Return the result of a Reshape with batch axes."""
    shape = logical_output(op, inputs)
    if op.output_batch_axis == NO_BATCH:
        return Blobs(shape)
    axis = axis_in(op.output_batch_axis, op.output_rank() or 0)
    if shape is None or axis is None:
        return Blobs(None, None)
    count = shape[axis]
    rest = (*shape[:axis], *shape[axis + 1 :])
    return Blobs(rest, count if isinstance(count, int) and count > 0 else None)


def axis_in(axis: int, rank: int) -> int | None:
    """Return an axis counted from the outermost one; `None` if it is out of range."""
    return axis % rank if -rank <= axis < rank else None


def logical_input(op: ReshapeOp, inputs: Sequence[Blobs]) -> Extents | None:
    """Return the extents of a Reshape's input, including the batch if it takes it as an axis."""
    shape, count = inputs[0].shape, inputs[0].count
    if op.input_batch_axis == NO_BATCH or shape is None or count is None:
        return None if count is None else shape
    axis = axis_in(op.input_batch_axis, len(shape) + 1)
    return None if axis is None else (*shape[:axis], count, *shape[axis:])


def logical_output(op: ReshapeOp, inputs: Sequence[Blobs]) -> Extents | None:
    """Return the extents of a Reshape's output, including the batch; `None` if the rank is unknown.

    In a Reshape with batch axes, 0 copies the extent of the input axis with the same place from the
    outermost one (src/layer/reshape.cpp).
    """
    rank, wanted = op.output_rank() or 0, list[Extent]()
    if op.shape_expr:
        counts = [each.count for each in inputs]
        values = evaluate(op.shape_expr, [each.shape for each in inputs], counts)
        wanted += list(values or ())[::-1]
    else:
        wanted += op.wanted(rank)
    before = logical_input(op, inputs)
    for i, n in enumerate(wanted):
        if n == 0:
            wanted[i] = UNKNOWN if before is None or i >= len(before) else before[i]
    if -1 in wanted:
        rest = prod(n for n in wanted if n != -1)
        known = before is not None and rest != 0 and wanted.count(-1) == 1
        inferred = prod(before or ()) // rest if known else UNKNOWN
        wanted = [inferred if n == -1 else n for n in wanted]
    return tuple(wanted) or None
