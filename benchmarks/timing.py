"""How long models take in the ncnn runtime, against each other.

What is measured is a ratio, in pairs: in each round every model has a turn, in an order drawn anew.
A process gives the median ratio of its rounds. As it also matters where in memory a process has
put the weights, several processes are asked, and the ratio is the median of what they say. Between
the least and the greatest of them lies the median of all that might be asked, but for one time in
`2 ** (PROCESSES - 1)`: with 8 that is an interval of 99 %, whatever the distribution.

Within `instead_of_time` it is instructions on an emulated processor, of which each counts as a
nanosecond: where it says milliseconds, it is millions of them.
"""

import json
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

from .emulated import Arm, Count, DoesNotCount

PROCESSES = 8

SECONDS = 1.0
"""That one of them measures for, about; slow models take longer."""

ALLOWED = 0.03
"""By so much counts may rise."""

LIMIT = 600
"""Seconds after which a process counts as hanging."""


@dataclass(frozen=True)
class Ratio:
    """A ratio of times."""

    middle: float
    low: float
    high: float

    def is_above(self) -> bool:
        """Whether it is above 1 beyond the noise; of counts, which are but a proxy, beyond 3 %."""
        return self.low > (1 + ALLOWED if self.low == self.high else 1)

    def __str__(self) -> str:
        if self.low == self.high:
            return f"{self.middle:.3f}"
        return f"{self.middle:.3f} ({self.low:.3f}–{self.high:.3f})"


class DoesNotRun(Exception):
    """The runtime refuses a model, or crashes."""

    def __init__(self, index: int | None, reason: str) -> None:
        super().__init__(reason)
        self.index = index
        """Which model; `None` if that is not known."""


@dataclass(frozen=True)
class Timing:
    """The times of models, in seconds: for each process a row a round and a column a model."""

    processes: Sequence[np.ndarray]
    counts: Sequence[Count] = ()
    """Of the models, where instructions were counted."""

    def milliseconds(self, model: int) -> float:
        """The median time of a model."""
        return 1000 * median(float(np.median(times[:, model])) for times in self.processes)

    def ratio(self, a: int, b: int) -> Ratio:
        """The time of one model to that of another."""
        said = [float(np.median(times[:, a] / times[:, b])) for times in self.processes]
        return Ratio(median(said), min(said), max(said))


def compare(
    models: Sequence[Path],
    inputs: Mapping[str, Any],
    folder: Path,
    seconds: float = SECONDS,
    first: int = 0,
) -> Timing:
    """Times models, whose weights are beside them, on the same inputs. Another `first` is another
    draw of orders. Raises `DoesNotRun`."""
    arm = _ARM.get()
    if arm is not None:
        return _counted(arm, models, inputs, folder)
    file = folder / "inputs.npz"
    np.savez(file, *inputs.values())
    request = {
        "models": [str(model) for model in models],
        "inputs": list(inputs),
        "values": str(file),
        "seconds": seconds,
    }
    return Timing(
        [ask("stopwatch.py", {**request, "seed": seed}) for seed in range(first, first + PROCESSES)]
    )


_ARM: ContextVar[Arm | None] = ContextVar("arm", default=None)


@contextmanager
def instead_of_time(arm: Arm) -> Generator[None]:
    """Counts instructions in the block."""
    token = _ARM.set(arm)
    try:
        yield
    finally:
        _ARM.reset(token)


def counts() -> bool:
    """Whether instructions are counted."""
    return _ARM.get() is not None


def unit() -> str:
    """What is in the column of times."""
    return "million instructions" if counts() else "ms"


def title(what: str) -> str:
    """The title of a table of ratios, of which `what` tells more."""
    if counts():
        return f"Instructions on arm{what}"
    return f"Time{what}: median (least–greatest) of {PROCESSES} processes"


def _counted(arm: Arm, models: Sequence[Path], inputs: Mapping[str, Any], folder: Path) -> Timing:
    known: dict[Path, Count] = {}
    for index, model in enumerate(models):
        try:
            known[model] = known.get(model) or arm.count(model, inputs, folder)
        except DoesNotCount as e:
            raise DoesNotRun(index, str(e)) from e
    counts = [known[model] for model in models]
    return Timing([np.array([[count.instructions * 1e-9 for count in counts]])], counts)


def ask(program: str, request: Mapping[str, Any]) -> np.ndarray:
    """The times that a program of this folder gives for a request, in a process of its own. Raises
    `DoesNotRun`."""
    try:
        done = subprocess.run(
            [sys.executable, Path(__file__).with_name(program)],
            input=json.dumps(request),
            capture_output=True,
            text=True,
            timeout=LIMIT,
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
