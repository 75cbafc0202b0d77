"""Operators of constants, computed while the model is converted."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...dialects.pnnx.operations import OperatorOp, params_of
from ...dialects.pnnx.tensors import NAMES_IN_TORCH, shape_in_torch, tensor_parts
from ...transforms.pnnx_legalization.pnnx_expressions import Call, Operand, parse_expression

Array = NDArray[Any]


def _rsqrt(x: Array) -> Array:
    return 1 / np.sqrt(x)


_BINARY: Mapping[str, Callable[..., Any]] = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.true_divide,
    "pow": np.power, "max": np.maximum, "min": np.minimum,
}  # fmt: skip
_UNARY: Mapping[str, Callable[..., Any]] = {
    "neg": np.negative, "exp": np.exp, "log": np.log, "sqrt": np.sqrt, "sin": np.sin,
    "cos": np.cos, "abs": np.abs, "tanh": np.tanh, "square": np.square,
    "reciprocal": np.reciprocal, "rsqrt": _rsqrt,
}  # fmt: skip
_COMPARE: Mapping[str, Callable[..., Any]] = {
    "torch.gt": np.greater, "torch.lt": np.less, "torch.ge": np.greater_equal,
    "torch.le": np.less_equal, "torch.eq": np.equal, "torch.ne": np.not_equal,
    "torch.bitwise_and": np.bitwise_and, "torch.bitwise_or": np.bitwise_or,
    "torch.logical_and": np.logical_and, "torch.logical_or": np.logical_or,
}  # fmt: skip
_RESHAPES = frozenset(
    ("Tensor.reshape", "Tensor.view", "torch.flatten", "torch.squeeze", "torch.unsqueeze")
    + ("Tensor.clone", "Tensor.contiguous", "Tensor.detach", "torch.clone")
)


def folded(op: OperatorOp, values: Sequence[Array]) -> Array | None:
    """Return the result of an operator of constants; `None` if it is not computed here, or differs
    from the shape that PNNX states."""
    if len(op.outputs) != 1:
        return None
    shape, parts = shape_in_torch(op.outputs[0].type), tensor_parts(op.outputs[0].type)
    if shape is None or parts is None or parts[1] not in NAMES_IN_TORCH:
        return None
    dtype = {"bf16": "float32"}.get(parts[1], NAMES_IN_TORCH[parts[1]])
    try:
        with np.errstate(all="ignore"):
            result = _compute(op, values, shape)
    except (ValueError, TypeError, IndexError, KeyError):
        return None
    if result is None:
        return None
    result = np.asarray(result)
    return result.astype(dtype) if result.shape == shape else None


def _compute(op: OperatorOp, values: Sequence[Array], shape: tuple[int, ...]) -> Any:
    type_, params = op.type.data, params_of(op)
    if type_ in _RESHAPES:
        return values[0].reshape(shape)
    if type_ in ("Tensor.to", "aten::to", "Tensor.type_as", "Tensor.float"):
        return values[0]
    if type_ in ("Tensor.expand", "Tensor.expand_as"):
        return np.broadcast_to(values[0], shape)
    if type_ in ("Tensor.permute", "torch.permute"):
        return values[0].transpose(params["dims"])  # pyright: ignore
    if type_ == "torch.transpose":
        return values[0].swapaxes(params["dim0"], params["dim1"])  # pyright: ignore
    if type_ in _COMPARE:
        other = values[1] if len(values) > 1 else params["other"]
        return _COMPARE[type_](values[0], other)
    if type_ in ("torch.logical_not", "torch.bitwise_not"):
        return np.logical_not(values[0]) if values[0].dtype == np.bool_ else None
    if type_ in ("torch.cat", "torch.stack"):
        join = np.concatenate if type_ == "torch.cat" else np.stack
        return join(list(values), axis=params["dim"])  # pyright: ignore
    if type_ == "torch.cumsum":
        return np.cumsum(values[0], axis=params["dim"])  # pyright: ignore
    if type_ == "pnnx.Expression" and values:
        node = parse_expression(str(params.get("expr", "")))
        return None if node is None or isinstance(node, float) else _value(node, values)
    return None


def _value(node: Any, values: Sequence[Array]) -> Any:
    if isinstance(node, Operand):
        return values[node.index]
    if isinstance(node, Call):
        arguments = [_value(a, values) for a in node.arguments]
        table = _UNARY if len(arguments) == 1 else _BINARY
        return table[node.function](*arguments)
    return node
