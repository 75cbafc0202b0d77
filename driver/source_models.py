"""Comparison of a model with the PyTorch model that it was converted from: a `.pnnx.param`, a
TorchScript file, or a callable."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp, f16

from ..dialects.ncnn.constant import ConstantOp
from ..dialects.ncnn.lookup import model_of
from ..formats.errors import FormatError
from ..frontends import ReadOptions
from ..interpreters.errors import RunError
from ..interpreters.source.steps import SourceModel, check_torch
from .files import read_model

if TYPE_CHECKING:
    from ..dialects.pnnx.operations import OperatorOp
    from ..runtime.layerwise.comparison import SourceAgreement

Array = NDArray[Any]

SMALLEST_HALF = np.float32(2.0**-14)
"""The smallest normal float16."""


def is_source_model(path: str) -> bool:
    """Whether a path names a model of PyTorch."""
    return path.endswith((".pnnx.param", ".pt", ".pth", ".torchscript"))


def compare_with_file(
    module: ModuleOp,
    path: str,
    inputs: Mapping[str, Array],
    other: str,
    *,
    tolerance: float,
    engine: str = "numpy",
    files: tuple[str, str] | None = None,
) -> "SourceAgreement":
    """Compare a model with the model of PyTorch in the file `other`. Raises one of
    `USER_ERRORS`."""
    from ..runtime.layerwise.comparison import compare_with_source

    check_torch()
    rounded = has_half_weights(module)
    if other.endswith(".pnnx.param"):
        source, exact = read_pnnx_source(other, rounded), read_pnnx_source(other, False)
    else:
        from ..interpreters.source.tracing import load_script, trace

        script = load_script(other)
        given = script_inputs(module, inputs)
        rounding = _half_tensor if rounded else None
        source, exact = trace(script, given, other, rounding), trace(script, given, other)
    return compare_with_source(
        module, path, inputs, source, exact, tolerance=tolerance, engine=engine, files=files
    )


def compare_with_callable(
    module: ModuleOp,
    path: str,
    inputs: Mapping[str, Array],
    function: Callable[..., Any],
    tensors: Sequence[Any] | None = None,
    *,
    tolerance: float,
    engine: str = "numpy",
) -> "SourceAgreement":
    """Compare a model with a module or function of PyTorch. `tensors` are its arguments, by default
    the inputs with a batch axis. Raises `RunError`."""
    from ..interpreters.source.tracing import name_of, trace
    from ..runtime.layerwise.comparison import compare_with_source

    check_torch()
    given = script_inputs(module, inputs) if tensors is None else list(tensors)
    rounding, name = _half_tensor if has_half_weights(module) else None, name_of(function)
    source, exact = trace(function, given, name, rounding), trace(function, given, name)
    return compare_with_source(
        module, path, inputs, source, exact, tolerance=tolerance, engine=engine
    )


def read_pnnx_source(path: str, rounded: bool = False) -> SourceModel:
    """Return the steps of a `.pnnx.param` with its `.pnnx.bin`. `rounded`: whether weights of two
    and more dims are cut to float16, as the converter does. Raises one of `USER_ERRORS`."""
    from ..dialects.pnnx.operations import graph_in
    from ..frontends.pnnx.archive import Archive
    from ..interpreters.source.pnnx_graph import source_of

    graph = graph_in(read_model(path, ReadOptions()).module)
    if graph is None:
        raise FormatError(path, "this is not PNNX's own IR, a .pnnx.param")
    archive = Archive(graph, path)

    def weight(op: "OperatorOp", key: str) -> Array:
        values = archive.read(op, key)
        return as_half(values) if rounded and op.type.data != "pnnx.Attribute" else values

    return source_of(graph, path, weight)


def as_half(values: Array) -> Array:
    """Return the weights that the converter writes as float16: truncated, without denormals
    (`float32_to_float16` in PNNX's src/utils.cpp)."""
    if values.dtype != np.float32 or values.ndim < 2:
        return values
    cut = (np.ascontiguousarray(values).view(np.uint32) & np.uint32(0xFFFFE000)).view(np.float32)
    return np.where(np.abs(cut) < SMALLEST_HALF, np.float32(0), cut)


def _half_tensor(value: Any) -> Any:
    from ..interpreters.source.steps import as_array, as_tensor

    array = as_array(value)
    return value if array is None else as_tensor(as_half(array), value)


def has_half_weights(module: ModuleOp) -> bool:
    """Whether a model has float16 weights."""
    ops = model_of(module).body.block.ops
    return any(isinstance(op, ConstantOp) and op.output.type.element_type == f16 for op in ops)


def script_inputs(module: ModuleOp, inputs: Mapping[str, Array]) -> list[Any]:
    """Return a model's inputs as tensors with a batch axis."""
    from ..interpreters.source.steps import as_tensor
    from .running import input_names

    names = input_names(model_of(module))
    if missing := [name for name in names if name not in inputs]:
        raise RunError(f"input '{missing[0]}' is missing")
    return [as_tensor(inputs[name][None]) for name in names]
