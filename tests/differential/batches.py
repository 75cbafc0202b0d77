"""Drawing batches of blobs that a model makes of an axis, as converters write the windows and heads
of attention, layers on each blob, and what makes one blob of the batch again."""

from collections.abc import Callable, Mapping
from math import prod

import numpy as np
from hypothesis import strategies as st
from ncnn_opt.dialects.ncnn.extents import permutation

from .near_misses import NearMiss, misses
from .nets import Net, Number
from .sketches import Sketch

FUNCTIONS = ("ReLU", "Swish", "GELU", "HardSwish", "TanH", "AbsVal")

MISSES = ("layer", "number", "output")
"""What keeps a batch one: a layer that is not known to do the same with an axis more, a number of
blobs that the input decides, and blobs of it that are an output."""

Shape = tuple[int, ...]

PARAMS = {1: (0,), 2: (1, 0), 3: (2, 1, 0), 4: (2, 11, 1, 0)}
"""The ids of Reshape's extents, outermost first."""


@st.composite
def batches(draw: st.DrawFn, miss: str | None = None) -> NearMiss:
    """A blob, a batch of it along any axis, some layers, perhaps a batch along another one, and a
    blob again."""
    miss = draw(misses(MISSES)) if miss is None else miss
    sketch = Sketch(draw(st.integers(0, 999)))
    logical = tuple(draw(st.lists(st.integers(1, 5), min_size=2, max_size=4)))
    axis = draw(st.integers(0, len(logical) - 1))
    count = draw(st.integers(2, 5))
    logical = (*logical[:axis], count, *logical[axis + 1 :])
    if miss == "number":
        x = sketch.layer("TanH", sketch.input((prod(logical),), draw(st.booleans())))
    else:
        x = _certain(draw, sketch, logical)
    outer = draw(st.sampled_from([axis, axis - len(logical)]))
    wanted = tuple(-1 if miss == "number" and i == axis else n for i, n in enumerate(logical))
    x = sketch.layer("Reshape", x, _extents(wanted) | {13: outer})
    shape = (*logical[:axis], *logical[axis + 1 :])
    for _ in range(draw(st.integers(1, 4))):
        x, shape = _layer(draw, sketch, x, shape)
    if miss == "layer":
        x = sketch.layer("CumulativeSum", x, {0: 0})
    if miss == "output":
        sketch.also_outputs.append(x)
    inner = draw(st.integers(0, len(shape)))
    whole = (*shape[:inner], count, *shape[inner:])
    if len(whole) < 5 and not miss and draw(st.booleans()):
        # The elements in their order as a batch along another axis.
        again = draw(st.integers(0, len(whole) - 1))
        x = sketch.layer("Reshape", x, _extents(whole) | {12: inner, 13: again})
        count, shape = whole[again], (*whole[:again], *whole[again + 1 :])
        x = sketch.layer(draw(st.sampled_from(FUNCTIONS)), x)
        inner = draw(st.integers(0, len(shape)))
        whole = (*shape[:inner], count, *shape[inner:])
    if len(whole) < 5 and draw(st.booleans()):
        named = ",".join("0n" if i == inner else str(n) for i, n in reversed([*enumerate(whole)]))
        x = sketch.layer("Reshape", x, f'6="{named}" 12={inner}')
        if not miss:  # a batch of one, of what is none
            named = f"{prod(whole)},0n" if draw(st.booleans()) else f"0n,//({prod(whole)},0n)"
            x = sketch.layer("Reshape", x, f'6="{named}" 12=0 13={int(named[0] == "0")}')
    else:
        end = whole if len(whole) < 5 else (prod(whole[:2]), *whole[2:])
        x = sketch.layer("Reshape", x, _extents(end) | {12: inner})
    sketch.layer("AbsVal", x)
    return NearMiss(sketch, miss)


def _certain(draw: st.DrawFn, sketch: Sketch, logical: Shape) -> str:
    """A vector of as many elements, whatever the extents of the input are."""
    channels, columns = logical[0], prod(logical[1:])

    def weigh(net: Net) -> None:
        net.tagged(net.normal(2 * channels))

    image = sketch.input((2, draw(st.integers(2, 5)), draw(st.integers(2, 5))), draw(st.booleans()))
    x = sketch.layer("Convolution", image, {0: channels, 1: 1, 6: 2 * channels}, weigh)
    x = sketch.layer("Pooling", x, {0: 1, 7: 1, 8: columns, 18: 1})
    return sketch.layer("Reshape", x, {0: prod(logical)})


def _extents(shape: Shape) -> dict[int, Number]:
    return dict(zip(PARAMS[len(shape)], shape, strict=True))


def _layer(draw: st.DrawFn, sketch: Sketch, x: str, shape: Shape) -> tuple[str, Shape]:
    """A layer of each blob of a batch; what it gives, and of which extents."""
    found = {**LAYERS, **BY_RANK.get(len(shape), {})}
    return found[draw(st.sampled_from(list(found)))](draw, sketch, x, shape)


Layer = Callable[[st.DrawFn, Sketch, str, Shape], tuple[str, Shape]]


def _function(draw: st.DrawFn, sketch: Sketch, x: str, shape: Shape) -> tuple[str, Shape]:
    return sketch.layer(draw(st.sampled_from(FUNCTIONS)), x), shape


def _reshape(draw: st.DrawFn, sketch: Sketch, x: str, shape: Shape) -> tuple[str, Shape]:
    new = draw(st.sampled_from([(prod(shape),), (shape[0], prod(shape[1:])), (1, *shape)[:4]]))
    new = new if prod(new) == prod(shape) else shape
    return sketch.layer("Reshape", x, _extents(new)), new


def _scalar(draw: st.DrawFn, sketch: Sketch, x: str, shape: Shape) -> tuple[str, Shape]:
    return sketch.layer("BinaryOp", x, {0: draw(st.sampled_from([0, 2])), 1: 1, 2: 0.7}), shape


def _sum(draw: st.DrawFn, sketch: Sketch, x: str, shape: Shape) -> tuple[str, Shape]:
    """Of the batch and what is made of it, or of the batch and a constant."""
    if draw(st.booleans()):
        y = sketch.layer("TanH", x)
        return sketch.layer("BinaryOp", [x, y], {0: draw(st.sampled_from([0, 2]))}), shape
    other = draw(st.sampled_from([shape, shape[:1], shape[-1:], (*shape[:-1], 1), (1,)]))
    values = sketch.constant(np.random.default_rng(0).standard_normal(other).astype("f4"))
    reads = draw(st.permutations([x, values]))
    return sketch.layer("BinaryOp", reads, {0: draw(st.sampled_from([0, 1, 2]))}), shape


def _softmax(draw: st.DrawFn, sketch: Sketch, x: str, shape: Shape) -> tuple[str, Shape]:
    axis = draw(st.integers(-len(shape), len(shape) - 1))
    return sketch.layer("Softmax", x, {0: axis, 1: 1}), shape


def _cut(draw: st.DrawFn, sketch: Sketch, x: str, shape: Shape) -> tuple[str, Shape]:
    """Two parts, of which the first is made last."""
    axis = draw(st.integers(0, len(shape) - 1))
    if shape[axis] < 2:
        return sketch.layer("ReLU", x), shape
    parts = sketch.cut("Slice", x, 2, f"-23300=2,1,{shape[axis] - 1} 1={axis}")
    return sketch.layer("Concat", parts[::-1], {0: axis}), shape


def _permute(draw: st.DrawFn, sketch: Sketch, x: str, shape: Shape) -> tuple[str, Shape]:
    kind = draw(st.integers(0, {2: 1, 3: 5}.get(len(shape), 23)))
    order = permutation(kind, len(shape)) or ()
    return sketch.layer("Permute", x, {0: kind}), tuple(shape[axis] for axis in order)


def _norm(draw: st.DrawFn, sketch: Sketch, x: str, shape: Shape) -> tuple[str, Shape]:
    size, weighted = shape[-1], draw(st.booleans())

    def weigh(net: Net) -> None:
        for _ in range(2 if weighted else 0):
            net.plain(net.normal(size))

    return sketch.layer("LayerNorm", x, {0: size, 1: 0.1, 2: int(weighted)}, weigh), shape


def _channels(draw: st.DrawFn, sketch: Sketch, x: str, shape: Shape) -> tuple[str, Shape]:
    def weigh(net: Net) -> None:
        net.plain(net.normal(shape[0]))
        net.plain(net.normal(shape[0]))
        net.plain(net.positive(shape[0]))
        net.plain(net.normal(shape[0]))

    return sketch.layer("BatchNorm", x, {0: shape[0], 1: 1e-3}, weigh), shape


def _rows(draw: st.DrawFn, sketch: Sketch, x: str, shape: Shape) -> tuple[str, Shape]:
    """A Gemm or an InnerProduct of rows."""
    inputs, outputs = shape[1], draw(st.sampled_from([1, 3, 4]))

    def weigh(net: Net) -> None:
        net.tagged(net.normal(inputs * outputs, scale=inputs**-0.5))

    if draw(st.booleans()):
        params: dict[int, Number] = {3: 1, 5: 1, 6: 1, 7: shape[0], 8: outputs, 9: inputs, 10: -1}
        return sketch.layer("Gemm", x, params, weigh), (shape[0], outputs)
    params = {0: outputs, 2: inputs * outputs}
    return sketch.layer("InnerProduct", x, params, weigh), (shape[0], outputs)


def _whole(draw: st.DrawFn, sketch: Sketch, x: str, shape: Shape) -> tuple[str, Shape]:
    """An InnerProduct of a vector."""
    outputs, inputs = draw(st.sampled_from([1, 3, 4])), shape[0]

    def weigh(net: Net) -> None:
        net.tagged(net.normal(inputs * outputs, scale=inputs**-0.5))

    return sketch.layer("InnerProduct", x, {0: outputs, 2: inputs * outputs}, weigh), (outputs,)


def _product(draw: st.DrawFn, sketch: Sketch, x: str, shape: Shape) -> tuple[str, Shape]:
    return sketch.layer("MatMul", [x, x], {0: 1}), (*shape[:-1], shape[-2])


def _product_with_one(draw: st.DrawFn, sketch: Sketch, x: str, shape: Shape) -> tuple[str, Shape]:
    """The product of each blob of a batch and one blob that is no batch, on either side."""
    right_aligned, trans_b = draw(st.booleans()), draw(st.booleans())
    inner = shape[-1] if right_aligned or trans_b or len(shape) == 1 else shape[-2]
    outer = draw(st.sampled_from([(), (1,), (shape[0],) if len(shape) > 2 else (2,)]))
    other = draw(st.sampled_from([1, 3]))
    matrix = (inner, other) if right_aligned and not trans_b else (other, inner)
    one = draw(st.sampled_from([(inner,), matrix, (*outer, *matrix)]))
    values = sketch.constant(np.random.default_rng(0).standard_normal(one).astype("f4"))
    left, right = (shape, one) if right_aligned else (one, shape)
    if trans_b and len(right) > 1:
        right = (*right[:-2], right[-1], right[-2])
    product = np.matmul(np.zeros(left), np.zeros(right)).shape or (1,)
    reads = [x, values] if right_aligned else [values, x]
    return sketch.layer("MatMul", reads, {0: int(trans_b)}), product


def _attention(draw: st.DrawFn, sketch: Sketch, x: str, shape: Shape) -> tuple[str, Shape]:
    """An SDPA, with a mask for all heads, or for each."""
    heads, steps, _ = shape
    reads, params = [x, x, x], dict[int, Number]({6: 0.4})
    if draw(st.booleans()):
        count = draw(st.sampled_from([(), (heads,)]))
        values = np.random.default_rng(0).standard_normal((*count, steps, steps))
        reads.append(sketch.constant(values.astype("f4")))
        params[5] = 1
    return sketch.layer("SDPA", reads, params), shape


def _heads(draw: st.DrawFn, sketch: Sketch, x: str, shape: Shape) -> tuple[str, Shape]:
    """A MultiHeadAttention of the rows with themselves."""
    _, width = shape
    heads, features = draw(st.sampled_from([1, 2])), draw(st.sampled_from([2, 3]))
    size = heads * features

    def weigh(net: Net) -> None:
        for rows, columns in ((size, width), (size, width), (size, width), (width, size)):
            net.tagged(net.normal(rows * columns, scale=columns**-0.5))
            net.plain(net.normal(rows))

    params: dict[int, Number] = {0: size, 1: heads, 2: size * width, 3: width, 4: width}
    return sketch.layer("MultiHeadAttention", x, params, weigh), shape


LAYERS: Mapping[str, Layer] = {
    "function": _function,
    "reshape": _reshape,
    "scalar": _scalar,
    "sum": _sum,
    "softmax": _softmax,
    "cut": _cut,
    "norm": _norm,
    "channels": _channels,
}
"""Of blobs of any rank."""

BY_RANK: Mapping[int, Mapping[str, Layer]] = {
    1: {"whole": _whole, "one": _product_with_one},
    2: {
        "permute": _permute,
        "rows": _rows,
        "product": _product,
        "one": _product_with_one,
        "heads": _heads,
    },
    3: {
        "permute": _permute,
        "product": _product,
        "one": _product_with_one,
        "attention": _attention,
    },
    4: {"permute": _permute},
}
"""Further ones."""
