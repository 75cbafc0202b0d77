"""Running times of programs, measured side by side."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median, quantiles

from .program import Array, Program

Inputs = Mapping[str, Array]

Runs = Mapping[str, Callable[[], object]]
"""The measured functions by name."""

Times = dict[str, list[float]]
"""Seconds per run by name. Equal positions belong to the same round."""

Timer = Callable[[Runs], Times]
"""Runs functions in turn and returns their times."""

ROUNDS = 25
TURN = 0.004
"""The minimum time of each function in a round, in seconds. Shorter runs are repeated."""

CLEAR_RATIO = 0.98
"""A program is faster if its time is at most this fraction of another's."""


@dataclass(frozen=True)
class Stopwatch:
    """Measures runs in turn, so that other load on the machine affects all of them."""

    clock: Callable[[], float] = time.perf_counter
    seconds: float = 2.0
    """The total time of each function. It has at least one round."""

    def __call__(self, runs: Runs) -> Times:
        """Return the times of runs, after one run that loads the program."""
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
"""For programs that compute on the calling thread: the time of other threads is not counted."""

DRIVER = "local-sync"
"""IREE's driver for such programs."""


def runs_of(programs: Mapping[str, Program], inputs: Inputs) -> Runs:
    """Return runs of programs on the same inputs."""
    return {name: partial(program, inputs) for name, program in programs.items()}


def fastest_of(times: Mapping[str, Sequence[float]], consistent: bool = True) -> str:
    """Return the name of the fastest function: the first, unless another is clearly faster by the
    median of pairs. With `consistent` it must also be faster in three of four rounds."""
    first, *others = times
    best, least = first, CLEAR_RATIO
    for name in others:
        ratios = [a / b for a, b in zip(times[name], times[first], strict=True)]
        often = quantiles(ratios, n=4, method="inclusive")[2] if len(ratios) > 1 else ratios[0]
        if median(ratios) <= least and (often < 1 or not consistent):
            best, least = name, median(ratios)
    return best
