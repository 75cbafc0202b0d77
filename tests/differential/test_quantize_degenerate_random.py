"""Odd models and samples, by every command and method of `ncnn-quantize` (see `degenerate.py`)."""

from collections import Counter
from pathlib import Path

import pytest

from .amount import examples
from .degenerate import Case, check, describe, locally

CASES = 60

FOUND = (4785,)
"""Cases that showed a defect: biases that float32 does not hold."""


def test_odd_models_and_samples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ends: Counter[str] = Counter()
    with locally():
        for seed in [*range(examples(CASES)), *FOUND]:
            folder = tmp_path / str(seed)
            folder.mkdir()
            monkeypatch.chdir(folder)
            case = Case(seed)
            try:
                message = check(case, folder)
            except Exception as e:
                raise AssertionError(f"seed {seed}: {case.drawn} {case.lines}") from e
            ends["success" if message is None else describe(message)] += 1
    assert ends["success"] > 0.5 * ends.total()
    assert len(ends) > 3  # some of what must be refused
