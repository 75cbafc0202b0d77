"""`ncnn-opt --output-dir … --scheduler`: many models over a scheduler of dask.distributed."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from ncnn_opt.driver.batch import scheduled
from ncnn_opt.tools import ncnn_compile_main, ncnn_opt_main, ncnn_report_main

from .test_quantize import small_net

distributed: Any = pytest.importorskip("distributed")

PAGE = Path(__file__).parents[2] / "docs" / "batch.md"

WORKER = """
import asyncio, logging, sys
from distributed import Worker
from ncnn_opt.driver.batch import scheduled

CRASH = '''
import os
left = int(open({0!r}).read())
open({0!r}, "w").write(str(left - 1))
left > 0 and os.kill(os.getpid(), 9)
'''
scheduled._MAIN = CRASH.format(sys.argv[2]) + scheduled._MAIN

async def work():
    async with Worker(sys.argv[1], nthreads=1, dashboard=False) as worker:
        await worker.finished()

asyncio.run(work())
"""
"""A worker. The file that its second argument names has the number of its commands that crash."""


@contextmanager
def cluster(crashes: Path) -> Generator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """The address of a scheduler, and two processes that work for it and are not restarted."""
    crashes.write_text("0")
    with distributed.LocalCluster(n_workers=0, dashboard_address=None) as made:
        address = made.scheduler_address
        code = [sys.executable, "-c", WORKER, address, str(crashes)]
        start = partial(subprocess.Popen[bytes], code, start_new_session=True)
        none = subprocess.DEVNULL
        workers = [start(stdout=none, stderr=none) for _ in range(2)]
        try:
            with distributed.Client(address, set_as_default=False) as client:
                client.wait_for_workers(2, timeout=60)
            yield address, workers
        finally:
            for worker in workers:
                with suppress(ProcessLookupError):
                    os.killpg(worker.pid, signal.SIGKILL)
                worker.wait()


def run(main: Any, *arguments: str) -> int:
    """Runs a command; returns its exit status."""
    try:
        main.main(list(arguments))
    except SystemExit as end:
        return int(end.code or 0)
    return 0


def command_of_the_page(address: str, output: str, summary: str) -> list[str]:
    """The arguments in docs/batch.md, with another scheduler and other outputs."""
    (line,) = re.findall(
        r"^\$ ncnn-opt (.* --scheduler .*)$", PAGE.read_text("utf-8"), re.MULTILINE
    )
    line = line.replace("tcp://10.0.0.1:8786", address).replace("summary.json", summary)
    return line.replace("fast/", output).split()


def contents(folder: Path) -> dict[str, bytes]:
    shown = (p for p in folder.rglob("*") if p.is_file() and not p.name.startswith("."))
    return {str(p.relative_to(folder)): p.read_bytes() for p in shown}


def facts_of(summary: Path) -> list[dict[str, Any]]:
    """The rows of a summary, without what differs between two runs."""
    rows = json.loads(summary.read_text("utf-8"))["models"]
    return [{k: v for k, v in row.items() if k not in ("seconds", "output")} for row in rows]


@pytest.fixture
def zoo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Six models in folders, and a damaged one."""
    monkeypatch.chdir(tmp_path)
    for i in range(6):
        folder = tmp_path / "zoo" / str(i % 2)
        folder.mkdir(parents=True, exist_ok=True)
        small_net().write(folder, f"m{i}")
    (tmp_path / "zoo/bad.param").write_text("nonsense")
    return tmp_path


def test_two_workers(
    zoo: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(ncnn_opt_main, "-O", "zoo", "--output-dir", "here", "--summary", "h.json") == 1
    here = capsys.readouterr()
    crashes = zoo / "crashes"
    with cluster(crashes) as (address, workers):
        there = ["--scheduler", address]

        # Native code for another machine has all its weights.
        line = ["zoo/0/m0.param", "--output-dir", "native", "--output-kind", "mlir"]
        assert run(ncnn_compile_main, *line, *there) == 0
        assert set(contents(zoo / "native")) == {"m0.mlir"}
        code = contents(zoo / "native")["m0.mlir"]
        assert b"zoo" not in code
        assert len(code) > 2 * (zoo / "zoo/0/m0.bin").stat().st_size  # in hexadecimal digits

        # A report compares a model with its counterpart, also of another kind.
        assert run(ncnn_opt_main, "-O", "zoo/0", "--output-dir", "fast") == 0
        assert run(ncnn_opt_main, "fast/m2.param", "-o", "fast/m2.mlir") == 0
        (zoo / "fast/m2.param").unlink()
        line = ["zoo/0", "fast", "--summary", "s.json", "--output-dir"]
        assert run(ncnn_report_main, *line, "by_us") == 0
        compared = facts_of(zoo / "s.json")
        assert run(ncnn_report_main, *line, "by_workers", *there) == 0
        assert facts_of(zoo / "s.json") == compared
        assert len(compared) == 3
        assert all(len(row["layers"]) == 2 for row in compared)
        (zoo / "fast/m2.mlir").unlink()
        assert run(ncnn_report_main, *line, "gone", *there) == 1
        assert "fast/m2.param: No such file" in capsys.readouterr().err

        # A process that is lost is retried on another worker, but not for ever.
        crashes.write_text("1")
        line = ["-O", "zoo/0/m0.param", "--output-dir", "lost"]
        assert run(ncnn_opt_main, *line, *there) == 0
        assert crashes.read_text() == "-1"
        assert len(contents(zoo / "lost")) == 2
        crashes.write_text("9")
        capsys.readouterr()
        assert run(ncnn_opt_main, *line, *there) == 1
        assert crashes.read_text() == "6"
        said = "ncnn-opt: error: zoo/0/m0.param: its process ended early (killed by signal 9)\n"
        assert capsys.readouterr().err == said
        crashes.write_text("0")

        killed: list[int] = []
        outcome_of = scheduled._outcome_of  # pyright: ignore[reportPrivateUsage]

        def kill_one(*given: Any) -> Any:
            """Kills a worker, which has further tasks, after the first model."""
            if not killed:
                killed.append(workers[0].pid)
                os.killpg(workers[0].pid, signal.SIGKILL)
            return outcome_of(*given)

        monkeypatch.setattr(scheduled, "_outcome_of", kill_one)
        line = command_of_the_page(address, "there", "t.json")
        assert run(ncnn_opt_main, *line) == 1
        assert killed
        assert workers[0].wait() == -signal.SIGKILL
        assert workers[1].poll() is None
        assert contents(zoo / "there") == contents(zoo / "here")
        assert capsys.readouterr().err == here.err
        assert facts_of(zoo / "h.json") == facts_of(zoo / "t.json")
        assert run(ncnn_opt_main, *line) == 1
        again = json.loads((zoo / "t.json").read_text())
        assert again["counts"] == {"done": 0, "failed": 1, "up to date": 6, "not run": 0}


def test_there_is_no_scheduler(zoo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = ["zoo", "--output-dir", "out", "--scheduler", "carrier-pigeon://coop"]
    assert run(ncnn_opt_main, "-O", *line) == 1
    said = capsys.readouterr().err
    assert said == "ncnn-opt: error: there is no scheduler at 'carrier-pigeon://coop'\n"
