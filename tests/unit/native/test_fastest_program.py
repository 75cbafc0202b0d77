"""Times of programs, and which of several programs is the fastest, by numbers that are given."""

import time
from collections.abc import Callable
from dataclasses import replace

import pytest
from ncnn_opt.native.form_tuning import ROUNDS, InTurn, fastest_of


@pytest.mark.parametrize(
    ("times", "best"),
    [
        ({"a": [2.0, 2.0, 2.0]}, "a"),
        ({"a": [2.0, 2.0, 2.0], "b": [1.0, 1.0, 1.0]}, "b"),
        ({"a": [2.0, 2.0, 2.0], "b": [1.5, 1.5, 1.5], "c": [1.0, 1.0, 1.0]}, "c"),
        # hardly faster than the first is not faster
        ({"a": [2.0, 2.0, 2.0], "b": [1.99, 1.99, 1.99]}, "a"),
        # each round by itself: both were slow in the second
        ({"a": [1.0, 9.0, 1.1, 1.2], "b": [0.9, 8.1, 0.99, 1.08]}, "b"),
        # the median is less, but half of the rounds say otherwise
        ({"a": [1.0] * 8, "b": [0.5] * 5 + [1.1] * 3}, "a"),
        ({"a": [1.0], "b": [0.5]}, "b"),
    ],
)
def test_the_first_unless_another_is_clearly_faster(
    times: dict[str, list[float]], best: str
) -> None:
    assert fastest_of(times) == best


def test_a_guess_needs_no_more_than_the_median() -> None:
    times = {"a": [1.0] * 8, "b": [0.5] * 5 + [1.1] * 3, "c": [0.99] * 8}
    assert fastest_of(times, consistent=False) == "b"
    assert fastest_of({"a": times["a"], "c": times["c"]}, consistent=False) == "a"


def test_functions_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    done: list[str] = []

    def taking(name: str, seconds: float) -> Callable[[], None]:
        def run() -> None:
            nonlocal now
            now += seconds
            done.append(name)

        return run

    runs = {"long": taking("long", 1.0), "short": taking("short", 0.001)}
    monkeypatch.setattr(time, "perf_counter", lambda: now)
    monkeypatch.setattr(time, "thread_time", lambda: now)
    for timer in (InTurn(), InTurn(1)):
        assert replace(timer, seconds=1e9)(runs) == {
            "long": pytest.approx([1000.0] * ROUNDS),
            "short": pytest.approx([1.0] * ROUNDS),
        }
    assert done.count("short") > done.count("long") >= 2 * ROUNDS


def test_the_time_is_for_each_function(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0

    def run() -> None:
        nonlocal now
        now += 1.0

    monkeypatch.setattr(time, "perf_counter", lambda: now)
    assert InTurn(seconds=0.0)({"a": run}) == {"a": [1000.0]}
    # Rounds of a and b end after 4, 6 and 8 seconds: the runs are slow.
    assert InTurn(seconds=2.9)({"a": run, "b": run}) == {"a": [1000.0] * 2, "b": [1000.0] * 2}
    assert InTurn(seconds=3.1)({"a": run, "b": run}) == {"a": [1000.0] * 3, "b": [1000.0] * 3}
