"""Per-channel scales and shifts: into the layer before, and into each other."""

from dataclasses import dataclass

from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from ...dialects.ncnn.blob import rank_of
from ...dialects.ncnn.constant import attached_constant
from ...dialects.ncnn.elementwise import BINARY_OPS, BinaryOpOp
from ...dialects.ncnn.innerproduct import InnerProductOp
from ...dialects.ncnn.interfaces import ChannelAffine, LinearProducer
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.normalization import BatchNormOp, BiasOp, ScaleOp, read_float64
from ..remarks import remark
from .rewriting import all_finite, new_weight, only_producer, scaled, take_over


def affine_kind(op: LayerOp) -> str:
    """The family of an affine layer: `bn`, `add` for those that only shift, otherwise `mul`."""
    if isinstance(op, BatchNormOp):
        return "bn"
    if isinstance(op, BiasOp):
        return "add"
    if isinstance(op, BinaryOpOp) and 0 <= op.op_type < len(BINARY_OPS):
        return "add" if BINARY_OPS[op.op_type] in ("add", "sub") else "mul"
    return "mul"


def producer_family(op: LayerOp) -> str:
    """`innerproduct`, or `conv` for convolutions and deconvolutions of all kinds."""
    return "innerproduct" if isinstance(op, InnerProductOp) else "conv"


@dataclass(frozen=True)
class FuseAffine(RewritePattern):
    """Folds a per-channel scale and shift into the linear layer that feeds it.

    Algebra: `s[o] * (sum(W[o] * x) + b[o]) + t[o] = sum((s[o] W[o]) * x) + (s[o] b[o] + t[o])`.

    Conditions, and why:
    - the producer has no activation: the map would have to go through it;
    - its weight and bias are float constants of its own: int8 weights are seen through scales,
      dynamic ones are not there;
    - the value between has this one use and is no output: somebody else needs it as it is;
    - the affine layer acts on the producer's output channels, by ncnn's broadcasting rules on both
      shapes: an InnerProduct on a 2-D blob gives rows, whose outermost axis is another one;
    - equal channel counts: with fewer values the runtime would read past the end;
    - all new values are finite in float32.
    """

    family: str | None = None
    """Only producers of this family (see `producer_family`)."""
    kind: str | None = None
    """Only affine layers of this kind (see `affine_kind`)."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, ChannelAffine):
            return
        value = op.affine_operand()
        producer = only_producer(value, op)
        if not isinstance(producer, LinearProducer):
            return
        family, kind = producer_family(producer), affine_kind(op)
        if self.family not in (None, family) or self.kind not in (None, kind):
            return
        channels = producer.output_channels()
        if producer.activation_type or channels is None or not producer.has_float_constants():
            return
        affine = op.affine(channels, producer.output_rank())
        weight, bias = producer.linear_weight(), producer.linear_bias()
        constant = attached_constant(weight)
        old_bias = 0.0 if bias is None else read_float64(bias)
        if affine is None or old_bias is None or constant is None or not constant.has_values():
            return
        new_bias = affine.scale * old_bias + affine.shift
        new_values = scaled(constant.read(), affine.scale)
        if not all_finite((new_values, new_bias)):
            return
        new_weights = new_weight(new_values, weight, producer, rewriter)
        biased = bias is not None or new_bias.any()
        hint = f"{(weight.name_hint or 'folded').removesuffix('_weight')}_bias"
        producer.set_linear(
            new_weights, new_weight(new_bias, bias, producer, rewriter, hint) if biased else None
        )
        remark(f"fuse-{family}-{kind}", producer.label(), op.label())
        take_over(producer, op, rewriter)


@dataclass(frozen=True)
class ComposeAffine(RewritePattern):
    """Folds a per-channel scale and shift into the BatchNorm or Scale that feeds it.

    Algebra: `s[c] * (a[c] x + b[c]) + t[c] = (s[c] a[c]) x + (s[c] b[c] + t[c])`. A BatchNorm takes
    the factor into its slope, so that mean, variance and eps stay as they are.

    Conditions, and why: as for `FuseAffine`; the scale is a constant and not a blob.
    """

    first: type[LayerOp] | None = None
    """Only into layers of this type."""
    second: type[LayerOp] | None = None
    """Only layers of this type."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, ChannelAffine):
            return
        producer = only_producer(op.affine_operand(), op)
        if not isinstance(producer, BatchNormOp | ScaleOp):
            return
        if not isinstance(producer, self.first or LayerOp) or not isinstance(
            op, self.second or LayerOp
        ):
            return
        if producer.weights_are_dynamic():
            return
        into_bn = isinstance(producer, BatchNormOp)
        gain = producer.slope if into_bn else producer.scale
        channels = producer.channels if into_bn else producer.scale_data_size
        affine = op.affine(channels, rank_of(producer.output))
        old_gain = read_float64(gain)
        old_bias = 0.0 if producer.bias is None else read_float64(producer.bias)
        if affine is None or old_gain is None or old_bias is None:
            return
        new_gain = affine.scale * old_gain
        new_bias = affine.scale * old_bias + affine.shift
        if not all_finite((new_gain, new_bias)):
            return
        weights = {
            "slope" if into_bn else "scale": new_weight(new_gain, gain, producer, rewriter),
        }
        if producer.bias is not None or new_bias.any():
            weights["bias"] = new_weight(new_bias, producer.bias, producer, rewriter)
        producer.set_weights(**weights)
        first = "bn" if into_bn else "scale"
        second = "scale" if isinstance(op, ScaleOp) else affine_kind(op)
        remark(f"fuse-{first}-{second}", producer.label(), op.label())
        take_over(producer, op, rewriter)
