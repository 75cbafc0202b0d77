"""Fusion of per-channel scales and shifts into the linear layer before or after them."""

from typing import Any

from xdsl.dialects.builtin import f32
from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from ...analysis.shapes import shapes_of
from ...dialects.ncnn.constant import attached_constant
from ...dialects.ncnn.interfaces import (
    ActivationHost,
    Affine,
    ChannelAffine,
    ChannelAxis,
    LinearMap,
    LinearProducer,
    along_axis,
    along_inputs,
)
from ...dialects.ncnn.layer import LayerOp, SameShapeLayer
from ...dialects.ncnn.matmul import GemmOp
from ...dialects.ncnn.normalization import read_float64
from ...dialects.shapes.analysis import Shapes
from ..rewriting.growth import Growth, NewWeight, constants_freed_by
from ..rewriting.missed import missed
from ..rewriting.remarks import emit_remark
from ..rewriting.running_passes import is_enabled
from .precision import FLOAT16, only_weights_are_float16, scaled_weight
from .rewriting import (
    all_finite,
    fusion_obstacle,
    may_materialize,
    new_weight,
    only_producer,
    only_user,
    stored_as,
    sums_of_scaled,
    take_over,
)
from .rounding_offsets import carry_rounding_offset


class FuseAffine(RewritePattern):
    """Fold a per-channel scale and shift into the linear layer before it.

    Algebra: `s[o] * (g * sum(W[o] * x) + h * b[o]) + t[o] = g * sum((s[o] W[o]) * x) + h * (s[o]
    b[o] + t[o] / h)`, where g = h = 1 except for a Gemm (g = alpha, h = alpha * beta).

    Conditions, and why:
    - the producer has no activation: it would be applied before the scale and shift;
    - its weight and bias are float constants: int8 weights have scales of their own, and dynamic
      weights are not statically known. Another layer that shares them keeps the old values;
    - the value between has this one use and is no output: another user would need it;
    - the affine layer acts on the output channels of the producer, by ncnn's broadcasting rules on
      both shapes. The output channels of an InnerProduct or a Gemm are columns if the result is
      rows; a BatchNorm acts on rows there;
    - the channel counts are equal: with fewer values the runtime would read past the end;
    - if the values of the weight were left out, the channels are limited: nothing proves their
      number;
    - all new values are finite in float32, and the runtime represents the weight as precisely as
      before (`scaled_weight`): factors of 1e-5 would leave few bits of a float16 weight, factors of
      1e6 infinities.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ChannelAffine, rewriter: PatternRewriter) -> None:
        x = op.affine_operand()
        producer = None if x is None else x.owner
        if not isinstance(producer, LinearProducer) or not is_enabled(self, producer, op):
            return
        if (why := fusion_obstacle(x, op)) is not None:
            return missed(self, producer, op, why=why)
        if isinstance(producer, ActivationHost) and producer.activation_type:
            return missed(self, producer, op, why="it has an activation")
        shapes = shapes_of(rewriter)
        linear = producer.linear_map(shapes)
        if linear is None or not may_materialize(linear.output.channels, linear.weight):
            return missed(self, producer, op, why="its weights are not float constants")
        affine = op.affine(linear.output)
        if affine is None:
            return missed(self, producer, op, why="the values are unknown, or not one per channel")
        if not fold_into_producer(self, op, producer, linear, affine, rewriter):
            return missed(self, producer, op, why="the values are unknown, too large or too small")
        emit_remark(self, producer, op)
        take_over(producer, op, rewriter)


class FuseAffineAhead(RewritePattern):
    """Fold a per-channel scale and shift into the linear layer after it.

    Algebra: `g * sum(W[o, i] * (s[i] x[i] + t[i])) + h * b[o] = g * sum((W[o, i] s[i]) * x[i]) + h
    * (b[o] + g / h * sum(W[o, i] t[i]))`, i over the inputs of o's group, sums over the window too.

    Conditions, and why:
    - weight and bias are float constants (another layer that shares them keeps the old values);
    - the value between has this one use and is no output;
    - the affine layer acts on the input channels of the weight, by ncnn's broadcasting rules, and
      does not broadcast fewer channels to them. For an InnerProduct whose input may be rows or one
      flattened blob, only a scalar satisfies this;
    - a padding value p with `s * p + t` equal to the old one exists, and is the same for all
      channels. It is 0 if there are no shifts and the old padding is 0; otherwise it becomes the
      new `pad_value`. (An activation of the layer is applied later and does not matter.) Deformed
      windows read zeros outside of the blob, and transposed windows do not reach all elements
      equally: no shifts there;
    - there are no shifts where the runtime stores the weight, but not the blob, in float16. There
      `W x + W t` is far from `W (x + t)` if x is large and x + t is not, because t is multiplied by
      the exact W (for x around 100: an error of 5 % instead of 0.03 %);
    - all new values are finite in float32, and the runtime represents the weight as precisely as
      before (`scaled_weight`).
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ChannelAffine, rewriter: PatternRewriter) -> None:
        x, user = op.affine_operand(), only_user(op)
        if x is None or not isinstance(user, LinearProducer):
            return
        between = op.results[0]
        if user.linear_operand() != between or x.type != between.type:
            return
        shapes = shapes_of(rewriter)
        linear, axis = user.linear_map(shapes), user.linear_input(shapes)
        if axis.shape is not None:
            axis = ChannelAxis(axis.channels, shapes.of(x), axis.innermost)
        if linear is None or not has_channels(op, axis, shapes):
            return
        affine = op.affine(axis)
        border = None if affine is None else user.border_for(affine)
        if affine is None or border is None:
            return
        if affine.shift.any() and only_weights_are_float16(user):
            return
        bias, weight, values = _bias_of(linear), None, _values_of(linear.weight)
        if bias is None or values is None:
            return
        if affine.shift.any():
            shifts = along_inputs(linear, affine.shift)
            sums = sums_of_scaled(values, shifts, linear.output_axis)
            bias = bias + linear.gain / linear.bias_gain * sums
        if (affine.scale != 1).any():
            weight = _weight_times(user, linear, along_inputs(linear, affine.scale))
            if weight is None:
                return
        if not _set_linear(self, op, user, linear, weight, bias, rewriter, affine):
            return
        user.set_params(**border)
        emit_remark(self, user, op)
        rewriter.replace(op, [], [x])
        rewriter.notify_op_modified(user)


class ScaleGemm(RewritePattern):
    """Multiply a Gemm's alpha by the factor that follows it.

    Algebra: `s * (alpha * (A @ B + beta * C)) = (s * alpha) * (A @ B + beta * C)`.

    Conditions, and why:
    - there is one factor for the whole blob: alpha is a scalar;
    - the value between has this one use and is no output;
    - the product is finite in float32, and float16 represents it as precisely as both factors.

    A, B and C may be blobs, or integers: alpha is applied last.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ChannelAffine, rewriter: PatternRewriter) -> None:
        gemm = only_producer(op.affine_operand(), op)
        shapes = shapes_of(rewriter)
        factor = None if not isinstance(gemm, GemmOp) else uniform_affine(op, shapes)
        if not isinstance(gemm, GemmOp) or factor is None or factor[1] != 0:
            return
        alpha = gemm.alpha * factor[0]
        if not all_finite((alpha,)) or not FLOAT16.keeps(alpha, gemm.alpha, factor[0]):
            return
        gemm.set_params(alpha=alpha)
        emit_remark(self, gemm, op)
        take_over(gemm, op, rewriter)


def fold_into_producer(
    pattern: RewritePattern,
    op: LayerOp,
    producer: LinearProducer,
    linear: LinearMap,
    affine: Affine,
    rewriter: PatternRewriter,
) -> bool:
    """Set the weight and bias of a linear layer so that it includes the scale and shift that
    followed it. Return `False` and change nothing if values are unknown, if the runtime would not
    represent the new ones, or if the weights would grow too much."""
    bias, weight = _bias_of(linear), None
    if bias is None:
        return False
    bias = affine.scale * bias + affine.shift / linear.bias_gain
    if (affine.scale != 1).any():
        weight = _weight_times(
            producer, linear, along_axis(linear, linear.output_axis, affine.scale)
        )
        if weight is None:
            return False
    return _set_linear(pattern, op, producer, linear, weight, bias, rewriter)


def has_channels(op: ChannelAffine, axis: ChannelAxis, shapes: Shapes) -> bool:
    """Whether the input of an affine layer provably has the channels of its result along an axis. A
    constant of a BinaryOp may broadcast one channel to many."""
    if op.affine_channels(shapes) is None or isinstance(op, SameShapeLayer):
        return True
    return axis.extent() == axis.channels


def uniform_affine(op: LayerOp, shapes: Shapes) -> tuple[float, float] | None:
    """Return the scale and shift of a layer that has one of each for the whole blob."""
    if not isinstance(op, ChannelAffine) or op.affine_channels(shapes) is not None:
        return None
    x = op.affine_operand()
    affine = None if x is None else op.affine(ChannelAxis(1, shapes.of(x), innermost=True))
    return None if affine is None else (float(affine.scale[0]), float(affine.shift[0]))


def _values_of(weight: SSAValue) -> Any:
    """Return the stored values of a weight; `None` if it has none."""
    constant = attached_constant(weight)
    return constant.read() if constant is not None and constant.has_values() else None


def _bias_of(linear: LinearMap) -> Any:
    """Return the bias in float64, one value per channel; `None` if its values are unknown."""
    import numpy as np

    if linear.bias is None:
        return np.zeros(linear.output.channels)
    values = read_float64(linear.bias)
    return None if values is None else np.broadcast_to(values.reshape(-1), linear.output.channels)


def _weight_times(layer: LinearProducer, linear: LinearMap, factors: Any) -> Any:
    """Return the weight times factors; `None` if its values are unknown or the runtime would not
    represent the product."""
    values = _values_of(linear.weight)
    return None if values is None else scaled_weight(values, factors, linear.output_axis, layer)


def _set_linear(
    pattern: RewritePattern,
    op: LayerOp,
    layer: LinearProducer,
    linear: LinearMap,
    weight: Any,
    bias: Any,
    rewriter: PatternRewriter,
    ahead: Affine | None = None,
) -> bool:
    """Set the weight (`None`: unchanged) and bias of a layer that absorbs the affine layer `op`.
    `ahead` is the folded scale and shift of its inputs. Return `False` and change nothing if the
    bias is not finite, or if the weights would grow too much."""
    if not all_finite((bias,)):
        return False
    old, shaped = linear.weight, bias.reshape(linear.bias_shape)
    gone = [*constants_freed_by(op), linear.bias]
    made: list[NewWeight] = []
    if weight is not None:
        gone.append(old)
        made.append((weight, old))
    has_bias = linear.bias is not None or bias.any()
    if has_bias:
        made.append((shaped, linear.bias))
    growth = Growth.of_replacing(layer, gone, made)
    if not growth.is_allowed(pattern, layer, op):
        return False
    growth.record()
    new = old if weight is None else new_weight(weight, old, layer, rewriter)
    if stored_as(old) != f32:
        carry_rounding_offset(old, new, ahead)
    new_bias = None
    if has_bias:
        hint = f"{(old.name_hint or 'folded').removesuffix('_weight')}_bias"
        new_bias = new_weight(shaped, linear.bias, layer, rewriter, hint)
    layer.set_linear(new, new_bias)
    return True
