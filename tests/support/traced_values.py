"""Traced arrays of known values, and the values of what is computed with them: the graph, computed
node by node with NumPy."""

from collections.abc import Callable, Mapping
from typing import Any, cast

import numpy as np
from ncnn_opt.conversion.to_linalg.scalars import type_of
from ncnn_opt.conversion.tracing import nodes
from ncnn_opt.conversion.tracing.arrays import Traced
from ncnn_opt.interpreters.ncnn.formulas import OPERATIONS
from numpy.typing import NDArray
from xdsl.dialects.builtin import TensorType
from xdsl.dialects.test import TestOp

Array = NDArray[Any]


def _unordered(a: Any, b: Any) -> Any:
    return np.isnan(a) | np.isnan(b)


def _different(a: Any, b: Any) -> Any:
    return (a < b) | (a > b)


def _never(a: Any, b: Any) -> Any:
    return np.zeros(np.broadcast_shapes(a.shape, b.shape), bool)


def _negated(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(a: Any, b: Any) -> Any:
        return ~function(a, b)

    return call


_COMPARISONS: Mapping[str, Callable[..., Any]] = {
    "oeq": np.equal, "eq": np.equal, "une": np.not_equal, "ne": np.not_equal,
    "olt": np.less, "slt": np.less, "ole": np.less_equal, "sle": np.less_equal,
    "ogt": np.greater, "sgt": np.greater, "oge": np.greater_equal, "sge": np.greater_equal,
    "uno": _unordered, "ord": _negated(_unordered),
    "one": _different, "ueq": _negated(_different),
    "ugt": _negated(np.less_equal), "uge": _negated(np.less),
    "ult": _negated(np.greater_equal), "ule": _negated(np.greater),
    "false": _never, "true": _negated(_never),
}  # fmt: skip

_FURTHER: Mapping[str, Callable[..., Any]] = {
    "math.absi": np.abs,
    "arith.shli": np.left_shift,
    "arith.shrsi": np.right_shift,
    "arith.shrui": np.right_shift,
    "arith.floordivsi": np.floor_divide,
}


def given(values: Array) -> Traced:
    """An array of which a graph does not know the values."""
    op = TestOp(result_types=[TensorType(type_of(values.dtype), values.shape)])
    return Traced(nodes.Input(values.shape, values.dtype, op.results[0]))


def value(result: Traced, known: Mapping[Traced | int, Array]) -> Array:
    """The values of a traced array, for those of the given ones by `id` of their nodes."""
    made: dict[nodes.Node, Any] = {}
    for node in nodes.in_order([result.node]):
        args = [made[arg] for arg in node.args]
        made[node] = known[id(node)] if isinstance(node, nodes.Input) else _computed(node, args)
        assert made[node].shape == node.shape, node
        assert made[node].dtype == node.dtype, node
    return made[result.node]


def _computed(node: nodes.Node, args: list[Any]) -> Any:
    shape = cast(tuple[int, ...], node.shape)
    match node:
        case nodes.Scalar():
            return np.asarray(node.value, node.dtype)
        case nodes.Dense():
            return node.values
        case nodes.Empty():
            return np.full(shape, 77).astype(node.dtype)  # nothing may see it
        case nodes.Elementwise(name="convert"):
            return args[0].astype(node.dtype)
        case nodes.Elementwise(name="arith.bitcast"):
            return args[0].view(node.dtype)
        case nodes.Elementwise(predicate=predicate) if predicate:
            return _COMPARISONS[predicate](*args)
        case nodes.Elementwise():
            return np.asarray({**OPERATIONS, **_FURTHER}[node.name](*args)).astype(node.dtype)
        case nodes.View():
            used = [axis for axis in node.axes if axis is not None]
            dropped = [i for i in range(args[0].ndim) if i not in used]
            moved = args[0].transpose(used + dropped).reshape([args[0].shape[i] for i in used])
            kept = iter(moved.shape)
            spread = moved.reshape([1 if axis is None else next(kept) for axis in node.axes])
            return np.broadcast_to(spread, shape)
        case nodes.Reshape():
            return args[0].reshape(shape)
        case nodes.Slice():
            return args[0][_box(node.offsets, shape, node.strides)]
        case nodes.Insert():
            result = args[0].copy()
            result[_box(node.offsets, args[1].shape, node.strides)] = args[1]
            return result
        case nodes.Concat():
            return np.concatenate(args, node.axis)
        case nodes.Pad():
            rows = zip(cast(tuple[int, ...], node.low), args[0].shape, shape, strict=True)
            widths = [(low, whole - n - low) for low, n, whole in rows]
            return np.pad(args[0], widths, constant_values=args[1])
        case nodes.Reduce():
            function = cast(np.ufunc, OPERATIONS[node.name])
            return function.reduce(args[0], node.axes, node.dtype, initial=node.first)
        case nodes.Contract():
            letters = ["".join(chr(97 + d) for d in dims) for dims in node.dims]
            own = "".join(chr(97 + d) for d in range(len(shape)))
            return np.einsum(f"{','.join(letters)}->{own}", *args, dtype=node.dtype)
        case nodes.Gather():
            return np.take(args[0], args[1], node.axis)
        case _:
            raise TypeError(f"{type(node).__name__} is not computed here")


def _box(offsets: Any, sizes: Any, strides: Any) -> tuple[slice, ...]:
    rows = zip(offsets, sizes, strides, strict=True)
    return tuple(slice(o, o + (n - 1) * s + 1 if n else o, s) for o, n, s in rows)
