"""What layers do with a batch of blobs, done with one blob of which the batch is the outermost
axis."""

from collections.abc import Sequence
from math import prod

from xdsl.ir import SSAValue

from ...analysis.batches import (
    NO_AXIS,
    Blobs,
    Facts,
    ShapesOfOne,
    axis_in,
    is_of_batch,
    logical_input,
    logical_output,
)
from ...dialects.ncnn.elementwise import BINARY_OPS, BinaryOpOp, EltwiseOp, expand
from ...dialects.ncnn.extents import permutation, positive_axis, reshape_params
from ...dialects.ncnn.innerproduct import InnerProductOp
from ...dialects.ncnn.interfaces import ChannelAxis, ElementWise, Identity
from ...dialects.ncnn.joining import ConcatOp, SliceOp
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.matmul import GemmOp, MatMulOp
from ...dialects.ncnn.normalization import BatchNormOp, LayerNormOp, RMSNormOp
from ...dialects.ncnn.params import Value
from ...dialects.ncnn.reduction import SoftmaxOp
from ...dialects.ncnn.reshaping import (
    ExpandDimsOp,
    FlattenOp,
    PermuteOp,
    ReshapeOp,
    SqueezeOp,
)
from ...dialects.shapes.analysis import Shapes
from ..canonicalization.rewriting import new_weight, successor
from ..rewriting.axis_merging import MOST_DIMS
from .batch_builder import Builder, Rewrite, Shape, joined


def instead_of(op: LayerOp, facts: Facts) -> Rewrite | None:
    """What does the same without batches; `None` if that is not known."""
    inputs, results = ([facts.of(v) for v in values] for values in (op.operands, op.results))
    blobs = [facts.of(v) for v in op.data_operands()]
    if op.extra or op.featmask or not results:
        return None
    if is_of_batch(op) and inputs[0].number == results[0].number == 1:
        return _reshape_of_one(op, inputs, results[0])
    if any(each.number is None or each.extents() is None for each in results):
        return None
    if is_of_batch(op):
        return _reshape_of_batch(op, inputs, results[0])
    if any(each.number is None or each.extents() is None for each in blobs):
        return None
    if isinstance(op, Identity) and (same := op.forwarded(ShapesOfOne(facts))) is not None:
        return (lambda b: [b.of(v) for v in same]) if len(same) == len(results) else None
    if isinstance(op, PermuteOp):
        return _permute(op, blobs[0])
    if isinstance(op, ReshapeOp | FlattenOp | SqueezeOp | ExpandDimsOp):
        return lambda b: [b.reshape(b.blob(0), joined(results[0]))]
    if len(blobs) == 1 and isinstance(op, ElementWise) and op.is_elementwise():
        return lambda b: [b.layer([b.blob(0)])]
    if isinstance(op, BinaryOpOp | EltwiseOp):
        return _combine(op, blobs, results[0])
    if isinstance(op, LayerNormOp | RMSNormOp):
        # Of more dims than 2 a slice may be of several axes.
        innermost = blobs[0].numbers()[-1] == op.affine_size
        return (lambda b: [b.layer([b.blob(0)])]) if innermost else None
    if isinstance(op, BatchNormOp):
        return _scale(op, blobs[0])
    if isinstance(op, InnerProductOp | GemmOp):
        return _linear(op, blobs, results[0])
    if isinstance(op, MatMulOp):
        return _multiply(op, blobs, results[0])
    if isinstance(op, SoftmaxOp):
        axis = _axis(op.axis, blobs[0])
        return None if axis is None else (lambda b: [b.layer([b.blob(0)], axis=axis, fixbug0=1)])
    if isinstance(op, SliceOp | ConcatOp):
        return _cut_or_join(op, blobs, results)
    from .attention_rewrites import attention  # which is seldom needed

    return attention(op, facts)


def _axis(axis: int, blobs: Blobs) -> int | None:
    """Where an axis of a blob is in what stands for the batch (see `joined`)."""
    rank = len(blobs.shape or ())
    place = positive_axis(axis, rank)
    if place is None or (rank == MOST_DIMS and place == 0):
        return None
    return place + (rank < MOST_DIMS)


def _reshape_of_one(op: ReshapeOp, inputs: Sequence[Blobs], result: Blobs) -> Rewrite | None:
    """A Reshape of a blob that is called a batch of one."""
    wanted = result.shape
    params = None if wanted is None else reshape_params(wanted, inputs[0].shape)
    if wanted is None or params is None:
        return None
    new = successor(op, ReshapeOp, [op.inputs[0]], {}, params)
    same = new.infer_shapes([inputs[0].shape]) == [wanted]
    new.drop_all_references()
    return (lambda b: [b.new(ReshapeOp, [b.blob(0)], **params)]) if same else None


def _reshape_of_batch(op: ReshapeOp, inputs: Sequence[Blobs], result: Blobs) -> Rewrite | None:
    """Reshape and Permute of one blob: what is the batch is brought outermost, or back."""
    before, after = logical_input(op, inputs), logical_output(op, inputs)
    numbers = tuple(n for n in after or () if isinstance(n, int))
    if after is None or len(numbers) != len(after):
        return None
    old: Shape | None = None
    old_axis = 0
    if inputs[0].number != 1:
        old = tuple(n for n in before or () if isinstance(n, int))
        found = axis_in(op.input_batch_axis, len(old)) if op.input_batch_axis != NO_AXIS else None
        if found is None or before is None or len(old) != len(before):
            return None
        old_axis = found

    def rewrite(b: Builder) -> Sequence[SSAValue]:
        value = b.blob(0)
        if old is not None:
            value = b.inside(value, old, old_axis)
        if result.number == 1:
            return [b.reshape(value, result.numbers())]
        axis = axis_in(op.output_batch_axis, len(numbers)) or 0
        return [b.reshape(b.outermost(value, numbers, axis), joined(result))]

    return rewrite


def _permute(op: PermuteOp, blobs: Blobs) -> Rewrite | None:
    shape = blobs.numbers()
    order = permutation(op.order_type, len(shape))
    if order is None or blobs.number is None:
        return None
    whole, moved = (blobs.number, *shape), (0, *(axis + 1 for axis in order))
    after = Blobs(blobs.number, tuple(shape[axis] for axis in order))
    return lambda b: [b.reshape(b.permute(b.blob(0), whole, moved), joined(after))]


def _combine(op: BinaryOpOp | EltwiseOp, blobs: Sequence[Blobs], result: Blobs) -> Rewrite | None:
    """Blobs that are no batch get an outermost axis of extent 1, and the axes that BinaryOp would
    give them behind their own."""
    shape, given = result.numbers(), list[Shape | None]()
    for each in blobs:
        own = each.numbers()
        if each.number != 1:
            if own != shape:
                return None
            given.append(None)
            continue
        spread = expand(own, shape)
        numbers = tuple(n for n in spread or () if isinstance(n, int))
        fits = len(numbers) == len(shape) and (len(shape) < MOST_DIMS or numbers[0] == 1)
        if isinstance(op, EltwiseOp) or not fits:
            return None
        given.append((1, *numbers) if len(shape) < MOST_DIMS else numbers)

    def rewrite(b: Builder) -> Sequence[SSAValue]:
        values = [b.blob(i) for i in range(len(blobs))]
        spread = [v if s is None else b.reshape(v, s) for v, s in zip(values, given, strict=True)]
        return [b.layer(spread)]

    return rewrite


def _scale(op: BatchNormOp, blobs: Blobs) -> Rewrite | None:
    """A product and a sum with a value for each channel: the channels are no longer outermost."""
    shape = blobs.numbers()
    axis = _axis(0, blobs)
    found = op.affine(ChannelAxis(op.channels, shape, innermost=False))
    if axis is None or found is None or shape[0] != op.channels:
        return None
    extents = [1] * len(joined(blobs))
    extents[axis] = op.channels

    def rewrite(b: Builder) -> Sequence[SSAValue]:
        value = b.blob(0)
        for word, values in (("mul", found.scale), ("add", found.shift)):
            numbers = new_weight(values.reshape(extents), op.slope, op, b.rewriter)
            value = b.new(BinaryOpOp, [value, numbers], op_type=BINARY_OPS.index(word))
        return [value]

    return rewrite


def _linear(op: InnerProductOp | GemmOp, blobs: Sequence[Blobs], result: Blobs) -> Rewrite | None:
    """All rows of all blobs are rows of one matrix. An InnerProduct of a vector makes one of each
    blob."""
    shape = blobs[0].numbers()
    if isinstance(op, GemmOp):
        rows = len(shape) == 2 and _is_of_rows(op)
        columns, params = shape[-1], dict[str, Value](constantM=0)
    else:
        columns, params = op.num_input(), dict[str, Value]()
        rows = prod(shape) % columns == 0 and (len(shape) == 2 or prod(shape) == columns)
        rows = rows and not op.int8_scale_term
    if not rows or len(blobs) != 1 or blobs[0].number is None:
        return None
    count = blobs[0].number * prod(shape) // columns

    def rewrite(b: Builder) -> Sequence[SSAValue]:
        value = b.layer([b.reshape(b.blob(0), (count, columns))], **params)
        return [b.reshape(value, joined(result))]

    return rewrite


def _is_of_rows(op: GemmOp) -> bool:
    """Whether a Gemm makes a row of each row, by constants of its own."""
    if op.linear_map(Shapes()) is None or not op.constantB or op.transA or op.output_transpose:
        return False
    return not (op.output_N1M or op.output_elempack or op.output_elemtype)


def _multiply(op: MatMulOp, blobs: Sequence[Blobs], result: Blobs) -> Rewrite | None:
    """Broadcast the batch as MatMul broadcasts outer axes. A vector of a batch becomes a row (to
    the left) or a column (to the right); a blob that is no batch stays as it is."""
    left, right = (each.numbers() for each in blobs)
    if len(left) == 1 and blobs[0].number != 1:
        left = (1, *left)
    if len(right) == 1 and blobs[1].number != 1:
        right = (1, *right) if op.transB else (*right, 1)
    rank = max(len(left), len(right))
    if rank >= MOST_DIMS:
        return None
    whole = [
        matrix if each.number == 1 else (each.number or 0, *(1,) * (rank - len(matrix)), *matrix)
        for each, matrix in zip(blobs, (left, right), strict=True)
    ]

    def rewrite(b: Builder) -> Sequence[SSAValue]:
        values = [b.reshape(b.blob(i), shape) for i, shape in enumerate(whole)]
        return [b.reshape(b.layer(values), joined(result))]

    return rewrite


def _cut_or_join(
    op: SliceOp | ConcatOp, blobs: Sequence[Blobs], results: Sequence[Blobs]
) -> Rewrite | None:
    """Along an axis of a blob of 3 dims, if what stands for the batch does not have it as one."""
    if any(each.number == 1 for each in blobs):
        return None
    shapes = [each.numbers() for each in blobs]
    place = positive_axis(op.axis, len(shapes[0]))
    if place is None:
        return None
    axis = _axis(op.axis, blobs[0])

    def whole(blobs: Blobs) -> Shape:
        if axis is not None:
            return joined(blobs)
        shape = blobs.numbers()
        return (blobs.number or 0, shape[0], prod(shape[1:]))

    def rewrite(b: Builder) -> Sequence[SSAValue]:
        values = [b.reshape(b.blob(i), whole(each)) for i, each in enumerate(blobs)]
        at = 1 if axis is None else axis
        if isinstance(op, ConcatOp):
            found = [b.layer(values, axis=at)]
        else:
            found = b.parts(values[0], [whole(each) for each in results], axis=at)
        pairs = zip(found, results, strict=True)
        return [b.reshape(value, joined(each)) for value, each in pairs]

    return rewrite
