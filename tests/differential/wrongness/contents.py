"""Models of which something is lost by an optimizer that does not carry all that a file says."""

from collections.abc import Callable, Mapping
from functools import partial

from ..nets import Net, Params, Shape
from .layers import (
    ADD,
    CHANNELS,
    IMAGE,
    MUL,
    PIXELS,
    Build,
    batch_norm,
    data_for,
    dropout,
    global_pooling,
    linear,
    named,
    scalar,
)

# -- names


def first_layer(kind: str, params: Params, net: Net) -> None:
    """A layer without effect on an input."""
    x = net.layer(kind, net.input("data", IMAGE), "same", params)
    net.layer("AbsVal", x, "out")


def read_and_output(net: Net) -> None:
    x = net.layer("AbsVal", net.input("data", IMAGE), "abs")
    net.layer("Split", x, ["out", "read"])
    net.layer("Exp", "read", "other")


def twice_an_output(net: Net) -> None:
    net.layer("Split", net.layer("AbsVal", net.input("data", IMAGE), "abs"), ["one", "two"])


def two_through_a_noop(net: Net) -> None:
    x = net.layer("AbsVal", net.input("data", IMAGE), "x")
    y = net.layer("Exp", net.input("other", (5,)), "y")
    net.layer("Noop", [x, y], ["one", "two"])


def constant_output(net: Net) -> None:
    net.layer("AbsVal", net.input("data", IMAGE), "out")
    net.constant("anchors", net.normal(3, 4))


def scalar_and_output(net: Net) -> None:
    net.layer("Split", net.constant("one", net.positive(1)), ["factor", "out"])
    net.layer("BinaryOp", [net.input("data", IMAGE), "factor"], "scaled", {0: MUL})


# -- second readers


def read_twice(make: Callable[[Net], str], follow: Callable[[Net, str], object], net: Net) -> None:
    """A blob that another layer reads as well, without a Split."""
    x = make(net)
    follow(net, x)
    net.layer("AbsVal", x, "also")


def make(kind: str, net: Net) -> str:
    return linear(net, kind, data_for(net, kind))


def pixels(net: Net) -> str:
    return net.layer("Reshape", net.input("data", (CHANNELS,)), "reshaped", PIXELS)


def pooled(net: Net) -> str:
    return global_pooling(net, net.input("data", IMAGE))


def doubled(net: Net) -> str:
    return scalar(net, net.input("data", IMAGE), MUL, 2.0)


def one(net: Net) -> str:
    return net.constant("one", net.positive(1))


def layer(kind: str, params: Params | None = None) -> Callable[[Net, str], str]:
    return lambda net, x: net.layer(kind, x, "next", params)


def joined(shape: Shape) -> Callable[[Net, str], str]:
    return lambda net, x: net.layer("BinaryOp", [net.input("other", shape), x], "next", {0: ADD})


# -- what is to be kept


def featmask(net: Net) -> None:
    x = linear(net, "Convolution", net.input("data", IMAGE), {31: 3})
    net.layer("AbsVal", x, "out", {31: 1})


def input_with_depth(net: Net) -> None:
    net.layer("AbsVal", net.input("data", (2, 3, 4, 5)), "out")


def slice_by_indices(net: Net) -> None:
    net.layer("Slice", net.input("data", (7, 3)), ["a", "b", "c"], {1: 0, 2: (2, 3)})


def of_shape(kind: str, shape: Shape, params: Params | str, net: Net) -> None:
    """A layer of one input."""
    net.layer(kind, net.input("data", shape), "out", params)


def text(word: str) -> str:
    """A text as parameter 0, as an array of its letters."""
    return f"-23300={len(word)}," + ",".join(str(ord(letter)) for letter in word)


def einsum(equation: str, other: Shape, net: Net) -> None:
    net.layer(
        "Einsum", [net.input("data", (3, 4)), net.input("other", other)], "out", text(equation)
    )


def exact_number(net: Net) -> None:
    """A scalar of which 7 digits are not enough."""
    x = scalar(net, net.input("data", (4,)), ADD, 1234567.875, "far")
    x = net.layer("AbsVal", x, "abs")
    net.layer(
        "BinaryOp", [x, net.constant("there", net.normal(4) * 0 + 1234567.875)], "out", {0: 1}
    )


def small_weights(net: Net) -> None:
    net.plain(net.normal(4, scale=1e-32))
    x = net.layer("AbsVal", net.layer("Scale", net.input("data", (4,)), "small", {0: 4}), "abs")
    net.layer("BinaryOp", [x, net.constant("large", net.positive(4) * 1e32)], "out", {0: MUL})


# -- float16


def large_weight(kind: str, net: Net) -> None:
    weight = net.normal(CHANNELS, CHANNELS)
    weight[0, 0] = 1e5
    net.tagged(weight)
    params = {"InnerProduct": {0: CHANNELS, 2: 16}, "Convolution": {0: CHANNELS, 1: 1, 6: 16}}
    net.layer(kind, data_for(net, kind), "out", params[kind])


def large_after_folding(net: Net) -> None:
    """Each factor fits in float16, their product does not."""
    net.tagged(net.positive(CHANNELS, CHANNELS) * 1e3)
    x = net.layer("InnerProduct", net.input("data", (CHANNELS,)), "fc", {0: CHANNELS, 2: 16})
    for values in (net.positive(CHANNELS) * 1e3, net.normal(CHANNELS)):
        net.plain(values)
    for values in (net.positive(CHANNELS), net.normal(CHANNELS)):
        net.plain(values)
    net.layer("BatchNorm", x, "out", {0: CHANNELS})


def large_summand(net: Net) -> None:
    """A Gemm with a constant for each column."""
    net.tagged(net.normal(2, CHANNELS))
    net.tagged(net.normal(2) + 1e5)
    params = {3: 1, 5: 1, 6: 1, 8: 2, 9: CHANNELS, 10: 4}
    net.layer("Gemm", net.input("data", (3, CHANNELS)), "out", params)


def small_weight(net: Net) -> None:
    """Too small for float16: all of them would become 0."""
    net.tagged(net.normal(CHANNELS, CHANNELS, scale=1e-8))
    net.layer("InnerProduct", net.input("data", (CHANNELS,)), "out", {0: CHANNELS, 2: 16})


CONTENTS: Mapping[str, Mapping[str, Build]] = {
    "renames an input": named(
        dropout=partial(first_layer, "Dropout", {}),
        noop=partial(first_layer, "Noop", {}),
        pooling=partial(first_layer, "Pooling", {1: 1, 2: 1}),
        split=partial(first_layer, "Split", {}),
    ),
    "loses an output": named(
        split=read_and_output,
        both=twice_an_output,
        noop=two_through_a_noop,
        constant=constant_output,
        scalar=scalar_and_output,
    ),
    "ignores a second reader": named(
        convolution=partial(read_twice, partial(make, "Convolution"), batch_norm),
        innerproduct=partial(read_twice, partial(make, "InnerProduct"), dropout),
        activation=partial(read_twice, partial(make, "ConvolutionDepthWise"), layer("ReLU")),
        dropout=partial(read_twice, partial(make, "Deconvolution"), layer("Dropout")),
        noop=partial(read_twice, pooled, layer("Noop")),
        reshape=partial(read_twice, pixels, joined(IMAGE)),
        scalar=partial(read_twice, one, joined(IMAGE)),
        product=partial(read_twice, doubled, joined(IMAGE)),
    ),
    "loses a parameter": named(
        featmask=featmask,
        input=input_with_depth,
        slice=slice_by_indices,
        selu=partial(of_shape, "SELU", (6,), {0: 1.0, 1: 2.0}),
        shrink=partial(of_shape, "Shrink", (6,), {0: 0.25, 1: 0.75}),
        flip=partial(of_shape, "Flip", (3, 4), {0: (0,)}),
        statistics=partial(of_shape, "StatisticsPooling", IMAGE, {0: 1}),
        spectrogram=partial(of_shape, "Spectrogram", (64,), {0: 16, 1: 2}),
        product=partial(einsum, "ik,kj->ij", (4, 5)),
        number=exact_number,
        denormal=small_weights,
    ),
    "makes values infinite": named(
        innerproduct=partial(large_weight, "InnerProduct"),
        convolution=partial(large_weight, "Convolution"),
        folded=large_after_folding,
        gemm=large_summand,
        vanishing=small_weight,
    ),
}
"""Models by what goes wrong with them."""
