"""Models as shared libraries, which LLVM compiles, compared with NumPy."""

import ctypes
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from ncnn_opt.conversion.host_ops import PartitionHostOps, take_tail
from ncnn_opt.dialects.ncnn.function import output_names
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.native.c_code import name_for
from ncnn_opt.native.library import save_library
from ncnn_opt.native.options import CompileOptions
from numpy.typing import NDArray
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

Values = Mapping[str, NDArray[Any]]


def without_tail(module: ModuleOp) -> bool:
    """Remove the layers that run on the host, which a library does not support. Their inputs become
    outputs. Return whether there are such layers."""
    PartitionHostOps().apply(Context(), module)
    return take_tail(module) is not None


def run_library(module: ModuleOp, options: CompileOptions, inputs: Values, like: Values) -> Values:
    """Compile a model to a library, and return its outputs. `like` has arrays of their shapes and
    element types. The module becomes the code's module."""
    names = output_names(model_of(module))
    found = {name: np.empty_like(like[name]) for name in names}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, f"{Path(folder).name}.so")
        save_library(module, path, options)
        function = getattr(ctypes.CDLL(path), name_for(path))
    function.restype = None
    function(*(ctypes.c_void_p(v.ctypes.data) for v in (*inputs.values(), *found.values())))
    return found
