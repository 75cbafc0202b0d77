"""Batch analysis: which values are batches of blobs.

The runtime can hold a batch of blobs of one shape. Reshape creates a batch from an axis, and turns
a batch into an axis. Every other layer computes each blob of a batch separately. Types do not
describe batches.

An input of a model is one blob or a batch of any number of blobs: the application decides. The
values that follow from it have as many blobs, up to a Reshape with batch axes. A fact of this
analysis holds for all numbers with which the runtime computes a result.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import TypeGuard

from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from ..dialects.ncnn.blob import static_shape_of
from ..dialects.ncnn.expressions import evaluate
from ..dialects.ncnn.extents import NO_BATCH
from ..dialects.ncnn.layer import LayerOp
from ..dialects.ncnn.reshaping import ReshapeOp
from ..dialects.shapes.analysis import Shapes, Unranked, named
from ..dialects.shapes.terms import UNKNOWN, Extent, Extents, ExtentTerm, symbol


@dataclass(frozen=True)
class BlobBatch:
    """The contents of a value: one blob, or a batch of blobs of one shape."""

    shape: Extents | None
    """The extents of each blob; `None` if the rank is unknown."""
    count: int | None = 1
    """The number of blobs, 1 for a value that is no batch; `None` if it is unknown."""
    follows_inputs: bool = False
    """Whether the value is a batch if the inputs of the model are. If they are, `count` must be 1,
    and the value has as many blobs as they have."""

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
        self._found: dict[SSAValue, BlobBatch] = {}
        self._shapes = Shapes()

    @staticmethod
    def of_block(block: Block) -> "Batches":
        """Return the analysis of all layers of a block."""
        batches = Batches()
        for op in block.ops:
            if isinstance(op, LayerOp):
                batches.visit(op)
        return batches

    def of(self, value: SSAValue) -> BlobBatch:
        """Return the contents of a value."""
        found = self._found.get(value)
        if found is None:
            shape = static_shape_of(value) if self._declared else self._shapes.of(value)
            found = BlobBatch(shape, follows_inputs=isinstance(value, BlockArgument))
        return found

    def record(self, value: SSAValue, blobs: BlobBatch) -> None:
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
        follows = any(each.follows_inputs for each in inputs)
        shapes = op.infer_shapes([each.shape for each in inputs]) or [None] * len(op.results)
        for result, shape in zip(op.results, shapes, strict=False):
            if self._declared:
                shape = static_shape_of(result) or shape
            elif shape is None and count == 1:
                shape = self._shapes.of(result)
            self._found[result] = BlobBatch(shape, count, follows)


class ShapesInBatches(Shapes):
    """Shapes as layers see them: a layer sees one blob of a batch at a time."""

    def __init__(self, batches: Batches) -> None:
        super().__init__()
        self._batches = batches

    def _look(self, value: SSAValue) -> Extents | Unranked:
        shape = self._batches.of(value).shape
        return Unranked(value) if shape is None else named(value, shape)


def is_batched(op: Operation) -> TypeGuard[ReshapeOp]:
    """Whether an operation is a Reshape that takes a batch as an axis, or creates one from an
    axis."""
    return isinstance(op, ReshapeOp) and op.is_batched()


def _reshaped(op: ReshapeOp, inputs: Sequence[BlobBatch]) -> BlobBatch:
    """Return the result of a Reshape with batch axes."""
    shape = logical_output(op, inputs)
    if op.output_batch_axis == NO_BATCH:
        return BlobBatch(shape)
    axis = axis_in(op.output_batch_axis, op.output_rank() or 0)
    if shape is None or axis is None:
        return BlobBatch(None, None)
    if isinstance(shape[axis], ExtentTerm) and keeps_blobs(op, inputs):
        return BlobBatch(_blob_shape(shape, axis, inputs[0].shape), follows_inputs=True)
    count = shape[axis]
    rest = (*shape[:axis], *shape[axis + 1 :])
    return BlobBatch(rest, count if isinstance(count, int) and count > 0 else None)


def keeps_blobs(op: ReshapeOp, inputs: Sequence[BlobBatch]) -> bool:
    """Whether a Reshape provably reshapes each blob of its input on its own: the batch stays the
    batch, and as many elements are outside of it."""
    before, after = logical_input(op, inputs), logical_output(op, inputs)
    if before is None or after is None or inputs[0].count != 1:
        return False
    old = axis_in(op.input_batch_axis, len(before))
    new = axis_in(op.output_batch_axis, len(after))
    if old is None or new is None or NO_BATCH in (op.input_batch_axis, op.output_batch_axis):
        return False
    return after[new] == before[old] and prod(after[:new]) == prod(before[:old])


def _blob_shape(logical: Extents, axis: int, source: Extents | None) -> Extents:
    """Return the shape of each blob without the batch axis. The elements of a blob determine one
    extent that is not known without them, such as `//(256,0n)`."""
    rest = [*logical[:axis], *logical[axis + 1 :]]
    dynamic = [i for i, n in enumerate(rest) if not isinstance(n, int)]
    if len(dynamic) == 1 and source is not None:
        rest[dynamic[0]] = prod(source) // prod(n for n in rest if isinstance(n, int))
    return tuple(rest)


def axis_in(axis: int, rank: int) -> int | None:
    """Return an axis counted from the outermost one; `None` if it is out of range."""
    return axis % rank if -rank <= axis < rank else None


def number_of_blobs(op: ReshapeOp, inputs: Sequence[BlobBatch]) -> Extent:
    """Return the number of blobs that a Reshape with batch axes reads. If the inputs of the model
    decide, the number is a symbol, unless the runtime computes the layer for one blob only: without
    an input batch axis, or if the output has the elements of one blob."""
    source = inputs[0]
    if source.count is None or (source.follows_inputs and source.count != 1):
        return UNKNOWN
    if not source.follows_inputs or op.input_batch_axis == NO_BATCH:
        return source.count
    number = symbol("blobs", op.inputs[0])
    wanted = _wanted(op, inputs, number)
    shape = source.shape
    return 1 if shape is not None and -1 not in wanted and prod(wanted) == prod(shape) else number


def logical_input(op: ReshapeOp, inputs: Sequence[BlobBatch]) -> Extents | None:
    """Return the extents of a Reshape's input, including the batch if it takes it as an axis."""
    return _logical_input(op, inputs, number_of_blobs(op, inputs))


def _logical_input(op: ReshapeOp, inputs: Sequence[BlobBatch], count: Extent) -> Extents | None:
    shape = inputs[0].shape
    if op.input_batch_axis == NO_BATCH or shape is None or count is UNKNOWN:
        return None if count is UNKNOWN else shape
    axis = axis_in(op.input_batch_axis, len(shape) + 1)
    return None if axis is None else (*shape[:axis], count, *shape[axis:])


def logical_output(op: ReshapeOp, inputs: Sequence[BlobBatch]) -> Extents | None:
    """Return the extents of a Reshape's output, including the batch; `None` if the rank is unknown.

    In a Reshape with batch axes, 0 copies the extent of the input axis with the same place from the
    outermost one (src/layer/reshape.cpp).
    """
    count = number_of_blobs(op, inputs)
    wanted, before = _wanted(op, inputs, count), _logical_input(op, inputs, count)
    if -1 in wanted:
        rest = prod(n for n in wanted if n != -1)
        known = before is not None and rest != 0 and wanted.count(-1) == 1
        inferred = prod(before or ()) // rest if known else UNKNOWN
        wanted = [inferred if n == -1 else n for n in wanted]
    return tuple(wanted) or None


def _wanted(op: ReshapeOp, inputs: Sequence[BlobBatch], count: Extent) -> list[Extent]:
    """Return the logical extents of a Reshape's output, -1 for an inferred one, if it reads so many
    blobs."""
    wanted = list[Extent]()
    if op.shape_expr:
        others = [UNKNOWN if each.follows_inputs else each.count for each in inputs[1:]]
        values = evaluate(op.shape_expr, [each.shape for each in inputs], [count, *others])
        wanted += list(values or ())[::-1]
    else:
        wanted += op.wanted(op.output_rank() or 0)
    before = _logical_input(op, inputs, count)
    for i, n in enumerate(wanted):
        if n == 0:
            wanted[i] = UNKNOWN if before is None or i >= len(before) else before[i]
    return wanted


def origins(*values: SSAValue) -> frozenset[SSAValue]:
    """Return what decides the number of blobs of a layer that reads these values: arguments, and
    results of Reshapes that create batches. The layer computes one blob if each of them is one
    blob. Otherwise those that are batches have one number of blobs, and it computes as many."""
    pending, seen, found = [*values], {*values}, set[SSAValue]()
    while pending:
        owner = (each := pending.pop()).owner
        if not isinstance(owner, Operation):
            found.add(each)
        elif is_batched(owner):
            found.update([each] if owner.output_batch_axis != NO_BATCH else [])
        else:
            pending += [v for v in owner.operands if v not in seen]
            seen.update(owner.operands)
    return frozenset(found)


def repeats_blobs(op: Operation, value: SSAValue | None = None) -> bool:
    """Whether a layer may compute more blobs than an operand has (the first one by default): the
    runtime computes a layer once for each blob of a batch, even if the layer reads only extents
    from the batch."""
    first = op.operands[0] if value is None else value
    others = origins(*(each for each in op.operands if each is not first))
    return bool(others) and not others <= origins(first)
