"""Measurements of one or two models on a device.

A measurement consists of rounds. Each loads both models again, in alternating order, because the
addresses of their memory change their speed. So the times of a round share noise, and the ratio of
the models is that of independent rounds (`paired_times/ratio.py`). A round consists of blocks
A B B A or B A A B, whose ratio is the geometric mean of its two pairs: a steady drift of the
processor's speed cancels. Blocks at a low frequency do not count.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TypeVar

import numpy as np

from ...paired_times.ratio import LEAST, TINY, Ratio, ratio_of_groups
from .address import Address, ConnectionLost, DeviceError
from .session import SAMPLE, WAITING, Array, Say, Session, silent

ROUNDS = 8
"""The number of times that the models are loaded again."""
MORE_ROUNDS = 8
"""The largest number of further rounds in place of throttled ones."""
THROTTLED = 0.9
"""A block below this fraction of the usual frequency does not count."""
PAIRS = 48
"""The default number of pairs of runs."""
LAYER_RUNS = 5
"""The default number of runs that time layers."""

T = TypeVar("T")


@dataclass(frozen=True)
class DeviceModel:
    """A model to measure."""

    name: str
    param: Path
    weights: Path
    layers: Sequence[tuple[str, str]] = ()
    """The first blob and the label of each layer to time, in file order."""


@dataclass
class DeviceMeasurement:
    """The measurement of one or two models on a device."""

    address: Address
    ncnn: str
    names: Sequence[str]
    times: Sequence[Sequence[float]]
    """The times of the runs of each model that count, in milliseconds."""
    ratio: Ratio | None = None
    """The time of the first model divided by the time of the second."""
    cpus: Sequence[int] = ()
    """The processors that the run was restricted to; empty: all."""
    mhz: float = 0.0
    """The usual frequency, 0 if it is unknown."""
    rejected: int = 0
    """The number of blocks that do not count, because the processor was throttled."""
    outputs: Sequence[Mapping[str, Array]] = ()
    """The outputs of each model."""
    layers: Sequence[Mapping[str, Sequence[float]]] = ()
    """The times of the layers of each model in milliseconds."""

    @property
    def medians(self) -> Sequence[float]:
        """The median time of a run of each model in milliseconds."""
        return [median(times) for times in self.times]

    @property
    def runs(self) -> int:
        """The number of runs of each model that count."""
        return len(self.times[0])

    def conditions(self) -> str:
        """Return the conditions of the measurement as text."""
        parts = [f"ncnn {self.ncnn}", f"{self.runs} runs of each model"]
        if self.cpus:
            parts.append(f"processors {', '.join(map(str, self.cpus))}")
        parts.append(f"{self.mhz:.0f} MHz" if self.mhz else "frequency unknown")
        if self.ratio is not None and self.rejected:
            parts.append(f"{self.rejected} blocks rejected (throttled)")
        return ", ".join(parts)


@dataclass(frozen=True)
class RunBlock:
    """A block of runs."""

    ms: Sequence[Sequence[float]]
    """The times of each model in milliseconds."""
    mhz: Sequence[float] = (0.0, 0.0)
    """The frequency before and after, 0 if it is unknown."""

    @property
    def ratio(self) -> float:
        """The time of the first model divided by the time of the second."""
        first, second = (float(np.log(np.maximum(times, TINY)).mean()) for times in self.ms)
        return float(np.exp(first - second))


Rounds = Sequence[Sequence[RunBlock]]


@dataclass(frozen=True)
class MeasuringOptions:
    """The options of a measurement."""

    pairs: int = PAIRS
    threads: int = 1
    by_layer: bool = False
    layer_runs: int = LAYER_RUNS
    limit: int = 600
    """The time limit of a request in seconds."""

    @property
    def blocks(self) -> int:
        """The number of blocks in a round. A block has two pairs."""
        return max(1, round(self.pairs / (2 * ROUNDS)))


def measure(
    session: Session,
    models: Sequence[DeviceModel],
    inputs: Mapping[str, Array],
    plan: MeasuringOptions = MeasuringOptions(),
) -> DeviceMeasurement:
    """Measure models alternately on a device, with the runtime's default options there. Raise
    `DeviceError`."""
    session.seconds = plan.limit
    session.call("threads", plan.threads)
    cpus = session.call("pin")
    session.feed(inputs)
    slots = range(len(models))

    def load(order: Sequence[int]) -> None:
        for slot in order:
            session.load(slot, models[slot].param, models[slot].weights)

    load(slots)
    outputs = [session.run(slot) for slot in slots]
    rounds: list[list[RunBlock]] = []
    kept: list[list[RunBlock]] = []
    while len(rounds) < ROUNDS or (len(kept) < ROUNDS and len(rounds) < ROUNDS + MORE_ROUNDS):
        load(slots[::-1] if len(rounds) % 2 else slots)
        found = session.call("time", plan.blocks, SAMPLE, [str(slot) for slot in slots])
        rounds.append([RunBlock(block["ms"], block["mhz"]) for block in found])
        kept = without_throttled(rounds)
    if len(kept) < (LEAST if len(models) == 2 else 1):
        raise throttled(session.address)
    blocks = [block for each in kept for block in each]
    return DeviceMeasurement(
        session.address,
        session.ncnn,
        [model.name for model in models],
        [[ms for block in blocks for ms in block.ms[slot]] for slot in slots],
        ratio_of_rounds(kept) if len(models) == 2 else None,
        cpus,
        usual_frequency(rounds),
        sum(map(len, rounds)) - len(blocks),
        outputs,
        _layers(session, models, plan.layer_runs) if plan.by_layer else [],
    )


def usual_frequency(rounds: Rounds) -> float:
    """Return the median frequency of all blocks in MHz, 0 if it is unknown."""
    known = [f for blocks in rounds for block in blocks for f in block.mhz if f > 0]
    return median(known) if known else 0.0


def without_throttled(rounds: Rounds) -> list[list[RunBlock]]:
    """Return the blocks at the usual frequency, in rounds that have some."""
    usual = usual_frequency(rounds)
    kept = [[b for b in blocks if min(b.mhz) >= THROTTLED * usual] for blocks in rounds]
    return [blocks for blocks in kept if blocks]


def ratio_of_rounds(rounds: Rounds) -> Ratio:
    """Return the time of the first model divided by the time of the second."""
    return ratio_of_groups([[block.ratio for block in blocks] for blocks in rounds])


def throttled(address: Address) -> DeviceError:
    """Return the error for a device whose frequency is never steady."""
    return DeviceError(
        f"{address}: the processor's frequency falls in most runs; cool the device, or set the "
        "governor `performance`"
    )


def _layers(
    session: Session, models: Sequence[DeviceModel], runs: int
) -> list[Mapping[str, Sequence[float]]]:
    """Return the times of the layers, in runs that keep all blobs. Such runs take longer."""
    found: list[dict[str, list[float]]] = [{} for _ in models]
    for _ in range(runs):
        for slot, model in enumerate(models):
            if not model.layers:
                continue
            blobs = [blob for blob, _ in model.layers]
            times = session.call("layers", str(slot), SAMPLE, blobs)
            for (_, label), ms in zip(model.layers, times, strict=True):
                if ms is not None and ms >= 0:
                    found[slot].setdefault(label, []).append(ms)
    return list(found)


def with_session(
    address: Address, work: Callable[[Session], T], say: Say = silent, waiting: float = WAITING
) -> T:
    """Do work in a session with a device. If the connection is lost, do it once more: measurements
    leave nothing behind. Raise `DeviceError`."""
    try:
        with Session.open(address, say, waiting) as session:
            return work(session)
    except ConnectionLost as e:
        say(f"{e}; trying again")
    with Session.open(address, say, waiting) as session:
        return work(session)
