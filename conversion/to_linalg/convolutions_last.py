"""The forms of convolutions and pools with the channels innermost."""

from collections.abc import Sequence
from math import prod
from typing import Any

from xdsl.dialects import math, tensor
from xdsl.dialects.arith import MulfOp
from xdsl.dialects.linalg import ops as linalg
from xdsl.ir import SSAValue

from ...dialects.ncnn.cropping import CropOp
from ...dialects.ncnn.joining import SliceOp
from ...dialects.shapes.windows import span_of
from ..tracing import nodes
from . import costs, scalars
from .builder import dim
from .channels_last import TWINS as TWINS
from .channels_last import fitted, known, last, taps, twin, writes_twin
from .convolutions_grouped import FORMS as FORMS
from .forms import chosen, form, is_known
from .kernels import Kernels, filled, multiplied_and_added
from .winograd import POINTS, winograd


@writes_twin(nodes.Convolve)
def _convolve(kernels: Kernels, node: nodes.Convolve) -> SSAValue | None:
    found = chosen(kernels, node)
    return None if found is None else found.write(kernels, node)


def _is_pointwise(node: nodes.Convolve) -> bool:
    return node.groups == 1 and node.weight.shape[2:] == (1, 1)


def _is_windowed(node: nodes.Convolve) -> bool:
    """Whether it is one not in groups that sees more than one place."""
    return len(node.strides) == 2 and node.groups == 1 and not _is_pointwise(node)


def _is_windowed_float(node: nodes.Convolve) -> bool:
    return _is_windowed(node) and node.dtype.kind == "f"


def _has_rows(node: nodes.Convolve) -> bool:
    """Whether it is one of floats with several rows: of one row IREE's direct convolution takes
    ten times as long as columns."""
    return _is_windowed_float(node) and node.shape[1] != 1


def _is_depthwise(node: nodes.Convolve) -> bool:
    return len(node.strides) == 2 and node.weight.shape[1] == 1 and 1 < node.groups == node.shape[0]


def _is_dense(node: nodes.Convolve) -> bool:
    """Whether its windows are 3x3, one place apart."""
    ones = (1, 1)
    square = node.weight.shape[2:] == (3, 3)
    return _is_windowed_float(node) and square and node.strides == ones and node.dilations == ones


@form("places", _is_pointwise, costs.pointwise)
def _along_two_axes(kernels: Kernels, node: nodes.Convolve) -> SSAValue:
    """The axes of the places stay two: if they were merged, IREE would merge them in what computes
    `x` as well, and copy each slice that a depthwise convolution reads for that (mobilenet_v3: 1.7
    times the time of ncnn instead of 1.2)."""
    return _pointwise(kernels, node, False)


@form("flat", _is_pointwise, costs.pointwise)
def _along_one_axis(kernels: Kernels, node: nodes.Convolve) -> SSAValue:
    """A matrix product of all places."""
    return _pointwise(kernels, node, True)


def _pointwise(kernels: Kernels, node: nodes.Convolve, is_flat: bool) -> SSAValue:
    """A window of one place: a sum over channels."""
    builder = kernels.builder
    shape, (outputs, inputs) = last(known(node.shape)), known(node.weight.shape)[:2]
    x = twin(kernels, node.x)
    if any(n > 1 for n in node.strides):
        x = builder.slice(x, (0, 0, 0), (*shape[:2], inputs), (*node.strides, 1))
    weight = kernels.value(node.weight)
    weight = builder.reshape(weight, node.weight.shape, (outputs, inputs))
    places = list(shape[:2])
    # Of a part of a blob IREE would take the cut into the sum, with huge vectors.
    if is_flat or _is_part(x):
        x, places = builder.reshape(x, (*places, inputs), (n := prod(places), inputs)), [n]
    made = nodes.Blank((*places, outputs), node.dtype)
    own, o = [dim(i) for i in range(len(places))], len(places)
    value = builder.generic(
        [(x, [*own, dim(o + 1)]), (weight, [dim(o), dim(o + 1)])],
        filled(kernels, made),
        [*own, dim(o)],
        o + 2,
        multiplied_and_added(node, (node.x, node.weight)),
    )
    return builder.reshape(value, made.shape, shape)


def _is_part(value: SSAValue) -> bool:
    """Whether a twin is a slice, or will be: layers are lowered after fused operations."""
    op: Any = value.owner
    if isinstance(op, linalg.GenericOp) and len(op.inputs) == 1:
        op = op.inputs[0].owner
    return isinstance(op, tensor.ExtractSliceOp | SliceOp | CropOp)


def _ordered(kernels: Kernels, node: nodes.Convolve, order: Sequence[int]) -> SSAValue:
    """The weight with its axes in another order."""
    shape = tuple(node.weight.shape[i] for i in order)
    rank = len(shape)
    return kernels.builder.generic(
        [(kernels.value(node.weight), [dim(order.index(i)) for i in range(rank)])],
        kernels.builder.empty(shape, node.weight.dtype),
        [dim(i) for i in range(rank)],
        rank,
        lambda args, _: args[0],
    )


STEPS = (7, 8)
"""One of these divides the rows of a direct convolution well."""


@form("direct", _has_rows, costs.direct)
def _direct(kernels: Kernels, node: nodes.Convolve) -> SSAValue:
    """`linalg.conv_2d_nhwc_hwcf`: without columns, vectors of output channels. Rows are made longer
    where no loop would divide them."""
    from .convolutions import numbers

    builder = kernels.builder
    outputs, inputs, kh, kw = known(node.weight.shape)
    _, h, w = known(node.shape)
    wide = w if any(w % n == 0 for n in STEPS) else -(-w // STEPS[-1]) * STEPS[-1]
    kernel, places = (kh, kw), (h, wide)
    rows = zip(places, node.strides, kernel, node.dilations, strict=True)
    extents = tuple((n - 1) * s + span_of(k, d) for n, s, k, d in rows)
    x = fitted(kernels, node.x, extents)
    x = builder.reshape(x, (*extents, inputs), (1, *extents, inputs))
    weight = _ordered(kernels, node, (2, 3, 1, 0))
    whole = (1, *places, outputs)
    out = filled(kernels, nodes.Blank(whole, node.dtype))
    strides, dilations = numbers(node.strides), numbers(node.dilations)
    op = linalg.Conv2DNhwc_HwcfOp(
        [x, weight], [out], [out.type], strides=strides, dilations=dilations
    )
    made = builder.reshape(builder.place(op), whole, whole[1:])
    return made if wide == w else builder.slice(made, (0, 0, 0), (h, w, outputs), (1, 1, 1))


@form("columns", _is_windowed, costs.columns)
def _columns(kernels: Kernels, node: nodes.Convolve) -> SSAValue:
    """What the windows see laid out as rows of a matrix, slice by slice, and a matrix product."""
    builder = kernels.builder
    outputs, inputs, kh, kw = known(node.weight.shape)
    _, h, w = known(node.shape)
    count = kh * kw
    laid = builder.empty((h, w, count, inputs), node.x.dtype)
    for i, seen in enumerate(taps(builder, twin(kernels, node.x), node, (kh, kw))):
        laid = builder.insert(seen, laid, (0, 0, i, 0), (h, w, 1, inputs), (1,) * 4)
    laid = builder.reshape(laid, (h, w, count, inputs), (h * w, count * inputs))
    weight = _ordered(kernels, node, (0, 2, 3, 1))
    weight = builder.reshape(weight, (outputs, kh, kw, inputs), (outputs, count * inputs))
    made = nodes.Blank((h * w, outputs), node.dtype)
    value = builder.generic(
        [(laid, [dim(0), dim(2)]), (weight, [dim(1), dim(2)])],
        filled(kernels, made),
        [dim(0), dim(1)],
        3,
        multiplied_and_added(node, (node.x, node.weight)),
    )
    return builder.reshape(value, made.shape, last(node.shape))


def _by_tiles(tile: int) -> None:
    """Declares Winograd's filtering by tiles of so many places along both axes."""

    @form(f"winograd{tile}", _is_dense, lambda node: costs.winograd(node, tile))
    def write(kernels: Kernels, node: nodes.Convolve) -> SSAValue:
        return winograd(kernels, node, tile)


for _tile in POINTS:
    _by_tiles(_tile)


@form("taps", _is_depthwise, costs.depthwise)
def _depthwise(kernels: Kernels, node: nodes.Convolve) -> SSAValue:
    """One element-wise kernel over what the places of the kernel see."""
    builder, dims = kernels.builder, [dim(i) for i in range(3)]
    channels, _, kh, kw = known(node.weight.shape)
    count = kh * kw
    seen = list(taps(builder, twin(kernels, node.x), node, (kh, kw)))
    weight = kernels.value(node.weight)
    weight = builder.reshape(weight, node.weight.shape, (channels, count))
    weight = builder.generic(
        [(weight, [dim(1), dim(0)])],
        builder.empty((count, channels), node.weight.dtype),
        dims[:2],
        2,
        lambda args, _: args[0],
    )
    rows = [builder.slice(weight, (i, 0), (1, channels), (1, 1)) for i in range(count)]
    rows = [builder.reshape(row, (1, channels), (channels,)) for row in rows]

    def float_body(args: Sequence[SSAValue], place: scalars.Place) -> SSAValue:
        total = place(MulfOp(args[0], args[count]))
        for i in range(1, count):
            total = place(math.FmaOp(args[i], args[count + i], total))
        return total

    def int_body(args: Sequence[SSAValue], place: scalars.Place) -> SSAValue:
        total = scalars.constant(0, node.dtype, place)
        for i in range(count):
            total = summed([args[i], args[count + i], total], place)
        return total

    summed = multiplied_and_added(node, (node.x, node.weight))
    body = float_body if node.dtype.kind == "f" else int_body
    inputs = [(value, dims) for value in seen] + [(row, dims[2:]) for row in rows]
    return builder.generic(inputs, builder.empty(last(node.shape), node.dtype), dims, 3, body)


MOST_TAPS = 32
"""Of larger windows the elements are not listed."""


@writes_twin(nodes.ReduceWindows)
def _reduce_windows(kernels: Kernels, node: nodes.ReduceWindows) -> SSAValue | None:
    kernel = known(node.kernel)
    if len(kernel) != 2 or len(node.shape) != 3 or prod(kernel) > MOST_TAPS:
        return None
    if not is_known(node.of):
        return None
    builder, dims = kernels.builder, [dim(i) for i in range(3)]
    seen = list(taps(builder, twin(kernels, node.of), node, kernel))

    def body(args: Sequence[SSAValue], place: scalars.Place) -> SSAValue:
        total = args[0]
        for arg in args[1 : len(seen)]:
            total = scalars.apply(node.name, [total, arg], node.dtype, "", place)
        return total

    out = builder.empty(last(node.shape), node.dtype)
    return builder.generic([(value, dims) for value in seen], out, dims, 3, body)
