"""Scales: the largest sums that inputs can make, and scales of tiny values."""

from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.dialects.ncnn.convolution import ConvolutionOp
from ncnn_opt.dialects.ncnn.lookup import find_layer, model_of
from ncnn_opt.quantization.histograms import Counts
from ncnn_opt.quantization.scales import (
    LARGEST_SCALE,
    METHODS,
    WEIGHT_METHODS,
    blob_scale,
    largest_sums,
    weight_scales,
)

import ncnn_opt

MODEL = """7767517
3 3
Input x 0 1 x 0=4 1=4 2=2
{before}
Convolution c 1 1 y c 0=2 1=1 6=4
"""


def convolution(folder: Path, before: str, weight: list[float]) -> ConvolutionOp:
    (folder / "m.param").write_text(MODEL.format(before=before))
    (folder / "m.bin").write_bytes(bytes(4) + np.array(weight, "<f4").tobytes())
    op = find_layer(model_of(ncnn_opt.load(str(folder / "m.param")).module), "c")
    assert isinstance(op, ConvolutionOp)
    return op


@pytest.mark.parametrize(
    ("before", "wanted"),
    [
        ("ReLU r 1 1 x y", [30, 25]),  # 0 is the least
        ("Clip r 1 1 x y 0=0.5 1=2.0", [30, 25]),
        ("Clip r 1 1 x y 0=-0.5 1=2.0", [50, 30]),
        ("Swish r 1 1 x y", [50, 30]),
    ],
)
def test_the_largest_sums(before: str, wanted: list[int], tmp_path: Path) -> None:
    """Inputs that are never negative add up with the weights of one sign."""
    integers = np.array([[20, -30], [5, -25]], "f8")
    op = convolution(tmp_path, before, [1, 1, 1, 1])
    assert largest_sums(op, integers).tolist() == [127 * n for n in wanted]


@pytest.mark.parametrize("method", WEIGHT_METHODS)
def test_weights_below_what_float32_can_scale(method: str, tmp_path: Path) -> None:
    op = convolution(tmp_path, "ReLU r 1 1 x y", [1e-38, -2e-38, 0, 0])
    with np.errstate(all="raise", under="ignore"):
        scales = weight_scales(op, method)
    assert scales.tolist() == [LARGEST_SCALE, 1]


@pytest.mark.parametrize("method", METHODS)
def test_blobs_below_what_float32_can_scale(method: str) -> None:
    counts = Counts()
    counts.add(np.array([1e-40, 3e-42, 0], "f4"))
    assert blob_scale(counts, 3, method) == LARGEST_SCALE
    counts.add(np.array([1], "f4"))
    assert 127 <= blob_scale(counts, 4, method) < 127 * 2048 * 2
    assert blob_scale(Counts(2), 2, method) == float("inf")
