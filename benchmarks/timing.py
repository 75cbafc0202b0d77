"""Comparison of the times of models: in the ncnn runtime, or of compiled models.

Models take turns in a process (`stopwatch.py`). The placement of weights in memory affects their
time, so several processes run. The rounds of a process share this placement: their ratios are a
group (`ncnn_opt/paired_times/ratio.py`).

In a block of `instead_of_time`, the measurement is the number of instructions on an emulated
processor. Each counts as a nanosecond: a figure in milliseconds is millions of instructions.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from ncnn_opt.paired_times.ratio import Ratio, cut_off, ratio_of_groups

from .emulated import Arm, Count, DoesNotCount

PROCESSES = 8

SECONDS = 1.0
"""The approximate measuring time of a process; slow models take longer."""

ALLOWED = 0.03
"""The largest accepted increase of counts."""

LIMIT = 600
"""The time limit of a process in seconds."""


class DoesNotRun(Exception):
    """The runtime refuses a model, or crashes."""

    def __init__(self, index: int | None, reason: str) -> None:
        super().__init__(reason)
        self.index = index
        """The index of the model; `None` if it is unknown."""


@dataclass(frozen=True)
class Timing:
    """The times of models in milliseconds: for each process a row per round with a column per
    model."""

    processes: Sequence[np.ndarray]
    counts: Sequence[Count] = ()
    """The counts for the models, if instructions were counted."""

    def milliseconds(self, model: int) -> float:
        """Return the median time of a model."""
        return median(float(np.median(times[:, model])) for times in self.processes)

    def ratio(self, a: int, b: int) -> Ratio:
        """Return the time of one model relative to another."""
        return ratio_of_groups([(times[:, a] / times[:, b]).tolist() for times in self.processes])


def is_above(ratio: Ratio) -> bool:
    """Whether a ratio is above 1 beyond the noise; for counts, which are a proxy, above 1.03."""
    return ratio.low > 1 + ALLOWED if counts() else ratio.is_slower


def cell_of(ratio: Ratio) -> str:
    """Return a ratio as a cell of a table."""
    if counts():
        return f"{ratio.value:.3f}"
    return f"{ratio.value:.3f} ({ratio.low:.3f}–{ratio.high:.3f})"


def compare(
    models: Sequence[Path],
    inputs: Mapping[str, Any],
    folder: Path,
    seconds: float = SECONDS,
    first: int = 0,
    prefill: Mapping[str, Any] | None = None,
    half: bool = True,
    copied: bool = False,
) -> Timing:
    """Time models, or count their instructions. The arguments are those of `time_models`. Raise
    `DoesNotRun`."""
    arm = _ARM.get()
    if arm is not None:
        return _counted(arm, models, inputs, folder)
    seeds = range(first, first + PROCESSES)
    return time_models(models, inputs, folder, seconds, seeds, prefill, half, copied=copied)


def time_models(
    models: Sequence[Path],
    inputs: Mapping[str, Any],
    folder: Path,
    seconds: float,
    seeds: Sequence[int],
    prefill: Mapping[str, Any] | None = None,
    half: bool = True,
    packages: Path | None = None,
    copied: bool = False,
) -> Timing:
    """Time models, whose weights are in the files beside them, on the same inputs, in a process for
    each seed of an order of loading. `prefill` are the inputs of a decoder's first call, which
    makes the caches of the measured ones; `copied` says that each call gets and makes copies of
    them, as with Python's `extract`, instead of caches that grow in place. Without `half`, all
    floats have 32 bits. A process imports the packages of a folder before the installed ones.
    Raise `DoesNotRun`."""
    file = folder / "inputs.npz"
    np.savez(file, *inputs.values())
    request = {
        "models": [str(model) for model in models],
        "inputs": list(inputs),
        "values": str(file),
        "seconds": seconds,
        "half": half,
        "copied": copied,
    }
    if prefill is not None:
        request["prefill"] = str(folder / "prefill.npz")
        np.savez(folder / "prefill.npz", *(prefill[name] for name in inputs))
    return Timing([_ask({**request, "seed": seed}, packages) for seed in seeds])


_ARM: ContextVar[Arm | None] = ContextVar("arm", default=None)


@contextmanager
def instead_of_time(arm: Arm) -> Generator[None]:
    """Count instructions in the `with` block."""
    token = _ARM.set(arm)
    try:
        yield
    finally:
        _ARM.reset(token)


def counts() -> bool:
    """Whether instructions are counted."""
    return _ARM.get() is not None


def unit() -> str:
    """Return the unit of the column of times."""
    return "million instructions" if counts() else "ms"


def title(what: str) -> str:
    """Return the title of a table of ratios; `what` is a part of it."""
    if counts():
        return f"Instructions on arm{what}"
    return f"Time{what}: {interval_title(PROCESSES)}"


def interval_title(processes: int) -> str:
    """Return the part of a title that explains a ratio and its interval."""
    _, confidence = cut_off(processes)
    return f"ratio ({int(100 * confidence)} % interval) of {processes} processes"


def _counted(arm: Arm, models: Sequence[Path], inputs: Mapping[str, Any], folder: Path) -> Timing:
    known: dict[Path, Count] = {}
    for index, model in enumerate(models):
        try:
            known[model] = known.get(model) or arm.count(model, inputs, folder)
        except DoesNotCount as e:
            raise DoesNotRun(index, str(e)) from e
    counts = [known[model] for model in models]
    return Timing([np.array([[count.instructions * 1e-6 for count in counts]])], counts)


def _ask(request: Mapping[str, Any], packages: Path | None) -> np.ndarray:
    """Return the times that `stopwatch.py` measures in a process of its own."""
    paths = [str(packages or ""), os.environ.get("PYTHONPATH", "")]
    try:
        done = subprocess.run(
            [sys.executable, Path(__file__).with_name("stopwatch.py")],
            input=json.dumps(request),
            capture_output=True,
            text=True,
            timeout=LIMIT,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
        )
    except subprocess.TimeoutExpired as e:
        raise DoesNotRun(None, f"takes more than {LIMIT} s") from e
    if done.returncode:
        by_signal = done.returncode < 0
        how = signal.Signals(-done.returncode).name if by_signal else done.stderr.strip()[-200:]
        raise DoesNotRun(None, f"crashes ({how})")
    answer = json.loads(done.stdout)
    if "failed" in answer:
        raise DoesNotRun(answer["failed"], answer["reason"])
    return np.array(answer["times"])
