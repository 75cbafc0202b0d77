"""Per-channel scales and shifts: into the linear layer before or after them."""

from collections.abc import Iterator
from typing import Any

from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from ...dialects.ncnn.constant import attached_constant
from ...dialects.ncnn.interfaces import (
    ActivationHost,
    Affine,
    ChannelAffine,
    ChannelAxis,
    LinearMap,
    LinearProducer,
)
from ...dialects.ncnn.layer import LayerOp, SameShapeLayer
from ...dialects.ncnn.matmul import GemmOp
from ...dialects.ncnn.normalization import read_float64
from ...dialects.shapes.analysis import Shapes
from ..analysis.shapes import shapes_of
from ..growth import Made, may_replace, own
from ..remarks import missed, tell
from ..selection import Selection
from .precision import FLOAT16, product_held, weights_alone_are_short
from .rewriting import (
    all_finite,
    apart,
    may_spell_out,
    new_weight,
    only_producer,
    only_user,
    sums_of_scaled,
    take_over,
)
from .rounding_centers import along_axis, along_inputs, carry_centre
from .selective import SelectivePattern


class FuseAffine(SelectivePattern):
    """Folds a per-channel scale and shift into the linear layer that feeds it.

    Algebra: `s[o] * (g * sum(W[o] * x) + h * b[o]) + t[o] = g * sum((s[o] W[o]) * x) + h * (s[o]
    b[o] + t[o] / h)`, where g = h = 1 but for a Gemm (g = alpha, h = alpha * beta).

    Conditions, and why:
    - the producer has no activation: the map would have to go through it;
    - its weight and bias are float constants of its own: int8 weights are seen through scales,
      dynamic ones are not there;
    - the value between has this one use and is no output: somebody else needs it as it is;
    - the affine layer acts on the producer's output channels, by ncnn's broadcasting rules on both
      shapes. Those of an InnerProduct or a Gemm are columns where it gives rows; a BatchNorm has
      its own for each row there;
    - equal channel counts: with fewer values the runtime would read past the end;
    - where the weight's values were left out, not too many channels: nothing proves their number;
    - all new values are finite in float32, and the runtime holds the weight as well as before
      (`product_held`): of factors of 1e-5 float16 would leave a few bits, of 1e6 infinities.
    """

    selection: Selection
    """Of the affine layer and the linear one."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ChannelAffine, rewriter: PatternRewriter) -> None:
        x = op.affine_operand()
        producer = None if x is None else x.owner
        if not isinstance(producer, LinearProducer) or not self.selection.has(op, producer):
            return
        if (why := apart(x, op)) is not None:
            return missed(self, op, producer, why)
        if isinstance(producer, ActivationHost) and producer.activation_type:
            return missed(self, op, producer, "it applies an activation before")
        shapes = shapes_of(rewriter)
        linear = producer.linear_map(shapes)
        if linear is None or not may_spell_out(linear.output.channels, linear.weight):
            return missed(self, op, producer, "its weights are no float constants of its own")
        affine = op.affine(linear.output)
        if affine is None:
            return missed(self, op, producer, "values are not known, or not one for each channel")
        if not fold_behind(self, op, producer, linear, affine, rewriter):
            return missed(self, op, producer, "values are not known, or too large or too small")
        tell(self, producer, op)
        take_over(producer, op, rewriter)


class FuseAffineAhead(RewritePattern):
    """Folds a per-channel scale and shift into the linear layer that it feeds.

    Algebra: `g * sum(W[o, i] * (s[i] x[i] + t[i])) + h * b[o] = g * sum((W[o, i] s[i]) * x[i]) +
    h * (b[o] + g / h * sum(W[o, i] t[i]))`, i over the inputs of o's group, sums over the window
    as well.

    Conditions, and why:
    - weight and bias are float constants of the layer's own;
    - the value between has this one use and is no output;
    - the affine layer acts on the input channels of the weight, by ncnn's broadcasting rules, and
      does not make them of fewer; where an InnerProduct may be given rows or one flattened blob,
      only a scalar does that;
    - around x the window finds p with `s * p + t` the old padding, p the same in all channels: 0
      where there are no shifts and the padding is 0, otherwise a new `pad_value`. (An activation
      of the layer comes later and does not matter.) Deformed windows read zeros outside of the
      blob, and transposed ones do not reach all elements alike: no shifts there;
    - no shifts either where the runtime holds the weight, but not the blob, in float16: `W x + W t`
      is far from `W (x + t)` if x is large and x + t is not, as t is multiplied by the exact W
      (x around 100: an error of 5 % instead of 0.03 %);
    - all new values are finite in float32, and the runtime holds the weight as well as before
      (`product_held`).
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
        if affine.shift.any() and weights_alone_are_short(user):
            return
        bias, weight, values = _bias_of(linear), None, _values_of(linear.weight)
        if bias is None or values is None:
            return
        if affine.shift.any():
            shifts = along_inputs(linear, affine.shift)
            sums = sums_of_scaled(values, shifts, linear.output_axis)
            bias = bias + linear.gain / linear.bias_gain * sums
        if (affine.scale != 1).any():
            weight = _times(user, linear, along_inputs(linear, affine.scale))
            if weight is None:
                return
        if not all_finite((bias,)):
            return
        if not may_replace(
            self, user, op, gone=_gone(op, linear, weight), made=_made(linear, weight, bias)
        ):
            return
        _refit(user, linear, weight, bias, rewriter, affine)
        user.set_params(**border)
        tell(self, user, op)
        rewriter.replace(op, [], [x])
        rewriter.notify_op_modified(user)


class ScaleGemm(RewritePattern):
    """Multiplies a Gemm's alpha by the factor that follows it.

    Algebra: `s * (alpha * (A @ B + beta * C)) = (s * alpha) * (A @ B + beta * C)`.

    Conditions, and why:
    - one factor for the whole blob: alpha is one;
    - the value between has this one use and is no output;
    - the product is finite in float32, and in float16 no worse than both were.
    A, B and C may be blobs, or integers: alpha comes last.
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
        tell(self, gemm, op)
        take_over(gemm, op, rewriter)


def fold_behind(
    pattern: RewritePattern,
    op: LayerOp,
    producer: LinearProducer,
    linear: LinearMap,
    affine: Affine,
    rewriter: PatternRewriter,
) -> bool:
    """Gives a linear layer the weight and bias with which it does what a layer that scales and
    shifts its output channels did to what it gave. `False`, and nothing is done, where values are
    not known, the runtime would not hold the new ones, or the weights would grow too much."""
    bias, weight = _bias_of(linear), None
    if bias is None:
        return False
    bias = affine.scale * bias + affine.shift / linear.bias_gain
    if (affine.scale != 1).any():
        weight = _times(producer, linear, along_axis(linear, linear.output_axis, affine.scale))
        if weight is None:
            return False
    if not all_finite((bias,)):
        return False
    gone, made = _gone(op, linear, weight), _made(linear, weight, bias)
    if not may_replace(pattern, producer, op, gone=gone, made=made):
        return False
    _refit(producer, linear, weight, bias, rewriter)
    return True


def has_channels(op: ChannelAffine, axis: ChannelAxis, shapes: Shapes) -> bool:
    """Whether the blob that an affine layer reads certainly has so many channels along an axis, if
    its result has. Constants of a BinaryOp broadcast: they may have made a channel many."""
    if op.affine_channels(shapes) is None or isinstance(op, SameShapeLayer):
        return True
    return axis.extent() == axis.channels


def uniform_affine(op: LayerOp, shapes: Shapes) -> tuple[float, float] | None:
    """Scale and shift of a layer that has one of each for the whole blob."""
    if not isinstance(op, ChannelAffine) or op.affine_channels(shapes) is not None:
        return None
    x = op.affine_operand()
    affine = None if x is None else op.affine(ChannelAxis(1, shapes.of(x), innermost=True))
    return None if affine is None else (float(affine.scale[0]), float(affine.shift[0]))


def _values_of(weight: SSAValue) -> Any:
    """The values of a weight as they are stored; `None` if there are none."""
    constant = attached_constant(weight)
    return constant.read() if constant is not None and constant.has_values() else None


def _bias_of(linear: LinearMap) -> Any:
    """The bias in float64, one value for each channel; `None` if it has no values."""
    import numpy as np

    if linear.bias is None:
        return np.zeros(linear.output.channels)
    values = read_float64(linear.bias)
    return None if values is None else np.broadcast_to(values.reshape(-1), linear.output.channels)


def _times(layer: LinearProducer, linear: LinearMap, factors: Any) -> Any:
    """The weight times factors; `None` if it has no values or the runtime would not hold them."""
    values = _values_of(linear.weight)
    return None if values is None else product_held(values, factors, linear.output_axis, layer)


def _gone(op: LayerOp, linear: LinearMap, weight: Any) -> Iterator[SSAValue | None]:
    """The constants that go if an affine layer is folded: its own, the bias, and the weight if
    there is a new one."""
    yield from own(op)
    yield linear.bias
    if weight is not None:
        yield linear.weight


def _made(linear: LinearMap, weight: Any, bias: Any) -> Iterator[Made]:
    """The weights that `_refit` makes."""
    if weight is not None:
        yield weight, linear.weight
    if linear.bias is not None or bias.any():
        yield bias.reshape(linear.bias_shape), linear.bias


def _refit(
    layer: LinearProducer,
    linear: LinearMap,
    weight: Any,
    bias: Any,
    rewriter: PatternRewriter,
    ahead: Affine | None = None,
) -> None:
    """Gives a layer another weight (`None`: the same) and bias; `ahead` is what was folded of its
    inputs."""
    old = linear.weight
    new = old if weight is None else new_weight(weight, old, layer, rewriter)
    carry_centre(old, new, ahead)
    new_bias = None
    if linear.bias is not None or bias.any():
        hint = f"{(old.name_hint or 'folded').removesuffix('_weight')}_bias"
        shaped = bias.reshape(linear.bias_shape)
        new_bias = new_weight(shaped, linear.bias, layer, rewriter, hint)
    layer.set_linear(new, new_bias)
