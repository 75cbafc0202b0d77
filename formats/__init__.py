"""ncnn's file formats, independent of the IR: conversions between bytes and plain records.

`param_text` and `param_binary` are a model's structure (`.param`, `.param.bin`), `graph` its
in-memory form, `numbers` ncnn's number syntax. `FormatError` is the only exception for a damaged
file, or for a model that a format cannot represent.
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
