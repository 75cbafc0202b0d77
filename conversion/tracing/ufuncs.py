"""The scalar operations of NumPy's element-wise functions.

The table maps a function and the kind of its elements to an operation of `arith` or `math`; types
follow NumPy's rules of promotion.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...dialects.shapes.terms import Extent
from ...interpreters.ncnn.formulas import OPERATIONS
from . import nodes
from .arrays import Traced, axes_of, cast_to, node_of
from .nodes import DType, Elementwise, Node, NotTraced

_UFUNCS: dict[tuple[Any, bool], str] = {}
"""Operations by function, and whether the elements are floats."""

for _name, _function in OPERATIONS.items():
    _of_floats = _name.startswith("math.") or _name.endswith("f")
    if isinstance(_function, np.ufunc):
        _UFUNCS[_function, _of_floats] = _name
_UFUNCS[np.absolute, False] = "math.absi"
_UFUNCS[np.logical_and, False] = "arith.andi"
_UFUNCS[np.logical_or, False] = "arith.ori"
_UFUNCS[np.left_shift, False] = "arith.shli"
_UFUNCS[np.right_shift, False] = "arith.shrsi"
_UFUNCS[np.floor_divide, False] = "arith.floordivsi"

_COMPARISONS: Mapping[Any, tuple[str, str]] = {
    np.equal: ("oeq", "eq"),
    np.not_equal: ("une", "ne"),
    np.less: ("olt", "slt"),
    np.less_equal: ("ole", "sle"),
    np.greater: ("ogt", "sgt"),
    np.greater_equal: ("oge", "sge"),
}
"""The predicates of comparisons of floats and of integers."""

_REDUCTIONS: Mapping[str, float] = {
    "arith.addf": 0.0,
    "arith.addi": 0,
    "arith.mulf": 1.0,
    "arith.muli": 1,
    "arith.maximumf": -np.inf,
    "arith.minimumf": np.inf,
    "arith.maxnumf": -np.inf,
    "arith.minnumf": np.inf,
}
"""The first value of reductions, by operation."""


def apply(ufunc: np.ufunc, inputs: Sequence[Any], **kwargs: Any) -> Node:
    """Return a NumPy function of each element."""
    dtype = kwargs.pop("dtype", None)
    kwargs.pop("casting", None)
    if kwargs:
        raise NotTraced(f"{ufunc.__name__} with {', '.join(kwargs)}")
    if ufunc is np.fmod:
        *_, made = ufunc.resolve_dtypes((*map(_weak, inputs), None))
        x, y = (Traced(node_of(value, "f8")) for value in inputs)
        return cast_to(x.__trace__(np.fmod, (x, y), {}).node, made)
    given = [_weak(value) for value in inputs]
    *wanted, made = ufunc.resolve_dtypes((*given, None))
    if dtype is not None:
        wanted, made = [np.dtype(dtype)] * len(wanted), np.dtype(dtype)
    args = [node_of(value, each) for value, each in zip(inputs, wanted, strict=True)]
    return elementwise(ufunc, args, made)


def _weak(value: Any) -> Any:
    """Return the type of a value; for a Python number its class, which adapts to the other
    types."""
    if isinstance(value, bool | int | float) and not isinstance(value, np.generic):
        return type(value) if not isinstance(value, bool) else np.dtype(bool)
    return value.dtype if isinstance(value, Traced) else np.asarray(value).dtype


def elementwise(ufunc: np.ufunc, args: Sequence[Node], made: DType) -> Node:
    """Return the node of a function of arguments that have the types it takes."""
    floats = args[0].dtype.kind == "f"
    if ufunc in _COMPARISONS:
        predicate = _COMPARISONS[ufunc][0 if floats else 1]
        return scalar_op("arith.cmpf" if floats else "arith.cmpi", args, made, predicate)
    match ufunc:
        case np.square:
            return scalar_op("arith.mulf" if floats else "arith.muli", [args[0]] * 2, made)
        case np.isnan:
            return scalar_op("arith.cmpf", [args[0]] * 2, made, "uno")
        case np.invert if made.kind == "b":
            return scalar_op("arith.xori", [args[0], nodes.scalar(True, bool)], made)
        case np.invert:
            return scalar_op("arith.xori", [args[0], nodes.scalar(-1, made)], made)
        case np.negative if not floats:
            return scalar_op("arith.subi", [nodes.scalar(0, made), args[0]], made)
        case np.right_shift if made.kind == "u":
            return scalar_op("arith.shrui", args, made)
        case np.reciprocal:
            return scalar_op("arith.divf", [nodes.scalar(1, made), args[0]], made)
        case np.positive:
            return args[0]
        case _:
            pass
    name = _UFUNCS.get((ufunc, floats))
    if name is None:
        raise NotTraced(f"{ufunc.__name__} of {args[0].dtype}")
    return scalar_op(name, args, made)


def scalar_op(name: str, args: Sequence[Node], made: Any, predicate: str = "") -> Node:
    """Return a scalar operation of each element of arguments that broadcast."""
    shape = nodes.broadcast_shapes(*(arg.shape for arg in args))
    spread = tuple(nodes.broadcast(arg, shape) for arg in args)
    return Elementwise(shape, np.dtype(made), name, spread, predicate)


def reduce(ufunc: np.ufunc, x: Any, axis: Any = 0, **kwargs: Any) -> Node:
    """Return the elements along axes combined by a NumPy function."""
    keepdims, initial = kwargs.pop("keepdims", False), kwargs.pop("initial", None)
    dtype = kwargs.pop("dtype", None)
    if any(value is not None for value in kwargs.values()):
        raise NotTraced(f"{ufunc.__name__}.reduce with {', '.join(kwargs)}")
    if dtype is None and x.dtype.kind in "iub":
        dtype = ufunc.reduce(np.ones(1, x.dtype)).dtype  # NumPy widens sums of integers
    node = node_of(x, dtype)
    axes = axes_of(axis, len(node.shape))
    name, first = operation_of(ufunc, node.dtype)
    first = first if initial is None else float(initial)
    return reduced(name, node, axes, first, bool(keepdims))


def operation_of(ufunc: np.ufunc, dtype: DType) -> tuple[str, bool | int | float]:
    """Return the scalar operation of a function that combines elements, and its first value. Raises
    `NotTraced` for other functions."""
    name = _UFUNCS.get((ufunc, dtype.kind == "f"))
    first = _REDUCTIONS.get(name or "")
    if name in ("arith.maxsi", "arith.minsi"):
        first = np.iinfo(dtype).min if name == "arith.maxsi" else np.iinfo(dtype).max
    if name is None or first is None:
        raise NotTraced(f"{ufunc.__name__} of {dtype} does not combine elements")
    return name, first


def reduced(
    name: str, node: Node, axes: Sequence[int], first: bool | int | float, keepdims: bool = False
) -> Node:
    """Return the elements along axes combined by a scalar operation."""
    result: Node
    whole = tuple[Extent, ...](1 if i in axes else n for i, n in enumerate(node.shape))
    kept = [i for i in range(len(node.shape)) if i not in axes]
    if whole == node.shape:  # nothing to combine
        result = scalar_op(name, [node, nodes.scalar(first, node.dtype)], node.dtype)
        return result if keepdims else nodes.reshape(result, tuple(node.shape[i] for i in kept))
    shape = tuple(node.shape[i] for i in kept)
    result = nodes.Reduce(shape, node.dtype, node, name, tuple(axes), first)
    return nodes.reshape(result, whole) if keepdims else result


def bits_as(node: Node, dtype: DType) -> Node:
    """Return the same bits as elements of another type of the same width."""
    if dtype.itemsize != node.dtype.itemsize:
        raise NotTraced(f"{node.dtype} seen as {dtype}")
    if isinstance(node, nodes.Dense):
        return nodes.dense(node.values.view(dtype))
    if node.dtype.kind in "iu" and dtype.kind in "iu":
        return cast_to(node, dtype)
    return Elementwise(node.shape, dtype, "arith.bitcast", (node,))
