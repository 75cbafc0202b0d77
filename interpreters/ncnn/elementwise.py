"""What the layers of `dialects/ncnn/elementwise.py` compute."""

from collections.abc import Callable, Mapping, Sequence
from functools import reduce

import numpy as np

from ...dialects.ncnn.elementwise import (
    BINARY_OPS,
    BinaryOpOp,
    DropoutOp,
    EltwiseOp,
    PowerOp,
    expand,
)
from .semantics import Array, Weights, semantics

Binary = Callable[[Array, Array], Array]


def maximum(a: Array, b: Array) -> Array:
    """C++'s `std::max`: the first operand unless the second is greater, NaN or not."""
    return np.where(a < b, b, a)


def minimum(a: Array, b: Array) -> Array:
    """C++'s `std::min`: the first operand unless the second is less, NaN or not."""
    return np.where(b < a, b, a)


def _logaddexp(a: Array, b: Array) -> Array:
    most = maximum(a, b)
    return most + np.log1p(np.exp(minimum(a, b) - most))


def _remainder(a: Array, b: Array) -> Array:
    """C's `remainder`: what is left of a after the nearest multiple of b, an even one of two that
    are as near. Each step is exact in float64."""
    x, y = np.abs(a, dtype="f8"), np.abs(b, dtype="f8")
    rest = np.fmod(x, 2 * y)
    more = 2 * rest > y
    rest = np.where(more, rest - y, rest)
    rest = np.where(more & (2 * rest >= y), rest - y, rest)
    return np.copysign(1, a) * rest


def _swapped(function: Binary) -> Binary:
    return lambda a, b: function(b, a)


_FORWARD: Mapping[str, Binary] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "max": maximum,
    "min": minimum,
    "pow": np.power,
    "atan2": np.arctan2,
    "fmod": np.fmod,
    "logaddexp": _logaddexp,
    "floor_divide": lambda a, b: np.floor(a / b),
    "remainder": _remainder,
}

BINARY_FUNCTIONS: Mapping[str, Binary] = {
    name: _FORWARD[name] if name in _FORWARD else _swapped(_FORWARD[name.removeprefix("r")])
    for name in BINARY_OPS
}
"""What each word of `BINARY_OPS` computes."""


@semantics(BinaryOpOp)
def binary_op(op: BinaryOpOp, inputs: Sequence[Array], weights: Weights) -> Array:
    function = BINARY_FUNCTIONS[BINARY_OPS[op.op_type]]
    if op.with_scalar:
        return function(inputs[0], np.asarray(op.b, "f4"))
    a, b = inputs
    return function(a.reshape(_expanded(a, b)), b.reshape(_expanded(b, a)))


def _expanded(value: Array, other: Array) -> tuple[int, ...]:
    shape = expand(value.shape, other.shape)
    assert shape is not None  # every extent is known
    return shape


@semantics(EltwiseOp)
def eltwise(op: EltwiseOp, inputs: Sequence[Array], weights: Weights) -> Array:
    if op.op_type == 0:
        return reduce(np.multiply, inputs)
    if op.op_type == 2:
        return reduce(maximum, inputs)
    if not op.coeffs:
        return reduce(np.add, inputs)
    weighted = [x * np.float32(c) for x, c in zip(inputs, op.coeffs[: len(inputs)], strict=True)]
    return reduce(np.add, weighted)


@semantics(PowerOp)
def power(op: PowerOp, inputs: Sequence[Array], weights: Weights) -> Array:
    base = np.float32(op.shift) + inputs[0] * np.float32(op.scale)
    return np.power(base, np.float32(op.power))


@semantics(DropoutOp)
def dropout(op: DropoutOp, inputs: Sequence[Array], weights: Weights) -> Array:
    return inputs[0] if op.scale == 1 else inputs[0] * np.float32(op.scale)
