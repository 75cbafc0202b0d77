"""What brings models in int8 nearer to float: `--equalize` and `--correct-bias`."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from . import test_quantize
from .nets import Net
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
    args = ("off.param", "--data", "x.npy", "--method", "minmax", "--held-back", "8", "-j1")
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
