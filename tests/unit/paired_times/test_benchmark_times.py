"""Times of models in several processes (`benchmarks/timing.py`, `benchmarks/stopwatch.py`)."""

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

ROOT = Path(__file__).parents[3]
CNN = ROOT / "examples" / "small_cnn.param"
INPUTS = {"data": np.ones((3, 32, 32), "f4")}


@pytest.fixture
def timing(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module."""
    monkeypatch.setattr(sys, "path", [str(ROOT), *sys.path])
    return import_module("benchmarks.timing")


def test_a_process_counts_as_one_ratio(timing: Any) -> None:
    processes = [np.array([[ratio, 1.0], [2 * ratio, 2.0]]) for ratio in (0.7, 0.8, 0.9) * 3]
    found = timing.Timing(processes)
    ratio = found.ratio(0, 1)
    assert ratio == timing.ratio_of_groups([[each] for each in (0.7, 0.8, 0.9) * 3])
    assert ratio.is_faster
    assert not timing.is_above(ratio)
    assert timing.is_above(found.ratio(1, 0))
    assert found.milliseconds(0) == pytest.approx(1.2)
    assert timing.cell_of(ratio) == "0.794 (0.700–0.900)"


def test_counts_have_no_interval_but_a_limit(timing: Any) -> None:
    def of(value: float) -> Any:
        return timing.Timing([np.array([[value, 1.0]])]).ratio(0, 1)

    assert timing.is_above(of(1.02))
    with timing.instead_of_time(object()):
        assert not timing.is_above(of(1.02))
        assert timing.is_above(of(1.04))
        assert timing.cell_of(of(1.04)) == "1.040"


def test_titles_name_the_confidence(timing: Any) -> None:
    assert timing.title(" of a") == "Time of a: ratio (95 % interval) of 8 processes"
    assert timing.interval_title(3) == "ratio (75 % interval) of 3 processes"


def test_models_take_turns_in_each_process(timing: Any, tmp_path: Path) -> None:
    pytest.importorskip("ncnn")
    found = timing.time_models([CNN, CNN], INPUTS, tmp_path, 0.0, seeds=[3, 4])
    assert [table.shape for table in found.processes] == [(3, 2), (3, 2)]  # the least rounds
    assert all((table > 0).all() for table in found.processes)


def test_a_model_that_does_not_load_is_named(timing: Any, tmp_path: Path) -> None:
    pytest.importorskip("ncnn")
    with pytest.raises(timing.DoesNotRun, match="does not load") as error:
        timing.time_models([CNN, tmp_path / "none.param"], INPUTS, tmp_path, 0.0, seeds=[0])
    assert error.value.index == 1


def test_compiled_models_take_turns_with_the_runtime(timing: Any, tmp_path: Path) -> None:
    pytest.importorskip("ncnn")
    pytest.importorskip("iree.compiler")
    pytest.importorskip("iree.runtime")
    import ncnn_opt

    code = tmp_path / "m.vmfb"
    ncnn_opt.load(CNN).compile().save(code)
    found = timing.time_models([code, CNN], INPUTS, tmp_path, 0.0, seeds=[0], half=False)
    assert found.processes[0].shape == (3, 2)
    assert (found.processes[0] > 0).all()
