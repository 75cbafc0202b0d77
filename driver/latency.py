"""The latency of models in the ncnn runtime, or as native code.

`runtime/latency.py` measures files. This file writes or compiles a model first, unless its own
files can be measured.
"""

import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

from numpy.typing import NDArray

from ..dialects.ncnn.function import blobs_without_split, inputs_of, output_names
from ..dialects.ncnn.lookup import model_of
from ..formats.errors import prefixed
from ..formats.param_text import read_param_text
from ..formats.trace import Event, trace_text
from ..interpreters.errors import RunError
from ..runtime.latency import Latency, measure
from ..runtime.stopwatch import Timed, TimedCode
from ..runtime.trial_shapes import take_shapes
from ..targets.param.export import export_module
from .model_files import InputModel

Blobs = Mapping[str, NDArray[Any]]
Tick = Callable[[], None]

KEPT = (
    "several layers read one blob without a Split, so that it runs only with "
    "opt.lightmode = false, which is slower; -O writes the Splits"
)
"""The note about a model that does not run with the runtime's default options."""


def time_models(
    sources: Sequence[InputModel],
    inputs: Blobs,
    repeat: int,
    threads: int = 1,
    engine: str = "ncnn",
    tick: Tick | None = None,
) -> Latency:
    """Measure one model, or two in turn, on the same inputs. The runtime loads the original files
    if it can; for the engine `iree` the models are compiled, which calls `tick`. Raises `RunError`,
    and the errors of writing a model."""
    with ExitStack() as stack:
        timed = [
            compiled_model(source, inputs, stack, tick)
            if engine == "iree"
            else timed_model(source, inputs, stack)
            for source in sources
        ]
        latency = measure([source.path for source in sources], timed, repeat, threads)
    if engine == "iree":
        return latency
    slower = [source.path for source in sources if blobs_without_split(model_of(source.module))]
    return replace(latency, notes=[f"{path}: {KEPT}" for path in slower])


def compiled_model(
    source: InputModel, inputs: Blobs, stack: ExitStack, tick: Tick | None = None
) -> TimedCode:
    """Compile a model for the shapes of these inputs, into temporary files that go with the stack.
    Call `tick` repeatedly. Raise `RunError` if the model does not compile or run."""
    from ..native.artifact import ENDING, save
    from ..native.program import Program, compile_module

    module = source.module.clone()
    func = model_of(module)
    take_shapes(func, inputs)
    names = list(inputs_of(func))
    if missing := [name for name in names if name not in inputs]:
        raise RunError(f"{source.path}: input '{missing[0]}' is missing")
    fed = {name: inputs[name] for name in names}
    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="ncnn-run-"))
    code = f"{folder}/model{ENDING}"
    with prefixed(RunError, source.path):
        compiled = compile_module(module, tick=tick)
        Program(compiled)(fed)  # an error is one of this process
        save(compiled, code)
    return TimedCode(code, fed)


def timed_model(source: InputModel, inputs: Blobs, stack: ExitStack) -> Timed:
    """Return a model in files for the runtime, with its inputs and layers. Temporary files go with
    the stack."""
    func = model_of(source.module)
    files = source.files()
    if files is None:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="ncnn-run-"))
        files = f"{folder}/model.param", f"{folder}/model.bin"
        export_module(source.module.clone()).save(*files)
    with open(files[0], "rb") as f:
        records = read_param_text(f.read(), files[0]).layers
    layers = [(r.tops[0], f"{r.type} '{r.name}'") for r in records if r.tops and r.bottoms]
    names = list(inputs_of(func))
    fed = {name: inputs[name] for name in names if name in inputs}
    return Timed(files[0], files[1], fed, output_names(func), layers)


def trace_of(latency: Latency) -> str:
    """Return the times of layers as a trace: each measured run, layer by layer, one model below the
    other."""
    events: list[Event] = []
    for name, times in zip(latency.names, latency.times, strict=True):
        start, runs = 0.0, max(map(len, times.layers.values()), default=0)
        for index in range(runs):
            layers = [
                (label, ms[index] / 1e3) for label, ms in times.layers.items() if index < len(ms)
            ]
            whole = sum(seconds for _, seconds in layers)
            events.append(Event(f"run {index + 1}", start, whole, name, "runs"))
            for label, seconds in layers:
                share = {"share of the run": f"{100 * seconds / (whole or 1):.1f} %"}
                events.append(Event(label, start, seconds, name, "layers", share))
                start += seconds
    return trace_text(events)
