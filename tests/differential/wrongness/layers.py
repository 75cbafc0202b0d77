"""Layers that the models of this folder are made of."""

from collections.abc import Callable, Mapping

from ..nets import Net, Number, Params, Shape

Build = Callable[[Net], object]
"""Appends a model."""

CHANNELS = 4
IMAGE: Shape = (CHANNELS, 5, 6)
ADD, MUL = 0, 2
"""BinaryOp's `op_type`."""

PIXELS: Params = {0: 1, 1: 1, 2: -1}
"""Reshape: the values become channels of one pixel."""


def linear(
    net: Net, kind: str, x: str, params: Params | None = None, storage: str = "float"
) -> str:
    """A layer of as many output channels or features as there are input ones, with a bias."""
    ids = {"size": 2, "bias": 1} if kind == "InnerProduct" else {"size": 6, "bias": 5}
    shape: Shape = (CHANNELS, CHANNELS)
    given: dict[int, Number] = {0: CHANNELS}
    if "DepthWise" in kind:
        shape, given[7] = (CHANNELS, 1), CHANNELS
    if kind != "InnerProduct":
        shape += (3,) if kind.endswith("1D") else (3, 3)
        given |= {1: 3, 4: 1}
    weight = net.normal(*shape, scale=0.4)
    net.tagged(weight, storage)
    net.plain(net.normal(CHANNELS))
    given |= {ids["size"]: weight.size, ids["bias"]: 1}
    return net.layer(kind, x, "linear", {**given, **(params or {})})


def data_for(net: Net, kind: str) -> str:
    """An input that a layer of this kind takes."""
    shape = {"InnerProduct": IMAGE[:1], "Convolution1D": IMAGE[:2]}.get(kind, IMAGE)
    return net.input("data", shape)


def batch_norm(net: Net, x: str, top: str = "bn") -> str:
    for values in (net.positive, net.normal, net.positive, net.normal):
        net.plain(values(CHANNELS))
    return net.layer("BatchNorm", x, top, {0: CHANNELS})


def with_constant(net: Net, x: str, op: int, shape: Shape = (CHANNELS,)) -> str:
    """A BinaryOp with a MemoryData."""
    constant = net.constant("constant", net.positive(*shape))
    return net.layer("BinaryOp", [x, constant], "binary", {0: op})


def scalar(net: Net, x: str, op: int, value: float, top: str = "scalar") -> str:
    """A BinaryOp with a scalar."""
    return net.layer("BinaryOp", x, top, {0: op, 1: 1, 2: value})


def dropout(net: Net, x: str) -> str:
    return net.layer("Dropout", x, "dropout", {0: 0.75})


AFFINE: Mapping[str, Callable[[Net, str], str]] = {
    "BatchNorm": batch_norm,
    "mul": lambda net, x: with_constant(net, x, MUL),
    "add": lambda net, x: with_constant(net, x, ADD),
    "Dropout": dropout,
}


def global_pooling(net: Net, x: str) -> str:
    return net.layer("Pooling", x, "pooled", {0: 1, 4: 1})


def named(**builds: Build) -> Mapping[str, Build]:
    return builds
