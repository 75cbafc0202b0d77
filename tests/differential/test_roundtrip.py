"""What is imported is exported as it was: as `.param`, through `.mlir` and through a pipe of text,
for every layer type."""

from collections.abc import Sequence
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ncnn_opt.dialects.ncnn import BY_TYPE
from ncnn_opt.dialects.ncnn.params import ParamView, Value

from .compiler import command, load, optimize, save
from .nets import Net
from .param_files import Case, parse_params, read_cases, read_lines, same_layer
from .runtime import Array, Blobs, Failure, Runtime

CASES = read_cases(Path(__file__).with_name("roundtrip.txt"))

ALL_STORAGES = ("float", "half", "bfloat", "scaled", "table")


def add_weights(net: Net, case: Case, storages: Sequence[str]) -> None:
    """The weights that the layer's declaration asks for, each time stored in another way."""
    cls = BY_TYPE.get(case.kind)
    if cls is None:
        return
    values: dict[str, Value] = {}
    given = parse_params(case.params)
    for name, param in cls.PARAMS.items():
        if param.id in given:
            values[name] = given[param.id]  # pyright: ignore[reportArgumentType]
    view = ParamView(cls.PARAMS, values)
    if cls.dynamic_by(view):
        return
    for slot in cls.WEIGHTS.values():
        if not slot.when(view):
            continue
        shape = slot.shape(view)
        form = slot.encoding(view)
        weight = net.positive(*shape) if slot.positive else net.normal(*shape)
        if form == "packed":
            net.packed(prod(shape))
        elif form == "plain":
            net.plain(weight)
        elif slot.quantized_by and getattr(view, slot.quantized_by, 0):
            net.tagged(weight, "int8")
        else:
            net.tagged(weight, storages[int(net.rng.integers(len(storages)))])


def add_case(
    net: Net, case: Case, prefix: str = "", storages: Sequence[str] = ALL_STORAGES
) -> None:
    """A case with its inputs and weights."""
    bottoms = [net.input(f"{prefix}in{i}", shape) for i, shape in enumerate(case.inputs)]
    add_weights(net, case, storages)
    tops = [f"{prefix}out{i}" for i in range(case.outputs)]
    net.layer(case.kind, bottoms, tops, case.params, name=f"{prefix}layer")


TOGETHER = 20
"""The number of cases in a model. (Models of one case take five times as long, most of it in
parsing command lines, and find nothing else: all lines and all weights are compared.)"""
MODELS = [CASES[i : i + TOGETHER] for i in range(0, len(CASES), TOGETHER)]


@pytest.fixture
def model(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A model of some cases side by side."""
    net = Net(seed=1)
    for i, case in enumerate(request.param):
        add_case(net, case, f"m{i}_")
    return net.write(tmp_path)


of_all_layers = pytest.mark.parametrize(
    "model", MODELS, ids=[f"{cases[0].kind} to {cases[-1].kind}" for cases in MODELS], indirect=True
)


def assert_same_model(before: Path, after: Path) -> None:
    assert after.with_suffix(".bin").read_bytes() == before.with_suffix(".bin").read_bytes()
    old, new = read_lines(before), read_lines(after)
    assert len(old) == len(new)
    for a, b in zip(old, new, strict=True):
        assert same_layer(a, b), (a, b)


def assert_same_blobs(before: Blobs, after: Blobs | Failure) -> None:
    assert not isinstance(after, Failure), after
    for name, expected in before.items():
        np.testing.assert_array_equal(after[name], expected)


@of_all_layers
def test_param_to_param(model: Path, tmp_path: Path) -> None:
    first = save(load(model), tmp_path / "first.param")
    assert_same_model(model, first)
    second = save(load(first), tmp_path / "second.param")
    assert second.read_bytes() == first.read_bytes()
    assert second.with_suffix(".bin").read_bytes() == first.with_suffix(".bin").read_bytes()


@of_all_layers
def test_through_mlir(model: Path, tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    command(model, "-o", folder / "model.mlir")
    weights = model.with_suffix(".bin")
    content = weights.read_bytes()
    weights.unlink()  # the pair of files must be enough
    command(folder / "model.mlir", "-o", tmp_path / "after.param")
    weights.write_bytes(content)
    assert_same_model(model, tmp_path / "after.param")


@of_all_layers
@pytest.mark.parametrize("style", [[], ["--print-op-generic"]], ids=str)
def test_through_a_pipe(model: Path, style: list[str], tmp_path: Path) -> None:
    text = command(model, *style)
    again = command(*style, text=text)
    assert again == text
    command("-o", tmp_path / "after.param", text=again)
    assert_same_model(model, tmp_path / "after.param")


def test_through_a_pipe_with_all_weights_in_it(tmp_path: Path) -> None:
    net = Net(seed=4)
    for i, case in enumerate(CASES):
        # Inline values are values: a table, or the second tag for float32, does not survive.
        add_case(net, case, f"m{i}_", ("float", "half", "bfloat"))
    model = net.write(tmp_path)
    text = command(model, "--inline-weights")
    assert '.bin"' not in text
    command("-o", tmp_path / "after.param", text=text)
    assert_same_model(model, tmp_path / "after.param")


@of_all_layers
def test_optimizing_twice_is_optimizing_once(model: Path, tmp_path: Path) -> None:
    once = optimize(model, tmp_path / "once.param")
    twice = optimize(once, tmp_path / "twice.param")
    assert twice.read_bytes() == once.read_bytes()
    assert twice.with_suffix(".bin").read_bytes() == once.with_suffix(".bin").read_bytes()


def test_the_runtime_gives_the_same_bits(runtime: Runtime, tmp_path: Path) -> None:
    ran: list[Case] = []
    for case in CASES:
        net = Net(seed=3)
        add_case(net, case)
        model = net.write(tmp_path)
        before = runtime.run(model, net.inputs, net.outputs)
        if isinstance(before, Failure):
            continue
        ran.append(case)
        after = save(load(model), tmp_path / "after.param")
        assert_same_blobs(before, runtime.run(after, net.inputs, net.outputs))
    assert len(ran) > 0.95 * len(CASES), [str(case) for case in CASES if case not in ran]


EXAMPLES = Path(__file__).parents[2] / "examples"


def example_inputs(name: str) -> dict[str, Array]:
    shapes = {"small_cnn": (3, 32, 32), "residual": (8, 16, 16), "sequence": (8, 20)}
    blob = "frames" if name == "sequence" else "data"
    return {blob: np.random.default_rng(0).standard_normal(shapes[name]).astype("f4")}


@pytest.mark.parametrize("name", ["small_cnn", "residual", "sequence"])
def test_examples(name: str, runtime: Runtime, tmp_path: Path) -> None:
    model = EXAMPLES / f"{name}.param"
    lines = read_lines(model)
    read = {blob for line in lines for blob in line.bottoms}
    outputs = [top for line in lines for top in line.tops if top not in read]
    inputs = example_inputs(name)
    # `residual` has blobs with two readers and no Split, which light mode does not allow.
    before: Any = runtime.run(model, inputs, outputs, light_mode=False)
    assert not isinstance(before, Failure), before

    command(model, "-o", tmp_path / "direct.param")
    command(model, "-o", tmp_path / "model.mlir")
    command(tmp_path / "model.mlir", "-o", tmp_path / "mlir.param")
    text = command(model)
    command("-o", tmp_path / "pipe.param", text=text)
    for way in ("direct", "mlir", "pipe"):
        after = tmp_path / f"{way}.param"
        assert_same_model(model, after)
        assert_same_blobs(before, runtime.run(after, inputs, outputs, light_mode=False))

    command(model, "-O", "-o", tmp_path / "once.param")
    command(tmp_path / "once.param", "-O", "-o", tmp_path / "twice.param")
    once, twice = tmp_path / "once.param", tmp_path / "twice.param"
    assert twice.read_bytes() == once.read_bytes()
    assert twice.with_suffix(".bin").read_bytes() == once.with_suffix(".bin").read_bytes()
    assert len(read_lines(once)) < len(lines)
    optimized: Any = runtime.run(once, inputs, outputs)
    for blob, expected in before.items():
        np.testing.assert_allclose(optimized[blob], expected, 0, 1e-4 * np.abs(expected).max())
