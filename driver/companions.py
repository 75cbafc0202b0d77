"""What is read beside a model: PNNX's own IR of it, and an export of it at another size."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from ..analysis.shape_inference import set_input_shapes
from ..dialects.ncnn.blob import shape_of
from ..dialects.ncnn.function import input_name
from ..dialects.ncnn.lookup import model_of
from ..dialects.ncnn.slots import Shape
from ..formats.errors import FormatError
from ..frontends import ReadOptions, frontends, names_weights
from ..transforms import REPAIR
from ..transforms.dynamic_shapes.dynamic_axes import LIKE
from .files import Source, read_data, read_model

if TYPE_CHECKING:
    from ..dialects.pnnx.operations import GraphOp


class PnnxFile(NamedTuple):
    """PNNX's own IR of a model, without weights."""

    graph: "GraphOp | None"
    layer_weights: Mapping[str, list[int]]
    """How many floats each weight of a layer has that the converter left as it was."""
    warnings: list[str]


def read_pnnx(path: str) -> PnnxFile:
    """The graph in a `.pnnx.param`. Raises one of `USER_ERRORS`."""
    from ..dialects.pnnx.operations import graph_in
    from ..frontends.pnnx.importing import floats_of_layers

    with open(path, "rb") as f:
        data, frontend = f.read(), frontends()["pnnx.param"]
    if not frontend.looks_like(data):
        raise FormatError(path, "this is not PNNX's own IR, a .pnnx.param")
    source = read_data(data, path, ReadOptions("none"), frontend)
    graph = graph_in(source.module)
    return PnnxFile(graph, {} if graph is None else floats_of_layers(graph), source.warnings)


def read_repaired(path: str, options: ReadOptions, pnnx: str | None) -> Source:
    """The model in a file, repaired by what the `.pnnx.param` in another one says, if one is given:
    layers that the runtime does not have become layers that it has, and inputs get the shapes that
    the model was converted for. Raises one of `USER_ERRORS`."""
    if pnnx is None:
        return read_model(path, options)
    from .pipelines import run_pipeline

    file = read_pnnx(pnnx)
    source = read_model(path, replace(options, layer_weights=file.layer_weights))
    if file.graph is not None:
        take_input_shapes(source.module, file.graph)
    put_beside(source.module, file.graph)
    run_pipeline(source.module, ",".join(REPAIR), path)
    return source._replace(warnings=[*file.warnings, *source.warnings], repaired=True)


def read_like(path: str, reading: ReadOptions, shapes: Mapping[str, Shape]) -> FuncOp:
    """The function of a model that is another export, with these shapes of its inputs, read as the
    first one is. Raises one of `USER_ERRORS`."""
    own = reading.weights  # a file is that of the first model
    weights = None if names_weights(own) else own
    source = read_model(path, replace(reading, weights=weights, layer_weights={}))
    func = model_of(source.module)
    if shapes:
        set_input_shapes(func, shapes)
    return as_like(func)


def as_like(func: FuncOp) -> FuncOp:
    """A function as what `make-dynamic` takes for another export."""
    func.sym_name = StringAttr(LIKE)
    func.detach()
    return func


def put_beside(module: ModuleOp, *companions: Operation | None) -> None:
    """Puts what is read beside a model into its module, for the passes that take from it."""
    for op in companions:
        if op is not None:
            if op.parent is not None:
                op.detach()
            module.body.block.add_op(op)


def take_input_shapes(module: ModuleOp, graph: "GraphOp") -> None:
    """Gives inputs whose shape the model does not say that which PNNX's IR says, of one batch."""
    from ..dialects.pnnx.tensors import shape_in_torch

    func = model_of(module)
    heads = [v for op in graph.operators() if op.type.data == "pnnx.Input" for v in op.outputs]
    shapes: dict[str, Shape] = {}
    for arg, head in zip(func.body.block.args, heads, strict=False):
        shape = shape_in_torch(head.type)
        if shape_of(arg) is None and shape is not None and 1 < len(shape) <= 5 and shape[0] == 1:
            shapes[input_name(func, arg.index)] = shape[1:]
    if shapes:
        set_input_shapes(func, shapes)
