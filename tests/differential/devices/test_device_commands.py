"""The commands on a device, and the commands of docs/devices.md."""

import json
import re
import shlex
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.tools import (
    ncnn_device_main,
    ncnn_opt_main,
    ncnn_quantize_main,
    ncnn_report_main,
    ncnn_run_main,
)

from .conftest import Server

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "devices.md").read_text("utf-8")
PI = "ssh://pi@raspberrypi.local"
MAINS: dict[str, Callable[[Sequence[str]], None]] = {
    "ncnn-device": ncnn_device_main.main,
    "ncnn-opt": ncnn_opt_main.main,
    "ncnn-quantize": ncnn_quantize_main.main,
    "ncnn-report": ncnn_report_main.main,
    "ncnn-run": ncnn_run_main.main,
}
INTERVAL = r"\d+\.\d\d \(\d+\.\d\d to \d+\.\d\d\)"

Call = Callable[..., tuple[int, str, str]]


@pytest.fixture
def call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Call:
    """Runs a command line in a folder with a small model; returns status, result and messages."""
    for kind in ("param", "bin"):
        shutil.copy(ROOT / f"examples/small_cnn.{kind}", tmp_path / f"model.{kind}")
    monkeypatch.chdir(tmp_path)

    def run(line: str) -> tuple[int, str, str]:
        name, *words = shlex.split(line)
        capfd.readouterr()
        status = 0
        try:
            MAINS[name](words)
        except SystemExit as e:
            status = int(e.code or 0)
        out, err = capfd.readouterr()
        return status, out, err

    return run


def section(title: str) -> list[str]:
    """Return the commands in the shell block of a section of the page."""
    text = PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    block = re.findall(r"^```sh\n(.*?)^```$", text, re.S | re.M)
    return block[0].splitlines()


def test_the_commands_for_a_raspberry_pi(server: Server, call: Call) -> None:
    lines = section("A Raspberry Pi in ten commands")
    assert len(lines) == 10
    results: dict[str, str] = {}
    for line in lines:
        if line.startswith("ncnn-"):
            there = line.replace(PI, str(server.address))
            there = there.replace("/home/pi/ncnn/bin/python", sys.executable)
            status, out, err = call(there)
            assert (status, "error" in err) == (0, False), err
            results[line] = out + err
    prepared, probed, *_, tuned, compared = results.values()
    assert "the python runner with ncnn 1.0." in prepared
    assert re.search(r"^instruction sets +\w+: .*$", probed, re.M)
    assert "no rewrite of this model depends on the processor" in tuned
    assert re.search(rf"^ratio +{INTERVAL}$", compared, re.M)
    assert f"{server.address}: model.param takes" in compared or "no difference" in compared
    assert server.is_clean()


def test_the_commands_for_android() -> None:
    lines = section("Android with the NDK in twelve commands")
    assert len(lines) == 12
    assert [line for line in lines if line.startswith("ncnn-")] == lines[-4:]


def test_two_devices_are_two_columns(server: Server, call: Call) -> None:
    call(f"ncnn-device prepare local --python {sys.executable}")
    on = f"--on-device {server.address} --on-device local"
    status, out, err = call(f"ncnn-run model.param {on} --repeat 16 --against model.param")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].split() == [str(server.address), "local"]
    assert re.fullmatch(r"median ms of model.param( +\d+\.\d{3}){2}", lines[1])
    assert re.fullmatch(rf"ratio +{INTERVAL} +{INTERVAL}", lines[3])
    assert [float(n) < 0.01 for n in lines[4].split()[-2:]] == [True, True]
    assert sum("16 runs of each model" in line for line in lines) == 2
    assert "the slowest layers of model.param on local, each asked for by itself:" in lines


def test_outputs_that_differ(here: Path, call: Call, tmp_path: Path) -> None:
    text = Path("model.param").read_text()
    assert "Softmax" in text
    Path("other.param").write_text(re.sub(r"Softmax( +\S+ +1 1 \S+ \S+).*", r"Sigmoid\1", text))
    shutil.copy("model.bin", "other.bin")
    line = "ncnn-run model.param --on-device local --repeat 16"
    status, out, _ = call(f"{line} --against other.param")
    assert status == 1
    assert re.search(
        r": the outputs of other.param there differ from the reference here by .*, limit 0.05$",
        out,
        re.M,
    )
    assert call(f"{line} --tolerance 1e-9")[0] == 1
    assert call(f"{line} --tolerance 0.5")[0] == 0


def test_reports_have_the_times(here: Path, call: Call) -> None:
    status, _, err = call("ncnn-report model.param --on-device local -o r.json")
    assert (status, err) == (0, "")
    notes = json.loads(Path("r.json").read_text())["notes"]
    assert any(re.match(r"median ms of model.param +\d+\.\d{3}", note) for note in notes)
    assert notes[-1] == "measured with data=3,32,32"
    call("ncnn-run model.param --on-device local --repeat 16 --report r.txt")
    assert "median ms of model.param" in Path("r.txt").read_text()


def test_int8_layers_are_timed_on_the_device(here: Path, call: Call) -> None:
    np.save("calib.npy", np.random.default_rng(0).random((2, 3, 32, 32), np.float32))
    line = "ncnn-quantize model.param --data calib.npy -o int8.param --quick -j1 --method mse"
    status, out, err = call(f"{line} --keep-slower --latency --repeat 16 --on-device local")
    assert status == 0
    kept = "stays float: " in out + err
    assert kept != ("the model is not faster with any layer in float" in out + err)
    assert re.search(r"int8 takes \d\.\d\d times as long as float", out + err)
    assert any(path.suffix == ".bin" for path in here.iterdir())


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("ncnn-device", "give probe or prepare, and an address; see --help"),
        ("ncnn-device probe", "give probe or prepare, and an address; see --help"),
        ("ncnn-device probe local --python p", "--runner and --python are for prepare"),
        (
            "ncnn-device probe pi",
            "'pi' is no address of a device: give ssh://[USER@]HOST[:PORT], adb://SERIAL or local",
        ),
        (
            "ncnn-device prepare local --runner no-file",
            "no-file: No such file or directory",
        ),
        (
            "ncnn-run model.param --on-device local --output o.npz",
            "--on-device only measures: give no --compare, --output, --blob, --top or --no-packing",
        ),
        (
            "ncnn-run model.param --on-device local --engine iree",
            "--on-device measures the ncnn runtime of a device: give no --engine iree",
        ),
        *(
            (
                f"ncnn-run model.param --on-device local {option} {value}",
                f"--on-device measures the runtime as the device runs it: give no {option}",
            )
            for option, value in (
                ("--precision", "float16"),
                ("--device", "vulkan"),
                ("--trace", "t.json"),
            )
        ),
        ("ncnn-run model.param --scheduler tcp://h:1", "--scheduler is for --on-device"),
        (
            "ncnn-run model.param --on-device local --scheduler no/address",
            "there is no scheduler at 'no/address'",
        ),
        (
            "ncnn-opt -O model.param -o o.param --tune measure",
            "--tune measure and --on-device ADDRESS belong together: give both",
        ),
        (
            "ncnn-opt -O model.param -o o.param --tune x86 --on-device local",
            "--tune measure and --on-device ADDRESS belong together: give both",
        ),
        (
            "ncnn-quantize model.param --data x.npy -o o.param --on-device local",
            "a device measures for keep_slower and latency: give one of them",
        ),
    ],
)
def test_wrong_usages(line: str, message: str, call: Call) -> None:
    status, out, err = call(line)
    assert (status, out, err) == (1, "", f"{line.split()[0]}: error: {message}\n")
    assert not Path("o.param").exists()
