"""Operators of constants, computed while the model is converted.

PyTorch computes shapes and masks by operators on small tensors. ncnn has no layers for most of
them, and needs none: they do not depend on the inputs.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...dialects.pnnx.operations import OperatorOp, params_of
from ...dialects.pnnx.tensors import NAMES_IN_TORCH, shape_in_torch, tensor_parts
from ...transforms.pnnx_legalization.pnnx_expressions import Call, Operand, parse_expression
from ...transforms.pnnx_legalization.shape_operators import cuts_of

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


_FILLS: Mapping[str, float | None] = {
    "torch.zeros": 0, "torch.zeros_like": 0, "Tensor.new_zeros": 0,
    "torch.ones": 1, "torch.ones_like": 1, "Tensor.new_ones": 1,
    "torch.full": None, "torch.full_like": None, "Tensor.new_full": None, "Tensor.fill": None,
}  # fmt: skip
"""Operators that make one number, and the number; `None`: of a parameter or an operand."""


_INTEGER = re.compile(r"int\(@(\d+)\)|@(\d+)|(-?\d+)")


def places_in(op: OperatorOp) -> list[int]:
    """Return the places of the operands in a list of operands, `[@0,@1]`; none for another
    expression."""
    text = str(op.param("expr", ""))
    is_list = re.fullmatch(r"\[@\d+(,@\d+)*\]", text)
    return [int(word) for word in re.findall(r"\d+", text)] if is_list else []


def integers_in(op: OperatorOp, values: Sequence[Array | None]) -> int | tuple[int, ...] | None:
    """Return the integers of an expression of constants: a list `[0,int(@0)]`, or `int(@0)`; `None`
    for another operator. `values` are those of its operands, where they are known."""
    text = str(op.param("expr", ""))
    is_list = text.startswith("[") and text.endswith("]")
    if op.type.data != "pnnx.Expression" or not (is_list or text.startswith("int(")):
        return None
    found: list[int] = []
    for item in (text[1:-1] if is_list else text).split(","):
        match = _INTEGER.fullmatch(item.strip())
        if match is None:
            return None
        if match[3] is not None:
            found.append(int(match[3]))
            continue
        value = values[int(match[1] or match[2])]
        if value is None or value.size != 1 or value.dtype.kind not in "iu":
            return None
        found.append(int(value.item()))
    return tuple(found) if is_list else found[0]


def made(op: OperatorOp, values: Sequence[Array | None]) -> Array | None:
    """Return the result of an operator whose operands only have its shape or are known; `None` for
    another operator."""
    known = [v for v in values if v is not None]
    if op.type.data in _FILLS and len(op.outputs) == 1:
        shape, parts = shape_in_torch(op.outputs[0].type), tensor_parts(op.outputs[0].type)
        number: Any = _FILLS[op.type.data]
        if number is None:
            number = op.param("fill_value", op.param("value", None))
        if number is None and values and values[-1] is not None and values[-1].size == 1:
            number = values[-1].item()
        if shape is None or parts is None or not isinstance(number, int | float):
            return None
        return np.full(shape, number, _dtype(parts[1]))
    return folded(op, known) if len(known) == len(values) else None


def _dtype(name: str) -> str | None:
    return {"bf16": "float32"}.get(name, NAMES_IN_TORCH.get(name))


def folded(op: OperatorOp, values: Sequence[Array]) -> Array | None:
    """Return the result of an operator of constants; `None` if it is not computed here, or differs
    from the shape that PNNX states."""
    if len(op.outputs) != 1:
        return None
    shape, parts = shape_in_torch(op.outputs[0].type), tensor_parts(op.outputs[0].type)
    dtype = None if parts is None else _dtype(parts[1])
    if shape is None or dtype is None:
        return None
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
    if type_ == "torch.arange":
        start, step = params.get("start") or 0, params.get("step") or 1
        return np.arange(start, params["end"], step)  # pyright: ignore
    if type_ in ("torch.tril", "torch.triu"):
        part = np.tril if type_ == "torch.tril" else np.triu
        return part(values[0], params.get("diagonal", 0))  # pyright: ignore
    if type_ == "torch.where" and len(values) == 3:
        return np.where(values[0], values[1], values[2])
    if type_ in ("Tensor.slice", "Tensor.select", "torch.select"):
        cuts = cuts_of(op, values[0].shape)
        if cuts is None:
            return None
        return values[0][_index(cuts, values[0].ndim)]
    if type_ == "torch.cumsum":
        return np.cumsum(values[0], axis=params["dim"])  # pyright: ignore
    if type_ == "pnnx.Expression" and values:
        node = parse_expression(str(params.get("expr", "")))
        return None if node is None or isinstance(node, float) else _value(node, values)
    return None


def _index(cuts: Mapping[int, tuple[int, int, int, bool]], rank: int) -> tuple[Any, ...]:
    whole: list[Any] = [slice(None)] * rank
    for axis, (start, stop, step, dropped) in cuts.items():
        whole[axis] = start if dropped else slice(start, stop, step)
    return tuple(whole)


def _value(node: Any, values: Sequence[Array]) -> Any:
    if isinstance(node, Operand):
        return values[node.index]
    if isinstance(node, Call):
        arguments = [_value(a, values) for a in node.arguments]
        table = _UNARY if len(arguments) == 1 else _BINARY
        return table[node.function](*arguments)
    return node
