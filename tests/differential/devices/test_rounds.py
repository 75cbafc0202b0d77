"""Rounds of a measurement, with a device that is scripted."""

from collections.abc import Callable, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, cast

import pytest
from ncnn_opt.paired_times.ratio import LEAST
from ncnn_opt.runtime.devices.address import DeviceError, parse_address
from ncnn_opt.runtime.devices.measurements import (
    MORE_ROUNDS,
    ROUNDS,
    DeviceMeasurement,
    DeviceModel,
    MeasuringOptions,
    RunBlock,
    measure,
    ratio_of_rounds,
    without_throttled,
)
from ncnn_opt.runtime.devices.session import Session

USUAL, SLOW = 2000.0, 500.0
MODELS = [DeviceModel(name, Path(f"{name}.param"), Path(f"{name}.bin")) for name in ("a", "b")]


class Scripted:
    """A session whose rounds have the frequencies of a function of their number, the same before
    and after each block unless it falls."""

    address = parse_address("local")
    ncnn = "1.0"
    seconds = 0

    def __init__(
        self, frequency: Callable[[int], float], falls: Callable[[int], bool] = lambda _: False
    ) -> None:
        self.frequency = frequency
        self.falls = falls
        self.loaded: list[int] = []
        self.rounds = 0

    def feed(self, inputs: Mapping[str, Any]) -> None: ...

    def run(self, slot: int) -> dict[str, Any]:
        return {}

    def load(self, slot: int, param: Path, weights: Path) -> None:
        assert param == MODELS[slot].param
        assert weights == MODELS[slot].weights
        self.loaded.append(slot)

    def call(self, method: str, *arguments: Any) -> Any:
        assert self.seconds == MeasuringOptions().limit
        if method != "time":
            return [0]
        blocks, _, slots = arguments
        assert slots == [str(slot) for slot in range(len(slots))]
        mhz = self.frequency(self.rounds)
        falls = self.falls(self.rounds)
        self.rounds += 1
        block = {
            "ms": [[2.0 - slot, 2.0 - slot] for slot in range(len(slots))],
            "mhz": [mhz, SLOW if falls else mhz],
        }
        return [block] * blocks


def measured(session: Scripted, models: int = 2, pairs: int = 48) -> DeviceMeasurement:
    return measure(cast(Session, session), MODELS[:models], {}, MeasuringOptions(pairs=pairs))


def test_a_steady_device_takes_the_rounds_once() -> None:
    session = Scripted(lambda _: USUAL)
    found = measured(session)
    assert session.rounds == ROUNDS
    assert found.runs == 48
    assert found.ratio is not None
    assert found.ratio.value == pytest.approx(2)
    assert found.rejected == 0
    # First to run each once; then each round loads both in another order.
    orders = [[0, 1], [0, 1], *([[1, 0], [0, 1]] * ROUNDS)][: ROUNDS + 1]
    assert session.loaded == [*chain(*orders)]


@pytest.mark.parametrize("throttled", [1, 3])
def test_rounds_in_place_of_throttled_ones(throttled: int) -> None:
    session = Scripted(lambda i: SLOW if i < throttled else USUAL)
    found = measured(session)
    assert session.rounds == ROUNDS + throttled
    assert found.runs == 48
    assert found.rejected == throttled * 3


def test_further_rounds_are_limited() -> None:
    """The frequency falls in each block."""
    session = Scripted(lambda _: USUAL, falls=lambda _: True)
    with pytest.raises(DeviceError, match="cool the device"):
        measured(session)
    assert session.rounds == ROUNDS + MORE_ROUNDS


@pytest.mark.parametrize("steady", [LEAST, LEAST - 1])
def test_an_interval_needs_some_rounds(steady: int) -> None:
    """The frequency falls in each round but the first ones."""
    session = Scripted(lambda _: USUAL, falls=lambda i: i >= steady)
    if steady == LEAST:
        found = measured(session)
        assert found.ratio is not None
        assert found.runs == 6 * LEAST
    else:
        with pytest.raises(DeviceError, match="cool the device"):
            measured(session)
    assert session.rounds == ROUNDS + MORE_ROUNDS
    assert measured(Scripted(lambda _: USUAL, falls=lambda i: i >= 1), 1).runs == 6


def test_a_drift_cancels_in_a_block() -> None:
    # The clock doubles during each block: A B B A.
    a, b, c, d = (2 ** (i / 3) for i in range(4))
    assert RunBlock([[a, d], [b, c]]).ratio == pytest.approx(1)
    assert RunBlock([[a, b], [c, d]]).ratio < 0.7
    assert RunBlock([[0.0, 0.0], [0.0, 0.0]]).ratio == 1


def test_throttled_blocks_do_not_count() -> None:
    at = [[RunBlock([[1.0, 1.0], [2.0, 2.0]], (2000.0, 1950.0))] * 3 for _ in range(7)]
    slow = [RunBlock([[9.0, 9.0], [1.0, 1.0]], mhz) for mhz in ((2000.0, 1500.0), (1500.0, 2000.0))]
    mixed = [[*blocks, *slow[: i % 3]] for i, blocks in enumerate(at)]
    assert without_throttled([*mixed, [slow[1]]]) == at
    unknown = [[RunBlock([[1.0], [2.0]])]]
    assert without_throttled(unknown) == unknown
    assert ratio_of_rounds(at).value == pytest.approx(0.5)


def test_one_model_has_no_ratio() -> None:
    session = Scripted(lambda _: 0.0)
    found = measured(session, 1, pairs=1)
    assert found.ratio is None
    assert found.runs == 2 * ROUNDS
    assert found.mhz == 0
