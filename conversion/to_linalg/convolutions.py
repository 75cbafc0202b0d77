"""Writers of convolutions: of blobs, and in the channels-last forms that `forms.py` chooses
(`winograd.py` has one more)."""

from collections.abc import Sequence
from math import prod
from typing import Any

from xdsl.dialects import tensor
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, TensorType, i64
from xdsl.dialects.linalg import ops as linalg
from xdsl.ir import SSAValue

from ...dialects.shapes.terms import Extents
from ...dialects.shapes.windows import span_of
from ..tracing import nodes
from .builder import channels_last, dim
from .channels_last import im2col, over_windows, pad_or_crop, static_shape, tap_slices
from .kernels import LinalgWriter, dot_body, filled, mac_body, positions

# -- of blobs


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


# -- channels-last forms


def pointwise(kernels: LinalgWriter, node: nodes.Convolve, is_flat: bool = False) -> SSAValue:
    """Write windows of one pixel: sums over channels with the pixels along two axes, or (`is_flat`)
    products of matrices of all pixels. If pixels are merged, IREE merges them in the producer of
    `x` as well, and copies each slice that a depthwise convolution reads (mobilenet_v3: 1.7 times
    ncnn's time instead of 1.2)."""
    _, h, w = node.shape
    channels = static_shape(node.x.shape)[0]
    x = kernels.channels_last(node.x)
    if any(n > 1 for n in node.strides):
        x = kernels.builder.slice(x, (0, 0, 0), (h, w, channels), (*node.strides, 1))
    # IREE would fuse a slice into the sum, with huge vectors.
    places = (h * w,) if is_flat or _is_part(x) else (h, w)
    x = kernels.builder.reshape(x, (h, w, channels), (*places, channels))
    return _products(kernels, node, x, places)


def _products(
    kernels: LinalgWriter, node: nodes.Convolve, x: SSAValue, places: Extents
) -> SSAValue:
    """Return the result for the elements that windows read, `places x (groups, kernel, inputs)`:
    sums of products with the weight of each group."""
    builder, groups = kernels.builder, node.groups
    outputs, inputs, *kernel = static_shape(node.weight.shape)
    own, summed = () if groups == 1 else (groups,), prod(kernel) * inputs
    weight = kernels.value(node.weight)
    if prod(kernel) > 1:
        weight = _transposed_weight(kernels, node, (0, 2, 3, 1))
    whole = (*own, outputs // groups, summed)
    weight = builder.reshape(weight, (outputs, *kernel, inputs), whole)
    x = builder.reshape(x, (*places, groups * summed), (*places, *own, summed))
    made = nodes.Empty((*places, *own, outputs // groups), node.dtype)
    *lead, o, k = (dim(i) for i in range(len(made.shape) + 1))
    value = builder.generic(
        [(x, [*lead, k]), (weight, [*lead[len(places) :], o, k])],
        filled(kernels, made),
        [*lead, o],
        len(made.shape) + 1,
        mac_body(node, (node.x, node.weight)),
    )
    return builder.reshape(value, made.shape, channels_last(node.shape))


def _is_part(value: SSAValue) -> bool:
    """Whether a channels-last copy is a slice."""
    op: Any = value.owner
    if isinstance(op, linalg.GenericOp | linalg.TransposeOp) and len(op.inputs) == 1:
        op = op.inputs[0].owner
    return isinstance(op, tensor.ExtractSliceOp)


def _transposed_weight(
    kernels: LinalgWriter, node: nodes.Convolve, order: Sequence[int]
) -> SSAValue:
    return kernels.builder.transpose(kernels.value(node.weight), node.weight.shape, order)


STEPS = (7, 8)
"""The number of pixels in a row of a direct convolution should be a multiple of one of these."""


def direct(kernels: LinalgWriter, node: nodes.Convolve) -> SSAValue:
    """Write `linalg.conv_2d_nhwc_hwcf`: no columns, vectors of output channels. Rows are extended
    if no loop would divide them."""
    builder = kernels.builder
    outputs, inputs, kh, kw = static_shape(node.weight.shape)
    _, h, w = static_shape(node.shape)
    wide = w if any(w % n == 0 for n in STEPS) else -(-w // STEPS[-1]) * STEPS[-1]
    kernel, places = (kh, kw), (h, wide)
    rows = zip(places, node.strides, kernel, node.dilations, strict=True)
    extents = tuple((n - 1) * s + span_of(k, d) for n, s, k, d in rows)
    x = pad_or_crop(kernels, node.x, extents)
    weight = _transposed_weight(kernels, node, (2, 3, 1, 0))
    x = builder.reshape(x, (*extents, inputs), (1, *extents, inputs))
    whole = (1, *places, outputs)
    out = filled(kernels, nodes.Empty(whole, node.dtype))
    strides, dilations = numbers(node.strides), numbers(node.dilations)
    op = linalg.Conv2DNhwc_HwcfOp(
        [x, weight], [out], [out.type], strides=strides, dilations=dilations
    )
    made = builder.reshape(builder.place(op), whole, whole[1:])
    return made if wide == w else builder.slice(made, (0, 0, 0), (h, w, outputs), (1, 1, 1))


def columns(kernels: LinalgWriter, node: nodes.Convolve) -> SSAValue:
    """Lay out the windows as the rows of a matrix, and multiply it by the weight."""
    _, h, w = node.shape
    return _products(kernels, node, im2col(kernels, node), (h * w,))


def depthwise_loop(kernels: LinalgWriter, node: nodes.Convolve) -> SSAValue:
    """Write depthwise windows as a loop nest over pixels, channels, and elements of the window."""
    builder = kernels.builder
    shape = channels, _, kh, kw = static_shape(node.weight.shape)
    weight = builder.reshape(kernels.value(node.weight), shape, (channels, kh, kw))
    weight = builder.transpose(weight, (channels, kh, kw), (1, 2, 0))
    body = mac_body(node, (node.x, node.weight))
    factors = weight, [dim(3), dim(4), dim(2)]
    return over_windows(kernels, node, kernels.channels_last(node.x), factors, 0, body)


def depthwise_unrolled(kernels: LinalgWriter, node: nodes.Convolve) -> SSAValue:
    """Write depthwise windows as one element-wise kernel over the slices that their elements read,
    of all inputs of a group."""
    builder, dims = kernels.builder, [dim(i) for i in range(3)]
    channels, each, kh, kw = static_shape(node.weight.shape)
    count = each * kh * kw
    parts = [kernels.channels_last(node.x)]
    if each > 1:  # the i-th inputs of all groups, as a blob of its own
        shape = channels_last(static_shape(node.x.shape))
        split, order = (*shape[:2], channels, each), (3, 0, 1, 2)
        x = builder.transpose(builder.reshape(parts[0], shape, split), split, order)
        shape = (*shape[:2], channels)
        parts = [builder.slice(x, (i, 0, 0, 0), (1, *shape), (1,) * 4, shape) for i in range(each)]
    seen = [value for x in parts for value in tap_slices(builder, x, node, (kh, kw), channels)]
    weight = kernels.value(node.weight)
    weight = builder.reshape(weight, node.weight.shape, (channels, count))
    weight = builder.transpose(weight, (channels, count), (1, 0))
    rows = [builder.slice(weight, (i, 0), (1, channels), (1, 1)) for i in range(count)]
    rows = [builder.reshape(row, (1, channels), (channels,)) for row in rows]

    body = dot_body(count, node.dtype, node.x.dtype, node.weight.dtype)
    inputs = [(value, dims) for value in seen] + [(row, dims[2:]) for row in rows]
    return builder.generic(
        inputs, builder.empty(channels_last(node.shape), node.dtype), dims, 3, body
    )
