"""The activations that layers apply to their own output (ncnn's src/layer/fused_activation.h)."""

from collections.abc import Sequence

from ...dialects.ncnn.formulas import Arg
from ...dialects.ncnn.formulas import sigmoid as sigmoid_of
from ...dialects.ncnn.interfaces import HARD_SWISH, Activation
from .activation import hard_sigmoid
from .formulas import compute
from .semantics import Array


def activate(x: Array, activation_type: int, params: Sequence[float] = ()) -> Array:
    """The values after the activation of this type with its own parameters ([slope], [min, max],
    [alpha, beta]), in float32."""
    if activation_type == HARD_SWISH:
        return x * hard_sigmoid(x, *params[:2])
    return compute(Activation(activation_type, tuple(params)).formula(Arg(0)), [x])


def sigmoid(x: Array) -> Array:
    """`1 / (1 + exp(-x))`, as gates compute it."""
    return compute(sigmoid_of(Arg(0)), [x])
