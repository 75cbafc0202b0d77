"""Latencies of one or two models as native code by IREE, in this process."""

import gc
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp

from ..dialects.ncnn.function import input_name
from ..dialects.ncnn.lookup import model_of
from ..formats.errors import prefixed
from ..interpreters.errors import RunError
from .feeding import take_shapes
from .latency import Latency
from .stopwatch import Times, run_alternately

Tick = Callable[[], None]


def _time(program: Callable[[Mapping[str, NDArray[Any]]], object], given: Any) -> float:
    """Run a program, and return the time in milliseconds."""
    start = time.perf_counter()
    program(given)
    return 1000 * (time.perf_counter() - start)


def measure_native(
    models: Sequence[tuple[str, ModuleOp]],
    inputs: Mapping[str, NDArray[Any]],
    repeat: int,
    threads: int = 1,
    tick: Tick | None = None,
) -> Latency:
    """Compile models, with their names, for the shapes of these inputs, and measure them
    alternately, `repeat` runs each. One thread is the calling thread. Call `tick` repeatedly during
    compilation. Raise `RunError` if a model does not compile or run."""
    from ..native.program import Program, compile_module

    if threads > 1:
        from ..native.loading import set_threads

        set_threads(threads)
    driver = "local-sync" if threads == 1 else None
    runs: list[Callable[[], float]] = []
    for path, module in models:
        copy = module.clone()
        func = model_of(copy)
        take_shapes(func, inputs)
        names = [input_name(func, arg.index) for arg in func.body.block.args]
        if missing := [name for name in names if name not in inputs]:
            raise RunError(f"{path}: input '{missing[0]}' is missing")
        given = {name: inputs[name] for name in names}
        with prefixed(RunError, path):
            program = Program(compile_module(copy, tick=tick), driver)
            program(given)
        runs.append(partial(_time, program, given))
    times = [Times() for _ in models]
    gc.collect()
    run_alternately(runs, times, repeat)
    return Latency([path for path, _ in models], times)
