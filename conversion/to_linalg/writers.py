"""How each kind of node is written."""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, TypeVar

import numpy as np
from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import IndexType
from xdsl.dialects.linalg import ops as linalg
from xdsl.ir import SSAValue

from ...dialects.shapes.terms import Extents
from ..tracing import loops, nodes
from ..tracing.nodes import Node
from . import scalars
from .builder import dim
from .kernels import Kernels, filled, multiplied_and_added, positions

Writer: TypeAlias = Callable[[Kernels, Any], SSAValue]
_N = TypeVar("_N", bound=Node)

WRITERS: dict[type[Node], Writer] = {}
"""How each kind of node is written."""


def writes(kind: type[_N]) -> Callable[[Callable[[Kernels, _N], SSAValue]], Any]:
    """Declares how a kind of node is written."""

    def declare(writer: Callable[[Kernels, _N], SSAValue]) -> Any:
        WRITERS[kind] = writer
        return writer

    return declare


@writes(nodes.Given)
def _given(kernels: Kernels, node: nodes.Given) -> SSAValue:
    return node.value


@writes(nodes.Dense)
def _dense(kernels: Kernels, node: nodes.Dense) -> SSAValue:
    return kernels.builder.dense(node.values)


@writes(nodes.Blank)
def _blank(kernels: Kernels, node: nodes.Blank) -> SSAValue:
    return kernels.builder.empty(node.shape, node.dtype)


@writes(nodes.Scalar)
def _scalar(kernels: Kernels, node: nodes.Scalar) -> SSAValue:
    return kernels.builder.dense(np.asarray(node.value, node.dtype))


@writes(nodes.Apply)
def _apply(kernels: Kernels, node: nodes.Apply) -> SSAValue:
    rank = len(node.shape)
    out = kernels.builder.empty(node.shape, node.dtype)
    return kernels.kernel(node, tuple(range(rank)), out, range(rank), rank)


@writes(nodes.View)
def _view(kernels: Kernels, node: nodes.View) -> SSAValue:
    if isinstance(node.of, nodes.Scalar):
        number = kernels.number(node.of, kernels.builder.place)
        return kernels.builder.fill(number, node.shape, node.dtype)
    used = [axis for axis in node.axes if axis is not None]
    moved = any(a > b for a, b in zip(used, used[1:], strict=False))
    inside = isinstance(node.of, nodes.Apply | nodes.View) and node.of not in kernels.whole
    ranked = node.shape and node.of.shape  # xDSL reshapes no tensor without axes
    if ranked and not node.repeats and not moved and not inside:
        return kernels.builder.reshape(kernels.value(node.of), node.of.shape, node.shape)
    rank = len(node.shape)
    out = kernels.builder.empty(node.shape, node.dtype)
    return kernels.kernel(node, tuple(range(rank)), out, range(rank), rank)


@writes(nodes.Reshape)
def _reshape(kernels: Kernels, node: nodes.Reshape) -> SSAValue:
    return kernels.builder.reshape(kernels.value(node.of), node.of.shape, node.shape)


@writes(nodes.Slice)
def _slice(kernels: Kernels, node: nodes.Slice) -> SSAValue:
    return kernels.builder.slice(kernels.value(node.of), node.offsets, node.shape, node.strides)


@writes(nodes.Insert)
def _insert(kernels: Kernels, node: nodes.Insert) -> SSAValue:
    part, into = kernels.value(node.part), kernels.value(node.into)
    return kernels.builder.insert(part, into, node.offsets, node.part.shape, node.strides)


@writes(nodes.Pad)
def _pad(kernels: Kernels, node: nodes.Pad) -> SSAValue:
    builder = kernels.builder
    border = scalars.constant(node.value.value, node.dtype, builder.place)
    high: Extents = tuple(
        n - m - before for n, m, before in zip(node.shape, node.of.shape, node.low, strict=True)
    )
    return builder.pad(kernels.value(node.of), border, node.low, high, node.shape)


@writes(nodes.Reduce)
def _reduce(kernels: Kernels, node: nodes.Reduce) -> SSAValue:
    def combine(value: SSAValue, total: SSAValue, place: scalars.Place) -> SSAValue:
        return scalars.apply(node.name, [value, total], node.dtype, "", place)

    if kernels.form != "named":
        from .channels_last import reduced

        value = reduced(kernels, node, combine)
        if value is not None:
            return value
    # Along an axis of one element there is nothing to reduce, and what is read need not have it.
    axes = [i for i, n in enumerate(node.of.shape) if i not in node.axes or n != 1]
    access = tuple(axes.index(i) if i in axes else None for i in range(len(node.of.shape)))
    kept = [axes.index(i) for i in axes if i not in node.axes]
    out = filled(kernels, node, node.first)
    return kernels.kernel(node.of, access, out, kept, len(axes), combine, root=False)


@writes(loops.LoopResult)
def _loop_result(kernels: Kernels, node: loops.LoopResult) -> SSAValue:
    return kernels.loop(node.loop)[node.index]


@writes(nodes.Contract)
def _contract(kernels: Kernels, node: nodes.Contract) -> SSAValue:
    rank = len(node.shape)
    dims = 1 + max((i for each in node.dims for i in each), default=rank - 1)
    out = filled(kernels, node, 0)
    a, b = (kernels.value(arg) for arg in node.of)
    if kernels.form != "named":
        from .slices import apart

        a, b = (apart(kernels.builder, f, v) for f, v in zip(node.of, (a, b), strict=True))
    if kernels.form == "named" and node.dims == ((0, 2), (2, 1)) and node.dtype.kind == "f":
        return kernels.builder.place(linalg.MatmulOp([a, b], [out]))
    inputs = [(v, [dim(i) for i in each]) for v, each in zip((a, b), node.dims, strict=True)]
    outs = [dim(i) for i in range(rank)]
    body = multiplied_and_added(node, node.of)
    return kernels.builder.generic(inputs, out, outs, max(dims, rank), body)


@writes(nodes.ReduceWindows)
def _reduce_windows(kernels: Kernels, node: nodes.ReduceWindows) -> SSAValue:
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


@writes(nodes.Convolve)
def _convolve(kernels: Kernels, node: nodes.Convolve) -> SSAValue:
    from .convolutions import convolution

    return convolution(kernels, node)


@writes(nodes.Gather)
def _gather(kernels: Kernels, node: nodes.Gather) -> SSAValue:
    builder, rank = kernels.builder, len(node.shape)
    x, indices = kernels.value(node.of), kernels.value(node.indices)
    more = len(node.indices.shape)
    own = list(range(node.axis, node.axis + more))

    def body(args: Sequence[SSAValue], place: scalars.Place) -> SSAValue:
        at = place(arith.IndexCastOp(args[0], IndexType()))
        outer = [place(linalg.IndexOp(i)) for i in range(rank) if i not in own]
        return place(
            tensor.ExtractOp(x, [*outer[: node.axis], at, *outer[node.axis :]], _element_of(x))
        )

    out = builder.empty(node.shape, node.dtype)
    return builder.generic(
        [(indices, [dim(i) for i in own])], out, [dim(i) for i in range(rank)], rank, body
    )


def _element_of(value: SSAValue) -> Any:
    type_: Any = value.type
    return type_.element_type
