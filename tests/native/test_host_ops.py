"""Models whose end runs on the host: both parts together are the model."""

from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.native.program import Program, compile_module

import ncnn_opt

pytest.importorskip("iree.compiler", reason="needs the extra native")
pytest.importorskip("iree.runtime", reason="needs the extra native")

# The tail takes what native code makes and an input, and gives an output on that it does not make.
NET = """7767517
9 11
Input data 0 1 data 0=6 1=6 2=8
Input im_info 0 1 im_info 0=3
Split split 1 3 data d1 d2 d3
Convolution score 1 1 d1 score 0=18 1=1 5=1 6=144
Sigmoid sigmoid 1 1 score prob
Convolution deltas 1 1 d2 deltas 0=36 1=1 5=1 6=288
Proposal rois 3 1 prob deltas im_info rois 2=50 3=5 5=1
Pooling pool 1 1 d3 pooled 0=1 4=1
BinaryOp twice 1 1 rois boxes 0=2 1=1 2=2.0
"""


def test_the_tail_and_native_code_are_the_model(tmp_path: Path) -> None:
    (tmp_path / "net.param").write_text(NET)
    model = ncnn_opt.load(tmp_path / "net.param", weights="random:3")
    compiled = compile_module(model.module.clone())
    assert [port.name for port in compiled.results] == ["pooled", "prob", "deltas"]
    assert compiled.outputs == ("pooled", "boxes")
    rng = np.random.default_rng(1)
    inputs = {
        "data": rng.standard_normal((8, 6, 6)).astype("f4"),
        "im_info": np.array([96, 96, 1], "f4"),
    }
    expected, found = model.run(inputs), Program(compiled)(inputs)
    assert list(found) == list(expected)
    assert expected["boxes"].size
    for name, value in expected.items():
        np.testing.assert_allclose(found[name], value, rtol=1e-5, atol=1e-4)
