"""`ncnn-run --repeat`: what is measured, and what is said of it."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from ncnn_opt.runtime.latency import Latency
from ncnn_opt.runtime.stopwatch import Times

Run = Callable[..., str]

EXAMPLES = Path(__file__).parents[4] / "examples"
CNN, RESIDUAL = str(EXAMPLES / "small_cnn.param"), str(EXAMPLES / "residual.param")


def two(first: list[float], second: list[float]) -> Latency:
    return Latency(["a", "b"], [Times(first), Times(second)])


def test_ratio_is_that_of_pairs() -> None:
    """Both models meet the same disturbances: medians would say 1."""
    found = two([2.0, 20.0, 2.0, 20.0, 11.0], [1.0, 10.0, 1.0, 10.0, 5.5])
    assert found.ratio == 2
    assert found.interval() == (2, 2)


def test_interval_of_what_shows_nothing() -> None:
    low, high = two([1.0, 2.0] * 10, [2.0, 1.0] * 10).interval()
    assert low < 1 < high


def test_lines() -> None:
    times = Times([2.0, 1.0, 3.0], {"ReLU 'r'": [0.25, 0.25], "Convolution 'c'": [0.75, 0.9, 0.6]})
    assert Latency(["m.param"], [times]).lines() == [
        "         median ms    least  9 of 10 below",
        "m.param      2.000    1.000          3.000",
        "",
        "the slowest layers of m.param, each asked for by itself:",
        "    0.750 ms  75.0 %  Convolution 'c'",
        "    0.250 ms  25.0 %  ReLU 'r'",
    ]


def test_one_model_in_the_runtime(run: Run) -> None:
    pytest.importorskip("ncnn")
    lines = run(CNN, "--engine", "ncnn", "--repeat", "3").splitlines()
    assert lines[-1] == "measured with data=3,32,32"
    assert "Convolution 'conv3'" in "\n".join(lines)
    assert float(lines[1].split()[1]) > 0


def test_two_models_and_a_report(run: Run, folder: Path) -> None:
    pytest.importorskip("ncnn")
    words = ("--engine", "ncnn", "--repeat", "4", "--threads", "2", "-q", "--report", "r.json")
    out = run(CNN, *words, "--against", CNN)
    ratio = r"takes \d\.\d\d times as long as .* \(95 %: .* to .*, 4 pairs of runs\)"
    assert re.search(ratio, out)
    notes = json.loads((folder / "r.json").read_text())["after"]["notes"]
    assert any(re.search(ratio, note) for note in notes)


def test_what_cannot_be_measured(refused: Run) -> None:
    engine = ("--engine", "ncnn")
    assert refused(CNN, "--repeat", "3") == "--repeat measures the ncnn runtime: --engine ncnn"
    assert refused(CNN, *engine, "--against", CNN, "--input", "random") == (
        "--against is for --repeat and --on"
    )
    assert refused(CNN, *engine, "--threads", "2") == "--threads is for --repeat and --on"
    assert refused(CNN, *engine, "--repeat", "3", "-o", "x.npz") == (
        "--repeat only measures: give no --compare, --output or --top"
    )
    pytest.importorskip("ncnn")
    assert "first model's output 'prob' is missing" in refused(
        CNN, *engine, "--repeat", "3", "--against", RESIDUAL
    )


def test_a_model_that_the_runtime_refuses(refused: Run, folder: Path) -> None:
    pytest.importorskip("ncnn")
    (folder / "own.param").write_text("7767517\n2 2\nInput x 0 1 x 0=3\nMyOwn m 1 1 x y\n")
    (folder / "own.bin").write_bytes(b"")
    message = refused("own.param", "--engine", "ncnn", "--repeat", "3")
    assert message.startswith("the ncnn runtime does not run the model: load_param: -1")
