"""Rewrites of layers of a batch as layers of one blob with the batch as its outermost axis."""

from collections.abc import Sequence
from math import prod

from xdsl.ir import SSAValue

from ...analysis.batches import (
    Batches,
    BlobBatch,
    ShapesInBatches,
    axis_in,
    is_batched,
    logical_input,
    logical_output,
    number_of_blobs,
)
from ...dialects.ncnn.elementwise import BinaryOpOp, EltwiseOp, expand
from ...dialects.ncnn.extents import (
    MAX_DIMS,
    NO_BATCH,
    extent_params,
    permutation,
    positive_axis,
    reshape_params,
)
from ...dialects.ncnn.innerproduct import InnerProductOp
from ...dialects.ncnn.interfaces import ChannelAxis, ElementWise, Identity
from ...dialects.ncnn.joining import ConcatOp, SliceOp
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.matmul import GemmOp, MatMulOp
from ...dialects.ncnn.normalization import BatchNormOp, LayerNormOp, RMSNormOp
from ...dialects.ncnn.params import Value
from ...dialects.ncnn.reduction import SoftmaxOp
from ...dialects.ncnn.reshaping import ExpandDimsOp, FlattenOp, PermuteOp, ReshapeOp, SqueezeOp
from ...dialects.shapes.analysis import Shapes
from ...dialects.shapes.terms import Extent, provably_equal
from ..canonicalization.rewriting import new_weight, successor
from ..rewriting.layer_builder import Shape
from .batch_builder import BatchBuilder, Rewrite, merged_shape


def rewrite_of(op: LayerOp, batches: Batches) -> Rewrite | None:
    """Return the rewrite of a layer of a batch; `None` if no equivalent is known."""
    inputs, results = ([batches.of(v) for v in values] for values in (op.operands, op.results))
    blobs = [batches.of(v) for v in op.data_operands()]
    if op.extra or op.featmask or not results:
        return None
    if is_batched(op):
        return _reshape(op, inputs, results[0])
    if any(each.count is None or each.extents() is None for each in (*blobs, *results)):
        return None
    if any(each.follows_inputs for each in inputs):
        return None  # a batch of inputs may have as many blobs, and each is of one of them
    if (
        isinstance(op, Identity)
        and (same := op.fold_to_values(ShapesInBatches(batches))) is not None
    ):
        if [batches.of(v).count for v in same] != [each.count for each in results]:
            return None
        return lambda b: [b.replacement(v) for v in same]
    if isinstance(op, PermuteOp):
        return _permute(op, blobs[0])
    if isinstance(op, ReshapeOp | FlattenOp | SqueezeOp | ExpandDimsOp):
        # With a batch as a reference, the runtime repeats the layer for one blob.
        if blobs[0].count != results[0].count:
            return None
        return lambda b: [b.reshape(b.input(0), merged_shape(results[0]))]
    if len(blobs) == 1 and isinstance(op, ElementWise) and op.is_elementwise():
        return _copied
    if isinstance(op, BinaryOpOp | EltwiseOp):
        return _combine(op, blobs, results[0])
    if isinstance(op, LayerNormOp | RMSNormOp):
        # In blobs of 3 or 4 dims, the affine slice may span several axes.
        return _copied if blobs[0].known_extents()[-1] == op.affine_size else None
    if isinstance(op, BatchNormOp):
        return _scale(op, blobs[0])
    if isinstance(op, InnerProductOp | GemmOp):
        return _linear(op, blobs, results[0])
    if isinstance(op, MatMulOp):
        return _multiply(op, blobs, results[0])
    if isinstance(op, SoftmaxOp):
        axis = _axis(op.axis, blobs[0])
        return None if axis is None else (lambda b: b.copy([b.input(0)], axis=axis, fixbug0=1))
    if isinstance(op, SliceOp | ConcatOp):
        return _slice_or_concat(op, blobs, results)
    from .attention_rewrites import attention  # rarely needed

    return attention(op, batches)


def _copied(b: BatchBuilder) -> Sequence[SSAValue]:
    return b.copy([b.input(0)])


def _axis(axis: int, blobs: BlobBatch) -> int | None:
    """Return the place of a blob's axis in the merged blob (see `merged_shape`); `None` if the
    batch is merged into it."""
    rank = len(blobs.shape or ())
    place = positive_axis(axis, rank)
    if place is None or (rank == MAX_DIMS and place == 0):
        return None
    return place + (rank < MAX_DIMS)


def _reshape(op: ReshapeOp, inputs: Sequence[BlobBatch], result: BlobBatch) -> Rewrite | None:
    """Return the rewrite of a Reshape with batch axes."""
    number = number_of_blobs(op, inputs)
    if number == result.count == 1 or result.follows_inputs:
        return _reshape_of_one(op, inputs, result)
    if result.count is None or result.extents() is None:
        return None
    return _reshape_of_batch(op, inputs, result, number)


def _reshape_of_one(
    op: ReshapeOp, inputs: Sequence[BlobBatch], result: BlobBatch
) -> Rewrite | None:
    """Return the rewrite of a Reshape from or to a batch of one blob, or of each blob of a batch on
    its own."""
    wanted = result.shape
    params = None if wanted is None else reshape_params(wanted, inputs[0].shape)
    if wanted is None or params is None:
        return None
    new = successor(op, ReshapeOp, [op.inputs[0]], {}, params)
    same = provably_equal(new.infer_shapes([inputs[0].shape]), [wanted])
    new.drop_all_references()
    return (lambda b: b.layer(ReshapeOp, [b.input(0)], wanted, **params)) if same else None


def _reshape_of_batch(
    op: ReshapeOp, inputs: Sequence[BlobBatch], result: BlobBatch, number: Extent
) -> Rewrite | None:
    """Return Reshapes and Permutes of one blob that move the batch axis outermost, or back."""
    before, after = logical_input(op, inputs), logical_output(op, inputs)
    numbers = tuple(n for n in after or () if isinstance(n, int))
    if after is None or len(numbers) != len(after):
        return None
    if not isinstance(number, int):
        return _reshape_of_any_number(op, numbers, result)
    old: Shape | None = None
    old_axis = 0
    if number != 1:
        old = tuple(n for n in before or () if isinstance(n, int))
        found = axis_in(op.input_batch_axis, len(old)) if op.input_batch_axis != NO_BATCH else None
        if found is None or before is None or len(old) != len(before):
            return None
        old_axis = found

    def rewrite(b: BatchBuilder) -> Sequence[SSAValue]:
        value = b.input(0)
        if old is not None:
            value = b.move_from_outermost(value, old, old_axis)
        return _from_logical(op, b, value, numbers, result)

    return rewrite


def _reshape_of_any_number(op: ReshapeOp, numbers: Shape, result: BlobBatch) -> Rewrite | None:
    """Return a Reshape that makes one blob of all elements, whether it reads one blob or a batch of
    them, and Reshapes and Permutes of this blob.

    The runtime copies each element on its own if the batch axis of the output is another one than
    that of the input, or if the number of blobs changes. So the output gets a batch axis of extent
    1 at the place of the input's: for one blob nothing is copied.
    """
    whole = numbers
    if result.count == 1:
        whole = result.known_extents()
    elif len(numbers) > MAX_DIMS:
        whole = (numbers[0] * numbers[1], *numbers[2:])
    axis = op.input_batch_axis if 0 <= op.input_batch_axis <= len(whole) else 0
    logical = (*whole[:axis], 1, *whole[axis:])
    if op.output_batch_axis == axis and numbers == logical:
        return None  # it is one already
    params: dict[str, Value] = {"shape_expr": ",".join(map(str, logical[::-1]))}
    if len(logical) <= MAX_DIMS:
        params = {**extent_params(logical)}
    params |= {"input_batch_axis": op.input_batch_axis, "output_batch_axis": axis}

    def rewrite(b: BatchBuilder) -> Sequence[SSAValue]:
        (value,) = b.layer(ReshapeOp, [b.input(0)], whole, **params)
        return _from_logical(op, b, value, numbers, result)

    return rewrite


def _from_logical(
    op: ReshapeOp, b: BatchBuilder, value: SSAValue, numbers: Shape, result: BlobBatch
) -> Sequence[SSAValue]:
    """Return the replacement of a Reshape's result, of a blob with the elements of its logical
    output."""
    if result.count == 1:
        return [b.reshape(value, result.known_extents())]
    axis = axis_in(op.output_batch_axis, len(numbers)) or 0
    return [b.reshape(b.move_outermost(value, numbers, axis), merged_shape(result))]


def _permute(op: PermuteOp, blobs: BlobBatch) -> Rewrite | None:
    shape = blobs.known_extents()
    order = permutation(op.order_type, len(shape))
    if order is None or blobs.count is None:
        return None
    whole, moved = (blobs.count, *shape), (0, *(axis + 1 for axis in order))
    after = BlobBatch(tuple(shape[axis] for axis in order), blobs.count)
    return lambda b: [b.reshape(b.permute(b.input(0), whole, moved), merged_shape(after))]


def _combine(
    op: BinaryOpOp | EltwiseOp, blobs: Sequence[BlobBatch], result: BlobBatch
) -> Rewrite | None:
    """Give blobs that are no batch an outermost axis of extent 1, and the inner axes that BinaryOp
    would append to broadcast them."""
    shape, given = result.known_extents(), list[Shape | None]()
    for each in blobs:
        own = each.known_extents()
        if each.count != 1:
            if own != shape:
                return None
            given.append(None)
            continue
        spread = expand(own, shape)
        numbers = tuple(n for n in spread or () if isinstance(n, int))
        fits = len(numbers) == len(shape) and (len(shape) < MAX_DIMS or numbers[0] == 1)
        if isinstance(op, EltwiseOp) or not fits:
            return None
        given.append((1, *numbers) if len(shape) < MAX_DIMS else numbers)

    def rewrite(b: BatchBuilder) -> Sequence[SSAValue]:
        values = [b.input(i) for i in range(len(blobs))]
        spread = [v if s is None else b.reshape(v, s) for v, s in zip(values, given, strict=True)]
        return b.copy(spread)

    return rewrite


def _scale(op: BatchNormOp, blobs: BlobBatch) -> Rewrite | None:
    """Return BinaryOps with one value per channel: the channels are no longer the outermost
    axis."""
    shape = blobs.known_extents()
    axis = _axis(0, blobs)
    found = op.affine(ChannelAxis(op.channels, shape, innermost=False))
    if axis is None or found is None or shape[0] != op.channels:
        return None
    whole = merged_shape(blobs)
    extents = [1] * len(whole)
    extents[axis] = op.channels

    def rewrite(b: BatchBuilder) -> Sequence[SSAValue]:
        value = b.input(0)
        for word, values in (("mul", found.scale), ("add", found.shift)):
            numbers = new_weight(values.reshape(extents), op.slope, op, b.rewriter)
            value = b.binary(word, value, numbers, whole)
        return [value]

    return rewrite


def _linear(
    op: InnerProductOp | GemmOp, blobs: Sequence[BlobBatch], result: BlobBatch
) -> Rewrite | None:
    """Make the rows of all blobs the rows of one matrix. A vector is one row."""
    shape = blobs[0].known_extents()
    if isinstance(op, GemmOp):
        rows = len(shape) == 2 and op.maps_rows() and op.linear_map(Shapes()) is not None
        columns, params = shape[-1], dict[str, Value](constantM=0)
    else:
        columns, params = op.num_input(), dict[str, Value]()
        rows = prod(shape) % columns == 0 and (len(shape) == 2 or prod(shape) == columns)
        rows = rows and not op.int8_scale_term
    if not rows or len(blobs) != 1 or blobs[0].count is None:
        return None
    count = blobs[0].count * prod(shape) // columns

    def rewrite(b: BatchBuilder) -> Sequence[SSAValue]:
        (value,) = b.copy([b.reshape(b.input(0), (count, columns))], **params)
        return [b.reshape(value, merged_shape(result))]

    return rewrite


def _multiply(op: MatMulOp, blobs: Sequence[BlobBatch], result: BlobBatch) -> Rewrite | None:
    """Broadcast the batch as MatMul broadcasts outer axes. A vector of a batch becomes a row on the
    left side or a column on the right side. A blob that is no batch stays unchanged."""
    left, right = (each.known_extents() for each in blobs)
    if len(left) == 1 and blobs[0].count != 1:
        left = (1, *left)
    if len(right) == 1 and blobs[1].count != 1:
        right = (1, *right) if op.transB else (*right, 1)
    rank = max(len(left), len(right))
    if rank >= MAX_DIMS:
        return None
    whole = [
        matrix if each.count == 1 else (each.count or 0, *(1,) * (rank - len(matrix)), *matrix)
        for each, matrix in zip(blobs, (left, right), strict=True)
    ]

    def rewrite(b: BatchBuilder) -> Sequence[SSAValue]:
        values = [b.reshape(b.input(i), shape) for i, shape in enumerate(whole)]
        return [b.reshape(b.copy(values)[0], merged_shape(result))]

    return rewrite


def _slice_or_concat(
    op: SliceOp | ConcatOp, blobs: Sequence[BlobBatch], results: Sequence[BlobBatch]
) -> Rewrite | None:
    """Slice or concatenate merged blobs. If the batch is merged into the axis in question, use
    blobs of three axes with the batch split off."""
    if any(each.count == 1 for each in blobs):
        return None
    shapes = [each.known_extents() for each in blobs]
    place = positive_axis(op.axis, len(shapes[0]))
    if place is None:
        return None
    axis = _axis(op.axis, blobs[0])

    def whole(blobs: BlobBatch) -> Shape:
        if axis is not None:
            return merged_shape(blobs)
        shape = blobs.known_extents()
        return (blobs.count or 0, shape[0], prod(shape[1:]))

    def rewrite(b: BatchBuilder) -> Sequence[SSAValue]:
        values = [b.reshape(b.input(i), whole(each)) for i, each in enumerate(blobs)]
        at = 1 if axis is None else axis
        pairs = zip(b.copy(values, axis=at), results, strict=True)
        return [b.reshape(value, merged_shape(each)) for value, each in pairs]

    return rewrite
