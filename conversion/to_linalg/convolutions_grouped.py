"""The forms of convolutions in groups, with the channels innermost."""

from collections.abc import Sequence
from math import prod

from xdsl.ir import SSAValue

from ..tracing import nodes
from . import costs
from .builder import dim
from .channels_last import known, last, taps, twin
from .forms import FORMS, costs_of, form
from .kernels import Kernels, filled, multiplied_and_added


def _is_grouped(node: nodes.Convolve) -> bool:
    """Whether groups have more than a channel on one side."""
    outputs, inputs = known(node.weight.shape[:2])
    return len(node.strides) == 2 and node.groups > 1 and (inputs, outputs) != (1, node.groups)


def _split_cost(node: nodes.Convolve) -> float:
    own = _parts(node)[0]
    return costs.one_by_one(min(costs_of(own).values()), node.groups, known(own.shape)[0])


@form("groups", _is_grouped, _split_cost)
def _split(kernels: Kernels, node: nodes.Convolve) -> SSAValue:
    """Each group as a convolution of its own, of some of the channels, in the form that is best for
    that."""
    builder = kernels.builder
    *places, _ = shape = last(known(node.shape))
    made = builder.empty(shape, node.dtype)
    for i, own in enumerate(_parts(node)):
        count = known(own.shape)[0]
        value = FORMS[next(iter(costs_of(own)))].write(kernels, own)
        made = builder.insert(value, made, (0, 0, i * count), (*places, count), (1,) * 3)
    return made


def _parts(node: nodes.Convolve) -> list[nodes.Convolve]:
    """The convolution of each group."""
    outputs, inputs = known(node.weight.shape[:2])
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
    """Some elements along the outermost axis; with their own border, if there is one: forms may
    make it wider."""
    shape = (count, *x.shape[1:])
    if isinstance(x, nodes.Pad) and x.of.shape[0] == x.shape[0]:
        return nodes.Pad(shape, x.dtype, _outermost(x.of, start, count), x.low, x.value)
    rest = len(shape) - 1
    return nodes.Slice(shape, x.dtype, x, (start, *(0,) * rest), (1,) * len(shape))


@form("grouped", _is_grouped, costs.grouped)
def _columns(kernels: Kernels, node: nodes.Convolve) -> SSAValue:
    """What the windows see laid out as rows of a matrix for each group, and a product of matrices
    for each."""
    builder, groups = kernels.builder, node.groups
    outputs, inputs, kh, kw = known(node.weight.shape)
    h, w, channels = *known(node.shape[1:]), groups * inputs
    each, count = outputs // groups, kh * kw
    whole = (h, w, groups, count, inputs)
    laid = builder.empty(whole, node.x.dtype)
    for i, seen in enumerate(taps(builder, twin(kernels, node.x), node, (kh, kw))):
        seen = builder.reshape(seen, (h, w, channels), (h, w, groups, inputs))
        laid = builder.insert(seen, laid, (0, 0, 0, i, 0), (h, w, groups, 1, inputs), (1,) * 5)
    laid = builder.reshape(laid, whole, (h * w, groups, count * inputs))
    made = nodes.Blank((h * w, groups, each), node.dtype)
    value = builder.generic(
        [(laid, [dim(0), dim(1), dim(3)]), (_matrices(kernels, node), [dim(1), dim(3), dim(2)])],
        filled(kernels, made),
        [dim(0), dim(1), dim(2)],
        4,
        multiplied_and_added(node, (node.x, node.weight)),
    )
    return builder.reshape(value, made.shape, last(node.shape))


def _matrices(kernels: Kernels, node: nodes.Convolve) -> SSAValue:
    """The weight as `groups x (kernel, inputs) x outputs`."""
    builder, groups = kernels.builder, node.groups
    outputs, inputs, *kernel = known(node.weight.shape)
    each = outputs // groups
    split = (groups, each, inputs, *kernel)
    weight = builder.reshape(kernels.value(node.weight), node.weight.shape, split)
    order: Sequence[int] = (0, 3, 4, 2, 1)
    whole = tuple(split[i] for i in order)
    weight = builder.generic(
        [(weight, [dim(order.index(i)) for i in range(5)])],
        builder.empty(whole, node.weight.dtype),
        [dim(i) for i in range(5)],
        5,
        lambda args, _: args[0],
    )
    return builder.reshape(weight, whole, (groups, prod(kernel) * inputs, each))
