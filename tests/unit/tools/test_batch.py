"""Many models in one command."""

import csv
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as xml

import numpy as np
import pytest
from ncnn_opt.driver.batch.jobs import Job, Outcome
from ncnn_opt.driver.batch.summary import Summary
from ncnn_opt.driver.files import Change
from ncnn_opt.driver.optimizing import Optimizer
from ncnn_opt.tools import ncnn_opt_main

Command = Callable[..., subprocess.CompletedProcess[str]]
Refused = Callable[..., str]

NAMES = ("a", "b", "c")


@pytest.fixture
def models(folder: Path) -> Path:
    """The folder with three models."""
    for i, name in enumerate(NAMES):
        (folder / f"{name}.param").write_text((folder / "model.param").read_text())
        weights = bytearray((folder / "model.bin").read_bytes())
        weights[4] = i
        (folder / f"{name}.bin").write_bytes(weights)
    return folder


@pytest.fixture
def alone(models: Path, command: Command) -> dict[str, bytes]:
    """What each of them becomes by itself."""
    (models / "alone").mkdir()
    for name in NAMES:
        command(["-O", f"{name}.param", "-o", f"alone/{name}.param"])
    return files_in(models / "alone")


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
        r"--summary writes \.json, \.csv, \.xml, not 's\.txt'",
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

    def run_or_not(self: Optimizer) -> Change:
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
        Job(f"{'long/' * i}model.param", "out"): Outcome("done", "", figures, 1.0)
        for i in (0, 1, 40)
    }
    summary = Summary("ncnn-opt", "1", [], outcomes, 3.0)
    head, short, longer, longest, last = summary.table(80).splitlines()
    assert len(head) == len(short) == len(longer) == len(longest) == 80
    assert short.startswith("model.param ")
    assert longer.startswith("long/model.param ")
    assert re.match(r"…[long/]+/model\.param  12 -> 8  3,456,789 -> 1,234,567     1\.00$", longest)
    assert last == "3 models in 3.0 s, none failed"
    assert f"{'long/' * 40}model.param  12 -> 8" in summary.table()


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="not a name here")
def test_a_name_that_is_no_text(models: Path, command: Command) -> None:
    name = os.fsdecode(b"a\xffb")
    for ending in ("param", "bin"):
        (models / f"a.{ending}").rename(models / f"{name}.{ending}")
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8:strict"}
    result = command(["-O", f"{name}.param", "--output-dir", "out"], env=environment)
    assert result.stdout.splitlines()[1].startswith(r"a\udcffb.param")
    assert (models / "out" / f"{name}.param").exists()


@pytest.fixture
def zoo(models: Path) -> Path:
    """Models in folders: a good one, a damaged one, and files that are no models of their own."""
    (models / "zoo/sub/.hidden").mkdir(parents=True)
    for name in ("zoo/a", "zoo/sub/b", "zoo/sub/.hidden/h"):
        for ending in ("param", "bin"):
            (models / f"{name}.{ending}").write_bytes((models / f"a.{ending}").read_bytes())
    for name in ("zoo/a.pnnx.param", "zoo/a.mlir", "zoo/a.py", "zoo/sub/b.param.bin"):
        (models / name).write_text("not read")
    (models / "zoo/sub/bad.param").write_text("nonsense")
    return models


def status_by_model(path: Path) -> dict[str, str]:
    return {row["model"]: row["status"] for row in json.loads(path.read_text())["models"]}


RUN = ["-O", "zoo", "--output-dir", "zoo/fast", "--summary", "s.json"]


def test_folders_are_mirrored(zoo: Path, alone: dict[str, bytes], command: Command) -> None:
    result = command(["-q", *RUN], check=False)
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.startswith("ncnn-opt: error: zoo/sub/bad.param:1:1: ")
    fast = zoo / "zoo/fast"
    found = [str(p.relative_to(fast)) for p in fast.rglob("*") if p.is_file()]
    assert sorted(found) == [".ncnn-opt-manifest", "a.bin", "a.param", "sub/b.bin", "sub/b.param"]
    assert (fast / "sub/b.param").read_bytes() == alone["a.param"]
    summary = json.loads((zoo / "s.json").read_text())
    assert summary["options"] == ["-q", "-O"]
    assert summary["counts"] == {"done": 2, "failed": 1, "up to date": 0, "not run": 0}
    a, b, bad = summary["models"]
    assert a["layers"] == {"before": 3, "after": 2}
    assert (b["model"], b["output"]) == ("zoo/sub/b.param", "zoo/fast/sub/b.param")
    assert (bad["status"], bad["message"]) == ("failed", result.stderr.strip())


def test_resuming_skips_what_is_up_to_date(zoo: Path, command: Command) -> None:
    def resumed(*more: str) -> list[str]:
        """Returns the models that are processed again."""
        command([*RUN, "--resume", *more], check=False)
        found = status_by_model(zoo / "s.json")
        return sorted(Path(name).stem for name, status in found.items() if status == "done")

    assert resumed() == ["a", "b"]
    assert resumed("-q") == []
    assert status_by_model(zoo / "s.json")["zoo/sub/bad.param"] == "failed"
    output, weights = zoo / "zoo/fast/a.param", zoo / "zoo/a.bin"
    before = output.stat().st_mtime_ns
    os.utime(weights)  # another time, the same content
    assert resumed() == []
    assert output.stat().st_mtime_ns == before
    time = weights.stat().st_mtime_ns
    weights.write_bytes(weights.read_bytes()[:-1] + b"\1")
    os.utime(weights, ns=(time, time))  # another content, the same time
    assert resumed() == ["a"]
    output.write_text("changed by hand")
    assert resumed() == ["a"]
    (zoo / "zoo/fast/sub/b.bin").unlink()
    assert resumed() == ["b"]
    assert resumed("--storage", "fp16") == ["a", "b"]
    assert resumed("--storage", "fp16") == []
    manifest = zoo / "zoo/fast/.ncnn-opt-manifest"
    lines = manifest.read_bytes().splitlines()
    manifest.write_bytes(b"\n".join([*lines, b"[]", b"{", lines[-1][:40]]))  # torn by a kill
    assert resumed("--storage", "fp16") == []
    (zoo / "zoo/sub/c.param").write_bytes((zoo / "a.param").read_bytes())
    (zoo / "zoo/sub/c.bin").write_bytes((zoo / "a.bin").read_bytes())
    assert resumed("--storage", "fp16") == ["c"]
    assert resumed("--storage", "fp16") == []


def test_a_model_in_its_own_place_is_optimized_once(models: Path, command: Command) -> None:
    line = ["-O", "a.param", "--output-dir", ".", "--summary", "s.json", "--resume"]
    for expected in ("done", "up to date"):
        command(line)
        assert status_by_model(models / "s.json") == {"a.param": expected}


def test_options_that_name_a_file_depend_on_it(models: Path, command: Command) -> None:
    (models / "like.bin").write_bytes((models / "a.bin").read_bytes())
    line = ["-O", "a.param", "--weights", "like.bin", "--output-dir", "out", "--summary", "s.json"]
    for expected in ("done", "up to date"):
        command([*line, "--resume"])
        assert status_by_model(models / "s.json") == {"a.param": expected}
    os.utime(models / "like.bin", ns=(1, 1))
    command([*line, "--resume"])
    assert status_by_model(models / "s.json") == {"a.param": "done"}


def test_the_first_failure_can_end_it(zoo: Path, command: Command) -> None:
    (zoo / "zoo/a.param").write_text("nonsense")
    result = command([*RUN, "--no-keep-going"], check=False)
    assert result.returncode == 1
    assert list(status_by_model(zoo / "s.json").values()) == ["failed", "not run", "not run"]
    assert result.stdout.splitlines()[-1].endswith(", 1 failed, 2 not run")


def test_a_summary_as_csv_and_for_junit(zoo: Path, command: Command) -> None:
    (zoo / "zoo/sub/bad.param").write_text("7767517\n1 1\n\x01\x02 x 0 1 x")
    command([*RUN[:-1], "s.csv"], check=False)
    command([*RUN[:-1], "s.xml", "--resume"], check=False)
    rows = list(csv.DictReader((zoo / "s.csv").open()))
    assert [row["status"] for row in rows] == ["done", "done", "failed"]
    assert (rows[0]["layers before"], rows[0]["layers after"]) == ("3", "2")
    assert rows[2]["message"].startswith("ncnn-opt: error: zoo/sub/bad.param")
    (suite,) = xml.fromstring((zoo / "s.xml").read_text())
    assert {k: suite.attrib[k] for k in ("tests", "failures", "skipped")} == {
        "tests": "3",
        "failures": "1",
        "skipped": "2",
    }
    assert [[child.tag for child in case] for case in suite] == [["skipped"]] * 2 + [["failure"]]
    (failure,) = suite[2]
    assert failure.attrib["message"].startswith("ncnn-opt: error: zoo/sub/bad.param")


def test_a_killed_run_resumes(zoo: Path, command: Command) -> None:
    (zoo / "zoo/sub/bad.param").unlink()
    # Reading the second model waits until the run is killed.
    os.mkfifo(zoo / "zoo/sub/wait.param")
    program = Path(sys.executable).with_name("ncnn-opt")
    with subprocess.Popen([program, *RUN], cwd=zoo, stdout=subprocess.DEVNULL) as run:
        manifest = zoo / "zoo/fast/.ncnn-opt-manifest"
        until = time.monotonic() + 60
        while not manifest.exists() or manifest.read_bytes().count(b"\n") < 2:
            assert time.monotonic() < until
            time.sleep(0.02)
        run.kill()
    (zoo / "zoo/sub/wait.param").unlink()
    for ending in ("param", "bin"):
        (zoo / f"zoo/sub/wait.{ending}").write_bytes((zoo / f"a.{ending}").read_bytes())
    command([*RUN, "--resume"])
    assert status_by_model(zoo / "s.json") == {
        "zoo/a.param": "up to date",
        "zoo/sub/b.param": "up to date",
        "zoo/sub/wait.param": "done",
    }


@pytest.mark.parametrize(
    ("tool", "options", "made"),
    [
        ("ncnn-report", [], ["a.txt", "b.txt"]),
        ("ncnn-report", ["--output-kind", "html", "-j2"], ["a.html", "b.html"]),
        ("ncnn-report", ["--output-kind=json"], ["a.json", "b.json"]),
        ("ncnn-compile", ["--output-kind", "mlir"], ["a.mlir", "b.mlir"]),
        ("ncnn-quantize", ["--weights-only", "--block", "row"], ["a.bin", "a.param"]),
        ("ncnn-quantize", ["--data", "x.npy", "--quick"], ["a.bin", "a.param"]),
    ],
    ids=" ".join,
)
def test_other_commands_take_many_models(
    tool: str, options: list[str], made: list[str], zoo: Path, command: Command
) -> None:
    np.save(zoo / "x.npy", np.random.default_rng(0).normal(size=(4, 3)).astype(np.float32))
    if "--weights-only" in options:  # a layer with such weights
        for name in ("zoo/a", "zoo/sub/b"):
            gemm = "Gemm g 1 1 x y 3=1 5=1 6=1 8=4 9=8 10=-1"
            (zoo / f"{name}.param").write_text(f"7767517\n2 2\nInput x 0 1 x 0=8 1=2\n{gemm}\n")
            (zoo / f"{name}.bin").write_bytes(bytes(4) + np.ones(32, np.float32).tobytes())
    line = ["zoo", "--output-dir", "out", "--summary", "s.json", *options]
    for again in ([], ["--resume"]):
        result = command([*line, *again], tool=tool, check=False)
        assert result.returncode == 1
        assert "Traceback" not in result.stderr
        assert f"{tool}: error: zoo/sub/bad.param:1:1: " in result.stderr
        expected = "up to date" if again else "done"
        assert list(status_by_model(zoo / "s.json").values()) == [expected, expected, "failed"]
    names = {p.name for p in (zoo / "out").rglob("*") if p.is_file()}
    assert set(made) <= names


def test_each_report_is_that_of_one_model(zoo: Path, command: Command) -> None:
    result = command(["zoo", "--output-dir", "out"], tool="ncnn-report", check=False)
    alone = command(["zoo/sub/b.param"], tool="ncnn-report").stdout
    assert (zoo / "out/sub/b.txt").read_text() == alone
    assert result.stdout.split()[:6] == ["model", "layers", "multiply-adds", "bytes", "at", "the"]


def test_commands_that_need_one_model(zoo: Path, command: Command) -> None:
    result = command(["apply", "zoo", "--output-dir", "out"], tool="ncnn-quantize", check=False)
    assert result.stderr == (
        "ncnn-quantize: error: --output-dir is for quantizing models, not for 'apply'\n"
    )
    result = command(
        ["zoo", "--html", "x.html", "--output-dir", "out"], tool="ncnn-report", check=False
    )
    assert result.stderr == (
        "ncnn-report: error: --html names one file; --output-dir keeps their names\n"
    )
