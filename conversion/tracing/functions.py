"""NumPy's functions on traced arrays, as far as the reference semantics use them; and the table
`FUNCTIONS` of all functions that have a traced form.

`arrays.py` imports this module when an array is first used, as these functions construct traced
arrays.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from operator import attrgetter
from typing import Any

import numpy as np

from ...dialects.shapes.terms import Extent
from ...interpreters import fused
from ...interpreters.ncnn import erf as erfs
from ...interpreters.ncnn import formulas, int8, normalization, scans, shapes
from ...interpreters.ncnn import windows as sliding
from . import loops, nodes, primitives, ufuncs
from .arrays import Traced, axes_of, extent, known, node_of, one_sequence
from .contractions import einsum as einsum_of
from .contractions import matmul
from .indexing import get, put, taken
from .nodes import Node
from .ufuncs import bits_as, reduce, scalar_op

__all__ = ["FUNCTIONS", "apply", "bits_as", "get", "put", "reduce"]


def _common(values: Sequence[Any]) -> list[Node]:
    """Return nodes converted to their common NumPy type."""
    known = [v.dtype if isinstance(v, Traced) else v for v in values]
    dtype = np.result_type(*known)
    return [node_of(value, dtype) for value in values]


def where(condition: Any, a: Any, b: Any) -> Traced:
    first, second = _common([a, b])
    return Traced(scalar_op("arith.select", [node_of(condition, bool), first, second], first.dtype))


def clip(x: Any, low: Any = None, high: Any = None, dtype: Any = None) -> Any:
    if dtype is not None:
        x = x.astype(dtype)
    x = x if low is None else np.maximum(x, low)
    return x if high is None else np.minimum(x, high)


def mean(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    count = nodes.count(x.shape[i] for i in axes_of(axis, x.ndim))
    total = np.add.reduce(x, axis=axis, keepdims=keepdims)
    if isinstance(count, int):
        return total / np.float32(count)
    return total / Traced(nodes.Scalar((), np.dtype("f4"), count))


def cumulative_sum(x: Any, axis: int, dtype: Any = None) -> Any:
    """Add by doubling: after k steps each element is the sum of the last 2 to the k elements up to
    it."""
    result = x if dtype is None else x.astype(dtype)
    axis = axis + x.ndim if axis < 0 else axis
    n, distance = known(x.shape[axis]), 1
    while distance < n:
        kept = result[(*(slice(None),) * axis, slice(0, n - distance))]
        widths = [(distance if i == axis else 0, 0) for i in range(x.ndim)]
        result = result + np.pad(kept, widths)
        distance *= 2
    return result


def concatenate(arrays: Sequence[Any], axis: int = 0) -> Traced:
    parts = _common(arrays)
    axis = axis + len(parts[0].shape) if axis < 0 else axis
    extents = [part.shape[axis] for part in parts]
    shape = list(parts[0].shape)
    shape[axis] = sum(extents[1:], extents[0])
    parts = [part for part in parts if part.shape[axis] != 0] or parts[:1]
    if len(parts) == 1:
        return Traced(parts[0])
    return Traced(nodes.Concat(tuple(shape), parts[0].dtype, tuple(parts), axis))


def stack(arrays: Sequence[Any], axis: int = 0) -> Traced:
    rank = arrays[0].ndim + 1
    axis = axis + rank if axis < 0 else axis
    places: Any = tuple(None if i == axis else slice(None) for i in range(rank))
    return concatenate([array[places] for array in arrays], axis)


def constant(value: int, shape: Any, dtype: Any = float, **_: Any) -> Traced:
    return filled(shape, value, dtype)


def filled(shape: Any, value: Any, dtype: Any = None, **_: Any) -> Traced:
    extents = tuple(map(extent, one_sequence((shape,))))
    number = nodes.scalar(value, np.asarray(value).dtype if dtype is None else dtype)
    if not extents:
        return Traced(number)
    return Traced(nodes.View(extents, number.dtype, number, (None,) * len(extents)))


def empty(shape: Any, dtype: Any = float, **_: Any) -> Traced:
    extents = tuple(map(extent, one_sequence((shape,))))
    return Traced(nodes.Empty(extents, np.dtype(dtype)))


def constant_like(value: int, x: Any, dtype: Any = None) -> Traced:
    return filled(x.shape, value, x.dtype if dtype is None else dtype)


def empty_like(x: Any, dtype: Any = None) -> Traced:
    return empty(x.shape, x.dtype if dtype is None else dtype)


def broadcast_to(x: Any, shape: Any) -> Traced:
    node, extents = node_of(x), tuple(map(extent, shape))
    if isinstance(node, nodes.Scalar):
        return Traced(nodes.View(extents, node.dtype, node, (None,) * len(extents)))
    return Traced(nodes.broadcast(node, extents), x if isinstance(x, Traced) else None)


def transpose(x: Any, axes: Any = None) -> Traced:
    return x.transpose(*(axes or ()))


def moveaxis(x: Any, source: int, destination: int) -> Traced:
    order = list(range(x.ndim))
    axis = order.pop(source)
    order.insert(destination if destination >= 0 else destination + x.ndim, axis)
    return x.transpose(order)


def expand_dims(x: Any, axis: int) -> Traced:
    shape = list(x.shape)
    shape.insert(axis if axis >= 0 else axis + x.ndim + 1, 1)
    return x.reshape(shape)


def split(x: Any, indices: Any, axis: int = 0) -> list[Traced]:
    axis = axis + x.ndim if axis < 0 else axis
    if isinstance(indices, int):
        each = known(x.shape[axis]) // indices
        indices = [each * i for i in range(1, indices)]
    ends = [*map(extent, indices), x.shape[axis]]
    before = (slice(None),) * axis
    return [x[(*before, slice(a, b))] for a, b in zip([0, *ends[:-1]], ends, strict=True)]


def repeat(x: Any, repeats: int, axis: int | None = None) -> Traced:
    if axis is None:
        return repeat(x.reshape(x.size), repeats, 0)
    node = node_of(x)
    if repeats == 1:
        return Traced(node)
    shape = node.shape
    axis = axis + len(shape) if axis < 0 else axis
    longer = (*shape[: axis + 1], repeats, *shape[axis + 1 :])
    axes = [*range(axis + 1), None, *range(axis + 1, len(shape))]
    whole = (*shape[:axis], shape[axis] * repeats, *shape[axis + 1 :])
    return Traced(nodes.reshape(nodes.view(node, longer, axes), whole))


def tile(x: Any, repeats: Any) -> Traced:
    node, counts = node_of(x), [int(n) for n in repeats]
    rank = max(len(node.shape), len(counts))
    shape = (*(1,) * (rank - len(node.shape)), *node.shape)
    counts = [1] * (rank - len(counts)) + counts
    node = nodes.reshape(node, shape)
    pairs: list[Extent] = []
    axes: list[int | None] = []
    for i, (n, times) in enumerate(zip(shape, counts, strict=True)):
        pairs += [times, n]
        axes += [None, i]
    whole = tuple(n * times for n, times in zip(shape, counts, strict=True))
    return Traced(nodes.reshape(nodes.view(node, tuple(pairs), axes), whole))


def take(x: Any, indices: Any, axis: int) -> Traced:
    return Traced(taken(node_of(x), node_of(indices), axis + x.ndim if axis < 0 else axis))


def flip(x: Any, axis: Any = None) -> Traced:
    result = x
    for each in axes_of(axis, x.ndim):
        result = take(result, np.arange(known(x.shape[each]))[::-1], each)
    return Traced(result.node)


def pad(x: Any, widths: Any, mode: str = "constant", constant_values: Any = 0) -> Traced:
    if mode == "constant":
        node = node_of(x)
        low = tuple(extent(before) for before, _ in widths)
        shape = tuple(
            n + before + after for n, (before, after) in zip(node.shape, widths, strict=True)
        )
        value = nodes.scalar(constant_values, node.dtype)
        return Traced(nodes.Pad(shape, node.dtype, node, low, value))
    result = x
    for axis, (before, after) in enumerate(widths):
        if before or after:
            places = np.pad(np.arange(known(x.shape[axis])), (before, after), mode)  # pyright: ignore
            result = take(result, places, axis)
    return Traced(node_of(result))


def einsum(equation: str, *operands: Any) -> Traced:
    return Traced(einsum_of(equation, _common(operands)))


def trace(x: Any) -> Any:
    return np.add.reduce(diagonal(x), axis=0)


def diagonal(x: Any, offset: int = 0) -> Traced:
    """Return the diagonal of a matrix."""
    rows, columns = map(known, x.shape)
    start = max(offset, 0) + max(-offset, 0) * columns
    count = min(rows - max(-offset, 0), columns - max(offset, 0))
    flat = x.reshape(rows * columns)
    return take(flat, start + np.arange(max(count, 0)) * (columns + 1), 0)


def diag(x: Any, k: int = 0) -> Traced:
    if x.ndim == 2:
        return diagonal(x, k)
    n = known(x.shape[0])
    size = n + abs(k)
    flat = nodes.broadcast(nodes.scalar(0, x.dtype), (size * size,))
    flat = nodes.View((size * size,), x.dtype, flat, (None,))
    start = max(k, 0) + max(-k, 0) * size
    stop = start + (n - 1) * (size + 1) + 1
    whole = put(flat, slice(start, stop, size + 1), node_of(x))
    return Traced(nodes.reshape(whole, (size, size)))


def squeeze(x: Any, axis: int) -> Traced:
    node, _ = get(x.node, (*(slice(None),) * axis, 0))
    return Traced(node)


FUNCTIONS: Mapping[Callable[..., Any], Callable[..., Any]] = {
    np.where: where,
    np.clip: clip,
    np.mean: mean,
    np.max: Traced.max,
    np.sum: Traced.sum,
    np.cumsum: cumulative_sum,
    np.concatenate: concatenate,
    np.stack: stack,
    np.zeros: partial(constant, 0),
    np.ones: partial(constant, 1),
    np.full: filled,
    np.empty: empty,
    np.zeros_like: partial(constant_like, 0),
    np.ones_like: partial(constant_like, 1),
    np.empty_like: empty_like,
    np.broadcast_to: broadcast_to,
    np.reshape: Traced.reshape,
    np.transpose: transpose,
    np.swapaxes: Traced.swapaxes,
    np.moveaxis: moveaxis,
    np.expand_dims: expand_dims,
    np.split: split,
    np.repeat: repeat,
    np.tile: tile,
    np.take: take,
    np.flip: flip,
    np.pad: pad,
    np.einsum: einsum,
    np.trace: trace,
    np.diag: diag,
    np.copy: Traced.copy,
    np.shape: attrgetter("shape"),
    np.ndim: attrgetter("ndim"),
    np.squeeze: squeeze,
    scans.scan: loops.scan,
    erfs.erf: primitives.erf,
    erfs.erfc: primitives.erfc,
    shapes.as_float: primitives.as_float,
    int8.rounded: primitives.rounded,
    int8.exact: primitives.exact,
    int8.mac_body: primitives.mac_body,
    normalization.power: primitives.power,
    formulas.inverse_root: primitives.inverse_root,
    fused.compared: primitives.compared,
    np.fmod: primitives.c_fmod,
    sliding.pad: primitives.pad,
    sliding.correlate: primitives.correlate,
    sliding.spread: primitives.spread,
    sliding.over_windows: primitives.over_windows,
    sliding.windows: primitives.windows,
}


def apply(ufunc: np.ufunc, inputs: Sequence[Any], **kwargs: Any) -> Node:
    """Return the node of a function that NumPy applies to each element, or of `matmul`."""
    if ufunc is np.matmul:
        return matmul(*map(node_of, inputs))
    return ufuncs.apply(ufunc, inputs, **kwargs)
