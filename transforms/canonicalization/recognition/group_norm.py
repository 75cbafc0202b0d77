"""Recognition of GroupNorm, spelled out as reshapes around a normalization without groups."""

from dataclasses import replace
from typing import Any

from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.rewriter import InsertPoint

from ....analysis.shapes import shapes_of
from ....dialects.ncnn.interfaces import Reshaping
from ....dialects.ncnn.normalization import GroupNormOp, InstanceNormOp, LayerNormOp, read_float64
from ....dialects.shapes.analysis import Shapes
from ....dialects.shapes.terms import provably_equal
from ..normalization import slice_dims
from ..rewriting import only_producer
from .recognizer import NewLayer, is_new_withheld, may_put, put


class FormGroupNorm(RewritePattern):
    """Replace a normalization between two reshapes by a GroupNorm.

    Algebra: if the outermost extent of a blob is g, each of its g slices contains the channels of
    one group in order, because of the row-major layout.

    Conditions, and why:
    - each value between has this one use and is no output: another user would need it;
    - the normalization covers each whole slice, as an InstanceNorm does, or a LayerNorm over all
      inner axes;
    - its weights, if any, are constants with one value per group: GroupNorm has one value per
      channel;
    - the numbers of groups and channels are known, and one divides the other;
    - the second reshape restores the shape before the first one, and both are removed. Or its
      result does not depend on the shape of its input, and a copy of it moves before the GroupNorm.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: Reshaping, rewriter: PatternRewriter) -> None:
        if len(op.operands) != 1:
            return
        norm = only_producer(op.operands[0], op)
        if not isinstance(norm, InstanceNormOp | LayerNormOp):
            return
        cut = only_producer(norm.input, norm)
        if not isinstance(cut, Reshaping) or len(cut.operands) != 1:
            return
        x = cut.operands[0]
        shapes = shapes_of(rewriter)
        if not cut.keeps_order(shapes) or not op.keeps_order(shapes):
            return
        shape, wanted, groups = shapes.of(x), shapes.of(op.results[0]), _groups(norm, shapes)
        if shape is None or wanted is None or groups is None:
            return
        channels = shape[0]
        if not isinstance(channels, int) or channels % groups:
            return
        weights = _weights(norm, channels // groups)
        if weights is None:
            return
        params = {"group": groups, "channels": channels, "eps": norm.eps}
        new, layers = NewLayer(GroupNormOp, x, params, weights), (op, norm, cut)
        same = provably_equal(wanted, shape)
        if not same and (not op.determines_shape() or wanted[0] != channels):
            return
        if is_new_withheld(self, new, layers, rewriter) or not may_put(self, new, layers):
            return
        if not same:
            identity = provably_equal(op.infer_shapes([shape]), [shape])
            if not identity:
                unnamed = {k: v for k, v in op.properties.items() if k not in ("name", "blobs")}
                reshape = type(op).make([x], {}, op.result_types, unnamed)
                rewriter.insert(reshape, InsertPoint.before(norm))
                new = replace(new, input=reshape.results[0])
        put(self, new, layers, rewriter)


def _groups(norm: InstanceNormOp | LayerNormOp, shapes: Shapes) -> int | None:
    """Return the outermost extent if each of its slices is normalized as a whole; else `None`."""
    shape = shapes.of(norm.input)
    if shape is None or not isinstance(shape[0], int):
        return None
    inner = len(shape) - 1
    if isinstance(norm, InstanceNormOp):
        return shape[0] if inner > 1 else None
    whole = inner == 1 or slice_dims(shape, norm.affine_size) == inner > 1
    return shape[0] if whole else None


def _weights(norm: InstanceNormOp | LayerNormOp, times: int) -> dict[str, Any] | None:
    """Return the equivalent weights of the GroupNorm; `None` if they do not exist."""
    import numpy as np

    if norm.gamma is None or norm.beta is None:
        return {}
    gamma, beta = read_float64(norm.gamma), read_float64(norm.beta)
    if gamma is None or beta is None:
        return None
    if (gamma == 1).all() and not beta.any():
        return {}
    if isinstance(norm, LayerNormOp):
        return None  # one value per element of a group
    return {"gamma": np.repeat(gamma, times), "beta": np.repeat(beta, times)}
