"""When a scale and shift becomes part of the linear layer after it: each near-miss differs from
what is fused in one thing."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from .driver import types_after
from .nets import Array, Net, Number, Params
from .runtime import Failure, Runtime

INPUTS, CHANNELS = 3, 4


def scale(net: Net, x: str, scales: Array, shifts: Array | None = None) -> str:
    net.plain(scales)
    if shifts is not None:
        net.plain(shifts)
    return net.layer("Scale", x, "scaled", {0: len(scales), 1: int(shifts is not None)})


def uniform(value: float) -> Array:
    return np.full(INPUTS, value, "f4")


def different() -> Array:
    return np.linspace(-1, 2, INPUTS, dtype="f4")


def convolution(net: Net, x: str, params: Params | None = None) -> str:
    net.tagged(net.normal(CHANNELS, INPUTS, 3, 3, scale=0.2))
    sizes: Params = {0: CHANNELS, 1: 3, 6: CHANNELS * INPUTS * 9}
    return net.layer("Convolution", x, "linear", {**sizes, **(params or {})})


def compare(runtime: Runtime, tmp_path: Path, net: Net) -> list[str]:
    """The layer types after the pass, once the outputs are known to be the same."""
    return types_after(runtime, tmp_path, net, ["fuse-affine-linear"])


PADDED: Params = {4: 1}
SAME: Params = {4: -233}
FILLED: Params = {4: 1, 18: 0.75}


@pytest.mark.parametrize(
    ("scales", "shifts", "params", "fused"),
    [
        (different(), None, {}, True),
        (different(), different(), {}, True),
        (different(), different(), {9: 1}, True),  # an activation comes later
        (different(), None, PADDED, True),
        (different(), None, SAME, True),
        (different(), different()[::-1], PADDED, False),
        (different(), different()[::-1], SAME, False),
        (different(), different(), PADDED, True),  # -1 becomes 0 in all channels
        (different(), uniform(0.5), PADDED, False),
        (uniform(2.0), different(), PADDED, False),
        (uniform(2.0), uniform(-1.0), PADDED, True),  # 0.5 becomes 0 where 0 was
        (uniform(2.0), uniform(-1.0), SAME, True),
        (different(), None, FILLED, False),
        (uniform(-0.5), None, FILLED, True),
        (different(), uniform(0.75), FILLED, True),  # 0 becomes 0.75 in all channels
        (uniform(0.0), uniform(0.25), PADDED, False),
        (uniform(1e-39), uniform(1.0), PADDED, False),
    ],
)
def test_what_is_around_the_blob_must_come_out_the_same(
    scales: Array,
    shifts: Array | None,
    params: dict[int, Number],
    fused: bool,
    runtime: Runtime,
    tmp_path: Path,
) -> None:
    net = Net()
    convolution(net, scale(net, net.input("in0", (INPUTS, 5, 6)), scales, shifts), params)
    layers = ["Input", "Convolution"] if fused else ["Input", "Scale", "Convolution"]
    assert compare(runtime, tmp_path, net) == layers


@pytest.mark.parametrize(
    ("params", "fused"),
    [
        ({1: 1}, True),
        ({1: 1, 4: 1}, True),  # what is cut off does not matter
        ({1: 3}, False),
        ({1: 1, 3: 2}, False),
        ({1: 2, 3: 2}, False),
        ({1: 1, 18: 1}, False),
    ],
)
@pytest.mark.parametrize("shifted", [False, True])
def test_shifts_do_not_reach_all_of_a_deconvolution(
    params: dict[int, Number], fused: bool, shifted: bool, runtime: Runtime, tmp_path: Path
) -> None:
    net = Net()
    x = net.input("in0", (INPUTS, 5, 6))
    x = scale(net, x, different(), different() if shifted else None)
    net.tagged(net.normal(CHANNELS, INPUTS, int(params[1]), int(params[1])))
    sizes: Params = {0: CHANNELS, 6: CHANNELS * INPUTS * int(params[1]) ** 2}
    net.layer("Deconvolution", x, "linear", {**sizes, **params})
    assert ("Scale" not in compare(runtime, tmp_path, net)) == (fused or not shifted)


@pytest.mark.parametrize("shifted", [False, True])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_deformed_window_reads_zeros_outside(
    place: int, shifted: bool, runtime: Runtime, tmp_path: Path
) -> None:
    net = Net()
    x, offset, mask = (
        net.input(f"in{i}", (channels, 5, 6)) for i, channels in enumerate((INPUTS, 18, 9))
    )
    blobs = [x, offset, mask]
    count = (INPUTS, 18, 9)[place]
    net.plain(net.normal(count))
    if shifted:
        net.plain(net.normal(count))
    blobs[place] = net.layer("Scale", blobs[place], "scaled", {0: count, 1: int(shifted)})
    net.tagged(net.normal(CHANNELS, INPUTS, 3, 3))
    params: Params = {0: CHANNELS, 1: 3, 4: 1, 6: CHANNELS * INPUTS * 9}
    net.layer("DeformableConv2D", blobs, "linear", params)
    fused = place == 0 and not shifted
    assert ("Scale" not in compare(runtime, tmp_path, net)) == fused


@pytest.mark.parametrize("shape", [(6,), (3, 2), (2, 6), (3, 2, 1), (3, 1, 2, 1)])
@pytest.mark.parametrize("declared", [False, True])
@pytest.mark.parametrize("one_for_all", [False, True])
def test_inputs_of_an_inner_product(
    shape: tuple[int, ...], declared: bool, one_for_all: bool, runtime: Runtime, tmp_path: Path
) -> None:
    net = Net()
    x = net.input("in0", shape, declared)
    if len(shape) == 3:  # a vector says nothing of the channels; a layer with weights does
        net.tagged(net.normal(3, 3, 1, 1))
        x = net.layer("Convolution", x, "certain", {0: 3, 1: 1, 6: 9, 9: 5})
    if one_for_all:
        x = net.layer("Power", x, "y", {1: 1.5})
    else:
        net.plain(net.normal(shape[0]))
        x = net.layer("Scale", x, "y", {0: shape[0]})
    net.tagged(net.normal(CHANNELS, 6))
    net.layer("InnerProduct", x, "linear", {0: CHANNELS, 2: CHANNELS * 6})
    # Of 2 x 6 the rows are scaled; of 3 x 2 it is not known that they are none. An input may have
    # any number of channels.
    fused = one_for_all or (declared and len(shape) == 1) or (declared and len(shape) == 3)
    layers = compare(runtime, tmp_path, net)
    assert (not {"Power", "Scale"} & set(layers)) == fused


def test_an_inner_product_keeps_shifts_apart(runtime: Runtime, tmp_path: Path) -> None:
    # Its weights are float16 in the runtime, and the bias would be made of the exact ones.
    net = Net()
    x = net.layer("Power", net.input("in0", (6,)), "y", {1: 1.5, 2: -0.5})
    net.tagged(net.normal(CHANNELS, 6))
    net.layer("InnerProduct", x, "linear", {0: CHANNELS, 2: CHANNELS * 6})
    assert "Power" in compare(runtime, tmp_path, net)


def constant_operand(net: Net, x: str) -> str:
    constant = net.constant("offset", net.normal(INPUTS, 1, 1))
    return net.layer("BinaryOp", [x, constant], "y", {0: 0})


def test_a_constant_may_have_made_one_channel_many(runtime: Runtime, tmp_path: Path) -> None:
    net = Net()
    x = net.input("in0", (INPUTS, 5, 6))
    convolution(net, constant_operand(net, x))
    assert "BinaryOp" in compare(runtime, tmp_path, net)
    param = net.write(tmp_path)
    net.inputs["in0"] = net.inputs["in0"][:1]
    assert not isinstance(runtime.run(param, net.inputs, net.outputs), Failure)

    net = Net()
    x = net.input("in0", (2, 5, 6))
    net.tagged(net.normal(INPUTS, 2, 1, 1))
    x = net.layer("Convolution", x, "certain", {0: INPUTS, 1: 1, 6: INPUTS * 2, 9: 1})
    convolution(net, constant_operand(net, x))
    assert compare(runtime, tmp_path, net) == ["Input", "Convolution", "Convolution"]


def quantized(net: Net, x: str) -> None:
    convolution(net, x, {8: 2})
    net.plain(np.full(CHANNELS, 100, "f4"))
    net.plain(np.full(1, 40, "f4"))


def dynamic(net: Net, x: str) -> None:
    w = net.input("in1", (CHANNELS, INPUTS, 3, 3))
    net.layer("Convolution", [x, w], "linear", {0: CHANNELS, 1: 3, 6: 108, 19: 1})


def unlike(net: Net, x: str) -> None:
    convolution(net, x, {31: 1})


def unknown(net: Net, x: str) -> None:
    convolution(net, x, {27: 5})


def read_twice(net: Net, x: str) -> None:
    net.layer("Split", x, ["left", "right"])
    convolution(net, "left")
    net.layer("AbsVal", "right", "other")


def an_output(net: Net, x: str) -> None:
    net.layer("Split", x, ["left", "right"])
    convolution(net, "left")


def between(net: Net, x: str) -> None:
    convolution(net, net.layer("TanH", x, "y"))


@pytest.mark.parametrize(
    "follow", [quantized, dynamic, unlike, unknown, read_twice, an_output, between]
)
def test_what_keeps_them_apart(
    follow: Callable[[Net, str], None], runtime: Runtime, tmp_path: Path
) -> None:
    net = Net()
    x = scale(net, net.input("in0", (INPUTS, 5, 6)), different())
    follow(net, x)
    assert "Scale" in compare(runtime, tmp_path, net)


def test_groups_have_inputs_of_their_own(runtime: Runtime, tmp_path: Path) -> None:
    net = Net()
    x = net.input("in0", (6, 5, 6))
    net.plain(np.arange(1, 7, dtype="f4"))
    net.plain(np.arange(-3, 3, dtype="f4"))
    x = net.layer("Scale", x, "scaled", {0: 6, 1: 1})
    net.tagged(net.normal(4, 3, 3, 3))
    net.layer("ConvolutionDepthWise", x, "linear", {0: 4, 1: 3, 6: 4 * 3 * 9, 7: 2})
    assert compare(runtime, tmp_path, net) == ["Input", "ConvolutionDepthWise"]
