"""Of tests that are slow and many, a part runs: drawn by the commit, all when asked, or by name."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SUPPORT = Path(__file__).parents[1] / "support"
TESTS = """
import pytest

@pytest.mark.drawn(3)
@pytest.mark.parametrize("case", range(12))
def test_slow(case): pass

@pytest.mark.parametrize("case", range(2))
def test_quick(case, every): pass
"""
SLOW = [f"test_slow[{case}]" for case in range(12)]
QUICK = ["test_quick[0]", "test_quick[1]"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "test_it.py").write_text(TESTS)
    return tmp_path


def collected(folder: Path, *arguments: str, seed: str = "a") -> list[str]:
    alone = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(SUPPORT)}
    environment = {**os.environ, **alone, "NCNN_OPT_DRAW": seed}
    words = ["-p", "draws", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", "."]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--collect-only", *words, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "deselected" not in done.stdout
    return [line.partition("::")[2] for line in done.stdout.splitlines() if "::" in line]


def test_one_of_three_is_drawn_by_the_seed(folder: Path) -> None:
    found = collected(folder)
    assert [test for test in SLOW if test in found] + QUICK == found
    assert len(found) == 4 + len(QUICK)
    assert collected(folder) == found
    assert any(collected(folder, seed=seed) != found for seed in "bcd")


def test_all_are_there_when_asked(folder: Path) -> None:
    assert collected(folder, "--all-cases") == SLOW + QUICK


@pytest.mark.parametrize("case", [0, 5])
def test_a_named_test_runs(folder: Path, case: int) -> None:
    assert collected(folder, f"test_it.py::{SLOW[case]}") == [SLOW[case]]
    assert collected(folder, "test_it.py::test_slow") == SLOW
