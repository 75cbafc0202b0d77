"""Runs of compiled models (`.vmfb` of `ncnn-compile`) for `ncnn-run`: computing, comparing and
measuring."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, TensorType, f32
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Region

from ..analysis.shape_inference import set_input_shapes
from ..dialects.ncnn.function import inputs_of, named, output_names
from ..dialects.ncnn.lookup import model_of
from ..dialects.ncnn.weight_specs import Shape
from ..formats.columns import printable
from ..formats.errors import prefixed
from ..interpreters.errors import RunError
from ..interpreters.run import blobs_of
from ..native.artifact import ENDING, load
from ..native.program import Compiled, Program
from ..runtime.agreement import Agreement, compare_outputs
from ..runtime.blob_comparison import producer_of
from ..runtime.latency import Latency, measure
from ..runtime.stopwatch import Timed, TimedCode
from .input_values import read_inputs
from .latency import compiled_model, timed_model
from .messages import print_result
from .model_files import InputModel
from .model_runs import Blobs, ModelRun, RunOutcome, RunRequest
from .progress import Clock


def run_compiled(request: RunRequest) -> RunOutcome:
    """Run, compare or measure the `.vmfb` of a request. The engine of the request is that of the
    other model, which is compared or measured. Raises one of `USER_ERRORS`."""
    compiled, run = load(request.model), ModelRun(request)
    if request.repeat is not None:
        found = _measure(compiled, run, request.repeat)
        lines = found.lines()
        if run.fed:
            lines.append(f"measured with {run.fed}")
        print_result(printable("\n".join(lines)))
        return RunOutcome()
    program = Program(compiled)
    if request.compare is None:
        func = _interface(compiled, request.shapes)
        inputs = read_inputs(func, request.input, request.how, request.seed)
        return RunOutcome(True, program(_with_indices(compiled, inputs)))
    agreed, outputs = _compare(program, run, request.compare)
    print_result(str(agreed))
    return RunOutcome(bool(agreed), outputs)


def is_compiled(path: str) -> bool:
    """Whether a path is of a compiled model."""
    return path.endswith(ENDING)


def _interface(compiled: Compiled, shapes: Mapping[str, Shape]) -> FuncOp:
    """Return a function with the inputs of a compiled model, in these shapes where the model does
    not determine them."""
    types = [
        TensorType(f32, [DYNAMIC_INDEX if n is None else n for n in port.shape])
        for port in compiled.inputs
    ]
    body = Region(Block([ReturnOp()], arg_types=types))
    attrs = ArrayAttr([named(port.name) for port in compiled.inputs])
    func = FuncOp("main", (types, []), body, arg_attrs=attrs)
    if shapes:
        set_input_shapes(func, shapes)
    return func


def _with_indices(compiled: Compiled, values: Blobs) -> Blobs:
    """Return the values with integers for the inputs that are indices. (The code clamps indices to
    its tables, so that random values are valid.)"""
    indices = {port.name for port in compiled.inputs if port.is_index}
    return {n: np.rint(v).astype(np.int32) if n in indices else v for n, v in values.items()}


def _read(compiled: Compiled, run: ModelRun, path: str) -> InputModel:
    """Return the model that is compared with a compiled model, in the shapes for which that was
    compiled. Raises `RunError` for other inputs or outputs."""
    source = run.read(path)
    func = model_of(source.module)
    _check_names(compiled, list(inputs_of(func)), output_names(func), path)
    fixed = [port for port in compiled.inputs if None not in port.shape]
    set_input_shapes(func, {port.name: _extents(port.shape) for port in fixed})
    return source


def _extents(shape: Sequence[int | None]) -> tuple[int, ...]:
    return tuple(n for n in shape if n is not None)


def _check_names(
    compiled: Compiled, inputs: Sequence[str], outputs: Sequence[str], path: str
) -> None:
    """Raise `RunError` unless another model has the inputs and outputs of a compiled model."""
    ours = [port.name for port in compiled.inputs]
    for own, name, there in (
        *(("input", name, inputs) for name in ours),
        *(("output", name, outputs) for name in compiled.outputs),
    ):
        if name not in there:
            known = ", ".join(f"'{each}'" for each in there[:6])
            raise RunError(
                f"{path}: the compiled model's {own} '{name}' is missing; it has {known}"
            )
    for name in inputs:
        if name not in ours:
            known = ", ".join(f"'{each}'" for each in ours[:6])
            raise RunError(f"{path}: the compiled model has no input '{name}'; it has {known}")


def _compare(program: Program, run: ModelRun, path: str) -> tuple[Agreement, Blobs]:
    """Compare the outputs with those of another model, and return them."""
    compiled, request = program.compiled, run.request
    if is_compiled(path):
        other = load(path)
        _check_names(compiled, [port.name for port in other.inputs], other.outputs, path)
        inputs = _with_indices(compiled, run.inputs(_interface(compiled, request.shapes)))
        with prefixed(RunError, path):
            expected = Program(other)(inputs)
        names = {name: "" for name in compiled.outputs}
    else:
        source = _read(compiled, run, path)
        inputs = run.inputs(model_of(source.module))
        expected = run.compute(request.engine, source, inputs, compiled.outputs)
        names = _producers(source, compiled.outputs)
    outputs = program(inputs)
    return compare_outputs(names, expected, outputs, request.tolerance, run.fed), outputs


def _producers(source: InputModel, names: Sequence[str]) -> Mapping[str, str]:
    blobs = blobs_of(model_of(source.module))
    return {name: producer_of(blobs[name]) for name in names}


def _measure(compiled: Compiled, run: ModelRun, repeat: int) -> Latency:
    """Measure a compiled model, and the model of `--against` alternately: another compiled model, a
    model in the ncnn runtime, or with `--engine iree` a model that is compiled now. All run in one
    process."""
    request, path = run.request, run.request.against
    threads = request.threads or 1
    with ExitStack() as stack, Clock("measuring") as clock:
        if path is None or is_compiled(path):
            inputs = _with_indices(compiled, run.inputs(_interface(compiled, request.shapes)))
            timed: list[Timed | TimedCode] = []
            if path is not None:
                other = load(path)
                _check_names(compiled, [port.name for port in other.inputs], other.outputs, path)
                with prefixed(RunError, path):
                    Program(other)(inputs)
                timed = [TimedCode(path, inputs)]
        else:
            source = _read(compiled, run, path)
            inputs = run.inputs(model_of(source.module))
            if request.engine == "iree":
                timed = [compiled_model(source, inputs, stack, clock.tick)]
            else:
                timed = [timed_model(source, inputs, stack)]
        Program(compiled)(inputs)  # an error is one of this process
        models = [TimedCode(request.model, inputs), *timed]
        names = [request.model] if path is None else [request.model, path]
        return measure(names, models, repeat, threads)
