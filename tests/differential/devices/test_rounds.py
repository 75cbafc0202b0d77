"""Rounds of a measurement, with a device that is scripted."""

from collections.abc import Callable, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, cast

import pytest
from ncnn_opt.runtime.devices.address import DeviceError, parse_address
from ncnn_opt.runtime.devices.measuring import (
    MORE_ROUNDS,
    ROUNDS,
    DeviceModel,
    Measured,
    Plan,
    measure,
)
from ncnn_opt.runtime.devices.session import Session

USUAL, SLOW = 2000.0, 500.0
MODELS = [DeviceModel(name, Path(f"{name}.param"), Path(f"{name}.bin")) for name in ("a", "b")]


class Scripted:
    """A session whose rounds have the frequencies of a function of their number, the same before
    and after each block unless `falls`."""

    address = parse_address("local")
    ncnn = "1.0"

    def __init__(self, frequency: Callable[[int], float], falls: bool = False) -> None:
        self.frequency = frequency
        self.falls = falls
        self.loaded: list[int] = []
        self.rounds = 0

    def set_limit(self, limit: int) -> None: ...

    def feed(self, inputs: Mapping[str, Any]) -> None: ...

    def run(self, slot: int) -> dict[str, Any]:
        return {}

    def load(self, slot: int, param: Path, weights: Path) -> None:
        assert param == MODELS[slot].param
        assert weights == MODELS[slot].weights
        self.loaded.append(slot)

    def ask(self, command: str, *arguments: Any) -> Any:
        if command != "time":
            return {"cpus": [0]}
        blocks, *slots = arguments
        assert slots == [*range(len(slots))]
        mhz = self.frequency(self.rounds)
        self.rounds += 1
        block = {
            "ms": [[2.0 - slot, 2.0 - slot] for slot in slots],
            "mhz": [mhz, SLOW if self.falls else mhz],
        }
        return {"blocks": [block] * blocks}


def measured(session: Scripted, models: int = 2, pairs: int = 48) -> Measured:
    return measure(cast(Session, session), MODELS[:models], {}, Plan(pairs=pairs))


def test_a_steady_device_takes_the_rounds_once() -> None:
    session = Scripted(lambda _: USUAL)
    found = measured(session)
    assert session.rounds == ROUNDS
    assert found.runs == 48
    assert found.ratio is not None
    assert found.ratio.value == pytest.approx(2)
    assert found.ratio.rejected == 0
    # First to run each once; then each round loads both in another order.
    orders = [[0, 1], [0, 1], *([[1, 0], [0, 1]] * ROUNDS)][: ROUNDS + 1]
    assert session.loaded == [*chain(*orders)]


@pytest.mark.parametrize("throttled", [1, 3])
def test_rounds_in_place_of_throttled_ones(throttled: int) -> None:
    session = Scripted(lambda i: SLOW if i < throttled else USUAL)
    found = measured(session)
    assert session.rounds == ROUNDS + throttled
    assert found.runs == 48
    assert found.ratio is not None
    assert found.ratio.rejected == throttled * 3


def test_further_rounds_are_limited() -> None:
    """The frequency falls in each block."""
    session = Scripted(lambda _: USUAL, falls=True)
    with pytest.raises(DeviceError, match="cool the device"):
        measured(session)
    assert session.rounds == ROUNDS + MORE_ROUNDS


def test_one_model_has_no_ratio() -> None:
    session = Scripted(lambda _: 0.0)
    found = measured(session, 1, pairs=1)
    assert found.ratio is None
    assert found.runs == 2 * ROUNDS
    assert found.mhz == 0
