"""Activations: into the layer before, and into each other."""

from math import inf, isfinite

from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from ...dialects.ncnn.activation import ClipOp, ReLUOp
from ...dialects.ncnn.elementwise import BinaryOpOp
from ...dialects.ncnn.interfaces import (
    CLIP,
    LEAKY_RELU,
    RELU,
    Activation,
    ActivationHost,
    FusableActivation,
)
from ...dialects.ncnn.params import to_float32
from ...dialects.ncnn.ranges import range_of_activation
from ..remarks import missed, tell
from ..selection import EVERYTHING, Selection
from ..tuning import described, processors_for, slow_activation
from .precision import FLOAT16
from .rewriting import apart, only_producer, replace_by_new, take_over
from .selective import SelectivePattern


class FuseActivation(SelectivePattern):
    """Lets a layer apply the activation that follows it.

    Algebra: none; the host applies the same function to each output, after weights and bias. If it
    has an activation already, the two must be one: see `composed`.

    Conditions, and why:
    - the value between has this one use and is no output: somebody else needs it as it is;
    - the activation has two finite bounds, or is a ReLU: a host has no other Clip;
    - the host's output is float: with `int8_scale_term` over 100 it is quantized after the fused
      activation, but before a separate one;
    - it is not slow on the processors that the model is made for (see `slow_activation`; unless
      hosts are named, which is to ask for it). The remark says where else it is.
    """

    selection: Selection
    """Of the activation and the host."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: FusableActivation, rewriter: PatternRewriter) -> None:
        activation = activation_of(op)
        if activation is None:
            return
        host = op.operands[0].owner
        if not isinstance(host, ActivationHost) or not self.selection.has(op, host):
            return
        if (why := apart(op.operands[0], op)) is not None:
            return missed(self, op, host, why)
        if host.writes_int8():
            return missed(self, op, host, "its output is int8: the activation comes behind it")
        if host.activation_type:
            before = Activation(host.activation_type, host.activation_params)
            activation = composed(before, activation)
        if activation is None:
            return missed(self, op, host, "it has an activation, and the two are not one")
        if not is_parameter(activation):
            return missed(self, op, host, "no layer has this activation as a parameter")
        new = activation.type != host.activation_type
        slow = slow_activation(host, activation.type) if new else {}
        if self.selection == EVERYTHING and any(p.name in slow for p in processors_for(host)):
            return missed(self, op, host, f"{described(slow)}; --tune none fuses it")
        host.set_params(activation_type=activation.type, activation_params=activation.params)
        tell(self, host, op, note=described(slow))
        take_over(host, op, rewriter)


class ComposeActivation(RewritePattern):
    """Makes one layer of two activations.

    Algebra: see `composed`.

    Conditions, and why: the value between has this one use and is no output; the two are a ReLU or
    a Clip together, or the second changes nothing.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: FusableActivation, rewriter: PatternRewriter) -> None:
        second = activation_of(op)
        if second is None:
            return
        layer = only_producer(op.operands[0], op)
        first = None if layer is None else activation_of(layer)
        both = None if first is None else composed(first, second)
        if layer is None or both is None:
            return
        if both == first:
            tell(self, layer, op)
            take_over(layer, op, rewriter)
            return
        x, params = layer.operands[0], both.params
        if x.type != op.results[0].type or not (both == second or is_parameter(both)):
            return
        tell(self, op, layer)
        if both == second:
            rewriter.replace(layer, [], [x])
            rewriter.notify_op_modified(op)
            return
        if both.type == CLIP:
            values = {"min": params[0], "max": params[1]}
            replace_by_new(op, ClipOp, [x], {}, values, rewriter)
        else:
            slope = params[0] if params else 0.0
            replace_by_new(op, ReLUOp, [x], {}, {"slope": slope}, rewriter)
        rewriter.erase(layer)


def composed(first: Activation, second: Activation) -> Activation | None:
    """What two activations are together, where that is an activation that ncnn has: one of them if
    the other leaves all that it is given as it is, or one of these.

    - Clip(a, b), then Clip(c, d): `Clip(clip(a), clip(b))`, clip being the second one; ReLU is
      Clip(0, ∞);
    - LeakyReLU(s), then LeakyReLU(t), s not negative: LeakyReLU(s t);
    - LeakyReLU(s), s not negative, then ReLU or a Clip(c, d) with c ≥ 0: the second, since only
      what is above 0 gets through;
    - what is all on one side of a Clip: that bound, as a Clip.
    """
    if first.type == LEAKY_RELU and first.params[0] == 1:
        return second
    within = range_of_activation(first)
    low, high = within.low, within.high
    if second.type == LEAKY_RELU:
        slope = second.params[0]
        if low >= 0 or slope == 1:
            return first
        return _leaky(first.params[0], slope) if first.type == LEAKY_RELU else None
    if second.type not in (RELU, CLIP):
        return None
    bounds = range_of_activation(second)
    least, most = bounds.low, bounds.high
    if least <= low and high <= most:
        return first
    if high <= least:
        return _clamp(least, least)
    if most <= max(low, least):
        return _clamp(most, most)
    if first.type in (RELU, CLIP):
        import numpy as np

        return _clamp(*(float(np.clip(v, least, most)) for v in (low, high)))
    leaks_down = first.type == LEAKY_RELU and first.params[0] >= 0
    return second if leaks_down and least >= 0 else None


def activation_of(op: Operation) -> Activation | None:
    """What a layer does, as an activation. Where it has one bound only, the other is infinite (see
    `is_parameter`)."""
    if not isinstance(op, FusableActivation):
        return None
    bounds = op.bounds() if isinstance(op, BinaryOpOp) else None
    return op.fused_activation() if bounds is None else _clamp(*bounds)


def is_parameter(activation: Activation) -> bool:
    """Whether a file can say it: an infinite bound is none that it knows. FLT_MAX in its place
    would make infinities finite."""
    return all(map(isfinite, activation.params))


def _clamp(low: float, high: float) -> Activation:
    return Activation(RELU) if (low, high) == (0, inf) else Activation(CLIP, (low, high))


def _leaky(first: float, second: float) -> Activation | None:
    if not FLOAT16.keeps(first * second, first, second):
        return None
    slope = to_float32(first * second)
    return Activation(LEAKY_RELU, (slope,)) if slope else Activation(RELU)
