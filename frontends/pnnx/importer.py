"""Import of `.pnnx.param` into the `pnnx` dialect: one `pnnx.graph`, one operation per operator, in
file order."""

import os
from math import prod

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FileLineColLoc,
    IntAttr,
    ModuleOp,
    StringAttr,
)
from xdsl.ir import Attribute, Block, Region, SSAValue

from ...dialects.pnnx.attributes import AnyType, ArchiveAttr
from ...dialects.pnnx.operations import GraphOp, OperatorOp, encode
from ...dialects.pnnx.tensors import shape_in_torch, tensor
from ...formats.errors import FormatError
from ...formats.file_names import weights_beside
from ...formats.pnnx_bin import check_members, read_members
from ...formats.pnnx_graph import PnnxGraph, PnnxOperator, TensorShape
from ...formats.pnnx_param import read_pnnx_param
from .. import ReadOptions
from ..names import name_hint


def import_pnnx(data: bytes, path: str, options: ReadOptions) -> tuple[ModuleOp, list[str]]:
    """Return the module of a `.pnnx.param` with the content `data`, and warnings.

    Raises `FormatError`, and `OSError` if the weights cannot be opened.
    """
    graph = read_pnnx_param(data, path)
    archive = _open_archive(graph, path, options)
    module = ModuleOp([import_graph(graph, path, archive)])
    return module, [f"{path}: {message}" for message in graph.warnings]


def _open_archive(graph: PnnxGraph, path: str, options: ReadOptions) -> str | None:
    weights = options.weights
    lost = weights is None and not os.path.exists(weights_beside(path))
    has_none = not any(operator.weights for operator in graph.operators)
    if weights == "none" or (lost and (options.structure_only or has_none)):
        return None
    if weights == "" or (weights is not None and weights.partition(":")[0] == "random"):
        raise FormatError("", "--weights of a .pnnx.param must be a .pnnx.bin or none")
    archive = weights_beside(path) if weights is None else weights
    if lost:
        raise FormatError(
            path,
            f"there is no '{archive}' beside it: name the weights with --weights FILE, or use "
            "--weights none",
        )
    with open(archive, "rb") as file:
        check_members(graph, read_members(file, archive), archive)
    return archive


def floats_of_layers(graph: GraphOp) -> dict[str, list[int]]:
    """Return the number of floats of each weight of an operator, by layer name. The order is the
    order in the `.bin` of an operator that the converter does not lower."""
    found: dict[str, list[int]] = {}
    for op in graph.operators():
        types = op.weight_types()
        shapes = [shape_in_torch(types[key]) or () for key in sorted(types)]
        if shapes:
            found[op.layer.data] = [prod(shape) for shape in shapes]
    return found


def import_graph(graph: PnnxGraph, path: str, archive: str | None) -> GraphOp:
    """Return the operation of a graph read from `path`."""
    block = Block()
    values: dict[str, SSAValue] = {}
    for operator in graph.operators:
        op = _operator(graph, operator, values)
        if operator.line is not None:
            op.location = FileLineColLoc(StringAttr(path), IntAttr(operator.line), IntAttr(1))
        block.add_op(op)
        for name, value in zip(operator.outputs, op.outputs, strict=True):
            value.name_hint = name_hint(name)
            values[name] = value
    attr = None if archive is None else ArchiveAttr(os.path.abspath(archive))
    return GraphOp(Region(block), attr)


def _operator(graph: PnnxGraph, operator: PnnxOperator, values: dict[str, SSAValue]) -> OperatorOp:
    properties: dict[str, Attribute] = {
        "type": StringAttr(operator.type),
        "layer": StringAttr(operator.name),
    }
    if operator.outputs:
        properties["blobs"] = ArrayAttr([StringAttr(n) for n in operator.outputs])
    if operator.params:
        params = {key: encode(value) for key, value in operator.params.items()}
        properties["params"] = DictionaryAttr(params)
    if operator.weights:
        weights = {key: _type(shape) for key, shape in operator.weights.items()}
        properties["weights"] = DictionaryAttr(weights)
    if operator.keys:
        properties["keys"] = ArrayAttr([StringAttr(key) for key in operator.keys])
    return OperatorOp.create(
        operands=[values[name] for name in operator.inputs],
        result_types=[_type(graph.shapes.get(name)) for name in operator.outputs],
        properties=properties,
    )


def _type(shape: TensorShape | None) -> Attribute:
    return AnyType() if shape is None else tensor(shape.extents, shape.dtype)
