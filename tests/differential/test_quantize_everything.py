"""`ncnn-quantize MODEL` with layers that need no scale of their input, and what it tries when
nothing else is asked for."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.quantization.int8_models import integers_of
from ncnn_opt.quantization.recipe import Division, divide

import ncnn_opt

from . import test_quantize
from .nets import Array, Net
from .test_quantize import Quantize, conv, in_runtime, snr

folder = test_quantize.folder
quantize = test_quantize.quantize


def recurrent(net: Net, bottom: str, top: str, inputs: int, hidden: int) -> None:
    net.layer("LSTM", bottom, top, {0: hidden, 1: 4 * hidden * inputs, 2: 0})
    net.tagged(net.normal(1, 4 * hidden, inputs, scale=inputs**-0.5))
    net.tagged(net.normal(1, 4, hidden, scale=0.1))
    net.tagged(net.normal(1, 4 * hidden, hidden, scale=hidden**-0.5))


def reader(folder: Path) -> Array:
    """Convolutions, then an LSTM over the columns, then a matrix: a reader of lines, say."""
    net = Net(5)
    net.input("data", (3, 8, 24))
    conv(net, "data", "c1", 3, 8, 3, act=1)
    net.layer("Reshape", "c1", "columns", {0: 24, 1: 64})
    net.layer("Permute", "columns", "rows", {0: 1})
    recurrent(net, "rows", "memory", 64, 16)
    params = {2: 0, 3: 1, 4: 0, 5: 1, 6: 1, 7: 0, 8: 10, 9: 16, 10: -1}
    net.layer("Gemm", "memory", "scores", params)
    net.tagged(net.normal(10, 16, scale=0.25))
    net.write(folder, "reader")
    samples = net.normal(24, 3, 8, 24)
    np.save("x.npy", samples)
    return samples


def kinds(param: str) -> dict[str, str]:
    return integers_of(ncnn_opt.load(param).module)


def test_all_that_can_be_is_int8(quantize: Quantize, folder: Path) -> None:
    samples = reader(folder)
    args = ("reader.param", "--data", "x.npy", "--holdout", "8", "--quick", "-j1")
    said = quantize(*args, "-o", "int8.param", "--json", "r.json")
    assert "3 of 3 layers in int8" in said
    assert kinds("int8.param") == dict.fromkeys(("c1", "memory", "scores"), "int8")
    report = json.loads((folder / "r.json").read_text())
    assert [layer["name"] for layer in report["layers"]] == ["c1", "memory", "scores"]
    wanted, found = (
        in_runtime(p, samples[-8:], ["scores"]) for p in ("reader.param", "int8.param")
    )
    ratio = snr(*(np.stack([b["scores"] for b in each]) for each in (wanted, found)))
    assert ratio == pytest.approx(report["outputs"][0]["snr"], abs=0.01)
    assert ratio > 20
    # In steps it is the same.
    first = ("reader.param", "--data", "x.npy", "--samples", "16", "--method", "kl", "-j1")
    quantize(*first, "-o", "one.param")
    quantize("calibrate", *first, "-o", "t")
    quantize("apply", "reader.param", "--table", "t", "-o", "steps.param")
    for ending in (".param", ".bin"):
        one, steps = ((folder / f"{name}{ending}").read_bytes() for name in ("one", "steps"))
        assert one == steps


def test_only_what_has_static_scales(quantize: Quantize, folder: Path) -> None:
    reader(folder)
    args = ("reader.param", "--data", "x.npy", "--method", "mse", "-j1", "-o", "o.param")
    said = quantize(*args, "--static-only")
    assert "1 of 3 layers in int8" in said
    assert "stays float" not in said
    assert kinds("o.param") == {"c1": "int8"}
    quantize("calibrate", *args[:-1], "t")
    quantize("apply", "reader.param", "--table", "t", "--static-only", "-o", "o.param")
    assert kinds("o.param") == {"c1": "int8"}


def test_what_scales_itself_stays_float_where_it_must(quantize: Quantize, folder: Path) -> None:
    reader(folder)
    args = ("reader.param", "--data", "x.npy", "--quick", "-j1", "-o", "o.param")
    alone = quantize(*args, "--keep", "c1,scores", "--measure").split("error at the outputs ")[1]
    said = quantize(*args, "--max-nsr", str(float(alone.split(",")[0]) / 4))
    assert "LSTM 'memory' stays float: int8 in it alone makes an error" in said
    assert "memory" not in kinds("o.param")


def test_a_model_without_static_scales(quantize: Quantize, folder: Path) -> None:
    net = Net(4)
    net.input("data", (12, 16))
    recurrent(net, "data", "out", 16, 8)
    net.write(folder, "memory")
    np.save("m.npy", net.normal(6, 12, 16))
    args = ("memory.param", "--data", "m.npy", "-j1", "-o", "o.param")
    said = quantize(*args, "--measure")
    assert "1 of 1 layers in int8" in said
    assert kinds("o.param") == {"out": "int8"}
    said = quantize(*args, "--static-only", status=1)
    assert "there is no layer that could become int8" in said


def test_what_is_tried_when_nothing_is_asked_for(quantize: Quantize, folder: Path) -> None:
    args = ("model.param", "--data", "data.npy", "-j1", "-o")
    said = quantize(*args, "all.param", "--json", "all.json")
    assert "weights rounded by GPTQ: error" in said
    said = quantize(*args, "quick.param", "--quick", "--json", "quick.json")
    assert "fitted" not in said
    errors = [json.loads((folder / f"{n}.json").read_text())["error"] for n in ("all", "quick")]
    assert errors[0] < errors[1]
    for more in (("--method", "mse"), ("--output-table", "t")):
        said = quantize(*args, "o.param", *more)
        assert "fitted" not in said
    said = quantize(*args, "o.param", "--quick", "--gptq", status=1)
    assert "gptq and quick contradict each other" in said


def test_methods_are_tried_with_the_range_of_weights_first(quantize: Quantize) -> None:
    said = quantize("model.param", "--data", "data.npy", "-j1", "-o", "o.param", "--quick")
    tried = re.findall(r"ncnn-quantize: (\w+), weights (\w+): error ([\d.e-]+)", said)
    assert [weights for _, weights, _ in tried] == ["minmax"] * 5 + ["mse"]
    best = min(tried[:5], key=lambda each: float(each[2]))
    assert tried[5][0] == best[0]


def test_samples_that_judge_are_others() -> None:
    held = divide(24, range(24, 32), 16)
    assert held == Division([i * 24 // 16 for i in range(16)], range(24, 32))
    many = divide(200, [*range(0, 200, 20)], 10)
    assert len(many.fitted) == 10
    assert not set(many.fitted) & set(many.accepted)
    assert divide(4, [0, 1, 2, 3], 16) == Division([0, 2], [1, 3])
    assert divide(1, [0], 16) == Division([0], [0])
    assert divide(2, [2, 3], 16) == Division([0, 1], [2, 3])
