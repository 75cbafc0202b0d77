"""Reading a model: its graph, as text or binary, and its weights."""

from contextlib import ExitStack

from xdsl.dialects.builtin import ModuleOp

from ...dialects.ncnn import FAMILIES
from ...dialects.xdsl_extras.spelling import nearest
from ...formats.errors import FormatError
from ...formats.graph import Graph
from ...formats.param_binary import looks_binary, read_param_binary
from ...formats.param_text import read_param_text
from .. import ReadOptions
from .importer import import_graph
from .weights import open_source


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
        source = open_source(graph, path, options, stack)
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
