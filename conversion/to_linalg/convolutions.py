"""Writers of convolutions of blobs, without channels-last copies."""

from typing import Any

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, TensorType, i64
from xdsl.dialects.linalg import ops as linalg
from xdsl.ir import SSAValue

from ...dialects.shapes.terms import Extents
from ..tracing import nodes
from .builder import dim
from .kernels import LinalgWriter, filled, mac_body, positions


def convolution(kernels: LinalgWriter, node: nodes.Convolve) -> SSAValue:
    """Write a convolution without padding: as a named operation if it has two spatial axes, else as
    a loop nest."""
    if kernels.style != "named" and len(node.strides) == 1 and nodes.is_static(node.x, node.weight):
        return _of_one_row(kernels, node)
    if (
        node.groups == 1
        and len(node.strides) == 2
        and kernels.style == "named"
        and node.dtype.kind == "f"
    ):
        return _named(kernels, node)
    return _loop_nest(kernels, node)


def _of_one_row(kernels: LinalgWriter, node: nodes.Convolve) -> SSAValue:
    """Write a convolution along one axis as one along two axes, of blobs with one row."""
    row = nodes.Convolve(
        (node.shape[0], 1, *node.shape[1:]),
        node.dtype,
        _row(node.x, 1),
        _row(node.weight, 2),
        (1, *node.strides),
        (1, *node.dilations),
        node.groups,
    )
    if node in kernels.forms:
        kernels.forms[row] = kernels.forms[node]
    return kernels.builder.reshape(kernels.value(row), row.shape, node.shape)


def _row(x: nodes.Node, axis: int) -> nodes.Node:
    """Return the same elements with one more axis of one element. A border stays a border."""
    shape = (*x.shape[:axis], 1, *x.shape[axis:])
    if isinstance(x, nodes.Pad):
        low = (*x.low[:axis], 0, *x.low[axis:])
        return nodes.Pad(shape, x.dtype, _row(x.of, axis), low, x.value)
    return nodes.reshape(x, shape)


def _named(kernels: LinalgWriter, node: nodes.Convolve) -> SSAValue:
    """Write `linalg.conv_2d_nchw_fchw` of a batch of one."""
    builder = kernels.builder
    x, weight = kernels.value(node.x), kernels.value(node.weight)
    x = builder.reshape(x, node.x.shape, (1, *node.x.shape))
    whole: Extents = (1, *node.shape)
    out = filled(kernels, nodes.Empty(whole, node.dtype))
    made = builder.place(
        linalg.Conv2DNchwFchwOp(
            [x, weight],
            [out],
            [out.type],
            strides=numbers(node.strides),
            dilations=numbers(node.dilations),
        )
    )
    return builder.reshape(made, whole, node.shape)


def numbers(values: tuple[int, ...]) -> Any:
    """Return the strides or dilations of a named operation."""
    return DenseIntOrFPElementsAttr.from_list(TensorType(i64, [len(values)]), list(values))


def _loop_nest(kernels: LinalgWriter, node: nodes.Convolve) -> SSAValue:
    """Write a convolution as one loop nest over groups, outputs of a group, pixels, inputs of a
    group, and elements of the kernel; without loops that have one iteration by definition."""
    builder, count, groups = kernels.builder, len(node.strides), node.groups
    outputs, inputs, *kernel = node.weight.shape
    is_depthwise = groups > 1 and inputs == 1 and groups == outputs
    outer: Extents = () if groups == 1 else (groups,)
    own: Extents = () if is_depthwise else (outputs // groups,)
    summed: Extents = () if is_depthwise else (inputs,)
    x = builder.reshape(kernels.value(node.x), node.x.shape, (*outer, *summed, *node.x.shape[1:]))
    factors: Extents = (*outer, *own, *summed, *kernel)
    weight = builder.reshape(kernels.value(node.weight), node.weight.shape, factors)
    result = nodes.Empty((*outer, *own, *node.shape[1:]), node.dtype)
    pixel = len(outer) + len(own)
    channel = pixel + count
    tap = channel + len(summed)
    channels = [dim(channel + i) for i in range(len(summed))]
    groups_and_outputs = [dim(i) for i in range(pixel)]
    where = [*groups_and_outputs[: len(outer)], *channels]
    where += positions(pixel, tap, node.strides, node.dilations)
    made = builder.generic(
        [
            (x, where),
            (weight, [*groups_and_outputs, *channels, *(dim(tap + i) for i in range(count))]),
        ],
        filled(kernels, result),
        [dim(i) for i in range(channel)],
        tap + count,
        mac_body(node, (node.x, node.weight)),
    )
    return builder.reshape(made, result.shape, node.shape)
