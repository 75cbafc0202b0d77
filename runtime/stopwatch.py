"""The process that measures times of models and layers in the ncnn runtime, and of compiled models:
`python -m ncnn_opt.runtime.stopwatch`, see `latency.py`. It has nothing else in memory. Models of
both kinds take turns in it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from numpy.typing import NDArray

from ..paired_times.clock import clock_for, timed
from ..paired_times.clock import measure as measure_in_turn
from .host import Host
from .timed_net import TimedNet

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


def code_run(model: TimedCode, threads: int) -> Callable[[], float]:
    """Return a run of a compiled model, which returns the time in milliseconds."""
    from ..native.artifact import load
    from ..native.loaded_program import set_threads
    from ..native.program import Program

    compiled = load(model.path)
    on_cpu = compiled.target == "cpu"
    if on_cpu and threads > 1:
        set_threads(threads)
    # One thread is the calling thread.
    program = Program(compiled, "local-sync" if on_cpu and threads == 1 else None)
    return timed(partial(program, model.inputs), clock_for(threads if on_cpu else None))


class Stopwatch(Host):
    """The requests of a host, and the measurement."""

    def measure(
        self, models: Sequence[Mapping[str, Any]], repeat: int, threads: int
    ) -> Sequence[Times]:
        """Run the models in turn, `repeat` times each. They are given by the fields of a `Timed` or
        a `TimedCode`."""
        runs = list[Callable[[], float]]()
        times = [Times() for _ in models]
        layers = list[tuple[Times, Sequence[str], Callable[[], Sequence[float | None]]]]()
        for fields, found in zip(models, times, strict=True):
            if "path" in fields:
                runs.append(code_run(TimedCode(**fields), threads))
                continue
            model = Timed(**fields)
            net = TimedNet(self.ncnn, model.param, model.weights, threads)
            net.outputs = model.outputs
            runs.append(partial(net.time, model.inputs))
            if model.layers:
                blobs, labels = zip(*model.layers, strict=True)
                layers.append((found, labels, partial(net.time_layers, model.inputs, blobs)))
        for results in measure_in_turn(runs, repeat):
            for found, ms in zip(times, results, strict=True):
                found.runs.append(ms)
        by_layer = [run for _, _, run in layers]
        for results in measure_in_turn(by_layer, min(repeat, MOST_BY_LAYER) if layers else 0):
            for (found, labels, _), each in zip(layers, results, strict=True):
                for label, ms in zip(labels, each, strict=True):
                    if ms is not None:
                        found.layers.setdefault(label, []).append(ms)
        return times


if __name__ == "__main__":
    Stopwatch().serve()
