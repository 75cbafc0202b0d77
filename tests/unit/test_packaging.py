"""What is built and installed: all of the package, nothing else; a checkout stays as it was."""

import ast
import os
import re
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NO_PARTS = {"benchmarks", "tests", "ncnn_opt"}
SUFFIXES = (".py", ".css", ".js", ".json", ".txt", ".typed", ".cpp", ".h")
FOLDERS = sorted(path.parent.name for path in ROOT.glob("[a-z]*/__init__.py"))
OTHERS = ("docs", "examples", "tests")
FILES = ("pyproject.toml", "setup.py", "MANIFEST.in", "LICENSE", "Makefile", "mkdocs.yml")
PAGES = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md")

USER = """
import ncnn_opt
from ncnn_opt.dialects.ncnn.convolution import ConvolutionOp

model = ncnn_opt.load("x.param")
reveal_type(ncnn_opt.optimize(model))

def look(op: ConvolutionOp) -> None:
    reveal_type(op.num_output)
    reveal_type(op.bias)
"""
TYPES = ["list[Remark]", "int", "SSAValue[Attribute] | None"]

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name != "posix", reason="needs links")]


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what is needed to build."""
    copy = tmp_path_factory.mktemp("checkout")
    ignored = shutil.ignore_patterns("__pycache__", "Output", "Inputs")
    for name in (*FOLDERS, *OTHERS):
        shutil.copytree(ROOT / name, copy / name, ignore=ignored)
    for name in (*FILES, *PAGES):
        shutil.copy(ROOT / name, copy / name)
    return copy


def build(checkout: Path, what: str, out: Path) -> Path:
    """A `wheel`, `editable` wheel or `sdist`, as pip makes it, but with this environment."""
    code = f"from setuptools import build_meta; print(build_meta.build_{what}({str(out)!r}))"
    out.mkdir(exist_ok=True)
    return out / run(checkout, ["-c", code]).split()[-1]


def run(folder: Path, arguments: Sequence[str], python: str = sys.executable) -> str:
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    result = subprocess.run(
        [python, *arguments], cwd=folder, env=environment, capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


def modules(checkout: Path) -> set[str]:
    """The files that belong into the package."""
    paths = {path for name in FOLDERS for path in (checkout / name).rglob("*")}
    inside = {path.relative_to(checkout) for path in paths if path.is_file()}
    ours = {p for p in inside if p.suffix in SUFFIXES}
    parts = {p for p in ours if p.parts[0] not in NO_PARTS}
    return {f"ncnn_opt/{p}" for p in parts} | {str(p) for p in ours if p.parts[0] == "ncnn_opt"}


def files_of(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name}


@pytest.fixture(scope="module")
def wheel(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(checkout, "wheel", tmp_path_factory.mktemp("wheel"))


def environment(folder: Path, wheel: Path) -> Path:
    """A virtual environment where this wheel is installed; the rest is that of this one."""
    venv.create(folder, symlinks=True)
    (site,) = folder.glob("lib/python*/site-packages")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    others = [path for path in sys.path if path.endswith("site-packages")]
    (site / "zz.pth").write_text("\n".join(others))
    return folder / "bin" / "python"


def test_a_wheel_holds_the_package(wheel: Path, checkout: Path) -> None:
    assert files_of(wheel) == modules(checkout)


def test_links_on_a_package_index(wheel: Path) -> None:
    """There is nothing beside the text there: what it links to must have an address."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith("/METADATA")]
        text = archive.read(name).decode()
    assert "Description-Content-Type: text/markdown" in text
    links = re.findall(r"\]\(([^)]*)\)", text)
    assert len(links) >= 2
    assert [link for link in links if not link.startswith("https://")] == []
    # What the links said is still there.
    assert "Passes: all passes and their conditions" in text


def test_a_build_leaves_nothing_behind(wheel: Path, checkout: Path, tmp_path: Path) -> None:
    left = {path.name for path in checkout.iterdir()} - {*FOLDERS, *OTHERS, *FILES, *PAGES}
    assert left == {".package"}
    # What has gone from the checkout is not in the next wheel.
    extra = checkout / "transforms" / "gone.py"
    extra.write_text("")
    assert "ncnn_opt/transforms/gone.py" in files_of(build(checkout, "wheel", tmp_path / "1"))
    extra.unlink()
    assert files_of(build(checkout, "wheel", tmp_path / "2")) == files_of(wheel)


def test_a_source_distribution_holds_the_checkout(
    wheel: Path, checkout: Path, tmp_path: Path
) -> None:
    with tarfile.open(build(checkout, "sdist", tmp_path)) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
        archive.extractall(tmp_path / "unpacked", filter="data")
    here = {str(path.relative_to(checkout)) for path in checkout.rglob("*") if path.is_file()}
    assert {*FILES, *PAGES, "docs/making/site.py", "examples/my_passes/pyproject.toml"} <= here
    kept = {name for name in here if "/." not in f"/{name}" and "__pycache__" not in name}
    assert kept <= names
    assert not [name for name in names if name.startswith(".package")]
    (unpacked,) = (tmp_path / "unpacked").iterdir()
    assert files_of(build(unpacked, "wheel", tmp_path / "wheel")) == files_of(wheel)


def test_an_installed_package_in_a_checkout(wheel: Path, checkout: Path, tmp_path: Path) -> None:
    # The folder `ncnn_opt/` stands before the installed package there.
    python = str(environment(tmp_path, wheel))
    code = "import ncnn_opt.transforms, ncnn_opt.formats as f; print(f.__file__)"
    assert run(checkout, ["-c", code], python).strip() == str(checkout / "formats/__init__.py")
    assert str(tmp_path) in run(tmp_path, ["-c", code], python)


def test_an_older_python_is_refused_with_one_line() -> None:
    """A Python that calls itself 3.10 and has no `tomllib` stands for Python 3.10."""
    older = "import runpy, sys; sys.version_info = (3, 10, 2, 'final', 0); "
    older += "sys.modules['tomllib'] = None; runpy.run_path('setup.py')"
    done = subprocess.run([sys.executable, "-c", older], cwd=ROOT, capture_output=True, text=True)
    message = "ncnn-opt requires Python 3.11 or newer; this is Python 3.10.2\n"
    assert (done.returncode, done.stderr) == (1, message)
    ast.parse((ROOT / "setup.py").read_text("utf-8"), feature_version=(3, 9))


def test_the_packages_of_a_checkout_can_be_walked(checkout: Path) -> None:
    # It has this package in it, and that one again …
    walk = "pkgutil.walk_packages(ncnn_opt.__path__, 'ncnn_opt.')"
    code = f"import ncnn_opt, pkgutil; print(*[module.name for module in {walk}])"
    names = run(checkout, ["-c", code]).split()
    assert "ncnn_opt.dialects.ncnn.layer" in names
    assert [name for name in names if "ncnn_opt" in name.split(".")[1:]] == ["ncnn_opt.ncnn_opt"]


@pytest.mark.parametrize("kind", ["wheel", "editable"])
def test_types_reach_those_who_use_the_package(kind: str, checkout: Path, tmp_path: Path) -> None:
    if find_spec("pyright") is None:
        pytest.skip("needs pyright (the extra lint)")
    python = environment(tmp_path / "venv", build(checkout, kind, tmp_path / "built"))
    (tmp_path / "user.py").write_text(USER)
    (tmp_path / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}')
    arguments = ["-m", "pyright", "--pythonpath", str(python), "user.py"]
    result = subprocess.run(
        [sys.executable, *arguments], cwd=tmp_path, capture_output=True, text=True
    )
    assert re.findall(r'Type of "[^"]+" is "(.+)"', result.stdout) == TYPES, result.stdout
    assert "0 errors" in result.stdout
