"""Code for inputs of any size, evaluated in NumPy at several sizes."""

from pathlib import Path

import numpy as np
import pytest
from linalg_values import results_of
from ncnn_opt.analysis.shape_inference import set_input_shapes
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.native.lowering import lower
from ncnn_opt.native.options import CompileOptions
from xdsl.dialects.builtin import DYNAMIC_INDEX

import ncnn_opt

ANY = DYNAMIC_INDEX

NETS: dict[str, tuple[tuple[int, ...], list[tuple[int, ...]], tuple[str, ...]]] = {
    "pads that depend on the extents": (
        (3, ANY, ANY),
        [(3, 16, 16), (3, 17, 23), (3, 9, 12)],
        (
            "Convolution c 1 1 data a 0=4 1=3 3=2 4=-233 6=108 9=1",
            "Convolution d 1 1 a y 0=4 1=2 3=2 4=-234 6=64",
        ),
    ),
    "a pool of all elements": (
        (4, ANY, ANY),
        [(4, 8, 8), (4, 9, 11), (4, 10, 7)],
        ("Pooling p 1 1 data y 0=0 1=3 2=2",),
    ),
    "a mean of all elements": (
        (4, ANY, ANY),
        [(4, 6, 5), (4, 1, 7)],
        ("Pooling p 1 1 data a 0=1 4=1", "InnerProduct f 1 1 a y 0=5 1=1 2=20"),
    ),
    "convolutions in groups": (
        (6, ANY, ANY),
        [(6, 7, 8), (6, 5, 9)],
        (
            "ConvolutionDepthWise c 1 1 data a 0=6 1=3 3=2 4=1 5=1 6=54 7=6",
            "ConvolutionDepthWise d 1 1 a b 0=9 1=3 4=1 6=162 7=3",
            "ConvolutionDepthWise e 1 1 b y 0=6 1=1 6=18 7=3",
        ),
    ),
    "one dynamic extent": (
        (3, ANY, 8),
        [(3, 6, 8), (3, 11, 8)],
        (
            "Convolution c 1 1 data a 0=4 1=3 2=2 4=2 6=108 9=1",
            "Pooling p 1 1 a y 0=1 1=3 2=1 3=1 5=1",
        ),
    ),
    "places as rows": (
        (4, ANY, ANY),
        [(4, 3, 5), (4, 6, 2)],
        (
            "Reshape r 1 1 data a 0=-1 1=4",
            "Permute p 1 1 a b 0=1",
            "LayerNorm n 1 1 b c 0=4",
            "Softmax s 1 1 c y 0=1 1=1",
        ),
    ),
    "parts and what is put together": (
        (4, ANY, ANY),
        [(4, 6, 6), (4, 8, 5)],
        (
            "Slice s 1 2 data a b -23300=2,2,-233 1=0",
            "Split t 1 2 b b1 b2",
            "Concat c 3 1 a b1 b2 d 0=1",
            "Permute p 1 1 d y 0=3",
        ),
    ),
    "all forms of convolutions": (
        (8, ANY, ANY),
        [(8, 7, 8), (8, 12, 5), (8, 5, 5)],
        (
            "Convolution c 1 1 data a 0=12 1=1 5=1 6=96 9=1",
            "Convolution d 1 1 a b 0=6 1=3 2=2 4=2 5=1 6=648 9=1",
            "Convolution e 1 1 b c 0=6 1=1 3=2 6=36",
            "ConvolutionDepthWise f 1 1 c y 0=6 1=3 4=1 6=162 7=2",
        ),
    ),
    "int8": (
        (8, ANY, ANY),
        [(8, 7, 8), (8, 12, 5)],
        (
            "Convolution c 1 1 data a 0=12 1=1 5=1 6=96 8=102 9=1",
            "Convolution d 1 1 a b 0=6 1=3 3=2 4=1 5=1 6=648 8=101 9=1",
            "ConvolutionDepthWise e 1 1 b y 0=6 1=3 4=1 6=54 7=6 8=1",
        ),
    ),
    "rows of a loop": (
        (ANY, 5),
        [(4, 5), (2, 5), (7, 5)],
        ("LSTM l 1 1 data y 0=6 1=240 2=2",),
    ),
}


@pytest.mark.parametrize("conv", ["named", "gemm"])
@pytest.mark.parametrize("name", NETS)
def test_one_program_is_right_at_many_sizes(name: str, conv: str, tmp_path: Path) -> None:
    shape, sizes, layers = NETS[name]
    rows = ["Input in 0 1 data", *layers]
    blobs = sum(int(row.split()[3]) for row in rows)
    path = tmp_path / "net.param"
    path.write_text("\n".join(["7767517", f"{len(rows)} {blobs}", *rows, ""]))
    model = ncnn_opt.load(path, weights="random:3")
    module = model.module.clone()
    set_input_shapes(model_of(module), {"data": shape})
    lowered = lower(module, CompileOptions(conv=conv, weights="dense"))
    func = model_of(lowered.module)
    for size in sizes:
        x = np.random.default_rng(1).standard_normal(size).astype("f4")
        expected, found = model.run({"data": x}).values(), results_of(func, [x])
        for found, expected in zip(found, expected, strict=True):
            assert found.shape == expected.shape, size
            np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)
