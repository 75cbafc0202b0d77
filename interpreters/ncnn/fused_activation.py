"""The activations that layers apply to their own output (ncnn's src/layer/fused_activation.h)."""

from collections.abc import Sequence

from ...dialects.ncnn.formulas import Arg
from ...dialects.ncnn.formulas import sigmoid as sigmoid_of
from ...dialects.ncnn.interfaces import HARD_SWISH, Activation
from .activation import hard_sigmoid
from .formulas import compute
from .semantics import Array


def activate(x: Array, activation_type: int, params: Sequence[float] = ()) -> Array:
    """Return the activated values in float32; parameters are [slope], [min, max] or [alpha,
    beta]."""
    if activation_type == HARD_SWISH:
        return x * hard_sigmoid(x, *params[:2])
    return compute(Activation(activation_type, tuple(params)).formula(Arg(0)), [x])


def sigmoid(x: Array) -> Array:
    """Return `1 / (1 + exp(-x))` as computed in gates."""
    return compute(sigmoid_of(Arg(0)), [x])
