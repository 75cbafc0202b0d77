"""How long programs take, beside each other."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median, quantiles

from .program import Array, Program

Inputs = Mapping[str, Array]

Runs = Mapping[str, Callable[[], object]]
"""What is measured, by name."""

Times = dict[str, list[float]]
"""Seconds a run for each, those at the same place of the same round."""

Timer = Callable[[Runs], Times]
"""Runs things in turn."""

ROUNDS = 25
TURN = 0.004
"""Seconds that each has in a round at least: shorter runs are repeated."""

CLEARLY = 0.98
"""What takes no more than so much of the time of another, is faster."""


@dataclass(frozen=True)
class Stopwatch:
    """Measures runs in turn, so that what else the machine does meets all of them."""

    clock: Callable[[], float] = time.perf_counter
    seconds: float = 2.0
    """That each has in all; it has one round at least."""

    def __call__(self, runs: Runs) -> Times:
        """Times of runs after one that loads what there is to load."""
        counts: dict[str, int] = {}
        for name, run in runs.items():
            run()
            start = self.clock()
            run()
            counts[name] = max(1, round(TURN / max(self.clock() - start, 1e-7)))
        times: Times = {name: [] for name in runs}
        end = time.perf_counter() + self.seconds * len(runs)
        for done in range(ROUNDS):
            if done and time.perf_counter() > end:
                break
            for name, run in runs.items():
                start = self.clock()
                for _ in range(counts[name]):
                    run()
                times[name].append((self.clock() - start) / counts[name])
        return times


def _thread_clock() -> Callable[[], float]:
    fine = time.get_clock_info("thread_time").resolution <= 1e-6
    return time.thread_time if fine else time.perf_counter


ON_ONE_THREAD = Stopwatch(_thread_clock(), 0.3)
"""Of programs that compute on the thread that calls them: what others do there is not counted."""

DRIVER = "local-sync"
"""Of IREE, for such programs."""


def runs_of(programs: Mapping[str, Program], inputs: Inputs) -> Runs:
    """Runs of programs on the same inputs."""
    return {name: partial(program, inputs) for name, program in programs.items()}


def fastest_of(times: Mapping[str, Sequence[float]], surely: bool = True) -> str:
    """The name of what takes the least time; the first one, unless another is clearly faster, by
    the median of pairs. `surely`: and faster in three of four rounds."""
    first, *others = times
    best, least = first, CLEARLY
    for name in others:
        ratios = [a / b for a, b in zip(times[name], times[first], strict=True)]
        often = quantiles(ratios, n=4, method="inclusive")[2] if len(ratios) > 1 else ratios[0]
        if median(ratios) <= least and (often < 1 or not surely):
            best, least = name, median(ratios)
    return best
