"""Layers that only move elements: several as one."""

from collections.abc import Sequence
from functools import reduce
from itertools import chain, islice

from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.rewriter import InsertPoint

from ...analysis.shapes import shapes_of
from ...analysis.tuning_facts import permutes_wrongly_on_vulkan
from ...dialects.ncnn.assembly import names_of, set_names
from ...dialects.ncnn.cropping import CropOp
from ...dialects.ncnn.extents import ABSENT, ORDERS, extent_along, permutation, positive_axis
from ...dialects.ncnn.interfaces import ElementWise
from ...dialects.ncnn.joining import ConcatOp, SliceOp, same_axis
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.reduction import SoftmaxOp
from ...dialects.ncnn.reshaping import PermuteOp
from ...dialects.shapes.analysis import Extents, Shapes
from ...dialects.shapes.terms import UNKNOWN
from ..rewriting.missed import missed
from ..rewriting.remarks import emit_remark
from .rewriting import (
    MAX_USERS_COMPARED,
    agrees,
    changed,
    in_order,
    only_producer,
    redirect_operand,
    sole_chain,
)


class MergePermutes(RewritePattern):
    """Replace two Permutes by one.

    Algebra: if axis k of the first result is axis `p[k]` of its input, and axis k of the second
    result is axis `p'[k]` of the first, then it is axis `p[p'[k]]` of the input. An identity order
    removes both. Element-wise layers between them do not depend on the order of axes; a Softmax
    along axis a becomes one along axis `p[a]` before the first Permute.

    Conditions, and why:
    - each value between has this one use and is no output: otherwise both Permutes would stay;
    - the rank is known, or the order_type of the result is the same for all ranks that the runtime
      supports for both: an order_type has another meaning for each rank;
    - the Permute does not become one that the runtime's Vulkan code computes wrongly in float16,
      unless the module is tuned for a CPU.
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
        extents = shapes_of(rewriter).of(source)
        if wrong_only_after(first, order_type, rank, extents):
            missed(self, first, op, why="float16 on Vulkan would be wrong (permute_pack4.comp)")
            return
        new = changed(op, [source], order_type=order_type)
        if not agrees(new):
            new.drop_all_references()
            return
        emit_remark(self, op, first)
        for softmax, axis in axes.items():
            softmax.set_params(axis=axis, fixbug0=1)
        redirect_operand(op, 0, between, source, rewriter)
        new.operands[0] = op.input
        rewriter.replace(op, new)
        rewriter.erase(first)


def is_between_permutes(op: LayerOp) -> bool:
    """Whether a layer may be between two Permutes that become one."""
    return isinstance(op, SoftmaxOp) or (isinstance(op, ElementWise) and op.is_elementwise())


def softmax_axes(
    between: Sequence[LayerOp], first: PermuteOp, rank: int | None
) -> dict[SoftmaxOp, int] | None:
    """Return the axes of the Softmax layers between, as axes of the input of the first Permute;
    `None` if they are unknown."""
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
    """Return the order_type of two consecutive Permutes of a blob of this rank (`None`: unknown
    rank); `None` if it is not the same for all ranks that the blob may have."""
    found: set[int] = set()
    for dims in ORDERS if rank is None else {rank} & ORDERS.keys():
        one, two = permutation(first.order_type, dims), permutation(second.order_type, dims)
        if one is not None and two is not None:
            both = tuple(one[axis] for axis in two)
            orders = (permutation(i, dims) for i in range(len(ORDERS[dims])))
            found.update(i for i, order in enumerate(orders) if order == both)
    return found.pop() if len(found) == 1 else None


def wrong_only_after(
    first: PermuteOp, order_type: int, rank: int | None, extents: Extents | None
) -> bool:
    """Whether a Permute with this order_type in place of `first` is wrong on Vulkan where `first`
    is right."""
    new, old = (
        any(
            permutes_wrongly_on_vulkan(first, permutation(order, dims) or (), extents)
            for dims in (ORDERS if rank is None else (rank,))
        )
        for order in (order_type, first.order_type)
    )
    return new and not old


class MergeConcats(RewritePattern):
    """Merge a Concat into the Concat that reads its result.

    Algebra: concatenation along one axis is associative.

    Conditions, and why:
    - both concatenate along the same axis;
    - the value between has this one use and is no output: otherwise its elements would be copied
      twice, not once less.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ConcatOp, rewriter: PatternRewriter) -> None:
        shapes = shapes_of(rewriter)
        inner = {v: first for v in op.inputs if (first := inner_concat(v, op, shapes))}
        if not inner:
            return
        parts: list[SSAValue] = []
        for value in op.inputs:
            parts += inner[value].inputs if value in inner else [value]
        new = changed(op, parts)
        if not agrees(new):
            new.drop_all_references()
            return
        emit_remark(self, op, *inner.values())
        rewriter.replace(op, new)
        for first in inner.values():
            rewriter.erase(first)


def inner_concat(value: SSAValue, op: ConcatOp, shapes: Shapes) -> ConcatOp | None:
    """Return the Concat along the same axis that produces a value for this one only."""
    first: LayerOp | None = only_producer(value, op)
    return first if isinstance(first, ConcatOp) and same_axis(first, op, shapes) else None


class MergeCrops(RewritePattern):
    """Replace Crops that partition a blob by one Slice.

    Algebra: a Crop from start to end along one axis is a part of a Slice; the parts are consecutive
    and cover the axis.

    Conditions, and why:
    - the extent along the axis is statically known: with another extent a Crop ends where the blob
      ends, but the parts of a Slice have fixed sizes;
    - all have the same feature mask and no unknown parameters.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: CropOp, rewriter: PatternRewriter) -> None:
        if len(op.inputs) != 1:
            return
        found = partition_of(op, shapes_of(rewriter))
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
        emit_remark(self, *crops)
        first = reduce(lambda a, b: in_order(a, b)[0], crops)
        rewriter.insert(cut, InsertPoint.before(first))
        for crop, result in zip(crops, cut.results, strict=True):
            rewriter.replace(crop, [], [result])


def partition_of(op: CropOp, shapes: Shapes) -> tuple[int, list[tuple[CropOp, int]]] | None:
    """Return the axis along which Crops of a blob, including this one, partition it, and these
    Crops with their extents in order; `None` if they do not."""
    blob = op.inputs[0]
    rank = shapes.rank(blob)
    axis = positive_axis(op.axes[0], rank) if rank is not None and len(op.axes) == 1 else None
    extent = UNKNOWN if axis is None else extent_along(blob, axis, shapes)
    if axis is None or rank is None or not isinstance(extent, int):
        return None
    starting: dict[int, tuple[CropOp, int]] = {}
    for use in islice(blob.uses, MAX_USERS_COMPARED):
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
    return (axis, parts) if len(parts) > 1 else None


def part_along(crop: CropOp, axis: int, rank: int, extent: int) -> tuple[int, int] | None:
    """Return the start and end of a Crop along an axis of this extent; `None` if it is empty or
    crops differently."""
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
