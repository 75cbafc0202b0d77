"""Counting instructions (`benchmarks/emulated.py`): with a program in the emulator's place that
says what the runner would."""

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

ROOT = Path(__file__).parents[4]

EMULATOR = """#!/bin/sh
# -plugin COUNTER RUNNER MODEL.param MODEL.bin RESULT single|half BLOB EXTENTS FILE
[ "$8" = "x" ] && [ "$9" = "2,3" ] || exit 3
printf 'y 3 2\\n' > "$6"
cat "${10}" >> "$6"
printf 'z 1\\n' >> "$6"
printf '\\0\\0\\200\\77' >> "$6"
echo "warned" >&2
echo "executed 1000" >&2
echo "$7" | grep -q half && echo "executed 1040" >&2 || echo "executed 1050" >&2
"""


@pytest.fixture
def emulated(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """The module; `qemu-aarch64` is what stands above."""
    program = tmp_path / "qemu-aarch64"
    program.write_text(EMULATOR)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setattr(sys, "path", [str(ROOT), *sys.path])
    return import_module("benchmarks.emulated")


def test_a_count(emulated: Any, tmp_path: Path) -> None:
    values = np.arange(6, dtype="f4").reshape(2, 3)
    for half, instructions in ((False, 50), (True, 40)):
        arm = emulated.Arm(Path("runner"), Path("counter.so"), half)
        count = arm.count(tmp_path / "model.param", {"x": values}, tmp_path)
        assert count.instructions == instructions
        assert count.outputs["y"].shape == (3, 2)
        assert count.outputs["y"].ravel().tolist() == [0, 1, 2, 3, 4, 5]
        assert count.outputs["z"].tolist() == [1]
    with pytest.raises(emulated.DoesNotCount, match="3"):
        arm.count(tmp_path / "model.param", {"other": values}, tmp_path)


@pytest.mark.parametrize(
    ("got", "expected", "difference"),
    [
        ([1.0, 2.0, 4.0], [1.0, 2.0, 4.0], 0),
        ([1.0, 2.5, 4.0], [1.0, 2.0, 4.0], 0.125),
        ([1.0, np.inf, 4.0], [1.0, np.inf, 4.0], 0),
        ([1.0, np.inf, 4.0], [1.0, 2.0, 4.0], np.inf),
        ([1.0, 2.0], [1.0, 2.0, 4.0], np.inf),
        ([np.nan], [np.nan], np.nan),
    ],
)
def test_how_far_outputs_are_apart(
    got: list[float], expected: list[float], difference: float, emulated: Any
) -> None:
    counts = [emulated.Count(1, {"y": np.array(v, "f4")}) for v in (got, expected)]
    assert emulated.difference(counts, 0, 1) == pytest.approx(difference, nan_ok=True)
