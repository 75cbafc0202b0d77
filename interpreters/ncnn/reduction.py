"""Reference semantics of the layers in `dialects/ncnn/reduction.py`."""

from math import prod

import numpy as np

from ...dialects.ncnn.activation import FLT_MAX
from ...dialects.ncnn.extents import positive_axis
from ...dialects.ncnn.reduction import (
    REDUCTIONS,
    ArgMaxOp,
    CumulativeSumOp,
    EinsumOp,
    GLUOp,
    ReductionOp,
    SoftmaxOp,
)
from .semantics import Array, Inputs, Weights, semantics
from .shapes import as_float, axis_of, static_result_shape

_FLT_MIN = np.finfo("f4").tiny


@semantics(ReductionOp)
def reduction(op: ReductionOp, inputs: Inputs, weights: Weights) -> Array:
    (x,) = inputs
    reduced = op.reduced_axes(x.ndim)
    if reduced is None:
        raise ValueError(f"{op.label()}: a blob of {x.ndim} dims has no axes {op.axes}")
    axes = tuple(sorted(reduced))
    coeff = np.float32(op.coeff)
    match REDUCTIONS[op.operation]:
        case "sum":
            result = x.sum(axes)
        case "asum" | "l1":
            result = np.abs(x).sum(axes)
        case "sumsq":
            result = np.square(x).sum(axes)
        case "mean":
            result = x.sum(axes)
            coeff = coeff / as_float(prod(x.shape[i] for i in axes), x)
        case "max":
            result = np.fmax.reduce(x, axes, initial=-FLT_MAX)
        case "min":
            result = np.fmin.reduce(x, axes, initial=FLT_MAX)
        case "prod":
            result = x.prod(axes)
        case "l2":
            squares = np.square(x).sum(axes)
            result = np.sqrt(np.where(squares < _FLT_MIN, 0, squares))
        case "logsum":
            result = np.log(x.sum(axes))
        case _:
            result = np.log(np.exp(x).sum(axes))
    return (result * coeff).reshape(static_result_shape(op, inputs))


@semantics(ArgMaxOp)
def argmax(op: ArgMaxOp, inputs: Inputs, weights: Weights) -> Array:
    values = inputs[0].reshape(-1)
    # The largest pairs of value and index: among equal values the last comes first.
    order = np.argsort(values, kind="stable")[::-1][: op.topk]
    rows = [values[order], order] if op.out_max_val else [order]
    return np.stack([row.astype("f4") for row in rows])


@semantics(SoftmaxOp)
def softmax_layer(op: SoftmaxOp, inputs: Inputs, weights: Weights) -> Array:
    (x,) = inputs
    axis = positive_axis(op.axis, x.ndim)
    return x if axis is None else softmax(x, axis)


def softmax(x: Array, axis: int) -> Array:
    """Return `exp(x)` divided by its sum along an axis."""
    powers = np.exp(x - np.fmax.reduce(x, axis, keepdims=True, initial=-FLT_MAX))
    return powers / powers.sum(axis, keepdims=True)


@semantics(CumulativeSumOp)
def cumulative_sum(op: CumulativeSumOp, inputs: Inputs, weights: Weights) -> Array:
    (x,) = inputs
    return np.cumsum(x, axis_of(op, op.axis, x.ndim), dtype=x.dtype)


@semantics(GLUOp)
def glu(op: GLUOp, inputs: Inputs, weights: Weights) -> Array:
    (x,) = inputs
    axis = axis_of(op, op.axis, x.ndim)
    half = x.shape[axis] // 2
    a, b = np.split(x, [half, 2 * half], axis)[:2]
    return a * (1 / (1 + np.exp(-b)))


@semantics(EinsumOp)
def einsum(op: EinsumOp, inputs: Inputs, weights: Weights) -> Array:
    if op.equation_text() == "ii":
        return np.trace(inputs[0]).reshape(1)
    return np.einsum(op.equation_text(), *inputs)
