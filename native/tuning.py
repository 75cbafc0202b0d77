"""Which form of convolutions is fastest on this machine: measured, not guessed."""

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from statistics import median

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from ..transforms.convert_to_linalg import STYLES
from .compiling import Tick
from .errors import NativeError
from .options import Options
from .program import Array, Compiled, Program, compile_module

TRIED = tuple(form for form in STYLES if form != "named")
"""The forms that are tried: named operations are nowhere fast."""

ROUNDS = 9
SECONDS = 2.0
"""Each form runs so often, in turn with the others; fewer times if that takes longer."""

CLEARLY = 0.98
"""Another form than the first is taken if it needs at most so much of its time."""


def fastest(
    module: ModuleOp,
    options: Options,
    tick: Tick | None = None,
    note: Callable[[str], None] = lambda _: None,
) -> Compiled:
    """Compiles a model in each form and runs it on random inputs; the program that takes the least
    time. `note` is told what was measured. Raises `NativeError` for code of another processor, for
    inputs of unknown extents, and as `compile_module` does."""
    if options.target != "cpu" or options.target_triple is not None:
        raise NativeError("--tune measures on this machine's CPU: leave --target away")
    programs = {
        form: Program(compile_module(module.clone(), replace(options, conv=form), tick))
        for form in TRIED
    }
    times = measured(programs)
    first = TRIED[0]
    best = min(times, key=lambda form: times[form])
    if times[best] > CLEARLY * times[first]:
        best = first
    said = ", ".join(f"conv={form} {1000 * t:.3g} ms" for form, t in times.items())
    note(f"{said}: conv={best}")
    return programs[best].compiled


def measured(programs: Mapping[str, Program]) -> dict[str, float]:
    """The median time of each program in seconds, of runs in turn after one that loads it."""
    inputs = {name: random_inputs(program) for name, program in programs.items()}
    times: dict[str, list[float]] = {name: [] for name in programs}
    for name, program in programs.items():
        program(inputs[name])
    end = time.perf_counter() + SECONDS * len(programs)
    for done in range(ROUNDS):
        if done and time.perf_counter() > end:
            break
        for name, program in programs.items():
            start = time.perf_counter()
            program(inputs[name])
            times[name].append(time.perf_counter() - start)
    return {name: median(each) for name, each in times.items()}


def random_inputs(program: Program) -> dict[str, Array]:
    """An input of each of the shapes, between -1 and 1; zeros for integers."""
    rng = np.random.default_rng(0)
    made: dict[str, Array] = {}
    for port in program.inputs:
        if None in port.shape:
            raise NativeError(f"--tune needs the extents of input '{port.name}'")
        shape = [n for n in port.shape if n is not None]
        values = rng.uniform(-1, 1, shape)
        made[port.name] = (values if np.dtype(port.dtype).kind == "f" else np.zeros(shape)).astype(
            port.dtype
        )
    return made
