"""Zero channels that fill the runtime's vectors."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import isfinite, prod
from typing import Any, cast

from xdsl.dialects.builtin import AnyFloat, TensorType
from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from ...analysis.shapes import shapes_of
from ...analysis.tuning_facts import processors_for
from ...dialects.ncnn.activation import (
    ClipOp,
    GELUOp,
    HardSigmoidOp,
    HardSwishOp,
    MishOp,
    PReLUOp,
    ReLUOp,
    SigmoidOp,
    SwishOp,
    TanHOp,
)
from ...dialects.ncnn.blob import blob_like, static_shape_of
from ...dialects.ncnn.constant import attached_constant
from ...dialects.ncnn.convolution import ConvolutionDepthWiseOp, ConvolutionOp
from ...dialects.ncnn.elementwise import BINARY_OPS, BinaryOpOp, EltwiseOp
from ...dialects.ncnn.innerproduct import InnerProductOp
from ...dialects.ncnn.interfaces import FusableActivation, is_float_constant
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.pooling import PoolingOp
from ...dialects.ncnn.spatial import kernel_of, strides_of
from ...dialects.shapes.analysis import Shapes, declared_shape
from ..rewriting.growth import Growth
from ..rewriting.remarks import emit_remark
from .activation import FuseActivation
from .rewriting import new_weight

FINITE = (
    *(ClipOp, GELUOp, HardSigmoidOp, HardSwishOp, MishOp, ReLUOp, SigmoidOp, SwishOp, TanHOp),
)
"""Element-wise layers that map finite numbers to finite numbers."""

COMBINED = frozenset({"add", "sub", "rsub", "mul", "max", "min"})
"""Operations of a BinaryOp that map two finite numbers to a finite number."""

MAX_BLOBS = 64
"""Maximal number of blobs of a region."""


@dataclass
class ChannelRegion:
    """Blobs that have the same channels, with their producers and users."""

    channels: int
    values: dict[SSAValue, None] = field(default_factory=dict[SSAValue, None])
    producers: dict[LayerOp, None] = field(default_factory=dict[LayerOp, None])
    """Layers whose weights have one output per channel."""
    channelwise: dict[LayerOp, None] = field(default_factory=dict[LayerOp, None])
    """Layers that process each channel separately."""
    consumers: dict[LayerOp, None] = field(default_factory=dict[LayerOp, None])
    """Layers whose weights have one input per channel."""

    def layers(self) -> Sequence[LayerOp]:
        """Return all layers, each once."""
        return tuple(self.producers | self.channelwise | self.consumers)


class PadChannels(RewritePattern):
    """Add zero channels to a depthwise convolution and to the producers and users of its channels,
    so that the runtime packs all channels into vectors.

    Algebra: a convolution whose weights and bias of an output are zero gives its activation of 0
    there. Each layer between maps it to a finite number. A convolution whose weights of an input
    are zero ignores it.

    Conditions, and why:
    - each target processor is slow with the current number of channels, few channels are added, and
      with them it has fast and correct code for the windows of all affected depthwise convolutions
      (`Processor.padding`, from the table of processors);
    - all blobs of these channels are produced by Convolutions (or InnerProducts, for vectors) with
      float constants, and read by such layers; or by layers that process each channel separately:
      depthwise convolutions, PReLU, activations, poolings, sums and products of two of these blobs.
      None is an output;
    - each blob provably has this number of channels along the outermost axis, and 3 dims or 1:
      another layer would give the added channels a meaning.

    An infinite element becomes NaN if it is multiplied by zero, but then the outputs are NaN or
    infinite in any case.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ConvolutionDepthWiseOp, rewriter: PatternRewriter) -> None:
        channels = op.num_output
        wanted = padded_count(channels, op)
        if wanted is None:
            return
        region = region_of(op, shapes_of(rewriter))
        if region is None or not all(map(has_fast_windows, region.channelwise)):
            return
        grown = added_bytes(region, wanted - channels)
        others = [each for each in region.layers() if each is not op]
        growth = Growth.of(op, grown)
        if not growth.is_allowed(self, op, *others):
            return
        growth.record()
        for layer in region.producers:
            pad_weights(layer, 0, wanted - channels, rewriter)
            layer.set_params(num_output=wanted)
        for layer in filter(has_outputs, region.channelwise):
            pad_weights(layer, 0, wanted - channels, rewriter)
            if isinstance(layer, ConvolutionDepthWiseOp):
                layer.set_params(num_output=wanted, group=wanted)
        for layer in region.consumers:
            pad_weights(layer, 1, wanted - channels, rewriter)
        for value in list(region.values):
            shape = declared_shape(value)
            if shape is not None:
                rewriter.replace_value_with_new_type(value, blob_like(value, (wanted, *shape[1:])))
        for layer in region.layers():
            layer.set_params(shape_hints=())
            rewriter.notify_op_modified(layer)
        note = f"{channels} -> {wanted} channels, {grown:,} bytes more"
        emit_remark(self, op, *others, note=note)
        for layer in region.channelwise:  # may have been slow before the padding
            if isinstance(layer, FusableActivation):
                FuseActivation().match_and_rewrite(layer, rewriter)


def padded_count(channels: int, op: LayerOp) -> int | None:
    """Return the increased number of channels; `None` if it should not change."""
    facts = [processor.padding for processor in processors_for(op, "padding")]
    if not facts or any(channels % fact.least == 0 for fact in facts):
        return None
    numbers = [n for n in facts[0].pack_sizes if all(n in fact.pack_sizes for fact in facts)]
    for size in sorted(numbers, reverse=True):
        wanted = -(-channels // size) * size
        if wanted <= min(fact.most for fact in facts) * channels:
            return wanted
    return None


def has_fast_windows(op: LayerOp) -> bool:
    """Whether a layer is no depthwise convolution, or has windows that become faster with packed
    channels on all target processors."""
    if not isinstance(op, ConvolutionDepthWiseOp):
        return True
    (height, width), strides = kernel_of(op), strides_of(op)
    square = height == width and strides[0] == strides[1]
    return all(
        windows is None or (square and (width, strides[0]) in windows)
        for windows in (processor.padding.windows for processor in processors_for(op, "padding"))
    )


def is_depthwise(op: LayerOp, channels: int) -> bool:
    """Whether a layer is a depthwise convolution of this many channels with float constants."""
    if not isinstance(op, ConvolutionDepthWiseOp) or not has_known_weights(op):
        return False
    return op.group == op.num_output == op.num_input() == channels


def has_known_weights(op: ConvolutionDepthWiseOp | ConvolutionOp | InnerProductOp) -> bool:
    """Whether weights and bias are float constants with known values."""
    weights = (op.weight, op.bias)
    known = [attached_constant(v) for v in weights if v is not None]
    return op.has_float_constants() and all(c is not None and c.has_values() for c in known)


def region_of(op: ConvolutionDepthWiseOp, shapes: Shapes) -> ChannelRegion | None:
    """Return all blobs that share the channels of a depthwise convolution; `None` if one of them
    must not change."""
    region = ChannelRegion(op.num_output)
    pending: list[SSAValue] = [op.input, op.output]
    while pending:
        value = pending.pop()
        if value in region.values:
            continue
        region.values[value] = None
        found = _add_blob(value, region, shapes)
        if found is None or len(region.values) > MAX_BLOBS:
            return None
        pending += found
    return region


def _add_blob(value: SSAValue, region: ChannelRegion, shapes: Shapes) -> list[SSAValue] | None:
    """Add the producer and the users of a blob to the region. Return the blobs that share its
    channels; `None` if one of these layers depends on the number of channels."""
    shape, declared = shapes.of(value), declared_shape(value)
    if shape is None or len(shape) not in (1, 3) or shape[0] != region.channels:
        return None
    if declared is not None and declared[0] != region.channels:
        return None
    producer, found = value.owner, list[SSAValue]()
    if (
        not isinstance(producer, LayerOp)
        or len(producer.results) != 1
        or producer.extra is not None
    ):
        return None
    if is_channelwise(producer, region.channels):
        region.channelwise[producer] = None
        found += producer.data_operands()
    elif isinstance(producer, ConvolutionOp | InnerProductOp) and has_known_weights(producer):
        region.producers[producer] = None
    else:
        return None
    for use in value.uses:
        user = use.operation
        if not isinstance(user, LayerOp) or user.extra is not None:
            return None
        if is_channelwise(user, region.channels):
            found += user.results
        elif use.index == 0 and _takes_channels(user, len(shape), region.channels):
            region.consumers[user] = None
        else:
            return None
    return found


def _takes_channels(user: LayerOp, rank: int, channels: int) -> bool:
    """Whether the weight of a layer has one input per channel of a blob."""
    kind = ConvolutionOp if rank == 3 else InnerProductOp
    return isinstance(user, kind) and has_known_weights(user) and user.num_input() == channels


def is_channelwise(op: LayerOp, channels: int) -> bool:
    """Whether a layer maps each channel separately, and any finite number in an added channel to a
    finite one."""
    match op:
        case ConvolutionDepthWiseOp():
            return is_depthwise(op, channels)
        case PReLUOp():
            return op.num_slope in (1, channels) and _has_values(op.slope)
        case PoolingOp():
            return True
        case BinaryOpOp():
            return BINARY_OPS[op.op_type] in COMBINED and isfinite(op.b)
        case EltwiseOp():
            return all(map(isfinite, op.coeffs))
        case _:
            return isinstance(op, FINITE)


def _has_values(weight: SSAValue) -> bool:
    constant = attached_constant(weight)
    return constant is not None and constant.has_values() and is_float_constant(weight)


def added_bytes(region: ChannelRegion, more: int) -> int:
    """Return the bytes that the added channels add to the weights of a region."""
    places = [
        (layer, 0) for layer in (*region.producers, *region.channelwise) if has_outputs(layer)
    ]
    places += [(layer, 1) for layer in region.consumers]
    return sum(
        more * prod(type_.get_shape()) // type_.get_shape()[axis] * type_.element_type.bitwidth // 8
        for layer, axis in places
        for _, value in _weights_along(layer, axis)
        for type_ in [cast(TensorType[AnyFloat], value.type)]
    )


def has_outputs(op: LayerOp) -> bool:
    """Whether the weights of a layer have one output per channel."""
    if isinstance(op, PReLUOp):
        return op.num_slope > 1
    return isinstance(op, ConvolutionDepthWiseOp | ConvolutionOp | InnerProductOp)


def pad_weights(op: LayerOp, axis: int, more: int, rewriter: PatternRewriter) -> None:
    """Append zeros to a layer's weights along an axis: to all weights if it is the axis of
    outputs."""
    values = dict(_weights_along(op, axis))
    op.set_weights(**{name: _with_zeros(v, axis, more, op, rewriter) for name, v in values.items()})


def _weights_along(op: LayerOp, axis: int) -> Iterator[tuple[str, SSAValue]]:
    for name, value in op.weight_operands().items():
        if value is not None and len(static_shape_of(value) or ()) > axis:
            yield name, value


def _with_zeros(
    value: SSAValue, axis: int, more: int, op: LayerOp, rewriter: PatternRewriter
) -> SSAValue:
    import numpy as np

    constant = attached_constant(value)
    assert constant is not None
    assert isinstance(value.type, TensorType)
    old: Any = constant.read()
    zeros = np.zeros([more if i == axis else n for i, n in enumerate(old.shape)], old.dtype)
    return new_weight(np.concatenate([old, zeros], axis), value, op, rewriter)
