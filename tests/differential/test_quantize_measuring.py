"""`ncnn-quantize measure` of int8 models whose layers and blobs have other names."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.report.noise import read_measured

from . import test_quantize
from .nets import Net
from .test_quantize import Quantize, conv

folder = test_quantize.folder
quantize = test_quantize.quantize


def test_measuring_other_models(quantize: Quantize, folder: Path) -> None:
    quantize("model.param", "--data", "data.npy", "-o", "int8.param", "-q")
    text = (folder / "int8.param").read_text()
    (folder / "renamed.param").write_text(
        text.replace(" c1 ", " first ").replace(" c3 ", " third ")
    )
    (folder / "renamed.bin").write_bytes((folder / "int8.bin").read_bytes())
    args = ("--data", "data.npy", "--json", "r.json")
    said = quantize("measure", "model.param", "renamed.param", *args, "--html", "r.html")
    rows = json.loads((folder / "r.json").read_text())["layers"]
    compared = [row["name"] for row in rows if row["cosine"] is not None]
    assert compared == ["dw", "c2", "map", "fc"]
    others = {row["name"]: row["kind"] for row in rows if row["cosine"] is None}
    assert others == {"c1": "absent", "c3": "absent", "first": "int8", "third": "int8"}
    assert (
        "6 of 6 layers in int8 (4 not compared: Convolution 'c1', Convolution 'c3', "
        "Convolution 'first', Convolution 'third')"
    ) in said
    page = (folder / "r.html").read_text()
    assert page.count("not compared</td>") == 4
    assert page.count("<rect") == 4 + 2  # layers, outputs
    found = read_measured((folder / "r.json").read_bytes(), "r.json")
    assert set(found.noise) == set(compared)
    (folder / "other.param").write_text(text.replace(" fc ", " rows "))
    (folder / "other.bin").write_bytes((folder / "int8.bin").read_bytes())
    said = quantize("measure", "model.param", "other.param", *args, status=1)
    assert "the int8 model has no blob 'fc': it is of another model" in said


def test_measuring_a_model_whose_blobs_have_other_names(quantize: Quantize, folder: Path) -> None:
    """`-O` makes BatchNorm and activations a part of convolutions, whose blobs then have the names
    of the activations': these are compared."""
    net = Net(3)
    net.input("data", (3, 16, 16))
    bottom, channels = "data", 3
    for i in range(3):
        conv(net, bottom, f"conv{i}", channels, 8, 3)
        net.layer("BatchNorm", f"conv{i}", f"bn{i}", {0: 8})
        for values in (np.ones(8), np.zeros(8), np.full(8, 0.5), np.zeros(8)):
            net.plain(values.astype("f4"))
        net.layer("ReLU", f"bn{i}", f"relu{i}")
        bottom, channels = f"relu{i}", 8
    net.write(folder, "plain")
    quantize("plain.param", "--data", "data.npy", "-O", "-o", "int8.param", "--json", "own.json")
    args = ("measure", "plain.param", "int8.param", "--data", "data.npy", "--json", "r.json")
    said = quantize(*args)
    assert "3 of 3 layers in int8" in said
    assert "not compared" not in said
    own, rows = (
        json.loads((folder / name).read_text())["layers"] for name in ("own.json", "r.json")
    )
    assert [row["name"] for row in rows] == ["conv0", "conv1", "conv2"]
    for row, wanted in zip(rows, own, strict=True):
        assert row["kind"] == "int8"
        assert row["snr"] == pytest.approx(wanted["snr"], abs=0.1)
        assert row["snr"] > 25
    # A blob that only the int8 model has, behind an activation that only its layer has.
    text = (folder / "int8.param").read_text()
    (folder / "int8.param").write_text(re.sub(r"\brelu1\b", "y", text))
    assert "3 of 3 layers in int8 (1 not compared: Convolution 'conv1')" in quantize(*args)


def test_measuring_a_blob_of_another_name(quantize: Quantize, folder: Path) -> None:
    """A layer of the same name and activation makes it: it is compared."""
    quantize("model.param", "--data", "data.npy", "-o", "int8.param", "--json", "own.json")
    text = (folder / "int8.param").read_text()
    renamed = re.sub(r"(dw +1 1 +c1 +)dw\b(.*\n.* c2 +1 1 +)dw\b", r"\1y\2y", text)
    assert renamed.count(" y ") == 2
    (folder / "int8.param").write_text(renamed)
    args = ("--data", "data.npy", "--json", "r.json")
    assert "not compared" not in quantize("measure", "model.param", "int8.param", *args)
    own, rows = (
        json.loads((folder / name).read_text())["layers"] for name in ("own.json", "r.json")
    )
    assert [row["snr"] for row in rows] == pytest.approx([row["snr"] for row in own])


def test_largest_scores_are_compared_with_classes(quantize: Quantize, folder: Path) -> None:
    """The int8 model is of weights that give the next class."""
    samples = np.random.default_rng(0).normal(size=(7, 4)).astype("f4")
    samples[range(7), [0, 1, 2, 3, 0, 1, 2]] = 9
    np.save(folder / "scores.npy", samples)
    weights = np.eye(4, dtype="f4")
    for name, rows in (("plain", weights), ("next", np.roll(weights, 1, 0))):
        net = Net(3)
        net.input("data", (4,))
        net.layer("InnerProduct", "data", "fc", {0: 4, 2: 16})
        net.tagged(rows)
        net.write(folder, name)
    quantize("next.param", "--data", "scores.npy", "--quick", "-o", "int8.param")
    for classes, right in (("0 1 2 3 0 1 2", (7, 0)), ("1 2 2 3 1 2 0", (2, 4))):
        (folder / "classes").write_text(classes)
        args = ("--data", "scores.npy", "--classes", "classes", "--json", "r.json")
        quantize("measure", "plain.param", "int8.param", *args)
        found = json.loads((folder / "r.json").read_text())["top1"]
        expected = {"right_float": right[0], "right_int8": right[1]}
        assert found == {"samples": 7, "same": 0} | expected
