"""Tables of weights in blocks, as ncnn's `ncnnllm2table` writes and `ncnnllm2int` reads them."""

import struct
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

Command = Callable[..., subprocess.CompletedProcess[str]]

PARAM = """7767517
3 3
Input data 0 1 data
Gemm fc 1 1 data hidden 3=1 5=1 6=1 8=2 9=40 10=-1
Gemm last 1 1 hidden out 3=1 5=1 6=1 8=3 9=2 10=-1
"""
ATTENTION = """7767517
2 2
Input data 0 1 data
MultiHeadAttention att 1 1 data out 0=8 1=2 2=64
"""


def tagged(values: Any) -> bytes:
    return bytes(4) + np.asarray(values, "<f4").tobytes()


@pytest.fixture
def quantize(command: Command, folder: Path) -> Command:
    rng = np.random.default_rng(0)
    first = np.linspace(-1, 1, 80).reshape(2, 40)
    (folder / "llm.param").write_text(PARAM)
    (folder / "llm.bin").write_bytes(tagged(first) + tagged(rng.normal(size=(3, 2))))
    (folder / "att.param").write_text(ATTENTION)
    weights = (tagged(rng.normal(size=64)) + bytes(32) for _ in range(4))
    (folder / "att.bin").write_bytes(b"".join(weights))

    def run(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
        return command([*arguments, "--weights-only"], tool="ncnn-quantize", **options)

    return run


def test_scales_of_a_table(quantize: Command, folder: Path) -> None:
    """A block of 32 and one of 8 a row, 4 bits: integers by hand."""
    (folder / "t").write_text(
        "# made by hand\nfc_param_1 bits=4 block=32 method=mseclip 7 20 10 7 \r\n\n"
    )
    done = quantize("llm.param", "--table", "t", "-o", "q.param")
    assert done.stderr.splitlines() == [
        "remark: quantize-weights: Gemm 'last' (stays float: the table has no scales for it)",
        "ncnn-quantize: 1 of 2 layers quantized, 352 -> 84 bytes of weights (-76.14 %)",
        "ncnn-quantize: requires ncnn 20261020 now: Gemm 'fc', weights quantized in blocks",
    ]
    scales = np.repeat([[7, 20], [10, 7]], [32, 8], axis=1)
    values = np.linspace(-1, 1, 80).reshape(2, 40).astype("f4") * scales
    integers = np.clip(np.trunc(values + np.copysign(0.5, values)), -7, 7).astype(int) & 15
    packed = integers[:, ::2] | integers[:, 1::2] << 4
    expected = packed.astype("u1").tobytes() + struct.pack("<4f", 7, 20, 10, 7)
    assert (folder / "q.bin").read_bytes()[:56] == expected
    assert " 18=400\n" in (folder / "q.param").read_text()


@pytest.mark.parametrize("method", ["minmax", "mse", "awq", "gptq"])
@pytest.mark.parametrize(("model", "bits"), [("llm", 4), ("att", 6), ("att", 8)])
def test_what_is_written_is_read(
    method: str, model: str, bits: int, quantize: Command, folder: Path
) -> None:
    (folder / "tables").mkdir()
    shape = (4, 6, 40) if model == "llm" else (4, 6, 8)
    np.savez(folder / "calib.npz", data=np.random.default_rng(1).normal(size=shape).astype("f4"))
    data = ("--data", "calib.npz") if method in ("awq", "gptq") else ()
    args = ("--bits", str(bits), "--block", "32", "--method", method, *data)
    quantize(f"{model}.param", *args, "-o", "a.param", "--output-table", "tables/t")
    lines = (folder / "tables/t").read_text().splitlines()
    name = "mseclip" if method == "mse" else method
    key = "fc_param_1" if model == "llm" else "att_param_0"
    beside = f" qweight=t.{key}.qweight" if method == "gptq" else ""
    assert lines[0].startswith(f"{key} bits={bits} block=32 method={name}{beside} ")
    if method == "awq":
        assert lines[1].startswith(f"{key}_input_scale method=awq ")
    quantize(f"{model}.param", "--table", "tables/t", "-o", "b.param")
    for ending in (".param", ".bin"):
        assert (folder / f"a{ending}").read_bytes() == (folder / f"b{ending}").read_bytes()


ROW = "fc_param_1 bits=4 block=32 method=minmax 7 20 10 7\n"


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("", "t: the table has no weights"),
        ("fc_param_1 bits=4 block=32\n", "t:1: 'fc_param_1' has no scales"),
        ("fc bits=4 block=32 1\n", "t:1: 'fc' is not a weight such as LAYER_param_1"),
        ("fc_param_1 block=32 1\n", "t:1: 'fc_param_1' lacks bits="),
        ("fc_param_1 bits=5 block=32 1\n", "t:1: bits must be 4, 6 or 8, not '5'"),
        ("fc_param_1 bits=4 block=32 group=2 1\n", "t:1: there is no 'group='"),
        (
            "fc_param_1 bits=4 block=32 7 x 1 1\n",
            "t:1: 'fc_param_1' has a scale that is not a number",
        ),
        ("fc_param_1 bits=4 block=32 7 0 1 1\n", "t:1: a scale must be a positive number, not 0"),
        (ROW + ROW, "t:2: 'fc_param_1' appears twice"),
        ("fc_param_1 bits=4 block=32 7 20 10\n", "3 scales of a weight that has 4 blocks"),
        ("fd_param_1 bits=4 block=32 7 20\n", "t:1: the table is of another model: there is no"),
        ("data_param_1 bits=4 block=32 7\n", "t:1: 'data' is no layer that takes weights in"),
        ("fc_param_0 bits=4 block=32 7\n", "t:1: there is no line 'fc_param_1'"),
        (ROW + ROW.replace("_1", "_2"), "t:2: Gemm 'fc' has no weight 2 for blocks"),
        ("fc_param_1_input_scale method=awq 1\n" + ROW, "1 factors of an input of 40 elements"),
        ("fc_param_1_input_scale 1\n" + ROW.replace("fc", "last"), "t:1: there is no line 'fc_pa"),
        (ROW.replace(" 7 20", " qweight=lost 7 20"), "lost: No such file or directory"),
        (ROW.replace(" 7 20", " qweight=few 7 20"), "few: 39 bytes of integers, the weight has 40"),
        (ROW.replace(" 7 20", " qweight=low 7 20"), "low: there is the integer -8, which is no"),
    ],
)
def test_tables_that_are_none(table: str, said: str, quantize: Command, folder: Path) -> None:
    (folder / "t").write_text(table)
    (folder / "few").write_bytes(bytes(39))
    (folder / "low").write_bytes(b"\x08" * 40)
    (folder / "q.param").write_text("mine")
    done = quantize("llm.param", "--table", "t", "-o", "q.param", check=False)
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert said in done.stderr
    assert (folder / "q.param").read_text() == "mine"
    assert not (folder / "q.bin").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--table", "t", "--bits", "4"], "--table specifies what --bits would"),
        (["--table", "t", "--output-table", "u"], "--output-table would be the table that is"),
        (["--block", "row", "--output-table", "u"], "a table is of blocks, not of rows"),
    ],
)
def test_options_that_contradict(
    arguments: list[str], said: str, quantize: Command, folder: Path
) -> None:
    done = quantize("llm.param", *arguments, "-o", "q.param", check=False)
    assert done.returncode == 1
    assert said in done.stderr
