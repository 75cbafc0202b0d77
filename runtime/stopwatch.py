"""A process that measures the times of models and layers in the ncnn runtime, and of compiled models:
`python -m ncnn_opt.runtime.stopwatch`, see `latency.py`. It has nothing else in memory. Models of
both kinds take turns in it.
"""

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..paired_times.clock import clock_for, timed
from ..paired_times.clock import measure as measure_in_turn
from .devices.runner import Net, Refusal
from .host import Host, Refused

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
        self.run = partial(self.net.time, self.inputs)

    def time_layers(self) -> list[float | None]:
        """Run the model layer by layer: extract one blob after the other. Return the times in
        milliseconds, `None` for a layer that fails."""
        return self.net.time_layers(self.inputs, [blob for blob, _ in self.layers])


class _Code:
    """A compiled model with its inputs."""

    def __init__(self, model: TimedCode, threads: int) -> None:
        from ..native.artifact import load
        from ..native.loading import set_threads
        from ..native.program import Program

        compiled = load(model.path)
        on_cpu = compiled.target == "cpu"
        if on_cpu and threads > 1:
            set_threads(threads)
        # One thread is the calling thread.
        program = Program(compiled, "local-sync" if on_cpu and threads == 1 else None)
        self.run = timed(partial(program, model.inputs), clock_for(threads if on_cpu else None))


def measure(models: Sequence[Timed | TimedCode], repeat: int, threads: int) -> list[Times]:
    """Run the models in turn, `repeat` times each."""
    nets = [
        _Code(model, threads)
        if isinstance(model, TimedCode)
        else _Loaded(importlib.import_module("ncnn"), model, threads)
        for model in models
    ]
    rounds = measure_in_turn([net.run for net in nets], repeat)
    times = [Times([ms[i] for ms in rounds]) for i in range(len(nets))]
    layered = [
        (net, found)
        for net, found in zip(nets, times, strict=True)
        if isinstance(net, _Loaded) and net.layers
    ]
    runs = [net.time_layers for net, _ in layered]
    for results in measure_in_turn(runs, min(repeat, MOST_BY_LAYER) if runs else 0):
        for (net, found), each in zip(layered, results, strict=True):
            for (_, label), ms in zip(net.layers, each, strict=True):
                if ms is not None:
                    found.layers.setdefault(label, []).append(ms)
    return times


class Stopwatch(Host):
    """The requests of a host, and the measurement."""

    def measure(
        self, models: Sequence[Mapping[str, Any]], repeat: int, threads: int
    ) -> list[dict[str, Any]]:
        """Run the models in turn, `repeat` times each. They are the fields of a `Timed` or a
        `TimedCode`; the results are those of `Times`."""
        timed = [TimedCode(**each) if "path" in each else Timed(**each) for each in models]
        try:
            return [vars(times) for times in measure(timed, repeat, threads)]
        except Refusal as e:
            raise Refused(str(e)) from None


if __name__ == "__main__":
    Stopwatch().serve()
