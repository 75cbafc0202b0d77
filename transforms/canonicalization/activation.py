"""Fusion of activations into the layer before, and of two activations."""

from math import inf, isfinite

from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from ...analysis.tuning_facts import described, processors_for, slow_activation
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
from ..rewriting.missed import missed
from ..rewriting.remarks import emit_remark
from ..rewriting.running_passes import is_enabled, is_requested
from .precision import FLOAT16
from .rewriting import fusion_obstacle, only_producer, replace_by_new, take_over


class FuseActivation(RewritePattern):
    """Fuse an activation into the layer before it.

    Algebra: none; the host applies the same function to each output element, after weights and
    bias. If it already has an activation, both must compose to one: see `composed`.

    Conditions, and why:
    - the value between has this one use and is no output: another user would need it;
    - the activation has two finite bounds, or is a ReLU: a host supports no other Clip;
    - the host's output is float: with `int8_scale_term` over 100 it is quantized after the fused
      activation, but before a separate one;
    - the fused activation is not slow on the target processors (see `slow_activation`). A pass for
      named hosts skips this check, because it requests the fusion explicitly. The remark names the
      processors where it is slow.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: FusableActivation, rewriter: PatternRewriter) -> None:
        activation = activation_of(op)
        if activation is None:
            return
        host = op.operands[0].owner
        if not isinstance(host, ActivationHost) or not is_enabled(self, host, op):
            return
        if (why := fusion_obstacle(op.operands[0], op)) is not None:
            return missed(self, host, op, why=why)
        if host.writes_int8():
            return missed(self, host, op, why="its output is int8, quantized before the activation")
        if host.activation_type:
            before = Activation(host.activation_type, host.activation_params)
            activation = composed(before, activation)
        if activation is None:
            return missed(self, host, op, why="it has an activation, and the two do not compose")
        if not is_parameter(activation):
            return missed(self, host, op, why="no layer has this activation as a parameter")
        new = activation.type != host.activation_type
        slow = slow_activation(host, activation.type) if new else {}
        processors = processors_for(host, "activation") if slow else ()
        if not is_requested(self) and any(p.name in slow for p in processors):
            return missed(self, host, op, why=f"{described(slow)}; --tune none fuses it")
        host.set_params(activation_type=activation.type, activation_params=activation.params)
        emit_remark(self, host, op, note=described(slow))
        take_over(host, op, rewriter)


class ComposeActivation(RewritePattern):
    """Replace two consecutive activations by one layer.

    Algebra: see `composed`.

    Conditions, and why: the value between has this one use and is no output; the composition is a
    ReLU or a Clip, or the second activation changes nothing.
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
            emit_remark(self, layer, op)
            take_over(layer, op, rewriter)
            return
        x, params = layer.operands[0], both.params
        if x.type != op.results[0].type or not (both == second or is_parameter(both)):
            return
        emit_remark(self, op, layer)
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
    """Return the composition of two activations if it is an activation of ncnn; else `None`. It is
    one of the two if the other has no effect, or one of these:

    - Clip(a, b), then Clip(c, d): `Clip(clip(a), clip(b))`, where clip is the second one; ReLU is
      Clip(0, ∞);
    - LeakyReLU(s), then LeakyReLU(t), s not negative: LeakyReLU(s t);
    - LeakyReLU(s), s not negative, then ReLU or a Clip(c, d) with c ≥ 0: the second one, because
      only values above 0 pass;
    - a range entirely outside of a Clip: the nearer bound, as a Clip.
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
    lower, upper = bounds.low, bounds.high
    if lower <= low and high <= upper:
        return first
    if high <= lower:
        return _clamp(lower, lower)
    if upper <= max(low, lower):
        return _clamp(upper, upper)
    if first.type in (RELU, CLIP):
        import numpy as np

        return _clamp(*(float(np.clip(v, lower, upper)) for v in (low, high)))
    leaks_down = first.type == LEAKY_RELU and first.params[0] >= 0
    return second if leaks_down and lower >= 0 else None


def activation_of(op: Operation) -> Activation | None:
    """Return a layer as an activation. The other bound of a one-sided one is infinite (see
    `is_parameter`)."""
    if not isinstance(op, FusableActivation):
        return None
    bounds = op.bounds() if isinstance(op, BinaryOpOp) else None
    return op.fused_activation() if bounds is None else _clamp(*bounds)


def is_parameter(activation: Activation) -> bool:
    """Whether a file can express an activation: it has no notation for an infinite bound. FLT_MAX
    instead would make infinities finite."""
    return all(map(isfinite, activation.params))


def _clamp(low: float, high: float) -> Activation:
    return Activation(RELU) if (low, high) == (0, inf) else Activation(CLIP, (low, high))


def _leaky(first: float, second: float) -> Activation | None:
    if not FLOAT16.keeps(first * second, first, second):
        return None
    slope = to_float32(first * second)
    return Activation(LEAKY_RELU, (slope,)) if slope else Activation(RELU)
