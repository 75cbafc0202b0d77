"""`ncnn-quantize --scheduler`: counting over a scheduler of dask.distributed."""

import os
import socket
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ncnn_opt.tools import ncnn_quantize_main

from .test_quantize import data, small_net

distributed: Any = pytest.importorskip("distributed")


@contextmanager
def cluster(processes: int) -> Generator[str]:
    """The address of a scheduler that so many processes work for."""
    with distributed.LocalCluster(
        n_workers=processes, threads_per_worker=1, processes=True, dashboard_address=None
    ) as made:
        yield made.scheduler_address


@pytest.fixture
def calibrate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., str]:
    """Runs the command; returns its error, if it fails."""
    monkeypatch.chdir(tmp_path)
    small_net().write(tmp_path, "model")
    np.save("data.npy", data())

    def call(*arguments: str) -> str:
        ended = 0
        try:
            ncnn_quantize_main.main(["calibrate", "model.param", "--data", *arguments])
        except SystemExit as end:
            ended = end.code
        said = capsys.readouterr().err
        assert ended == said.count("ncnn-quantize: error: ")
        return said.partition("ncnn-quantize: error: ")[2].strip()

    return call


def wait_for_the_end_of(program: str) -> None:
    """Waits until those that work for us have ended all processes of a program."""
    until = time.monotonic() + 60
    while any(program in command for command in commands_below(os.getpid())):
        assert time.monotonic() < until
        time.sleep(0.05)


def commands_below(process: int) -> Iterator[str]:
    """The command lines of all processes that come from this one."""
    for child in Path(f"/proc/{process}").glob("task/*/children"):
        for each in child.read_text().split():
            with suppress(OSError):
                yield Path(f"/proc/{each}/cmdline").read_text()
                yield from commands_below(int(each))


def test_it_is_the_bytes_of_one_run_here(calibrate: Callable[..., str], tmp_path: Path) -> None:
    assert not calibrate("data.npy", "-o", "here.npz", "-j1")
    np.save("nan.npy", np.where(np.arange(12)[:, None, None, None] == 7, np.nan, data()))
    with cluster(2) as address:
        assert not calibrate("data.npy", "-o", "there.npz", "--scheduler", address)
        said = calibrate("nan.npy", "-o", "nan.npz", "--scheduler", address)
        wait_for_the_end_of("ncnn_opt.quantization.worker")
    assert (tmp_path / "here.npz").read_bytes() == (tmp_path / "there.npz").read_bytes()
    assert said == "nan.npy[7]: blob 'data' has infinities or NaNs"
    assert not (tmp_path / "nan.npz").exists()


def test_nobody_is_there(calibrate: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    from ncnn_opt.runtime import scheduler

    with cluster(0) as address:
        said = calibrate("data.npy", "-o", "t", "--scheduler", address)
        assert said == f"nobody works for the scheduler at '{address}'"
    monkeypatch.setattr(scheduler, "SECONDS", 1)
    with socket.socket() as taken:  # bound, but nobody listens
        taken.bind(("127.0.0.1", 0))
        nobody = f"tcp://127.0.0.1:{taken.getsockname()[1]}"
        for address in (nobody, "carrier-pigeon://coop"):
            said = calibrate("data.npy", "-o", "t", "--scheduler", address)
            assert said == f"there is no scheduler at '{address}'"
    monkeypatch.setattr(scheduler, "find_spec", lambda name: None)  # pyright: ignore
    said = calibrate("data.npy", "-o", "t", "--scheduler", nobody)
    assert said == "dask.distributed is not installed: pip install 'ncnn-opt[dask]'"
