"""The table of layer types after `-O` on a terminal, `--statistics` and `--print-after-rewrite`."""

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest
from ncnn_opt.driver.model_files import ModelChange
from ncnn_opt.targets import Summary
from ncnn_opt.tools import ncnn_opt_main

EXAMPLE = str(Path(__file__).parents[3] / "examples" / "small_cnn.param")


def test_the_table_has_all_types_and_the_bytes() -> None:
    before = Summary(1203, 4000, {"Convolution": 1200, "ReLU": 3})
    after = Summary(1201, 5000, {"Convolution": 1200, "Swish": 1})
    assert ModelChange(before, after).lines(table=True) == [
        "layer type        before  after    change",
        "-----------------------------------------",
        "Convolution        1,200  1,200",
        "ReLU                   3      0  -100.0 %",
        "Swish                  0      1",
        "-----------------------------------------",
        "all layers         1,203  1,201    -0.2 %",
        "bytes of weights   4,000  5,000   +25.0 %",
    ]
    assert ModelChange(before, after, comparison="compared").lines(table=True)[-1] == "compared"
    assert ModelChange(None, None).lines(table=True) == []


def on_terminal(*arguments: str) -> str:
    """Return the standard error of `ncnn-opt` on a terminal."""
    reader, terminal = pty.openpty()
    code = (
        "import sys; from ncnn_opt.tools.ncnn_opt_main import main; sys.argv[0] = 'ncnn-opt'; "
        f"main({list(arguments)!r})"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=terminal, check=False)
    os.close(terminal)
    text = os.read(reader, 1 << 16).decode() if done.returncode == 0 else ""
    os.close(reader)
    return text


def test_a_terminal_gets_the_table(tmp_path: Path) -> None:
    text = on_terminal(EXAMPLE, "-O", "-o", str(tmp_path / "fast.param"))
    assert re.search(r"ncnn-opt: BatchNorm +4 +0 +-100\.0 %", text)
    assert re.search(r"ncnn-opt: all layers +22 +11 +-50\.0 %", text)


def test_other_outputs_have_no_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = str(tmp_path / "fast.param")
    ncnn_opt_main.main([EXAMPLE, "-O", "-o", output])
    assert "layer type" not in capsys.readouterr().err
    ncnn_opt_main.main([EXAMPLE, "-O", "-q", "-o", output])
    assert capsys.readouterr().err == ""


def test_statistics_count_the_rewrites_of_each_pass(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    passes = ["--eliminate-dropout", "--fuse-conv-bn", "--fuse-conv-bn"]
    output = ["-q", "-o", str(tmp_path / "fast.param")]
    ncnn_opt_main.main([EXAMPLE, *passes, "--mlir-pass-statistics", *output])
    lines = capsys.readouterr().err.splitlines()
    assert [line for line in lines if not line.startswith(" ") and "===" not in line] == [
        "eliminate-dropout",
        "fuse-conv-bn",
    ]
    assert lines[1].strip() == "... Pass statistics report ..."
    counts = [line for line in lines if line.startswith("  (S) ")]
    assert any(line.endswith(" operations") for line in counts)
    assert any(re.fullmatch(r"  \(S\) 4 \w+", line) for line in counts)
    ncnn_opt_main.main([EXAMPLE, "--cse", "--statistics", *output])
    assert "no pass changed the model" in capsys.readouterr().err


def test_the_ir_after_each_rewrite_of_a_pattern(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = ["-o", str(tmp_path / "fast.param")]
    ncnn_opt_main.main([EXAMPLE, "--fuse-conv-bn", "--print-after-rewrite", "FuseAffine", *output])
    text = capsys.readouterr().err
    dumps = text.split("// -----// IR Dump After Rewrite ")[1:]
    heads = [dump.partition(" //----- //")[0] for dump in dumps]
    assert heads == [f"{i} of FuseAffine in fuse-conv-bn" for i in range(1, 5)]
    assert [dump.count("ncnn.batchnorm") for dump in dumps] == [3, 2, 1, 0]
    ncnn_opt_main.main([EXAMPLE, "--fuse-conv-bn", "--print-after-rewrite=FuseAfine", *output])
    message = "--print-after-rewrite: pattern 'FuseAfine' made no rewrite"
    assert message in capsys.readouterr().err


def test_a_line_says_why_weights_grow() -> None:
    small, large = Summary(2, 100, {"ReLU": 2}), Summary(2, 101, {"ReLU": 2})
    line = "the weights grow for speed: pad-channels 2 times (--remarks lists it)"
    assert ModelChange(small, large, padded=2).lines()[1:] == [line]
    assert ModelChange(small, large, padded=1).lines()[1:] == [line.replace("2 times", "once")]
    assert len(ModelChange(large, small, padded=2).lines()) == 1  # other rewrites saved more
    assert len(ModelChange(small, large).lines()) == 1


def test_the_line_about_weights_of_16_bits() -> None:
    one = Summary(2, 100, {"ReLU": 2})
    start, rounded = "rewritten weights of 16 bits", "that are rounded to 16 bits again: 1"
    widened = "that are float32 now, since 16 bits would not hold them: 3"
    assert ModelChange(one, one, rounded=1).lines()[1:] == [f"{start} {rounded}"]
    assert ModelChange(one, one, widened=3).lines()[1:] == [f"{start} {widened}"]
    assert ModelChange(one, one, rounded=1, widened=3).lines()[1:] == [
        f"{start} {rounded}; {widened}"
    ]
    assert len(ModelChange(one, one).lines()) == 1
