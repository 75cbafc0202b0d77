"""What fuzzing has found stays mended, and a few fresh inputs are tried each time."""

from pathlib import Path
from random import Random

import pytest

from .limits import Finding, judge
from .mutations import Mutator
from .readers import BRANCHES, READERS
from .seeds import seeds

REGRESSIONS = sorted(p for p in (Path(__file__).parent / "regressions").glob("*/*"))
FRESH = 150
"""Inputs a reader that are made in each run of the tests."""


@pytest.mark.parametrize("path", REGRESSIONS, ids=lambda p: f"{p.parent.name}:{p.name}")
def test_input_that_was_found(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = path.read_bytes()
    for branch in ((), *BRANCHES):
        monkeypatch.setattr(f"{__package__}.readers.branch_of", dict.fromkeys([data], branch).get)
        result = judge(path.parent.name, data)
        assert not isinstance(result, Finding), result.details


def test_what_each_input_once_did_is_told() -> None:
    told = (REGRESSIONS[0].parents[1] / "README.md").read_text()
    for path in REGRESSIONS:
        assert f"| {path.parent.name} | {path.name} |" in told


@pytest.mark.drawn(2)
@pytest.mark.parametrize("reader", READERS)
def test_most_seeds_are_accepted(reader: str) -> None:
    some = seeds(reader)[::40]
    results = [judge(reader, seed) for seed in some]
    assert not [r for r in results if isinstance(r, Finding)]
    assert sum(r is True for r in results) > len(some) // 2


@pytest.mark.drawn(3)
@pytest.mark.parametrize("reader", READERS)
def test_fresh_inputs(reader: str) -> None:
    mutator = Mutator(reader, seeds(reader), Random(FRESH))
    accepted = 0
    for _ in range(FRESH):
        data = mutator.mutate(mutator.random.choice(mutator.corpus))
        result = judge(reader, data)
        assert not isinstance(result, Finding), (data, result.details)
        accepted += result
    assert 0 < accepted < FRESH


def test_what_is_wrong_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def take_memory(data: bytes) -> None:
        bytearray(100 << 20)

    def take_time(data: bytes) -> None:
        while True:
            pass

    def fail(data: bytes) -> None:
        raise KeyError(data)

    monkeypatch.setattr(f"{__package__}.limits.SECONDS", 0.1)
    for reader, what in ((take_memory, "MemoryError"), (take_time, "TooSlow"), (fail, "KeyError")):
        monkeypatch.setitem(READERS, "bad", reader)
        result = judge("bad", b"input")
        assert isinstance(result, Finding)
        assert result.what.startswith(what)
