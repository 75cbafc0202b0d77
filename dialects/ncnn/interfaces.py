"""What a layer can be to a rewrite, so that n producers and m followers need n + m facts.

- `LinearProducer`: linear per output channel in a weight and a bias, and in a blob.
- `ChannelAffine`: `y = scale[c] * x + shift[c]`.
- `ElementWise`: a function of single elements.
- `ActivationHost`: has a place for a fused activation.
- `FusableActivation`: can take that place.
- `Identity`: gives its inputs back unchanged; `Forwarding`: and the runtime knows it.
- `Reshaping`: keeps the elements in their order, and changes only the shape.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from xdsl.dialects.builtin import BFloat16Type, Float16Type, Float32Type, TensorType
from xdsl.ir import SSAValue

from ..shapes.analysis import Shapes
from ..shapes.terms import UNKNOWN, Extent, Extents
from .blob import static_shape_of
from .checks import check, check_range
from .constant import attached_constant
from .cost import elements, product
from .formulas import (
    Term,
    clamped,
    hard_swish,
    mish,
    rectified,
    sigmoid,
)
from .layer import KeepsElements, LayerOp
from .params import Value, enum_param, floats_param

if TYPE_CHECKING:
    from numpy.typing import NDArray


ACTIVATIONS = ("none", "relu", "leakyrelu", "clip", "sigmoid", "mish", "hardswish")
"""The words for `activation_type` 0 to 6 (ncnn's src/layer/fused_activation.h)."""

RELU, LEAKY_RELU, CLIP, SIGMOID, MISH, HARD_SWISH = range(1, 7)

ACTIVATION_FLOPS = (0, 1, 2, 2, 4, 5, 5)
"""Operations an element of each, as of the layers that do the same (see `cost.py`)."""


class Activation(NamedTuple):
    """A fused activation: `activation_type` and `activation_params`."""

    type: int
    params: tuple[float, ...] = ()

    def formula(self, x: Term) -> Term:
        """What it computes of an element. Raises `NoFormula`."""
        match self.type:
            case 0:
                return x
            case t if t == RELU:
                return rectified(x, 0.0)
            case t if t == LEAKY_RELU:
                return rectified(x, self.params[0])
            case t if t == CLIP:
                return clamped(x, *self.params[:2])
            case t if t == SIGMOID:
                return sigmoid(x)
            case t if t == MISH:
                return mish(x)
            case _:
                return hard_swish(x, *self.params[:2])


class HasFormula(LayerOp, ABC):
    """A layer that computes each element of its output from those of its operands at the same
    place, as they broadcast."""

    ANY_ELEMENTS: ClassVar[bool] = False
    """Whether the formula says itself what becomes of elements that are no float32."""

    @abstractmethod
    def formula(self, *elements: Any, **_: Any) -> Term:
        """What it computes of an element of each operand: of its input blobs, and of the weights
        that it has. Raises `NoFormula` where no formula says that.

        `self` may be something that has `Symbol`s for some parameters: the formula of any layer of
        this type. Source: the layer's own C++ code, as for the parameters."""


class ElementWise(HasFormula, ABC):
    """A layer that computes each element of its output from that of its one input at the same
    place, wherever that is."""

    def is_elementwise(self) -> bool:
        """Whether it does, with the parameters that it has."""
        return True


class FusableActivation(ElementWise, ABC):
    """An element-wise layer that a host can do on its own output."""

    @abstractmethod
    def fused_activation(self) -> Activation | None:
        """The activation in the terms of a host; `None` if the layer is none with its
        parameters."""


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

    def activated(self, x: Term) -> Term:
        """What the activation makes of an element. Raises `NoFormula`."""
        return Activation(self.activation_type, self.activation_params).formula(x)

    def activation_flops(self) -> int:
        """Operations of the activation for each element."""
        return ACTIVATION_FLOPS[self.activation_type]


class ChannelAxis:
    """The axis of a blob along which channels lie: the outermost one (w, h or c of a blob of 1, 2,
    or 3 and 4 dims), or the innermost one, w."""

    def __init__(
        self,
        channels: int,
        shape: Extents | Callable[[], Extents | None] | None,
        innermost: bool = False,
    ) -> None:
        """With the blob's shape, or with what finds it: few ask for more than the axis."""
        self.channels = channels
        self.innermost = innermost
        self._shape = shape

    @property
    def shape(self) -> Extents | None:
        """What is certain of the blob's extents; `None` if not even their number is."""
        if callable(self._shape):
            self._shape = self._shape()
        return self._shape

    def extent(self) -> Extent:
        """The extent of the blob along the axis."""
        return UNKNOWN if self.shape is None else self.shape[-1 if self.innermost else 0]

    def is_outermost(self) -> bool:
        """Whether this is certainly the outermost axis; in a 1-D blob both are one."""
        return not self.innermost or (self.shape is not None and len(self.shape) == 1)


class Affine(NamedTuple):
    """`y = scale[c] * x + shift[c]` in float64, one value a channel."""

    scale: "NDArray[Any]"
    shift: "NDArray[Any]"

    @staticmethod
    def spread(axis: ChannelAxis, scale: Any, shift: Any) -> "Affine":
        """Of one value for all channels or one for each. However many channels the types say that
        there are, one value takes no memory."""
        import numpy as np

        count = (axis.channels,)
        return Affine(
            np.broadcast_to(np.asarray(scale, "f8"), count),
            np.broadcast_to(np.asarray(shift, "f8"), count),
        )


class LinearMap(NamedTuple):
    """What a layer computes for each output channel before its activation:
    `y = gain * sum(weight * x) + bias_gain * bias`, sums over inputs and window."""

    weight: SSAValue
    """Float constants of this layer alone, output and input channels along an axis each."""
    bias: SSAValue | None
    """One float constant for all channels or for each; `None` for 0."""
    bias_shape: tuple[int, ...]
    """The shape in which the layer takes a bias with a value for each channel."""
    output: ChannelAxis
    """Where the output has its channels."""
    output_axis: int = 0
    """Of the weight."""
    input_axis: int = 1
    """Of the weight; it counts the inputs of one group."""
    groups: int = 1
    """Groups of channels apart; those of the output follow each other along their axis."""
    gain: float = 1.0
    bias_gain: float = 1.0


class LinearProducer(LayerOp, ABC):
    """A layer whose output, before its activation, is linear in constant weights, a bias and one
    blob."""

    @abstractmethod
    def linear_map(self, shapes: Shapes) -> LinearMap | None:
        """The weights and what they mean; `None` unless they are constants of this layer alone and
        hold floats that the runtime uses as they are (no int8 scales, no dynamic weight)."""

    def set_linear(self, weight: SSAValue, bias: SSAValue | None) -> None:
        """Puts other values in the places of weight and bias."""
        self.set_weights(weight=weight, bias=bias)

    def linear_operand(self) -> SSAValue:
        """The blob in which the layer is linear."""
        return self.data_operands()[0]

    @abstractmethod
    def linear_input(self, shapes: Shapes) -> ChannelAxis:
        """Where that blob has its channels. A weight may have several inputs for each, one after
        the other."""

    def border_for(self, affine: Affine) -> Mapping[str, Value] | None:
        """Parameters with which the layer takes around a blob x what it took around the blob
        `scale * x + shift` before; `None` if none do that."""
        return {}


class LinearLayer(LinearProducer, ActivationHost, ABC):
    """A linear layer with the weights `weight`, `num_output x inputs a group x …`, and `bias`, and
    with a place for an activation."""

    if TYPE_CHECKING:
        num_output: int
        weight: SSAValue
        bias: SSAValue | None

    @abstractmethod
    def linear_output(self, shapes: Shapes) -> ChannelAxis:
        """Where the output has the channels of the weight's outermost axis."""

    @abstractmethod
    def num_input(self) -> int:
        """Input channels or features, as the weight says."""

    def group_count(self) -> int:
        """Into how many groups channels are divided."""
        return 1

    def int8_term(self) -> int:
        """0: float; otherwise int8 inference, over 100 with int8 output."""
        return 0

    def has_float_constants(self) -> bool:
        """Whether weight and bias are constants of this layer alone and hold floats that the
        runtime uses as they are (no int8 scales, no dynamic weight)."""
        if self.int8_term():
            return False
        return all(is_float_constant(v) for v in (self.weight, self.bias) if v is not None)

    def linear_map(self, shapes: Shapes) -> LinearMap | None:
        if not self.has_float_constants():
            return None
        output, groups = self.linear_output(shapes), self.group_count()
        return LinearMap(self.weight, self.bias, (output.channels,), output, groups=groups)

    def positions(self) -> int | None:
        """How often each element of the weight is multiplied."""
        shape = static_shape_of(self.results[0])
        return None if shape is None else prod(shape[1:])

    def macs(self) -> int | None:
        return product(elements(self.weight), self.positions())

    def other_flops(self) -> int | None:
        each = int(self.bias is not None) + self.activation_flops()
        return product(each, elements(self.results[0])) if each else 0


class ChannelAffine(LayerOp, ABC):
    """A layer that multiplies and shifts each channel of a blob by constants."""

    @abstractmethod
    def affine_operand(self) -> SSAValue | None:
        """The blob that is scaled and shifted; `None` if there is no such blob."""

    @abstractmethod
    def affine(self, axis: ChannelAxis) -> Affine | None:
        """The map, if it is known to be one a channel along this axis of a blob that certainly has
        so many channels there, the same along all others, and to leave the blob's shape as it is;
        else, and where its values are no constants, `None`."""

    def affine_channels(self, shapes: Shapes) -> int | None:
        """How many channels the layer has values for; `None` if it has one for all."""
        return None


def is_float_constant(value: SSAValue) -> bool:
    """Whether a value is a weight attached to its layer and holds f32, f16 or bf16."""
    constant = attached_constant(value)
    if constant is None or not isinstance(constant.output.type, TensorType):
        return False
    element: object = constant.output.type.element_type
    return isinstance(element, Float32Type | Float16Type | BFloat16Type)


class Identity(LayerOp, ABC):
    """A layer whose outputs may be nothing but blobs that are there already.

    Not xDSL's folder, which would do the same in silence: a rewrite must be able to tell.
    """

    @abstractmethod
    def forwarded(self, shapes: Shapes) -> Sequence[SSAValue] | None:
        """The values that the results are equal to, one each; `None` if that is not certain."""


class Forwarding(Identity, ABC):
    """A layer that, where it is an identity, costs nothing."""

    def only_forwards(self) -> bool:
        return self.forwarded(Shapes()) is not None


class Reshaping(Identity, KeepsElements, ABC):
    """A layer whose one output has the elements of its first input in the same row-major order.

    A Reshape to a shape of another number of elements is an error of the model. (The runtime finds
    most of them.)
    """

    def keeps_order(self, shapes: Shapes) -> bool:
        """Whether the elements certainly stay in their order."""
        return True

    def says_all(self) -> bool:
        """Whether the output's extents do not depend on those of the input, but for the number of
        elements."""
        return False

    def forwarded(self, shapes: Shapes) -> Sequence[SSAValue] | None:
        x, y = self.operands[0], self.results[0]
        return (x,) if shapes.same(x, y) and self.keeps_order(shapes) else None
