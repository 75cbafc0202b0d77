"""Linears on the pixels of an image become Convolutions where PNNX's shapes prove it."""

from typing import Any

import numpy as np
from ncnn_opt.conversion.pnnx_to_ncnn.conversion import convert_graph
from ncnn_opt.conversion.pnnx_to_ncnn.conversion_pass import function_of
from ncnn_opt.dialects.ncnn.constant import ConstantOp
from ncnn_opt.dialects.ncnn.function import input_name
from ncnn_opt.dialects.ncnn.lookup import layers_of
from ncnn_opt.dialects.pnnx.operations import OperatorOp
from ncnn_opt.formats.pnnx_param import read_pnnx_param
from ncnn_opt.frontends.pnnx.importing import import_graph
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
ROWS = BLOCK + "pnnx.Output out 1 0 4 #4=(1,4,5,2)f32\n"


def weight(op: OperatorOp, key: str) -> Any:
    shape = {"a.weight": (6, 3), "a.bias": (6,), "b.weight": (2, 6), "b.bias": (2,)}
    name = f"{op.layer.data}.{key}"
    return np.random.default_rng(len(name) + ord(name[0])).normal(size=shape[name]).astype("f4")


def converted(text: str) -> FuncOp:
    text = text.format(count=text.count("\n") - 2)
    module = convert_graph(import_graph(read_pnnx_param(text.encode(), "m"), "m", None), weight)
    module.verify()
    return function_of(module)


def types(func: FuncOp) -> list[str]:
    return [type(op).__name__ for op in layers_of(func) if not isinstance(op, ConstantOp)]


def test_an_image_has_convolutions() -> None:
    func = converted(IMAGE)
    assert types(func).count("ConvolutionOp") == 2
    assert not {"GemmOp", "ReshapeOp"} & {*types(func)}
    x = np.random.default_rng(0).normal(size=(3, 4, 5)).astype("f4")
    ops = {name: weight(op, key) for name, op, key in _weights()}
    y = np.maximum(x.transpose(1, 2, 0) @ ops["a.weight"].T + ops["a.bias"], 0)
    expected = (y @ ops["b.weight"].T + ops["b.bias"]).transpose(2, 0, 1)
    assert np.allclose(run(func, {"in0": x}, ["out0"])["out0"], expected, atol=1e-5)


def _weights() -> list[tuple[str, OperatorOp, str]]:
    text = IMAGE.format(count=IMAGE.count("\n") - 2)
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
