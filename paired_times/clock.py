"""The clock: functions take turns, so that other load on the machine affects all of them.

All measurements of models use it: of the ncnn runtime here and on devices, of native code, and of
the benchmarks. They differ in two respects only.

- A short run is repeated until it takes `TURN` where only the mean counts (forms of convolutions,
  benchmarks). `ncnn-run` and devices report single runs.
- Where models are loaded several times (devices, benchmarks), the rounds between two loadings form
  a group: the addresses of a model's memory change its speed. `ratio.py` takes groups.

Two measurements have no turns. A command ends with its process (`benchmarks/measuring.py`), and a
decoder's calls depend on the calls before them (`runtime/host.py`).

The runner on a device contains this file, so it needs Python 3.7 and its standard library only. The
runner in C++, `runtime/runner/runner.cpp`, measures in the same order, slow models as others.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import count, islice
from typing import TypeVar

T = TypeVar("T")

WARM_UP = 2
"""The number of calls of each run before a measurement."""
TURN = 2.0
"""The least time of a repeated run, in milliseconds."""
SLOW = 0.3
"""A call of this many seconds or more needs no call before it: the data that another run left in
the caches are a negligible part."""
FINE = 1e-6
"""The coarsest accepted resolution of a clock, in seconds."""


def clock_for(threads: int | None) -> Callable[[], float]:
    """Return the clock for functions that compute on `threads` threads; it returns seconds. One
    thread is the calling thread. Its processor time excludes other processes, and other threads of
    this one. For several threads or an unknown number of them, and where the system measures
    processor time in coarse steps, the clock is wall time."""
    is_fine = time.get_clock_info("thread_time").resolution <= FINE
    return time.thread_time if threads == 1 and is_fine else time.perf_counter


def timed(function: Callable[[], object], clock: Callable[[], float]) -> Callable[[], float]:
    """Return a run: it calls a function, and returns the time in milliseconds."""

    def run() -> float:
        start = clock()
        function()
        return 1000 * (clock() - start)

    return run


def repeated(function: Callable[[], object], clock: Callable[[], float]) -> Callable[[], float]:
    """Return a run that takes at least `TURN`: it calls a function repeatedly, and returns the mean
    time of a call in milliseconds. Two calls determine how often: the first one is slow, because
    it loads code and data."""
    function()
    times = max(1, round(TURN / max(timed(function, clock)(), 1e-4)))

    def calls() -> None:
        for _ in range(times):
            function()

    run = timed(calls, clock)
    return lambda: run() / times


def warm_up(runs: Sequence[Callable[[], object]]) -> None:
    """Call each run `WARM_UP` times, slow ones once."""
    is_slow: dict[int, bool] = {}
    for _ in range(WARM_UP):
        for index, run in enumerate(runs):
            if not is_slow.get(index):
                begin = time.perf_counter()
                run()
                is_slow[index] = time.perf_counter() - begin >= SLOW


def turns(runs: Sequence[Callable[[], T]], first: int = 0) -> Iterator[list[T]]:
    """Yield the results of runs, in the order of `runs`, one round after the other; `first` is the
    number of the first round. Each run has one turn in a round: A B, B A, B A, A B, and so on. A
    steady drift of the processor's speed cancels in rounds 0 and 1, in rounds 2 and 3, and so on. A
    call that does not count precedes each change of the run, because the caches contain the data
    of the other one, unless the run was slow in its last turn."""
    last = None
    is_slow: dict[int, bool] = {}
    for number in count(first):
        order = list(range(len(runs)))
        found: dict[int, T] = {}
        for index in order[::-1] if (number + 1) & 2 else order:
            if index != last and not is_slow.get(index):
                runs[index]()
            last, begin = index, time.perf_counter()
            found[index] = runs[index]()
            is_slow[index] = time.perf_counter() - begin >= SLOW
        yield [found[index] for index in order]


def measure(
    runs: Sequence[Callable[[], T]], rounds: int, seconds: float = float("inf"), least: int = 1
) -> list[list[T]]:
    """Warm up, and return the results of the runs in each round, in the order of `runs`. After
    `seconds`, no round begins, except for the first `least` rounds. Python collects no garbage
    meanwhile."""
    was_enabled = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        warm_up(runs)
        end = time.perf_counter() + seconds
        found: list[list[T]] = []
        for results in islice(turns(runs), rounds):
            found.append(results)
            if len(found) >= least and time.perf_counter() > end:
                break
        return found
    finally:
        if was_enabled:
            gc.enable()
