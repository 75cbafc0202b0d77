"""Compositions of channel affines."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from ...analysis.shapes import shapes_of
from ...dialects.ncnn.elementwise import BINARY_OPS, BinaryOpOp, PowerOp
from ...dialects.ncnn.interfaces import Affine, ChannelAffine, ChannelAxis
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.normalization import BatchNormOp, ScaleOp, read_float64
from ...dialects.ncnn.params import Value, to_float32
from ..rewriting.growth import Growth, NewWeight, constants_freed_by
from ..rewriting.release_conditions import Replacement
from ..rewriting.remarks import emit_remark
from ..rewriting.running_passes import is_enabled
from .affine import has_channels, uniform_affine
from .precision import FLOAT16
from .rewriting import all_finite, new_weight, only_producer, only_user, replace_by_new, take_over


class ComposeAffine(RewritePattern):
    """Replace two consecutive per-channel scales and shifts by one layer.

    Algebra: `s[c] * (a[c] x + b[c]) + t[c] = (s[c] a[c]) x + (s[c] b[c] + t[c])`. If one of the two
    is a BatchNorm or Scale, it absorbs the other. A BatchNorm absorbs it in its slope and bias, so
    that mean, variance and eps stay. Otherwise the result is a Scale.

    Conditions, and why:
    - one of them has a value per channel: for two scalars see `ComposeScalars`;
    - both act on the channels of the outermost axis, as BatchNorm and Scale do, and neither
      increases the number of channels, as a broadcasting constant may;
    - the value between has this one use and is no output;
    - all values are constants, and the new ones are finite in float32;
    - the new factors are represented as precisely as both old ones (see `precision.py`).
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ChannelAffine, rewriter: PatternRewriter) -> None:
        first = only_producer(op.affine_operand(), op)
        if not isinstance(first, ChannelAffine) or not is_enabled(self, first, op):
            return
        x = first.affine_operand()
        shapes = shapes_of(rewriter)
        channels = first.affine_channels(shapes) or op.affine_channels(shapes)
        if x is None or channels is None:
            return
        start = ChannelAxis(channels, shapes.of(x))
        between = ChannelAxis(channels, shapes.of(first.results[0]))
        inner, outer = first.affine(start), op.affine(between)
        if inner is None or outer is None or not has_channels(first, start, shapes):
            return
        if first.affine_channels(shapes) is None and not has_channels(op, between, shapes):
            return
        if not FLOAT16.keeps(outer.scale * inner.scale, inner.scale, outer.scale):
            return
        both = Affine(outer.scale * inner.scale, outer.scale * inner.shift + outer.shift)
        if isinstance(first, BatchNormOp | ScaleOp):
            if _absorb(self, (first, op), outer, both, rewriter):
                emit_remark(self, first, op)
                take_over(first, op, rewriter)
        elif isinstance(op, BatchNormOp | ScaleOp):
            if x.type == op.input.type and _absorb(self, (op, first), inner, both, rewriter):
                emit_remark(self, op, first)
                rewriter.replace(first, [], [x])
                rewriter.notify_op_modified(op)
        elif all_finite((both.scale, both.shift)):
            if Replacement(self, (op, first), ScaleOp).is_unsupported([x], {}, rewriter):
                return
            values = {"scale": both.scale, **({"bias": both.shift} if both.shift.any() else {})}
            made = [(value, None) for value in values.values()]
            gone = [*constants_freed_by(op), *constants_freed_by(first)]
            growth = Growth.of_replacing(op, gone, made)
            if not growth.is_allowed(self, op, first):
                return
            growth.record()
            weights = {k: new_weight(v, None, op, rewriter, k) for k, v in values.items()}
            emit_remark(self, op, first)
            replace_by_new(op, ScaleOp, [x], weights, {}, rewriter)
            rewriter.erase(first)


def _absorb(
    pattern: RewritePattern,
    layers: tuple[ChannelAffine, ChannelAffine],
    other: Affine,
    both: Affine,
    rewriter: PatternRewriter,
) -> bool:
    """Make the first of two neighbours compute the composition of both. Return `False` if that is
    impossible."""
    host = layers[0]
    assert isinstance(host, BatchNormOp | ScaleOp)
    if isinstance(host, BatchNormOp):
        name, old = "slope", host.slope
        gain = other.scale * read_float64(host.slope)
        bias = both.shift + both.scale * read_float64(host.mean)
    else:
        name, old, gain, bias = "scale", host.scale, both.scale, both.shift
    if not all_finite((gain, bias)):
        return False
    values: dict[str, NewWeight] = {name: (gain, old)}
    if host.bias is not None or bias.any():
        values["bias"] = bias, host.bias
    gone = [old, host.bias, *constants_freed_by(layers[1])]
    growth = Growth.of_replacing(host, gone, values.values())
    if not growth.is_allowed(pattern, *layers):
        return False
    growth.record()
    host.set_weights(**{k: new_weight(*v, host, rewriter) for k, v in values.items()})
    return True


class ComposeScalars(RewritePattern):
    """Replace a chain of scales and shifts by scalars by one layer, or by two if it has both.

    Algebra: `s2 * (s1 * x + t1) + t2 = (s2 s1) x + (s2 t1 + t2)`. The result is a BinaryOp for `s *
    x`, `x + t` or `t - x`, a Power if the chain contains a Power, and otherwise a multiplication
    and an addition.

    Conditions, and why:
    - the values between have this one use and are no outputs;
    - the result has fewer layers. A multiplication and an addition stay two layers: a Power also
      raises each element to the power of 1, which is slower;
    - the new scalars are finite in float32, the factor is represented as precisely as the old ones
      (see `precision.py`), and the summand is not infinite in float16 unless an old one is.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ChannelAffine, rewriter: PatternRewriter) -> None:
        shapes = shapes_of(rewriter)
        last = uniform_affine(op, shapes)
        if last is None:
            return
        user = only_user(op)
        if user is not None and uniform_affine(user, shapes) is not None:
            return  # start at the last layer of the chain
        (scale, shift), chain, factors, summands = last, [op], [last[0]], [last[1]]
        while True:
            first = only_producer(chain[-1].affine_operand(), chain[-1])
            inner = None if first is None else uniform_affine(first, shapes)
            if not isinstance(first, ChannelAffine) or inner is None:
                break
            scale, shift = scale * inner[0], scale * inner[1] + shift
            chain.append(first)
            factors.append(inner[0])
            summands.append(inner[1])
        x = chain[-1].affine_operand()
        if x is None or x.type != op.results[0].type:
            return
        if not all_finite((scale, shift)) or not FLOAT16.keeps(scale, *factors):
            return
        if abs(shift) >= FLOAT16.above > max(map(abs, summands)):
            return
        parts = _parts(to_float32(scale), to_float32(shift), chain)
        if len(parts) >= len(chain):
            return
        for cls, params in parts:
            if Replacement(self, chain, cls).is_unsupported([x], params, rewriter):
                return
        emit_remark(self, *chain)
        between = chain[1:]
        if len(parts) == 2:
            _put(parts[0], chain[-1], x, rewriter)
            x, between = chain[-2].affine_operand() or x, chain[1:-1]
        _put(parts[-1], op, x, rewriter)
        for layer in between:
            rewriter.erase(layer)


_Part: TypeAlias = tuple[type[LayerOp], Mapping[str, Value]]
"""A layer type and its parameters."""


def _put(part: _Part, op: LayerOp, x: SSAValue, rewriter: PatternRewriter) -> None:
    cls, params = part
    replace_by_new(op, cls, [x], {}, params, rewriter)


def _parts(scale: float, shift: float, chain: Sequence[LayerOp]) -> list[_Part]:
    """Return the types and parameters of layers that compute `scale * x + shift`."""

    def binary(word: str, scalar: float) -> _Part:
        return BinaryOpOp, {"op_type": BINARY_OPS.index(word), "with_scalar": 1, "b": scalar}

    if shift == 0:
        return [binary("mul", scale)]
    if abs(scale) == 1:
        return [binary("add" if scale == 1 else "rsub", shift)]
    if any(isinstance(layer, PowerOp) for layer in chain):
        return [(PowerOp, {"scale": scale, "shift": shift})]
    return [binary("mul", scale), binary("add", shift)]
