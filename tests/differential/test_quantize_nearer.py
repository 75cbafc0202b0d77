"""What brings models in int8 nearer to float: `--equalize`, `--gptq` and `--correct-bias`."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ncnn_opt.dialects.ncnn.constant import attached_constant
from ncnn_opt.dialects.ncnn.layer import LayerOp
from ncnn_opt.dialects.ncnn.lookup import find_layer, model_of
from ncnn_opt.quantization.evaluator import Evaluator

import ncnn_opt

from . import test_quantize
from .nets import Array, Net
from .test_quantize import Quantize, conv, in_runtime, snr

folder = test_quantize.folder
quantize = test_quantize.quantize


def test_equalized_channels(quantize: Quantize, folder: Path) -> None:
    """Channels between convolutions whose ranges differ by a thousand."""
    net = Net(5)
    net.input("data", (3, 12, 12))
    conv(net, "data", "c1", 3, 16, 3, act=1)
    conv(net, "c1", "dw", 16, 16, 3, group=16, act=1)
    conv(net, "dw", "c2", 16, 8, 1)
    param = net.write(folder, "wild")
    weights = np.frombuffer(param.with_suffix(".bin").read_bytes(), "<f4").copy()
    wide = np.geomspace(0.02, 20, 16).astype("f4")
    c1, dw = 1 + 16 * 27, 1 + 16 * 9
    weights[1:c1] *= np.repeat(wide, 27)
    weights[c1 : c1 + 16] *= wide
    weights[c1 + 16 + 1 : c1 + 16 + dw] /= np.repeat(wide, 9)
    param.with_suffix(".bin").write_bytes(weights.tobytes())
    np.save("x.npy", np.random.default_rng(1).normal(size=(8, 3, 12, 12)).astype("f4"))
    args = ("wild.param", "--data", "x.npy", "--method", "mse", "-o", "int8.param", "-j1")
    errors: list[float] = []
    for more in ((), ("--equalize",)):
        said = quantize(*args, *more, "--json", "r.json")
        errors.append(json.loads((folder / "r.json").read_text())["error"])
    assert "equalized 2 pairs of layers" in said
    assert errors[1] < errors[0] / 30
    samples = np.load("x.npy")
    pairs = zip(
        *(in_runtime(p, samples, ["c2"]) for p in ("wild.param", "int8.param")), strict=True
    )
    assert all(snr(a["c2"], b["c2"]) > 25 for a, b in pairs)
    said = quantize("model.param", "--data", "data.npy", "-o", "o.param", "--equalize", "-j1")
    assert "equalized 2 pairs of layers" in said
    said = quantize(*args, "--equalize", "--output-table", "t", status=1)
    assert "--equalize changes weights" in said


def test_corrected_biases(quantize: Quantize, folder: Path) -> None:
    """A net with one channel whose rounded weights are all too small, on inputs that are never
    negative: its mean is off."""
    net = Net(4)
    net.input("data", (3, 10, 10))
    conv(net, "data", "c1", 3, 8, 3, act=1)
    weight = np.full((4, 8, 1, 1), 0.3)
    weight[:, 0] = 100
    net.layer("Convolution", "c1", "y", {0: 4, 1: 1, 6: weight.size})
    net.tagged(weight.astype("f4"))
    net.write(folder, "off")
    np.save("x.npy", np.abs(net.normal(24, 3, 10, 10)))
    args = ("off.param", "--data", "x.npy", "--method", "minmax", "--holdout", "8", "-j1")
    reports: list[Any] = []
    for more in ((), ("--correct-bias",)):
        said = quantize(*args, *more, "-o", f"int8{len(more)}.param", "--json", "r.json")
        reports.append(json.loads((folder / "r.json").read_text()))
    assert "corrected biases: error" in said
    assert reports[1]["error"] < 0.7 * reports[0]["error"]
    held = np.load("x.npy")[-8:]
    wanted, *found = (
        in_runtime(p, held, ["y"]) for p in ("off.param", "int80.param", "int81.param")
    )
    means = [
        np.mean([b["y"] - a["y"] for a, b in zip(wanted, each, strict=True)], (0, 2, 3))
        for each in found
    ]
    assert (np.abs(means[1]) < 0.2 * np.abs(means[0])).all()
    ratio = snr(*(np.stack([b["y"] for b in each]) for each in (wanted, found[1])))
    assert ratio == pytest.approx(reports[1]["outputs"][0]["snr"], abs=0.01)
    said = quantize(*args, "--correct-bias", "-o", "o.param", "--output-table", "t", status=1)
    assert "--correct-bias changes weights" in said


def test_biases_before_a_relu_are_corrected_by_what_it_passes_on(
    quantize: Quantize, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    net = Net(4)
    net.input("data", (3, 8, 8))
    for i, act in enumerate((0, 1, 4)):
        conv(net, f"c{i - 1}" if i else "data", f"c{i}", 3, 3, 1, act=act)
    net.write(folder, "acts")
    seen: list[tuple[str, bool]] = []

    def mean_errors(
        self: Evaluator, module: object, name: str, channels: int, nonzero: bool, *_: object
    ) -> Array:
        seen.append((name, nonzero))
        return np.zeros(channels, "f4")

    monkeypatch.setattr(Evaluator, "mean_errors", mean_errors)
    np.save("x.npy", net.normal(4, 3, 8, 8))
    args = ("--data", "x.npy", "--method", "minmax", "--correct-bias")
    quantize("acts.param", *args, "-o", "o.param")
    assert seen == [("c0", False), ("c1", True)]


def smooth(net: Net, count: int, channels: int, size: int) -> Array:
    """Samples whose neighbours are much alike."""
    sums = np.cumsum(np.cumsum(net.normal(count, channels, size, size), 2), 3)
    return (sums / size).astype("f4")


def weights_of(param: str, name: str) -> list[Array]:
    op = find_layer(model_of(ncnn_opt.load(param).module), name)
    assert isinstance(op, LayerOp)
    constants = (attached_constant(value) for value in op.operands)
    return [constant.read() for constant in constants if constant is not None]


def test_fitted_weights(quantize: Quantize, folder: Path) -> None:
    """Dense and depthwise convolutions, one that pads, strides and has an activation, groups, and
    an InnerProduct, on samples that are held back; with some layers in float, and with none."""
    net = Net(6)
    net.input("data", (3, 24, 24))
    conv(net, "data", "c1", 3, 16, 3, act=1)
    conv(net, "c1", "dw", 16, 16, 3, group=16, act=1)
    conv(net, "dw", "g", 16, 8, 1, group=4)
    params = {0: 12, 1: 3, 3: 2, 4: 1, 6: 12 * 8 * 9, 9: 4}
    net.layer("Convolution", "g", "c2", params)
    net.tagged(net.normal(12, 8, 3, 3, scale=0.1))
    net.layer("Pooling", "c2", "pool", {0: 1, 1: 3, 2: 3})
    net.layer("InnerProduct", "pool", "fc", {0: 5, 1: 1, 2: 5 * 12 * 16})
    net.tagged(net.normal(5, 12 * 16, scale=0.1))
    net.plain(net.normal(5))
    net.write(folder, "smooth")
    np.save("x.npy", smooth(net, 32, 3, 24))
    args = ("smooth.param", "--data", "x.npy", "--holdout", "8", "--method", "mse", "-j2")
    errors: list[float] = []
    for more in ((), ("--gptq",)):
        said = quantize(*args, *more, "-o", f"int8{len(more)}.param", "--json", "r.json")
        errors.append(json.loads((folder / "r.json").read_text())["error"])
    assert "weights rounded by GPTQ: error" in said
    assert errors[1] < 0.8 * errors[0]
    held = np.load("x.npy")[-8:]
    wanted, found = (in_runtime(p, held, ["fc"]) for p in ("smooth.param", "int81.param"))
    ratio = snr(*(np.stack([b["fc"] for b in each]) for each in (wanted, found)))
    assert ratio == pytest.approx(-10 * np.log10(errors[1]), abs=0.01)
    quantize(*args, "--gptq", "-j1", "-o", "again.param")
    assert (folder / "again.bin").read_bytes() == (folder / "int81.bin").read_bytes()
    # Layers that stay float have the weights that they had.
    said = quantize(*args, "--gptq", "--max-nsr", str(errors[1] / 2), "-o", "some.param")
    kept = {name for name in ("c1", "dw", "g", "c2", "fc") if f"'{name}' stays float" in said}
    assert kept
    for name in kept:
        before, after = (weights_of(f"{each}.param", name) for each in ("smooth", "some"))
        assert all(np.array_equal(a, b) for a, b in zip(before, after, strict=True))
    said = quantize(*args, "--gptq", "-o", "o.param", "--output-table", "t", status=1)
    assert "--gptq changes weights" in said


@pytest.mark.parametrize("spread", [0.0, 0.2])
def test_fitted_weights_stay_within_what_winograd_holds(
    spread: float, quantize: Quantize, folder: Path
) -> None:
    """Weights of many channels, all as large as sums allow: fitted ones must not be larger, and
    channels of zeros stay zeros."""
    net = Net(2)
    net.input("data", (64, 12, 12))
    weight = np.sign(net.normal(8, 64, 3, 3)) * np.float32(0.5)
    weight *= net.rng.uniform(1 - spread, 1 + spread, weight.shape).astype("f4")
    weight[:, 0, 0, 0] = 1
    weight[5] = 0
    net.layer("Convolution", "data", "y", {0: 8, 1: 3, 4: 1, 6: weight.size})
    net.tagged(weight)
    net.write(folder, "wide")
    np.save("x.npy", smooth(net, 12, 64, 12))
    quantize("wide.param", "--data", "x.npy", "--method", "minmax", "--gptq", "-o", "int8.param")
    integers = weights_of("int8.param", "y")[0].astype("i8")
    assert np.abs(integers).sum((1, 2, 3)).max() * 127 <= (2**31 - 1) // 576
    assert np.abs(integers).max() > 31
    assert not integers[5].any()
