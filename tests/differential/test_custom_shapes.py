"""A model with a custom layer of a declared shape computes the same at another size as an export at
that size."""

from pathlib import Path

import numpy as np
import pytest

import ncnn_opt

pytest.importorskip("ncnn")

from ncnn_opt.runtime.custom_layers import locate
from ncnn_opt.runtime.engines import run_ncnn

LAYER = """import ncnn
import numpy as np

class MyUp(ncnn.Layer):
    def __init__(self):
        super().__init__()
        self.one_blob_only = True

    def load_param(self, pd):
        self.factor = pd.get(0, 1)
        return 0

    def forward(self, bottom, top, opt):
        values = np.array(bottom).repeat(self.factor, 1).repeat(self.factor, 2)
        top.clone_from(ncnn.Mat(np.ascontiguousarray(values, "f4")).clone(), None)
        return 0
"""


def export(folder: Path, height: int, width: int) -> Path:
    """Return a model as a converter writes it for this size."""
    pixels = 4 * height * width
    param = folder / f"{height}x{width}.param"
    param.write_text(
        f"7767517\n6 6\nInput in0 0 1 in0 0={width} 1={height} 2=3\nMyUp up 1 1 in0 1 0=2\n"
        f"Swish act 1 1 1 2\nReshape flat 1 1 2 3 0={pixels} 1=3\nPermute p 1 1 3 4 0=1\n"
        f"Reshape back 1 1 4 out0 0=3 1={2 * width} 2={2 * height}\n"
    )
    param.with_suffix(".bin").touch()
    return param


def test_a_dynamic_model_runs_at_other_sizes(tmp_path: Path) -> None:
    layers = tmp_path / "layers.py"
    layers.write_text(LAYER)
    custom = {"MyUp": locate("MyUp", f"{layers}:MyUp")}
    model = ncnn_opt.load(export(tmp_path, 6, 8))
    model.declare_shapes({"MyUp": "*(0w,p0),*(0h,p0),0c"})
    model.optimize(['make-dynamic{axes="in0:h","in0:w"}', "canonicalize"])
    for height, width in ((6, 8), (5, 7), (1, 9), (32, 3)):
        shape = (3, height, width)
        values = np.random.default_rng(height).normal(0, 9, shape).astype(np.float32)
        found, expected = (
            run_ncnn(module, {"in0": values}, ["out0"], None, True, custom_layers=custom)["out0"]
            for module in (model.module, ncnn_opt.load(export(tmp_path, height, width)).module)
        )
        assert expected.shape == (2 * height, 2 * width, 3)
        np.testing.assert_array_equal(found, expected)
