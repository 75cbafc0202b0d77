"""`ncnn-opt --fp16-safe` on five nets, and the emulation, against a Vulkan device."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from float16_layers import REAL, breaking, emulated, inputs_of, real_model
from float16_nets import NETS, write_net
from ncnn_opt.analysis.float16.emulation import Setting
from ncnn_opt.analysis.float16.gpu_layers import FLOAT32_SQUARES
from ncnn_opt.dialects.ncnn.function import input_name
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.driver.model_files import read_model
from ncnn_opt.interpreters.run import blobs_of, run
from ncnn_opt.runtime.engines import run_ncnn
from ncnn_opt.runtime.trial_shapes import take_shapes
from ncnn_opt.tools.ncnn_opt_main import main
from ncnn_opt.transforms.float16_safety.float16_errors import BROKEN, error_of
from xdsl.dialects.builtin import ModuleOp

BREAKING = {
    "norm": set[str](),
    "attention": {"MultiHeadAttention 'mha'"},
    "scale": {"Convolution 'c1'"},
    "sums": {"Reduction 'mean'"},
    "winograd": {"Convolution 'c1'"},
    "mtcnn_det3": set[str](),
    "ultraface_rfb_320": set[str](),
    "ppocrv5_mobile_det": {"Sigmoid 'sigmoid_62'"},
}
"""The layers that break by themselves for a sample. (The newest release computes squares of
LayerNorm in float32.)"""


def worst(module: ModuleOp, samples: Any, precision: str) -> float:
    """The largest error of an output on the device."""
    func = model_of(module)
    errors: list[float] = []
    for x in samples:
        inputs = {input_name(func, 0): x}
        take_shapes(func, inputs)
        expected = run(func, inputs)
        found = run_ncnn(module, inputs, list(expected), None, True, precision, "vulkan")
        errors += [error_of(found[name], value) for name, value in expected.items()]
    return max(errors)


@pytest.mark.parametrize("name", NETS)
def test_the_result_is_within_the_bound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    param, data = write_net(tmp_path, name)
    main([str(param), "-o", "safe.param", "--fp16-safe", "--data", str(data), "-q"])
    samples = np.load(data)
    if name != "norm":  # the newest release does not store squares in float16
        assert worst(read_model(str(param)).module, samples, "float16") > BROKEN
    safe = read_model("safe.param").module
    assert worst(safe, samples, "float16") <= 1e-2
    assert worst(safe, samples, "float16-storage") <= 1e-2


def agrees(param: Path, inputs: Mapping[str, Any]) -> set[str]:
    """Compare the layers that break with the emulation. Returns their labels."""
    module = read_model(str(param)).module
    func = model_of(module)
    named = {input_name(func, 0): value for value in inputs.values()}
    names = list(blobs_of(func))
    blobs = run_ncnn(module, named, names, None, True, "float16", "vulkan")
    ours = emulated(func, named, Setting(release=FLOAT32_SQUARES))
    device, predicted = breaking(func, blobs), breaking(func, ours)
    both = device.keys() & predicted.keys()
    assert {op.label() for op in both if device[op]} == {op.label() for op in both if predicted[op]}
    return {op.label() for op in both if device[op]}


@pytest.mark.parametrize("name", NETS)
def test_the_emulation_agrees_on_the_layers_that_break(tmp_path: Path, name: str) -> None:
    param, data = write_net(tmp_path, name)
    found = [agrees(param, {"in0": x}) for x in np.load(data)]
    assert set[str]().union(*found) == BREAKING[name]


def real(name: str) -> Path:
    """The `.param` of a published model. Skips the test without it."""
    if (param := real_model(os.environ.get("NCNN_OPT_MODELS"), name)) is None:
        pytest.skip(f"NCNN_OPT_MODELS names no folder with {name}.param")
    return param


def test_the_emulation_agrees_on_published_models() -> None:
    for name, param in {name: real(name) for name in REAL}.items():
        found = [agrees(param, {"in0": x}) for x in inputs_of(name).values()]
        assert set[str]().union(*found) == BREAKING[name], name


def test_published_models_are_within_the_bound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The result, for the samples that it is made for, in float16 arithmetic and storage."""
    monkeypatch.chdir(tmp_path)
    for name, param in {name: real(name) for name in REAL}.items():
        for samples in inputs_of(name).values():
            check_bound(param, samples[None])


def check_bound(param: Path, samples: Any) -> None:
    """Measure the result of `--fp16-safe`, which is written to the working directory."""
    np.save("data.npy", samples)
    line = [str(param), "-o", "safe.param", "--fp16-safe", "--data", "data.npy", "-q"]
    main([*line, "--for-ncnn", "latest"])
    safe = read_model("safe.param").module
    for precision in ("float16", "float16-storage"):
        assert worst(safe, samples, precision) <= 1e-2, param.name
