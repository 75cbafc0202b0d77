"""PyTorch's functions under the names that PNNX's expressions have for them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

UNARY = (
    "abs", "neg", "floor", "ceil", "square", "sqrt", "rsqrt", "exp", "log", "sin", "cos", "tan",
    "asin", "acos", "atan", "reciprocal", "tanh", "log10", "round", "trunc", "sign", "expm1",
    "sinh", "asinh", "cosh", "acosh", "atanh", "log1p", "erf",
)  # fmt: skip
BINARY = (
    "add", "sub", "mul", "div", "max", "min", "pow", "atan2", "fmod", "logaddexp", "floor_divide",
    "remainder",
)  # fmt: skip

_NAMES = {"max": "maximum", "min": "minimum"}


def call(function: str, *operands: "NDArray[Any] | float") -> NDArray[np.float32]:
    """The value of a function in PyTorch, in float32; a number is one of Python's."""
    import torch as _torch  # pyright: ignore[reportMissingImports]

    torch: Any = _torch
    values: list[Any] = [
        torch.from_numpy(np.array(x, "f4")) if isinstance(x, np.ndarray) else x for x in operands
    ]
    if function != "pow":
        values = [torch.tensor(x) if isinstance(x, float) else x for x in values]
    result = getattr(torch, _NAMES.get(function, function))(*values)
    return result.to(torch.float32).numpy()
