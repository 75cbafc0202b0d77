"""`-O` rounds no weight, and makes a `.bin` at most 1 % larger: weights of float16 that a rewrite
changes become float32 as far as there is room, and else the rewrite is not done."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ncnn_opt.tools.ncnn_opt_main import main

from .amount import REPEATABLE, examples
from .comparing import error, largest
from .nets import Net, layer_types
from .runtime import Failure, Runtime

ROOM = 790
"""Outputs of the large convolution with which 1 % of all weights is as much as the small one of
`factor_net` grows by: 8 * 8 float16 are 128 bytes, and 128 + 4 * 8 + 2 * 8 * 790 are 12,800."""

ADD, MUL = 0, 2

KINDS = ("half", "bfloat")


def conv(
    net: Net, below: str, name: str, inputs: int, outputs: int, storage: str, bias: int = 1
) -> str:
    """A 1x1 Convolution with a bias, unless `bias` is 0."""
    net.tagged(net.normal(outputs, inputs).astype("f2").astype("f4"), storage)
    if bias:
        net.plain(net.normal(outputs))
    return net.layer("Convolution", below, name, {0: outputs, 1: 1, 5: bias, 6: inputs * outputs})


def scalar(net: Net, below: str, name: str, op: int, value: float) -> str:
    return net.layer("BinaryOp", below, name, {0: op, 1: 1, 2: value})


def factor_net(outputs: int, factor: float, storage: str = "half", large: str = "half") -> Net:
    """A large convolution, and a small one with a factor behind it."""
    net = Net(1)
    net.input("in0", (8, 5, 5))
    net.input("in1", (8, 5, 5))
    conv(net, "in0", "large", 8, outputs, large, bias=0)
    scalar(net, conv(net, "in1", "small", 8, 8, storage), "scaled", MUL, factor)
    return net


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> list[str]:
    """What a command says."""
    capsys.readouterr()
    main([*map(str, arguments)])
    return capsys.readouterr().err.splitlines()


def sizes(*params: Path) -> list[int]:
    return [param.with_suffix(".bin").stat().st_size for param in params]


def assert_stable(result: Path) -> None:
    again = result.with_name("again.param")
    main(["-O", str(result), "-o", str(again), "-q"])
    for kind in (".param", ".bin"):
        assert again.with_suffix(kind).read_bytes() == result.with_suffix(kind).read_bytes()


def assert_exact(runtime: Runtime, net: Net, *params: Path) -> None:
    """Both compute the same but for rounding to float32."""
    before, after = (runtime.run(param, net.inputs, net.outputs) for param in params)
    assert not isinstance(before, Failure), before
    assert not isinstance(after, Failure), after
    for name, values in before.items():
        assert error(values, after[name]) <= 4e-6 * largest(values), name


@pytest.mark.parametrize("storage", KINDS)
@pytest.mark.parametrize(("outputs", "fits"), [(ROOM, True), (ROOM - 1, False)])
def test_a_weight_that_16_bits_would_round_is_float32_as_far_as_there_is_room(
    storage: str,
    outputs: int,
    fits: bool,
    runtime: Runtime,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    net = factor_net(outputs, 0.3, storage)
    param, result = net.write(tmp_path), tmp_path / "fast.param"
    said = run(capsys, "-O", param, "-o", result, "--remarks=missed")
    before, after = sizes(param, result)
    assert ("BinaryOp" not in layer_types(result)) == fits
    assert after - before == 128 * fits
    growth = f"{before:,} -> {after:,} bytes of weights (+{100 * (after - before) / before:.2f} %)"
    assert any(line.endswith(growth) for line in said)
    widened = "weights of 16 bits that are float32 now, since 16 bits would not hold them: 1"
    refused = "1 rewrite is left out: the weights would grow too much"
    missed = (
        "missed: fuse-conv-mul: Convolution 'small', BinaryOp 'scaled' (it would add 128 bytes to "
        "the weights, and the limit leaves 127)"
    )
    assert any(widened in line for line in said) == fits
    assert any(refused in line for line in said) == (missed in said) == (not fits)
    assert_exact(runtime, net, param, result)
    assert_stable(result)


@pytest.mark.parametrize("fits", [True, False])
def test_a_model_of_both_float16_and_float32_has_room_as_well(fits: bool, tmp_path: Path) -> None:
    """More of it is float32 than an earlier run can have made so."""
    net = factor_net(ROOM // 2 - (not fits), 0.3, large="float")
    param, result = net.write(tmp_path), tmp_path / "fast.param"
    main(["-O", str(param), "-o", str(result), "-q"])
    assert sizes(result)[0] - sizes(param)[0] == 128 * fits


@pytest.mark.parametrize("storage", KINDS)
@pytest.mark.parametrize("factor", [0.25, -2.0])
def test_a_weight_that_stays_exact_keeps_16_bits(
    storage: str,
    factor: float,
    runtime: Runtime,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    net = factor_net(8, factor, storage)
    param, result = net.write(tmp_path), tmp_path / "fast.param"
    said = run(capsys, "-O", param, "-o", result)
    assert "BinaryOp" not in layer_types(result)
    assert len(set(sizes(param, result))) == 1
    assert not any("16 bits" in line for line in said)
    assert_exact(runtime, net, param, result)


@pytest.mark.parametrize("option", ["--round-weights", "--storage=original"])
def test_weights_are_rounded_if_that_is_asked_for(
    option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    param, result = factor_net(8, 0.3).write(tmp_path), tmp_path / "fast.param"
    said = run(capsys, "-O", option, param, "-o", result)
    assert "BinaryOp" not in layer_types(result)
    assert len(set(sizes(param, result))) == 1
    assert any(
        "rewritten weights of 16 bits that are rounded to 16 bits again: 1" in s for s in said
    )


@pytest.mark.parametrize(("outputs", "fits"), [(ROOM, True), (ROOM - 1, False)])
def test_rounding_has_the_limit_as_well_where_float16_would_not_hold_a_weight(
    outputs: int, fits: bool, tmp_path: Path
) -> None:
    """A channel of factors far below 2^-14 is float32 even so."""
    net = Net(1)
    net.input("in0", (8, 5, 5))
    net.input("in1", (8, 5, 5))
    conv(net, "in0", "large", 8, outputs - 2, "half", bias=0)  # 32 bytes less, for the constant
    low = np.full(8, 0.3, "f4")
    low[3] = 1e-8
    below = net.constant("factors", low.reshape(8, 1, 1))
    above = conv(net, "in1", "small", 8, 8, "half")
    net.layer("BinaryOp", [above, below], "scaled", {0: MUL})
    param, result = net.write(tmp_path), tmp_path / "fast.param"
    main(["-O", "--round-weights", str(param), "-o", str(result), "-q"])
    assert ("BinaryOp" not in layer_types(result)) == fits
    before, after = sizes(param, result)
    assert after <= 1.01 * before


@pytest.mark.parametrize(("storage", "bytes_an_element"), [("fp16", 2), ("fp32", 4)])
def test_where_all_weights_are_stored_alike_widening_does_not_count(
    storage: str, bytes_an_element: int, tmp_path: Path
) -> None:
    param, result = factor_net(8, 0.3).write(tmp_path), tmp_path / "fast.param"
    main(["-O", "--storage", storage, str(param), "-o", str(result), "-q"])
    assert "BinaryOp" not in layer_types(result)
    assert sizes(result) == [2 * (4 + 64 * bytes_an_element) + 32]


def biased(net: Net) -> None:
    """A sum that becomes a bias of 8 floats."""
    scalar(net, conv(net, "in1", "small", 8, 8, "float", bias=0), "moved", ADD, 3.0)


def folded(net: Net) -> None:
    """Two constants of 8 and 25 floats, whose product has 200."""
    factors = [net.constant("a", net.normal(8, 1, 1)), net.constant("b", net.normal(1, 5, 5))]
    net.layer("BinaryOp", ["in1", net.layer("BinaryOp", factors, "table", {0: MUL})], "sum")


def padded(net: Net) -> None:
    """Depthwise channels, 7, of which `--tune x86` makes 8: one more of 8, 1, 9, 1 and 2 floats."""
    above = conv(net, "in1", "wide", 8, 7, "float")
    net.tagged(net.normal(7, 9))
    net.plain(net.normal(7))
    params = {0: 7, 1: 3, 4: 1, 5: 1, 6: 63, 7: 7}
    conv(net, net.layer("ConvolutionDepthWise", above, "deep", params), "narrow", 7, 2, "float")


def normalized(net: Net) -> None:
    """A factor a channel of a GroupNorm without weights: two of 8 for one. (The convolution makes
    it certain how many channels there are.)"""
    above = conv(net, "in1", "small", 8, 8, "float")
    factors = net.constant("factors", net.normal(8, 1, 1))
    norm = net.layer("GroupNorm", above, "norm", {0: 2, 1: 8, 2: 1e-5, 3: 0})
    net.layer("BinaryOp", [norm, factors], "scaled", {0: MUL})


def recognized(net: Net) -> None:
    """A GroupNorm that is spelled out, with 2 values of each kind for 8 channels."""
    above = conv(net, "in1", "small", 8, 8, "float")
    cut = net.layer("Reshape", above, "cut", {0: 25, 1: 4, 2: 2})
    norm = net.layer("InstanceNorm", cut, "norm", {0: 2, 1: 1e-5, 2: 1})
    net.plain(net.positive(2))
    net.plain(net.normal(2))
    net.layer("Reshape", norm, "back", {0: 5, 1: 5, 2: 8})


def absorbed(net: Net) -> None:
    """A summand behind a Scale without a bias."""
    net.plain(net.normal(8))
    scalar(net, net.layer("Scale", "in1", "scaled", {0: 8, 1: 0}), "moved", ADD, 3.0)


GROWING = {
    "a bias": (biased, 32, 4 * 64),
    "a constant": (folded, 4 * (200 - 33), 4 * 33),
    "a normalization": (normalized, 32, 320),
    "a recognized layer": (recognized, 2 * 4 * (8 - 2), 288 + 16),
    "a Scale's bias": (absorbed, 32, 32),
    "channels": (padded, 4 * 21, 4 * 149),
}
"""Rewrites that add to float32 weights: by how many bytes, and of how many."""


@pytest.mark.parametrize("reason", GROWING)
@pytest.mark.parametrize("fits", [True, False])
def test_whatever_adds_to_the_weights_has_the_same_limit(
    reason: str, fits: bool, runtime: Runtime, tmp_path: Path
) -> None:
    build, growth, before = GROWING[reason]
    outputs = -(-(100 * growth - before) // 32)  # of 8 floats each: as few as there must be
    net = Net(1)
    net.input("in0", (8, 5, 5))
    net.input("in1", (8, 5, 5))
    conv(net, "in0", "large", 8, outputs - (not fits), "float", bias=0)
    build(net)
    param, result = net.write(tmp_path), tmp_path / "fast.param"
    main(["-O", "--tune", "x86", str(param), "-o", str(result), "-q"])
    assert sizes(result)[0] - sizes(param)[0] == growth * fits
    assert_exact(runtime, net, param, result)
    main(["--canonicalize", "--tune", "x86", "--pad-channels", str(param), "-o", str(result), "-q"])
    assert sizes(result)[0] - sizes(param)[0] == growth


@pytest.mark.parametrize("fits", [True, False])
def test_float32_weights_of_a_float32_model_are_no_growth(fits: bool, tmp_path: Path) -> None:
    """Also where they are a small part of it, as an earlier run would have left them."""
    _, growth, before = GROWING["a constant"]
    net = Net(1)
    net.input("in0", (8, 5, 5))
    net.input("in1", (8, 5, 5))
    conv(net, "in0", "small", 8, 8, "float", bias=0)
    net.constant("large", net.normal((100 * growth - before - 256) // 4 - (not fits)))
    folded(net)
    param, result = net.write(tmp_path), tmp_path / "fast.param"
    main(["-O", str(param), "-o", str(result), "-q"])
    assert sizes(result)[0] - sizes(param)[0] == growth * fits


def parallel(net: Net) -> None:
    """Two convolutions of 8 * 8 float16 that are one, of float32."""
    blobs = net.layer("Split", "in1", ["left", "right"]), "right"
    convs = [conv(net, blob, f"conv_{blob}", 8, 8, "half") for blob in blobs]
    net.layer("BinaryOp", convs, "sum", {0: ADD})


def sequential(net: Net) -> None:
    """Two convolutions of 8 * 32 float16 that are one of 8 * 8 float32."""
    conv(net, conv(net, "in1", "inner", 8, 32, "half"), "outer", 32, 8, "half")


WIDENING = {
    "branches": (parallel, 2 * (128 + 32), "conv_right"),
    "convolutions": (sequential, 2 * 512 + 4 * (32 + 8), "inner"),
}
"""Rewrites that make float32 of float16, 128 bytes more: of how many, and a layer that they
remove."""


@pytest.mark.parametrize("kind", WIDENING)
@pytest.mark.parametrize("fits", [True, False])
def test_what_becomes_float32_has_the_limit_even_where_other_weights_go(
    kind: str, fits: bool, runtime: Runtime, tmp_path: Path
) -> None:
    build, before, removed = WIDENING[kind]
    net = Net(1)
    net.input("in0", (8, 5, 5))
    net.input("in1", (8, 5, 5))
    conv(net, "in0", "large", 8, (12_800 - before) // 16 - (not fits), "half", bias=0)
    build(net)
    param, result = net.write(tmp_path), tmp_path / "fast.param"
    main(["-O", str(param), "-o", str(result), "-q"])
    assert (f" {removed} " not in result.read_text()) == fits
    assert_exact(runtime, net, param, result)
    assert_stable(result)


@st.composite
def nets(draw: st.DrawFn, all_have_biases: bool) -> Net:
    """Convolutions with scales, shifts, activations and branches between them, and one that is so
    large that there is room for some of what there is to do."""
    net = Net(draw(st.integers(0, 999)))
    net.input("in0", (8, 5, 5))
    net.input("in1", (8, 5, 5))
    storages = st.sampled_from(("half", "half", "half", "bfloat", "float"))
    conv(net, "in0", "large", 8, draw(st.integers(1, 200)) * 20, "half", bias=0)
    below, biases = "in1", st.just(1) if all_have_biases else st.integers(0, 1)
    for i in range(draw(st.integers(2, 7))):
        parallel = draw(st.integers(0, 3)) == 0
        above = below
        if parallel:
            below, above = net.layer("Split", below, [f"p{i}", f"q{i}"]), f"q{i}"
        below = conv(net, below, f"c{i}", 8, 8, draw(storages), bias=draw(biases))
        if parallel:
            beside = conv(net, above, f"b{i}", 8, 8, draw(storages), bias=draw(biases))
            below = net.layer("BinaryOp", [below, beside], f"a{i}", {0: ADD})
        for j in range(draw(st.integers(0, 2))):
            op = draw(st.sampled_from((ADD, MUL)))
            value = draw(st.sampled_from((0.5, 0.3, 1.7, -2.0)))
            if draw(st.booleans()):
                below = scalar(net, below, f"s{i}{j}", op, value)
            else:
                values = net.constant(f"v{i}{j}", value * net.positive(8, 1, 1))
                below = net.layer("BinaryOp", [below, values], f"s{i}{j}", {0: op})
        if draw(st.booleans()):
            below = net.layer("ReLU", below, f"r{i}")
    return net


@pytest.mark.parametrize("all_have_biases", [True, False])
def test_weights_stay_exact_and_grow_by_1_percent_at_most_and_once(
    all_have_biases: bool, runtime: Runtime, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Room that new biases took in a first run is there again in a second one: with them, this may
    do what was left out."""
    seen = Counter[str]()

    @settings(REPEATABLE, max_examples=examples(40))
    @given(nets(all_have_biases))
    def check(net: Net) -> None:
        param, result = net.write(tmp_path), tmp_path / "fast.param"
        said = " ".join(run(capsys, "-O", param, "-o", result))
        before, after = sizes(param, result)
        assert after <= 1.01 * before
        assert_exact(runtime, net, param, result)
        if all_have_biases:
            assert_stable(result)
        seen.update(word for word in ("are float32 now", "left out") if word in said)
        seen["grown"] += after > before

    check()
    for what in ("are float32 now", "left out", *(["grown"] if all_have_biases else [])):
        assert seen[what] >= examples(4), seen
