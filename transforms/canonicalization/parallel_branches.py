"""Parallel linear branches on one blob whose results are added: one convolution."""

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from xdsl.dialects.builtin import DYNAMIC_INDEX, f32
from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from ...analysis.shapes import shapes_of
from ...dialects.ncnn.convolution import Forward
from ...dialects.ncnn.elementwise import BINARY_OPS, BinaryOpOp, EltwiseOp
from ...dialects.ncnn.interfaces import ChannelAffine, ChannelAxis
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.normalization import read_float64
from ...dialects.ncnn.spatial import axes_of
from ...dialects.shapes.analysis import Shapes
from ...dialects.shapes.windows import NoWindow, Window
from ..rewriting.growth import Growth, NewWeight, constants_freed_by
from ..rewriting.remarks import emit_remark
from .precision import FLOAT16
from .rewriting import all_finite, new_weight, only_producer, stored_as, take_over

if TYPE_CHECKING:
    from numpy.typing import NDArray

Sum: TypeAlias = BinaryOpOp | EltwiseOp


class Branch(NamedTuple):
    """A linear map of a blob."""

    weight: "NDArray[Any]"
    """In float64: outputs x inputs of a group x kernel, or one value per channel
    (`is_diagonal`)."""
    bias: "NDArray[Any]"
    window: Window[int]
    layer: LayerOp | None = None
    """The layer that computes the branch and has no other users; `None` for the blob itself."""
    is_diagonal: bool = False
    """Whether the branch multiplies each channel by one value."""

    def times(self, factor: float) -> "Branch":
        return self._replace(weight=factor * self.weight, bias=factor * self.bias)


class FuseParallelBranches(RewritePattern):
    """Replace the sum of two linear branches on one blob by one convolution. The branches are two
    convolutions, or a convolution and the blob itself or its per-channel scale and shift.
    (Structural reparameterization: Ding et al., RepVGG, CVPR 2021; here for graphs that were
    exported in their training form.)

    Algebra: `f (W * x + b) + g (V * x + c) = (f W + g V) * x + (f b + g c)`, where the taps of V
    are added to the taps of W that read the same elements. The blob itself is a kernel of one tap
    with ones on the diagonal; a BatchNorm has its factors there. f and g are 1, -1 for a BinaryOp
    that subtracts, or the coefficients of an Eltwise.

    Conditions, and why:
    - each summand has this one use, is no output of the model and has no activation: the sum would
      be of another value;
    - the weights are float constants that no other layer uses;
    - strides and groups are equal, and each tap of V coincides with a tap of W: a kernel larger
      than W would need more multiplications;
    - both pad with 0, if they pad: V reads no element outside of the image that W does not read;
    - both results provably have the same shape: BinaryOp would broadcast the smaller one, and taps
      do not determine the last position;
    - if one branch is the blob itself, the convolution has the same number of input and output
      channels and the same number of positions, and the blob provably has the channel axis and the
      axes of the window;
    - all new values are finite, and the runtime represents them as precisely as the old ones
      (`precision`).
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: Sum, rewriter: PatternRewriter) -> None:
        factors = factors_of(op)
        if factors is None:
            return
        shapes = shapes_of(rewriter)
        for i, (value, beside) in enumerate((op.inputs, op.inputs[::-1])):
            layer, other_layer = only_producer(value, op), only_producer(beside, op)
            if not isinstance(layer, Forward) or not reads(layer.input, beside, other_layer):
                continue
            host = convolution_branch(layer) if shapes.same(value, beside) else None
            other = None if host is None else branch_beside(layer, beside, other_layer, shapes)
            if host is None or other is None:
                continue
            host, other = host.times(factors[i]), other.times(factors[1 - i])
            weight, bias = laid_into(host, other), host.bias + other.bias
            if weight is None or not all_finite((weight, bias)):
                continue
            if not FLOAT16.keeps(weight, host.weight):
                continue
            template, new_bias = layer.weight, layer.bias
            if stored_as(template) != f32 and isinstance(other.layer, Forward):
                template = other.layer.weight  # float32, if one of them is
            joined = [each for each in (layer, other.layer, op) if each is not None]
            gone = [value for each in joined for value in constants_freed_by(each)]
            made: list[NewWeight] = [(weight, template)]
            made += [(bias, new_bias)] if new_bias is not None or bias.any() else []
            growth = Growth.of_replacing(layer, gone, made)
            if not growth.is_allowed(self, *joined):
                return
            growth.record()
            if new_bias is not None or bias.any():
                name = (layer.weight.name_hint or "summed").removesuffix("_weight")
                new_bias = new_weight(bias, new_bias, layer, rewriter, f"{name}_bias")
            layer.set_linear(new_weight(weight, template, layer, rewriter), new_bias)
            emit_remark(self, *joined)
            take_over(layer, op, rewriter)
            if other.layer is not None:
                rewriter.erase(other.layer)
            return


def factors_of(op: Sum) -> tuple[float, float] | None:
    """Return the factors of the two operands of a sum; `None` if the layer is no sum of two
    operands."""
    if len(op.inputs) != 2 or op.extra:
        return None
    if isinstance(op, EltwiseOp):
        if op.op_type != 1 or len(op.coeffs) not in (0, 2):
            return None
        first, second = op.coeffs or (1.0, 1.0)
        return first, second
    return {"add": (1.0, 1.0), "sub": (1.0, -1.0), "rsub": (-1.0, 1.0)}.get(BINARY_OPS[op.op_type])


def reads(x: SSAValue, value: SSAValue, layer: LayerOp | None) -> bool:
    """Whether a value is the blob `x`, or the result of a layer on x that may be linear."""
    match layer:
        case Forward():
            source = layer.input
        case ChannelAffine():
            source = layer.affine_operand()
        case _:
            source = None
    return x is value or x is source


def convolution_branch(op: Forward) -> Branch | None:
    """Return a convolution as a branch; `None` if it has an activation or unknown values or
    padding."""
    if op.activation_type or not op.has_float_constants():
        return None
    try:
        window = op.window_on([DYNAMIC_INDEX] * len(axes_of(op)))
    except NoWindow:
        return None
    pads = [n for pair in window.pads for n in pair]
    if any(pads) and op.pad_value != 0:
        return None
    weight = read_float64(op.weight)
    bias = None if op.bias is None else read_float64(op.bias)
    if weight is None or (bias is None and op.bias is not None):
        return None
    import numpy as np

    weight = weight.reshape(op.num_output, -1, *window.kernel)
    return Branch(weight, np.zeros(op.num_output) if bias is None else bias, window, op)


def branch_beside(
    host: Forward, value: SSAValue, layer: LayerOp | None, shapes: Shapes
) -> Branch | None:
    """Return the branch that computes a value from the blob that a convolution reads; else
    `None`."""
    if isinstance(layer, Forward):
        return convolution_branch(layer)
    channels, axes, shape = host.num_output, axes_of(host), shapes.of(host.input)
    if channels != host.num_input() or shape is None or len(shape) != len(axes) + 1:
        return None
    import numpy as np

    scale, shift, producer = np.ones(channels), np.zeros(channels), None
    if value is not host.input:
        axis = ChannelAxis(channels, shape)
        affine = layer.affine(axis) if isinstance(layer, ChannelAffine) else None
        if affine is None:
            return None
        scale, shift, producer = affine.scale, affine.shift, layer
    ones = (1,) * len(axes)
    return Branch(scale, shift, Window(ones, ones, ones, ((0, 0),) * len(axes)), producer, True)


def laid_into(host: Branch, other: Branch) -> "NDArray[Any] | None":
    """Return the weight of `host` plus the weight of `other` at the coinciding taps; `None` if they
    are not compatible."""
    import numpy as np

    mine, its = host.window, other.window
    if mine.strides != its.strides or not (other.is_diagonal or mine.groups == its.groups):
        return None
    places: list[list[int]] = []
    for axis, taps in enumerate(its.kernel):
        start, step = mine.pads[axis][0] - its.pads[axis][0], mine.dilations[axis]
        offsets = [start + its.dilations[axis] * tap for tap in range(taps)]
        found = [offset // step for offset in offsets]
        if any(offset % step for offset in offsets):
            return None
        if min(found) < 0 or max(found) >= mine.kernel[axis]:
            return None
        places.append(found)
    weight = host.weight.copy()
    if not other.is_diagonal:
        weight[(slice(None), slice(None), *np.ix_(*places))] += other.weight
        return weight
    channel = np.arange(len(weight))
    weight[(channel, channel % weight.shape[1], *(place for (place,) in places))] += other.weight
    return weight
