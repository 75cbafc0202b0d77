"""What a layer can be to a rewrite, so that n producers and m followers need n + m facts.

- `LinearProducer`: linear per output channel in a weight and a bias.
- `ChannelAffine`: `y = scale[c] * x + shift[c]`.
- `ActivationHost`: has a place for a fused activation.
- `FusableActivation`: can take that place.
- `Identity`: gives its inputs back unchanged.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import BFloat16Type, Float16Type, Float32Type, TensorType
from xdsl.ir import SSAValue

from .blob import rank_of, static_shape_of
from .checks import check, check_range
from .constant import attached_constant
from .cost import elements, product
from .layer import LayerOp
from .params import enum_param, floats_param

if TYPE_CHECKING:
    from numpy.typing import NDArray


ACTIVATIONS = ("none", "relu", "leakyrelu", "clip", "sigmoid", "mish", "hardswish")
"""The words for `activation_type` 0 to 6 (ncnn's src/layer/fused_activation.h)."""

RELU, LEAKY_RELU, CLIP, SIGMOID, MISH, HARD_SWISH = range(1, 7)

ACTIVATION_FLOPS = (0, 1, 2, 2, 4, 5, 5)
"""Operations an element of each, as of the layers that do the same (see `cost.py`)."""


@dataclass(frozen=True)
class Activation:
    """A fused activation: `activation_type` and `activation_params`."""

    type: int
    params: tuple[float, ...] = ()


class FusableActivation(LayerOp, ABC):
    """An element-wise layer that a host can do on its own output."""

    @abstractmethod
    def fused_activation(self) -> Activation:
        """The activation in the terms of a host."""


class ActivationHost(LayerOp, ABC):
    """A layer that can apply an activation to its output, after weights and bias."""

    activation_type = enum_param(9, ACTIVATIONS)
    """What is applied last."""
    activation_params = floats_param(10)
    """The activation's own parameters: [slope], [min, max] or [alpha, beta]."""

    def verify_layer(self) -> None:
        super().verify_layer()
        check_range(self, 0, HARD_SWISH, "activation_type")
        needed = {LEAKY_RELU: 1, CLIP: 2, HARD_SWISH: 2}.get(self.activation_type, 0)
        found = len(self.activation_params)
        check(self, found >= needed, f"{found} activation_params, the activation has {needed}")

    def activation_flops(self) -> int:
        """Operations of the activation for each element."""
        return ACTIVATION_FLOPS[self.activation_type]


class LinearProducer(ActivationHost, ABC):
    """A layer whose output, before its activation, is linear in a weight and a bias:
    `y[o] = sum(weight[o] * …) + bias[o]` for each index `o` of the output's outermost axis."""

    def linear_weight(self) -> SSAValue:
        """The weight, its outermost axis the output channels."""
        return cast(Any, self).weight

    def linear_bias(self) -> SSAValue | None:
        """The bias, one value an output channel; `None` if there is none."""
        return cast(Any, self).bias

    def set_linear(self, weight: SSAValue, bias: SSAValue | None) -> None:
        """Puts other values in the places of weight and bias."""
        self.set_weights(weight=weight, bias=bias)

    def output_rank(self) -> int | None:
        """How many dims the output has, as far as the layer itself tells."""
        return rank_of(self.results[0])

    def output_channels(self) -> int | None:
        """How many channels the output has along its outermost axis, if it is known that those
        are the output channels of the weight."""
        return None

    def has_float_constants(self) -> bool:
        """Whether weight and bias are constants of this layer alone and hold floats that the
        runtime uses as they are (no int8 scales, no dynamic weight)."""
        if getattr(self, "int8_scale_term", 0):
            return False
        values = [self.linear_weight(), self.linear_bias()]
        return all(is_float_constant(v) for v in values if v is not None)

    def positions(self) -> int | None:
        """How often each element of the weight is multiplied."""
        shape = static_shape_of(self.results[0])
        return None if shape is None else prod(shape[1:])

    def macs(self) -> int | None:
        return product(elements(self.linear_weight()), self.positions())

    def other_flops(self) -> int | None:
        each = int(self.linear_bias() is not None) + self.activation_flops()
        return product(each, elements(self.results[0])) if each else 0


@dataclass(frozen=True)
class Affine:
    """`y = scale[c] * x + shift[c]` in float64, one value a channel."""

    scale: "NDArray[Any]"
    shift: "NDArray[Any]"


class ChannelAffine(LayerOp, ABC):
    """A layer that multiplies and shifts each channel of a blob by constants. The channels are
    the outermost axis: w, h or c of a blob of 1, 2, or 3 and 4 dims."""

    @abstractmethod
    def affine_operand(self) -> SSAValue | None:
        """The blob that is scaled and shifted; `None` if there is no such blob."""

    @abstractmethod
    def affine(self, channels: int, rank: int | None) -> Affine | None:
        """The map for an operand of that many channels and dims (`None`: unknown); `None` if it is
        not known to be per channel there or its values are not constants."""


def is_float_constant(value: SSAValue) -> bool:
    """Whether a value is a weight attached to its layer and holds f32, f16 or bf16."""
    constant = attached_constant(value)
    if constant is None or not isinstance(constant.output.type, TensorType):
        return False
    element: object = constant.output.type.element_type
    return isinstance(element, Float32Type | Float16Type | BFloat16Type)


class Identity(LayerOp, ABC):
    """A layer whose outputs may be nothing but inputs under other names.

    Not xDSL's folder, which would do the same in silence: a rewrite must be able to tell.
    """

    @abstractmethod
    def forwarded(self) -> Sequence[SSAValue] | None:
        """The values that the results are equal to, one each; `None` if they are not."""

    def only_forwards(self) -> bool:
        return self.forwarded() is not None
