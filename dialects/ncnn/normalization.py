"""Layers that scale and shift channels by constants, and layers that normalize."""

from abc import ABC
from collections.abc import Sequence
from math import prod
from typing import Any, ClassVar

from xdsl.ir import SSAValue

from ..shapes.analysis import Shapes
from ..shapes.terms import Extents
from .blob import element_count
from .checks import check
from .constant import attached_constant
from .cost import Memory, elements, product
from .extents import along_outermost, differ
from .formulas import Term
from .interfaces import Affine, ChannelAffine, ChannelAxis, HasFormula, is_float_constant
from .layer import KeepsElements, SameShapeLayer, UnaryLayer, layer
from .params import derived_param, enum_param, float_param, int_param
from .weight_specs import Pattern, optional_weight, weight, weight_flag, weight_size


def read_float64(value: SSAValue) -> Any:
    """Return the values of a float weight attached to its layer as float64; `None` for other
    values."""
    constant = attached_constant(value)
    if constant is None or not is_float_constant(value) or not constant.has_values():
        return None
    return constant.read().astype("f8")


@layer
class BatchNormOp(HasFormula, ChannelAffine, SameShapeLayer):
    """Batch normalization at inference: `y = (x - mean) / sqrt(var + eps) * slope + bias` per
    channel of the outermost axis."""

    FLOPS_PER_ELEMENT: ClassVar[int] = 2
    """The runtime combines the four weights into two on loading."""

    slope = weight(lambda p: (p.channels,))
    mean = weight(lambda p: (p.channels,))
    var = weight(lambda p: (p.channels,), positive=True)
    bias = weight(lambda p: (p.channels,))
    channels = weight_size(0, "slope")
    eps = float_param(1)
    """The term added to the variance."""

    def affine_operand(self) -> SSAValue | None:
        return self.input

    def affine_channels(self, shapes: Shapes) -> int | None:
        return self.channels

    def expected_input_shapes(self) -> Sequence[Pattern]:
        return along_outermost(self.channels)

    def affine(self, axis: ChannelAxis) -> Affine | None:
        import numpy as np

        if not axis.is_outermost() or self.channels != axis.channels:
            return None
        values = [read_float64(v) for v in (self.slope, self.mean, self.var, self.bias)]
        if any(v is None for v in values):
            return None
        slope, mean, var, bias = values
        with np.errstate(invalid="ignore"):  # NaN for a negative variance, which no pass uses
            root = np.sqrt(var + self.eps)
        root[root == 0] = 0.0001  # as in ncnn
        scale = slope / root
        return Affine(scale, bias - mean * scale)

    def formula(self, x: Term, scale: Term, shift: Term) -> Term:
        """Return the formula on the scale and shift that the runtime derives from the four weights
        (see `affine`)."""
        return x * scale + shift


@layer
class ScaleOp(HasFormula, ChannelAffine, SameShapeLayer):
    """Scale and shift: `y = x * scale + bias` per channel of the outermost axis.

    Shapes: any of 1 to 4 dims -> the same. If the scale is a blob of the graph, there is no bias.
    """

    scale = weight(lambda p: (p.scale_data_size,))
    bias = optional_weight(lambda p: (p.scale_data_size,), when=lambda p: p.bias_term)

    @derived_param(0)
    def scale_data_size(self) -> int:
        """The number of channels; -233 if the scale is a blob."""
        return -233 if self.weights_are_dynamic() else element_count(self.scale)

    bias_term = weight_flag(1, "bias")

    @classmethod
    def dynamic_by(cls, params: Any) -> bool:
        return params.scale_data_size == -233

    def weights_are_dynamic(self) -> bool:
        return attached_constant(self.scale) is None

    def verify_layer(self) -> None:
        no_bias = self.bias is None or not self.weights_are_dynamic()
        check(self, no_bias, "a scale blob excludes a bias")

    def affine_operand(self) -> SSAValue | None:
        return None if self.weights_are_dynamic() else self.input

    def affine_channels(self, shapes: Shapes) -> int | None:
        return self.scale_data_size

    def expected_input_shapes(self) -> Sequence[Pattern]:
        return () if self.weights_are_dynamic() else along_outermost(self.scale_data_size)

    def affine(self, axis: ChannelAxis) -> Affine | None:
        if not axis.is_outermost() or self.scale_data_size != axis.channels:
            return None
        scale = read_float64(self.scale)
        shift = 0.0 if self.bias is None else read_float64(self.bias)
        return None if scale is None or shift is None else Affine.spread(axis, scale, shift)

    def other_flops(self) -> int | None:
        return product(1 if self.bias is None else 2, elements(self.output))

    def formula(self, x: Term, scale: Term, bias: Term | None = None) -> Term:
        return x * scale if bias is None else x * scale + bias


@layer
class BiasOp(HasFormula, ChannelAffine, SameShapeLayer):
    """Shift: `y = x + bias` per channel of a 3-D or 4-D blob. In 1-D and 2-D blobs the first bias
    is added to all elements."""

    FLOPS_PER_ELEMENT: ClassVar[int] = 1

    bias = weight(lambda p: (p.bias_data_size,))
    bias_data_size = weight_size(0, "bias")

    def affine_operand(self) -> SSAValue | None:
        return self.input

    def affine_channels(self, shapes: Shapes) -> int | None:
        rank = shapes.rank(self.input)
        return None if rank is not None and rank <= 2 else self.bias_data_size

    def affine(self, axis: ChannelAxis) -> Affine | None:
        shift = read_float64(self.bias)
        if shift is None or axis.shape is None:
            return None
        if len(axis.shape) <= 2:
            shift = shift[0]
        elif not axis.is_outermost() or shift.size != axis.channels:
            return None
        return Affine.spread(axis, 1.0, shift)

    def formula(self, x: Term, bias: Term) -> Term:
        return x + bias


class NormalizesSlices(SameShapeLayer, ABC):
    """A layer that normalizes slices.

    Shapes: any of 1 to 4 dims -> the same; a slice is the innermost axis (w), or the two innermost
    (h x w) if affine_size is their product.
    """

    affine_size = int_param(0)
    """The number of elements per slice."""
    eps = float_param(1, default=0.001)
    """The term added to the variance or the mean square."""

    gamma = optional_weight(lambda p: (p.affine_size,), when=lambda p: p.affine)
    affine = weight_flag(2, "gamma", default=1)

    def expected_input_shapes(self) -> Sequence[Pattern]:
        n = self.affine_size
        patterns: list[Pattern] = [(None, n), (n,), (None, None, n), (None, None, None, n)]
        # Without weights, 1-D and 2-D slices have the blob's extents.
        return patterns if self.affine else [(None, None), (None,), *patterns[2:]]

    def contract_violation(self, shapes: Sequence[Extents | None]) -> str | None:
        # 3-D blobs also h x w, 4-D blobs also d x h x w.
        shape = shapes[0] or ()
        larger = (prod(shape[first:]) for first in range(1, len(shape) - 1))
        other = all(differ(n, self.affine_size) for n in larger)
        return super().contract_violation(shapes) if other else None


@layer
class LayerNormOp(NormalizesSlices):
    """Normalizes each slice of `affine_size` elements to mean 0 and variance 1:
    `y = (x - mean) / sqrt(var + eps) * gamma + beta`."""

    beta = optional_weight(lambda p: (p.affine_size,), when=lambda p: p.affine)

    def other_flops(self) -> int | None:
        return product(8 if self.affine else 6, elements(self.output))


@layer
class RMSNormOp(NormalizesSlices):
    """Divides each slice of `affine_size` elements by its root mean square:
    `y = x / sqrt(mean(x * x) + eps) * gamma`."""

    def other_flops(self) -> int | None:
        return product(4 if self.affine else 3, elements(self.output))


@layer
class GroupNormOp(SameShapeLayer):
    """Normalizes each group of channels to mean 0 and variance 1:
    `y = (x - mean) / sqrt(var + eps) * gamma[c] + beta[c]`.

    Shapes: any of 1 to 4 dims -> the same; channels are the outermost axis.
    """

    group = int_param(0, default=1)
    """The number of groups."""
    channels = int_param(1)
    """The number of channels."""
    eps = float_param(2, default=0.001)
    """The term added to the variance."""

    gamma = optional_weight(lambda p: (p.channels,), when=lambda p: p.affine)
    beta = optional_weight(lambda p: (p.channels,), when=lambda p: p.affine)
    affine = weight_flag(3, "gamma", default=1)

    def verify_layer(self) -> None:
        groups, channels = self.group, self.channels
        divides = groups > 0 and channels >= 0 and channels % groups == 0
        check(self, divides, f"{groups} groups do not divide {channels} channels")

    def expected_input_shapes(self) -> Sequence[Pattern]:
        return along_outermost(self.channels) if self.affine else ()

    def other_flops(self) -> int | None:
        return product(8 if self.affine else 6, elements(self.output))


@layer
class InstanceNormOp(SameShapeLayer):
    """Normalizes each channel to mean 0 and variance 1:
    `y = (x - mean) / sqrt(var + eps) * gamma[c] + beta[c]`.

    Shapes: `c x h x w` or `c x d x h x w` -> the same.
    """

    channels = int_param(0)
    """The number of channels."""
    eps = float_param(1, default=0.001)
    """The term added to the variance."""

    gamma = optional_weight(lambda p: (p.channels,), when=lambda p: p.affine)
    beta = optional_weight(lambda p: (p.channels,), when=lambda p: p.affine)
    affine = weight_flag(2, "gamma", default=1)

    def expected_input_shapes(self) -> Sequence[Pattern]:
        return along_outermost(self.channels, 3, 4) if self.affine else ()

    def other_flops(self) -> int | None:
        return product(8 if self.affine else 6, elements(self.output))


@layer
class MVNOp(KeepsElements, UnaryLayer):
    """Subtracts the mean; divides by the standard deviation if `normalize_variance` is set: `y = (x
    - mean) / (sqrt(var) + eps)`.

    Shapes: `c x h x w` or `c x d x h x w` -> the same; `w` or `h x w`, treated as one channel -> 3
    dims.
    """

    MEMORY: ClassVar[Memory] = Memory.OWN

    normalize_variance = int_param(0)
    """Whether to divide by the standard deviation."""
    across_channels = int_param(1)
    """Whether statistics cover the whole blob instead of each channel."""
    eps = float_param(2, default=0.0001)
    """The term added to the standard deviation."""

    def infer_shapes(self, shapes: Sequence[Extents | None]) -> Sequence[Extents | None] | None:
        shape = shapes[0]
        return None if shape is None else [(*(1,) * (3 - len(shape)), *shape)]

    def other_flops(self) -> int | None:
        return product(6 if self.normalize_variance else 2, elements(self.output))


@layer
class NormalizeOp(SameShapeLayer):
    """Divides by the L2 norm, then scales: `y = x / norm(x) * scale`.

    Shapes: `c x h x w` or `c x d x h x w` -> the same.
    Parameters: eps_mode (0 caffe: sqrt(s + eps), 1 pytorch: max(sqrt(s), eps), 2 tensorflow:
    sqrt(max(s, eps))).
    """

    FLOPS_PER_ELEMENT: ClassVar[int] = 4

    across_spatial = int_param(0)
    """Whether the norm covers all positions."""
    across_channel = int_param(4, default=1)
    """Whether the norm covers all channels."""
    channel_shared = int_param(1)
    """Whether all channels have the same scale."""
    eps = float_param(2, default=0.0001)
    """The term that keeps the norm positive; see eps_mode."""
    eps_mode = int_param(9)
    """The use of eps."""

    scale = weight(lambda p: (p.scale_data_size,))
    scale_data_size = weight_size(3, "scale")


@layer
class LRNOp(SameShapeLayer):
    """Local response normalization: `y = x * (bias + alpha * sum(x * x) / n) ^ -beta`, the sum
    over n = local_size channels, or over local_size² positions.

    Shapes: `c x h x w` -> the same.
    """

    region_type = enum_param(0, ("across_channels", "within_channel"), within=(0, 1))
    """The axes along which the window slides."""
    local_size = int_param(1, default=5)
    """The window's extent."""
    alpha = float_param(2, default=1.0)
    beta = float_param(3, default=0.75)
    bias = float_param(4, default=1.0)

    def other_flops(self) -> int | None:
        window = self.local_size if self.region_type == 0 else self.local_size**2
        return product(window + 5, elements(self.output))
