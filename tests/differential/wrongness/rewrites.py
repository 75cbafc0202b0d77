"""Models in which a rewrite goes wrong that looks at less than it must."""

from collections.abc import Callable, Mapping
from functools import partial

from ..nets import Net, Params, Shape
from .layers import (
    ADD,
    AFFINE,
    CHANNELS,
    IMAGE,
    MUL,
    PIXELS,
    Build,
    data_for,
    global_pooling,
    linear,
    named,
    scalar,
    with_constant,
)

MEAN = 3
"""Reduction's `operation`."""

WINDOWS = (
    "Convolution",
    "ConvolutionDepthWise",
    "Deconvolution",
    "DeconvolutionDepthWise",
    "Convolution1D",
)


# -- activations


def across_an_activation(kind: str, affine: str, activation: Params, net: Net) -> None:
    AFFINE[affine](net, linear(net, kind, data_for(net, kind), activation))


def second_activation(kind: str, activation: Params, second: str, params: Params, net: Net) -> None:
    x = linear(net, kind, data_for(net, kind), activation)
    net.layer(second, x, "activation", params)


RELU: Params = {9: 1}
LEAKY: Params = {9: 2, 10: (0.25,)}
CLIP: Params = {9: 3, 10: (0.25, 0.75)}
SIGMOID: Params = {9: 4}
HARD_SWISH: Params = {9: 6, 10: (0.2, 0.5)}

ACROSS_AN_ACTIVATION = [
    ("Convolution", "BatchNorm", RELU),
    ("Convolution", "mul", CLIP),
    ("Convolution", "add", SIGMOID),
    ("ConvolutionDepthWise", "BatchNorm", LEAKY),
    ("ConvolutionDepthWise", "mul", SIGMOID),
    ("ConvolutionDepthWise", "add", RELU),
    ("Deconvolution", "BatchNorm", RELU),
    ("Deconvolution", "mul", HARD_SWISH),
    ("Deconvolution", "add", LEAKY),
    ("DeconvolutionDepthWise", "BatchNorm", CLIP),
    ("InnerProduct", "BatchNorm", SIGMOID),
    ("InnerProduct", "add", RELU),
    ("InnerProduct", "Dropout", CLIP),
]

OVER_AN_ACTIVATION: list[tuple[str, Params, str, Params]] = [
    ("Convolution", RELU, "Sigmoid", {}),
    ("Convolution", CLIP, "ReLU", {0: 0.25}),
    ("Convolution1D", SIGMOID, "Mish", {}),
    ("ConvolutionDepthWise", HARD_SWISH, "Clip", {0: 0.1, 1: 0.3}),
    ("Deconvolution", LEAKY, "Sigmoid", {}),
    ("DeconvolutionDepthWise", SIGMOID, "Clip", {0: 0.4, 1: 0.6}),
    ("InnerProduct", RELU, "HardSwish", {}),
]


def activations_in_a_row(kind: str, net: Net) -> None:
    x = net.layer("ReLU", linear(net, kind, data_for(net, kind)), "relu")
    net.layer("Sigmoid", x, "sigmoid")


def scaled_after_an_activation(kind: str, affine: str, net: Net) -> None:
    x = net.layer("ReLU", linear(net, kind, data_for(net, kind)), "relu")
    AFFINE[affine](net, x)


# -- weights that are not floats, or not there


def int8(kind: str, term: int, follow: Callable[[Net, str], str], net: Net) -> None:
    x = linear(net, kind, data_for(net, kind), {8: term}, "int8")
    many = term == 2 and "DepthWise" not in kind
    net.plain(net.positive(1 if term == 2 and not many else CHANNELS) + 49)
    net.plain(net.positive(1) + 29)
    follow(net, x)


def dynamic(kind: str, affine: str, constant: bool, net: Net) -> None:
    """Weights that are inputs, or constants that are blobs."""
    group = {7: CHANNELS} if "DepthWise" in kind else {}
    depth = 1 if group else CHANNELS
    shape = (CHANNELS, depth, 3) if kind.endswith("1D") else (CHANNELS, depth, 3, 3)
    data = data_for(net, kind)
    if constant:
        weight = net.constant("weight", net.normal(*shape, scale=0.4))
    else:
        weight = net.input("weight", shape)
    flag = 28 if "Deconvolution" in kind else 19
    params: Params = {0: CHANNELS, 1: 3, 4: 1, **group, flag: 1}
    AFFINE[affine](net, net.layer(kind, [data, weight], "linear", params))


# -- shapes


def rows(net: Net) -> str:
    """An InnerProduct of rows: it gives rows, as many as they have columns."""
    return linear(net, "InnerProduct", net.input("data", (CHANNELS, CHANNELS)))


def rows_then(affine: str, net: Net) -> None:
    AFFINE[affine](net, rows(net))


def rows_and_higher_constant(net: Net) -> None:
    with_constant(net, rows(net), ADD, (CHANNELS, 1, 1))


def rows_flattened(net: Net) -> None:
    net.layer("Flatten", rows(net), "flat")


def rows_as_image(net: Net) -> None:
    """Of 3 rows: the runtime would not see that 4 are packed into one."""
    net.tagged(net.normal(3, 3))
    x = net.layer("InnerProduct", net.input("data", (3, 3)), "rows", {0: 3, 2: 9})
    net.tagged(net.normal(3, 1))
    net.layer("Convolution", x, "out", {0: 3, 1: 1, 6: 3})


def vector_and_higher_constant(net: Net) -> None:
    x = linear(net, "InnerProduct", data_for(net, "InnerProduct"))
    with_constant(net, x, ADD, (CHANNELS, 1, 1))


def weighted_sum(shape: Shape, other: Shape, both: bool, net: Net) -> None:
    """A sum of two blobs, one of them or both times a scalar."""
    x = scalar(net, net.input("data", shape), MUL, 2.0, "x")
    y = net.input("other", other)
    if both:
        y = scalar(net, y, MUL, 3.0, "y")
    net.layer("BinaryOp", [x, y], "sum", {0: ADD})


def reductions(shape: Shape, first: Params, second: Params, net: Net) -> None:
    x = net.layer("Reduction", net.input("data", shape), "first", {0: MEAN, 1: 0, 5: 1, **first})
    net.layer("Reduction", x, "second", {0: MEAN, 1: 0, 5: 1, **second})


def reshaped(shape: Shape, to: Params, other: Shape, first: bool, net: Net) -> None:
    """A BinaryOp of a blob and one that a Reshape has made fit it."""
    x = net.layer("Reshape", net.input("data", shape), "reshaped", to)
    y = net.input("other", other)
    net.layer("BinaryOp", [x, y] if first else [y, x], "out", {0: ADD})


def window_over_channels(net: Net) -> None:
    """A Convolution that slides along the 3 values that a global Pooling gives."""
    slide(net, global_pooling(net, net.input("data", (3, 5, 6))))


def window_over_features(net: Net) -> None:
    net.tagged(net.normal(3, 4))
    slide(net, net.layer("InnerProduct", net.input("data", (4,)), "fc", {0: 3, 2: 12}))


def slide(net: Net, x: str) -> None:
    net.tagged(net.normal(2, 1, 1, 3))
    net.layer("Convolution", x, "out", {0: 2, 1: 3, 11: 1, 4: 1, 14: 0, 6: 6})


def adaptive(net: Net) -> None:
    x = net.layer("AbsVal", net.input("data", IMAGE), "abs")
    net.layer("Pooling", x, "out", {0: 1, 1: 1, 7: 1, 8: 2})


REWRITES: Mapping[str, Mapping[str, Build]] = {
    "folds across an activation": {
        f"{kind}-{affine}": partial(across_an_activation, kind, affine, activation)
        for kind, affine, activation in ACROSS_AN_ACTIVATION
    },
    "overwrites an activation": {
        f"{kind}-{second}": partial(second_activation, kind, activation, second, params)
        for kind, activation, second, params in OVER_AN_ACTIVATION
    },
    "is not idempotent": {
        **{f"{kind}-twice": partial(activations_in_a_row, kind) for kind in WINDOWS},
        **{
            f"{kind}-{affine}": partial(scaled_after_an_activation, kind, affine)
            for kind, affine in (
                ("Convolution", "BatchNorm"),
                ("ConvolutionDepthWise", "add"),
                ("InnerProduct", "add"),
            )
        },
    },
    "takes int8 for floats": {
        **{
            f"{kind}-{term}-{affine}": partial(int8, kind, term, AFFINE[affine])
            for kind, term, affine in (
                ("Convolution", 2, "BatchNorm"),
                ("Convolution", 2, "mul"),
                ("ConvolutionDepthWise", 1, "BatchNorm"),
                ("ConvolutionDepthWise", 2, "mul"),
                ("InnerProduct", 2, "BatchNorm"),
                ("InnerProduct", 2, "Dropout"),
            )
        },
    },
    "takes dynamic weights for constants": {
        f"{kind}-{affine}{'-constant' * constant}": partial(dynamic, kind, affine, constant)
        for kind, affine, constant in (
            ("Convolution", "BatchNorm", False),
            ("Convolution", "mul", True),
            ("ConvolutionDepthWise", "BatchNorm", False),
            ("ConvolutionDepthWise", "mul", False),
            ("Deconvolution", "BatchNorm", True),
            ("DeconvolutionDepthWise", "BatchNorm", False),
        )
    },
    "takes rows for a vector": named(
        bn=partial(rows_then, "BatchNorm"),
        add=partial(rows_then, "add"),
        higher=rows_and_higher_constant,
        flatten=rows_flattened,
        convolution=rows_as_image,
        vector=vector_and_higher_constant,
    ),
    "merges what broadcasts": named(
        channel=partial(weighted_sum, IMAGE, (CHANNELS, 1, 1), True),
        vector=partial(weighted_sum, IMAGE, (CHANNELS,), False),
        row=partial(weighted_sum, (5, 6), (6,), True),
        larger=partial(weighted_sum, (1, 5, 6), IMAGE, False),
    ),
    "takes Reduction for a global Pooling": named(
        width_twice=partial(reductions, IMAGE, {3: (2,), 4: 1}, {3: (2,), 4: 0}),
        width_twice_kept=partial(reductions, IMAGE, {3: (2,), 4: 1}, {3: (2,), 4: 1}),
        volume=partial(reductions, (2, 3, 4, 5), {3: (3,), 4: 0}, {3: (2,), 4: 0}),
        volume_kept=partial(reductions, (2, 3, 4, 5), {3: (3,), 4: 1}, {3: (2,), 4: 1}),
        depth=partial(reductions, (2, 3, 4, 5), {3: (2,), 4: 0}, {3: (2,), 4: 0}),
    ),
    "drops a Reshape that is needed": named(
        one_channel=partial(reshaped, (6,), PIXELS, (1, 5, 6), False),
        matrix=partial(reshaped, (2, 2), PIXELS, IMAGE, False),
        two_vectors=partial(reshaped, (4,), PIXELS, (5,), True),
        row=partial(reshaped, (4,), PIXELS, (4, 5), False),
    ),
    "takes a window for a matrix": named(
        channels=window_over_channels, features=window_over_features
    ),
    "removes what has an effect": named(adaptive=adaptive),
}
"""Models by what goes wrong with them."""
