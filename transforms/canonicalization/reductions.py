"""Reductions: several as one, and reductions of whole channels as global pooling."""

from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.rewriter import Rewriter

from ...analysis.shapes import shapes_of
from ...dialects.ncnn.blob import UNRANKED
from ...dialects.ncnn.extents import reshape_params
from ...dialects.ncnn.interfaces import Reshaping
from ...dialects.ncnn.pooling import POOLING_TYPES, PoolingOp
from ...dialects.ncnn.reduction import REDUCTIONS, ReductionOp
from ..rewriting.pattern_set import LayerReplacement
from ..rewriting.remarks import emit_remark
from .reshapes import reshaping
from .rewriting import agrees, changed, only_producer, replace_by_new

LINEAR = ("sum", "mean")
"""Reductions that commute with a factor."""

ASSOCIATIVE = (*LINEAR, "max", "min", "prod")
"""Reductions of which two in sequence equal one over all their axes."""


class MergeReductions(RewritePattern):
    """Replace two consecutive Reductions by one.

    Algebra: `c' op(c op(x, A), A') = c c' op(x, A + A')` for sum, mean, max, min and prod. (All
    partial means are over equally many elements, so their mean is the mean of all elements.)

    Conditions, and why:
    - both are the same operation, and the coefficients are 1 unless it is linear;
    - the rank is known: it determines which axes of the input the second Reduction reduces;
    - one value of keepdims expresses both: both keep their axes, or both drop them, or the second
      one drops all axes that the first one kept;
    - the value between has this one use and is no output: another user would still need it.
    """

    def __init__(self, for_global_pooling: bool = False) -> None:
        """`for_global_pooling`: only where a global Pooling computes the merged Reduction."""
        self.for_global_pooling = for_global_pooling

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ReductionOp, rewriter: PatternRewriter) -> None:
        first = only_producer(op.input, op)
        if not isinstance(first, ReductionOp) or first.operation != op.operation:
            return
        rank = shapes_of(rewriter).rank(first.input)
        kind, axes = REDUCTIONS[op.operation], axes_of_both(first, op, rank)
        if kind not in ASSOCIATIVE or axes is None:
            return
        if kind not in LINEAR and not first.coeff == op.coeff == 1:
            return
        coeff, both = first.coeff * op.coeff, tuple(sorted(axes))
        new = changed(op, [first.input], axes=both, reduce_all=0, fixbug0=1, coeff=coeff)
        if not agrees(new) or (self.for_global_pooling and not new.is_global_pooling()):
            new.drop_all_references()
            return
        emit_remark(self, op, first)
        rewriter.replace(op, new)
        rewriter.erase(first)


def axes_of_both(first: ReductionOp, second: ReductionOp, rank: int | None) -> set[int] | None:
    """Return the axes that two consecutive Reductions reduce of an input of this rank; `None` if no
    single Reduction is equivalent."""
    reduced = None if rank is None else first.reduced_axes(rank)
    if rank is None or reduced is None:
        return None
    between = [axis for axis in range(rank) if first.keepdims or axis not in reduced]
    then = second.reduced_axes(len(between)) if between else None
    if then is None:
        return None
    mapped = {between[axis] for axis in then}
    if bool(first.keepdims) == bool(second.keepdims) or (first.keepdims and reduced <= mapped):
        return reduced | mapped
    return None


class DropKeptAxes(RewritePattern):
    """Make a Reduction drop the axes that it reduces, where a layer follows that only reshapes.

    Algebra: a Reduction with keepdims is the Reduction without it, then a reshape; two reshapes are
    one.

    Conditions, and why: the conditions of `MergeReductions`; the rank is known, because it
    determines which axes remain.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: Reshaping, rewriter: PatternRewriter) -> None:
        first = only_producer(op.operands[0], op)
        if not isinstance(first, ReductionOp) or not first.keepdims:
            return
        shapes = shapes_of(rewriter)
        shape, wanted = shapes.of(first.input), shapes.of(op.results[0])
        reduced = None if shape is None else first.reduced_axes(len(shape))
        if shape is None or reduced is None or wanted is None or not op.keeps_order(shapes):
            return
        dropped = tuple(n for i, n in enumerate(shape) if i not in reduced) or (1,)
        params = reshape_params(wanted, dropped)
        if params is None:
            return
        dropping = changed(first, [first.input], keepdims=0, shape_hints=())
        (type_,) = dropping.infer_types() or (UNRANKED,)
        # The rewriter's own method would queue the layer, which is in no block yet.
        source = Rewriter.replace_value_with_new_type(dropping.results[0], type_)
        new = reshaping(params, source, op)
        if not agrees(new):
            new.drop_all_references()
            dropping.drop_all_references()
            return
        emit_remark(self, first, op)
        rewriter.replace(first, dropping)
        rewriter.replace(op, new)


class ReplaceReductionByPooling(LayerReplacement):
    """Replace a mean or maximum of each channel by a global Pooling, which is faster in the
    runtime.

    Algebra: a Reduction over h and w of a blob `c x h x w` is a global Pooling.

    Conditions, and why:
    - the blob is known to have 3 dims, and the axes are all but the outermost one. Axes are counted
      as the current runtime does (`fixbug0`); it does not load files that count differently;
    - the coefficient is 1: a Pooling has none;
    - keepdims is 0: the result of a global Pooling has 1 dim.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ReductionOp, rewriter: PatternRewriter) -> None:
        kind = op.as_global_pooling()
        if kind is None or op.extra:
            return
        if shapes_of(rewriter).rank(op.input) != 3:
            return
        params = {"pooling_type": POOLING_TYPES.index(kind), "global_pooling": 1}
        replace_by_new(op, PoolingOp, [op.input], {}, params, rewriter)
