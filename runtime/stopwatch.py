"""Measurement of the time of models and layers in the ncnn runtime.

Run as a program, this module is the measuring process: it has nothing else in memory, and its crash
is a result. It runs two models alternately, so that other load on the machine affects both.
Compiled models run in this process, too, so that one clock measures both kinds.
"""

import gc
import importlib
import pickle
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .devices.runner import Net, Refusal
from .host import answers_alone

WARM_UP = 3
"""The number of runs before the measured runs."""
MOST_BY_LAYER = 20
"""The largest number of runs that measure layers."""


@dataclass(frozen=True)
class Timed:
    """A model to measure."""

    param: str
    weights: str
    inputs: Mapping[str, NDArray[Any]]
    outputs: Sequence[str]
    layers: Sequence[tuple[str, str]] = ()
    """The first blob and the label of each layer, in file order."""


@dataclass(frozen=True)
class TimedCode:
    """A compiled model (`.vmfb`) to measure."""

    path: str
    inputs: Mapping[str, NDArray[Any]]


@dataclass
class Times:
    """The times of a model in milliseconds."""

    runs: list[float] = field(default_factory=list[float])
    layers: dict[str, list[float]] = field(default_factory=dict[str, list[float]])
    """The times of each layer, in runs that keep all blobs. Such runs take longer."""


class _Loaded:
    """A loaded model with its inputs."""

    def __init__(self, ncnn: Any, model: Timed, threads: int) -> None:
        self.layers = model.layers
        self.net = Net(ncnn, model.param, model.weights, threads)
        self.net.outputs = list(model.outputs)
        values = {name: np.ascontiguousarray(value) for name, value in model.inputs.items()}
        self.inputs = {name: ncnn.Mat(value).clone() for name, value in values.items()}

    def time_run(self) -> float:
        """Run the model from inputs to outputs, and return the time in milliseconds."""
        return self.net.time(self.inputs)

    def time_layers(self, into: dict[str, list[float]]) -> None:
        """Run the model layer by layer: extract one blob after the other."""
        times = self.net.time_layers(self.inputs, [blob for blob, _ in self.layers])
        for (_, label), ms in zip(self.layers, times, strict=True):
            if ms is not None:
                into.setdefault(label, []).append(ms)


class _Code:
    """A compiled model with its inputs."""

    layers: Sequence[tuple[str, str]] = ()

    def __init__(self, model: TimedCode, threads: int) -> None:
        from ..native.artifact import load
        from ..native.loading import set_threads
        from ..native.program import Program

        compiled = load(model.path)
        on_cpu = compiled.target == "cpu"
        if on_cpu and threads > 1:
            set_threads(threads)
        # One thread is the calling thread.
        self.program = Program(compiled, "local-sync" if on_cpu and threads == 1 else None)
        self.inputs = model.inputs

    def time_run(self) -> float:
        """Run the model from inputs to outputs, and return the time in milliseconds."""
        start = time.perf_counter()
        self.program(self.inputs)
        return 1000 * (time.perf_counter() - start)


def run_alternately(
    runs: Sequence[Callable[[], float]], times: Sequence[Times], repeat: int
) -> None:
    """Warm up, then run models alternately, `repeat` times each. A run returns its time in
    milliseconds."""
    for _ in range(WARM_UP):
        for run in runs:
            run()
    both = list(zip(runs, times, strict=True))
    for i in range(repeat):
        for run, found in both if i % 2 == 0 else both[::-1]:
            if len(both) > 1:
                run()  # the caches still contain the other model's data
            found.runs.append(run())


def measure(models: Sequence[Timed | TimedCode], repeat: int, threads: int) -> list[Times]:
    """Run the models alternately, `repeat` times each."""
    nets = [
        _Code(model, threads)
        if isinstance(model, TimedCode)
        else _Loaded(importlib.import_module("ncnn"), model, threads)
        for model in models
    ]
    times = [Times() for _ in models]
    gc.disable()
    run_alternately([net.time_run for net in nets], times, repeat)
    for _ in range(min(repeat, MOST_BY_LAYER)):
        for net, found in zip(nets, times, strict=True):
            if isinstance(net, _Loaded) and net.layers:
                net.time_layers({})  # as above
                net.time_layers(found.layers)
    return times


def serve() -> None:
    """Answer one request from standard input."""
    answers = answers_alone()
    models, repeat, threads = pickle.load(sys.stdin.buffer)
    try:
        kinds = {kind.__name__: kind for kind in (Timed, TimedCode)}
        timed = [kinds[kind](*values) for kind, *values in models]
        answer: Any = measure(timed, repeat, threads)
        answer = [(t.runs, t.layers) for t in answer]
    except Refusal as e:
        answer = str(e)
    pickle.dump(answer, answers)
    answers.close()


if __name__ == "__main__":
    serve()
