"""Writers of channels-last copies (`builder.py`), except of convolutions.

A channels-last copy is fast only if its neighbours need not be transposed for it. So layers between
convolutions compute copies, too, where an operand has one. A writer returns `None` where the blob
itself is better.

Example: Convolution, ReLU, Pooling, Flatten. The convolution writes `h x w x channels`. The kernels
of the ReLU and the Pooling read that, and write the same layout. Flatten needs the elements in the
order of the blob, so that one transposition stands before it instead of one behind each layer.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import Any, TypeAlias, cast

from xdsl.dialects import tensor
from xdsl.dialects.builtin import TensorType
from xdsl.dialects.linalg import ops as linalg
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.ir.affine import AffineExpr

from ...dialects.shapes.terms import Extents
from ..tracing import nodes
from ..tracing.nodes import Node
from . import scalars
from .builder import Body, Builder, channels_first, channels_last, dim
from .kernels import LinalgWriter, copied, filled, positions

CopyWriter: TypeAlias = Callable[[LinalgWriter, Any], SSAValue | None]
"""Writes the channels-last copy of a node; `None` if the node is better written as a blob."""

MAX_TAPS = 32
"""Windows of more elements are not written element by element."""

SMALL_SLICE = 2000
"""A slice of fewer elements is copied in less time than its kernel takes to start."""


def static_shape(shape: Extents) -> tuple[int, ...]:
    """Return a shape whose extents are all known."""
    return tuple(n for n in shape if isinstance(n, int))


def _any_leaf_has_copy(
    kernels: LinalgWriter, node: Node, access: tuple[int, ...], root: bool
) -> bool:
    leaves = kernels.leaves(node, access, root)
    return any(kernels.has_channels_last(leaf) for leaf, _ in leaves)


def _elementwise(kernels: LinalgWriter, node: nodes.Elementwise | nodes.View) -> SSAValue | None:
    rank = len(node.shape)
    access = channels_first(range(rank))
    if not _any_leaf_has_copy(kernels, node, access, root=True):
        return None
    out = kernels.builder.empty(channels_last(node.shape), node.dtype)
    return kernels.kernel(node, access, out, range(rank), rank)


def reduce(kernels: LinalgWriter, node: nodes.Reduce, combine: Any) -> SSAValue | None:
    """Write a reduction that reads channels-last copies. Return `None` if no operand has a copy."""
    of = node.of
    if isinstance(of, nodes.Reshape) and node.axes == (1,) and len(of.shape) == 2:
        blob = of.of  # whose pixels are one axis of `of`
        if len(blob.shape) == 3 and blob.shape[0] == of.shape[0]:
            node = nodes.Reduce(node.shape, node.dtype, blob, node.name, (1, 2), node.first)
    rank = len(node.of.shape)
    access = channels_first(range(rank))
    dims = [access[i] for i in range(rank) if i not in node.axes]
    if rank < 3 or dims != sorted(dims):
        return None
    if not _any_leaf_has_copy(kernels, node.of, access, root=False):
        return None
    out = filled(kernels, node, node.first)
    return kernels.kernel(node.of, access, out, dims, rank, combine, root=False)


def _slice(kernels: LinalgWriter, node: nodes.Slice) -> SSAValue | None:
    if not kernels.has_channels_last(node.of):
        return None
    x, strides = kernels.channels_last(node.of), channels_last(node.strides)
    return kernels.builder.slice(x, channels_last(node.offsets), channels_last(node.shape), strides)


def _insert(kernels: LinalgWriter, node: nodes.Insert) -> SSAValue | None:
    if not (kernels.has_channels_last(node.part) or kernels.has_channels_last(node.into)):
        return None
    if isinstance(node.into, nodes.Empty):
        into = kernels.builder.empty(channels_last(node.shape), node.dtype)
    else:
        into = kernels.channels_last(node.into)
    part, offsets = kernels.channels_last(node.part), channels_last(node.offsets)
    shape, strides = channels_last(node.part.shape), channels_last(node.strides)
    return kernels.builder.insert(part, into, offsets, shape, strides)


def _concat(kernels: LinalgWriter, node: nodes.Concat) -> SSAValue | None:
    if not any(map(kernels.has_channels_last, node.parts)):
        return None
    axis = channels_last(range(len(node.shape))).index(node.axis)
    parts = [kernels.channels_last(part) for part in node.parts]
    return kernels.builder.concat(parts, axis, channels_last(node.shape))


def _pad(kernels: LinalgWriter, node: nodes.Pad) -> SSAValue | None:
    # Most borders are for windows, which read channels-last copies.
    return _padded(kernels, node) if _allows_copy(kernels, node) else None


def _allows_copy(kernels: LinalgWriter, node: nodes.Pad) -> bool:
    """Whether the channels-last copy of a blob can be put into a border. IREE fails where it
    permutes an input of the model into a border of another value than 0."""
    return node.value.value == 0 or not isinstance(kernels.value(node.of), BlockArgument)


def _padded(kernels: LinalgWriter, node: nodes.Pad) -> SSAValue:
    border = scalars.constant(node.value.value, node.dtype, kernels.builder.place)
    x, old = kernels.channels_last(node.of), channels_last(node.of.shape)
    low, shape = channels_last(node.low), channels_last(node.shape)
    return kernels.builder.pad(x, old, border, low, shape)


def pad_or_crop(kernels: LinalgWriter, node: nodes.Node, extents: Sequence[int]) -> SSAValue:
    """Return the channels-last copy of a blob with these extents of h and w: extended by elements
    that nothing reads, or cut off. An existing border is extended with its own value: IREE refuses
    some borders of one value around borders of another one."""
    h, w = extents
    of, low, value = node, (0, 0, 0), nodes.scalar(0, node.dtype)
    if isinstance(node, nodes.Pad) and _allows_copy(kernels, node):
        of, low, value = node.of, node.low, node.value
    channels, *pixels = static_shape(node.shape)
    shape = (channels, max(h, pixels[0]), max(w, pixels[1]))
    if shape == node.shape:
        x = kernels.channels_last(node)
    else:
        x = _padded(kernels, nodes.Pad(shape, node.dtype, of, low, value))
    if shape[1:] != (h, w):
        x = kernels.builder.slice(x, (0, 0, 0), (h, w, channels), (1, 1, 1))
    return x


def tap_slices(
    builder: Builder,
    x: SSAValue,
    node: nodes.Convolve | nodes.ReduceWindows,
    kernel: Sequence[int],
    channels: int | None = None,
) -> Iterator[SSAValue]:
    """Yield, for each element of a window, the slice of a channels-last copy that it reads;
    `channels` if it has others than the node's input."""
    own = node.args[0].shape[0] if channels is None else channels
    shape = (*node.shape[-2:], own)
    for tap in product(*map(range, kernel)):
        at = tuple(i * d for i, d in zip(tap, node.dilations, strict=True))
        yield builder.slice(x, (*at, 0), shape, (*node.strides, 1))


def im2col(kernels: LinalgWriter, node: nodes.Convolve) -> SSAValue:
    """Copy the elements that windows read: `pixels x (groups, kernel, inputs)`. Copies of slices
    have vectors. If slices are many or small, one kernel copies the rows of all windows."""
    builder, groups, x = kernels.builder, node.groups, kernels.channels_last(node.x)
    h, w, channels = channels_last(node.x.shape)
    inputs, kh, kw = static_shape(node.weight.shape)[1:]
    places, (down, across), (below, beside) = node.shape[1:], node.strides, node.dilations
    small = nodes.is_static(node) and prod(static_shape((*places, channels))) < SMALL_SLICE
    plain = groups == beside == 1 and node.dtype.kind == "f"
    if plain and (small or kh * kw > MAX_TAPS):
        x = builder.reshape(x, (h, w, inputs), (h, w * inputs))
        where = [dim(0) * down + dim(2) * below, dim(1) * (across * inputs) + dim(3)]
        shape: Extents = (*places, kh, kw * inputs)
        out, dims = builder.empty(shape, node.x.dtype), [dim(i) for i in range(4)]
        laid = builder.generic([(x, where)], out, dims, 4, copied)
    else:  # first the elements of each row of a window, then the rows
        laid = builder.reshape(x, (h, w, channels), (h, w, groups, inputs))
        shape = (h, w, groups, inputs)
        for axis, count in (1, kw), (0, kh):
            shape = (*shape[:axis], places[axis], *shape[axis + 1 :])
            whole, part = (*shape[:3], count, shape[3]), (*shape[:3], 1, shape[3])
            x, laid = laid, builder.empty(whole, node.x.dtype)
            for i in range(count):
                at, steps = [0] * 4, [1] * 4
                at[axis], steps[axis] = i * node.dilations[axis], node.strides[axis]
                seen = builder.slice(x, at, shape, steps)
                laid = builder.insert(seen, laid, (0, 0, 0, i, 0), part, (1,) * 5)
            shape = (*shape[:3], count * shape[3])
            laid = builder.reshape(laid, whole, shape)
    return builder.reshape(laid, shape, (nodes.count(places), groups * kh * kw * inputs))


def sliced_elements(node: nodes.Node) -> int:
    """Return the number of elements of the slices from which a blob is computed, pixel by pixel:
    the slices that the windows of depthwise convolutions and of pools read. A sum over channels is
    computed pixel by pixel, too, unless it merges the axes of the pixels."""
    pending = [each.value for each in nodes.in_order([node]) if isinstance(each, nodes.Input)]
    seen: set[Operation] = set()
    count = 0
    while pending:
        value = pending.pop()
        op: Any = value.owner
        if not isinstance(op, Operation) or op in seen:
            continue
        seen.add(op)
        match op:
            case linalg.GenericOp() | linalg.TransposeOp():
                blobs = [each for each in op.inputs if len(_shape(each)) > 2]
                slices = [each for each in blobs if isinstance(each.owner, tensor.ExtractSliceOp)]
                count += sum(prod(_shape(each)) for each in slices)
                pending += [each for each in blobs if each not in slices]
            case tensor.CollapseShapeOp() | tensor.ExpandShapeOp() if len(_shape(op.src)) > 2:
                pending.append(op.src)
            case _:
                pass
    return count


def _shape(value: SSAValue) -> tuple[int, ...]:
    type_ = value.type
    return cast(TensorType[Any], type_).get_shape() if isinstance(type_, TensorType) else ()


def over_windows(
    kernels: LinalgWriter,
    node: nodes.Convolve | nodes.ReduceWindows,
    x: SSAValue,
    window: tuple[SSAValue, Sequence[AffineExpr]],
    first: bool | int | float,
    body: Body,
) -> SSAValue:
    """Write a reduction over the windows of a channels-last copy as a loop nest over pixels,
    channels, and the two axes of `window`."""
    where = [*positions(0, 3, node.strides, node.dilations), dim(2)]
    out = filled(kernels, nodes.Empty(channels_last(node.shape), node.dtype), first)
    return kernels.builder.generic([(x, where), window], out, [dim(i) for i in range(3)], 5, body)


def _reshape(kernels: LinalgWriter, node: nodes.Reshape) -> SSAValue | None:
    """Split channels into groups, merge groups into channels, or turn channels into pixels."""
    of, shape = node.of, channels_last(node.shape)
    if isinstance(of, nodes.View) and len(of.shape) == 5 and kernels.has_channels_last(of.of):
        channels, h, low_h, w, low_w = of.shape
        if node.shape != (channels, h * low_h, w * low_w):
            return None
        split = (h, low_h, w, low_w, channels)
        out = kernels.builder.empty(split, node.dtype)
        x = kernels.kernel(of, (4, 0, 1, 2, 3), out, range(5), 5)
        return kernels.builder.reshape(x, split, shape)
    if of.shape[-2:] != node.shape[-2:] or not kernels.has_channels_last(of):
        return None
    return kernels.builder.reshape(kernels.channels_last(of), channels_last(of.shape), shape)


def _reduce_windows(kernels: LinalgWriter, node: nodes.ReduceWindows) -> SSAValue | None:
    kernel = node.kernel
    if len(kernel) != 2 or len(node.shape) != 3 or prod(kernel) > MAX_TAPS:
        return None
    builder, dims = kernels.builder, [dim(i) for i in range(3)]
    x = kernels.channels_last(node.of)
    if not nodes.is_static(node.of):  # IREE copies slices of dynamic extents
        window = builder.empty(kernel, node.dtype), [dim(3), dim(4)]
        return over_windows(
            kernels,
            node,
            x,
            window,
            node.first,
            lambda args, place: scalars.apply(node.name, [args[2], args[0]], node.dtype, "", place),
        )
    slices = list(tap_slices(builder, x, node, kernel))

    def body(args: Sequence[SSAValue], place: scalars.Place) -> SSAValue:
        total = args[0]
        for arg in args[1 : len(slices)]:
            total = scalars.apply(node.name, [total, arg], node.dtype, "", place)
        return total

    out = builder.empty(channels_last(node.shape), node.dtype)
    return builder.generic([(value, dims) for value in slices], out, dims, 3, body)


COPY_WRITERS: Mapping[type[Node], CopyWriter] = {
    nodes.Elementwise: _elementwise,
    nodes.View: _elementwise,
    nodes.Slice: _slice,
    nodes.Insert: _insert,
    nodes.Concat: _concat,
    nodes.Pad: _pad,
    nodes.Reshape: _reshape,
    nodes.ReduceWindows: _reduce_windows,
}
"""The writers of channels-last copies by kind of node; of convolutions see `forms.py`."""
