"""What is said of a file that was written."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Command = Callable[..., subprocess.CompletedProcess[str]]

NET = """7767517
7 8
Input data 0 1 data 0=3
InnerProduct fc 1 1 data fc 0=4 1=1 2=12
Split split 1 2 fc a b
Sigmoid gate 1 1 a gated
BinaryOp mul 2 1 b gated swish 0=2
ReLU relu 1 1 swish r
Dropout last 1 1 r out
"""

OPTIMIZED = """\
ncnn-opt: 7 -> 4 layers, 68 -> 68 bytes of weights (+0.00 %)
ncnn-opt: BinaryOp 1 -> 0, Dropout 1 -> 0, Sigmoid 1 -> 0, Split 1 -> 0, Swish 0 -> 1
"""


@pytest.fixture
def net(folder: Path) -> Path:
    (folder / "net.param").write_text(NET)
    (folder / "net.bin").write_bytes(bytes(4 + 64))
    head = "7767517\n3 3\nInput x 0 1 x 0=3\n"
    (folder / "unsplit.param").write_text(f"{head}ReLU a 1 1 x a\nAbsVal b 1 1 x b\n")
    (folder / "alone.param").write_text("7767517\n2 2\nInput x 0 1 x 0=3\nReLU a 1 1 x a\n")
    for name in ("unsplit", "alone"):
        (folder / f"{name}.bin").touch()
    return folder


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("-O net.param -o out.param", OPTIMIZED),
        ("-O net.param -o out.param -q", ""),
        ("-O net.param -o out.param --quiet", ""),
        (
            "net.param -o out.param",
            "ncnn-opt: 7 -> 7 layers, 68 -> 68 bytes of weights (+0.00 %)\n",
        ),
        (
            "net.param --fuse-swish --fuse-mish --eliminate-noop -o out.param",
            "ncnn-opt: 7 -> 5 layers, 68 -> 68 bytes of weights (+0.00 %)\n"
            "ncnn-opt: BinaryOp 1 -> 0, Sigmoid 1 -> 0, Split 1 -> 0, Swish 0 -> 1\n"
            "ncnn-opt: nothing matched --fuse-mish\n"
            "ncnn-opt: nothing matched --eliminate-noop\n",
        ),
        (
            "-O net.param --fuse-mish --cut-to last -o out.param",
            OPTIMIZED + "ncnn-opt: nothing matched --fuse-mish\n",
        ),
        ("net.param --fuse-mish --elide-weights", ""),
        (
            "unsplit.param --eliminate-split -o out.param",
            "ncnn-opt: 3 -> 4 layers, 0 -> 0 bytes of weights\nncnn-opt: Split 0 -> 1\n",
        ),
        (
            "alone.param --eliminate-split -o out.param",
            "ncnn-opt: 2 -> 2 layers, 0 -> 0 bytes of weights\n"
            "ncnn-opt: nothing matched --eliminate-split\n",
        ),
    ],
)
def test_what_is_said(words: str, said: str, net: Path, command: Command) -> None:
    assert command(words.split()).stderr == said
