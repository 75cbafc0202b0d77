"""The models that `benchmarks/` measures, and its way of taking a model apart."""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ncnn_opt.driver.model_files import read_model
from ncnn_opt.frontends import ReadOptions
from ncnn_opt.targets.mlir.ir_printer import print_module
from ncnn_opt.targets.options import MlirOptions

from .compiler import load, optimize, save
from .nets import Net, Params, layer_types
from .runtime import Failure, Runtime

ROOT = Path(__file__).parents[2]


def of_benchmarks(name: str) -> Any:
    """A module of `benchmarks`, which is no part of the package. (xDSL brings one of that name,
    too.)"""
    sys.path.insert(0, str(ROOT))
    try:
        return import_module(f"benchmarks.{name}")
    finally:
        sys.path.remove(str(ROOT))


take_apart: Callable[[Any], None] = of_benchmarks("taking_apart").take_apart
MODELS: Mapping[str, Callable[[Path], Path]] = of_benchmarks("models").CLASSIC

ACTIVATIONS: Mapping[str, Params] = {
    "ReLU": {9: 1},
    "ReLU ": {9: 2, 10: [0.25]},
    "Clip": {9: 3, 10: [-0.5, 0.75]},
    "Sigmoid": {9: 4},
    "Mish": {9: 5},
    "HardSwish": {9: 6, 10: [0.2, 0.5]},
}
"""The layer that each fused activation becomes."""


def classifier() -> Net:
    """A small model with all kinds of hosts, each with another activation."""
    net = Net()
    relu, leaky, clip, sigmoid, mish, hard = ACTIVATIONS.values()
    net.input("data", (3, 9, 9))

    def weights(count: int, outputs: int) -> None:
        net.tagged(net.normal(count, scale=0.3))
        net.plain(net.normal(outputs))

    weights(8 * 3 * 9, 8)
    net.layer("Convolution", "data", "a", {0: 8, 1: 3, 4: 1, 5: 1, 6: 216, **relu}, name="conv")
    weights(8 * 9, 8)
    net.layer("ConvolutionDepthWise", "a", "b", {0: 8, 1: 3, 4: 1, 5: 1, 6: 72, 7: 8, **leaky})
    weights(8 * 8 * 4, 8)
    net.layer("Deconvolution", "b", "c", {0: 8, 1: 2, 3: 2, 5: 1, 6: 256, **clip})
    net.layer("Split", "c", ["c0", "c1"])
    weights(4 * 8, 4)
    net.layer("Convolution", "c0", "side", {0: 4, 1: 1, 5: 1, 6: 32, **hard})
    net.layer("Pooling", "c1", "pooled", {0: 1, 4: 1})
    weights(6 * 8, 6)
    net.layer("InnerProduct", "pooled", "d", {0: 6, 1: 1, 2: 48, **sigmoid})
    weights(5 * 6, 5)
    net.layer("InnerProduct", "d", "prob", {0: 5, 1: 1, 2: 30, **mish})
    return net


def test_taken_apart_and_put_together(tmp_path: Path, runtime: Runtime) -> None:
    net = classifier()
    original = net.write(tmp_path)
    module = load(original)
    take_apart(module)
    module.verify()
    apart = save(module, tmp_path / "apart.param")
    types = layer_types(apart)
    assert types.count("BatchNorm") == types.count("Scale") == 4
    assert all(name.strip() in types for name in ACTIVATIONS)
    assert "9=" not in apart.read_text()

    result = optimize(apart, tmp_path / "result.param")
    assert len(layer_types(result)) <= len(layer_types(original))
    assert net.outputs == ["side", "prob"]
    before, after = (runtime.run(path, net.inputs, net.outputs) for path in (apart, result))
    assert not isinstance(before, Failure)
    assert not isinstance(after, Failure)
    for name, expected in before.items():
        np.testing.assert_allclose(after[name], expected, rtol=2e-4, atol=2e-5)


def test_int8_output_stays(tmp_path: Path) -> None:
    # Its activation comes before the rounding: as a layer it would be another model.
    net = Net()
    net.input("data", (4, 5, 5))
    net.tagged(net.normal(32), "int8")
    for count in (8, 1, 1):
        net.plain(net.positive(count))
    net.layer("Convolution", "data", "a", {0: 8, 1: 1, 6: 32, 8: 101, 9: 1})
    net.layer("Dequantize", "a", "out", {0: 1})
    net.plain(net.positive(1))
    module = load(net.write(tmp_path))
    before = print_module(module.clone(), MlirOptions())
    take_apart(module)
    assert print_module(module, MlirOptions()) == before


def test_layers_of_one_blob_share_their_input_scale(tmp_path: Path) -> None:
    (path := tmp_path / "m.param").write_text(
        "7767517\n5 6\n"
        "Input in 0 1 data 0=6 1=5 2=8\n"
        "Split s 1 2 data x0 x1\n"
        "Convolution a 1 1 x0 a 0=4 1=1 6=32 8=2\n"
        "Convolution b 1 1 x1 b 0=4 1=1 6=32 8=2\n"
        "Convolution c 1 1 a c 0=4 1=1 6=16 8=2\n"
    )
    module = read_model(str(path), ReadOptions(weights="random")).module
    before = input_scales(module)
    of_benchmarks("native_checks").share_input_scales(module)
    assert len(set(before)) == 3
    assert input_scales(module) == [before[0], before[0], before[2]]


def input_scales(module: Any) -> list[float]:
    """Return the scale of the input of each int8 layer."""
    found = [getattr(op, "bottom_int8_scales", None) for op in module.walk()]
    return [float(each.owner.read()[0]) for each in found if each is not None]


@pytest.mark.parametrize("name", [name for name in MODELS if name != "resnet50"])
def test_own_model(name: str, tmp_path: Path, runtime: Runtime) -> None:
    path = MODELS[name](tmp_path / f"{name}.param")
    words = path.read_text().splitlines()[2].split()
    extents = {key: int(n) for key, n in (word.split("=") for word in words[5:])}
    shape = tuple(extents[key] for key in ("2", "1", "0") if key in extents)
    inputs = {words[4]: np.random.default_rng(0).standard_normal(shape).astype("f4")}
    result = optimize(path, tmp_path / "result.param")
    # (Reshapes lay what has one dim out in two, where the runtime is faster.)
    layers = [kind for kind in layer_types(result) if kind != "Reshape"]
    assert len(layers) < 0.7 * len(layer_types(path))
    last = result.read_text().splitlines()[-1].split()[5:]
    outputs = [word for word in last if "=" not in word][-1:]
    before, after = (runtime.run(param, inputs, outputs) for param in (path, result))
    assert not isinstance(before, Failure), before
    assert not isinstance(after, Failure), after
    for blob, expected in before.items():
        scale = np.abs(expected).max()
        assert np.isfinite(scale)
        np.testing.assert_allclose(after[blob], expected, rtol=0, atol=1e-3 * scale)


@pytest.mark.parametrize("copied", [False, True])
def test_a_step_of_a_decoder_that_is_cut(copied: bool, tmp_path: Path) -> None:
    """Its inputs still name the caches of layers that it lost. A step with the caches of a call
    before computes what one call with all tokens does. The runtime's own cache has room to grow, a
    copy has none; of 16 steps, which fill the runtime's panels, it is complete."""
    ncnn, stopwatch = pytest.importorskip("ncnn"), of_benchmarks("stopwatch")
    param = tmp_path / "cut.param"
    param.write_text(
        "7767517\n3 11\nInput inputs 0 4 q k v mask\nInput caches 0 4 ck cv lost_k lost_v\n"
        "SDPA sdpa 6 3 q k v mask ck cv out out_ck out_cv 5=1 7=1\n"
    )
    param.with_suffix(".bin").write_bytes(b"")
    rng = np.random.default_rng(0)
    tokens = {name: rng.standard_normal((2, 17, 8)).astype("f4") for name in "qkv"}

    def calls(first: int, last: int) -> dict[str, Any]:
        mask = np.triu(np.full((last - first, last), -1e9, "f4"), first + 1)
        part = {name: np.ascontiguousarray(rows[:, first:last]) for name, rows in tokens.items()}
        return {k: ncnn.Mat(v).clone() for k, v in {**part, "mask": mask}.items()}

    def attended(inputs: dict[str, Any]) -> Any:
        extractor = net.create_extractor()
        for name, blob in inputs.items():
            extractor.input(name, blob)
        return np.array(extractor.extract("out")[1])

    net = ncnn.Net()
    net.load_param(str(param))
    net.load_model(str(param.with_suffix(".bin")))
    caches = stopwatch.caches_after(ncnn, net, calls(0, 16), 0 if copied else 1)
    assert set(caches) == {"ck", "cv"}
    assert all((cache.cstep == cache.w * cache.h) is copied for cache in caches.values())
    whole = attended(calls(0, 17) | {"ck": ncnn.Mat(), "cv": ncnn.Mat()})
    step = attended(calls(16, 17) | caches)
    assert np.allclose(step, whole[:, 16:], atol=1e-5)
    assert not np.allclose(step, whole[:, 15:16])
    given = calls(16, 17), False, calls(0, 16), copied
    stopwatch.load(ncnn, str(param), *given)()
