"""BatchNorm of channels without any deviation: ncnn divides by 0.0001."""

from pathlib import Path

import numpy as np
import pytest

from .comparing import assert_equal
from .compiler import optimize
from .nets import Net, layer_types
from .runtime import Runtime
from .semantics import interpret

VARIANCES: dict[str, list[float]] = {
    "none": [0, 0, 0],
    "of some channels": [0, 1, 0],
    "as much as eps": [-1e-5, 1e-5, -1e-5],
}


def batch_norm(net: Net, x: str, variance: list[float], eps: float) -> str:
    for values in (net.normal(3), net.normal(3), np.array(variance, "f4"), net.normal(3)):
        net.plain(values)
    return net.layer("BatchNorm", x, "bn", {0: 3, 1: eps})


@pytest.mark.parametrize("name", VARIANCES)
def test_the_layer(name: str, runtime: Runtime, tmp_path: Path) -> None:
    net = Net()
    eps = 1e-5 if "eps" in name else 0.0
    batch_norm(net, net.input("x", (3, 4, 5)), VARIANCES[name], eps)
    param = net.write(tmp_path)
    expected = runtime.run(param, net.inputs, net.outputs)
    (actual,) = interpret(param, net.inputs)
    assert np.abs(actual).max() > 1000
    assert_equal(expected, {"bn": actual})


@pytest.mark.parametrize("name", VARIANCES)
def test_in_the_weights_of_another(name: str, runtime: Runtime, tmp_path: Path) -> None:
    net = Net()
    eps = 1e-5 if "eps" in name else 0.0
    net.input("x", (2, 4, 5))
    net.tagged(net.normal(3, 2))
    x = net.layer("Convolution", "x", "conv", {0: 3, 1: 1, 6: 6})
    batch_norm(net, x, VARIANCES[name], eps)
    param = net.write(tmp_path)
    result = optimize(param, tmp_path / "optimized.param", ["fuse-conv-bn"])
    assert layer_types(result) == ["Input", "Convolution"]
    before = runtime.run(param, net.inputs, net.outputs)
    assert_equal(before, runtime.run(result, net.inputs, net.outputs))
