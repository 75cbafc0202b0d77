"""The layers of a model and the values of all its blobs.

Converters rename blobs, so `BlobIndex` finds them by their values.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.interpreter import Interpreter, PythonValues
from xdsl.ir import Operation, SSAValue

from ...dialects.ncnn.constant import ConstantOp
from ...dialects.ncnn.function import output_names, outputs_of
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.lookup import model_of
from ...interpreters.errors import RunError
from ...interpreters.ncnn import semantics_of
from ...interpreters.run import blobs_of, run
from ..differences import relative_error
from ..engines import run_ncnn
from ..host import Array
from ..process import Runtime

SAMPLED = 64
"""The number of elements that are compared first."""


@dataclass(frozen=True)
class RunLayer:
    """A layer of the model."""

    label: str
    inputs: tuple[str, ...]
    """The names of blobs."""
    outputs: tuple[str, ...]


@dataclass
class RunBlobs:
    """A model that has run."""

    layers: Sequence[RunLayer]
    inputs: Sequence[str]
    outputs: Sequence[str]
    values: Mapping[str, Array]
    failure: str = ""
    """The reason why the model does not run to its end."""

    def __post_init__(self) -> None:
        self.producer = {name: layer for layer in self.layers for name in layer.outputs}


@dataclass(frozen=True)
class _Collector(Interpreter.Listener):
    """Keeps the results of all operations."""

    values: dict[SSAValue, Array] = field(default_factory=dict[SSAValue, Array])

    def did_interpret_op(self, op: Operation, results: PythonValues) -> None:
        if not isinstance(op, ConstantOp) or op.is_layer():
            self.values.update(zip(op.results, results, strict=True))


def run_all(
    module: ModuleOp,
    inputs: Mapping[str, Array],
    engine: str = "numpy",
    files: tuple[str, str] | None = None,
) -> RunBlobs:
    """Run a model and keep all blobs. If an engine (`numpy` or `ncnn`) does not run the model to
    its end, the other is tried; if both fail, the blobs are those before the failing layer. Raises
    `RunError` if there are none."""
    if engine not in ("numpy", "ncnn"):
        raise RunError(f"layers are compared with the engines numpy and ncnn, not '{engine}'")
    func = model_of(module)
    names = _names(func)
    tries = [_run_numpy, _run_ncnn] if engine == "numpy" else [_run_ncnn, _run_numpy]
    failures: list[str] = []
    values: dict[str, Array] = {}
    for attempt in tries:
        found, failure = attempt(module, inputs, names, files)
        values = found if not failure or len(found) > len(values) else values
        failures.append(failure)
        if not failure:
            break
    failure = ""
    if all(failures):  # the runtime decides, if it is there
        failure = failures[tries.index(_run_ncnn if Runtime.is_there() else _run_numpy)]
    if failure and not values:
        raise RunError(failure)
    values |= {name: np.asarray(array) for name, array in inputs.items()}
    return RunBlobs(
        [_layer(op, names) for op in func.body.block.ops if _is_layer(op)],
        [names[arg] for arg in func.body.block.args],
        _in_order(func, names),
        values,
        failure,
    )


Names = Mapping[SSAValue, str]
Result = tuple[dict[str, Array], str]
"""The values of blobs, and the reason why not all are computed."""


def _run_ncnn(
    module: ModuleOp, inputs: Mapping[str, Array], names: Names, files: tuple[str, str] | None
) -> Result:
    if not Runtime.is_there():
        return {}, "the ncnn runtime is not installed: pip install 'ncnn-opt[verify]'"
    known = [*blobs_of(model_of(module))]
    first: dict[str, Array] = {}
    failure, low, high = "", 0, len(known) + 1
    while high - low > 1:  # the first `low` blobs can be computed, the first `high` cannot
        count = (low + high) // 2 if failure else len(known)
        try:
            first, low = run_ncnn(module, inputs, known[:count], files, True), count
        except RunError as e:
            failure, high = failure or str(e), count
    return first, failure


def _run_numpy(
    module: ModuleOp, inputs: Mapping[str, Array], names: Names, files: tuple[str, str] | None
) -> Result:
    func = model_of(module)
    layers = (op for op in func.body.block.ops if isinstance(op, LayerOp) and _is_layer(op))
    unknown = [op for op in layers if semantics_of(type(op)) is None]
    wanted, failure = None, ""
    if unknown:
        behind = _behind(func, unknown)
        wanted = [name for name, value in blobs_of(func).items() if value not in behind]
        failure = f"there are no semantics for {unknown[0].label()}"
    collector = _Collector()
    try:
        run(func, inputs, wanted, [collector])
    except RunError as e:
        failure = str(e)
    return {names[value]: array for value, array in collector.values.items()}, failure


def _behind(func: FuncOp, unknown: Sequence[Operation]) -> set[SSAValue]:
    """Return the values that depend on operations."""
    found: set[SSAValue] = set()
    for op in func.body.block.ops:
        if op in unknown or found.intersection(op.operands):
            found.update(op.results)
    return found


def _names(func: FuncOp) -> dict[SSAValue, str]:
    """Return a name for each blob: the file's, or one of its layer for a blob without a name."""
    names = {value: name for name, value in blobs_of(func).items()}
    for op in func.body.block.ops:
        for i, value in enumerate(op.results):
            names.setdefault(value, f"output {i} of {_label(op)}")
    return names


def ordered_outputs(func: FuncOp) -> list[str]:
    """Return the names of a model's outputs in the order of PyTorch's."""
    return _in_order(func, _names(func))


def _in_order(func: FuncOp, names: Mapping[SSAValue, str]) -> list[str]:
    """Return the outputs, sorted by the converter's numbers `out0`, `out1` where all have one."""
    found = dict(zip(output_names(func), [names[v] for v, _ in outputs_of(func)], strict=True))
    numbers = {name: name.removeprefix("out") for name in found}
    if all(n.isdecimal() for n in numbers.values()):
        return [found[name] for name in sorted(found, key=lambda name: int(numbers[name]))]
    return [*found.values()]


def _is_layer(op: Operation) -> bool:
    return isinstance(op, LayerOp) and (not isinstance(op, ConstantOp) or op.is_layer())


def _label(op: Operation) -> str:
    return op.label() if isinstance(op, LayerOp) else op.name


def _layer(op: Operation, names: Mapping[SSAValue, str]) -> RunLayer:
    makers = [(v, v.owner) for v in op.operands]
    read = [v for v, maker in makers if not isinstance(maker, ConstantOp) or maker.is_layer()]
    return RunLayer(_label(op), tuple(names[v] for v in read), tuple(names[v] for v in op.results))


class BlobIndex:
    """The blobs of a model by their values."""

    def __init__(self, values: Mapping[str, Array], tolerance: float) -> None:
        self.values = values
        self.tolerance = tolerance
        self._by_size: dict[int, list[str]] = {}
        for name, value in values.items():
            self._by_size.setdefault(value.size, []).append(name)
        self._samples: dict[int, Array] = {}

    def find(self, array: Array) -> dict[str, float]:
        """Return the blobs with these elements, and their relative errors, the nearest first."""
        names = self._by_size.get(array.size)
        if not names or not array.size:
            return {}
        flat = array.reshape(-1).astype("f8")
        largest = float(np.abs(flat[np.isfinite(flat)]).max(initial=0))
        with np.errstate(invalid="ignore"):
            gaps = np.abs(self._sampled(array.size) - flat[_places(array.size)])
        # Infinities at the same place differ by NaN; `relative_error` decides about them.
        near = np.nan_to_num(gaps, nan=0.0).max(axis=1) <= self.tolerance * largest * 1.01
        errors: dict[str, float] = {}
        for name in (name for name, is_near in zip(names, near, strict=True) if is_near):
            error = relative_error(flat, self.values[name].reshape(-1))
            if error <= self.tolerance:
                errors[name] = error
        return dict(sorted(errors.items(), key=lambda item: item[1]))

    def _sampled(self, size: int) -> Array:
        if size not in self._samples:
            rows = [self.values[n].reshape(-1)[_places(size)] for n in self._by_size[size]]
            self._samples[size] = np.stack(rows).astype("f8")
        return self._samples[size]


def _places(size: int) -> Array:
    return np.linspace(0, size - 1, min(size, SAMPLED)).astype("i8")
