"""The emulation of float16 on arm against the runtime on an emulated processor."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from float16_layers import REAL, breaking, emulated, inputs_of, real_model
from float16_nets import NETS, write_net
from ncnn_opt.analysis.float16.arm_layers import has_fault
from ncnn_opt.analysis.float16.emulation import Setting
from ncnn_opt.dialects.ncnn.function import input_name
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.driver.model_files import read_model
from ncnn_opt.interpreters.run import blobs_of, run
from ncnn_opt.runtime.process import Failure, Runtime
from ncnn_opt.targets.param.export import export_module
from ncnn_opt.tools.ncnn_opt_main import main
from ncnn_opt.transforms.float16_safety.float16_errors import error_of

ARM = Setting(device="arm")

BROKEN_ON_ARM = {
    "norm": set[str](),
    "attention": {"MultiHeadAttention 'mha'"},
    "scale": {"Convolution 'c1'"},
    "sums": set[str](),
    "winograd": {"Convolution 'c1'"},
    "mtcnn_det3": set[str](),
    "ultraface_rfb_320": set[str](),
    "ppocrv5_mobile_det": {"Convolution 'convrelu_10'", "Sigmoid 'sigmoid_62'"},
}
"""The layers that break by themselves for a sample. (Reduction has float32 blobs on arm, and
LayerNorm computes in float32. `convrelu_10` uses Winograd's algorithm with 6x6 outputs.)"""


def compared(arm: Runtime, param: Path, inputs: Mapping[str, Any], folder: Path) -> set[str]:
    """Compare the layers that break with the emulation. Returns their labels."""
    module = read_model(str(param)).module
    func = model_of(module)
    named = {input_name(func, 0): value for value in inputs.values()}
    copy = folder / "copy.param"
    export_module(module.clone()).save(str(copy), str(copy.with_suffix(".bin")))
    names = list(blobs_of(func))
    blobs = arm.run(copy, named, names, light_mode=False, precision="float16")
    assert not isinstance(blobs, Failure), blobs.reason
    ours, found = emulated(func, named, ARM), set[str]()
    device, predicted = breaking(func, blobs), breaking(func, ours)
    for op in device.keys() & predicted.keys():
        shaped = [ours[n] for n, v in blobs_of(func).items() if v in op.results]
        if not has_fault(op, shaped):
            assert device[op] == predicted[op], op.label()
            found |= {op.label()} if device[op] else set()
    return found


@pytest.mark.parametrize("name", [*NETS, "roundings"])
@pytest.mark.parametrize("precision", ["float16", "float16-storage"])
def test_the_result_is_within_the_bound(
    arm: Runtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, precision: str
) -> None:
    """The outputs are finite, and as accurate as `--fp16-safe` says."""
    monkeypatch.chdir(tmp_path)
    param, data = write_net(tmp_path, name)
    main([str(param), "-o", "safe.param", "--fp16-safe", "--data", str(data), "-q"])
    main(["-O", "safe.param", "-o", "again.param", "-q"])
    func = model_of(read_model(str(param)).module)
    for x in np.load(data):
        expected = run(func, {"in0": x})
        for path in (tmp_path / "safe.param", tmp_path / "again.param"):
            found = arm.run(path, {"in0": x}, list(expected), precision=precision)
            assert not isinstance(found, Failure), found.reason
            for blob, value in expected.items():
                assert error_of(found[blob], value) <= 1e-2, (path, blob)


def test_the_error_of_long_sums_exceeds_the_bound(arm: Runtime, tmp_path: Path) -> None:
    """What the test above shows of them is the effect of the masks."""
    param, data = write_net(tmp_path, "roundings")
    func = model_of(read_model(str(param)).module)
    errors: list[float] = []
    for x in np.load(data):
        found = arm.run(param, {"in0": x}, ["out0"], precision="float16")
        assert not isinstance(found, Failure), found.reason
        errors.append(error_of(found["out0"], run(func, {"in0": x})["out0"]))
    assert max(errors) > 5e-3


@pytest.mark.parametrize("name", NETS)
def test_the_layers_of_five_nets_that_break(arm: Runtime, tmp_path: Path, name: str) -> None:
    param, data = write_net(tmp_path, name)
    found = [compared(arm, param, {"in0": x}, tmp_path) for x in np.load(data)]
    assert set[str]().union(*found) == BROKEN_ON_ARM[name]


def test_the_layers_of_published_models_that_break(arm: Runtime, tmp_path: Path) -> None:
    for name in REAL:
        if (param := real_model(os.environ.get("NCNN_OPT_MODELS"), name)) is None:
            pytest.skip(f"NCNN_OPT_MODELS names no folder with {name}.param")
        inputs = inputs_of(name).values()
        found = [compared(arm, param, {"in0": x}, tmp_path) for x in inputs]
        assert set[str]().union(*found) == BROKEN_ON_ARM[name], name
