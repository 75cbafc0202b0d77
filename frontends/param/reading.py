"""Reading a model: its graph, as text or binary, and its weights."""

import os
from contextlib import ExitStack

from xdsl.dialects.builtin import ModuleOp

from ...dialects.ncnn import FAMILIES
from ...dialects.ncnn.weights import WeightFile
from ...dialects.xdsl_extras.spelling import nearest
from ...formats.bin import BinReader
from ...formats.errors import FormatError
from ...formats.file_names import weights_beside
from ...formats.graph import Graph
from ...formats.param_binary import looks_binary, read_param_binary
from ...formats.param_text import read_param_text
from .. import ReadOptions
from .importing import import_graph
from .weights import AbsentWeights, FileWeights, NoWeights, RandomWeights, WeightSource

STRUCTURE_ONLY = "structure only: weights are counted as the parameters say, as float32 or int8"
"""The message for a model that was read without weights."""


def read_graph(data: bytes, path: str) -> Graph:
    """Return the graph in a `.param` or `.param.bin`, distinguished by content."""
    if looks_binary(data):
        return read_param_binary(data, path, list(FAMILIES))
    return read_param_text(data, path)


def import_param(data: bytes, path: str, options: ReadOptions) -> tuple[ModuleOp, list[str]]:
    """Return the module of a `.param` or `.param.bin` with the content `data`, and warnings.

    Raises `FormatError`, and `OSError` if the weights cannot be opened.
    """
    graph = read_graph(data, path)
    _check_custom(graph, path, options)
    with ExitStack() as stack:
        source = _open_weights(graph, path, options, stack)
        module = import_graph(graph, path, source, options.custom_weights, options.layer_weights)
    return module, graph.warnings


def _check_custom(graph: Graph, path: str, options: ReadOptions) -> None:
    """Raise `FormatError` if weights are given for a layer type that the model lacks."""
    types = {layer.type for layer in graph.layers}
    own = sorted(types - FAMILIES.keys())
    for type_ in options.custom_weights:
        if type_ in FAMILIES:
            raise FormatError(path, f"{type_} is a layer of ncnn; it needs no --custom-weights")
        if type_ not in types and not options.custom_types_optional:
            known = f"; those that ncnn does not have are {', '.join(own[:6])}" if own else ""
            hint = nearest(type_, own) or known
            raise FormatError(path, f"there is no layer of type '{type_}'{hint}")


def _open_weights(graph: Graph, path: str, options: ReadOptions, stack: ExitStack) -> WeightSource:
    wanted, beside = options.weights, weights_beside(path)
    if options.structure_only and wanted in (None, "none"):
        if wanted == "none" or not os.path.exists(beside):
            lost = [] if wanted == "none" else [f"there is no '{beside}'"]
            graph.warnings.insert(0, "; ".join([*lost, STRUCTURE_ONLY]))
            return NoWeights()
    if wanted == "none":
        return NoWeights()
    if wanted == "":
        raise FormatError("", "--weights needs a file name, none or random")
    if wanted == "random":
        return RandomWeights()
    if wanted is not None and wanted.startswith("random:"):
        seed = wanted.removeprefix("random:")
        if not seed.isdecimal():
            raise FormatError("", f"--weights random:SEED needs a number, not '{seed}'")
        return RandomWeights(int(seed))
    bin_path = beside if wanted is None else wanted
    if wanted is None and not os.path.exists(bin_path):
        return AbsentWeights(path, bin_path)
    file = WeightFile.open(bin_path)
    reader = stack.enter_context(BinReader(bin_path))
    return FileWeights(reader, file, options.allow_trailing)
