"""Models whose extents are not known: one program for inputs of all sizes."""

from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.analysis.shape_inference import set_input_shapes
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.native.program import Program, compile_module
from xdsl.dialects.builtin import DYNAMIC_INDEX

import ncnn_opt

pytest.importorskip("iree.compiler", reason="needs the extra native")
pytest.importorskip("iree.runtime", reason="needs the extra native")

# Pads that depend on the extents (SAME; what covers all elements), two ways to one size, a mean of
# as many elements as there are.
NET = """7767517
11 12
Input data 0 1 data
Convolution same 1 1 data a 0=8 1=3 3=2 4=-233 5=1 6=216 9=1
Split split 1 2 a a1 a2
Pooling ceil 1 1 a1 b 0=0 1=3 2=2
ConvolutionDepthWise dw 1 1 a2 c 0=8 1=3 3=2 4=1 5=1 6=72 7=8
Convolution point 1 1 b d 0=8 1=1 5=1 6=64
Pooling mean 1 1 d e 0=1 4=1
InnerProduct fc 1 1 e scores 0=5 1=1 2=40
Sigmoid s 1 1 c f
Deconvolution up 1 1 f g 0=4 1=4 3=2 4=1 6=512
DeconvolutionDepthWise twice 1 1 g map 0=4 1=3 3=2 4=1 18=1 6=36 7=4
"""


def test_one_program_is_right_at_many_sizes(tmp_path: Path) -> None:
    (tmp_path / "net.param").write_text(NET)
    model = ncnn_opt.load(tmp_path / "net.param", weights="random:3")
    module = model.module.clone()
    set_input_shapes(model_of(module), {"data": (3, DYNAMIC_INDEX, DYNAMIC_INDEX)})
    program = Program(compile_module(module))
    assert program.inputs[0].shape == (3, None, None)
    for size in ((16, 16), (17, 23), (9, 40), (32, 5)):
        x = np.random.default_rng(1).standard_normal((3, *size)).astype("f4")
        expected, found = model.run({"data": x}), program(x)
        for name, value in expected.items():
            assert found[name].shape == value.shape, size
            np.testing.assert_allclose(found[name], value, rtol=1e-5, atol=1e-6)
