"""Semantics of the fused operations for xDSL's interpreter: anchors use the kernels of the ncnn
layers; epilogues run on whole arrays."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl.ir import SSAValue

from ...dialects.fused import (
    ConvOp,
    ConvTransposeOp,
    ElementwiseOp,
    FusedOp,
    LinearOp,
    PoolOp,
    YieldOp,
)
from ...dialects.shapes.tensors import element_of, shape_of, spread_extents
from ..implementations import functions_of
from ..ncnn.semantics import Array
from .anchors import accumulate
from .scalars import compute, to_type

__all__ = ["FusedFunctions", "evaluate", "evaluate_elements"]


def evaluate(op: FusedOp, operands: Sequence[Array]) -> Array:
    """Return the result of a fused operation for its operands' values, in operand order."""
    value, elements = evaluate_elements(op, operands)
    shape = np.broadcast_shapes(*(each.shape for each in elements))
    if op.accumulator_type() is not None and shape != elements[0].shape:
        raise ValueError(f"residuals broadcast {elements[0].shape} to {shape}")
    result = to_type(np.broadcast_to(value, shape), element_of(op.result))
    return np.ascontiguousarray(result)


def evaluate_elements(op: FusedOp, operands: Sequence[Any]) -> tuple[Any, Sequence[Any]]:
    """Return the value of the epilogue for the operands' values, in operand order, which may be
    traced arrays; and the accumulator, if there is one, and the residuals. These broadcast to the
    shape of the result; the value may have fewer axes if it does not depend on all of them."""
    accumulator, residuals = accumulate(op, operands)
    rank = _rank(op, accumulator, residuals)
    elements = [] if accumulator is None else [accumulator]
    elements += [spread(value, op.explicit_axes(i), rank) for i, value in enumerate(residuals)]
    values: dict[SSAValue, Any] = dict(zip(op.block.args, elements, strict=True))
    for scalar in op.block.ops:
        if isinstance(scalar, YieldOp):
            break
        value = compute(scalar, tuple(values[v] for v in scalar.operands))
        if not scalar.operands and elements:  # a number is one node of a graph, however often read
            value = np.full((), value, value.dtype, like=elements[0])
        values[scalar.results[0]] = value
    return values[op.yielded], elements


def _rank(op: FusedOp, accumulator: Any, residuals: Sequence[Any]) -> int:
    """Return the rank of the result."""
    if accumulator is not None:
        return accumulator.ndim
    shape = shape_of(op.result)
    if shape is not None:
        return len(shape)
    axes = (op.explicit_axes(i) for i in range(len(residuals)))
    ends = (each[-1] + 1 if each else x.ndim for each, x in zip(axes, residuals, strict=True))
    return max(ends)


def spread(value: Array, axes: Sequence[int], rank: int) -> Array:
    """Return a residual expanded to the result's rank, with extent 1 along axes that it lacks."""
    return value.reshape(spread_extents(value.shape, axes, rank))


_ANCHORED = (ConvOp, ConvTransposeOp, LinearOp, ElementwiseOp, PoolOp)

FusedFunctions = functions_of("FusedFunctions", _ANCHORED, lambda op, args: (evaluate(op, args),))
"""The fused operations for xDSL's `Interpreter`. Values are NumPy arrays of float32, or of int8 and
int32 according to their types."""
