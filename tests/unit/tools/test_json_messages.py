"""`--log json`: each message on standard error is a JSON object in one line."""

import json
from collections.abc import Callable
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ncnn_opt.driver.messages import logging, print_requested
from ncnn_opt.quantization.step_records import KeptFloat, MethodTried, Note, WeightsChanged
from ncnn_opt.tools import (
    ncnn_compile_main,
    ncnn_device_main,
    ncnn_export_main,
    ncnn_int8_main,
    ncnn_merge_main,
    ncnn_opt_main,
    ncnn_optimize_main,
    ncnn_quantize_main,
    ncnn_reduce_main,
    ncnn_report_main,
    ncnn_run_main,
    ncnn_table_main,
)
from ncnn_opt.tools.quantize.result_printer import Printer

EXAMPLE = str(Path(__file__).parents[3] / "examples" / "small_cnn.param")
FILES = [EXAMPLE, EXAMPLE.replace(".param", ".bin")]

MAINS: dict[str, Callable[[list[str]], None]] = {
    "ncnn-opt": ncnn_opt_main.main,
    "ncnn-run": ncnn_run_main.main,
    "ncnn-report": ncnn_report_main.main,
    "ncnn-compile": ncnn_compile_main.main,
    "ncnn-quantize": ncnn_quantize_main.main,
    "ncnn-device": ncnn_device_main.main,
    "ncnn-export": ncnn_export_main.main,
    "ncnn-reduce": ncnn_reduce_main.main,
}
DROP_INS: dict[str, Callable[[list[str]], None]] = {
    "ncnn-optimize": ncnn_optimize_main.main,
    "ncnn-table": ncnn_table_main.main,
    "ncnn-int8": ncnn_int8_main.main,
    "ncnn-merge": ncnn_merge_main.main,
}


def objects(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().err.splitlines()]


@pytest.mark.parametrize("option", [["--log", "json"], ["--log=json"]])
@pytest.mark.parametrize("command", MAINS)
def test_errors_are_objects(
    command: str, option: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        MAINS[command]([*option, "--unknown-option"])
    (found,) = objects(capsys)
    assert (found["command"], found["level"]) == (command, "error")
    assert "--unknown-option" in found["message"]


def test_summaries_are_objects(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = str(tmp_path / "fast.param")
    ncnn_opt_main.main([EXAMPLE, "-O", "--remarks=json", "--log", "json", "-o", output])
    found = objects(capsys)
    assert any(each.get("rewrite") == "fuse-conv-bn" for each in found)
    (summary,) = [each for each in found if "bytes of weights" in each.get("message", "")]
    assert summary["level"] == "info"
    assert summary["message"].startswith("22 -> 11 layers")
    figures = summary["figures"]
    assert (figures["layers_before"], figures["layers_after"]) == (22, 11)
    sizes = figures["weight_bytes_before"], figures["weight_bytes_after"]
    assert sizes == (42248, 40712)
    assert sizes[1] == (tmp_path / "fast.bin").stat().st_size
    assert figures["types_before"]["BatchNorm"] == 4
    assert "BatchNorm" not in figures["types_after"]
    assert [each for each in found if "figures" in each] == [summary]
    ncnn_opt_main.main([EXAMPLE, "-O", "-o", output])
    assert capsys.readouterr().err.startswith("ncnn-opt: ")


def test_results_stay_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    ncnn_report_main.main([EXAMPLE])
    text = capsys.readouterr().out
    ncnn_report_main.main([EXAMPLE, "--log", "json"])
    assert capsys.readouterr().out == text


def test_levels_and_texts_of_several_lines(capsys: pytest.CaptureFixture[str]) -> None:
    with logging("ncnn-opt", True):
        print_requested("ncnn-opt: FAILED: --check")
        print_requested("warning: a: b\x1b[1m")
        print_requested("two\nlines")
        print_requested("odd: words")
    assert objects(capsys) == [
        {"command": "ncnn-opt", "level": "failed", "message": "--check"},
        {"command": "ncnn-opt", "level": "warning", "message": "a: b\x1b[1m"},
        {"command": "ncnn-opt", "level": "info", "message": "two\nlines"},
        {"command": "ncnn-opt", "level": "info", "message": "odd: words"},
    ]


def test_other_values_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        ncnn_run_main.main([EXAMPLE, "--log", "xml"])
    assert "choose from 'text', 'json'" in capsys.readouterr().err


@pytest.mark.parametrize("option", [["--log", "json"], ["--log=json"]])
@pytest.mark.parametrize("command", DROP_INS)
def test_errors_of_drop_ins(
    command: str, option: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        DROP_INS[command]([EXAMPLE, *option])
    (found,) = objects(capsys)
    assert (found["command"], found["level"]) == (command, "error")
    assert "needed" in found["message"]
    # The option is no argument; its other value is text.
    with pytest.raises(SystemExit):
        DROP_INS[command]([EXAMPLE, "--log", "text"])
    text = capsys.readouterr().err
    assert text.startswith(f"{command}: error: ")
    assert text.removeprefix(f"{command}: error: ").rstrip() == found["message"].rstrip()
    for words in (["--log", "xml"], ["--log=xml"], ["--log"]):
        with pytest.raises(SystemExit):
            DROP_INS[command]([EXAMPLE, *words])
        given = "xml" if "xml" in words[-1] else ""
        error = f"{command}: error: --log is text or json, not '{given}'\n"
        assert capsys.readouterr().err == error


@pytest.mark.parametrize("command", DROP_INS)
def test_drop_ins_name_the_option(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    DROP_INS[command](["--help"])
    assert "--log" in capsys.readouterr().out


def test_numbers_of_ncnn_optimize(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = [str(tmp_path / "o.param"), str(tmp_path / "o.bin")]
    ncnn_optimize_main.main([*FILES, "--log", "json", *output, "0"])
    found = objects(capsys)
    assert {each["command"] for each in found} == {"ncnn-optimize"}
    assert found[0]["message"] == "fuse_convolution_batchnorm conv1 bn1"
    figures = {name: n for each in found for name, n in each.get("figures", {}).items()}
    assert figures == {"peak_bytes": 84 * 1024, "macs": 812672}
    ncnn_optimize_main.main([*FILES, *output, "0"])
    lines = capsys.readouterr().err.splitlines()
    assert lines == [each["message"] for each in found]


def test_numbers_of_ncnn_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("ncnn")
    for i in range(2):
        np.save(tmp_path / f"{i}.npy", np.random.default_rng(i).uniform(-1, 1, (3, 32, 32)))
    (tmp_path / "list.txt").write_text("".join(f"{tmp_path}/{i}.npy\n" for i in range(2)))
    words = [str(tmp_path / "list.txt"), str(tmp_path / "m.table"), "method=minmax", "type=1"]
    ncnn_table_main.main([*FILES, *words, "thread=1", "shape=[32,32,3]", "--log=json"])
    scales = [each for each in objects(capsys) if "figures" in each]
    assert [each["figures"]["layer"] for each in scales] == [
        "conv1", "conv2_dw", "conv2_pw", "conv3", "fc1", "fc2",
    ]  # fmt: skip
    for each in scales:
        figures = each["figures"]
        assert figures["threshold"] * figures["scale"] == pytest.approx(127)
        assert f"{figures['scale']:g}" in each["message"]
    # The model's inputs are between -1 and 1.
    assert 0.9 < scales[0]["figures"]["threshold"] <= 1


def test_messages_of_ncnn_int8(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "m.table").write_text("fc2_param_0 " + "100 " * 20 + "\nfc2 50\n")
    output = [str(tmp_path / "o.param"), str(tmp_path / "o.bin")]
    ncnn_int8_main.main([*FILES, *output, str(tmp_path / "m.table"), "--log", "json"])
    found = objects(capsys)
    assert "quantize_innerproduct fc2" in [each["message"] for each in found]
    assert {each["command"] for each in found} == {"ncnn-int8"}


def test_numbers_of_steps(capsys: pytest.CaptureFixture[str]) -> None:
    with logging("ncnn-quantize", True), Printer() as printer:
        printer.on_step(MethodTried("kl", "mse", 0.25))
        printer.on_step(MethodTried("kl", "mse", inf))
        printer.on_step(WeightsChanged("weights rounded by GPTQ", 0.5, 0.75, 8))
        printer.on_step(KeptFloat("fc", "InnerProduct 'fc'", "its error"))
        printer.on_step(Note("done"))
    found = objects(capsys)
    assert [each.get("figures") for each in found] == [
        {"error": 0.25},
        {"error": None},
        {"error_before": 0.5, "error_after": 0.75, "samples": 8, "kept": False},
        {"layer": "fc"},
        None,
    ]
