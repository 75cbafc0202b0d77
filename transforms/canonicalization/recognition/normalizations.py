"""Recognition of normalizations."""

from math import inf, prod
from typing import ClassVar

from ....dialects.ncnn.formulas import Term, exp, maximum, sqrt
from ....dialects.ncnn.normalization import (
    GroupNormOp,
    InstanceNormOp,
    LayerNormOp,
    NormalizeOp,
    RMSNormOp,
)
from ....dialects.ncnn.reduction import SoftmaxOp
from ....dialects.shapes.analysis import declared_shape, numbers
from ...rewriting.running_passes import is_enabled
from .algebra import AnyBlob, AnyNumber, largest, mean, total
from .matching import Match
from .recognizer import NewLayer, Recognizer, layer

x, eps = AnyBlob("x"), AnyNumber("eps")
centered = x - mean(x)


class FormNorm(Recognizer):
    """Recognize a LayerNorm, InstanceNorm or GroupNorm without weights: a blob minus its mean,
    divided by its standard deviation. The axes of the means determine the type.

    Algebra: `(x - mean(x)) / sqrt(mean((x - mean(x))^2) + eps)`.

    Conditions, and why:
    - all occurrences of x are the same blob, and mean, difference, variance and root have no users
      outside and are no outputs: another user would need them;
    - the exponent is 2 up to a relative difference of 2e-6, and eps is any number;
    - all layers have the same feature mask and no unknown parameters, and the release that the
      module is made for has the new layer;
    - all means have the same axes, and the runtime broadcasts them back along these axes: with
      `keepdims`, or without it if the axes are the innermost ones;
    - the axes are a slice of LayerNorm, or all but the channels, or all;
    - the parameters of the layer are statically known: see `slice_size`.

    The runtime also computes the mean first and then the deviation, so the error has the same
    order, a rounding of the mean. For packed rows the layer sums each row in one accumulator
    (`src/layer/x86/layernorm_x86.cpp`), which increases the error up to 9 times.
    """

    SPELLINGS: ClassVar[tuple[Term, ...]] = (centered / sqrt(mean(centered**2.0) + eps),)

    def layer(self, found: Match) -> NewLayer | None:
        of, number = found.blobs["x"], found.scalars["eps"]
        shape, axes = found.shapes.of(of), found.axes or frozenset()
        if shape is None or axes != innermost(len(axes), len(shape)):
            return None
        size, channels, new = slice_size(found), shape[0], None
        if len(axes) == len(shape) > 1:
            if isinstance(channels, int):
                new = layer(GroupNormOp, of, group=1, channels=channels, eps=number)
        elif len(axes) + 1 == len(shape) > 2:
            # Without weights the runtime ignores the parameter.
            declared = max((declared_shape(of) or (0,))[0], 0)
            new = layer(InstanceNormOp, of, channels=declared, eps=number)
        elif size is not None:
            new = layer(LayerNormOp, of, affine_size=size, eps=number)
        if new is None or not is_enabled(self, *found.layers, new=new.type):
            return None
        return new


class FormRMSNorm(Recognizer):
    """Recognize an RMSNorm without a weight: a blob divided by its root mean square.

    Algebra: `x / sqrt(mean(x^2) + eps)`, or without eps (since `+ 0` is removed). Nothing is
    subtracted, so the division does not amplify a rounding error.

    Conditions, and why:
    - all occurrences of x are the same blob, and mean and root have no users outside and are no
      outputs: another user would need them;
    - the mean is over a slice of RMSNorm, whose extents are known where there are 3 or 4 dims (see
      `slice_size`), and the runtime broadcasts it back along these axes;
    - the exponent is 2, up to a relative difference of 2e-6;
    - all layers have the same feature mask and no unknown parameters, and the release that the
      module is made for has the new layer.
    """

    SPELLINGS: ClassVar[tuple[Term, ...]] = (
        x / sqrt(mean(x**2.0) + eps),
        x / sqrt(mean(x**2.0)),
    )

    def layer(self, found: Match) -> NewLayer | None:
        size = slice_size(found)
        if size is None:
            return None
        number = found.scalars.get("eps", 0.0)
        return layer(RMSNormOp, found.blobs["x"], affine_size=size, eps=number)


def innermost(count: int, rank: int) -> frozenset[int]:
    """Return the innermost axes of a blob of this rank."""
    return frozenset(range(rank - count, rank))


def slice_size(found: Match) -> int | None:
    """Return the `affine_size` of a LayerNorm or RMSNorm whose slices are the axes of a match;
    `None` if the axes are no slice, or the extents are unknown.

    In a blob of 1 or 2 dims the runtime's slice is w, whatever the parameter is. In 3 or 4 dims the
    parameter determines the axes, so the extents must be known.
    """
    of, axes = found.blobs["x"], found.axes or frozenset()
    shape = found.shapes.of(of)
    if shape is None or axes != innermost(len(axes), len(shape)):
        return None
    if len(shape) <= 2:
        shape = declared_shape(of) or shape
    if len(axes) != 1 and not 1 < len(axes) < len(shape):
        return None
    extents = numbers(shape[-len(axes) :]) if axes else (0,)
    return prod(extents) if min(extents) > 0 else None


class FormSoftmax(Recognizer):
    """Recognize a Softmax: exponentials divided by their sum.

    Algebra: `exp(x) / sum(exp(x))`. x may be reduced by its maximum, which only prevents overflow.

    Conditions, and why:
    - sum and maximum have one axis, the same: a Softmax has one;
    - the exponentials in numerator and denominator are of the same x, and have no users outside:
      another user would need them;
    - all layers have the same feature mask and no unknown parameters, and the release that the
      module is made for has the new layer;
    - x and the result have the same shape where it is known: the new layer does not broadcast.
    """

    SHIFTED: ClassVar[Term] = exp(x - largest(x))
    SPELLINGS: ClassVar[tuple[Term, ...]] = (
        exp(x) / total(exp(x)),
        SHIFTED / total(SHIFTED),
    )

    def layer(self, found: Match) -> NewLayer | None:
        if found.axes is None or len(found.axes) != 1:
            return None
        (axis,) = found.axes
        return layer(SoftmaxOp, found.blobs["x"], axis=axis, fixbug0=1)


class FormNormalize(Recognizer):
    """Recognize a Normalize: a blob divided by its L2 norm.

    Algebra: with `s = sum(x^2)`, `x / sqrt(s + eps)`, `x / max(sqrt(s), eps)` or `x / sqrt(max(s,
    eps))`: the three ways in Normalize to avoid a norm of 0.

    Conditions, and why:
    - all occurrences of x are the same blob, and sum and root have no users outside and are no
      outputs: another user would need them;
    - all layers have the same feature mask and no unknown parameters, and the release that the
      module is made for has the new layer;
    - the sum is over all channels of a position, all positions of a channel, or both, of a blob of
      3 or 4 dims, or over a whole vector: Normalize supports nothing else.
    """

    SQUARES: ClassVar[Term] = total(x**2.0)
    SPELLINGS: ClassVar[tuple[Term, ...]] = (
        x / sqrt(SQUARES + eps),
        x / maximum(sqrt(SQUARES), eps),
        x / sqrt(maximum(SQUARES, eps)),
    )
    """In the order of Normalize's `eps_mode`."""

    def layer(self, found: Match) -> NewLayer | None:
        import numpy as np

        shape, axes = found.shapes.of(found.blobs["x"]), found.axes
        if shape is None or axes is None or len(shape) == 2:
            return None
        channels, positions = innermost(1, 1), innermost(len(shape) - 1, len(shape))
        if axes not in (channels, positions, channels | positions):
            return None
        if not 0 < found.scalars["eps"] < inf:
            return None
        params: dict[str, int | float] = {
            "across_spatial": int(axes >= positions),
            "across_channel": int(axes >= channels),
            "channel_shared": 1,
            "eps": found.scalars["eps"],
            "eps_mode": found.spelling,
        }
        weights = {"scale": np.ones(1, "f4")}
        return NewLayer(NormalizeOp, found.blobs["x"], params, weights)
