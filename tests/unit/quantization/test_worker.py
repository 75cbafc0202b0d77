"""What the process computes that keeps models loaded: here in this one."""

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.interpreters.errors import RunError
from ncnn_opt.quantization.histograms import Counts
from ncnn_opt.quantization.sessions import Sessions, start
from ncnn_opt.quantization.worker import PENDING, Worker
from ncnn_opt.runtime.host import Refused
from ncnn_opt.runtime.process import Process

from .conftest import Array, Load, drawn

IMAGE = {"in": drawn(2, 3, 5)}
ROWS = {"in": drawn(3, 4)}


@pytest.fixture
def worker(load: Load, tmp_path: Path) -> Iterator[Worker]:
    """A ReLU as the float model, and a LeakyReLU."""
    worker = Worker()
    for key, slope in (("float", 0.0), ("int8", 0.25)):
        load(f"Input in 0 1 in\nReLU y 1 1 in y 0={slope}")
        worker.load(key, str(tmp_path / "model.param"), str(tmp_path / "model.bin"))
    yield worker
    worker.drop("int8")
    assert list(worker.nets) == ["float"]


def relu(x: Array, slope: float = 0.0) -> Array:
    return np.where(x > 0, x, slope * x)


def test_blobs(worker: Worker) -> None:
    found = worker.run("int8", IMAGE, ["in", "y"])
    assert list(found) == ["in", "y"]
    assert found["y"] == pytest.approx(relu(IMAGE["in"], 0.25))
    with pytest.raises(Refused):
        worker.run("float", IMAGE, ["z"])


def test_kept_samples(worker: Worker) -> None:
    worker.keep(3, IMAGE)
    for key in ("float", "int8"):
        assert np.array_equal(worker.run(key, 3, ["y"])["y"], worker.run(key, IMAGE, ["y"])["y"])


def test_ranges_of_channels(worker: Worker) -> None:
    assert worker.ranges("int8", IMAGE, ["in", "y"])["y"] == pytest.approx(
        np.abs(relu(IMAGE["in"], 0.25)).max((1, 2))
    )
    assert worker.ranges("float", ROWS, ["y"])["y"] == pytest.approx(relu(ROWS["in"]).max(1))


@pytest.mark.parametrize("nonzero", [False, True])
@pytest.mark.parametrize(
    ("inputs", "axes"), [(IMAGE, (1, 2)), (ROWS, (0,)), ({"in": drawn(6)}, ())]
)
def test_errors_of_channels(
    inputs: dict[str, Array], axes: tuple[int, ...], nonzero: bool, worker: Worker
) -> None:
    x = inputs["in"]
    channels = x.shape[0] if x.ndim == 3 else x.shape[-1]
    sums, counts = worker.errors("float", "int8", inputs, "y", 0.5, channels, nonzero)
    actual, wanted = relu(x) / 0.5, relu(x, 0.25)
    kept = actual != 0 if nonzero else np.ones(x.shape, bool)
    assert sums == pytest.approx(np.where(kept, actual - wanted, 0).sum(axes), rel=1e-5)
    assert np.array_equal(counts, kept.sum(axes))
    with pytest.raises(Refused, match=f"blob 'y' has no {channels + 1} channels"):
        worker.errors("float", "int8", inputs, "y", 0.5, channels + 1, nonzero)


def test_differences(worker: Worker) -> None:
    by_key = worker.differences("int8", IMAGE, {"y": ("y", 1.0)}, "float", {})["y"]
    expected = {"y": relu(IMAGE["in"])}
    by_value = worker.differences("int8", IMAGE, {"y": ("y", 1.0)}, expected, {})["y"]
    assert by_key == by_value
    noise = ((relu(IMAGE["in"], 0.25) - relu(IMAGE["in"])) ** 2).sum()
    assert by_key.noise == pytest.approx(noise)
    doubled = worker.differences("float", IMAGE, {"y": ("y", 0.5)}, "float", {})["y"]
    assert doubled.error == pytest.approx(1)


def test_counts_are_handed_over_once(worker: Worker) -> None:
    blobs = [{"in": drawn(40, 50, 60, seed=n) * (n + 1)} for n in range(4)]
    assert blobs[0]["in"].size * 2 < PENDING < blobs[0]["in"].size * 3
    seen = [worker.count("float", b, ["in", "y"], i, 1 << 30) for i, b in enumerate(blobs)]
    sizes = [each.sizes for each in seen]
    assert sizes == [{"in": 120000, "y": 120000}] * 4
    found = worker.take_counts()
    for name, values in (("in", [b["in"] for b in blobs]), ("y", [relu(b["in"]) for b in blobs])):
        expected = Counts()
        for each in values:
            expected.add(each)
        assert found[name].total == 4 * 120000
        assert (found[name].zeros, found[name].largest) == (expected.zeros, expected.largest)
        assert np.array_equal(found[name].counts, expected.counts)
    assert worker.take_counts() == {}


def test_of_many_elements_the_largest_counts_all_the_same(worker: Worker) -> None:
    values = np.ones((10, 10), "f4")
    values[9, 9] = -7
    assert worker.count("float", {"in": values}, ["in"], 0, 9).sizes == {"in": 100}
    found = worker.take_counts()["in"]
    assert found.largest == 7
    assert found.total == 8  # each 13th


@pytest.mark.parametrize("odd", [np.nan, np.inf])
def test_a_sample_that_is_not_finite_leaves_no_counts(odd: float, worker: Worker) -> None:
    values = np.ones((2, 3), "f4")
    values[0, 1] = odd
    with pytest.raises(Refused, match="blob 'y' has infinities or NaNs"):
        worker.count("float", {"in": np.ones((2, 3), "f4"), "y": values}, ["in", "y"], 0, 100)
    assert worker.take_counts() == {}


def test_a_process_says_why_it_does_not_load_a_model() -> None:
    with start() as process, pytest.raises(RunError, match="load_param"):
        process.call("load", "x", "/nowhere.param", "/nowhere.bin")


def test_processes_share_items() -> None:
    with Sessions(2, 3) as sessions:
        assert sessions.call_all("take_counts") == [{}, {}]
        used = dict[int, Process]()

        def work(process: Process, item: int) -> int:
            used[item] = process
            return item * item

        found = dict(sessions.map(work, iter(range(9))))
        assert found == {n: n * n for n in range(9)}
        assert set(used.values()) == set(sessions.sessions)
        assert list(sessions.map(work, [])) == []


@pytest.mark.parametrize("fails", [False, True])
def test_an_error_kills_the_process(fails: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may be at work for long; without an error it ends by itself."""
    started: list[subprocess.Popen[bytes]] = []

    class Noted(subprocess.Popen[bytes]):
        def __init__(self, *arguments: object, **options: object) -> None:
            super().__init__(*arguments, **options)  # pyright: ignore
            started.append(self)

    monkeypatch.setattr(subprocess, "Popen", Noted)

    def interrupted() -> None:
        with start() as process:
            process.call("take_counts")
            raise KeyboardInterrupt

    if fails:
        with pytest.raises(KeyboardInterrupt):
            interrupted()
    else:
        with start() as process:
            process.call("take_counts")
            assert os.getsid(started[0].pid) == started[0].pid  # Ctrl-C is not for it
    assert [each.returncode for each in started] == [-signal.SIGKILL if fails else 0]
