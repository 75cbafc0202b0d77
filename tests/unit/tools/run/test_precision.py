"""`--precision` and `--device` of the ncnn runtime."""

import platform
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from ncnn_opt.driver import model_runs
from ncnn_opt.runtime import PRECISIONS
from ncnn_opt.runtime.blob_comparison import BlobDifference, first_differences
from ncnn_opt.runtime.host import NO_DEVICE, Refused, load_net, set_precision
from ncnn_opt.tools.ncnn_run_main import main

Run = Callable[..., str]

INPUT = ("--input", "random")


def row(blob: str, error: float | None, overflows: bool = False) -> BlobDifference:
    return BlobDifference(blob, f"ReLU '{blob}'", "1", 1.0, 0.0, error, overflows)


def test_the_first_layer_that_differs_and_the_first_that_overflows() -> None:
    rows = [row("a", 0.01), row("cache", None), row("b", 0.0101), row("c", float("inf"), True)]
    assert first_differences(rows, 0.01) == [
        "first layer that differs: ReLU 'b', blob 'b', 0.0101",
        "first layer that overflows: ReLU 'c', blob 'c'",
    ]
    assert first_differences(rows[:2], 0.01) == []


@pytest.mark.parametrize("precision", PRECISIONS)
def test_the_options_of_a_precision(precision: str) -> None:
    names = ["use_fp16_packed", "use_fp16_storage", "use_bf16_packed", "use_bf16_storage"]
    options = SimpleNamespace(**dict.fromkeys(names))
    set_precision(options, precision)
    half, brain = "float16" in precision.split("-"), precision == "bfloat16"
    assert [getattr(options, name) for name in names] == [half, half, brain, brain]
    assert options.use_fp16_arithmetic is (precision == "float16")


def test_options_that_an_older_release_lacks_are_not_set() -> None:
    options = SimpleNamespace(use_bf16_storage=None)
    set_precision(options, "bfloat16")
    assert vars(options) == {"use_bf16_storage": True, "use_fp16_arithmetic": False}


def test_without_a_device_no_model_is_loaded() -> None:
    net = SimpleNamespace(opt=SimpleNamespace())
    ncnn = SimpleNamespace(Net=lambda: net, get_gpu_count=lambda: 0)
    with pytest.raises(Refused) as error:
        load_net(ncnn, "m.param", "m.bin", precision="float16", device="vulkan")
    assert str(error.value) == NO_DEVICE
    assert "apt install mesa-vulkan-drivers" in NO_DEVICE


@pytest.mark.parametrize("option", [("--precision", "float16"), ("--device", "vulkan")])
def test_they_are_for_the_runtime(refused: Run, option: tuple[str, str]) -> None:
    reason = f"{option[0]} is for the ncnn runtime: --engine ncnn or --compare ncnn"
    assert refused("scores.param", *INPUT, *option) == reason
    assert refused("scores.param", *INPUT, *option, "--compare", "iree") == reason
    repeat = ("--engine", "ncnn", "--repeat", "1")
    assert refused("scores.param", *INPUT, *option, *repeat) == reason


@pytest.mark.parametrize(
    ("precision", "error", "agrees"),
    [
        ("float32", 0.002, False),
        ("float16", 0.009, True),
        ("float16", 0.011, False),
        ("float16-storage", 0.009, True),
        ("bfloat16", 0.04, True),
        ("bfloat16", 0.06, False),
    ],
)
def test_the_tolerance_depends_on_the_precision(
    run: Run,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    precision: str,
    error: float,
    agrees: bool,
) -> None:
    given: list[Any] = []

    def run_theirs(*arguments: Any) -> dict[str, Any]:
        given.append(arguments[-3:-1])
        sums = np.array([6, 22, 38], "f4") * np.float32(1 + error)
        return {"data": np.arange(12, dtype="f4").reshape(3, 2, 2), "sums": sums, "prob": sums / 2}

    monkeypatch.setattr(model_runs, "check_runtime", lambda: None)
    monkeypatch.setattr(model_runs, "run_ncnn", run_theirs)
    np.save("x.npy", np.arange(12, dtype="f4").reshape(3, 2, 2))
    line = ("scores.param", "--input", "x.npy", "--compare", "ncnn", "--precision", precision)
    if agrees:
        assert "first layer" not in run(*line, "--device", "vulkan")
    else:
        with pytest.raises(SystemExit):
            run(*line, "--device", "vulkan")
        named = "first layer that differs: Reduction 'sums', blob 'sums'"
        assert (named in capsys.readouterr().out) is (precision != "float32")
    assert given == [(precision, "vulkan")]


@pytest.mark.parametrize(
    ("machine", "precision", "is_noted"),
    [
        ("x86_64", "float16", True),
        ("x86_64", "float16-storage", True),
        ("x86_64", "bfloat16", False),
        ("x86_64", "float32", False),
        ("aarch64", "float16", False),
        ("arm64", "float16", False),
    ],
)
def test_a_processor_without_float16_blobs_is_named(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    machine: str,
    precision: str,
    is_noted: bool,
) -> None:
    def run_theirs(*_: Any) -> dict[str, Any]:
        sums = np.array([6, 22, 38], "f4")
        return {"data": np.arange(12, dtype="f4").reshape(3, 2, 2), "sums": sums, "prob": sums / 2}

    monkeypatch.setattr(model_runs, "check_runtime", lambda: None)
    monkeypatch.setattr(model_runs, "run_ncnn", run_theirs)
    monkeypatch.setattr(platform, "machine", lambda: machine)
    np.save("x.npy", np.arange(12, dtype="f4").reshape(3, 2, 2))
    main(["scores.param", "--input", "x.npy", "--compare", "ncnn", "--precision", precision])
    told = capsys.readouterr().err
    assert ("no float16 blobs" in told) == is_noted
