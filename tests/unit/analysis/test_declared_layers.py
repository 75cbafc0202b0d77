"""Custom layers of declared shapes are replaced by inputs and outputs, so that the runtime, which
lacks them, runs the rest of a model."""

import pytest
from ncnn_opt.dialects.ncnn.function import outputs_of
from ncnn_opt.dialects.ncnn.lookup import layers_of, model_of
from ncnn_opt.interpreters.errors import RunError
from ncnn_opt.runtime.declared_layers import without_custom_layers

import ncnn_opt

MODEL = b"""7767517
10 13
Input in 0 1 x 0=8 1=4 2=3
Split split 1 3 x x0 x1 x2
ReLU relu 1 1 x0 r
Split again 1 2 r r0 r1
My first 1 1 r0 m1
My second 1 1 m1 m2
MemoryData k 0 1 k 0=8 1=4 2=3
My third 2 1 x1 k m3
BinaryOp add 2 1 m2 m3 y
My last 1 1 r1 z
"""


def test_custom_layers_become_inputs_and_outputs() -> None:
    model = ncnn_opt.load(MODEL, weights="random", custom_weights={"My": [0]})
    model.declare_shapes({"My": "0w,0h,2"})
    copy, words = without_custom_layers(model.module)
    func = model_of(copy)
    copy.verify()
    assert words == "random values for the outputs of My"
    kinds = [op.LAYER_TYPE for op in layers_of(func)]
    assert "My" not in kinds
    assert {"Split", "ReLU", "BinaryOp"} <= set(kinds)
    names = [arg.name_hint for arg in func.body.block.args]
    assert names == ["x", "m1", "m2", "m3", "z"]
    assert [str(arg.type) for arg in func.body.block.args[1:]] == ["tensor<2x4x8xf32>"] * 4
    # What the layers read, once each: no blob of a custom layer, and no constant.
    outputs = [value.name_hint for value, _ in outputs_of(func)]
    assert outputs == ["x2", "y", "r0", "x1", "r1"]


def test_shapes_that_are_not_declared_are_an_error() -> None:
    model = ncnn_opt.load(MODEL, weights="random", custom_weights={"My": [0]})
    with pytest.raises(RunError, match="no layer 'My'; --custom-shape My=… declares"):
        without_custom_layers(model.module)
