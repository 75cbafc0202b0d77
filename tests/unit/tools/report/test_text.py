"""`ncnn-report` as text, and what it does not take."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.driver.model_files import read_model
from ncnn_opt.frontends import ReadOptions
from ncnn_opt.report.families import FAMILIES, FAMILY_OF_MODULE
from ncnn_opt.report.model import ModelFacts, collect
from ncnn_opt.report.text import model_text
from ncnn_opt.report.units import change, count, elided, size
from ncnn_opt.targets.param.export import export_module

Report = Callable[..., str]
Facts = Callable[[str], ModelFacts]

EXAMPLES = sorted((Path(__file__).parents[4] / "examples").glob("*.param"))

TEXT = """\
#  type          name   output    MACs       %  params  weights  activations
0  Input         data   3x8x8
1  Convolution   conv   4x8x8   6.91 k  99.7 %     108    436 B     1.75 KiB
2  BatchNorm     bn     4x8x8                       16     64 B     2.00 KiB
3  ReLU          relu   4x8x8                                       2.00 KiB
4  Split         split  4x8x8
5  Dropout       drop   4x8x8
6  BinaryOp      add    4x8x8                                       3.00 KiB
7  Pooling       pool   4                                           1.02 KiB
8  InnerProduct  fc     5           20   0.3 %      25    104 B         36 B

layers:      9, of which 1 Split
inputs:      data 3x8x8
outputs:     prob 5
MACs:        6,932 = 0.01 M
FLOPs:       15.1 k
parameters:  149
weights:     604 bytes of float32
activations: 9.80 KiB read and written
peak memory: 3.75 KiB of activations in light mode, at BinaryOp 'add'
note: there is no 'before.bin'; structure only: weights are counted as the parameters say, as \
float32 or int8
"""


def test_text(report: Report) -> None:
    assert report("before.param") == TEXT


def test_text_fits_a_terminal(before: str, facts_of: Facts) -> None:
    names = {"conv ": "a_very_long_name_of_a_convolution/in/some/block ", "bn ": "batch_norm_1 "}
    text = before
    for short, long in names.items():
        text = text.replace(f" {short}", f" {long}")
    facts = facts_of(text)
    wide = model_text(facts, None)
    assert "a_very_long_name_of_a_convolution/in/some/block" in wide
    for width in (70, 90, 120):
        table = model_text(facts, width).split("\n\n")[0].splitlines()
        assert len(table) == 10
        assert max(map(len, table)) <= width
        assert re.search("Convolution +a_v", table[2])
        assert ("…" in table[2]) == (width < 120)
        assert ("params" in table[0]) == (width > 70)


def test_comparison(report: Report) -> None:
    lines = report("before.param", "after.param").splitlines()
    became = {line.split()[1]: line for line in lines[1:11]}
    assert re.search(r"conv +took over bn, relu +6.91 k +108 → 112 +436 B → 452 B", became["conv"])
    assert re.search(r"bn +fused into conv +16 → – +64 B → –", became["bn"])
    assert "fused into conv" in became["relu"]
    assert "eliminated" in became["drop"]
    assert "same" in became["split"]
    assert re.search(r"new +new +– → 32 B", became["new"])
    assert [line.split() for line in lines if line.startswith("weight bytes")] == [
        ["weight", "bytes", "604", "556", "−7.9", "%"]
    ]
    at = lines.index("layers: 5 same, 1 changed, 2 fused, 1 eliminated, 1 new")
    assert lines[at + 1 : at + 4] == [
        "fused: 1 BatchNorm into Convolution, 1 ReLU into Convolution",
        "eliminated: 1 Dropout",
        "new: 1 Swish",
    ]


def test_comparison_of_what_is_not_known(report: Report, before: str) -> None:
    Path("unknown.param").write_text(before.replace(" 0=8 1=8 2=3", ""))
    shape = "--input-shape", "data=?,?,?"
    lines = report("unknown.param", "unknown.param", *shape).splitlines()
    sums = {line[:16].rstrip(): line[16:].split() for line in lines}
    assert sums["MACs"][:3] == ["≥", "20", "≥"]
    assert sums["parameters"] == ["149", "149", "no", "change"]
    # A note about both models stands once.
    assert sum(line.startswith("note: there is no 'unknown.bin'") for line in lines) == 1
    assert not any("before:" in line for line in lines)


@pytest.mark.parametrize("first", [True, False])
def test_a_shape_that_only_one_file_says_is_that_of_both(
    first: bool, report: Report, before: str
) -> None:
    Path("unknown.param").write_text(before.replace(" 0=8 1=8 2=3", ""))
    both = ("before.param", "unknown.param") if first else ("unknown.param", "before.param")
    lines = report(*both).splitlines()
    sums = {line[:16].rstrip(): line[16:].split() for line in lines}
    assert sums["MACs"] == ["6,932", "6,932", "no", "change"]
    which = "after" if first else "before"
    assert f"note: {which}: figures for data=3,8,8 (the shape in before.param)" in lines


def test_families_are_files_of_the_dialect() -> None:
    files = {path.stem for path in (Path(__file__).parents[4] / "dialects/ncnn").glob("*.py")}
    assert set(FAMILY_OF_MODULE) <= files
    assert set(FAMILY_OF_MODULE.values()) | {"other"} == set(FAMILIES)


def test_input_shapes(report: Report, before: str) -> None:
    unknown = before.replace(" 0=8 1=8 2=3", "")
    Path("unknown.param").write_text(unknown)
    text = report("unknown.param", "--input-shape", "data=?,?,?")
    assert "MACs:        at least 20 = 0.00 M; 1 layer of unknown cost not counted" in text
    assert "peak memory: at least 48 B; 5 blobs of unknown size not counted" in text
    assert "layers with outputs of unknown shape, the first Input 'data'" in text
    guessed = report("unknown.param")
    assert guessed.endswith("figures for data=3,224,224 (a guess; --input-shape says better)\n")
    known = report("unknown.param", "--input-shape", "data=3,8,8")
    assert known == report("before.param").replace("before.bin", "unknown.bin")


def test_untrue_input_shape(report: Report, before: str) -> None:
    Path("untrue.param").write_text(before.replace("0=8 1=8 2=3", "0=3 1=8 2=8"))
    text = report("untrue.param")
    reason = (
        "the file says 8,8,3, but Convolution 'conv' takes 3,?,? by its weights, and gets 8,8,3"
    )
    assert text.endswith(f"note: figures for data=3,8,8 ({reason})\n")
    given = report("untrue.param", "--input-shape", "data=8,8,3")
    assert given.endswith("Convolution 'conv' does not fit data 8x8x3\n")


def test_weights_are_counted_as_they_are_stored(report: Report, folder: Path) -> None:
    half, single = b"\x47\x6b\x30\x01" + bytes(216), bytes(4) + bytes(80)
    (folder / "before.bin").write_bytes(half + bytes(64) + single + bytes(20))
    text = report("before.param")
    assert "weights:     388 bytes (220 B float16, 168 B float32)" in text
    assert "note" not in text
    assert "604 bytes" in report("before.param", "--weights", "none")


def test_ir_without_its_weights(report: Report, folder: Path) -> None:
    opt = Path(sys.executable).with_name("ncnn-opt")
    command = [str(opt), "before.param", "--weights", "random", "-o", "it.mlir"]
    subprocess.run(command, check=True, cwd=folder)
    complete = report("it.mlir")
    (folder / "it.bin").unlink()
    lost = report("it.mlir")
    assert lost.startswith(complete)
    assert "note: there is no 'it.bin'" in lost
    assert report("it.mlir", "--weights", "none").startswith(complete)


def test_the_installed_command(folder: Path) -> None:
    tool = Path(sys.executable).with_name("ncnn-report")
    done = subprocess.run([str(tool), "before.param"], cwd=folder, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, TEXT, "")
    done = subprocess.run([str(tool), "--version"], capture_output=True, text=True)
    assert done.stdout.startswith("ncnn-report ")


def test_a_terminal_without_arrows(folder: Path) -> None:
    tool = Path(sys.executable).with_name("ncnn-report")
    ascii = {**os.environ, "PYTHONIOENCODING": "ascii"}
    for option in ([], ["--print-json"]):
        command = [str(tool), "before.param", "after.param", *option]
        done = subprocess.run(command, cwd=folder, capture_output=True, env=ascii)
        assert (done.returncode, done.stderr) == (0, b"")
        assert b"fused" in done.stdout


def test_a_graph_as_ncnn2mem_writes_it(report: Report, folder: Path) -> None:
    words = [7767517, 2, 2]  # an Input of 4x3x2 and a ReLU, by type, bottoms, tops, parameters
    words += [16, 0, 1, 0, 0, 2, 1, 3, 2, 4, -233, 26, 1, 1, 0, 1, -233]
    (folder / "it.param.bin").write_bytes(np.array(words, "<i4").tobytes())
    assert re.search("ReLU .* 4x3x2 .* 192 B", report("it.param.bin"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_weights_are_as_many_as_export_writes(path: Path) -> None:
    module = read_model(str(path), ReadOptions()).module
    facts = collect(model_of(module), "")
    assert facts.weight_bytes == export_module(module).bin_size()
    assert facts.weight_bytes == path.with_suffix(".bin").stat().st_size


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "there is no model"),
        (["missing.param"], "missing.param: No such file or directory"),
        (["before.param", "missing.param"], "missing.param: No such file"),
        (["before.param", "--input-shape", "dat=3,8,8"], "did you mean 'data'"),
        (["before.param", "--input-shape", "data=3,x"], "extents"),
        (["before.param", "--weights", "missing.bin"], "missing.bin: No such file"),
        (["before.param", "--weights", "none", "--weights", "none"], "2 times for one model"),
        (["before.param", "after.param", "--input-shape", "x=3"], "there is no input 'x'"),
        (["before.param", "--html", "before.param"], "'before.param' is a model"),
        (["before.param", "--html", "it.html", "-o", "it.html"], "both the page and the text"),
        pytest.param(
            ["before.param", "--html", "/dev/full"],
            "/dev/full: No space left",
            marks=pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full"),
        ),
        (
            ["before.param", "-o", "no/where.txt", "--html", "it.html"],
            "no/where.txt: there is no folder 'no'",
        ),
        (["words.mlir", "--weights", "none"], "words.mlir:2: byte 9 is not UTF-8 text"),
        (["before.param", "after.param", "-o", "./after.param"], "'./after.param' is a model"),
        (["before.param", "--html", "no/where.html"], "no/where.html"),
        (["before.param", "--frobnicate"], "--frobnicate"),
        (["broken.param"], "broken.param:"),
        (["wrong.param"], "weight_data_size 7"),
    ],
)
def test_mistakes(
    arguments: list[str], message: str, refused: Report, folder: Path, before: str
) -> None:
    (folder / "words.mlir").write_bytes(b"// words\n\xff")
    (folder / "broken.param").write_text("7767517\n1 1\nInput\n")
    (folder / "wrong.param").write_text(
        "7767517\n2 2\nConvolution c 0 1 y 0=4 1=3 6=7\nInput x 0 1 x\n"
    )
    assert message in refused(*arguments)
    assert (folder / "before.param").read_text() == before
    assert not list(folder.glob("*.html"))


def test_units() -> None:
    assert [count(n) for n in (0, 999, 1000, 12345, 999_600, 3_857_973_248)] == [
        "0", "999", "1.00 k", "12.3 k", "1.00 M", "3.86 G",
    ]  # fmt: skip
    assert [size(n) for n in (0, 868, 1023, 1024, 1_047_552, 26_292_224)] == [
        "0 B", "868 B", "1023 B", "1.00 KiB", "1023 KiB", "25.1 MiB",
    ]  # fmt: skip
    assert count(None) == size(None) == "?"
    assert [change(a, b) for a, b in ((10, 10), (200, 150), (100, 101), (0, 4))] == [
        "no change", "−25.0 %", "+1.0 %", "new",
    ]  # fmt: skip
    assert elided("abcdefghij", 5) == "ab…ij"
    assert elided("abc", 3) == "abc"


def test_the_layers_on_a_vulkan_device(folder: Path, report: Report, refused: Report) -> None:
    layers = ("Input in 0 1 in 0=8 1=4", "ReLU a 1 1 in a", "MatMul m 2 1 a a m", "ReLU b 1 1 m b")
    chain = "\n".join(["7767517", "4 4", *layers, ""])
    (folder / "chain.param").write_text(chain)
    _, _, text = report("chain.param", "--device", "vulkan").partition("\n\nVulkan, ")
    assert text.splitlines() == [
        "ncnn 20261020: 2 of 3 layers on the device in 2 islands; "
        "2 transfers between layers, 256 B",
        "  island 1: 1 layer, ReLU 'a', 0.0 % of MACs",
        "  island 2: 1 layer, ReLU 'b', 0.0 % of MACs",
        "  on the CPU: MatMul 'm': no Vulkan implementation",
        "  to the CPU: blob a, 128 B",
        "  to the device: blob m, 128 B",
    ]
    found = json.loads(
        report("chain.param", "--print-json", "--device", "vulkan", "--for-ncnn", "20260526")
    )
    assert found["vulkan"] == {
        "release": "20260526",
        "layers": 3,
        "islands": [["ReLU 'a'"], ["ReLU 'b'"]],
        "on_cpu": {"MatMul 'm'": "no Vulkan implementation"},
        "transfers": [
            {"blob": "a", "to": "CPU", "bytes": 128},
            {"blob": "m", "to": "device", "bytes": 128},
        ],
    }
    assert refused("chain.param", "--for-ncnn", "20260526") == "--for-ncnn is for --device"
    message = refused("chain.param", "--device", "vulkan", "--for-ncnn", "1999")
    assert message.startswith("unknown ncnn release '1999'; known are 20240102, ")
