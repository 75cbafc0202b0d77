"""Latencies of one or two models as native code by IREE, in this process."""

import gc
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp

from ..dialects.ncnn.function import input_name
from ..dialects.ncnn.lookup import model_of
from ..formats.errors import prefixed
from ..interpreters.errors import RunError
from .feeding import take_shapes
from .latency import Latency
from .stopwatch import WARM_UP, Times

Tick = Callable[[], None]


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
    runs: list[Callable[[], object]] = []
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
        runs.append(lambda program=program, given=given: program(given))
    times = [Times() for _ in models]
    gc.collect()
    for i in range(WARM_UP + repeat):
        both = list(zip(runs, times, strict=True))
        for run, found in both if i % 2 == 0 else both[::-1]:
            if len(both) > 1:
                run()  # the caches still contain the other model's data
            start = time.perf_counter()
            run()
            if i >= WARM_UP:
                found.runs.append(1000 * (time.perf_counter() - start))
    return Latency([path for path, _ in models], times)
