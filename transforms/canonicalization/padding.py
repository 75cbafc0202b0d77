"""Fusion of Padding into the layers after it."""

from collections.abc import Mapping
from typing import TypeAlias

from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from ...analysis.shapes import shapes_of
from ...dialects.ncnn.activation import FLT_MAX
from ...dialects.ncnn.convolution import Forward
from ...dialects.ncnn.cropping import PaddingOp
from ...dialects.ncnn.params import Value
from ...dialects.ncnn.pooling import Pool1D
from ...dialects.ncnn.ranges import range_of_blob
from ...dialects.ncnn.reduction import SoftmaxOp
from ...dialects.ncnn.resampling import UnfoldOp
from ...dialects.ncnn.spatial import axes_of, kernel_of, pad_names, pad_pairs, pads_of, strides_of
from ...dialects.ncnn.windows import FULL, VALID
from ...dialects.shapes.analysis import Shapes
from ..rewriting.remarks import emit_remark
from ..rewriting.running_passes import is_enabled

Amounts: TypeAlias = dict[str, tuple[int, int]]
"""Padding before and after, by axis, outermost first."""

Window: TypeAlias = Forward | UnfoldOp | Pool1D
"""The layers that have padding parameters."""

LOWEST = -FLT_MAX * (1 - 1e-6)
"""Values below this are the lowest number, perhaps written with 7 digits, not data."""


class FusePadding(RewritePattern):
    """Fuse a Padding into all layers that read it: convolutions, Unfold, pooling.

    Algebra: padding adds up on each side separately. Padding that is not larger than the elements
    of a window does not change its maximum. A mean that counts its padding reads it as 0.

    Conditions, and why:
    - the Padding uses one constant for all channels, along the axes of the window: the layers
      support nothing else;
    - the layer's own padding is not `SAME`, which depends on the extents of the input;
    - all users of the padded blob can absorb the padding, and the blob is no output: otherwise it
      would be padded twice;
    - a convolution with padding of its own uses the same constant. An int8 convolution pads the
      quantized blob, where only 0 stays 0. The input is not a vector, which a 1x1 convolution
      accepts and does not pad;
    - a maximum: the constant is the lowest number, as in the runtime's own padding. Or it is at
      most 0, the producer's results are provably not negative, and each window contains one of
      them;
    - a mean: the constant is 0, and padding counts. A layer that does not count its own padding
      must have none, and must add none at the end; then it may count the new padding.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: PaddingOp, rewriter: PatternRewriter) -> None:
        if op.type or op.per_channel_pad is not None or op.extra:
            return
        changes: list[tuple[Window, Mapping[str, Value]]] = []
        for use in op.output.uses:
            reader = use.operation
            if not isinstance(reader, Window) or use.index or reader.extra:
                return
            amounts = _amounts(op, reader)
            if not is_enabled(self, reader, op) or reader.featmask != op.featmask:
                return
            if amounts is None or min(pads_of(reader)) < 0:
                return
            if isinstance(reader, Pool1D):
                more = _pooled(op, reader, amounts)
            else:
                more = _convolved(op, reader, amounts, shapes_of(rewriter))
            if more is None:
                return
            put = [n for both in amounts.values() for n in both]
            rows = zip(pad_names(reader), pads_of(reader), put, strict=True)
            pads = {name: own + n for name, own, n in rows}
            changes.append((reader, {**pads, **more}))
        for reader, params in changes:
            emit_remark(self, reader, op)
            reader.set_params(**params)
            reader.operands[0] = op.input
            rewriter.notify_op_modified(reader)
        if changes:
            rewriter.erase(op)


def _amounts(padding: PaddingOp, op: Window) -> Amounts | None:
    """Return the padding along the axes of a window; `None` if it is empty, negative or along other
    axes too."""
    amounts = {
        "w": (padding.left, padding.right),
        "h": (padding.top, padding.bottom),
        "d": (padding.front, padding.behind),
    }
    along = {axis: amounts.pop(axis) for axis in axes_of(op)}
    put = [n for both in along.values() for n in both]
    others = any(n for both in amounts.values() for n in both)
    return along if any(put) and min(put) >= 0 and not others else None


def _convolved(
    padding: PaddingOp, op: Forward | UnfoldOp, amounts: Amounts, shapes: Shapes
) -> Mapping[str, Value] | None:
    """Return the other parameter changes of a convolution or Unfold; `None` if it cannot absorb the
    padding."""
    if any(pads_of(op)) and op.pad_value != padding.value:
        return None
    if isinstance(op, Forward):
        if op.takes_vectors() and shapes.rank(op.input) != len(amounts) + 1:
            return None
        if op.int8_term() and (padding.value or op.pad_value):
            return None
    return {"pad_value": padding.value}


def _pooled(padding: PaddingOp, op: Pool1D, amounts: Amounts) -> Mapping[str, Value] | None:
    """Return the other parameter changes of a pooling layer; `None` if it cannot absorb the
    padding."""
    if op.global_pooling or op.adaptive_pooling or op.pad_mode not in (FULL, VALID):
        return None
    if op.pooling_type == 0:
        source = padding.input
        positive = isinstance(source.owner, SoftmaxOp) or range_of_blob(source).low >= 0
        harmless = padding.value <= 0 and positive
        fits = padding.value < LOWEST or (harmless and _windows_see(op, amounts))
        return {} if fits else None
    counts = op.avgpool_count_include_pad or (op.pad_mode == VALID and not any(pads_of(op)))
    return {"avgpool_count_include_pad": 1} if counts and not padding.value else None


def _windows_see(op: Pool1D, amounts: Amounts) -> bool:
    """Whether each window contains an element that is not padding."""
    rows = zip(amounts.values(), pad_pairs(op), strides_of(op), kernel_of(op), strict=True)
    for put, own, stride, kernel in rows:
        tail = stride - 1 if op.pad_mode == FULL else 0
        if max(put[0] + own[0], put[1] + own[1] + tail) >= kernel:
            return False
    return True
