"""Layers that only move elements: one for several."""

from collections.abc import Sequence
from functools import reduce
from itertools import chain, islice

from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.rewriter import InsertPoint

from ...dialects.ncnn.assembly import names_of, set_names
from ...dialects.ncnn.cropping import CropOp
from ...dialects.ncnn.extents import ABSENT, ORDERS, extent_along, permutation, positive_axis
from ...dialects.ncnn.interfaces import ElementWise
from ...dialects.ncnn.joining import ConcatOp, SliceOp, same_axis
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.reduction import SoftmaxOp
from ...dialects.ncnn.reshaping import PermuteOp
from ...dialects.shapes.analysis import Shapes
from ...dialects.shapes.terms import UNKNOWN
from ..analysis.shapes import shapes_of
from ..remarks import tell
from .rewriting import MOST_READERS, agrees, changed, feed, in_order, only_producer, sole_chain


class MergePermutes(RewritePattern):
    """Makes one Permute of two.

    Algebra: where the first one's axis k is axis `p[k]` of its input, and the second one's is axis
    `p'[k]` of the first, the latter is axis `p[p'[k]]`. If that is the order of the input, nothing
    is left. Element-wise layers between the two do not see an order; a Softmax along axis a is one
    along axis `p[a]` before the first Permute.

    Conditions, and why:
    - what is between has this one use and is no output: otherwise both would stay;
    - the number of dims is known, or the order_type of the result is the same for all numbers of
      dims for which the runtime knows both: an order_type means another order for each.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: PermuteOp, rewriter: PatternRewriter) -> None:
        between = sole_chain(op, 0, is_between_permutes)
        user = between[-1] if between else op
        first = only_producer(user.operands[0], user)
        if not isinstance(first, PermuteOp):
            return
        rank, source = shapes_of(rewriter).rank(first.input), first.input
        order_type, axes = composed_order(first, op, rank), softmax_axes(between, first, rank)
        if order_type is None or axes is None:
            return
        new = changed(op, [source], order_type=order_type)
        if not agrees(new):
            new.drop_all_references()
            return
        tell(self, op, first)
        for softmax, axis in axes.items():
            softmax.set_params(axis=axis, fixbug0=1)
        feed(op, 0, between, source, rewriter)
        new.operands[0] = op.input
        rewriter.replace(op, new)
        rewriter.erase(first)


def is_between_permutes(op: LayerOp) -> bool:
    """Whether a layer may be between two Permutes that become one."""
    return isinstance(op, SoftmaxOp) or (isinstance(op, ElementWise) and op.is_elementwise())


def softmax_axes(
    between: Sequence[LayerOp], first: PermuteOp, rank: int | None
) -> dict[SoftmaxOp, int] | None:
    """The axes of the input of a Permute, of so many dims, along which Softmax layers behind it
    work; `None` if that is not known."""
    found: dict[SoftmaxOp, int] = {}
    for op in between:
        if isinstance(op, SoftmaxOp):
            order = None if rank is None else permutation(first.order_type, rank)
            axis = None if rank is None else positive_axis(op.axis, rank)
            if order is None or axis is None:
                return None
            found[op] = order[axis]
    return found


def composed_order(first: PermuteOp, second: PermuteOp, rank: int | None) -> int | None:
    """The order_type of a Permute after a Permute, for a blob of so many dims; `None` if there is
    not one for all dims that the blob may have."""
    found: set[int] = set()
    for dims in ORDERS if rank is None else {rank} & ORDERS.keys():
        one, two = permutation(first.order_type, dims), permutation(second.order_type, dims)
        if one is not None and two is not None:
            both = tuple(one[axis] for axis in two)
            orders = (permutation(i, dims) for i in range(len(ORDERS[dims])))
            found.update(i for i, order in enumerate(orders) if order == both)
    return found.pop() if len(found) == 1 else None


class MergeConcats(RewritePattern):
    """Joins blobs at once that one Concat joins before another.

    Algebra: concatenation along one axis is associative.

    Conditions, and why:
    - both join along the same axis;
    - the value between has this one use and is no output: otherwise its elements would be copied
      twice as often, not once less.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ConcatOp, rewriter: PatternRewriter) -> None:
        shapes = shapes_of(rewriter)
        inner = {v: first for v in op.inputs if (first := joined_before(v, op, shapes))}
        if not inner:
            return
        parts: list[SSAValue] = []
        for value in op.inputs:
            parts += inner[value].inputs if value in inner else [value]
        new = changed(op, parts)
        if not agrees(new):
            new.drop_all_references()
            return
        tell(self, op, *inner.values())
        rewriter.replace(op, new)
        for first in inner.values():
            rewriter.erase(first)


def joined_before(value: SSAValue, op: ConcatOp, shapes: Shapes) -> ConcatOp | None:
    """The Concat that makes a value only for another one along the same axis."""
    first: LayerOp | None = only_producer(value, op)
    return first if isinstance(first, ConcatOp) and same_axis(first, op, shapes) else None


class MergeCrops(RewritePattern):
    """Makes one Slice of Crops that cut a blob into all of its parts.

    Algebra: a Crop from start to end along one axis is a part of a Slice; the parts follow one
    another from the first element to the last.

    Conditions, and why:
    - the extent along the axis is certain: with another one a Crop ends where the blob does, but
      the parts of a Slice are as large as they are said to be;
    - all have the same feature mask and no parameters that we do not know.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: CropOp, rewriter: PatternRewriter) -> None:
        if len(op.inputs) != 1:
            return
        found = parts_of_all(op, shapes_of(rewriter))
        if found is None:
            return
        axis, parts = found
        crops = [crop for crop, _ in parts]
        hints = [crop.shape_hints for crop in crops]
        same = len({len(each) for each in hints}) == 1
        cut = SliceOp.make(op.inputs, {}, [crop.outputs[0].type for crop in crops], {})
        cut.init_params(
            {
                "slices": (*(size for _, size in parts[:-1]), ABSENT),
                "axis": axis,
                "featmask": op.featmask,
                "shape_hints": tuple(chain.from_iterable(hints)) if same else (),
            }
        )
        name = None if crops[0].layer_name is None else crops[0].layer_name.data
        set_names(cut, name, [names_of(crop)[0] for crop in crops])
        if not agrees(cut):
            cut.drop_all_references()
            return
        tell(self, *crops)
        first = reduce(lambda a, b: in_order(a, b)[0], crops)
        rewriter.insert(cut, InsertPoint.before(first))
        for crop, result in zip(crops, cut.results, strict=True):
            rewriter.replace(crop, [], [result])


def parts_of_all(op: CropOp, shapes: Shapes) -> tuple[int, list[tuple[CropOp, int]]] | None:
    """The axis along which Crops of a blob, this one among them, cut it into parts, and these with
    their extents from the first to the last; `None` if they do not."""
    blob = op.inputs[0]
    rank = shapes.rank(blob)
    axis = positive_axis(op.axes[0], rank) if rank is not None and len(op.axes) == 1 else None
    extent = UNKNOWN if axis is None else extent_along(blob, axis, shapes)
    if axis is None or rank is None or not isinstance(extent, int):
        return None
    starting: dict[int, tuple[CropOp, int]] = {}
    for use in islice(blob.uses, MOST_READERS):
        crop = use.operation
        if isinstance(crop, CropOp) and crop.featmask == op.featmask and crop.parent is op.parent:
            part = part_along(crop, axis, rank, extent)
            if part is not None:
                starting.setdefault(part[0], (crop, part[1] - part[0]))
    parts: list[tuple[CropOp, int]] = []
    start = 0
    while start < extent:
        if start not in starting:
            return None
        parts.append(starting[start])
        start += parts[-1][1]
    return (axis, parts) if start == extent and len(parts) > 1 else None


def part_along(crop: CropOp, axis: int, rank: int, extent: int) -> tuple[int, int] | None:
    """From where to where a Crop takes a blob of that extent along an axis; `None` if it takes
    none, or does something else."""
    lists = (crop.starts, crop.ends, crop.axes)
    expressions = crop.starts_expr or crop.ends_expr or crop.axes_expr
    if expressions or crop.extra or len(crop.inputs) != 1 or any(len(each) != 1 for each in lists):
        return None
    if positive_axis(crop.axes[0], rank) != axis:
        return None
    ((start,), (end,)) = lists[:2]
    start = 0 if start == ABSENT else start if start >= 0 else extent + start
    end = extent if end in (0, ABSENT) else end if end > 0 else extent + end
    end = min(end, extent)
    return (start, end) if 0 <= start < end else None
