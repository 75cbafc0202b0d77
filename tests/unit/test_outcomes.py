"""The tests that did not run are counted, listed, and an error in CI unless they are allowed."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

TESTS = """
import time
import pytest

def test_a(): time.sleep(0.2)
def test_left(): pass
def test_skipped(): pytest.skip("needs a moon")
@pytest.mark.xfail
def test_expected(): assert 0
"""
MODULE = "import pytest\npytest.importorskip('no_such_module', reason='needs a sun')\n"
LIT = {
    "tests": [{"name": "x :: a.mlir", "code": "PASS"}, {"name": "x :: b", "code": "UNSUPPORTED"}]
}
RAN = ["test_a", "test_skipped", "test_expected"]
NOT_RUN = ["test_it.py::test_expected", "test_it.py::test_left", "test_it.py::test_skipped"]


def pytest_there(folder: Path, *arguments: str) -> str:
    # Without the other plugins of the environment, which take long to import.
    alone = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "tests/support"), **alone}
    words = ["-q", "-p", "outcomes", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", "."]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *words, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def skips(folder: Path, command: str, listed: str) -> tuple[int, str]:
    """Run CI's script with a list of its own."""
    (folder / "skips.txt").write_text(listed)
    (folder / "skips.py").write_text((ROOT / ".ci/skips.py").read_text())
    words = [sys.executable, str(folder / "skips.py"), command, str(folder)]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True)
    assert not done.stderr
    return done.returncode, done.stdout


@pytest.fixture(scope="module", params=[(), ("-p", "xdist.plugin", "-n2")], ids=["alone", "xdist"])
def first(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> tuple[Path, str]:
    """The folder of a first run, and what it prints."""
    folder = tmp_path_factory.mktemp("first")
    (folder / "test_it.py").write_text(TESTS)
    (folder / "test_other.py").write_text(MODULE)
    out = pytest_there(folder, *request.param, "-k", "not left", "--outcomes", "test.json")
    (folder / "test.lit").write_text(json.dumps(LIT))
    return folder, out


@pytest.fixture
def run(first: tuple[Path, str], tmp_path: Path) -> tuple[Path, str]:
    """A copy of that folder, and what was printed."""
    shutil.copytree(first[0], tmp_path / "run")
    return tmp_path / "run", first[1]


def test_the_summary_has_a_line_for_each_reason(run: tuple[Path, str]) -> None:
    assert "not tested here" in run[1]
    assert "\nneeds a moon: 1 test\nneeds a sun: test_other.py\n" in run[1]


def test_the_seconds_of_each_test(run: tuple[Path, str]) -> None:
    seconds = json.loads((run[0] / "test.json").read_text())["seconds"]
    assert seconds.keys() == {f"test_it.py::{name}" for name in RAN}
    assert max(seconds, key=seconds.get) == next(iter(seconds)) == "test_it.py::test_a"
    assert seconds["test_it.py::test_a"] >= 0.2


def test_what_did_not_run_is_an_error(run: tuple[Path, str]) -> None:
    folder, _ = run
    status, out = skips(folder, "check", "collected 3\nskips 8\n")
    expected = [*NOT_RUN, "test_other.py", "tests/filecheck/b"]
    assert status == 1
    assert [line[16:] for line in out.splitlines() if "error: skipped" in line] == expected
    assert skips(folder, "left", "collected 3\nskips 8\n") == (0, "\n".join(expected[:-1]) + "\n")


def test_what_is_allowed(run: tuple[Path, str]) -> None:
    folder, _ = run
    listed = "test_it.py::* | a reason\ntest_other.py | another\ntests/filecheck/b | a third\n"
    assert skips(folder, "check", f"collected 3\nskips 5\n{listed}")[0] == 0
    assert (
        "error: 5 tests were skipped; at most 4 may be"
        in skips(folder, "check", f"collected 3\nskips 4\n{listed}")[1]
    )
    status, out = skips(folder, "check", f"collected 4\nskips 5\n{listed}gone.py::* | a reason\n")
    assert status == 1
    assert "`make test` collected 3 tests; it must collect 4 or more" in out
    assert "error: skips.txt: no test matches gone.py::*" in out


def test_a_test_of_a_stage_that_did_not_run_need_not_be_known(run: tuple[Path, str]) -> None:
    folder, _ = run
    (folder / "test_unrun.py").touch()
    listed = "test_it.py::* | a reason\ntest_other.py | another\ntests/filecheck/b | a third\n"
    unrun = f"{listed}test_unrun.py::* | a fourth\n"
    assert skips(folder, "check", f"collected 3\nskips 5\n{unrun}")[0] == 0
    _, out = skips(folder, "check", f"collected 3\nskips 5\n{listed}test_it.py::gone | none\n")
    assert "error: skips.txt: no test matches test_it.py::gone" in out


def test_a_later_run_makes_good_for_a_skip(run: tuple[Path, str]) -> None:
    folder, _ = run
    passing = TESTS.replace('pytest.skip("needs a moon")', "pass").replace("assert 0", "pass")
    (folder / "test_it.py").write_text(passing.replace("@pytest.mark.xfail", ""))
    (folder / "test_other.py").write_text("def test_b(): pass\n")
    (folder / "again").write_text("\n".join([*NOT_RUN, "test_other.py"]))
    pytest_there(folder, "@again", "--outcomes", "again.json")
    assert skips(folder, "left", "collected 3\nskips 0\n") == (0, "\n")
    listed = "collected 3\nskips 1\ntests/filecheck/b | a reason\n"
    assert skips(folder, "check", listed)[0] == 0
