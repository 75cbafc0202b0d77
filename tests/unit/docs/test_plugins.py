"""The package of examples/my_passes: installed somewhere, it is found, and does what it says."""

import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
NAME = "replace-sigmoid-with-hardsigmoid"

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name != "posix", reason="needs links")]


class Environment:
    """A virtual environment with the package, and for the rest what this one has."""

    def __init__(self, folder: Path) -> None:
        venv.create(folder / "venv", symlinks=True)
        (site,) = (folder / "venv").glob("lib/python*/site-packages")
        paths = [path for path in sys.path if path.endswith("site-packages")]
        # An editable installation is a path in a file of its own.
        (site / "others.pth").write_text("\n".join([*paths, str(ROOT / ".package")]))
        self.folder = folder
        self.python = str(folder / "venv/bin/python")
        shutil.copytree(ROOT / "examples/my_passes", folder / "my_passes")
        self.run(
            ["-m", "pip", "install", "-q", "--no-deps", "--no-index", "--no-build-isolation"]
            + ["--disable-pip-version-check", "./my_passes"]
        )
        (folder / "it.param").write_text("7767517\n2 2\nInput x 0 1 x 0=4\nSigmoid act 1 1 x y\n")
        (folder / "it.bin").touch()

    def run(self, arguments: Sequence[str]) -> str:
        """What Python prints when it is started with these."""
        result = subprocess.run(
            [self.python, *arguments], cwd=self.folder, capture_output=True, text=True
        )
        assert result.returncode == 0, result.stdout + result.stderr
        return result.stdout

    def command(self, module: str, *arguments: str) -> str:
        """What a command prints."""
        return self.run(["-c", f"from {module} import main; main()", *arguments])

    def ncnn_opt(self, *arguments: str) -> str:
        return self.command("ncnn_opt.tools.ncnn_opt_main", *arguments)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return Environment(tmp_path_factory.mktemp("plugin"))


def test_the_command(installed: Environment) -> None:
    installed.ncnn_opt(f"--{NAME}", "it.param", "-o", "fast.param")
    assert "HardSigmoid" in (installed.folder / "fast.param").read_text()
    printed = installed.ncnn_opt(f"--{NAME}=slope=0.25", "it.param")
    assert "ncnn.hardsigmoid" in printed
    assert "alpha = 0.25" in printed


def test_what_is_told_of_it(installed: Environment) -> None:
    told = installed.ncnn_opt("--help", NAME)
    assert "Replace each Sigmoid by a HardSigmoid" in told
    assert "slope: float = 0.2" in told
    listed = installed.ncnn_opt("--list-passes")
    assert f"of my-passes:\n  {NAME}\n" in listed


def test_xdsl_opt(installed: Environment) -> None:
    installed.ncnn_opt("it.param", "-o", "it.mlir")
    printed = installed.command("xdsl.tools.xdsl_opt", "-p", NAME, "it.mlir")
    assert "ncnn.hardsigmoid" in printed


def refused(installed: Environment, *arguments: str) -> str:
    """The message of a command that fails with one."""
    code = "from ncnn_opt.tools.ncnn_opt_main import main; main()"
    result = subprocess.run(
        [installed.python, "-c", code, *arguments],
        cwd=installed.folder,
        capture_output=True,
        text=True,
    )
    assert (result.returncode, result.stdout) == (1, "")
    (message,) = result.stderr.splitlines()
    return message


def test_a_package_that_is_broken(installed: Environment) -> None:
    (module,) = installed.folder.glob("venv/lib/python*/site-packages/my_passes/universe.py")
    text = module.read_text()
    broken = (
        "ncnn-opt: error: the passes of the package 'my-passes' cannot be loaded from "
        "'my_passes.universe:MY_PASSES': ModuleNotFoundError: No module named 'nowhere'"
    )
    clash = (
        "ncnn-opt: error: packages with passes do not go together: Duplicate definition of "
        "fuse-conv-bn in ['my_passes', 'ncnn_opt']."
    )
    try:
        module.write_text(f"import nowhere\n{text}")
        assert refused(installed, "--list-passes") == broken
        assert refused(installed, f"--{NAME}", "it.param") == broken
        # Who does not ask for other passes does not notice.
        assert "ncnn.hardsigmoid" not in installed.ncnn_opt("--eliminate-noop", "it.param")
        module.write_text(text.replace(NAME, "fuse-conv-bn"))
        assert refused(installed, f"--{NAME}", "it.param") == clash
    finally:
        module.write_text(text)


def test_its_tests(installed: Environment) -> None:
    told = installed.run(["-m", "pytest", "-q", "-p", "no:cacheprovider", "my_passes/tests"])
    assert "2 passed" in told
