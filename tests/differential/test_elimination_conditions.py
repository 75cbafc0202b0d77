"""The conditions of eliminations and replacements one by one, in the real runtime: each near-miss
differs from what goes in one thing. And what inputs of other extents than the file says must find
unchanged."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from .compiler import optimize
from .driver import types_after
from .nets import Net, Params, Shape, layer_types
from .runtime import Failure, Runtime

MEAN = 3
"""Reduction's `operation`."""


def compare(runtime: Runtime, tmp_path: Path, net: Net) -> list[str]:
    """The layer types after `-O`, Inputs and Splits left out, once the outputs are known to be the
    same."""
    types = types_after(runtime, tmp_path, net)
    return [kind for kind in types if kind not in ("Input", "Split")]


def convolution(net: Net, shape: Shape = (3, 6, 7), channels: int = 4) -> str:
    """A blob whose number of channels is certain."""
    x = net.input("in0", shape)
    net.tagged(net.normal(channels, shape[0], 3, 3, scale=0.2))
    size = channels * shape[0] * 9
    return net.layer("Convolution", x, "conv", {0: channels, 1: 3, 6: size})


def pooling(net: Net, x: str) -> str:
    return net.layer("Pooling", x, "pool", {0: 1, 4: 1})


def pointwise(net: Net, x: str, params: Params | None = None, storage: str = "float") -> str:
    net.tagged(net.normal(5, 4, scale=0.5), storage)
    return net.layer("Convolution", x, "point", {0: 5, 1: 1, 6: 20, **(params or {})})


def inner_product(net: Net, x: str, inputs: int) -> str:
    net.tagged(net.normal(4, inputs))
    return net.layer("InnerProduct", x, "fc", {0: 4, 2: 4 * inputs})


# -- an InnerProduct for a Convolution


def test_convolution_of_pooled_channels_becomes_an_inner_product(
    runtime: Runtime, tmp_path: Path
) -> None:
    net = Net()
    pointwise(net, pooling(net, convolution(net)), {9: 4})
    assert compare(runtime, tmp_path, net) == ["Convolution", "Pooling", "InnerProduct"]


def test_half_precision_stays_when_a_layer_is_replaced(runtime: Runtime, tmp_path: Path) -> None:
    net = Net()
    pointwise(net, pooling(net, convolution(net)), storage="half")
    assert compare(runtime, tmp_path, net) == ["Convolution", "Pooling", "InnerProduct"]
    sizes = [(tmp_path / f"{stem}.bin").stat().st_size for stem in ("net", "optimized")]
    assert sizes[0] == sizes[1]


def test_int8_convolution_of_a_vector_is_no_inner_product(runtime: Runtime, tmp_path: Path) -> None:
    net = Net()
    x = pooling(net, convolution(net))
    net.tagged(net.normal(5, 4), "int8")
    net.plain(np.full(5, 50, "f4"))
    net.plain(np.full(1, 50, "f4"))
    net.layer("Convolution", x, "point", {0: 5, 1: 1, 6: 20, 8: 2})
    result = optimize(net.write(tmp_path), tmp_path / "optimized.param")
    assert layer_types(result)[-1] == "Convolution"
    blobs = runtime.run(tmp_path / "net.param", net.inputs, net.outputs)
    assert isinstance(blobs, Failure) or blobs["point"].shape != (5,)


# -- Reduction


def reduction(net: Net, x: str, top: str, axes: tuple[int, ...], keep: int = 0) -> str:
    return net.layer("Reduction", x, top, {0: MEAN, 1: 0, 3: axes, 4: keep, 5: 1})


def test_mean_over_rows_and_columns_is_global_pooling(runtime: Runtime, tmp_path: Path) -> None:
    net = Net()
    reduction(net, reduction(net, convolution(net), "a", (2,)), "b", (1,))
    assert compare(runtime, tmp_path, net) == ["Convolution", "Pooling"]
    net = Net()
    reduction(net, convolution(net), "a", (-1, -2))
    assert compare(runtime, tmp_path, net) == ["Convolution", "Pooling"]


def test_axes_that_do_not_count_a_batch_are_told_from_those_that_do(
    runtime: Runtime, tmp_path: Path
) -> None:
    net = Net()  # w and w again, for who counts as the runtime does; w and h for who counts a batch
    reduction(net, reduction(net, convolution(net), "a", (2,), 1), "b", (2,), 1)
    assert compare(runtime, tmp_path, net) == ["Convolution", "Reduction"]


def test_kept_axes_are_no_global_pooling(runtime: Runtime, tmp_path: Path) -> None:
    net = Net()
    reduction(net, convolution(net), "a", (1, 2), 1)
    assert compare(runtime, tmp_path, net) == ["Convolution", "Reduction"]
    net = Net()  # but where they are dropped at once
    net.layer("Flatten", reduction(net, convolution(net), "a", (1, 2), 1), "out")
    assert compare(runtime, tmp_path, net) == ["Convolution", "Pooling"]


# -- reshapes


def test_flatten_of_rows_stays(runtime: Runtime, tmp_path: Path) -> None:
    net = Net()
    net.layer("Flatten", inner_product(net, net.input("in0", (3, 5)), 5), "out")
    assert compare(runtime, tmp_path, net) == ["InnerProduct", "Flatten"]


def test_flatten_before_an_inner_product_goes_unless_there_would_be_rows(
    runtime: Runtime, tmp_path: Path
) -> None:
    net = Net()
    inner_product(net, net.layer("Flatten", net.input("in0", (2, 3, 2)), "flat"), 12)
    assert compare(runtime, tmp_path, net) == ["InnerProduct"]
    net = Net()
    inner_product(net, net.layer("Flatten", net.input("in0", (1, 6)), "flat"), 6)
    assert compare(runtime, tmp_path, net) == ["Flatten", "InnerProduct"]


@pytest.mark.parametrize("storage", ["float", "int8"])
def test_inner_products_of_all_kinds_flatten(
    storage: str, runtime: Runtime, tmp_path: Path
) -> None:
    net = Net()
    x = net.layer("Reshape", net.input("in0", (4, 3, 5)), "flat", {0: -1})
    net.tagged(net.normal(8, 60), storage)
    if storage == "int8":
        net.plain(np.full(8, 50, "f4"))
        net.plain(np.full(1, 50, "f4"))
    net.layer("InnerProduct", x, "fc", {0: 8, 2: 480, 8: 2 * (storage == "int8")})
    assert compare(runtime, tmp_path, net) == ["InnerProduct"]


def gated(net: Net, x: str, gate: str) -> str:
    """A blob times one value a channel, reshaped for it."""
    gate = net.layer("Reshape", gate, "column", {0: 1, 1: 1, 2: -1})
    gate = net.layer("HardSigmoid", gate, "gate", {0: 0.2, 1: 0.5})
    return net.layer("BinaryOp", [x, gate], "out", {0: 2})


def test_gate_needs_no_reshape_where_channels_are_certain(runtime: Runtime, tmp_path: Path) -> None:
    net = Net()
    net.layer("Split", convolution(net), ["conv_a", "conv_b"])
    gated(net, "conv_a", pooling(net, "conv_b"))
    kept = ["Convolution", "Pooling", "HardSigmoid", "BinaryOp"]
    assert compare(runtime, tmp_path, net) == kept


def test_gate_keeps_its_reshape_where_an_input_decides(runtime: Runtime, tmp_path: Path) -> None:
    net = Net()  # of 4 channels, says the file; but they are 3, and 4 columns
    net.layer("Input", (), "in0", {0: 4, 1: 5, 2: 4})
    net.inputs["in0"] = net.normal(3, 5, 4)
    net.inputs["in1"] = net.normal(1)
    net.layer("Input", (), "in1", {0: 4})
    gated(net, "in0", "in1")
    assert "Reshape" in compare(runtime, tmp_path, net)


# -- extents that the file says


def interp(net: Net, x: str) -> str:
    return net.layer("Interp", x, "out", {0: 2, 3: 6, 4: 7})


def adaptive(net: Net, x: str) -> str:
    return net.layer("Pooling", x, "out", {0: 1, 7: 1, 8: 7, 18: 6})


def crop(net: Net, x: str) -> str:
    return net.layer("Crop", x, "out", {9: (0, 0), 10: (6, 7), 11: (1, 2)})


def squeeze(net: Net, x: str) -> str:
    return net.layer("Squeeze", x, "out", {2: 1})


def tiled_crop(net: Net, x: str) -> str:
    net.layer("Split", x, ["a", "b"])
    upper = net.layer("Crop", "a", "upper", {9: (0,), 10: (3,), 11: (1,)})
    lower = net.layer("Crop", "b", "lower", {9: (3,), 10: (6,), 11: (1,)})
    return net.layer("Concat", [lower, upper], "out", {0: 1})


@pytest.mark.parametrize("layer", [interp, adaptive, crop, squeeze, tiled_crop])
@pytest.mark.parametrize("shape", [(3, 6, 7), (3, 8, 9), (1, 7, 8)])
def test_inputs_may_have_other_extents_than_the_file_says(
    layer: Callable[[Net, str], str], shape: Shape, runtime: Runtime, tmp_path: Path
) -> None:
    net = Net()
    net.layer("Input", (), "in0", {0: 7, 1: 6, 2: 3})
    net.inputs["in0"] = net.normal(*shape)
    layer(net, net.layer("TanH", "in0", "tanh"))
    left = compare(runtime, tmp_path, net)
    assert left[1:] == [kind for kind in layer_types(tmp_path / "net.param")[2:] if kind != "Split"]


def test_number_of_dims_may_depend_on_extents(runtime: Runtime, tmp_path: Path) -> None:
    net = Net()  # 4 dims, says the file, of which the Squeeze drops none; but it drops two
    net.layer("Input", (), "in0", {0: 3, 1: 2, 11: 4, 2: 2})
    net.inputs["in0"] = net.normal(1, 4, 1, 3)
    x = net.layer("Squeeze", "in0", "squeezed", {3: (0, 2)})
    net.layer("ExpandDims", x, "out", {3: (0,)})
    assert compare(runtime, tmp_path, net) == ["Squeeze", "ExpandDims"]


# -- names


def test_outputs_keep_their_names_whatever_stood_before_them(
    runtime: Runtime, tmp_path: Path
) -> None:
    net = Net()
    net.layer("Split", convolution(net), ["raw", "more"])
    x = net.layer("ReLU", "more", "relu", {0: 1.0})
    net.layer("Split", x, ["first", "again"])
    net.layer("Permute", net.layer("Permute", "again", "p", {0: 3}), "second", {0: 4})
    assert net.outputs == ["raw", "first", "second"]
    assert compare(runtime, tmp_path, net) == ["Convolution"]


def test_duplicates_keep_the_names_of_outputs(runtime: Runtime, tmp_path: Path) -> None:
    net = Net()
    net.layer("Split", convolution(net), ["a", "b", "c"])
    for bottom, top, alpha in (("a", "one", 0.5), ("b", "two", 0.5), ("c", "three", 0.25)):
        net.layer("ELU", bottom, top, {0: alpha})
    assert compare(runtime, tmp_path, net) == ["Convolution", "ELU", "ELU"]


def test_layers_with_other_feature_masks_are_no_duplicates(
    runtime: Runtime, tmp_path: Path
) -> None:
    net = Net()
    net.layer("Split", convolution(net), ["a", "b"])
    net.layer("ELU", "a", "one", {0: 0.5, 31: 1})
    net.layer("ELU", "b", "two", {0: 0.5})
    assert compare(runtime, tmp_path, net) == ["Convolution", "ELU", "ELU"]


@pytest.mark.parametrize(("same", "left"), [(True, 1), (False, 2)])
def test_weights_decide_on_duplicates(
    same: bool, left: int, runtime: Runtime, tmp_path: Path
) -> None:
    net = Net()
    net.layer("Split", convolution(net), ["a", "b"])
    slopes = net.positive(4)
    for bottom, top in (("a", "one"), ("b", "two")):
        net.plain(slopes)
        net.layer("PReLU", bottom, top, {0: 4})
        slopes = slopes if same else net.positive(4)
    assert compare(runtime, tmp_path, net).count("PReLU") == left
