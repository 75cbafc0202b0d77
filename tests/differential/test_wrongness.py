"""Where ncnn's own ncnnoptimize makes models that compute something else, or are not whole, all is
kept here: by `ncnn-opt -O` and by `ncnn-optimize`."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.tools import ncnn_optimize_main

from .compiler import command
from .nets import Net
from .param_files import read_lines, same_layer
from .runtime import Blobs, Failure, Runtime
from .test_custom_and_names import run_with_custom_layer
from .wrongness import KINDS, Build

TOLERANCE, HALF_TOLERANCE = 1e-4, 1e-2
"""Of the largest value of a blob: for float32 weights, and for float16 ones."""

SHAPE_HINTS = 30
"""The id of what `ncnn-optimize` adds to all layers, as ncnnoptimize does."""

MODELS = {
    f"{kind}: {name}": build for kind, these in KINDS.items() for name, build in these.items()
}


def by_ncnn_opt(model: Path, result: Path, *options: str) -> None:
    command("-O", *options, model, "-o", result)


def by_ncnn_optimize(model: Path, result: Path, *options: str, flag: int = 0) -> None:
    files = [path.with_suffix(end) for path in (model, result) for end in (".param", ".bin")]
    ncnn_optimize_main.main([*options, *map(str, files), str(flag)])


by_both_tools = pytest.mark.parametrize("optimize", [by_ncnn_opt, by_ncnn_optimize])

Optimize = Callable[..., None]


def assert_same(before: Blobs, after: Blobs | Failure, tolerance: float = TOLERANCE) -> None:
    assert not isinstance(after, Failure), after
    for name, expected in before.items():
        assert after[name].shape == expected.shape, name
        error = np.abs(after[name] - expected).max()
        assert error <= tolerance * np.abs(expected).max(), name


def assert_same_files(a: Path, b: Path) -> None:
    assert a.read_bytes() == b.read_bytes()
    assert a.with_suffix(".bin").read_bytes() == b.with_suffix(".bin").read_bytes()


@pytest.mark.parametrize("what", MODELS)
def test_outputs_are_kept(what: str, runtime: Runtime, tmp_path: Path) -> None:
    net = Net(seed=1)
    MODELS[what](net)
    model = net.write(tmp_path)
    has_splits = "second reader" not in what
    before = runtime.run(model, net.inputs, net.outputs, light_mode=has_splits)
    assert not isinstance(before, Failure), before
    assert all(np.isfinite(blob).all() and blob.any() for blob in before.values())

    once, twice, drop_in = (tmp_path / f"{name}.param" for name in ("once", "twice", "drop_in"))
    by_ncnn_opt(model, once)
    assert_same(before, runtime.run(once, net.inputs, net.outputs))
    by_ncnn_opt(once, twice)
    assert_same_files(once, twice)
    for flag, tolerance in ((0, TOLERANCE), (65536, HALF_TOLERANCE)):
        by_ncnn_optimize(model, drop_in, flag=flag)
        assert_same(before, runtime.run(drop_in, net.inputs, net.outputs), tolerance)
        by_ncnn_optimize(drop_in, twice, flag=flag)
        assert_same_files(drop_in, twice)


@pytest.mark.parametrize("name", KINDS["loses a parameter"])
@by_both_tools
def test_parameters_are_kept(name: str, optimize: Optimize, tmp_path: Path) -> None:
    net = Net(seed=1)
    KINDS["loses a parameter"][name](net)
    model = net.write(tmp_path)
    result = tmp_path / "result.param"
    optimize(model, result)
    for old, new in zip(read_lines(model), read_lines(result), strict=True):
        params = {id: value for id, value in new.params.items() if id != SHAPE_HINTS}
        assert same_layer(old, replace(new, params=params))


def custom(net: Net, x: str, name: str) -> str:
    """A layer that is registered with the runtime by the test; see `run_with_custom_layer`."""
    net.plain(net.normal(4))
    net.plain(net.normal(2))
    return net.layer("AddTwice", x, name, {0: 4, 1: 1.5})


def inner_product(net: Net, x: str, name: str) -> str:
    net.tagged(net.normal(4, 4))
    return net.layer("InnerProduct", x, name, {0: 4, 2: 16})


def custom_first(net: Net) -> None:
    x = custom(net, net.input("data", (4,)), "mine")
    net.layer("ReLU", inner_product(net, x, "fc"), "out")


def custom_between(net: Net) -> None:
    x = inner_product(net, net.input("data", (4,)), "fc1")
    x = inner_product(net, custom(net, net.layer("ReLU", x, "relu"), "mine"), "fc2")
    net.layer("BinaryOp", x, "out", {0: 2, 1: 1, 2: 0.5})


def custom_last(net: Net) -> None:
    x = inner_product(net, net.input("data", (4,)), "fc")
    net.layer("Dropout", custom(net, x, "mine"), "out")


def two_custom_ones(net: Net) -> None:
    x = custom(net, net.input("data", (4,)), "first")
    x = net.layer("Sigmoid", inner_product(net, x, "fc"), "sigmoid")
    custom(net, x, "out")


@pytest.mark.parametrize("build", [custom_first, custom_between, custom_last, two_custom_ones])
@by_both_tools
def test_weights_of_custom_layers_are_kept(
    build: Build, optimize: Optimize, tmp_path: Path
) -> None:
    pytest.importorskip("ncnn")
    net = Net(seed=1)
    build(net)
    model, result = net.write(tmp_path), tmp_path / "result.param"
    optimize(model, result, "--custom-weights", "AddTwice=4,2")
    assert len(read_lines(result)) < len(read_lines(model))
    assert run_with_custom_layer(result) == pytest.approx(run_with_custom_layer(model))


def no_param(model: Path) -> None:
    model.unlink()


def no_bin(model: Path) -> None:
    model.with_suffix(".bin").unlink()


def short_bin(model: Path) -> None:
    weights = model.with_suffix(".bin")
    weights.write_bytes(weights.read_bytes()[:-4])


def a_layer_less(model: Path) -> None:
    model.write_text(model.read_text().rpartition("InnerProduct")[0])


@pytest.mark.parametrize("damage", [no_param, no_bin, short_bin, a_layer_less])
@by_both_tools
def test_bad_input_is_an_error_and_nothing_is_overwritten(
    damage: Callable[[Path], None],
    optimize: Optimize,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    net = Net(seed=1)
    inner_product(net, net.input("data", (4,)), "out")
    model, result = net.write(tmp_path), tmp_path / "result.param"
    damage(model)
    for path in (result, result.with_suffix(".bin")):
        path.write_text("an earlier result")
    with pytest.raises(SystemExit) as caught:
        optimize(model, result)
    assert caught.value.code == 1
    (message,) = capsys.readouterr().err.splitlines()
    assert ": error: " in message
    for path in (result, result.with_suffix(".bin")):
        assert path.read_text() == "an earlier result"
