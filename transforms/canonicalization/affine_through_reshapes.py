"""Fusion of per-channel scales and shifts into a linear layer, through Reshapes and Permutes
between them."""

from collections.abc import Sequence

from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from ...analysis.shapes import shapes_of
from ...dialects.ncnn.interfaces import (
    ActivationHost,
    Affine,
    ChannelAffine,
    ChannelAxis,
    LinearMap,
    LinearProducer,
    Reshaping,
)
from ...dialects.ncnn.reshaping import PermuteOp
from ...dialects.shapes.analysis import Shapes
from ..rewriting.remarks import emit_remark
from .affine import fold_into_producer
from .axis_tracking import axis_before, layouts_before
from .rewriting import may_materialize, only_producer, take_over


class FuseAffineThrough(RewritePattern):
    """Fold a per-channel scale and shift into the linear layer before it, where Reshapes and
    Permutes are between them (for example LayerScale after a Gemm on the pixels of an image).

    Algebra: a layout layer L moves elements, `(L y)[i] = y[p(i)]`. If the axis of the scales in L y
    is the axis of output channels of the linear layer in y, then `s[c] * L y + t[c] = L (s[c] * y +
    t[c])`, and `FuseAffine` does the rest. One scale and shift for all elements commutes with every
    layout.

    Conditions, and why:
    - the linear layer has no activation, and float constants as weight and bias that no other layer
      uses; the channel counts are equal, and the new values are finite in float32 (as for
      `fuse-conv-bn`);
    - the next layer is the only user of each layer between, and none of their results is an output;
    - the axis after the layouts is provably the axis before them, by terms over the extents of the
      inputs (see `axis_before`), and its extent is the number of output channels: a constant may
      broadcast one channel to many. One scale for all elements requires layers that only move
      elements: no batch axes.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ChannelAffine, rewriter: PatternRewriter) -> None:
        x = op.affine_operand()
        if x is None or not isinstance(only_producer(x, op), Reshaping):
            return
        layouts = layouts_before(op, op.operands.index(x))
        producer = only_producer(layouts[-1].operands[0], layouts[-1])
        if not isinstance(producer, LinearProducer):
            return
        if isinstance(producer, ActivationHost) and producer.activation_type:
            return
        shapes = shapes_of(rewriter)
        linear = producer.linear_map(shapes)
        if linear is None or not may_materialize(linear.output.channels, linear.weight):
            return
        affine = affine_on_producer(op, layouts, linear, shapes)
        if affine is None or not fold_into_producer(self, op, producer, linear, affine, rewriter):
            return
        emit_remark(self, producer, op)
        take_over(layouts[0], op, rewriter)
        rewriter.notify_op_modified(producer)


def affine_on_producer(
    op: ChannelAffine, layouts: Sequence[Reshaping], linear: LinearMap, shapes: Shapes
) -> Affine | None:
    """Return the scale and shift that a layer after these layouts applies to each output channel of
    a linear layer; `None` if it does anything else."""
    channels = linear.output.channels
    behind, before = shapes.of(layouts[0].results[0]), shapes.of(layouts[-1].operands[0])
    if behind is None or before is None:
        return None
    own = 0 if linear.output.is_outermost() else len(before) - 1
    for innermost in (False, True):
        axis = ChannelAxis(channels, behind, innermost)
        affine = op.affine(axis)
        if affine is None:
            continue
        if op.affine_channels(shapes) is None:
            moved = all(isinstance(v, PermuteOp) or v.keeps_order(shapes) for v in layouts)
            return affine if moved else None
        place = axis_before(layouts, len(behind) - 1 if innermost else 0, shapes)
        if place == own and before[own] == channels:
            return affine
    return None
