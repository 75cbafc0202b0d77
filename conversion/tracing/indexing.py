"""Reads and writes of elements: `x[…]` and `x[…] = y`.

Nodes are immutable, so a write creates a new node, and the traced array refers to it then.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, cast

import numpy as np

from ...dialects.shapes.terms import Extent, Extents, at_least
from . import nodes
from .arrays import Traced, cast_to, extent, node_of
from .nodes import Node, NotTraced


class IndexBox(NamedTuple):
    """Basic indices: a slice of each axis."""

    offsets: tuple[Extent, ...]
    sizes: tuple[Extent, ...]
    strides: tuple[int, ...]
    shape: tuple[Extent, ...]
    """The shape of the selected elements, without axes of numbers, with new axes."""


def get(node: Node, key: Any) -> tuple[Node, bool]:
    """Return elements of a node, and whether NumPy returns a view of them."""
    keys = _keys(key)
    arrays = [i for i, each in enumerate(keys) if _is_array(each)]
    if arrays:
        return _gathered(node, keys, arrays), False
    box = _box(node, keys)
    return nodes.reshape(_sliced(node, box), box.shape), True


def put(node: Node, key: Any, value: Node) -> Node:
    """Return a node with a part replaced."""
    keys = _keys(key)
    if any(map(_is_array, keys)):
        raise NotTraced("elements are written at computed indices")
    box = _box(node, keys)
    if isinstance(value, nodes.Scalar):
        value = nodes.View(box.shape, value.dtype, value, (None,) * len(box.shape))
    part = nodes.reshape(nodes.broadcast(value, box.shape), box.sizes)
    if box.sizes == node.shape:
        return part
    if isinstance(node, nodes.View) and isinstance(node.of, nodes.Scalar):
        return _placed(part, box, node.of, node.shape)
    return nodes.Insert(node.shape, node.dtype, node, part, box.offsets, box.strides)


def _keys(key: Any) -> tuple[Any, ...]:
    return cast(tuple[Any, ...], key) if isinstance(key, tuple) else (key,)


def _placed(part: Node, box: IndexBox, rest: nodes.Scalar, shape: Extents) -> Node:
    """Return a part surrounded by one value. (If elements are apart, that value is put behind each
    of them first: IREE treats elements that are inserted with strides and then padded as
    contiguous.)"""
    for axis, stride in enumerate(box.strides):
        if stride == 1:
            continue
        before, n, after = part.shape[:axis], part.shape[axis], part.shape[axis + 1 :]
        ones = nodes.reshape(part, (*before, n, 1, *after))
        rows = (*before, n, stride, *after)
        zeros = (0,) * len(rows)
        apart = nodes.Pad(rows, part.dtype, ones, zeros, rest)
        flat = nodes.reshape(apart, (*before, n * stride, *after))
        used = (*before, (n - 1) * stride + 1, *after)
        part = nodes.Slice(used, part.dtype, flat, (0,) * len(used), (1,) * len(used))
    return nodes.Pad(shape, part.dtype, part, box.offsets, rest)


def _is_array(key: Any) -> bool:
    return isinstance(key, np.ndarray | Traced | list)


def _sliced(node: Node, box: IndexBox) -> Node:
    if box.sizes == node.shape:
        return node
    if isinstance(node, nodes.View) and isinstance(node.of, nodes.Scalar):
        return nodes.View(box.sizes, node.dtype, node.of, node.axes)
    if isinstance(node, nodes.Slice):  # merge two slices into one
        offsets = tuple(
            a + b * s for a, b, s in zip(node.offsets, box.offsets, node.strides, strict=True)
        )
        strides = tuple(a * b for a, b in zip(node.strides, box.strides, strict=True))
        return nodes.Slice(box.sizes, node.dtype, node.of, offsets, strides)
    return nodes.Slice(box.sizes, node.dtype, node, box.offsets, box.strides)


def _box(node: Node, keys: Sequence[Any]) -> IndexBox:
    keys = _without_ellipsis(keys, len(node.shape))
    offsets: list[Extent] = []
    sizes: list[Extent] = []
    strides: list[int] = []
    shape: list[Extent] = []
    extents = iter(node.shape)
    for key in keys:
        if key is None:
            shape.append(1)
            continue
        n = next(extents)
        if isinstance(key, slice):
            key = cast("slice[Any, Any, Any]", key)
            offset, size, stride = _range(key, n)
            shape.append(size)
        else:
            offset, size, stride = _within(key, n), 1, 1
        offsets.append(offset)
        sizes.append(size)
        strides.append(stride)
    return IndexBox(tuple(offsets), tuple(sizes), tuple(strides), tuple(shape))


def _without_ellipsis(keys: Sequence[Any], rank: int) -> list[Any]:
    """Return the keys with a full slice for each axis that they omit."""
    used = sum(key is not None and key is not Ellipsis for key in keys)
    at = next((i for i, key in enumerate(keys) if key is Ellipsis), None)
    left = [slice(None)] * (rank - used)
    if at is None:
        return [*keys, *left]
    return [*keys[:at], *left, *keys[at + 1 :]]


def _range(key: "slice[Any, Any, Any]", n: Extent) -> tuple[Extent, Extent, int]:
    """Return offset, size and stride of a slice of an axis."""
    stride = 1 if key.step is None else int(key.step)
    if stride < 1:
        raise NotTraced("a slice backwards")
    start = 0 if key.start is None else extent(key.start)
    stop = n if key.stop is None else extent(key.stop)
    if isinstance(n, int) and isinstance(start, int) and isinstance(stop, int):
        indices = range(n)[slice(start, stop, stride)]
        return indices.start, len(indices), stride
    start, stop = _counted(start, n), _counted(stop, n)
    if not at_least(n, stop):
        raise NotTraced("a slice may exceed an axis of unknown extent")
    return start, (stop - start + (stride - 1)) // stride, stride


def _counted(index: Extent, n: Extent) -> Extent:
    """Return an index counted from the start of an axis."""
    return n + index if isinstance(index, int) and index < 0 else index


def _within(key: Any, n: Extent) -> Extent:
    index = _counted(extent(key), n)
    if isinstance(index, int) and isinstance(n, int) and not 0 <= index < n:
        raise IndexError(f"index {index} of {n} elements")
    return index


def _gathered(node: Node, keys: Sequence[Any], arrays: Sequence[int]) -> Node:
    """Return elements at computed indices along one axis."""
    if len(arrays) > 1 or any(key is None for key in keys):
        raise NotTraced("elements at computed indices along several axes")
    keys = _without_ellipsis(keys, len(node.shape))
    axis = next(i for i, key in enumerate(keys) if _is_array(key))
    others = [slice(None) if i == axis else key for i, key in enumerate(keys)]
    if any(isinstance(key, slice) for key in others) and others != [slice(None)] * len(others):
        raise NotTraced("elements at computed indices of a slice")
    return taken(node, node_of(keys[axis]), axis)


def taken(node: Node, indices: Node, axis: int) -> Node:
    """Return NumPy's `take` along an axis. Indices are in bounds; negative indices count from the
    end."""
    if indices.dtype.kind == "b":
        raise NotTraced("elements chosen by values")
    extent_of_axis = node.shape[axis]
    if isinstance(indices, nodes.Dense) and isinstance(extent_of_axis, int):
        counted = np.where(indices.values < 0, indices.values + extent_of_axis, indices.values)
        indices = nodes.dense(counted)
    shape = (*node.shape[:axis], *indices.shape, *node.shape[axis + 1 :])
    return nodes.Gather(shape, node.dtype, node, cast_to(indices, np.dtype("i4")), axis)
