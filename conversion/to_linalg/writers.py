"""The writers of all kinds of nodes."""

from collections.abc import Mapping, Sequence

import numpy as np
from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import IndexType
from xdsl.dialects.linalg import ops as linalg
from xdsl.ir import SSAValue

from ..tracing import loops, nodes
from ..tracing.nodes import Node
from . import channels_last, scalars
from .builder import dim
from .channels_last import COPY_WRITERS, CopyWriter
from .convolutions import convolution
from .forms import form_of
from .kernels import LinalgWriter, Writer, filled, mac_body, positions
from .loops import write_loop
from .slices import materialized


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


def _loop_result(kernels: LinalgWriter, node: loops.LoopResult) -> SSAValue:
    return kernels.loop(node.loop, write_loop)[node.index]


def _contract(kernels: LinalgWriter, node: nodes.Contract) -> SSAValue:
    rank = len(node.shape)
    dims = 1 + max((i for each in node.dims for i in each), default=rank - 1)
    out = filled(kernels, node, 0)
    a, b = (kernels.value(arg) for arg in node.of)
    if kernels.style != "named":
        a, b = (materialized(kernels.builder, f, v) for f, v in zip(node.of, (a, b), strict=True))
    if kernels.style == "named" and node.dims == ((0, 2), (2, 1)) and node.dtype.kind == "f":
        return kernels.builder.place(linalg.MatmulOp([a, b], [out]))
    inputs = [(v, [dim(i) for i in each]) for v, each in zip((a, b), node.dims, strict=True)]
    outs = [dim(i) for i in range(rank)]
    body = mac_body(node, node.of)
    return kernels.builder.generic(inputs, out, outs, max(dims, rank), body)


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
