"""Folders of models: mirrored, resumed, summarized, in all commands."""

import csv
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as xml

import numpy as np
import pytest

Command = Callable[..., subprocess.CompletedProcess[str]]


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
    assert status_by_model(models / "s.json") == {"a.param": "up to date"}
    weights = (models / "like.bin").read_bytes()
    (models / "like.bin").write_bytes(weights[:-1] + bytes([weights[-1] ^ 1]))
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
        "ncnn-report: error: --html names one file; --output-dir DIR --output-kind html writes a "
        "page for each model and DIR/index.html; --summary FILE.csv one table\n"
    )
