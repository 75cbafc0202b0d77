"""Many models in one command."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from ncnn_opt.driver.batch.jobs import Job, JobOutcome
from ncnn_opt.driver.batch.summary import BatchSummary
from ncnn_opt.driver.model_files import ModelChange
from ncnn_opt.driver.optimizer import Optimizer
from ncnn_opt.tools import ncnn_opt_main

Command = Callable[..., subprocess.CompletedProcess[str]]
Refused = Callable[..., str]

NAMES = ("a", "b", "c")


def files_in(folder: Path) -> dict[str, bytes]:
    """The files in a folder, except hidden ones."""
    shown = (path for path in folder.iterdir() if not path.name.startswith("."))
    return {path.name: path.read_bytes() for path in shown}


@pytest.mark.parametrize(
    "jobs", [[], ["--jobs", "2"], ["-j", "8"], ["-j3"], ["--jobs=1"]], ids=" ".join
)
def test_each_model_becomes_what_it_becomes_alone(
    jobs: list[str], models: Path, alone: dict[str, bytes], command: Command
) -> None:
    result = command(["a.param", "-O", "b.param", "--output-dir", "out", *jobs, "--", "c.param"])
    assert files_in(models / "out") == alone
    assert result.stderr == ""
    head, *rows, last = result.stdout.splitlines()
    assert head.split() == ["model", "layers", "bytes", "of", "weights", "seconds"]
    assert [row.split()[0] for row in rows] == ["a.param", "b.param", "c.param"]
    assert all("3 -> 2" in row for row in rows)
    assert re.fullmatch(r"3 models in \d+\.\d s, none failed", last)


@pytest.mark.parametrize("jobs", ["1", "3"])
def test_one_that_fails_does_not_stop_the_others(jobs: str, models: Path, command: Command) -> None:
    (models / "b.param").write_text("nonsense")
    result = command(
        ["-O", "a.param", "b.param", "c.param", "--output-dir", "out", "-j", jobs], check=False
    )
    assert result.returncode == 1
    (error,) = result.stderr.splitlines()
    assert error.startswith("ncnn-opt: error: b.param:1:1: ")
    assert sorted(files_in(models / "out")) == ["a.bin", "a.param", "c.bin", "c.param"]
    assert re.search(r"(?m)^b\.param +failed$", result.stdout)
    assert result.stdout.splitlines()[-1].endswith(", 1 failed")


def test_in_place(models: Path, alone: dict[str, bytes], command: Command) -> None:
    command(["-O", "a.param", "b.param", "--output-dir", "."])
    assert (models / "a.param").read_bytes() == alone["a.param"]
    assert (models / "c.param").read_bytes() != alone["c.param"]


def test_kinds_of_files(models: Path, command: Command) -> None:
    command(["a.param", "-o", "d.mlir"])
    command(["-O", "d.mlir", "b.param", "--output-dir", "out"])
    # The weights are few enough to stand in the text.
    assert set(files_in(models / "out")) == {"d.mlir", "b.param", "b.bin"}


REFUSED: dict[str, tuple[list[str], str]] = {
    "one name twice": (
        ["a.param", "alone/a.param", "--output-dir", "out"],
        r"'a\.param' and 'alone/a\.param' would both write 'out/a\.bin'",
    ),
    "no folder's name": (["a.param", "--output-dir="], r"--output-dir needs the name of a folder"),
    "one folder twice": ([".", ".", "--output-dir", "out"], r"'\./a\.param', given twice"),
    "a folder without models": (
        ["empty", "--output-dir", "out"],
        r"there are no models in empty: ",
    ),
    "a summary of no kind": (
        ["a.param", "--output-dir", "out", "--summary", "s.txt"],
        r"--summary writes \.json, \.csv, \.xml, \.html, not 's\.txt'",
    ),
    "a summary without many": (["a.param", "--summary", "s.json"], r"--summary is for many models"),
    "resuming one": (["a.param", "--resume"], r"--resume is for many models: --output-dir"),
    "going on with one": (["a.param", "--no-keep-going"], r"--keep-going is for many models"),
    "a cluster for one": (["a.param", "--scheduler", "x"], r"--scheduler is for many models"),
    "a folder alone": (["-O", "empty"], r"'empty' is a folder: --output-dir DIR takes its models"),
    "one model twice": (["a.param", "a.param", "--output-dir", "out"], r"'a\.param', given twice"),
    "weights of one name": (
        ["a.param", "alone/a.mlir", "--output-dir", "out"],
        r"'a\.param' and 'alone/a\.mlir' would both write 'out/a\.bin'",
    ),
    "an output": (["a.param", "b.param", "--output-dir", "out", "-o", "x.param"], r"-o .*"),
    "an output for weights": (
        ["a.param", "b.param", "--output-dir", "out", "--output-weights", "x.bin"],
        r"--output-weights .*",
    ),
    "weights for several": (
        ["a.param", "b.param", "--output-dir", "out", "--weights", "a.bin"],
        r"--weights a\.bin .*several",
    ),
    "no number of jobs": (["a.param", "--output-dir", "out", "-j", "0"], r"--jobs .*'0'"),
    "a word for jobs": (["a.param", "--output-dir", "out", "--jobs=x"], r"--jobs .*'x'"),
    "no folder": (["a.param", "--output-dir"], r"argument --output-dir: expected one"),
    "no models": (["-O", "--output-dir", "out"], r"--output-dir needs models"),
    "standard input": (["-", "--output-dir", "out"], r".*standard input"),
    "weights": (["a.bin", "--output-dir", "out"], r"a\.bin: .* read 'a\.param'"),
    "a model of unknown kind": (["a.txt", "--output-dir", "out"], r".*'a\.txt'.*\.param or \.mlir"),
    "a missing folder": (["gone/", "--output-dir", "out"], r"there is no folder 'gone'$"),
    "an unknown pass": (["a.param", "--output-dir", "out", "--fuse-con-bn"], r".*fuse-conv-bn"),
    "no folder for several": (["a.param", "b.param", "-o", "x.param"], r"'b\.param'.*--output-dir"),
    "a file for a folder": (["a.param", "--output-dir", "b.param"], r"b\.param: .*exists"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_refused_before_anything_runs(what: str, models: Path, refused: Refused) -> None:
    arguments, expected = REFUSED[what]
    (models / "empty").mkdir()
    message = refused(arguments)
    assert re.match(expected, message), message


def test_remarks_say_whose_they_are(models: Path, command: Command) -> None:
    result = command(["-O", "a.param", "b.param", "--output-dir", "out", "--remarks"])
    lines = result.stderr.splitlines()
    assert lines[0] == "a.param:"
    assert lines[1].startswith("remark: ")
    result = command(["-O", "a.param", "b.param", "--output-dir", "out", "--remarks=json"])
    objects = [json.loads(line) for line in result.stderr.splitlines()]
    assert objects[0] == {"model": "a.param"}
    assert {"model": "b.param"} in objects


@pytest.mark.skipif(sys.platform != "linux", reason="processes are not forked")
@pytest.mark.parametrize("how", ["killed", "defect"])
def test_a_process_that_does_not_end_well(
    how: str, models: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = Optimizer.optimize

    def run_or_not(self: Optimizer) -> ModelChange:
        if self.request.input_file != "b.param":
            return run(self)
        if how == "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        raise RuntimeError("a defect")

    monkeypatch.chdir(models)
    monkeypatch.setattr(Optimizer, "optimize", run_or_not)
    with pytest.raises(SystemExit) as ended:
        ncnn_opt_main.main(["-O", *(f"{n}.param" for n in NAMES), "--output-dir", "out"])
    assert ended.value.code == 1
    said = capsys.readouterr()
    assert sorted(files_in(models / "out")) == ["a.bin", "a.param", "c.bin", "c.param"]
    assert "b.param" in said.err
    assert ("killed by signal 9" if how == "killed" else "RuntimeError: a defect") in said.err
    assert "3 models" in said.out


def test_a_bar_on_a_terminal(models: Path) -> None:
    pytest.importorskip("tqdm")
    pty = pytest.importorskip("pty")
    reader, terminal = pty.openpty()
    pytest.importorskip("termios").tcsetwinsize(terminal, (24, 80))
    os.set_blocking(reader, False)
    program = Path(sys.executable).with_name("ncnn-opt")
    subprocess.run(
        [program, "-O", "a.param", "b.param", "--output-dir", "out"],
        cwd=models,
        stderr=terminal,
        stdout=subprocess.DEVNULL,
        check=True,
    )
    shown = os.read(reader, 1 << 16).decode()
    os.close(terminal)
    os.close(reader)
    assert re.search(r"ncnn-opt:.*/2 ", shown), shown


def test_the_table_is_no_wider_than_the_terminal() -> None:
    figures = {"layers": (12, 8), "bytes of weights": (3_456_789, 1_234_567)}
    outcomes = {
        Job(f"{'long/' * i}model.param", "out"): JobOutcome("done", "", figures, 1.0)
        for i in (0, 1, 40)
    }
    summary = BatchSummary("ncnn-opt", "1", [], outcomes, 3.0)
    head, short, longer, longest, last = summary.table(80).splitlines()
    assert len(head) == len(short) == len(longer) == len(longest) == 80
    assert short.startswith("model.param ")
    assert longer.startswith("long/model.param ")
    assert re.match(r"…[long/]+/model\.param  12 -> 8  3,456,789 -> 1,234,567     1\.00$", longest)
    assert last == "3 models in 3.0 s, none failed"
    assert f"{'long/' * 40}model.param  12 -> 8" in summary.table()


def test_figures_that_do_not_fit_are_named() -> None:
    figures = {"verdict": "PASSED", "layers": (12, 8), "bytes of weights": (3_456_789, 1_234_567)}
    outcomes = {
        Job("model.param", "out"): JobOutcome("done", "", figures, 1.0),
        Job("bad.param", "out"): JobOutcome("failed", ""),
    }
    summary = BatchSummary("ncnn-report", "1", [], outcomes, 3.0)
    wide = summary.table(80).splitlines()
    assert len(wide) == 4
    assert summary.table(len(wide[0])).splitlines() == wide
    head, first, bad, note, _ = summary.table(len(wide[0]) - 1).splitlines()
    assert head.split() == ["model", "verdict", "layers", "seconds"]
    assert first.split() == ["model.param", "PASSED", "12", "->", "8", "1.00"]
    assert bad.split() == ["bad.param", "FAILED"]  # beside PASSED
    assert note == (
        "the terminal is too narrow for bytes of weights; --summary FILE has all figures"
    )
    assert summary.table(1).splitlines()[0].split() == ["model", "verdict", "seconds"]


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="not a name here")
def test_a_name_that_is_no_text(models: Path, command: Command) -> None:
    name = os.fsdecode(b"a\xffb")
    for ending in ("param", "bin"):
        (models / f"a.{ending}").rename(models / f"{name}.{ending}")
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8:strict"}
    result = command(["-O", f"{name}.param", "--output-dir", "out"], env=environment)
    assert result.stdout.splitlines()[1].startswith(r"a\udcffb.param")
    assert (models / "out" / f"{name}.param").exists()
