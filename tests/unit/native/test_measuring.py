"""Which of several programs is the fastest, by numbers that are given."""

from collections.abc import Callable
from itertools import count

import pytest
from ncnn_opt.native.measuring import ROUNDS, Stopwatch, fastest_of


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


def test_runs_are_in_turn_and_short_ones_are_repeated() -> None:
    now = 0.0
    done: list[str] = []

    def taking(name: str, seconds: float) -> Callable[[], None]:
        def run() -> None:
            nonlocal now
            now += seconds
            done.append(name)

        return run

    runs = {"long": taking("long", 1.0), "short": taking("short", 0.001)}
    times = Stopwatch(lambda: now)(runs)
    assert times == {
        "long": pytest.approx([1.0] * ROUNDS),
        "short": pytest.approx([0.001] * ROUNDS),
    }
    turns = [
        name for name, before in zip(done[4:], ["", *done[4:]], strict=False) if name != before
    ]
    assert turns == ["long", "short"] * ROUNDS
    assert done.count("short") > ROUNDS


def test_a_clock_that_stands_still_divides_by_nothing() -> None:
    numbers = count()
    times = Stopwatch(lambda: 0.0, seconds=0.0)({"a": lambda: next(numbers)})
    assert times == {"a": [0.0]}
