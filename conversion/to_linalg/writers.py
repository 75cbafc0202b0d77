"""The writers of all kinds of nodes: one function for each, and the table of them.

In the style for other MLIR tools each node is written as a blob. For IREE the writers of
channels-last copies are tried first.
"""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np
from xdsl.dialects import arith, scf, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, TensorType
from xdsl.dialects.linalg import ops as linalg
from xdsl.ir import Block, Operation, SSAValue

from ...dialects.shapes.terms import Extents
from ..tracing import loops, nodes
from ..tracing.nodes import Node
from . import channels_last, scalars
from .builder import Builder, Index, dim
from .channels_last import COPY_WRITERS, CopyWriter
from .convolutions import convolution
from .forms import form_of
from .kernels import LinalgWriter, Writer, copied, filled, mac_body, positions


def _input(kernels: LinalgWriter, node: nodes.Input) -> SSAValue:
    return node.value


def _dense(kernels: LinalgWriter, node: nodes.Dense) -> SSAValue:
    return kernels.builder.dense(node.values)


def _empty(kernels: LinalgWriter, node: nodes.Empty) -> SSAValue:
    return kernels.builder.empty(node.shape, node.dtype)


def _scalar(kernels: LinalgWriter, node: nodes.Scalar) -> SSAValue:
    return kernels.builder.dense(np.asarray(node.value, node.dtype))


def _tensor(kernels: LinalgWriter, node: nodes.Tensor) -> SSAValue:
    return kernels.value(node.of)


def _elementwise(kernels: LinalgWriter, node: nodes.Elementwise) -> SSAValue:
    rank = len(node.shape)
    out = kernels.builder.empty(node.shape, node.dtype)
    return kernels.kernel(node, tuple(range(rank)), out, range(rank), rank)


def _view(kernels: LinalgWriter, node: nodes.View) -> SSAValue:
    if isinstance(node.of, nodes.Scalar):
        number = kernels.number(node.of, kernels.builder.place)
        return kernels.builder.fill(number, node.shape, node.dtype)
    used = [axis for axis in node.axes if axis is not None]
    moved = any(a > b for a, b in zip(used, used[1:], strict=False))
    inside = isinstance(node.of, nodes.Elementwise | nodes.View) and node.of not in kernels.tensors
    ranked = node.shape and node.of.shape  # xDSL reshapes no tensor without axes
    if ranked and not node.repeats and not inside:
        if not moved:
            return kernels.builder.reshape(kernels.value(node.of), node.of.shape, node.shape)
        if len(used) == len(node.axes) == len(node.of.shape):
            return kernels.builder.transpose(kernels.value(node.of), node.of.shape, used)
    rank = len(node.shape)
    out = kernels.builder.empty(node.shape, node.dtype)
    return kernels.kernel(node, tuple(range(rank)), out, range(rank), rank)


def _reshape(kernels: LinalgWriter, node: nodes.Reshape) -> SSAValue:
    return kernels.builder.reshape(kernels.value(node.of), node.of.shape, node.shape)


def _concat(kernels: LinalgWriter, node: nodes.Concat) -> SSAValue:
    parts = [kernels.value(part) for part in node.parts]
    return kernels.builder.concat(parts, node.axis, node.shape)


def _slice(kernels: LinalgWriter, node: nodes.Slice) -> SSAValue:
    return kernels.builder.slice(kernels.value(node.of), node.offsets, node.shape, node.strides)


def _insert(kernels: LinalgWriter, node: nodes.Insert) -> SSAValue:
    part, into = kernels.value(node.part), kernels.value(node.into)
    return kernels.builder.insert(part, into, node.offsets, node.part.shape, node.strides)


def _pad(kernels: LinalgWriter, node: nodes.Pad) -> SSAValue:
    builder = kernels.builder
    border = scalars.constant(node.value.value, node.dtype, builder.place)
    return builder.pad(kernels.value(node.of), node.of.shape, border, node.low, node.shape)


def _reduce(kernels: LinalgWriter, node: nodes.Reduce) -> SSAValue:
    def combine(value: SSAValue, total: SSAValue, place: scalars.Place) -> SSAValue:
        return scalars.apply(node.name, [value, total], node.dtype, "", place)

    if kernels.style != "named":
        value = channels_last.reduce(kernels, node, combine)
        if value is not None:
            return value
    # An axis of one element needs no reduction; the loop nest omits it.
    axes = [i for i, n in enumerate(node.of.shape) if i not in node.axes or n != 1]
    access = tuple(axes.index(i) if i in axes else None for i in range(len(node.of.shape)))
    kept = [axes.index(i) for i in axes if i not in node.axes]
    out = filled(kernels, node, node.first)
    return kernels.kernel(node.of, access, out, kept, len(axes), combine, root=False)


def _write_loop(kernels: LinalgWriter, node: loops.Loop) -> list[SSAValue]:
    """Write a loop over the rows of a matrix. Return the rows of its results, and the state after
    the last step. Loop-invariant values are computed before it."""
    builder = kernels.builder
    rows, first = kernels.value(node.x), [kernels.value(each) for each in node.first]
    count = node.x.shape[0]
    made = builder.empty((count, *node.first[0].shape), node.first[0].dtype)
    block = Block(arg_types=[IndexType(), made.type, *(value.type for value in first)])

    def inside(op: Operation) -> SSAValue:
        block.add_op(op)
        return op.results[0]

    at, filled, *carried = block.args
    if node.reverse:
        last = inside(arith.SubiOp(builder.extents.of(count), builder.extents.of(1)))
        at = inside(arith.SubiOp(last, at))
    body = kernels.inside(inside)
    width = node.row.shape
    body.set_value(node.row, body.builder.slice(rows, *_row(at, width), width))
    for parameter, value in zip(node.carried, carried, strict=True):
        body.set_value(parameter, value)
    for outer in node.outer:
        body.set_value(outer, kernels.value(outer))
    after = body.write(node.next)
    result = body.builder.insert(after[0], filled, *_row(at, node.first[0].shape))
    block.add_op(scf.YieldOp(result, *after))
    begin, end, by = (builder.extents.of(n) for n in (0, count, 1))
    op = scf.ForOp(begin, end, by, [made, *first], block)
    builder.place(op)
    return list(op.results)


def _row(at: SSAValue, shape: Extents) -> tuple[Sequence[Index], Extents, Sequence[int]]:
    """Return the offsets, the sizes and the strides of a row of a matrix."""
    return (at, *(0 for _ in shape)), (1, *shape), (1,) * (1 + len(shape))


def _loop_result(kernels: LinalgWriter, node: loops.LoopResult) -> SSAValue:
    return kernels.loop(node.loop, _write_loop)[node.index]


def _contract(kernels: LinalgWriter, node: nodes.Contract) -> SSAValue:
    rank = len(node.shape)
    dims = 1 + max((i for each in node.dims for i in each), default=rank - 1)
    out = filled(kernels, node, 0)
    a, b = (kernels.value(arg) for arg in node.of)
    if kernels.style != "named":
        a, b = (_materialized(kernels.builder, f, v) for f, v in zip(node.of, (a, b), strict=True))
    if kernels.style == "named" and node.dims == ((0, 2), (2, 1)) and node.dtype.kind == "f":
        return kernels.builder.place(linalg.MatmulOp([a, b], [out]))
    inputs = [(v, [dim(i) for i in each]) for v, each in zip((a, b), node.dims, strict=True)]
    outs = [dim(i) for i in range(rank)]
    body = mac_body(node, node.of)
    return kernels.builder.generic(inputs, out, outs, max(dims, rank), body)


def _materialized(builder: Builder, node: Node, value: SSAValue) -> SSAValue:
    """Return the factor of a matrix product. If it is a slice of another tensor, copy it into a
    tensor of its own.

    IREE fuses a slice into the kernel that reads it unless the slice is contiguous, and a
    permutation into the maps of the product. Then the kernel that multiplies also lays out its
    factors, a whole matrix at a time. That is slow, or refused because vectors are too long.
    """
    if node.dtype.kind != "f" or not _is_part(value):
        return value
    dims = [dim(i) for i in range(len(node.shape))]
    out = builder.empty(node.shape, node.dtype)
    return builder.generic([(value, dims)], out, dims, len(dims), copied)


def _is_part(value: SSAValue) -> bool:
    """Whether a tensor is a slice, perhaps reshaped and transposed."""
    match value.owner:
        case tensor.ExpandShapeOp() | tensor.CollapseShapeOp() as op:
            return _is_part(op.src)
        case (linalg.GenericOp() | linalg.TransposeOp()) as op if (
            len(op.inputs) == 1 and len(op.body.block.ops) == 1
        ):
            return _is_part(op.inputs[0])
        case tensor.ExtractSliceOp() as op:
            return not _is_in_one_piece(op) or _is_part(op.source)
        case _:
            return False


def _is_in_one_piece(op: tensor.ExtractSliceOp) -> bool:
    """Whether a slice is contiguous."""
    shape = cast(TensorType[Any], op.source.type).get_shape()
    sizes = cast(Sequence[int], op.static_sizes.get_values())
    strides = cast(Sequence[int], op.static_strides.get_values())
    first = next((i for i, n in enumerate(sizes) if n != 1), len(sizes))
    whole = DYNAMIC_INDEX not in shape and tuple(sizes[first + 1 :]) == tuple(shape[first + 1 :])
    return whole and all(stride == 1 for stride in strides)


def _reduce_windows(kernels: LinalgWriter, node: nodes.ReduceWindows) -> SSAValue:
    builder, count = kernels.builder, len(node.kernel)
    rank = len(node.shape)
    x = kernels.value(node.of)
    window = builder.empty(node.kernel, node.dtype)
    where = [dim(i) for i in range(rank - count)]
    where += positions(rank - count, rank, node.strides, node.dilations)
    places = [dim(rank + i) for i in range(count)]

    def body(args: Sequence[SSAValue], place: scalars.Place) -> SSAValue:
        return scalars.apply(node.name, [args[2], args[0]], node.dtype, "", place)

    out, outs = filled(kernels, node, node.first), [dim(i) for i in range(rank)]
    return builder.generic([(x, where), (window, places)], out, outs, rank + count, body)


def _convolve(kernels: LinalgWriter, node: nodes.Convolve) -> SSAValue:
    form = form_of(kernels, node) if kernels.style != "named" else None
    if form is None:
        return convolution(kernels, node)
    return kernels.copies.blob_of(form.write(kernels, node), node.shape)


def _gather(kernels: LinalgWriter, node: nodes.Gather) -> SSAValue:
    builder, rank = kernels.builder, len(node.shape)
    x, indices = kernels.value(node.of), kernels.value(node.indices)
    more = len(node.indices.shape)
    own = list(range(node.axis, node.axis + more))

    def body(args: Sequence[SSAValue], place: scalars.Place) -> SSAValue:
        at = place(arith.IndexCastOp(args[0], IndexType()))
        outer = [place(linalg.IndexOp(i)) for i in range(rank) if i not in own]
        places = [*outer[: node.axis], at, *outer[node.axis :]]
        return place(tensor.ExtractOp(x, places, scalars.type_of(node.dtype)))

    out = builder.empty(node.shape, node.dtype)
    return builder.generic(
        [(indices, [dim(i) for i in own])], out, [dim(i) for i in range(rank)], rank, body
    )


_WRITERS: Mapping[type[Node], Writer] = {
    nodes.Input: _input,
    nodes.Dense: _dense,
    nodes.Empty: _empty,
    nodes.Scalar: _scalar,
    nodes.Tensor: _tensor,
    nodes.Elementwise: _elementwise,
    nodes.View: _view,
    nodes.Reshape: _reshape,
    nodes.Concat: _concat,
    nodes.Slice: _slice,
    nodes.Insert: _insert,
    nodes.Pad: _pad,
    nodes.Reduce: _reduce,
    loops.LoopResult: _loop_result,
    nodes.Contract: _contract,
    nodes.ReduceWindows: _reduce_windows,
    nodes.Convolve: _convolve,
    nodes.Gather: _gather,
}


def _copied_first(write: CopyWriter, otherwise: Writer) -> Writer:
    """Return a writer that writes the channels-last copy of a node where that is better."""

    def write_copy_or_blob(kernels: LinalgWriter, node: Node) -> SSAValue:
        copy = write(kernels, node) if len(node.shape) > 2 else None
        if copy is None:
            return otherwise(kernels, node)
        return kernels.copies.blob_of(copy, node.shape)

    return write_copy_or_blob


_COPY_WRITERS = {
    kind: _copied_first(writer, _WRITERS[kind]) for kind, writer in COPY_WRITERS.items()
}


def writers_of(style: str) -> Mapping[type[Node], Writer]:
    """Return the writer of each kind of node for one of `STYLES`."""
    return _WRITERS if style == "named" else {**_WRITERS, **_COPY_WRITERS}
