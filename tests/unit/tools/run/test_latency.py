"""`ncnn-run --repeat`: what is measured, and what is said of it."""

import json
import os
import re
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from ncnn_opt.driver.latency import trace_of
from ncnn_opt.interpreters.errors import RunError
from ncnn_opt.paired_times.clock import WARM_UP
from ncnn_opt.paired_times.ratio import Ratio
from ncnn_opt.runtime import stopwatch
from ncnn_opt.runtime.latency import Latency, measure
from ncnn_opt.runtime.stopwatch import MOST_BY_LAYER, Stopwatch, Timed, TimedCode, Times

Run = Callable[..., str]

EXAMPLES = Path(__file__).parents[4] / "examples"
CNN, RESIDUAL = str(EXAMPLES / "small_cnn.param"), str(EXAMPLES / "residual.param")


def two(first: list[float], second: list[float]) -> Latency:
    return Latency(["a", "b"], [Times(first), Times(second)])


def test_the_comparison_names_the_confidence() -> None:
    """Both models meet the same disturbances: medians would be equal."""
    times = [2.0, 20.0, 2.0, 20.0, 11.0]
    found = two(times, [ms / 2 for ms in times])
    text = "a takes 2.00 times as long as b (93 %: 2.00 to 2.00, 5 pairs of runs)"
    assert found.comparison() == text
    found = two([*times, 3.0], [*(ms / 2 for ms in times), 1.0])
    assert found.comparison() == (
        "a takes 2.00 times as long as b (95 %: 2.00 to 3.00, 6 pairs of runs)"
    )


def test_a_measured_ratio_is_not_that_of_the_pairs() -> None:
    found = Latency(["a", "b"], [Times([1.0] * 16), Times([1.0] * 16)], Ratio(0.5, 0.4, 0.6))
    assert found.comparison() == (
        "a takes 0.50 times as long as b (95 %: 0.40 to 0.60, 16 pairs of runs)"
    )


@pytest.mark.parametrize(
    ("low", "high", "end"),
    [
        (0.88, 1.02, ", 1 pairs of runs): no difference is shown"),
        (0.88, 0.99, ", 1 pairs of runs)"),
        (1.01, 1.02, ", 1 pairs of runs)"),
    ],
)
def test_an_interval_that_contains_1_shows_no_difference(low: float, high: float, end: str) -> None:
    found = Latency(["a", "b"], [Times([1.0]), Times([1.0])], Ratio(0.97, low, high))
    assert found.comparison().endswith(end)


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
    ratio = r"takes \d\.\d\d times as long as .* \(87 %: .* to .*, 4 pairs of runs\)"
    assert re.search(ratio, out)
    after = json.loads((folder / "r.json").read_text())["after"]
    assert any(re.search(ratio, note) for note in after["notes"])
    timed = {layer["name"]: layer["time_ms"] for layer in after["layers"] if "time_ms" in layer}
    assert {"conv3", "relu1", "prob"} <= set(timed)
    assert len(timed) == 21  # all but the Input
    assert min(timed.values()) > 0
    run(CNN, *words[:-1], "r.html")
    page = (folder / "r.html").read_text()
    assert ">time</th>" in page
    assert "median of a run" in page


def test_native_code(run: Run, refused: Run, folder: Path) -> None:
    pytest.importorskip("iree.compiler")
    pytest.importorskip("iree.runtime")
    words = ("--engine", "iree", "--repeat", "4")
    head, row, fed = run("scores.param", *words, "--threads", "2").splitlines()
    assert head.split() == ["median", "ms", "least", "9", "of", "10", "below"]
    assert float(row.split()[1]) >= float(row.split()[2]) > 0
    assert fed == "measured with data=3,2,2"
    found = run("scores.param", *words, "-q", "--against", "scores.param", "--report", "r.json")
    assert re.search(r"takes \d+\.\d\d times as long as .*, 4 pairs of runs\)", found)
    assert (folder / "r.json").exists()
    message = refused("scores.param", *words, "--against", "words.param")
    assert message == "words.param: the first model has no input 'ids'; it has 'data'"


def test_times_are_of_the_models(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two models in turn, after warming up, and their layers; the times are of the right one."""
    calls: list[str] = []

    class TimedNet:
        def __init__(self, ncnn: object, param: str, weights: str, threads: int) -> None:
            self.ms = {"one": 1.0, "two": 3.0}[param]
            assert threads == 2

        def time(self, inputs: object) -> float:
            calls.append("net")
            return self.ms

        def time_layers(self, inputs: object, blobs: list[str]) -> list[float | None]:
            calls.append("layers")
            return [self.ms, None, self.ms / 2]

    monkeypatch.setattr(stopwatch, "TimedNet", TimedNet)
    monkeypatch.setattr(Stopwatch, "ncnn", None)
    layers = [("x", "A"), ("y", "B"), ("z", "C")]
    one, two = (Timed(name, "", {}, ["z"], layers) for name in ("one", "two"))
    both = Stopwatch().measure([vars(one), vars(replace(two, layers=()))], 5, 2)
    assert both == [Times([1.0] * 5, {"A": [1.0] * 5, "C": [0.5] * 5}), Times([3.0] * 5)]
    assert calls.count("net") == 2 * WARM_UP + 10 + 8
    assert calls.count("layers") == WARM_UP + 6
    (alone,) = Stopwatch().measure([vars(two)], MOST_BY_LAYER + 1, 2)
    assert len(alone.runs) == MOST_BY_LAYER + 1
    assert {len(ms) for ms in alone.layers.values()} == {MOST_BY_LAYER}


@pytest.mark.parametrize(
    ("target", "threads", "driver", "single"),
    [("cpu", 1, "local-sync", True), ("cpu", 4, None, False), ("vulkan", 1, None, False)],
)
def test_the_clock_of_compiled_models(
    target: str, threads: int, driver: str | None, single: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Processor time, if the code runs on the calling thread."""

    def compiled(path: str) -> SimpleNamespace:
        return SimpleNamespace(target=target)

    class Program:
        def __init__(self, compiled: object, driver: str | None) -> None:
            drivers.append(driver)

        def __call__(self, inputs: object) -> None:
            now[0] += 1

    now, drivers, counts = [0.0], list[str | None](), list[int]()
    monkeypatch.setattr("ncnn_opt.native.artifact.load", compiled)
    monkeypatch.setattr("ncnn_opt.native.loaded_program.set_threads", counts.append)
    monkeypatch.setattr("ncnn_opt.native.program.Program", Program)
    monkeypatch.setattr(time, "thread_time", lambda: now[0])
    monkeypatch.setattr(time, "perf_counter", lambda: 2 * now[0])
    (times,) = Stopwatch().measure([vars(TimedCode("m.vmfb", {}))], 3, threads)
    assert times.runs == [1000.0 if single else 2000.0] * 3
    assert drivers == [driver]
    assert counts == ([threads] if threads > 1 else [])


def test_a_trace_of_layers(run: Run, folder: Path) -> None:
    pytest.importorskip("ncnn")
    words = ("--engine", "ncnn", "--repeat", "3", "--trace", "t.json")
    run(CNN, *words, "--against", RESIDUAL.replace("residual", "small_cnn"))
    events = json.loads((folder / "t.json").read_text())["traceEvents"]
    names = {event["args"]["name"] for event in events if event["name"] == "thread_name"}
    assert names == {"runs", "layers"}
    spans = [event for event in events if event["ph"] == "X"]
    assert {event["pid"] for event in spans} == {1}
    assert sum(event["name"] == "Convolution 'conv1'" for event in spans) == 6
    runs = [event for event in spans if event["name"].startswith("run ")]
    assert [event["name"] for event in runs] == ["run 1", "run 2", "run 3"] * 2


def test_the_layers_of_a_trace_follow_each_other() -> None:
    times = Times([9.0], {"A 'a'": [1.0, 2.0], "B 'b'": [3.0]})
    events = json.loads(trace_of(Latency(["m.param"], [times])))["traceEvents"]
    spans = {(e["name"], e["ts"]): (e["dur"], e["args"]) for e in events if e["ph"] == "X"}
    assert spans == {
        ("run 1", 0.0): (4000.0, {}),
        ("A 'a'", 0.0): (1000.0, {"share of the run": "25.0 %"}),
        ("B 'b'", 1000.0): (3000.0, {"share of the run": "75.0 %"}),
        ("run 2", 4000.0): (2000.0, {}),
        ("A 'a'", 4000.0): (2000.0, {"share of the run": "100.0 %"}),
    }


def test_what_cannot_be_measured(refused: Run) -> None:
    engine = ("--engine", "ncnn")
    assert refused(CNN, "--repeat", "3") == (
        "--repeat measures the ncnn runtime or native code: --engine ncnn or iree"
    )
    assert refused(CNN, "--engine", "iree", "--repeat", "3", "--trace", "t.json") == (
        "--trace is of layers in the ncnn runtime: --engine ncnn"
    )
    assert refused(CNN, *engine, "--trace", "t.json") == "--trace is for --repeat"
    assert refused(CNN, *engine, "--against", CNN, "--input", "random") == (
        "--against is for --repeat and --on-device"
    )
    assert refused(CNN, *engine, "--threads", "2") == "--threads is for --repeat and --on-device"
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


@pytest.fixture
def stand_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Makes a module with this text stand for the package `ncnn` in processes."""

    def make(text: str) -> None:
        (folder / "own").mkdir()
        (folder / "own" / "ncnn.py").write_text(text)
        before = os.environ.get("PYTHONPATH")
        both = [str(folder / "own"), *([before] if before else [])]
        monkeypatch.setenv("PYTHONPATH", os.pathsep.join(both))

    return make


def test_a_crash_of_the_runtime(stand_in: Callable[[str], None]) -> None:
    pytest.importorskip("ncnn")
    stand_in("import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)\n")
    with pytest.raises(RunError) as error:
        measure(["m"], [Timed("m.param", "m.bin", {}, [])], 3)
    assert str(error.value) == (
        "the ncnn runtime does not run the model: the runtime crashed (SIGSEGV)"
    )


def test_compiled_models_need_no_runtime(stand_in: Callable[[str], None]) -> None:
    """The process starts without the package `ncnn`."""
    stand_in("raise ImportError('there is none')\n")
    assert measure([], [], 3).times == []
    with pytest.raises(RunError, match="^the compiled model does not run: .*no.vmfb"):
        measure(["m"], [TimedCode("no.vmfb", {})], 3)
