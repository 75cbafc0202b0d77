"""Interfaces of layers for rewrites. With them, n producers and m followers need n + m facts.

- `LinearProducer`: linear per output channel in a weight and a bias, and in a blob.
- `ChannelAffine`: `y = scale[c] * x + shift[c]`.
- `ElementWise`: a function of single elements.
- `ActivationHost`: can apply a fused activation.
- `FusableActivation`: can become a fused activation.
- `Identity`: returns its inputs unchanged; `Forwarding`: and the runtime does not copy them.
- `Reshaping`: keeps the elements and their order, and changes only the shape.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from xdsl.dialects.builtin import BFloat16Type, Float16Type, Float32Type, TensorType
from xdsl.ir import SSAValue

from ..shapes.analysis import Shapes
from ..shapes.terms import UNKNOWN, Extent, Extents
from .blob import rank_of, static_shape_of
from .checks import check
from .constant import attached_constant
from .cost import elements, product
from .formulas import Term, clamped, hard_swish, mish, rectified, sigmoid
from .layer import KeepsElements, LayerOp
from .params import Value, enum_param, floats_param

if TYPE_CHECKING:
    from numpy.typing import NDArray


ACTIVATIONS = ("none", "relu", "leakyrelu", "clip", "sigmoid", "mish", "hardswish")
"""The keywords for `activation_type` 0 to 6 (ncnn's src/layer/fused_activation.h)."""

RELU, LEAKY_RELU, CLIP, SIGMOID, MISH, HARD_SWISH = range(1, 7)

ACTIVATION_FLOPS = (0, 1, 2, 2, 4, 5, 5)
"""Operations per element of each, equal to the FLOPs of the equivalent layers (see `cost.py`)."""


class Activation(NamedTuple):
    """A fused activation: `activation_type` and `activation_params`."""

    type: int
    params: tuple[float, ...] = ()

    def formula(self, x: Term) -> Term:
        """Return the activation of an element as a term. Raises `NoFormula`."""
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
    """A layer that computes each output element from the operands' elements at the same position,
    after broadcasting."""

    ANY_ELEMENTS: ClassVar[bool] = False
    """Whether the formula handles elements that are not float32."""

    @abstractmethod
    def formula(self, *elements: Any, **_: Any) -> Term:
        """Return an output element as a term of the operands' elements: input blobs, then present
        weights. Raises `NoFormula` if no formula exists.

        `self` may have `Symbol`s as parameters; the formula then holds for any layer of the type.
        Source: the layer's C++ code, as for the parameters.
        """


class ElementWise(HasFormula, ABC):
    """A layer that computes each output element from the input's element at the same position,
    independently of the position."""

    def is_elementwise(self) -> bool:
        """Whether the layer is element-wise with its present parameters."""
        return True


class FusableActivation(ElementWise, ABC):
    """An element-wise layer that a host can apply to its own output."""

    @abstractmethod
    def fused_activation(self) -> Activation | None:
        """Return the equivalent activation of a host; `None` if there is none for these
        parameters."""


class ActivationHost(LayerOp, ABC):
    """A layer that can apply an activation to its output, after weights and bias."""

    activation_type = enum_param(9, ACTIVATIONS, within=(0, HARD_SWISH))
    """The activation, applied last."""
    activation_params = floats_param(10)
    """The activation's parameters: [slope], [min, max] or [alpha, beta]."""

    def verify_layer(self) -> None:
        super().verify_layer()
        needed = {LEAKY_RELU: 1, CLIP: 2, HARD_SWISH: 2}.get(self.activation_type, 0)
        found = len(self.activation_params)
        check(
            self, found >= needed, f"{found} activation_params, but the activation needs {needed}"
        )

    def activated(self, x: Term) -> Term:
        """Return the activated element as a term. Raises `NoFormula`."""
        return Activation(self.activation_type, self.activation_params).formula(x)


class ChannelAxis:
    """The channel axis of a blob: the outermost one (w, h or c, by rank), or the innermost one,
    w."""

    def __init__(
        self,
        channels: int,
        shape: Extents | Callable[[], Extents | None] | None,
        innermost: bool = False,
    ) -> None:
        """`shape`: the blob's shape, or a function that computes it on demand."""
        self.channels = channels
        self.innermost = innermost
        self._shape = shape

    @property
    def shape(self) -> Extents | None:
        """The certain extents of the blob; `None` if its rank is not certain."""
        if callable(self._shape):
            self._shape = self._shape()
        return self._shape

    def extent(self) -> Extent:
        """The extent of the blob along the axis."""
        return UNKNOWN if self.shape is None else self.shape[-1 if self.innermost else 0]

    def is_outermost(self) -> bool:
        """Whether this is provably the outermost axis. In a 1-D blob, outermost and innermost are
        the same."""
        return not self.innermost or (self.shape is not None and len(self.shape) == 1)


class Affine(NamedTuple):
    """`y = scale[c] * x + shift[c]` in float64, one value per channel."""

    scale: "NDArray[Any]"
    shift: "NDArray[Any]"

    @staticmethod
    def spread(axis: ChannelAxis, scale: Any, shift: Any) -> "Affine":
        """Broadcast one value, or one per channel, to all channels. A broadcast value takes no
        memory, for any number of channels."""
        import numpy as np

        count = (axis.channels,)
        return Affine(
            *(
                np.broadcast_to(x.astype("f8") if hasattr(x, "astype") else np.float64(x), count)
                for x in (scale, shift)
            )
        )


class LinearMap(NamedTuple):
    """The computation per output channel before the activation:
    `y = gain * sum(weight * x) + bias_gain * bias`, summed over inputs and window."""

    weight: SSAValue
    """Float constants used by this layer only, with an axis each for output and input channels."""
    bias: SSAValue | None
    """A float constant with one value for all channels or one per channel; `None` for 0."""
    bias_shape: tuple[int, ...]
    """The shape that the layer needs for a per-channel bias."""
    output: ChannelAxis
    """The channel axis of the output."""
    output_axis: int = 0
    """The weight's axis of output channels."""
    input_axis: int = 1
    """The weight's axis of input channels; its extent counts the inputs of one group."""
    groups: int = 1
    """The number of channel groups. The groups' output channels are consecutive."""
    gain: float = 1.0
    bias_gain: float = 1.0


def along_axis(linear: LinearMap, axis: int, values: Any) -> Any:
    """Reshape values, one per index of a weight axis, so that they broadcast against the weight."""
    rank = rank_of(linear.weight) or 0
    return values.reshape(*(-1 if i == axis else 1 for i in range(rank)))


def along_inputs(linear: LinearMap, values: Any) -> Any:
    """Reshape values, one per input channel, so that they broadcast against the weight."""
    shape = static_shape_of(linear.weight) or (0, 0)
    count = shape[linear.input_axis]
    each = values.repeat(count * linear.groups // len(values))
    if linear.groups == 1:
        return along_axis(linear, linear.input_axis, each)
    # The outputs are ordered by group, each with the inputs of its group.
    outputs = shape[0] // linear.groups
    table = each.reshape(linear.groups, count).repeat(outputs, axis=0)
    return table.reshape(*table.shape, *(1,) * (len(shape) - 2))


class LinearProducer(LayerOp, ABC):
    """A layer whose output, before its activation, is linear in constant weights, a bias and one
    blob."""

    @abstractmethod
    def linear_map(self, shapes: Shapes) -> LinearMap | None:
        """Return the weights and their roles; `None` unless they are constants of this layer only
        whose floats the runtime uses unchanged (no int8 scales, no dynamic weight)."""

    def set_linear(self, weight: SSAValue, bias: SSAValue | None) -> None:
        """Replace weight and bias."""
        self.set_weights(weight=weight, bias=bias)

    def linear_operand(self) -> SSAValue:
        """The blob in which the layer is linear."""
        return self.data_operands()[0]

    @abstractmethod
    def linear_input(self, shapes: Shapes) -> ChannelAxis:
        """The channel axis of that blob. A weight may have several consecutive inputs per
        channel."""

    def border_for(self, affine: Affine) -> Mapping[str, Value] | None:
        """Return parameters that give the layer, on a blob x, the border values that it had on
        `scale * x + shift`; `None` if none do."""
        return {}


class LinearLayer(LinearProducer, ActivationHost, ABC):
    """A linear layer with an activation and the weights `weight`,
    `num_output x inputs per group x …`, and `bias`."""

    if TYPE_CHECKING:
        num_output: int
        weight: SSAValue
        bias: SSAValue | None

    @abstractmethod
    def linear_output(self, shapes: Shapes) -> ChannelAxis:
        """The output's axis that corresponds to the weight's outermost axis."""

    @abstractmethod
    def num_input(self) -> int:
        """The number of input channels or features, derived from the weight."""

    def group_count(self) -> int:
        """The number of channel groups."""
        return 1

    def int8_term(self) -> int:
        """0: float; otherwise int8 inference, over 100 with int8 output."""
        return 0

    def has_float_constants(self) -> bool:
        """Whether weight and bias are constants of this layer only whose floats the runtime uses
        unchanged (no int8 scales, no dynamic weight)."""
        if self.int8_term():
            return False
        return all(is_float_constant(v) for v in (self.weight, self.bias) if v is not None)

    def linear_map(self, shapes: Shapes) -> LinearMap | None:
        if not self.has_float_constants():
            return None
        output, groups = self.linear_output(shapes), self.group_count()
        return LinearMap(self.weight, self.bias, (output.channels,), output, groups=groups)

    def positions(self) -> int | None:
        """The number of multiplications per element of the weight."""
        shape = static_shape_of(self.results[0])
        return None if shape is None else prod(shape[1:])

    def macs(self) -> int | None:
        return product(elements(self.weight), self.positions())

    def other_flops(self) -> int | None:
        each = int(self.bias is not None) + ACTIVATION_FLOPS[self.activation_type]
        return product(each, elements(self.results[0])) if each else 0


class ChannelAffine(LayerOp, ABC):
    """A layer that multiplies and shifts each channel of a blob by constants."""

    @abstractmethod
    def affine_operand(self) -> SSAValue | None:
        """The blob that is scaled and shifted; `None` if there is no such blob."""

    @abstractmethod
    def affine(self, axis: ChannelAxis) -> Affine | None:
        """Return the per-channel map along this axis.

        `None` unless its values are constants, the blob provably has this number of channels there,
        and the layer keeps the blob's shape and acts uniformly along the other axes.
        """

    def affine_channels(self, shapes: Shapes) -> int | None:
        """Return the number of channels with a value; `None` if one value covers all."""
        return None


def is_float_constant(value: SSAValue) -> bool:
    """Whether a value is a weight attached to its layer with elements of f32, f16 or bf16."""
    constant = attached_constant(value)
    if constant is None or not isinstance(constant.output.type, TensorType):
        return False
    element: object = constant.output.type.element_type
    return isinstance(element, Float32Type | Float16Type | BFloat16Type)


class Identity(LayerOp, ABC):
    """A layer whose outputs may equal existing blobs.

    This is not xDSL's folder: folding is silent, and rewrites must report.
    """

    @abstractmethod
    def fold_to_values(self, shapes: Shapes) -> Sequence[SSAValue] | None:
        """Return the values that the results provably equal, one each; else `None`."""


class Forwarding(Identity, ABC):
    """A layer that costs nothing where it is an identity."""

    def is_free(self) -> bool:
        return self.fold_to_values(Shapes()) is not None


class Reshaping(Identity, KeepsElements, ABC):
    """A layer whose only output has the elements of its first input in the same row-major order.

    A Reshape to a shape with another number of elements is an error of the model. (The runtime
    detects most such errors.)
    """

    def keeps_order(self, shapes: Shapes) -> bool:
        """Whether the elements provably keep their order."""
        return True

    def determines_shape(self) -> bool:
        """Whether the output's extents depend only on the parameters and the number of elements."""
        return False

    def fold_to_values(self, shapes: Shapes) -> Sequence[SSAValue] | None:
        x, y = self.operands[0], self.results[0]
        return (x,) if shapes.same(x, y) and self.keeps_order(shapes) else None
