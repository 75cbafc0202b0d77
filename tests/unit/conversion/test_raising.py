"""`convert-fused-to-ncnn` as an oracle for `convert-ncnn-to-fused`: a layer that becomes a fused
operation can become layers again, also where ranks are unknown."""

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest
from ncnn_opt.conversion.fused_to_ncnn.lifting import ConvertFusedToNcnn
from ncnn_opt.conversion.ncnn_to_fused.lowering import ConvertNcnnToFused
from ncnn_opt.dialects.fused import FUSED, FusedOp
from ncnn_opt.dialects.ncnn import NCNN
from ncnn_opt.dialects.ncnn.constant import ConstantOp
from ncnn_opt.dialects.ncnn.layer import LayerOp
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.dialects.shapes.tensors import element_of
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, ModuleOp, UnrankedTensorType
from xdsl.dialects.func import Func, FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.parser import Parser
from xdsl.rewriter import Rewriter

FOLDER = Path(__file__).parents[2] / "filecheck" / "conversion" / "convert-ncnn-to-fused"
OTHER_LAYERS = {
    "ncnn.batchnorm": {"ncnn.scale"},
    "ncnn.bias": {"ncnn.binaryop"},
    "ncnn.binaryop": {"ncnn.unaryop"},
    "ncnn.convolution": {"fused.conv"},
    "ncnn.dropout": {"ncnn.noop"},
    "ncnn.gemm": {"ncnn.binaryop", "ncnn.gemm"},
    "ncnn.innerproduct": {"ncnn.gemm"},
    "ncnn.requantize": {"ncnn.dequantize", "ncnn.quantize", "ncnn.relu"},
    "ncnn.split": set[str](),
}
"""Layers that come back as others with the same formula. A convolution stays an operation if the
extents of its weight, an input of the model, are unknown."""

FILES = ("residuals", "windows", "linear", "int8", "extents", "kept")


def context() -> Context:
    result = Context()
    for dialect in (Builtin, Func, NCNN, FUSED):
        result.load_dialect(dialect)
    return result


def layers_of(name: str) -> Iterator[LayerOp]:
    """The layers of a file; of equal ones the first."""
    module = Parser(context(), (FOLDER / f"{name}.mlir").read_text()).parse_module()
    seen: set[str] = set()
    for op in module.walk():
        if isinstance(op, LayerOp) and not isinstance(op, ConstantOp):
            text = f"{op.name} {op.properties} {[v.type for v in (*op.operands, *op.results)]}"
            if text not in seen:
                seen.add(text)
                yield op


def model(layer: LayerOp) -> ModuleOp:
    """A model of one layer, with its constants."""
    blobs = [v for v in dict.fromkeys(layer.operands) if not isinstance(v.owner, ConstantOp)]
    block = Block(arg_types=[v.type for v in blobs])
    inside: dict[SSAValue, SSAValue] = dict(zip(blobs, block.args, strict=True))
    constants = {v.owner: None for v in layer.operands if isinstance(v.owner, ConstantOp)}
    for op in (*constants, layer):
        block.add_op(op.clone(inside))
    last = block.last_op
    assert isinstance(last, Operation)
    block.add_op(ReturnOp(*last.results))
    types = ([v.type for v in block.args], [v.type for v in last.results])
    return ModuleOp([FuncOp("main", types, Region(block))])


def with_unknown_ranks(layer: LayerOp) -> Iterator[ModuleOp]:
    """The model of a layer with each choice of blobs whose rank is unknown."""
    original = model(layer)
    count = len(model_of(original).body.block.args) + len(layer.results)
    for size in range(1, count + 1):
        for chosen in combinations(range(count), size):
            module = original.clone()
            block = model_of(module).body.block
            assert block.last_op is not None
            values = [*block.args, *block.last_op.operands]
            for i in chosen:
                type_ = UnrankedTensorType(element_of(values[i]))
                Rewriter.replace_value_with_new_type(values[i], type_)
            yield module


def fused_operations(module: ModuleOp) -> list[FusedOp]:
    return [op for op in module.walk() if isinstance(op, FusedOp)]


@pytest.mark.parametrize("name", FILES)
def test_layers_of_unknown_rank_can_be_raised(name: str) -> None:
    lowered = 0
    for layer in layers_of(name):
        for module in with_unknown_ranks(layer):
            ConvertNcnnToFused().apply(context(), module)
            text = str(module)
            lowered += len(fused_operations(module)) > 0
            ConvertFusedToNcnn().apply(context(), module)
            assert not fused_operations(module), text
    assert lowered > 2


def test_layers_are_raised_to_the_same_layers() -> None:
    different: dict[str, set[str]] = {}
    for layer in (layer for name in FILES for layer in layers_of(name)):
        module = model(layer)
        ConvertNcnnToFused().apply(context(), module)
        ConvertFusedToNcnn().apply(context(), module)
        raised = {op.name for op in module.walk() if isinstance(op, LayerOp | FusedOp)}
        raised -= {ConstantOp.name}
        if raised != {layer.name}:
            different.setdefault(layer.name, set()).update(raised)
    assert different == OTHER_LAYERS
