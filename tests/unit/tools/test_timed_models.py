"""Models whose runs are timed, in the process of the runner on a device."""

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.interpreters.errors import RunError
from ncnn_opt.runtime.process import Process

pytest.importorskip("ncnn")

LINES = """7767517
3 3
Input data 0 1 data
Convolution conv 1 1 data conv 0=64 1=3 4=1 6=9216
ReLU act 1 1 conv out
"""
IMAGE = np.random.default_rng(1).random((16, 9, 9), np.float32)
RUNNER = "from ncnn_opt.runtime.devices.runner import Runner; Runner().serve()"


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    """A convolution whose weights lie in a pool of the model, because the runtime packs them."""
    values = np.random.default_rng(0).standard_normal(9216).astype("<f4")
    (tmp_path / "m.param").write_text(LINES)
    (tmp_path / "m.bin").write_bytes(bytes(4) + values.tobytes())
    return str(tmp_path / "m.param"), str(tmp_path / "m.bin")


@pytest.fixture
def runner(files: tuple[str, str]) -> Iterator[Process]:
    with Process([sys.executable, "-P", "-c", RUNNER], 60) as runner:
        runner.call("load", "a", *files)
        runner.call("keep", 0, {"data": IMAGE, "of another model": IMAGE})
        yield runner


def test_outputs_are_those_of_a_host(runner: Process, files: tuple[str, str]) -> None:
    (name, blob), *others = runner.call("run", "a", 0).items()
    assert (name, others, blob.shape) == ("out", [], (64, 9, 9))
    settings = None, True, True, "default"
    expected = runner.call("execute", *files, {"data": IMAGE}, {}, ["conv", "out"], *settings)
    assert np.array_equal(blob, expected["out"])
    again = runner.call("run", "a", {"data": IMAGE}, ["conv"])
    assert np.array_equal(again["conv"], expected["conv"])


def test_times(runner: Process, files: tuple[str, str]) -> None:
    runner.call("load", "b", *files)
    blocks = runner.call("time", 3, 0, ["a", "b"])
    assert [len(times) for block in blocks for times in block["ms"]] == [2] * 6
    assert all(ms > 0 for block in blocks for times in block["ms"] for ms in times)
    conv, lost, out = runner.call("layers", "a", 0, ["conv", "no", "out"])
    assert lost is None
    assert conv > 0
    assert out >= 0


def test_models_end_before_their_pools(runner: Process, files: tuple[str, str]) -> None:
    """Otherwise the process crashes."""
    for _ in range(3):
        runner.call("load", "a", *files)  # in place of the other
        runner.call("run", "a", 0)
    runner.call("drop", "a")
    with pytest.raises(RunError, match="KeyError: 'a'"):
        runner.call("run", "a", 0)
    with pytest.raises(RunError, match="KeyError: 'a'"):
        runner.call("time", 1, 0, ["a"])
    runner.call("load", "a", *files)
    assert len(runner.call("time", 1, 0, ["a"])) == 1


def test_models_that_do_not_load_or_run(runner: Process, files: tuple[str, str]) -> None:
    with pytest.raises(RunError, match="^load_param: -1"):
        runner.call("load", "b", "/nowhere.param", files[1])
    Path(files[1]).write_bytes(bytes(100))
    with pytest.raises(RunError, match="^load_model: -1"):
        runner.call("load", "b", *files)
    runner.call("keep", 1, {})
    with pytest.raises(RunError, match="^extract 'out': -100"):
        runner.call("time", 1, 1, ["a"])
    assert len(runner.call("time", 1, 0, ["a"])) == 1
