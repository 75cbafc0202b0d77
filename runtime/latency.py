"""Latencies of one model or two, from a process that does nothing else (`stopwatch.py`)."""

import pickle
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from statistics import median

import numpy as np

from ..formats.columns import columns_of, left_aligned, printable
from ..interpreters.errors import RunError
from . import stopwatch
from .engines import check_runtime
from .stopwatch import Timed, Times

SECONDS = 3600
"""How long all runs may take."""

MOST_LAYERS = 10
"""So many layers are named."""

RESAMPLINGS = 2000
"""Of the interval that a ratio is in."""


@dataclass(frozen=True)
class Latency:
    """What a measurement gave, of one model or two."""

    names: Sequence[str]
    times: Sequence[Times]

    def median(self, index: int = 0) -> float:
        """The milliseconds of a run."""
        return median(self.times[index].runs)

    @property
    def ratio(self) -> float:
        """How many times as long the first model takes: the median over pairs of runs."""
        return median(self._ratios())

    def interval(self) -> tuple[float, float]:
        """What that ratio is between, by 95 of 100 resamplings of the pairs."""
        return interval_of(self._ratios())

    def slowest(self, index: int = 0) -> Mapping[str, tuple[float, float]]:
        """The layers that take the most time, in milliseconds and as a share of all layers."""
        each = {label: median(times) for label, times in self.times[index].layers.items()}
        total = sum(each.values()) or 1.0
        first = sorted(each, key=lambda label: each[label], reverse=True)[:MOST_LAYERS]
        return {label: (each[label], each[label] / total) for label in first}

    def _ratios(self) -> list[float]:
        return [a / b for a, b in zip(self.times[0].runs, self.times[1].runs, strict=True)]

    def comparison(self) -> str:
        """How two models compare, in words."""
        first, second = map(printable, self.names)
        low, high = self.interval()
        return (
            f"{first} takes {self.ratio:.2f} times as long as {second} "
            f"(95 %: {low:.2f} to {high:.2f}, {len(self.times[0].runs)} pairs of runs)"
        )

    def lines(self) -> list[str]:
        """The measurement in words."""
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
        for index, name in enumerate(names):
            if slowest := self.slowest(index):
                lines += ["", f"the slowest layers of {name}, each asked for by itself:"]
                lines += [
                    f"{ms:9.3f} ms  {100 * share:4.1f} %  {printable(label)}"
                    for label, (ms, share) in slowest.items()
                ]
        return lines


def interval_of(ratios: Sequence[float]) -> tuple[float, float]:
    """What the median of ratios is between, by 95 of 100 resamplings."""
    values = np.array(ratios)
    picks = np.random.default_rng(0).integers(0, len(values), (RESAMPLINGS, len(values)))
    low, high = np.quantile(np.median(values[picks], axis=1), [0.025, 0.975])
    return float(low), float(high)


def measure(
    names: Sequence[str], models: Sequence[Timed], repeat: int, threads: int = 1
) -> Latency:
    """Measures models in turn, so many runs each, with the runtime's default options. Raises
    `RunError` where one does not run."""
    check_runtime()
    request = [astuple(model) for model in models], repeat, threads
    try:
        done = subprocess.run(
            [sys.executable, stopwatch.__file__],
            input=pickle.dumps(request),
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as e:
        raise RunError(f"the runtime took more than {SECONDS} s") from e
    if done.returncode:
        raise RunError(f"the runtime ended with status {done.returncode}")
    answer = pickle.loads(done.stdout)
    if isinstance(answer, str):
        said = done.stderr.decode(errors="replace").strip().splitlines()
        words = f" ({said[-1]})" if said else ""
        raise RunError(f"the ncnn runtime does not run the model: {answer}{words}")
    return Latency(list(names), [Times(runs, layers) for runs, layers in answer])
