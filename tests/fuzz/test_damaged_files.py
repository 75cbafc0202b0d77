"""Each command with each kind of file damaged: it works, or ends with one message and status 1."""

import io
import os
import shutil
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from random import Random
from typing import NamedTuple, cast
from zlib import crc32

import numpy as np
import pytest
from ncnn_opt.formats.pnnx_bin import write_members

from .damages import damaged

EXAMPLES = Path(__file__).parents[2] / "examples"
FLIPS = 6 * int(os.environ.get("NCNN_OPT_EXAMPLES", "1"))

Main = Callable[[Sequence[str]], None]


class Case(NamedTuple):
    """A file, and a command that reads it."""

    file: str
    command: str
    arguments: str
    needs: str = ""
    """A package."""
    ignored: bool = False
    """Whether a damaged file counts as missing."""
    is_verdict: bool = False
    """Whether status 1 without a message is a verdict about a sound file."""
    every: int = 1
    """Of a slow command only each n-th damage is tried."""


OPT, RUN, QUANTIZE = "ncnn_opt_main", "ncnn_run_main", "ncnn_quantize_main"
REPORT = "ncnn_report_main"

CASES = (
    Case("m.param", OPT, "-O m.param -o out.param"),
    Case("m.bin", OPT, "-O m.param -o out.param"),
    Case("b.param.bin", OPT, "-O b.param.bin --weights b.bin -o out.param"),
    Case("i.mlir", OPT, "-O i.mlir -o out.param"),
    Case("i.bin", OPT, "-O i.mlir -o out.param"),
    Case("p.pnnx.param", OPT, "p.pnnx.param -o out.pnnx.param"),
    Case("p.pnnx.bin", OPT, "p.pnnx.param -o out.pnnx.param"),
    Case("p.pnnx.param", OPT, "p.param --pnnx p.pnnx.param -o out.param"),
    Case("p.pnnx.param", RUN, "p.param --compare p.pnnx.param", "torch", is_verdict=True),
    Case("m.param", REPORT, "m.param"),
    Case("n.pdl.mlir", OPT, "m.param --apply-pdl=n.pdl.mlir -o out.param"),
    Case("n.pdl.mlir", OPT, "--prove-pdl n.pdl.mlir", is_verdict=True, every=2),
    Case("c.json", OPT, "--check-certificate c.json m.param certified.param"),
    Case("x.npy", RUN, "m.param --input x.npy"),
    Case("x.npz", RUN, "m.param --input x.npz"),
    Case("x.npz", RUN, "m.param --input in0=x.npz -o out.npz"),
    Case("x.png", RUN, "m.param --input x.png", "PIL"),
    Case("x.bmp", RUN, "m.param --input x.bmp", "PIL"),
    Case("x.gif", RUN, "m.param --input x.gif", "PIL"),
    Case("x.jpg", RUN, "m.param --input x.jpg", "PIL"),
    Case("x.tiff", RUN, "m.param --input x.tiff", "PIL"),
    Case("x.webp", RUN, "m.param --input x.webp", "PIL"),
    Case("x.ppm", RUN, "m.param --input x.ppm", "PIL"),
    Case("labels.txt", RUN, "m.param --input x.npy --top 2 --labels labels.txt"),
    Case("m.vmfb", RUN, "m.vmfb --input x.npy", "iree.runtime"),
    Case("m.vmfb.json", RUN, "m.vmfb --input x.npy", "iree.runtime"),
    Case("s.npy", OPT, "m.param -o out.param --fp16-safe --data s.npy", "ncnn"),
    Case("s.npz", OPT, "m.param -o out.param --fp16-safe --data s.npz", "ncnn"),
    Case("s.npz", REPORT, "m.param --ranges --data s.npz"),
    Case("errors.json", REPORT, "m.param --errors errors.json --html out.html"),
    Case(
        "s.npy", QUANTIZE, "calibrate m.param --data s.npy -o out.table --jobs 1", "ncnn", every=2
    ),
    Case("s.npz", QUANTIZE, "calibrate m.param --data s.npz -o out.table --jobs 1", "ncnn"),
    Case("s.npz", QUANTIZE, "m.param --data s.npz -o out.param --quick --jobs 1", "ncnn"),
    Case("s.npz", QUANTIZE, "measure m.param i8.param --data s.npz --jobs 1", "ncnn"),
    Case(
        "classes.txt",
        QUANTIZE,
        "measure m.param i8.param --data s.npz --jobs 1 --classes classes.txt",
        "ncnn",
    ),
    Case("list.txt", QUANTIZE, "calibrate m.param --list list.txt -o out.table --jobs 1", "ncnn"),
    Case("list.txt", "ncnn_table_main", "m.param m.bin list.txt out.table type=1", "ncnn"),
    Case("part.npz", QUANTIZE, "merge m.param part.npz -o out.table"),
    Case(
        "out.table.partial",
        QUANTIZE,
        "calibrate m.param --data s.npy -o out.table --jobs 1",
        "ncnn",
        ignored=True,
        every=4,
    ),
    Case("m.table", QUANTIZE, "apply m.param --table m.table -o out.param"),
    Case("m.table", "ncnn_int8_main", "m.param m.bin out.param out.bin m.table"),
    Case("g.npz", QUANTIZE, "g.param --weights-only --method gptq --data g.npz -o out.param"),
    Case("g.table", QUANTIZE, "g.param --weights-only --table g.table -o out.param"),
    Case("m.bin", "ncnn_optimize_main", "m.param m.bin out.param out.bin 0"),
    Case("dir/.ncnn-opt-manifest", OPT, "-O -q m.param --output-dir dir --resume", ignored=True),
)
"""Each reader of files. (Damaged nets of all layer types are in `test_regressions.py`.)"""

PARAM = """7767517
4 4
Input in0 0 1 in0 0=8 1=8 2=3
Convolution conv 1 1 in0 c 0=4 1=3 4=1 5=1 6=108
Pooling pool 1 1 c p 0=1 4=1
InnerProduct fc 1 1 p out0 0=5 1=1 2=20
"""

PNNX = """7767517
5 4
pnnx.Input in 0 1 0 #0=(1,3,8,8)f32
nn.Conv2d conv 1 1 0 1 bias=True dilation=(1,1) groups=1 in_channels=3 kernel_size=(3,3) \
out_channels=4 padding=(1,1) padding_mode=zeros stride=(1,1) @bias=(4)f32 @weight=(4,3,3,3)f32 \
$input=0 #1=(1,4,8,8)f32
F.relu relu 1 1 1 2 $input=1 #2=(1,4,8,8)f32
F.adaptive_avg_pool2d pool 1 1 2 3 output_size=(1,1) $input=2 #3=(1,4,1,1)f32
pnnx.Output out 1 0 3 #3=(1,4,1,1)f32
"""

GEMM = """7767517
2 2
Input x 0 1 x 0=32 1=4
Gemm g 1 1 x y 2=0 3=1 4=0 5=1 6=1 7=0 8=8 9=32 10=-1
"""


def main_of(command: str) -> Main:
    """The function of a command."""
    return import_module(f"ncnn_opt.tools.{command}").main


@pytest.fixture(scope="module")
def seeds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a sound file of each kind."""
    folder = tmp_path_factory.mktemp("seeds")
    before = Path.cwd()
    os.chdir(folder)
    try:
        _make_seeds()
    finally:
        os.chdir(before)
    return folder


def _make_seeds() -> None:
    rng = np.random.default_rng(0)
    run = partial(_run, quietly=True)
    Path("source.param").write_text(PARAM)
    run(OPT, "source.param --weights random -o m.param")
    Path("gemm.param").write_text(GEMM)
    run(OPT, "gemm.param --weights random -o g.param")
    run(OPT, "m.param -o b.param.bin")
    run(OPT, "m.param -o i.mlir")
    Path("p.pnnx.param").write_text(PNNX)
    members = {"conv.bias": rng.normal(size=4), "conv.weight": rng.normal(size=(4, 3, 3, 3))}
    with open("p.pnnx.bin", "wb") as out:
        write_members(out, ((n, [v.astype("f4").tobytes()]) for n, v in members.items()))
    run(OPT, "p.pnnx.param -o p.param")
    shutil.copy(EXAMPLES / "swish.pdl.mlir", "n.pdl.mlir")
    run(OPT, "-O m.param -o certified.param --certificate c.json")
    samples = rng.normal(size=(3, 3, 8, 8)).astype("f4")
    np.save("x.npy", samples[0])
    np.savez_compressed("x.npz", in0=samples[0])
    np.save("s.npy", samples)
    np.savez(Path("s.npz"), in0=samples)
    np.savez(Path("g.npz"), x=rng.normal(size=(3, 4, 32)).astype("f4"))
    for i, sample in enumerate(samples):
        np.save(f"s{i}.npy", sample)
    Path("list.txt").write_text("s0.npy\ns1.npy\ns2.npy\n")
    Path("labels.txt").write_text("a\nb\nc\nd\né\n")
    Path("classes.txt").write_text("1\n2\n0\n")
    run(
        QUANTIZE,
        "g.param --weights-only --method gptq --data g.npz -o q.param --output-table g.table",
    )
    Path("dir").mkdir()
    run(OPT, "-O m.param --output-dir dir")
    Path("errors.json").write_text(
        '{"layers": [{"name": "conv", "snr": 31.5, "error": 0.0007, "cosine": 0.99}]}'
    )
    if find_spec("ncnn"):
        run(QUANTIZE, "calibrate m.param --data s.npy -o m.table --jobs 1")
        run(QUANTIZE, "calibrate m.param --data s.npy -o part.npz --shard 1/2 --jobs 1")
        shutil.copy("part.npz", "out.table.partial")
        run(QUANTIZE, "apply m.param --table m.table -o i8.param")
    if find_spec("iree") and find_spec("iree.runtime"):
        run("ncnn_compile_main", "m.param -o m.vmfb")
    if find_spec("PIL"):
        from PIL import Image

        image = Image.fromarray(rng.integers(0, 255, (8, 8, 3), np.uint8))
        for kind in ("png", "bmp", "gif", "jpg", "tiff", "webp", "ppm"):
            image.save(f"x.{kind}")


def _run(command: str, arguments: str, quietly: bool = False) -> int:
    """Run a command; return its status."""
    status: object = 0
    try:
        main_of(command)(arguments.split())
    except SystemExit as e:
        status = e.code or 0
    assert status in ((0,) if quietly else (0, 1)), f"status {status}: {arguments}"
    assert isinstance(status, int)
    return status


@pytest.fixture
def folder(seeds: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the folder."""
    place = tmp_path / "files"
    shutil.copytree(seeds, place)
    monkeypatch.chdir(place)
    return place


def skip_unless_possible(case: Case) -> None:
    """Skip a case whose packages are not installed."""
    for package in filter(None, (case.needs, "ncnn" if "merge" in case.arguments else "")):
        pytest.importorskip(package)


def names() -> list[str]:
    """A name for each case."""
    return [f"{case.file} by {case.arguments.replace('/', '.')}" for case in CASES]


@pytest.mark.parametrize("case", CASES, ids=names())
def test_sound_files_are_read(case: Case, folder: Path) -> None:
    skip_unless_possible(case)
    assert _run(case.command, case.arguments) == 0


@pytest.mark.drawn(3)
@pytest.mark.parametrize("case", CASES, ids=names())
def test_damaged_files(case: Case, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    skip_unless_possible(case)
    errors = io.TextIOWrapper(io.BytesIO(), "utf-8", "backslashreplace")  # as Python's own
    monkeypatch.setattr("sys.stderr", errors)
    path = folder / case.file
    content = path.read_bytes()
    random = Random(crc32(repr(case).encode()))
    refused: dict[str, str] = {}
    count = 0
    for damage, data in islice(damaged(content, random, FLIPS), 0, None, case.every):
        count += 1
        path.write_bytes(data)
        try:
            status = _run(case.command, case.arguments)
        except BaseException as e:
            pytest.fail(f"{damage}: {data[:200]!r}: {type(e).__name__}: {e}")
        if status and not (case.is_verdict and not errors.buffer.getvalue()):  # pyright: ignore
            refused[damage] = message_of(errors)
        errors.truncate(0)
    assert not (case.ignored and refused), refused
    assert case.ignored or len(refused) >= min(8, count // 4), refused
    path.unlink(missing_ok=True)
    path.mkdir()
    if not case.ignored:
        assert _run(case.command, case.arguments) == 1
        assert case.file in message_of(errors)


def message_of(stream: io.TextIOWrapper) -> str:
    """The one message of a command that has failed; warnings may be before it."""
    error = cast(io.BytesIO, stream.buffer).getvalue().decode()
    lines = error.splitlines()
    messages = [line for line in lines if ": error: " in line]
    assert len(messages) == 1, error
    assert lines[-1] == messages[0], error
    assert "Traceback" not in error, error
    return messages[0]
