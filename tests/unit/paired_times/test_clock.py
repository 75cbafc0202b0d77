"""The clock, with functions whose time is given."""

import ast
import gc
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from zipfile import ZipFile

import numpy
import pytest
from ncnn_opt.paired_times import clock
from ncnn_opt.paired_times.clock import (
    SLOW,
    TURN,
    WARM_UP,
    clock_for,
    measure,
    repeated,
    timed,
    turns,
)
from ncnn_opt.runtime import host, messages, timed_net
from ncnn_opt.runtime.devices import runner, start
from ncnn_opt.runtime.devices.session import program


class Machine:
    """A machine on which functions take the given time in seconds."""

    def __init__(self) -> None:
        self.now = 0.0
        self.calls: list[str] = []

    def time(self) -> float:
        return self.now

    def taking(self, name: str, seconds: float) -> Callable[[], None]:
        def function() -> None:
            self.now += seconds
            self.calls.append(name)

        return function

    def run(self, name: str, seconds: float) -> Callable[[], float]:
        return timed(self.taking(name, seconds), self.time)


def test_the_clock_of_one_thread_is_that_of_the_calling_thread(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for resolution, single in ((1e-9, time.thread_time), (0.015, time.perf_counter)):

        def info(name: str, resolution: float = resolution) -> SimpleNamespace:
            return SimpleNamespace(resolution=resolution)

        monkeypatch.setattr(time, "get_clock_info", info)
        assert clock_for(1) is single
        assert clock_for(2) is clock_for(None) is time.perf_counter


def test_runs_return_milliseconds() -> None:
    machine = Machine()
    assert machine.run("a", 0.25)() == 250


def test_a_short_function_is_repeated() -> None:
    machine = Machine()
    run = repeated(machine.taking("short", TURN / 1000 / 10), machine.time)
    machine.calls.clear()
    assert run() == pytest.approx(TURN / 10)
    assert len(machine.calls) == 10
    run = repeated(machine.taking("long", 1.0), machine.time)
    machine.calls.clear()
    assert run() == 1000
    assert machine.calls == ["long"]


def test_the_first_call_does_not_determine_how_often() -> None:
    machine = Machine()
    seconds = iter([5.0])

    def function() -> None:
        machine.now += next(seconds, TURN / 1000 / 4)
        machine.calls.append("")

    run = repeated(function, machine.time)
    machine.calls.clear()
    run()
    assert len(machine.calls) == 4


def test_a_clock_that_stands_still_repeats_within_a_bound() -> None:
    calls: list[None] = []
    assert repeated(lambda: calls.append(None), lambda: 0.0)() == 0
    assert 1000 < len(calls) < 100_000


def test_the_order_of_turns() -> None:
    """A B, B A, B A, A B; a call before each change of the run."""
    calls: list[str] = []

    def a() -> int:
        calls.append("a")
        return len(calls)

    def b() -> int:
        calls.append("b")
        return -len(calls)

    found = list(islice(turns([a, b]), 5))
    assert "".join(calls) == "aabb" + "baa" + "bbaa" + "abb" + "aabb"
    # The result of a run is that of its last call in the round, at the place of the run.
    assert found == [[2, -4], [7, -5], [11, -9], [12, -14], [16, -18]]


def test_blocks_of_two_rounds_begin_in_turn() -> None:
    """As the runners on devices measure: a block each from rounds 0 and 2."""
    orders: list[str] = []
    for first in (0, 2, 4):
        calls: list[str] = []
        runs = [lambda name=name: calls.append(name) for name in "abc"]
        list(islice(turns(runs, first), 2))
        orders.append("".join(calls))
    assert orders == ["aabbcc" + "cbbaa", "ccbbaa" + "abbcc", "aabbcc" + "cbbaa"]


def test_one_run_is_called_once_for_itself() -> None:
    machine = Machine()
    assert list(islice(turns([machine.run("a", 1.0)]), 3)) == [[1000]] * 3
    assert len(machine.calls) == 4


@pytest.mark.parametrize(("seconds", "slow"), [(1.1 * SLOW, True), (0.9 * SLOW, False)])
def test_a_slow_run_needs_no_call_before_it(
    monkeypatch: pytest.MonkeyPatch, seconds: float, slow: bool
) -> None:
    machine = Machine()
    monkeypatch.setattr(time, "perf_counter", machine.time)
    runs = [machine.taking("a", seconds), machine.taking("b", 0.01)]
    measure(runs, 4)
    warm = "ab" + ("b" if slow else "ab")
    rest = "aabb" + "ba" + "bba" + "abb" if slow else "aabb" + "baa" + "bbaa" + "abb"
    assert "".join(machine.calls) == warm + rest


@pytest.mark.parametrize("first", [0, 2, 4])
def test_a_steady_drift_cancels_in_two_rounds(first: int) -> None:
    """The processor becomes slower with each call, those that do not count included."""
    numbers = iter(range(1, 100))
    runs = [lambda: next(numbers), lambda: next(numbers)]
    one, two = islice(turns(runs, first), 2)
    assert one[0] + two[0] == one[1] + two[1]
    assert one[0] != one[1]


def test_all_runs_are_warm_before_the_first_round() -> None:
    machine = Machine()
    rounds = measure([machine.run("a", 1.0), machine.run("b", 3.0)], 5)
    assert rounds == [[1000, 3000]] * 5
    assert machine.calls[: 2 * WARM_UP] == ["a", "b"] * WARM_UP
    assert "".join(machine.calls[2 * WARM_UP :]) == "aabb" + "baa" + "bbaa" + "abb" + "aabb"
    assert measure([machine.run("a", 1.0)], 0) == []


@pytest.mark.parametrize(("least", "count"), [(1, 3), (2, 3), (5, 5)])
def test_no_round_begins_after_the_time(
    monkeypatch: pytest.MonkeyPatch, least: int, count: int
) -> None:
    """A round takes a second, the first one two. The third one begins after 3 seconds of 3.5."""
    machine = Machine()
    monkeypatch.setattr(time, "perf_counter", machine.time)
    found = measure([machine.run("a", 1.0)], 9, 3.5, least)
    assert len(found) == count


def test_no_garbage_is_collected_meanwhile() -> None:
    states: list[bool] = []
    assert gc.isenabled()
    measure([lambda: states.append(gc.isenabled())], 2)
    assert states == [False] * (WARM_UP + 3)
    assert gc.isenabled()
    gc.disable()
    try:
        measure([lambda: None], 1)
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_garbage_is_collected_again_after_an_error() -> None:
    with pytest.raises(ZeroDivisionError):
        measure([lambda: 1 / 0], 1)
    assert gc.isenabled()


def test_the_program_for_a_device_needs_nothing_else(tmp_path: Path) -> None:
    """It is the same file each time, and imports neither this project nor other packages."""
    assert program() == program()
    path = tmp_path / "runner.pyz"
    path.write_bytes(program())
    with ZipFile(path) as archive:
        code = {name for name in archive.namelist() if archive.read(name)}
    assert code == {
        "__main__.py",
        "ncnn_opt/paired_times/clock.py",
        "ncnn_opt/runtime/devices/runner.py",
        "ncnn_opt/runtime/devices/start.py",
        "ncnn_opt/runtime/host.py",
        "ncnn_opt/runtime/messages.py",
        "ncnn_opt/runtime/timed_net.py",
    }
    lines = [
        f"import sys; sys.path.insert(0, {str(path)!r})",
        "import ncnn_opt.runtime.devices.start as start",
        "print([name for name in sys.modules if name == 'numpy'], start.main.__code__.co_filename)",
        f"sys.path.insert(1, {str(Path(numpy.__file__).parents[1])!r})",
        "import ncnn_opt.runtime.devices.runner as runner",
        "print(runner.TimedNet.time.__code__.co_filename)",
    ]
    alone = [sys.executable, "-I", "-S", "-c", "; ".join(lines)]
    done = subprocess.run(alone, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        f"[] {path}/ncnn_opt/runtime/devices/start.py",
        f"{path}/ncnn_opt/runtime/timed_net.py",
    ]


@pytest.mark.parametrize("module", [clock, host, messages, runner, start, timed_net])
def test_old_pythons_read_the_program_for_a_device(module: object) -> None:
    source = Path(str(getattr(module, "__file__"))).read_text("utf-8")  # noqa: B009
    tree = ast.parse(source, feature_version=(3, 7))
    lazy = [n for n in tree.body if isinstance(n, ast.ImportFrom) and n.module == "__future__"]
    assert lazy, "annotations have the syntax of later releases"
