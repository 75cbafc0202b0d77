"""The engines that compute the blobs of a model: the reference semantics in NumPy, the ncnn
runtime, or native code."""

import itertools
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp
from xdsl.interpreter import Interpreter, PythonValues
from xdsl.ir import Operation

from ..dialects.ncnn.function import inputs_of, named, set_outputs
from ..dialects.ncnn.lookup import model_of
from ..interpreters.errors import RunError
from ..interpreters.run import blobs_of, run
from ..targets.param.export import export_module
from . import ENGINES
from .custom_layers import CustomLayers
from .host import NO_DEVICE, Array
from .process import Blobs, Failure, Runtime
from .trial_shapes import take_shapes

SECONDS = 3600
"""The time limit of the runtime in seconds."""


@dataclass(frozen=True)
class _ProgressListener(Interpreter.Listener):
    """A listener that reports the number of finished operations."""

    report: Callable[[int], None]
    count: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def did_interpret_op(self, op: Operation, results: PythonValues) -> None:
        self.report(next(self.count))


def run_numpy(
    module: ModuleOp, inputs: Blobs, wanted: Sequence[str], report: Callable[[int], None]
) -> dict[str, Array]:
    """Compute the `wanted` blobs with the reference semantics. Call `report` with the number of
    finished operations after each operation. Raise `RunError`."""
    return run(model_of(module), inputs, wanted, [_ProgressListener(report)])


def compute(
    engine: str,
    module: ModuleOp,
    inputs: Blobs,
    wanted: Sequence[str],
    files: tuple[str, str] | None = None,
    packing: bool = True,
    precision: str = "float32",
    device: str = "cpu",
    custom_layers: CustomLayers | None = None,
) -> dict[str, Array]:
    """Compute the `wanted` blobs with one of `ENGINES`. The settings behind `files` are
    for the ncnn runtime. Raise `RunError`."""
    if engine == "ncnn":
        check_runtime()
        setting = packing, precision, device, custom_layers
        return run_ncnn(module, inputs, wanted, files, *setting)
    if engine == "numpy":
        return run(model_of(module), inputs, wanted)
    if engine == "iree":
        return run_iree(module, inputs, wanted)
    raise RunError(f"engine must be one of {', '.join(ENGINES)}, not '{engine}'")


def check_runtime() -> None:
    """Raise `RunError` if the ncnn runtime is not installed."""
    if not Runtime.is_there():
        raise RunError("the ncnn runtime is not installed: pip install 'ncnn-opt[verify]'")


def run_ncnn(
    module: ModuleOp,
    inputs: Blobs,
    wanted: Sequence[str],
    files: tuple[str, str] | None,
    packing: bool,
    precision: str = "float32",
    device: str = "cpu",
    custom_layers: CustomLayers | None = None,
) -> dict[str, Array]:
    """Compute the `wanted` blobs with the runtime in one thread, in one of `PRECISIONS` and on one
    of `DEVICES`. `files` are the `.param` and `.bin` of the model; by default the model is written
    to a temporary folder. Raise `RunError`, and the errors of writing."""
    with tempfile.TemporaryDirectory(prefix="ncnn-run-") as folder, Runtime(SECONDS) as runtime:
        param, weights = files or (f"{folder}/model.param", f"{folder}/model.bin")
        if files is None:
            export_module(module.clone()).save(param, weights)
        # Light mode would free a blob that several layers read without a Split.
        blobs = runtime.run(
            Path(param),
            inputs,
            wanted,
            weights=Path(weights),
            light_mode=False,
            packing=packing,
            precision=precision,
            device=device,
            custom_layers=custom_layers,
        )
    if isinstance(blobs, Failure) and blobs.reason.startswith(NO_DEVICE):
        raise RunError(NO_DEVICE)
    if isinstance(blobs, Failure):
        raise RunError(f"the ncnn runtime does not run the model: {blobs.reason}")
    return dict(blobs)


def run_iree(
    module: ModuleOp, inputs: Blobs, wanted: Sequence[str], tick: Callable[[], None] | None = None
) -> dict[str, Array]:
    """Compute the `wanted` blobs with native code, compiled for the shapes of these inputs and for
    this processor. Call `tick` repeatedly during compilation. Raise `RunError`."""
    from ..native.program import Program, compile_module

    copy = module.clone()
    func = model_of(copy)
    known = blobs_of(func)
    for name in inputs_of(func):
        if name not in inputs:
            raise RunError(f"input '{name}' is missing; it is {known[name].type}")
    take_shapes(func, inputs)
    set_outputs(func, [(known[name], named(name)) for name in wanted])
    return Program(compile_module(copy, tick=tick))(inputs)
