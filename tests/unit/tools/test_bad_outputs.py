"""Writing that fails, or goes to what is no file: results are whole or not there."""

import ctypes
import os
import random
import resource
import stat
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest

pytestmark = pytest.mark.slow

Refused = Callable[..., str]
Command = Callable[..., subprocess.CompletedProcess[str]]

LARGE = """7767517
2 2
Input data 0 1 data 0=300
InnerProduct fc 1 1 data fc 0=1000 2=300000
"""
"""A model with 1.2 MB of weights."""


@pytest.fixture
def large(folder: Path) -> Path:
    (folder / "model.param").write_text(LARGE)
    (folder / "model.bin").write_bytes(bytes(4) + random.Random(0).randbytes(4 * 300_000))
    return folder


def limited(size: int) -> Callable[[], None]:
    """No file of the process may grow beyond this: as if the disk were full."""
    return partial(resource.setrlimit, resource.RLIMIT_FSIZE, (size, size))


@pytest.mark.parametrize("size", [0, 100_000])
@pytest.mark.parametrize(
    "arguments",
    [
        ["-o", "out.param"],
        ["-o", "out.mlir"],
        ["-o", "out.mlir", "--inline-weights"],
        ["-o", "new.param"],
        ["-o", "out.param", "--output-weights", "other.bin"],
        ["--weights", "random", "-o", "out.param"],
        ["-o", "model.param"],
    ],
    ids=" ".join,
)
def test_full_disk(arguments: list[str], size: int, refused: Refused, large: Path) -> None:
    message = refused(["model.param", *arguments], preexec_fn=limited(size))
    assert "File too large" in message


@pytest.mark.parametrize("size", [0, 50])
def test_disk_that_is_full_after_the_weights(size: int, refused: Refused, folder: Path) -> None:
    # The weights fit, the text does not: then neither may appear.
    layers = "".join(f"AbsVal a{i} 1 1 {f'a{i - 1}' if i else 'data'} a{i}\n" for i in range(50))
    (folder / "model.param").write_text(f"7767517\n51 51\nInput data 0 1 data 0=3\n{layers}")
    (folder / "model.bin").write_bytes(b"")
    refused(["model.param", "-o", "out.param"], preexec_fn=limited(size))


NEEDS_FULL_DEVICE = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")

UNBUFFERED = pytest.mark.parametrize("unbuffered", ["", "1"], ids=["buffered", "unbuffered"])
"""Python's PYTHONUNBUFFERED, under which a text may be written in part without an error."""


@NEEDS_FULL_DEVICE
@UNBUFFERED
def test_full_device_on_standard_output(unbuffered: str, refused: Refused) -> None:
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    with open("/dev/full", "w") as full:
        message = refused(["model.param"], stdout=full, env=environment)
    assert "No space left" in message


@UNBUFFERED
@pytest.mark.usefixtures("large")
def test_disk_that_becomes_full_on_standard_output(
    unbuffered: str, refused: Refused, tmp_path_factory: pytest.TempPathFactory
) -> None:
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    with (tmp_path_factory.mktemp("elsewhere") / "out.mlir").open("w") as out:
        message = refused(
            ["model.param", "--inline-weights"],
            stdout=out,
            env=environment,
            preexec_fn=limited(100_000),
        )
    assert "File too large" in message


@NEEDS_FULL_DEVICE
def test_full_device_as_output(refused: Refused, large: Path) -> None:
    assert "No space left" in refused(["model.param", "-o", "/dev/full"])
    message = refused(["model.param", "-o", "out.param", "--output-weights", "/dev/full"])
    assert "No space left" in message


def test_folder_as_output(refused: Refused, folder: Path) -> None:
    (folder / "folder.param").mkdir()
    message = refused(["model.param", "-o", "folder.param"])
    assert "folder.param" in message
    assert "directory" in message
    message = refused(["model.param", "-o", "out.param", "--output-weights", "folder.param"])
    assert "folder.param" in message
    assert "directory" in message


def test_output_in_a_folder_that_is_not_there(refused: Refused) -> None:
    for path in ("nowhere/out.param", "nowhere/out.mlir"):
        message = refused(["model.param", "-o", path])
        assert message.endswith(": there is no folder 'nowhere'")

    message = refused(["model.param", "-o", "out.param", "--output-weights", "nowhere/out.bin"])
    assert "nowhere" in message


@pytest.mark.parametrize(
    ("output", "reason"),
    [
        (["-o", "nowhere/out.param"], "there is no folder 'nowhere'"),
        (["-o", "out.param", "--output-weights", "nowhere/out.bin"], "no folder 'nowhere'"),
        (["-o", "taken.param"], "Is a directory"),
        (["-o", "out.mlir", "--output-weights", "taken.param"], "Is a directory"),
    ],
    ids=str,
)
def test_places_are_checked_before_passes_run(
    output: list[str], reason: str, refused: Refused, folder: Path
) -> None:
    (folder / "taken.param").mkdir()
    # A pass that has run would print its time.
    assert reason in refused(["model.param", "-O", "--time-passes", *output])


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("ncnn-report", ["empty.param", "--html"]),
        ("ncnn-run", ["model.param", "--input", "none.npy", "--output"]),
        ("ncnn-compile", ["empty.param", "-o"]),
        ("ncnn-quantize", ["calibrate", "model.param", "--data", "none.npy", "-o"]),
        ("ncnn-table", ["model.param", "model.bin", "none.txt"]),
    ],
    ids=str,
)
def test_places_of_other_commands_are_checked_first(
    tool: str, arguments: list[str], command: Command, folder: Path
) -> None:
    (folder / "empty.param").touch()
    output = {"ncnn-run": "no/x.npz", "ncnn-compile": "no/x.mlir"}.get(tool, "no/x")
    result = command([*arguments, output], tool=tool, check=False)
    assert result.returncode == 1
    assert result.stderr.endswith(f"error: {output}: there is no folder 'no'\n")


DROP_BOUND, MAY_WRITE_ANYWHERE = 24, 1
"""PR_CAPBSET_DROP and CAP_DAC_OVERRIDE of Linux."""


def obeying_modes() -> None:
    """Let the modes of files hold for the superuser as for other users, from the next `exec` on."""
    if os.geteuid() == 0:
        ctypes.CDLL(None).prctl(DROP_BOUND, MAY_WRITE_ANYWHERE, 0, 0, 0)


def test_output_in_a_folder_that_may_not_be_written(refused: Refused, folder: Path) -> None:
    locked = folder / "locked"
    locked.mkdir()
    (locked / "out.param").write_text("old")
    locked.chmod(0o555)
    output = ["model.param", "-o", "locked/out.param"]
    message = refused(output, preexec_fn=obeying_modes)
    locked.chmod(0o755)
    assert "locked" in message
    assert "Permission denied" in message


def test_weights_and_model_in_one_file(refused: Refused) -> None:
    message = refused(["model.param", "-o", "out.param", "--output-weights", "out.param"])
    assert "out.param" in message


def test_output_weights(command: Command, folder: Path) -> None:
    old = (folder / "out.bin").read_bytes()
    result = command(["model.param", "-o", "out.param", "--output-weights", "other.bin"])
    assert result.stderr == "ncnn-opt: 3 -> 3 layers, 68 -> 68 bytes of weights (+0.00 %)\n"
    assert (folder / "other.bin").read_bytes() == (folder / "model.bin").read_bytes()
    assert "InnerProduct" in (folder / "out.param").read_text()
    assert (folder / "out.bin").read_bytes() == old


def test_output_weights_of_ir(command: Command, large: Path) -> None:
    command(["model.param", "-o", "out.mlir", "--output-weights", "other.bin"])
    text = (large / "out.mlir").read_text()
    assert '#ncnn.weight<"other.bin",' in text
    command(["out.mlir", "-o", "again.param"])
    assert (large / "again.bin").read_bytes() == (large / "model.bin").read_bytes()


def test_a_model_may_replace_itself(command: Command, folder: Path) -> None:
    weights = (folder / "model.bin").read_bytes()
    command(["model.param", "-O", "-o", "model.param"])
    assert "ReLU" not in (folder / "model.param").read_text()
    assert (folder / "model.bin").read_bytes() == weights
    assert not list(folder.glob(".*"))


def test_ir_may_replace_itself(command: Command, large: Path) -> None:
    command(["model.param", "-o", "new.mlir"])
    for _ in range(2):
        command(["new.mlir", "-O", "-o", "new.mlir"])
    command(["new.mlir", "-o", "again.param"])
    assert (large / "again.bin").read_bytes() == (large / "model.bin").read_bytes()


def test_the_null_device_stays_a_device(command: Command, large: Path) -> None:
    before = set(os.listdir("/dev"))
    result = command(["model.param", "-o", "/dev/null"])
    assert (result.stderr, result.stdout) == ("", "")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    assert "null.bin" not in set(os.listdir("/dev")) - before
    command(["model.param", "-o", "out.param", "--output-weights", "/dev/null"])
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


@UNBUFFERED
def test_reader_that_goes_away(unbuffered: str, large: Path) -> None:
    program = Path(sys.executable).with_name("ncnn-opt")
    with subprocess.Popen(
        [str(program), "model.param", "--inline-weights"],
        cwd=large,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == "builtin.module {\n"
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 1


@pytest.mark.skipif(not os.path.exists("/dev/stdout"), reason="no /dev/stdout")
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("ncnn-opt", ["-o", "/dev/stdout"]),
        ("ncnn-opt", ["-o", "/dev/fd/1"]),
        ("ncnn-opt", ["-o", "new.param", "--output-weights", "/dev/stdout"]),
        ("ncnn-report", ["-o", "/dev/stdout"]),
        ("ncnn-report", ["--html", "/dev/stdout"]),
    ],
    ids=str,
)
def test_standard_output_by_name(
    tool: str, arguments: list[str], command: Command, folder: Path
) -> None:
    # It is the end of a file that holds more.
    log = folder / "log"
    log.write_text("as it was\n")
    with log.open("a") as out:
        command(["model.param", *arguments], tool=tool, stdout=out)
    assert log.read_bytes().startswith(b"as it was\n")
    assert len(log.read_bytes()) > 70


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("ncnn-report", ["-o", "./model.bin"]),
        ("ncnn-report", ["--html", "model.bin"]),
        ("ncnn-report", ["--weights", "./model.bin", "-o", "model.bin"]),
        ("ncnn-report", ["--html", "report", "-o", "./report"]),
        ("ncnn-run", ["--input", "x.npz", "-o", "./x.npz"]),
        ("ncnn-run", ["--input", "data=x.npz", "-o", "x.npz"]),
    ],
    ids=str,
)
def test_results_in_place_of_what_they_are_made_of(
    tool: str, arguments: list[str], command: Command, folder: Path
) -> None:
    np.savez(folder / "x.npz", data=np.zeros(3, np.float32))
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    result = command(["model.param", *arguments], tool=tool, check=False)
    assert result.returncode == 1
    assert "replace it" in result.stderr or "cannot be both" in result.stderr
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="not a name here")
def test_a_report_on_a_name_that_is_no_text(command: Command, folder: Path) -> None:
    name = os.fsdecode(b"a\xffb.param")
    (folder / "model.param").rename(folder / name)
    command([name, "--html", "report.html", "-o", "report.txt"], tool="ncnn-report")
    assert "a?b.param" in (folder / "report.html").read_text("utf-8")
