"""Fusion of scales and shifts into the normalization before them."""

from math import prod
from typing import Any, TypeAlias, cast

from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from ...analysis.shapes import shapes_of
from ...dialects.ncnn.blob import static_shape_of
from ...dialects.ncnn.constant import constant_of
from ...dialects.ncnn.elementwise import BinaryOpOp, expand
from ...dialects.ncnn.interfaces import Affine, ChannelAffine, ChannelAxis
from ...dialects.ncnn.normalization import (
    GroupNormOp,
    InstanceNormOp,
    LayerNormOp,
    RMSNormOp,
    read_float64,
)
from ...dialects.shapes.analysis import Shapes, numbers
from ...dialects.shapes.terms import Extent, Extents
from ..rewriting.growth import Growth, NewWeight, constants_freed_by
from ..rewriting.remarks import emit_remark
from ..rewriting.running_passes import is_enabled
from .affine import has_channels
from .precision import FLOAT32
from .rewriting import all_finite, may_materialize, new_weight, only_producer, take_over

Norm: TypeAlias = LayerNormOp | RMSNormOp | InstanceNormOp | GroupNormOp


class FuseNormAffine(RewritePattern):
    """Fold a scale and a shift into the weights of the normalization before them.

    Algebra: `s * (gamma * n(x) + beta) + t = (s gamma) * n(x) + (s beta + t)`.

    Conditions, and why:
    - the value between has this one use and is no output: another user would need it;
    - scale and shift are constants, with one value per element of a slice for LayerNorm and
      RMSNorm, or per channel for InstanceNorm and GroupNorm: the weights have these shapes;
    - ncnn's broadcasting rules and known extents prove this. A vector applies to the rows of a blob
      with that number of rows, and a blob of one element is broadcast by it;
    - if there are no weights yet, the number of new ones is provably right. The runtime accepts a
      slice of any extent in 1 and 2 dims, and any number of channels in InstanceNorm;
    - a GroupNorm provably has the channels that its parameter specifies: it ignores others;
    - RMSNorm has no beta, so there is no shift;
    - if there are no weights yet, the number of channels is limited;
    - existing weights are float constants. All new values are finite in float32, and no factors are
      too small for it. (The runtime stores these weights in float32.)
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ChannelAffine, rewriter: PatternRewriter) -> None:
        norm = only_producer(op.affine_operand(), op)
        if not isinstance(norm, Norm) or not is_enabled(self, norm, op):
            return
        per_slice = isinstance(norm, LayerNormOp | RMSNormOp)
        shapes = shapes_of(rewriter)
        along = _along_slice if per_slice else _along_channels
        affine = along(op, cast(Any, norm), shapes)
        if affine is None:
            return
        beta = None if isinstance(norm, RMSNormOp) else norm.beta
        old_gamma, old_beta = _read(norm.gamma, 1.0, affine), _read(beta, 0.0, affine)
        if old_gamma is None or old_beta is None:
            return
        new_gamma = affine.scale * old_gamma
        new_beta = affine.scale * old_beta + affine.shift
        shifts = new_beta.any() and isinstance(norm, RMSNormOp)
        if shifts or not all_finite((new_gamma, new_beta)):
            return
        if not FLOAT32.keeps(new_gamma, affine.scale, old_gamma):
            return
        values: dict[str, NewWeight] = {"gamma": (new_gamma, norm.gamma)}
        if not isinstance(norm, RMSNormOp):
            values["beta"] = new_beta, norm.beta
        gone = [value for each in (norm, op) for value in constants_freed_by(each)]
        growth = Growth.of_replacing(norm, gone, values.values())
        if not growth.is_allowed(self, norm, op):
            return
        growth.record()
        hint = norm.results[0].name_hint
        norm.set_weights(
            **{k: new_weight(*v, norm, rewriter, f"{hint}_{k}") for k, v in values.items()}
        )
        if isinstance(norm, InstanceNormOp | GroupNormOp):
            norm.set_params(channels=len(new_gamma))
        emit_remark(self, norm, op)
        take_over(norm, op, rewriter)


def _read(weight: SSAValue | None, default: float, affine: Affine) -> Any:
    """Return the values of a weight in float64, or the default that a missing weight has; `None` if
    they are not constant. There is one for each scale."""
    import numpy as np

    if weight is None:
        return np.full(affine.scale.shape, default)
    return read_float64(weight)


def _along_channels(
    op: ChannelAffine, norm: InstanceNormOp | GroupNormOp, shapes: Shapes
) -> Affine | None:
    """Return the scale and shift of each channel."""
    shape = shapes.of(norm.output)
    if shape is None:
        return None
    channels: Extent = norm.channels
    if isinstance(norm, InstanceNormOp) and norm.gamma is None:
        channels = shape[0]  # without weights the runtime ignores the parameter
    if isinstance(norm, GroupNormOp) and channels != shape[0]:
        return None
    if not isinstance(channels, int) or channels <= 0 or not may_materialize(channels, norm.gamma):
        return None
    if isinstance(norm, InstanceNormOp) and len(shape) < 3:
        return None
    axis = ChannelAxis(channels, shape)
    return op.affine(axis) if has_channels(op, axis, shapes) else None


def _along_slice(op: ChannelAffine, norm: LayerNormOp | RMSNormOp, shapes: Shapes) -> Affine | None:
    """Return the scale and shift of each element of a slice, the same for all slices."""
    shape, size = shapes.of(norm.output), norm.affine_size
    dims = None if shape is None else slice_dims(shape, size)
    if not may_materialize(size, norm.gamma):
        return None
    if op.affine_channels(shapes) is None:  # one scale and shift for all elements
        known = norm.gamma is not None or dims is not None
        return op.affine(ChannelAxis(size, shape)) if known else None
    if shape is None or dims is None:
        return None
    if not isinstance(op, BinaryOpOp):
        return op.affine(ChannelAxis(size, shape)) if len(shape) == 1 else None
    first, second = op.inputs
    constant = constant_of(first) or constant_of(second)
    if constant is None or not constant.has_values() or constant.read().dtype.kind != "f":
        return None
    own = static_shape_of(constant.output) or ()
    full = expand(own, shape) if len(own) <= len(shape) else None
    if full is None or any(n != 1 for n in full[:-dims]):
        return None
    if any(m not in (1, n) for m, n in zip(full[-dims:], shape[-dims:], strict=True)):
        return None

    import numpy as np

    values = constant.read().astype("f8").reshape(numbers(full[-dims:]))
    spread = np.broadcast_to(values, numbers(shape[-dims:])).reshape(-1)
    return op.line(spread, first=constant_of(first) is not None)


def slice_dims(shape: Extents, size: int) -> int | None:
    """Return the number of innermost axes that form a slice of this `affine_size`; `None` if there
    is no such slice or the extents are unknown."""
    for dims in range(1, max(len(shape), 2)):
        inner = prod(shape[-dims:])
        if not isinstance(inner, int):
            return None
        if inner == size:
            return dims
    return None
