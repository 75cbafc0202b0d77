"""Samples of another size than the model declares: extents of Input layers are hints."""

import re
from pathlib import Path

import numpy as np
import pytest

from . import test_quantize
from .nets import Array, Net
from .test_quantize import Quantize, conv, in_runtime, snr

folder = test_quantize.folder
quantize = test_quantize.quantize

WARNING = (
    "ncnn-quantize: warning: input 'data' is declared as 3x16x16, the samples are {}: declared "
    "extents are hints, and the weights allow these"
)


def samples(*shape: int) -> Array:
    return np.random.default_rng(3).normal(size=shape).astype("f4")


def test_a_size_that_the_weights_allow(quantize: Quantize, folder: Path) -> None:
    x = samples(6, 3, 20, 24)
    np.save("x.npy", x)
    said = quantize("model.param", "--data", "x.npy", "-o", "int8.param", "--quick")
    assert said.count(WARNING.format("3x20x24")) == 1
    assert "6 of 6 layers in int8" in said
    found = [in_runtime(p, x, ["fc"]) for p in ("model.param", "int8.param")]
    assert snr(*(np.stack([b["fc"] for b in each]) for each in found)) > 28
    # The model says what it said, so that parts of samples fit each other.
    head = "Input .*data"
    lines = [
        next(line for line in (folder / p).read_text().splitlines() if re.match(head, line))
        for p in ("model.param", "int8.param")
    ]
    assert set(lines[0].split()) == set(lines[1].split())
    for k in (1, 2):
        args = ("--shard", f"{k}/2", "-o", f"{k}.npz", "-j1")
        quantize("calibrate", "model.param", "--data", "x.npy", *args)
    quantize("merge", "model.param", "1.npz", "2.npz", "-o", "merged.table")
    quantize("calibrate", "model.param", "--data", "x.npy", "-o", "whole.table", "-j1")
    assert (folder / "merged.table").read_bytes() == (folder / "whole.table").read_bytes()


def test_the_declared_size_says_nothing(quantize: Quantize, folder: Path) -> None:
    np.save("x.npy", test_quantize.data())
    assert "warning" not in quantize("model.param", "--data", "x.npy", "-o", "o.param", "--quick")


def test_a_model_that_fails_at_the_size_that_it_declares(quantize: Quantize, folder: Path) -> None:
    """As a face model does that declares 60x60 and is used at 80x80."""
    net = Net(3)
    net.input("data", (3, 6, 6))
    conv(net, "data", "c1", 3, 4, 3, act=1)
    net.layer("InnerProduct", "c1", "fc", {0: 5, 1: 1, 2: 5 * 4 * 64})
    net.tagged(net.normal(5, 4 * 64, scale=0.1))
    net.plain(net.normal(5))
    net.write(folder, "face")
    np.save("x.npy", samples(6, 3, 8, 8))
    said = quantize("face.param", "--data", "x.npy", "-o", "int8.param", "--quick")
    assert "declared as 3x6x6, the samples are 3x8x8" in said
    assert "2 of 2 layers in int8" in said
    np.save("x.npy", samples(6, 3, 7, 7))
    said = quantize("face.param", "--data", "x.npy", "-o", "o.param", status=1)
    assert said == (
        "ncnn-quantize: error: x.npy[0]: InnerProduct 'fc' takes 256 or ?,256 by its weights, and "
        "gets 4,7,7\n"
    )
    assert not (folder / "o.param").exists()


def test_samples_of_several_sizes(quantize: Quantize, folder: Path) -> None:
    sizes = [(16, 16), (20, 16), (24, 16)]
    for i, (h, w) in enumerate(sizes):
        np.save(f"{i}.npy", samples(3, h, w))
    (folder / "list").write_text("0.npy\n1.npy\n2.npy\n")
    args = ("model.param", "--list", "list", "-o", "int8.param", "--quick")
    said = quantize(*args)
    assert [WARNING.format(f"3x{n}x16") in said for n in (16, 20, 24)] == [False, True, True]
    np.save("2.npy", samples(2, 16, 16))
    wrong = "2.npy: Convolution 'c1' takes 3,?,? by its weights, and gets 2,16,16"
    assert wrong in quantize(*args, status=1)
    np.save("2.npy", samples(3, 16))
    assert "2.npy: input 'data' has shape 3x16, the model takes 3x16x16" in quantize(
        *args, status=1
    )


def test_images_of_one_other_size(quantize: Quantize, folder: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    rng = np.random.default_rng(0)
    for i in range(3):
        image.fromarray(rng.integers(0, 256, (20, 24, 3), np.uint8)).save(f"{i}.png")
    args = ("calibrate", "model.param", "--images", ".", "-j1", "--norm", "0.01")
    said = quantize(*args, "-o", "t")
    assert f"{WARNING.format('3x20x24')}; --resize resizes images" in said
    assert "warning" not in quantize(*args, "-o", "resized", "--resize")
    assert "warning" not in quantize(*args, "-o", "shaped", "--input-shape", "data=3,20,24")
    assert (folder / "t").read_bytes() == (folder / "shaped").read_bytes()
    assert (folder / "t").read_bytes() != (folder / "resized").read_bytes()


def test_images_for_a_model_of_grey_ones_that_declares_nothing(
    quantize: Quantize, folder: Path
) -> None:
    """The weights of the first layer say how many channels there are."""
    image = pytest.importorskip("PIL.Image")
    net = Net(3)
    net.input("data", (1, 16, 16))
    conv(net, "data", "c1", 1, 8, 3, act=1)
    conv(net, "c1", "c2", 8, 4, 1)
    param = net.write(folder, "grey")
    args = ("calibrate", "grey.param", "--images", "0.png", "-j1", "--norm", "0.01")
    pixels = np.random.default_rng(0).integers(0, 256, (16, 16, 3), np.uint8)
    image.fromarray(pixels).save("0.png")
    quantize(*args, "-o", "declared")
    param.write_text(re.sub(r"(Input +data +0 1 data).*", r"\1", param.read_text()))
    quantize(*args, "-o", "t")
    assert (folder / "t").read_bytes() == (folder / "declared").read_bytes()
