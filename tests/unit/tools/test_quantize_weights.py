"""`ncnn-quantize --weights-only`: what it writes and says, and what it refuses."""

import struct
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

Command = Callable[..., subprocess.CompletedProcess[str]]

PARAM = """7767517
4 4
Input data 0 1 data
Gemm first 1 1 data first 3=1 5=1 6=1 8=6 9=40 10=-1
ReLU relu 1 1 first middle
Gemm last 1 1 middle out 3=1 5=1 6=1 8=5 9=6 10=-1
"""


def weights(*values: NDArray[Any]) -> bytes:
    return b"".join(bytes(4) + value.astype("<f4").tobytes() for value in values)


@pytest.fixture
def model(folder: Path) -> Path:
    rng = np.random.default_rng(0)
    path = folder / "llm.param"
    path.write_text(PARAM)
    matrices = rng.standard_normal((6, 40)), rng.standard_normal((5, 6))
    path.with_suffix(".bin").write_bytes(weights(*matrices))
    return path


@pytest.fixture
def quantize(command: Command, model: Path) -> Command:
    def run(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
        given = ["llm.param", "--weights-only", *arguments]
        return command(given, tool="ncnn-quantize", **options)

    return run


def test_what_is_written_and_said(quantize: Command, folder: Path) -> None:
    done = quantize("--bits", "4", "--block", "32", "-o", "q4.param")
    assert not done.stdout
    assert done.stderr.splitlines() == [
        "ncnn-quantize: 2 of 2 layers quantized, 1,088 -> 204 bytes of weights (-81.25 %)",
        "ncnn-quantize: requires ncnn 20261020 now: Gemm 'first', weights quantized in blocks",
    ]
    # 6 rows of 20 bytes with 2 scales each, 5 of 3 bytes with 1.
    assert (folder / "q4.bin").stat().st_size == 6 * 20 + 6 * 2 * 4 + 16 + 5 * 4
    assert " 18=400\n" in (folder / "q4.param").read_text()


def test_remarks(quantize: Command) -> None:
    told = quantize("--keep", "last", "-o", "q.param").stderr.splitlines()
    assert told[0] == "remark: quantize-weights: Gemm 'last' (stays float: it is to be kept)"
    assert told[1].startswith("ncnn-quantize: 1 of 2 layers quantized, ")
    assert not quantize("--quiet", "--keep", "last", "-o", "q.param").stderr
    more = quantize("--remarks", "--keep", "last", "-o", "q.param").stderr.splitlines()
    assert set(told) < set(more)
    assert "remark: quantize-weights: Gemm 'first' (weights of 8 bits in blocks of 64)" in more


def test_other_weights_as_float16(quantize: Command, folder: Path) -> None:
    quantize("--bits", "6", "--keep", "last", "--storage", "fp16", "-o", "q.param")
    assert (folder / "q.bin").read_bytes()[-64:-60] == struct.pack("<I", 0x01306B47)


def test_rows(quantize: Command, folder: Path) -> None:
    quantize("--block", "row", "--method", "mse", "-o", "q.param")
    assert (folder / "q.param").read_text().count(" 18=2\n") == 2


def test_data_of_a_folder(quantize: Command, folder: Path) -> None:
    (folder / "calib").mkdir()
    rng = np.random.default_rng(1)
    for i in range(2):
        np.savez(folder / "calib" / f"{i}.npz", data=rng.standard_normal((1, 8, 40)))
    quantize("--bits", "4", "--data", "calib", "-o", "a.param")
    files = ["calib/0.npz", "calib/1.npz"]
    quantize("--bits", "4", "--data", *files, "-o", "b.param")
    quantize("--bits", "4", "--method", "gptq", "--data", files[0], "-o", "c.param")
    a, b, c = ((folder / f"{name}.bin").read_bytes() for name in "abc")
    assert a == b
    assert a != c


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--bits", "4"], "-o is missing; see --help"),
        (["--bits", "5", "-o", "q.param"], "argument --bits: invalid choice: 5"),
        (["--block", "48", "-o", "q.param"], "argument --block: invalid choice: '48'"),
        (["--bits", "4", "--block", "row", "-o", "q.param"], "4 bits need a block of 32, 64 or"),
        (["--method", "awq", "-o", "q.param"], "method awq needs data"),
        (["--method", "mse", "--data", "x.npz", "-o", "q.param"], "method mse reads no data"),
        (["--data", "x.npz", "-o", "q.param"], "x.npz: No such file or directory"),
        (["--data", "empty", "-o", "q.param"], "empty: there is no .npz in it"),
        (["--keep", "lost", "-o", "q.param"], "there is no layer 'lost'; did you mean 'last'?"),
        (["--keep", "last,first", "-o", "q.param"], "nothing was quantized: Gemm 'first' stays"),
        (["--weights", "none", "-o", "q.param"], "the values of weight 'B' were left out"),
        (["--data", "data.npz", "-o", "q.param"], "there is no array of the name of an input"),
        (["--data", "data.npz", "-o", "data.npz"], "data.npz"),
    ],
)
def test_mistakes(arguments: Sequence[str], said: str, quantize: Command, folder: Path) -> None:
    (folder / "empty").mkdir()
    np.savez(folder / "data.npz", other=np.ones((1, 2, 40)))
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    done = quantize(*arguments, check=False)
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith("ncnn-quantize: error: ")
    assert said in done.stderr
    assert before == {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def test_a_model_that_is_quantized_already(quantize: Command, command: Command) -> None:
    quantize("-o", "q.param")
    again = ["q.param", "--weights-only", "--bits", "4", "-o", "other.param"]
    done = command(again, tool="ncnn-quantize", check=False)
    assert done.returncode == 1
    assert done.stderr == (
        "ncnn-quantize: error: q.param: nothing was quantized: Gemm 'first' stays as it is: it is "
        "quantized already\n"
    )


def test_a_model_without_such_layers(quantize: Command, command: Command) -> None:
    arguments = ["model.param", "--weights-only", "-o", "q.param"]
    done = command(arguments, tool="ncnn-quantize", check=False)
    assert done.returncode == 1
    assert done.stderr == (
        "ncnn-quantize: error: model.param: nothing was quantized: it has no layer for it\n"
    )


def test_a_layer_of_infinities_stays_float(
    quantize: Command, command: Command, folder: Path
) -> None:
    infinite = np.ones((6, 40))
    infinite[3, 4] = np.inf
    (folder / "llm.bin").write_bytes(weights(infinite, np.ones((5, 6))))
    told = quantize("--bits", "4", "-o", "q.param").stderr.splitlines()
    assert told[0] == (
        "remark: quantize-weights: Gemm 'first' (stays float: 1 value is infinite or NaN)"
    )
    assert told[1].startswith("ncnn-quantize: 1 of 2 layers quantized")
