"""Opening a model: which files belong together, and what kind each is."""

import os
from collections.abc import Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

from xdsl.dialects.builtin import ModuleOp

from ..dialects.ncnn import FAMILIES
from ..dialects.ncnn.weights import WeightFile
from ..formats.bin import BinReader
from ..formats.errors import FormatError
from ..formats.graph import Graph
from ..formats.param_binary import looks_binary, read_param_binary
from ..formats.param_text import read_param_text
from .param import import_graph
from .weights import FileWeights, NoWeights, RandomWeights, WeightSource


@dataclass(frozen=True)
class ImportOptions:
    """How to read a model."""

    weights: str | None = None
    """A `.bin`, `none`, or `random[:SEED]`; by default the `.bin` beside the `.param`."""
    allow_trailing: bool = False
    """Whether bytes left over in the `.bin` are ignored."""
    custom_weights: Mapping[str, Sequence[int]] = field(default_factory=dict[str, Sequence[int]])
    """The floats of each weight of a custom layer type."""
    layer_weights: Mapping[str, Sequence[int]] = field(default_factory=dict[str, Sequence[int]])
    """The same of single layers of such types, by name: what another file says of them."""


def weights_beside(path: str) -> str:
    """The `.bin` that belongs to a `.param` or `.param.bin`."""
    for ending in (".param.bin", ".param"):
        if path.endswith(ending):
            return path.removesuffix(ending) + ".bin"
    return f"{path}.bin"


def looks_like_param(data: bytes) -> bool:
    """Whether this is the content of a `.param` or `.param.bin`: the magic number is first."""
    return looks_binary(data) or data.lstrip().startswith(b"7767517")


def read_graph(data: bytes, path: str) -> Graph:
    """The graph in a `.param` or `.param.bin`, told apart by their content."""
    if looks_binary(data):
        return read_param_binary(data, path, list(FAMILIES))
    return read_param_text(data, path)


def import_param(data: bytes, path: str, options: ImportOptions) -> tuple[ModuleOp, list[str]]:
    """The module of a `.param` or `.param.bin` whose content is `data`, and warnings about it. (See
    `unreplaced`.)

    Raises `FormatError`, and `OSError` if the weights cannot be opened.
    """
    graph = read_graph(data, path)
    with ExitStack() as stack:
        source = _open_weights(graph, path, options, stack)
        module = import_graph(graph, path, source, options.custom_weights, options.layer_weights)
    return module, graph.warnings


@contextmanager
def unreplaced(path: str, data: bytes) -> Generator[None]:
    """Raises `FormatError` if a model that had this content when it was read is replaced before its
    weights are opened, which is done in the block: they would be those of another. (Who replaces a
    model takes its graph away first, and puts it in last.)"""
    try:
        yield
    finally:
        if os.path.isfile(path) or not os.path.exists(path):  # a pipe can be read once
            with open(path, "rb") as f:
                if f.read() != data:
                    raise FormatError(path, "the file has changed while it was read")


def _open_weights(
    graph: Graph, path: str, options: ImportOptions, stack: ExitStack
) -> WeightSource:
    wanted = options.weights
    if wanted == "none":
        return NoWeights()
    if wanted == "":
        raise FormatError("", "--weights needs the name of a file, none or random")
    if wanted == "random":
        return RandomWeights()
    if wanted is not None and wanted.startswith("random:"):
        seed = wanted.removeprefix("random:")
        if not seed.isdecimal():
            raise FormatError("", f"--weights random:SEED needs a number, not '{seed}'")
        return RandomWeights(int(seed))
    bin_path = weights_beside(path) if wanted is None else wanted
    if wanted is None and not os.path.exists(bin_path):
        raise FormatError(
            path,
            f"there is no '{bin_path}' beside it: name the weights with --weights FILE, or use "
            "--weights none or --weights random",
        )
    file = WeightFile.open(bin_path)
    reader = stack.enter_context(BinReader(bin_path))
    return FileWeights(reader, file, options.allow_trailing)
