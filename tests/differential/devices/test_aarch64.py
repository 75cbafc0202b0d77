"""The runner in C++ on aarch64, emulated by qemu, behind an ssh server.

`NCNN_AARCH64` names the installation of ncnn for aarch64 (`cmake --install`, without OpenMP and
Vulkan): the folder with `include/` and `lib/`.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ncnn_opt.runtime.devices.address import DeviceError
from ncnn_opt.runtime.devices.measurements import MeasuringOptions, measure, with_session
from ncnn_opt.runtime.devices.probe import probe
from ncnn_opt.runtime.devices.session import SAMPLE, Session, prepare
from ncnn_opt.runtime.messages import send

from .conftest import Server, ServerFactory
from .models import SLOW, data, small, write

PAGE = Path(__file__).parents[3] / "docs" / "devices.md"
SOURCES = Path(__file__).parents[3] / "runtime" / "runner"
WRONG: dict[tuple[Any, ...], str] = {
    ("load", "1", "no.param", "no.bin"): "load_param: -1",
    ("run", "1", SAMPLE): "no model '1'",
    ("run", "0", SAMPLE + 1): "extract 'out': -100",
    ("layers", "0"): "unknown request 'layers'",
    ("dance",): "unknown request 'dance'",
}
"""Requests that fail, and their errors."""
FATAL: dict[str, Any] = {
    "an array that is not float32": np.zeros(2, np.int32),
    "an array that has not 1 to 4 axes": np.zeros((1, 1, 1, 1, 1), np.float32),
}
"""Inputs that end the runner, and its last words."""
COMPILER, EMULATOR = "aarch64-linux-gnu-g++", "qemu-aarch64-static"


@pytest.fixture(scope="module")
def arm_server(new_server: ServerFactory, tmp_path_factory: pytest.TempPathFactory) -> Server:
    """A server that is prepared with an emulated runner."""
    built = os.environ.get("NCNN_AARCH64")
    if built is None or not Path(built, "lib", "libncnn.a").is_file():
        pytest.skip("needs ncnn for aarch64 in C++ (NCNN_AARCH64: its folder)")
    for program in (COMPILER, EMULATOR):
        if shutil.which(program) is None:
            pytest.skip(f"needs {program} (Debian: g++-aarch64-linux-gnu, qemu-user-static)")
    folder = tmp_path_factory.mktemp("runner")
    (line,) = re.findall(rf"^{re.escape(COMPILER)} .*$", PAGE.read_text("utf-8"), re.M)
    line = line.replace("runtime/runner/", f"{SOURCES}/").replace(
        "-o runner", f"-o {folder}/runner"
    )
    words = ["sh", "-c", f"{line} -Wall -Wextra -Werror"]
    environment = {**os.environ, "NCNN": built}
    subprocess.run(words, env=environment, check=True)
    emulated = folder / "emulated"
    emulated.write_text(f"#!/bin/sh\nexec {EMULATOR} {folder}/runner\n")
    server = new_server("arm")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NCNN_OPT_SSH", f"ssh -F {server.folder}/ssh_config")
        prepare(server.address, emulated).close()
    return server


@pytest.fixture
def server(arm_server: Server, monkeypatch: pytest.MonkeyPatch) -> Server:
    monkeypatch.setenv("NCNN_OPT_SSH", f"ssh -F {arm_server.folder}/ssh_config")
    return arm_server


def test_a_pair_is_measured_in_float16(server: Server, tmp_path: Path) -> None:
    models, inputs = [small(tmp_path), small(tmp_path, "twice", 2)], data(4, 16, 16)
    with Session.open(server.address) as opened:
        facts = probe(opened, gpus=True)
        found = measure(opened, models, inputs, MeasuringOptions(pairs=16))
    assert (facts.family, facts.runner, facts.precision) == ("arm", "c++", "float16")
    assert facts.gpus == []
    assert found.ratio is not None
    assert found.ratio.low <= found.ratio.value <= found.ratio.high
    assert found.runs == 16
    one, two = (outputs["out"] for outputs in found.outputs)
    assert one.shape == (8, 16, 16)
    error = np.abs(two - 2 * one).max() / np.abs(two).max()
    assert error < 5e-3
    ours = reference(models[0].weights, inputs["data"])
    difference = np.abs(one - ours).max() / np.abs(ours).max()
    assert 1e-6 < difference < 5e-3  # float16, not float32
    assert server.is_clean()


def reference(weights: Path, image: "np.ndarray[tuple[int, ...], np.dtype[np.float32]]"):  # type: ignore
    """Return the outputs of the small model."""
    kernel = np.frombuffer(weights.read_bytes()[4:], "<f4").reshape(8, 4, 3, 3)
    padded = np.pad(image, ((0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), (1, 2))
    return np.maximum(np.einsum("oihw,iyxhw->oyx", kernel, windows), 0)


def test_requests(server: Server, tmp_path: Path) -> None:
    model = small(tmp_path)
    with Session.open(server.address) as opened:
        opened.load(0, model.param, model.weights)
        opened.feed(data(4, 16, 16))
        conv, lost, out = opened.call("layers", "0", SAMPLE, ["conv", "no", "out"])
        for request, problem in WRONG.items():
            with pytest.raises(DeviceError, match=problem):
                opened.call(*request)
        odd = 'a "b" \\ \t ä'  # a file of this name is not there
        with pytest.raises(DeviceError, match=re.escape(odd)):
            opened.call(odd)
        opened.call("keep", SAMPLE, {"data": np.ones(3, "<f4"), odd: np.ones((1, 2, 3, 4), "<f4")})
        assert opened.call("threads", 1) is None
    for words, values in FATAL.items():
        with Session.open(server.address) as opened:
            with pytest.raises(DeviceError, match=f"the runner there ended with status 1.*{words}"):
                opened.call("keep", SAMPLE, {"data": values})
    assert conv > 0
    assert out >= 0
    assert lost == -1
    assert server.is_clean()


def test_faults(server: Server, tmp_path: Path) -> None:
    slow, plan = write(tmp_path, "slow", SLOW), MeasuringOptions(limit=1)
    with pytest.raises(DeviceError, match="the run took more than 1 s"):
        with_session(server.address, lambda s: measure(s, [slow], data(1, 500, 500), plan))
    assert server.is_clean()
    with Session.open(server.address) as opened:
        with pytest.raises(DeviceError, match="another session"):
            Session.open(server.address, waiting=0)
        opened.load(0, slow.param, slow.weights)
        opened.feed(data(1, 500, 500))
        process = opened._process  # pyright: ignore[reportPrivateUsage]
        assert process is not None
        assert process.stdin is not None
        send(process.stdin, {"seconds": 60, "method": "run", "arguments": ["0", SAMPLE]})
    assert server.is_clean()  # in the middle of the run
