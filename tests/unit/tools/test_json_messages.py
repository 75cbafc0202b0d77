"""`--log json`: each message on standard error is a JSON object in one line."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ncnn_opt.driver.messages import logging, tell
from ncnn_opt.tools import (
    ncnn_compile_main,
    ncnn_opt_main,
    ncnn_quantize_main,
    ncnn_report_main,
    ncnn_run_main,
)

EXAMPLE = str(Path(__file__).parents[3] / "examples" / "small_cnn.param")

MAINS: dict[str, Callable[[list[str]], None]] = {
    "ncnn-opt": ncnn_opt_main.main,
    "ncnn-run": ncnn_run_main.main,
    "ncnn-report": ncnn_report_main.main,
    "ncnn-compile": ncnn_compile_main.main,
    "ncnn-quantize": ncnn_quantize_main.main,
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
    ncnn_opt_main.main([EXAMPLE, "-O", "-o", output])
    assert capsys.readouterr().err.startswith("ncnn-opt: ")


def test_results_stay_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    ncnn_report_main.main([EXAMPLE])
    text = capsys.readouterr().out
    ncnn_report_main.main([EXAMPLE, "--log", "json"])
    assert capsys.readouterr().out == text


def test_levels_and_texts_of_several_lines(capsys: pytest.CaptureFixture[str]) -> None:
    with logging("ncnn-opt", True):
        tell("ncnn-opt: FAILED: --check")
        tell("warning: a: b\x1b[1m")
        tell("two\nlines")
        tell("odd: words")
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
