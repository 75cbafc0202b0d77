"""The activations that layers apply to their own output (ncnn's src/layer/fused_activation.h): what
the layers of these names compute."""

from collections.abc import Callable, Mapping, Sequence

from ...dialects.ncnn.interfaces import ACTIVATIONS
from .activation import clip, hard_swish, leaky_relu, mish, sigmoid
from .semantics import Array

_FUNCTIONS: Mapping[str, Callable[..., Array]] = {
    "leakyrelu": leaky_relu,
    "clip": clip,
    "sigmoid": sigmoid,
    "mish": mish,
    "hardswish": hard_swish,
}
_PARAMS = {"leakyrelu": 1, "clip": 2, "hardswish": 2}


def activate(x: Array, activation_type: int, params: Sequence[float] = ()) -> Array:
    """The values after the activation of this type with its own parameters ([slope], [min, max],
    [alpha, beta]), in float32."""
    match ACTIVATIONS[activation_type]:
        case "none":
            return x
        case "relu":
            return leaky_relu(x, 0)
        case name:
            return _FUNCTIONS[name](x, *params[: _PARAMS.get(name, 0)])
