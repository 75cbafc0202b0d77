"""Latencies of one or two models, measured in a separate process (`stopwatch.py`)."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from ..formats.columns import columns_of, left_aligned, printable
from ..formats.errors import prefixed
from ..interpreters.errors import RunError
from ..paired_times.ratio import Ratio, ratio_of_pairs
from .engines import check_runtime
from .process import Process
from .stopwatch import Timed, TimedCode, Times

SECONDS = 3600
"""The time limit for all runs in seconds."""

MOST_LAYERS = 10
"""The number of layers in the list of the slowest."""


@dataclass(frozen=True)
class Latency:
    """The measurement of one or two models."""

    names: Sequence[str]
    times: Sequence[Times]
    measured: Ratio | None = None
    """The ratio of two models whose runs are not independent pairs."""
    notes: Sequence[str] = ()
    """Lines about options of the runtime that the models were measured with."""

    def median(self, index: int = 0) -> float:
        """Return the median time of a run in milliseconds."""
        return median(self.times[index].runs)

    def layer_medians(self, index: int = 0) -> dict[str, float]:
        """Return the median times of layers in milliseconds, by label; none for native code."""
        return {label: median(ms) for label, ms in self.times[index].layers.items()}

    @property
    def ratio(self) -> Ratio:
        """The first model's time divided by the second's."""
        if self.measured is not None:
            return self.measured
        return ratio_of_pairs(*(times.runs for times in self.times))

    def comparison(self) -> str:
        """Return the comparison of two models as text."""
        first, second = map(printable, self.names)
        ratio, pairs = self.ratio, len(self.times[0].runs)
        uncertain = "" if ratio.is_faster or ratio.is_slower else ": no difference is shown"
        return (
            f"{first} takes {ratio.value:.2f} times as long as {second} "
            f"({ratio.percent}: {ratio.low:.2f} to {ratio.high:.2f}, {pairs} pairs of runs)"
            f"{uncertain}"
        )

    def lines(self) -> list[str]:
        """Return the measurement as lines of text."""
        names = [printable(name) for name in self.names]
        width = max(map(columns_of, names))
        lines = [f"{left_aligned('', width)}  median ms    least  9 of 10 below"]
        for name, times in zip(names, self.times, strict=True):
            runs = sorted(times.runs)
            most = runs[min(int(0.9 * len(runs)), len(runs) - 1)]
            lines.append(
                f"{left_aligned(name, width)}  {median(runs):9.3f}  {runs[0]:7.3f}  {most:13.3f}"
            )
        if len(names) == 2:
            lines.append(self.comparison())
        lines += self.notes
        for index, name in enumerate(names):
            lines += layer_lines(name, self.times[index].layers)
        return lines


def slowest_of(layers: Mapping[str, Sequence[float]]) -> Mapping[str, tuple[float, float]]:
    """Return the slowest layers with their time in milliseconds and their share of all layers."""
    each = {label: median(times) for label, times in layers.items()}
    total = sum(each.values()) or 1.0
    first = sorted(each, key=lambda label: each[label], reverse=True)[:MOST_LAYERS]
    return {label: (each[label], each[label] / total) for label in first}


def layer_lines(name: str, layers: Mapping[str, Sequence[float]]) -> list[str]:
    """Return the slowest layers of a model as lines of text, none without times."""
    slowest = slowest_of(layers)
    head = ["", f"the slowest layers of {name}, each asked for by itself:"] if slowest else []
    return head + [
        f"{ms:9.3f} ms  {100 * share:4.1f} %  {printable(label)}"
        for label, (ms, share) in slowest.items()
    ]


def measure(
    names: Sequence[str], models: Sequence[Timed | TimedCode], repeat: int, threads: int = 1
) -> Latency:
    """Measure models in turn, `repeat` runs each, with the runtime's default options. Raise
    `RunError` if a model does not run."""
    problem = "the compiled model does not run"
    if any(isinstance(model, Timed) for model in models):
        check_runtime()
        problem = "the ncnn runtime does not run the model"
    stopwatch = Process([sys.executable, "-P", "-m", "ncnn_opt.runtime.stopwatch"], SECONDS)
    with stopwatch, prefixed(RunError, problem):
        found = stopwatch.call("measure", [vars(model) for model in models], repeat, threads)
    return Latency(list(names), [Times(**times) for times in found])
