"""Writers of the channels-last forms of convolutions in groups."""

from collections.abc import Callable
from math import prod
from typing import TypeAlias

from xdsl.ir import SSAValue

from ..tracing import nodes
from .builder import dim
from .channels_last import static_shape, tap_slices
from .kernels import Kernels, filled, multiplied_and_added
from .layouts import channels_last

Writer: TypeAlias = Callable[[Kernels, nodes.Convolve], SSAValue]


def one_by_one(
    kernels: Kernels, node: nodes.Convolve, writer_of: Callable[[nodes.Convolve], Writer]
) -> SSAValue:
    """Write each group as a convolution of its own, and join their channels."""
    shape = channels_last(node.shape)
    made = kernels.builder.empty(shape, node.dtype)
    start = 0
    for own in convolutions_of(node):
        own_shape = channels_last(own.shape)
        value = writer_of(own)(kernels, own)
        made = kernels.builder.insert(value, made, (0, 0, start), own_shape, (1,) * 3)
        start += static_shape(own.weight.shape)[0]
    return made


def convolutions_of(node: nodes.Convolve) -> list[nodes.Convolve]:
    """Return the convolution of each group."""
    outputs, inputs = static_shape(node.weight.shape[:2])
    count = outputs // node.groups
    return [
        nodes.Convolve(
            (count, *node.shape[1:]),
            node.dtype,
            _outermost(node.x, i * inputs, inputs),
            _outermost(node.weight, i * count, count),
            node.strides,
            node.dilations,
            1,
        )
        for i in range(node.groups)
    ]


def _outermost(x: nodes.Node, start: int, count: int) -> nodes.Node:
    """Return some elements along the outermost axis. A border stays a border: forms may widen
    it."""
    shape = (count, *x.shape[1:])
    if isinstance(x, nodes.Pad) and x.of.shape[0] == x.shape[0]:
        return nodes.Pad(shape, x.dtype, _outermost(x.of, start, count), x.low, x.value)
    rest = len(shape) - 1
    return nodes.Slice(shape, x.dtype, x, (start, *(0,) * rest), (1,) * len(shape))


def columns(kernels: Kernels, node: nodes.Convolve) -> SSAValue:
    """Lay out the windows of each group as the rows of a matrix, and multiply one pair of matrices
    per group."""
    builder, groups = kernels.builder, node.groups
    outputs, inputs, kh, kw = static_shape(node.weight.shape)
    h, w, channels = *node.shape[1:], groups * inputs
    each, count = outputs // groups, kh * kw
    whole = (h, w, groups, count, inputs)
    laid = builder.empty(whole, node.x.dtype)
    for i, seen in enumerate(tap_slices(builder, kernels.channels_last(node.x), node, (kh, kw))):
        seen = builder.reshape(seen, (h, w, channels), (h, w, groups, inputs))
        laid = builder.insert(seen, laid, (0, 0, 0, i, 0), (h, w, groups, 1, inputs), (1,) * 5)
    laid = builder.reshape(laid, whole, (h * w, groups, count * inputs))
    made = nodes.Empty((h * w, groups, each), node.dtype)
    value = builder.generic(
        [(laid, [dim(0), dim(1), dim(3)]), (_matrices(kernels, node), [dim(1), dim(3), dim(2)])],
        filled(kernels, made),
        [dim(0), dim(1), dim(2)],
        4,
        multiplied_and_added(node, (node.x, node.weight)),
    )
    return builder.reshape(value, made.shape, channels_last(node.shape))


def _matrices(kernels: Kernels, node: nodes.Convolve) -> SSAValue:
    """Return the weight as `groups x (kernel, inputs) x outputs`."""
    builder, groups = kernels.builder, node.groups
    outputs, inputs, *kernel = static_shape(node.weight.shape)
    each = outputs // groups
    split = (groups, each, inputs, *kernel)
    weight = builder.reshape(kernels.value(node.weight), node.weight.shape, split)
    order = (0, 3, 4, 2, 1)
    whole = tuple(split[i] for i in order)
    weight = builder.transpose(weight, split, order)
    return builder.reshape(weight, whole, (groups, prod(kernel) * inputs, each))
