"""`ncnn-opt --tune measure --on-device … --scheduler`: many models, spread over devices."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ncnn_opt.driver.batch import device_places, scheduled
from ncnn_opt.driver.batch.device_places import DevicePlaces, Place, split_devices
from ncnn_opt.interpreters.errors import RunError
from ncnn_opt.runtime.devices.address import DeviceError
from ncnn_opt.tools import ncnn_opt_main, ncnn_report_main

distributed: Any = pytest.importorskip("distributed")

MODEL = """7767517
3 3
Input data 0 1 data 0=9 1=8
Convolution1D host 1 1 data host 0=64 1=1 6=512
Mish act 1 1 host out
"""
"""A Mish that is slow in the Convolution1D on some processors."""
PAGE = Path(__file__).parents[3] / "docs" / "devices.md"

WORKER = """
import asyncio, sys
from distributed import Worker
from ncnn_opt.driver.batch import scheduled

MEET = '''
import os, sys, time
open(os.path.join({0!r}, {1!r}), "w").close()
for _ in range(300):
    if len(os.listdir({0!r})) >= {2}:
        break
    time.sleep(0.1)
else:
    sys.exit(9)
'''
_, scheduler, folder, name, most = sys.argv
scheduled._MAIN = MEET.format(folder, name, most) + scheduled._MAIN

async def work():
    async with Worker(scheduler, nthreads=2, resources={"local": 1}, dashboard=False) as worker:
        await worker.finished()

asyncio.run(work())
"""
"""A worker whose commands wait until the other worker has one, too."""


@contextmanager
def rack(folder: Path) -> Generator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """The address of a scheduler with two workers that have a device each, and one without."""
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=4, processes=False, protocol="tcp", dashboard_address=None
    ) as made:
        address: str = made.scheduler_address
        (folder / "met").mkdir()
        workers: list[subprocess.Popen[bytes]] = []
        for name in ("a", "b"):
            place = folder / name / "ncnn-opt-device"
            place.mkdir(parents=True)
            (place / "prepared").write_text(f"python {sys.executable}\n")
            code = [sys.executable, "-c", WORKER, address, str(folder / "met"), name, "2"]
            environment = {**os.environ, "XDG_CACHE_HOME": str(folder / name)}
            with (folder / f"{name}.log").open("wb") as log:
                workers.append(
                    subprocess.Popen(code, stderr=log, env=environment, start_new_session=True)
                )
        try:
            with distributed.Client(address, set_as_default=False) as client:
                client.wait_for_workers(3, timeout=30)
            yield address, workers
        finally:
            for worker in workers:
                kill(worker)


def kill(worker: "subprocess.Popen[bytes]") -> None:
    """End a worker and its commands."""
    with suppress(ProcessLookupError):
        os.killpg(worker.pid, signal.SIGKILL)
    worker.wait()


def on_page(command: str, address: str) -> list[str]:
    """Return the arguments of a command of the page, for this rack."""
    text = PAGE.read_text("utf-8").partition("\n### Many models on many devices\n")[2]
    (line,) = re.findall(rf"^{command} (.*)$", text, re.M)
    words = line.replace("tcp://10.0.0.1:8786", address).replace("adb://PHONE-2", "local:")
    return words.replace("adb://PHONE-1", "local").split()


def optimize(*arguments: str, main: Any = ncnn_opt_main) -> int:
    """Run ncnn-opt, or another command; return its exit status."""
    try:
        main.main(list(arguments))
    except SystemExit as end:
        return int(end.code or 0)
    return 0


def test_models_are_spread_over_devices(
    here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(device_places, "SECONDS", 0.3)
    monkeypatch.setattr(device_places, "GRACE", 0.0)
    monkeypatch.setattr(scheduled, "FETCHING", 0.5)
    (tmp_path / "zoo").mkdir()
    for i in range(3):
        (tmp_path / f"zoo/m{i}.param").write_text(MODEL)
        weights = np.random.default_rng(0).standard_normal(512).astype("<f4")
        (tmp_path / f"zoo/m{i}.bin").write_bytes(bytes(4) + weights.tobytes())
    with rack(tmp_path) as (address, workers):
        line = ["-O", "zoo", "--tune", "measure", "--scheduler", address]
        status = optimize(*on_page("ncnn-opt", address))
        said = capsys.readouterr().err
        assert status == 0, said
        assert said.count("at most 1 trial on local") == 2, "the third is in a cache"
        assert (said.count(", measured"), said.count(", cache")) == (2, 1)
        assert sorted(path.name for path in (tmp_path / "fast").glob("*.param")) == [
            f"m{i}.param" for i in range(3)
        ]
        for name in ("a", "b"):
            assert len(list((tmp_path / name / "ncnn-opt-device").glob("*.param"))) == 2
        assert [path.name for path in here.iterdir()] == ["prepared"], "no label, no model"

        assert optimize(*on_page("ncnn-report", address), main=ncnn_report_main) == 0
        reports = list((tmp_path / "reports").glob("*.txt"))
        assert len(reports) == 3
        assert all("median ms of m" in path.read_text() for path in reports)
        assert [path.name for path in here.iterdir()] == ["prepared"]
        capsys.readouterr()

        # Without a worker beside it, a device is refused before the first model.
        assert (
            optimize(*line, "--on-device", "local", "--on-device=adb://X", "--output-dir", "none")
            == 1
        )
        assert capsys.readouterr().err == (
            f"ncnn-opt: error: adb://X: no worker of the scheduler '{address}' carries this label; "
            f"start one beside the device: dask worker {address} --resources adb://X=1\n"
        )

        outcome_of = scheduled._outcome_of  # pyright: ignore[reportPrivateUsage]
        lost = workers[:1]

        def kill_some(*given: Any) -> Any:
            """Kill workers after the first model."""
            while lost:
                kill(lost.pop())
            return outcome_of(*given)

        monkeypatch.setattr(scheduled, "_outcome_of", kill_some)
        assert optimize(*line, "--on-device=local", "--output-dir", "one") == 0
        assert workers[0].poll() is not None
        assert len(list((tmp_path / "one").glob("*.param"))) == 3
        lost = workers[1:]
        capsys.readouterr()
        assert optimize(*line, "--on-device=local", "--output-dir", "gone") == 1
        assert len(list((tmp_path / "gone").glob("*.param"))) == 1
        reason = f"the scheduler '{address}' has lost all workers beside local; start one again: "
        said = capsys.readouterr().err
        for name in ("m1", "m2"):
            assert f"ncnn-opt: error: zoo/{name}.param: {reason}dask worker {address}" in said


class Client:
    """A client of a scheduler with some workers."""

    def __init__(self, threads: dict[str, int], resources: dict[str, dict[str, float]]) -> None:
        self.threads = threads
        self.resources = resources
        self.asked: list[str] = []

    def ncores(self) -> dict[str, int]:
        return dict(self.threads)

    def run(self, _: object, workers: list[str], on_error: str) -> dict[str, dict[str, float]]:
        self.asked += workers
        return {worker: self.resources[worker] for worker in workers}


class Running:
    """Tasks of which none ends."""

    def has_ready(self) -> bool:
        return False


A, B = "adb://A", "adb://B"


def placed(places: DevicePlaces, *without: str) -> list[tuple[str, str]]:
    """Take all free places."""
    taken: list[Place] = []
    while (place := places.free(taken, without)) is not None:
        assert place.keywords == {"workers": [place.worker], "resources": {place.device: 1}}
        assert place.options == ["--on-device", place.device]
        taken.append(place)
    return [(place.worker, place.device) for place in taken]


@pytest.mark.parametrize(
    ("threads", "resources", "expected"),
    [
        ({"v": 1, "w": 1}, {"v": {A: 1}, "w": {B: 1}}, [("v", A), ("w", B)]),
        ({"v": 4, "w": 4}, {"v": {A: 1}, "w": {B: 1}}, [("v", A), ("w", B)]),
        ({"v": 2, "w": 1}, {"v": {A: 1, B: 1}, "w": {"GPU": 1}}, [("v", A), ("v", B)]),
        ({"v": 1, "w": 1}, {"v": {A: 1, B: 1}, "w": {B: 1}}, [("v", A), ("w", B)]),
        ({"v": 1, "w": 9}, {"v": {A: 1, B: 1}, "w": {}}, [("v", A)]),  # one thread
        ({"v": 3}, {"v": {A: 2, B: 0.5}}, [("v", A), ("v", A)]),
        ({"v": 1, "w": 1, "x": 1}, {"v": {A: 1}, "w": {A: 1}, "x": {B: 1}}, None),
    ],
)
def test_places_beside_devices(
    threads: dict[str, int],
    resources: dict[str, dict[str, float]],
    expected: list[tuple[str, str]] | None,
) -> None:
    places = DevicePlaces(Client(threads, resources), "tcp://s", [A, B])
    assert placed(places) == (expected or [("v", A), ("x", B), ("w", A)])


def test_a_lost_process_is_retried_on_another_device() -> None:
    places = DevicePlaces(Client({"v": 1, "w": 1}, {"v": {A: 1}, "w": {B: 1}}), "tcp://s", [A, B])
    assert placed(places, "v") == [("w", B)]
    assert placed(places, "v", "w") == [("v", A), ("w", B)]
    assert places.free([Place("w", B)], ["v"]) is None, "it waits for the other device"


def test_workers_that_come_and_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device_places, "SECONDS", 0.0)
    client = Client({"v": 1}, {"v": {A: 1}, "w": {A: 1}, "x": {B: 1}})
    places = DevicePlaces(client, "tcp://s", [A])
    client.threads = {"w": 1, "x": 1}
    assert not places.has_lost(Place("v", A))
    assert not places.wait(Running(), True)
    assert places.has_lost(Place("v", A))
    assert placed(places) == [("w", A)]
    assert client.asked == ["v", "w", "x"]
    monkeypatch.setattr(device_places, "GRACE", 0.0)
    assert not places.are_gone
    client.threads = {"x": 1}
    places.wait(Running(), True)
    assert placed(places) == []
    assert places.are_gone
    monkeypatch.setattr(device_places, "GRACE", 60.0)
    assert not places.are_gone, "it may return"
    client.threads = {"w": 1}
    places.wait(Running(), True)
    monkeypatch.setattr(device_places, "GRACE", 0.0)
    assert not places.are_gone


class Task:
    """A finished task whose result is fetched after some attempts."""

    status = "finished"
    canceled = False

    def __init__(self, attempts: int) -> None:
        self.attempts = attempts
        self.seconds: list[float] = []

    def result(self, timeout: float) -> str:
        self.seconds.append(timeout)
        if len(self.seconds) < self.attempts:
            raise TimeoutError
        return "answer"

    def cancel(self) -> None:
        self.canceled = True


def test_a_worker_that_is_lost_with_the_result() -> None:
    result_of: Any = scheduled._result_of  # pyright: ignore[reportPrivateUsage]
    client = Client({"v": 1, "w": 1}, {"v": {A: 1}, "w": {A: 1}})
    places = DevicePlaces(client, "tcp://s", [A])
    large = Task(3)
    assert result_of(large, Place("v", A), places) == "answer"
    assert large.seconds == [10, 20, 40]
    client.threads = {"w": 1}
    lost = Task(99)
    assert result_of(lost, Place("v", A), places) is None
    assert (lost.seconds, lost.canceled) == ([10], True)
    failed = Task(99)
    failed.status = "error"
    with pytest.raises(TimeoutError):
        result_of(failed, Place("w", A), places)


def test_a_device_without_a_worker() -> None:
    with pytest.raises(RunError, match=r"^adb://B: no worker of the scheduler 'tcp://s' carries"):
        DevicePlaces(Client({"v": 1}, {"v": {A: 1}}), "tcp://s", [A, B])


def test_devices_of_a_command_line() -> None:
    words = [
        "-O",
        "--on-device",
        A,
        "--seed",
        "1",
        "--on-device=local:",
        "--on-device",
        "local",
        "--only",
    ]
    assert split_devices(words) == ([A, "local"], ["-O", "--seed", "1", "--only"])
    assert split_devices(["-O"]) == ([], ["-O"])
    with pytest.raises(DeviceError, match="'pi' is no address"):
        split_devices(["--on-device", "pi"])
