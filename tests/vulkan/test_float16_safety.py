"""`ncnn-opt --fp16-safe` on five nets, and the emulation, against a Vulkan device."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from float16_nets import NETS, write_net
from ncnn_opt.analysis.float16.emulation import Setting, walk
from ncnn_opt.analysis.float16.gpu_layers import FLOAT32_SQUARES
from ncnn_opt.dialects.ncnn.assembly import names_of
from ncnn_opt.dialects.ncnn.layer import LayerOp
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.driver.files import read_model
from ncnn_opt.interpreters.ncnn import evaluate
from ncnn_opt.interpreters.run import blobs_of, run
from ncnn_opt.runtime.engines import run_ncnn
from ncnn_opt.tools.ncnn_opt_main import main
from ncnn_opt.transforms.float16_safety.evaluation import BROKEN, error_of
from xdsl.dialects.builtin import ModuleOp

FACTOR = 4
"""The emulated error and the device's error differ by at most this factor."""


def worst(module: ModuleOp, samples: Any, precision: str) -> float:
    """The largest error of an output on the device."""
    func = model_of(module)
    errors: list[float] = []
    for x in samples:
        expected = run(func, {"in0": x})
        found = run_ncnn(module, {"in0": x}, list(expected), None, True, precision, "vulkan")
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


@pytest.mark.parametrize("name", NETS)
def test_the_emulation_agrees_on_the_layers_that_overflow(tmp_path: Path, name: str) -> None:
    param, data = write_net(tmp_path, name)
    module = read_model(str(param)).module
    func = model_of(module)
    for x in np.load(data):
        names = list(blobs_of(func))
        blobs = run_ncnn(module, {"in0": x}, names, None, True, "float16", "vulkan")
        setting = Setting(release=FLOAT32_SQUARES)
        emulated = {step.op: step for step, _ in walk(func, {"in0": x}, setting)}
        for op, step in emulated.items():
            given, made = (blobs[n] for n in (names_before(op, func), names_of(op)[0] or ""))
            if np.isfinite(given).all() and np.isfinite(step.operands[0]).all():
                assert breaks(op, given, made) == breaks(op, step.operands[0], step.results[0])


def names_before(op: LayerOp, func: Any) -> str:
    """The name of a layer's first input."""
    return next(name for name, value in blobs_of(func).items() if value is op.operands[0])


def breaks(op: LayerOp, given: Any, made: Any) -> bool:
    """Whether a layer overflows or loses accuracy by itself."""
    constants: list[Any] = [v.owner.read().astype("f4") for v in op.operands[1:]]  # pyright: ignore
    return error_of(made, evaluate(op, [given, *constants])[0]) > BROKEN
