"""Linears on the pixels of an image become Convolutions where PNNX's shapes prove it."""

from typing import Any

import numpy as np
import pytest
from ncnn_opt.conversion.pnnx_to_ncnn.conversion import convert_graph
from ncnn_opt.conversion.pnnx_to_ncnn.conversion_pass import function_of
from ncnn_opt.dialects.ncnn.constant import ConstantOp
from ncnn_opt.dialects.ncnn.function import input_name
from ncnn_opt.dialects.ncnn.lookup import layers_of
from ncnn_opt.dialects.pnnx.operations import OperatorOp
from ncnn_opt.dialects.pnnx.tensors import shape_in_torch
from ncnn_opt.formats.pnnx_param import read_pnnx_param
from ncnn_opt.frontends.pnnx.importer import import_graph
from ncnn_opt.interpreters.run import run
from xdsl.dialects.func import FuncOp

BLOCK = """7767517
{count} {count}
pnnx.Input in 0 1 0 #0=(1,3,4,5)f32
Tensor.permute p 1 1 0 1 dims=(0,2,3,1) $input=0 #0=(1,3,4,5)f32 #1=(1,4,5,3)f32
nn.Linear a 1 1 1 2 bias=True in_features=3 out_features=6 @bias=(6)f32 @weight=(6,3)f32 #1=(1,4,5,3)f32 #2=(1,4,5,6)f32
nn.ReLU r 1 1 2 3 #2=(1,4,5,6)f32 #3=(1,4,5,6)f32
nn.Linear b 1 1 3 4 bias=True in_features=6 out_features=2 @bias=(2)f32 @weight=(2,6)f32 #3=(1,4,5,6)f32 #4=(1,4,5,2)f32
"""  # noqa: E501
IMAGE = BLOCK + (
    "Tensor.permute q 1 1 4 5 dims=(0,3,1,2) $input=4 #4=(1,4,5,2)f32 #5=(1,2,4,5)f32\n"
    "pnnx.Output out 1 0 5 #5=(1,2,4,5)f32\n"
)
SCALED = BLOCK + (
    "pnnx.Attribute g 0 1 6 @data=({gains})f32 #6=({gains})f32\n"
    "pnnx.Expression e 2 1 4 6 7 expr=mul(@0,@1) #4=(1,4,5,2)f32 #6=({gains})f32 #7=(1,4,5,2)f32\n"
    "Tensor.permute q 1 1 7 5 dims=(0,3,1,2) $input=7 #7=(1,4,5,2)f32 #5=(1,2,4,5)f32\n"
    "pnnx.Output out 1 0 5 #5=(1,2,4,5)f32\n"
)
"""The channels are scaled between the last Linear and the image, as by a LayerScale."""
ROWS = BLOCK + "pnnx.Output out 1 0 4 #4=(1,4,5,2)f32\n"


def weight(op: OperatorOp, key: str) -> Any:
    shape: tuple[int, ...] = tuple(shape_in_torch(op.weight_types()[key]) or ())
    name = f"{op.layer.data}.{key}"
    return np.random.default_rng(len(name) + ord(name[0])).normal(size=shape).astype("f4")


def converted(text: str, gains: str = "") -> FuncOp:
    text = text.format(count=text.count("\n") - 2, gains=gains)
    module = convert_graph(import_graph(read_pnnx_param(text.encode(), "m"), "m", None), weight)
    module.verify()
    return function_of(module)


def types(func: FuncOp) -> list[str]:
    return [type(op).__name__ for op in layers_of(func) if not isinstance(op, ConstantOp)]


def test_an_image_has_convolutions() -> None:
    func = converted(IMAGE)
    assert types(func).count("ConvolutionOp") == 2
    assert not {"GemmOp", "ReshapeOp"} & {*types(func)}
    check(func, IMAGE)


@pytest.mark.parametrize(("gains", "convolutions"), [("2", 2), ("4,5,1", 0), ("5,2", 0)])
def test_a_scale_of_the_channels_is_part_of_the_weights(gains: str, convolutions: int) -> None:
    """A scale of pixels is not."""
    func = converted(SCALED, gains)
    assert types(func).count("ConvolutionOp") == convolutions
    assert types(func).count("GemmOp") == 2 - convolutions
    check(func, SCALED, gains)


def check(func: FuncOp, text: str, gains: str = "") -> None:
    """Compare the function with NumPy."""
    x = np.random.default_rng(0).normal(size=(3, 4, 5)).astype("f4")
    ops = {name: weight(op, key) for name, op, key in _weights(text, gains)}
    y = np.maximum(x.transpose(1, 2, 0) @ ops["a.weight"].T + ops["a.bias"], 0)
    scaled = (y @ ops["b.weight"].T + ops["b.bias"]) * ops.get("g.data", 1)
    expected = scaled.transpose(2, 0, 1)
    assert np.allclose(run(func, {"in0": x}, ["out0"])["out0"], expected, atol=1e-5)


def _weights(text: str, gains: str) -> list[tuple[str, OperatorOp, str]]:
    text = text.format(count=text.count("\n") - 2, gains=gains)
    graph = import_graph(read_pnnx_param(text.encode(), "m"), "m", None)
    return [
        (f"{op.layer.data}.{key}", op, key) for op in graph.operators() for key in op.weight_types()
    ]


def test_rows_keep_their_gemms() -> None:
    assert types(converted(ROWS)).count("GemmOp") == 2


def test_no_input_is_specialized() -> None:
    func = converted(IMAGE)
    assert input_name(func, 0) == "in0"
    assert func.arg_attrs is not None
    assert "promised" not in str(func.arg_attrs)
