"""Comparison of a model with the PyTorch model that it was converted from: a `.pnnx.param`, a
TorchScript file, or a callable."""

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp, f16
from xdsl.ir import SSAValue

from ..conversion.pnnx_to_ncnn.archive import Archive
from ..dialects.ncnn.blob import static_shape_of
from ..dialects.ncnn.constant import ConstantOp
from ..dialects.ncnn.function import inputs_of
from ..dialects.ncnn.lookup import model_of
from ..dialects.pnnx.operations import GraphOp, OperatorOp, graph_in
from ..formats.errors import FormatError
from ..formats.file_names import is_source_model
from ..frontends import ReadOptions
from ..interpreters.errors import RunError
from ..interpreters.source.callables import steps_of
from ..interpreters.source.pnnx_graph import source_of
from ..interpreters.source.recorded_callable import record
from ..interpreters.source.source_steps import SourceModel, as_array, as_tensor, check_torch
from ..interpreters.source.tracing import load_script
from ..runtime.layerwise.comparison import SourceAgreement, compare_with_source
from ..runtime.trial_shapes import random_inputs
from .errors import UsageError
from .input_forms import batch_axes_beside
from .model_files import read_model
from .run_model import as_blobs

Array = NDArray[Any]

SMALLEST_HALF = 2.0**-14
"""The smallest normal float16."""
HALF_STEP = 2.0**-10
"""The distance between neighbouring float16 numbers, relative to the smaller."""


def compare_with_file(
    module: ModuleOp,
    path: str,
    inputs: Mapping[str, Array],
    other: str,
    *,
    tolerance: float,
    engine: str = "numpy",
    files: tuple[str, str] | None = None,
    tensors: Sequence[Any] | None = None,
) -> SourceAgreement:
    """Compare a model with the model of PyTorch in the file `other`. `tensors` are the inputs of a
    TorchScript file, by default `script_inputs`. Raises one of `USER_ERRORS`."""
    check_torch()
    half = HalfWeights(module)
    if other.endswith(".pnnx.param"):
        exact = read_pnnx_source(other)
        source = read_pnnx_source(other, half) if half else exact
    else:
        script = load_script(other)
        given = script_inputs(module, inputs, path) if tensors is None else list(tensors)
        exact = record(script, given, other)
        source = record(script, given, other, half.round_tensor) if half else exact
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
) -> SourceAgreement:
    """Compare a model with a module or function of PyTorch. `tensors` are its arguments, by default
    the inputs with a batch axis. Raises `RunError`."""
    check_torch()
    given = script_inputs(module, inputs, path) if tensors is None else list(tensors)
    half = HalfWeights(module)
    exact = steps_of(function, given)
    source = steps_of(function, given, half.round_tensor) if half else exact
    return compare_with_source(
        module, path, inputs, source, exact, tolerance=tolerance, engine=engine
    )


def read_pnnx_source(path: str, half: "HalfWeights | None" = None) -> SourceModel:
    """Return the steps of a `.pnnx.param` with its `.pnnx.bin`. `half`: the weights of the model
    that was made from it. Raises one of `USER_ERRORS`."""
    graph = graph_in(read_model(path, ReadOptions()).module)
    if graph is None:
        raise FormatError(path, "this is not PNNX's own IR, a .pnnx.param")
    return source_of_graph(graph, path, half)


def source_of_graph(graph: GraphOp, path: str, half: "HalfWeights | None" = None) -> SourceModel:
    """Return the steps of a PNNX graph. `path` is for messages. Raises one of `USER_ERRORS`."""
    archive = None if graph.archive is None else Archive(graph, path)

    def weight(op: OperatorOp, key: str) -> Array:
        if archive is None:
            raise FormatError(path, "the weights are missing: the .pnnx.bin is not beside it")
        values = archive.read(op, key)
        return values if half is None else half.round(values)

    return source_of(graph, path, weight)


class HalfWeights:
    """The float16 weights of a model. A weight of the source model is replaced by the model's
    rounding of it, so that only other differences are found."""

    def __init__(self, module: ModuleOp) -> None:
        self._by_size: dict[int, list[ConstantOp]] = {}
        for op in model_of(module).body.block.ops:
            if isinstance(op, ConstantOp) and op.output.type.element_type == f16:
                size = prod(static_shape_of(op.output) or ())
                self._by_size.setdefault(size, []).append(op)

    def __bool__(self) -> bool:
        return bool(self._by_size)

    def round(self, values: Array) -> Array:
        """Return a weight as the model has it. A weight that the model has in another layout is
        rounded to the nearest float16 if it has two or more dims."""
        if values.dtype != np.float32 or not self:
            return values
        with np.errstate(over="ignore"):
            nearest = values.astype(np.float16).astype(np.float32)
        limit = np.abs(values) * HALF_STEP + SMALLEST_HALF  # denormals may be zero
        for op in self._by_size.get(values.size, ()):
            own = op.read().astype(np.float32).reshape(values.shape)
            if (np.abs(own - values) <= limit).all():
                return own
        return nearest if values.ndim > 1 else values

    def round_tensor(self, value: Any) -> Any:
        """Return a weight of PyTorch, rounded."""
        array = as_array(value)
        return value if array is None else as_tensor(self.round(array), value)


def script_inputs(module: ModuleOp, inputs: Mapping[str, Array], path: str) -> list[Any]:
    """Return the inputs of a model that was read from `path` as tensors: with the batch axis that
    the converter's script beside it states, else with a first one."""
    axes = batch_axes_beside(path.removesuffix(".ncnn.param") + ".pnnx.param")
    names = list(inputs_of(model_of(module)))
    if missing := [name for name in names if name not in inputs]:
        raise RunError(f"input '{missing[0]}' is missing")
    return [as_tensor(_with_batch(inputs[name], axes.get(name, 0))) for name in names]


def _with_batch(blob: Array, axis: int) -> Array:
    return blob if axis > blob.ndim else np.expand_dims(blob, axis)


def compare_model(
    module: ModuleOp,
    path: str,
    source: "Callable[..., Any] | str",
    inputs: Any = None,
    *,
    tolerance: float,
    engine: str = "numpy",
) -> SourceAgreement:
    """Compare a model with a model of PyTorch: a file or a callable. `inputs` are PyTorch's, with
    the batch axis; by default random values. Raises `UsageError` and `RunError`."""
    check_torch()
    func = model_of(module)
    words, tensors = "", None
    if inputs is None:
        blobs, words = random_inputs(func, 0)
    else:
        several = isinstance(inputs, tuple | list)
        given: list[Any] = list(inputs) if several else [inputs]  # pyright: ignore
        tensors = list(map(_as_tensor, given))
        arrays = [as_array(each) for each in tensors]
        names = inputs_of(func)
        if len(names) != len(arrays) or any(each is None for each in arrays):
            raise UsageError(f"{path} has {len(names)} inputs; give a tensor for each, in order")
        pairs = zip(names.items(), arrays, strict=True)
        blobs = as_blobs(func, {name: as_blob(arg, array) for (name, arg), array in pairs})
    if isinstance(source, str):
        if not is_source_model(source):
            raise UsageError(
                f"'{source}' is not a model of PyTorch: a .pnnx.param, or a TorchScript .pt"
            )
        found = compare_with_file(
            module, path, blobs, source, tolerance=tolerance, engine=engine, tensors=tensors
        )
    else:
        found = compare_with_callable(
            module, path, blobs, source, tensors, tolerance=tolerance, engine=engine
        )
    found.inputs = words
    return found


def _as_tensor(value: Any) -> Any:
    return as_tensor(value) if isinstance(value, np.ndarray) else value  # pyright: ignore


def as_blob(arg: SSAValue, array: Any) -> Any:
    """Return an input of PyTorch as ncnn has it: with all axes or without a batch axis of extent 1,
    by the shape of the model's input; without axis 0 if that shape is not known."""
    shape, axes = static_shape_of(arg), [i for i, n in enumerate(array.shape) if n == 1]
    if shape == array.shape:
        return array
    for axis in axes if array.ndim > 1 else ():
        if shape == (*array.shape[:axis], *array.shape[axis + 1 :]):
            return array.squeeze(axis)
    return array[0] if array.ndim > 1 and len(array) == 1 else array
