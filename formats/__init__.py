"""ncnn's file formats themselves, knowing no IR: bytes on one side, plain records on the other.

`param_text` and `param_binary` are a model's structure (`.param`, `.param.bin`), `graph` its form
in memory, `numbers` how ncnn reads and writes numbers. A file that is damaged, or a model
that a format cannot hold, is a `FormatError`, and nothing else.
"""

from .errors import FormatError
from .graph import Graph, LayerRecord, ParamValue, check_graph
from .param_binary import looks_binary, read_param_binary
from .param_text import read_param_text, write_param_text

__all__ = [
    "FormatError",
    "Graph",
    "LayerRecord",
    "ParamValue",
    "check_graph",
    "looks_binary",
    "read_param_binary",
    "read_param_text",
    "write_param_text",
]
