"""docs/tutorial.md, followed to the letter in a copy of the project."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
BLOCK = re.compile(r"^```(?:python|mlir)\n(?:#|//) (.*?)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
PLACE = re.compile(r"in (\S+), (before|after): (.*)")

COPIED = (
    "transforms",
    "ncnn_opt",
    "tests/differential",
    "tests/proofs",
    "tests/filecheck/lit.cfg.py",
)
LINKED = ("examples", *(path.parent.name for path in ROOT.glob("[a-z]*/__init__.py")))


def steps() -> list[tuple[str, str]]:
    """The pieces of the page: where each belongs, and what it is."""
    return BLOCK.findall((ROOT / "docs" / "tutorial.md").read_text())


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project after the steps of the page."""
    copy = tmp_path_factory.mktemp("project")
    for name in LINKED:
        if name not in COPIED:
            (copy / name).symlink_to(ROOT / name)
    for name in COPIED:
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, copy / name)
        else:
            shutil.copy(ROOT / name, copy / name)
    for place, code in steps():
        if (inside := PLACE.fullmatch(place)) is not None:
            insert(copy / inside[1], inside[2], inside[3], code)
        else:
            (copy / place).parent.mkdir(parents=True, exist_ok=True)
            assert not (copy / place).exists()
            (copy / place).write_text(code)
    return copy


def insert(path: Path, where: str, line: str, code: str) -> None:
    """Puts code before or after the first line that begins so."""
    lines = path.read_text().splitlines(keepends=True)
    index = next(i for i, text in enumerate(lines) if text.startswith(line))
    lines.insert(index if where == "before" else index + 1, code)
    path.write_text("".join(lines))


def run(project: Path, arguments: Sequence[str]) -> str:
    """Runs Python in the copy; returns what it prints."""
    result = subprocess.run(
        [sys.executable, *arguments],
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(project)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def test_there_are_as_many_steps_as_promised() -> None:
    places = [place for place, _ in steps()]
    assert len(places) == 7
    proof = next(code for place, code in steps() if place == "tests/proofs/test_softplus.py")
    assert len(proof.splitlines()) <= 10
    pattern = next(code for place, code in steps() if place.endswith("/softplus.py"))
    own = pattern[pattern.index("class FormSoftplus") :]
    assert len(own.splitlines()) <= 20


def test_pass_is_listed(project: Path) -> None:
    code = "from ncnn_opt.tools.ncnn_opt_main import main; main(['--help-all'])"
    assert re.search(
        r"--fuse-softplus +Replace log\(1 \+ exp\(x\)\) by a Softplus", run(project, ["-c", code])
    )


def test_lit_test_passes(project: Path) -> None:
    """As `lit` would run it, but with the copy's `ncnn-opt`."""
    test = project / "tests" / "filecheck" / "transforms" / "fuse-softplus.mlir"
    driver = "import sys; from ncnn_opt.tools.ncnn_opt_main import main; main(sys.argv[1:])"
    passes = re.findall(r"^// RUN: ncnn-opt (--\S+) %s \| filecheck %s", test.read_text(), re.M)
    assert passes == ["--fuse-softplus", "--canonicalize"]
    for name in passes:
        ir = run(project, ["-c", driver, name, str(test)])
        subprocess.run(
            [Path(sys.executable).with_name("filecheck"), test, "--match-full-lines"],
            input=ir,
            text=True,
            check=True,
        )


def test_differential_test_passes(project: Path) -> None:
    pytest.importorskip("ncnn")
    options = ["-q", "-p", "no:cacheprovider", "--import-mode=importlib"]
    test = "tests/differential/test_softplus.py"
    assert "1 passed" in run(project, ["-m", "pytest", *options, test])


def test_proof_succeeds(project: Path) -> None:
    options = ["-q", "-p", "no:cacheprovider", "--import-mode=importlib"]
    assert "1 passed" in run(project, ["-m", "pytest", *options, "tests/proofs/test_softplus.py"])


def test_pattern_is_the_copys_own(project: Path) -> None:
    """The tests above would mean nothing if they saw the installed package."""
    out = run(project, ["-c", "import ncnn_opt.transforms as t; print(t.__file__)"])
    assert Path(out.strip()).is_relative_to(project)
