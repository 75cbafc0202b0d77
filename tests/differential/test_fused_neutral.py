"""Small models at the fused level whose layers are simplified away in part, or whose constants are
not what their storage says: after it, they are what they were."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from .compiler import run_passes
from .fused_models import Conversion, check_equal, converted
from .nets import Net, Params, layer_types
from .runtime import Failure, Runtime

WAYS = ((), ("canonicalize",))
"""Passes between the conversion and the way back."""


def types_after(net: Net, folder: Path, runtime: Runtime, after: tuple[str, ...]) -> list[str]:
    """The layer types of a model that went through the fused level, once its outputs are known to
    be the same."""
    param = net.write(folder)
    before = runtime.run(param, net.inputs, net.outputs)
    assert not isinstance(before, Failure), before
    there = converted(param)
    run_passes(there.module, after)
    back = Conversion(there.module, there.remarks).back(folder / "back.param")
    check_equal(before, runtime.run(back, net.inputs, net.outputs))
    return [kind for kind in layer_types(back) if kind != "Input"]


ACTIVATIONS: list[tuple[str, Params, str]] = [
    ("ELU", {0: 1.0}, "ELU"),
    ("CELU", {0: 1.0}, "ELU"),
    ("SELU", {0: 1.0}, "SELU"),
    ("SELU", {0: 1.0, 1: 1.0}, "ELU"),
    ("Shrink", {0: 0.0}, "Shrink"),
    ("Shrink", {0: 0.0, 1: 0.0}, "Shrink"),
    ("HardSwish", {0: 1.0, 1: 0.0}, "HardSwish"),
    ("HardSigmoid", {0: 1.0, 1: 0.0}, "Clip"),
    ("ReLU", {0: 1.0}, "Noop"),
    ("Exp", {0: 2.0}, "Exp"),
    ("Power", {0: 3.0, 1: -1.0}, "Power"),
]
"""Layers with neutral parameters, and what they come back as."""


@pytest.mark.parametrize("after", WAYS)
@pytest.mark.parametrize(("kind", "params", "back"), ACTIVATIONS)
def test_neutral_parameters(
    kind: str, params: Params, back: str, after: tuple[str, ...], runtime: Runtime, tmp_path: Path
) -> None:
    net = Net()
    net.layer(kind, net.input("x", (3, 4, 4)), "y", params)
    types = types_after(net, tmp_path, runtime, after)
    assert types == [kind if kind == "ReLU" and not after else back]


@pytest.mark.parametrize("after", WAYS)
def test_hard_swish_before_elu(after: tuple[str, ...], runtime: Runtime, tmp_path: Path) -> None:
    net = Net()
    swish = net.layer("HardSwish", net.input("x", (3, 4, 4)), "h", {0: 1.0, 1: 0.5})
    net.layer("ELU", swish, "y", {0: 1.0})
    assert types_after(net, tmp_path, runtime, after) == ["HardSwish", "ELU"]


def reshape(net: Net) -> str:
    return net.layer("Reshape", "k", "r", {0: 1, 1: 1, 2: 3})


def absolute(net: Net) -> str:
    return net.layer("AbsVal", "k", "r")


def nothing(net: Net) -> str:
    return "k"


@pytest.mark.parametrize("after", WAYS)
@pytest.mark.parametrize("storage", ["half", "bfloat"])
@pytest.mark.parametrize("between", [nothing, reshape, absolute])
def test_constants_of_16_bits(
    between: Callable[[Net], str],
    storage: str,
    after: tuple[str, ...],
    runtime: Runtime,
    tmp_path: Path,
) -> None:
    net = Net()
    x = net.input("x", (3, 4, 4))
    net.tagged(net.normal(3), storage)
    net.layer("MemoryData", (), "k", {0: 3, 21: 0})
    net.layer("BinaryOp", [x, between(net)], "y", {0: 0})
    assert "Cast" not in types_after(net, tmp_path, runtime, after)


@pytest.mark.parametrize("after", WAYS)
@pytest.mark.parametrize("c", range(5))
def test_gemm_with_a_c_of_16_bits(
    c: int, after: tuple[str, ...], runtime: Runtime, tmp_path: Path
) -> None:
    net, (m, n, k) = Net(), (4, 5, 8)
    net.tagged(net.normal(k, n), "half")
    net.tagged(net.normal({0: 1, 1: m, 2: m, 3: m * n, 4: n}[c]), "half")
    params: Params = {0: 0.5, 5: 1, 6: 1, 7: m, 8: n, 9: k, 10: c}
    net.layer("Gemm", net.input("x", (m, k)), "y", params)
    types_after(net, tmp_path, runtime, after)


@pytest.mark.parametrize("after", WAYS)
@pytest.mark.parametrize(("scale", "bottom"), [(1.0, 1.0), (40.0, 0.25), (0.0, 2.0)])
@pytest.mark.parametrize("bias", [0.0, 1.0])
def test_int8_with_the_same_bias_and_scale_everywhere(
    scale: float,
    bottom: float,
    bias: float,
    after: tuple[str, ...],
    runtime: Runtime,
    tmp_path: Path,
) -> None:
    net = Net()
    net.tagged(net.normal(3, 8), "int8")
    for values in ([bias] * 3, [scale] * 3, [bottom]):
        net.plain(np.array(values, "f4"))
    params: Params = {0: 3, 1: 1, 5: 1, 6: 24, 8: 1}
    net.layer("Convolution", net.input("x", (8, 3, 8)), "c", params)
    assert types_after(net, tmp_path, runtime, after) == ["Convolution"]


@pytest.mark.parametrize("after", WAYS)
@pytest.mark.parametrize("op", [6, 9])
def test_powers_stay_those_of_the_layer(
    op: int, after: tuple[str, ...], runtime: Runtime, tmp_path: Path
) -> None:
    # Of negative numbers BinaryOp makes no powers where it takes several at once, and Power does.
    net = Net()
    x = net.input("x", (3, 4, 4))
    net.inputs["x"] = net.positive(3, 4, 4)
    y = net.layer("BinaryOp", x, "y", {0: op, 1: 1, 2: 2.0})
    net.layer("Power", y, "z", {0: 2.0})
    assert types_after(net, tmp_path, runtime, after) == ["BinaryOp", "Power"]


def test_what_could_not_come_back_is_not_converted(runtime: Runtime, tmp_path: Path) -> None:
    net = Net()
    net.layer("Pooling", net.input("x", (3, 4, 4), declared=False), "y", {0: 1, 4: 1})
    assert types_after(net, tmp_path, runtime, ()) == ["Pooling"]
    (remark,) = converted(tmp_path / "net.param").remarks
    assert "the number of axes that the window slides along is unknown" in str(remark)


def test_layers_that_have_no_scalar_operation_leave_nothing_behind(
    runtime: Runtime, tmp_path: Path
) -> None:
    net = Net()
    y = net.layer("Sigmoid", net.input("x", (3, 4, 4)), "y")
    net.layer("BinaryOp", y, "z", {0: 12, 1: 1, 2: 0.25})  # fmod
    assert types_after(net, tmp_path, runtime, ("canonicalize",)) == ["Sigmoid", "BinaryOp"]


@pytest.mark.parametrize("after", WAYS)
def test_int8_that_is_scaled_was_not_made_of_int32(
    after: tuple[str, ...], runtime: Runtime, tmp_path: Path
) -> None:
    net = Net()
    net.plain(net.positive(3) * 20)
    quantized = net.layer("Quantize", net.input("x", (3, 4, 4)), "q", {0: 3})
    net.layer(
        "BinaryOp", net.layer("Cast", quantized, "c", {0: 3, 1: 1}), "y", {0: 2, 1: 1, 2: 0.5}
    )
    assert types_after(net, tmp_path, runtime, after) == ["Quantize", "Cast", "BinaryOp"]


@pytest.mark.parametrize("after", WAYS)
@pytest.mark.parametrize("activation", [1, 2, 3])
def test_activation_of_sums_that_are_not_scaled(
    activation: int, after: tuple[str, ...], runtime: Runtime, tmp_path: Path
) -> None:
    net = Net()
    net.tagged(net.normal(3, 4), "int8")
    net.plain(np.ones(3, "f4"))
    net.plain(np.ones(1, "f4"))
    params: dict[int, int | tuple[float, ...]] = {0: 3, 2: 12, 8: 1, 9: activation}
    params |= {1: {}, 2: {10: (0.25,)}, 3: {10: (-9.0, 9.0)}}[activation]
    net.layer("InnerProduct", net.input("x", (4,)), "y", params)
    assert types_after(net, tmp_path, runtime, after) == ["InnerProduct"]


@pytest.mark.parametrize("after", WAYS)
def test_one_bound_of_two_activations(
    after: tuple[str, ...], runtime: Runtime, tmp_path: Path
) -> None:
    # What the layer's own activation and the Clip have in common becomes the layer's.
    net = Net()
    net.tagged(net.normal(3, 4))
    x = net.layer("InnerProduct", net.input("x", (4,)), "p", {0: 3, 2: 12, 9: 1})
    net.layer("Split", x, ["p0", "p1"])
    clip = net.layer("Clip", "p0", "c", {0: 0.0, 1: 0.5})
    net.layer("BinaryOp", [clip, "p1"], "y", {0: 2})
    types = types_after(net, tmp_path, runtime, after)
    assert set(types) == {"InnerProduct", "Split", "BinaryOp"}


def test_a_factor_for_all_and_a_summand_a_channel_of_unknown_dims(
    runtime: Runtime, tmp_path: Path
) -> None:
    net = Net()
    for values in (np.full(3, 2.0, "f4"), net.normal(3), np.ones(3, "f4"), net.normal(3)):
        net.plain(values)
    net.layer("BatchNorm", net.input("x", (3, 4, 4), declared=False), "y", {0: 3})
    assert types_after(net, tmp_path, runtime, ("canonicalize",)) == ["Scale"]
