"""Layers of `dialects/ncnn/elementwise.py` whose semantics exceed their formula."""

from functools import reduce

import numpy as np

from ...dialects.ncnn.elementwise import BINARY_OPS, BinaryOpOp, EltwiseOp, expand
from .formulas import by_formula
from .semantics import Array, Inputs, Weights, semantics
from .shapes import plain


def _maximum(a: Array, b: Array) -> Array:
    """C++'s `std::max`: the first operand unless the second is greater, also for NaN."""
    return np.where(a < b, b, a)


def _minimum(a: Array, b: Array) -> Array:
    """C++'s `std::min`: the first operand unless the second is less, also for NaN."""
    return np.where(b < a, b, a)


@semantics(BinaryOpOp)
def binary_op(op: BinaryOpOp, inputs: Inputs, weights: Weights) -> Array:
    if not op.with_scalar:
        a, b = inputs
        inputs = [a.reshape(_expanded(a, b)), b.reshape(_expanded(b, a))]
    bound = {"max": _maximum, "min": _minimum}.get(BINARY_OPS[op.op_type])
    if bound is not None:  # differs from MLIR for NaN
        return bound(inputs[0], np.asarray(op.b, "f4") if op.with_scalar else inputs[1])
    return by_formula(op, inputs, weights)


def _expanded(value: Array, other: Array) -> tuple[int, ...]:
    shape = expand(value.shape, other.shape)
    assert shape is not None  # all extents are static
    return plain(shape, (value, other))


@semantics(EltwiseOp)
def eltwise(op: EltwiseOp, inputs: Inputs, weights: Weights) -> Array:
    shapes = {tuple(x.shape) for x in inputs}
    if len(shapes) > 1 and all(isinstance(n, int) for shape in shapes for n in shape):
        raise ValueError(f"{op.label()} takes blobs of one shape, and gets {sorted(shapes)}")
    return reduce(_maximum, inputs) if op.op_type == 2 else by_formula(op, inputs, weights)
