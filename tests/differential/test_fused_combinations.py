"""The combinations that deployment tools fuse into one operation: a linear layer, BatchNorm, an
addition in either order of operands, ReLU or ReLU6. After `-O` no BatchNorm, Scale or separate
activation is left in any, but for the activation that follows the addition of another blob: that is
an operation of its own in ncnn, unless both are convolutions of one blob, which are one."""

from collections.abc import Callable, Mapping
from itertools import product
from pathlib import Path

import pytest

from .driver import types_after
from .nets import Net, Params, Shape
from .runtime import Runtime

CHANNELS = 4

LINEAR: Mapping[str, tuple[Shape, Shape, Params]] = {
    "Convolution": ((3, 6, 7), (4, 3, 3, 3), {0: 4, 1: 3, 4: 1, 6: 108}),
    "Deconvolution": ((3, 4, 5), (4, 3, 3, 3), {0: 4, 1: 3, 3: 2, 6: 108}),
    "Convolution3D": ((3, 4, 5, 6), (4, 3, 3, 3, 3), {0: 4, 1: 3, 4: 1, 6: 324}),
    "InnerProduct": ((5,), (4, 5), {0: 4, 2: 20}),
}
"""The shapes of input and weight, and the parameters."""

ADDITIONS = ("none", "channels", "channels first", "blob", "blob first")
ACTIVATIONS: Mapping[str, tuple[str, Params] | None] = {
    "none": None,
    "ReLU": ("ReLU", {}),
    "ReLU6": ("Clip", {0: 0.0, 1: 6.0}),
}


def linear(net: Net, kind: str, x: str, top: str) -> str:
    _, weight, params = LINEAR[kind]
    net.tagged(net.normal(*weight, scale=0.3))
    return net.layer(kind, x, top, params)


def batch_norm(net: Net, x: str, top: str) -> str:
    for values in (net.normal(4), net.normal(4), net.positive(4), net.normal(4)):
        net.plain(values)
    return net.layer("BatchNorm", x, top, {0: CHANNELS, 1: 1e-5})


def scale(net: Net, x: str, top: str) -> str:
    net.plain(net.normal(CHANNELS))
    net.plain(net.normal(CHANNELS))
    return net.layer("Scale", x, top, {0: CHANNELS, 1: 1})


def add(net: Net, x: str, how: str, kind: str) -> str:
    if how == "none":
        return x
    if how.startswith("blob"):  # a shortcut with a linear layer and BatchNorm of its own
        y = batch_norm(net, linear(net, kind, "shortcut", "other"), "other_bn")
    else:
        y = net.constant("summand", net.normal(CHANNELS))
    return net.layer("BinaryOp", [y, x] if how.endswith("first") else [x, y], "sum", {0: 0})


NORMS: Mapping[str, Callable[[Net, str], str]] = {
    "none": lambda net, x: x,
    "BatchNorm": lambda net, x: batch_norm(net, x, "bn"),
    "BatchNorm and Scale": lambda net, x: scale(net, batch_norm(net, x, "bn"), "scale"),
}


@pytest.mark.parametrize("kind", LINEAR)
@pytest.mark.parametrize(
    ("norm", "addition", "activation"), list(product(NORMS, ADDITIONS, ACTIVATIONS))
)
def test_combination(
    kind: str, norm: str, addition: str, activation: str, runtime: Runtime, tmp_path: Path
) -> None:
    net = Net()
    x = net.input("in0", LINEAR[kind][0])
    if addition.startswith("blob"):
        net.layer("Split", x, ["main", "shortcut"])
        x = "main"
    x = add(net, NORMS[norm](net, linear(net, kind, x, "linear")), addition, kind)
    wanted = ACTIVATIONS[activation]
    if wanted is not None:
        net.layer(wanted[0], x, "out", wanted[1])
    types = types_after(runtime, tmp_path, net)
    left = [layer for layer in types if layer not in ("Input", "Split")]
    if addition.startswith("blob") and not kind.startswith("Convolution"):
        last = [] if wanted is None else [wanted[0]]
        assert left == [kind, kind, "BinaryOp", *last]
    else:
        assert left == [kind]
