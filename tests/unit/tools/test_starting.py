"""What a command imports: no more than what it is to do needs."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from ncnn_opt.dialects.ncnn import FAMILIES

DIALECT = "ncnn_opt.dialects.ncnn"
PATTERNS = "ncnn_opt.transforms.canonicalization"

RUN = """
import sys
from importlib import import_module
try:
    import_module(f"ncnn_opt.tools.{sys.argv[1]}_main").main(sys.argv[2:])
except SystemExit:
    pass
open("imported", "w").write("\\n".join(sys.modules))
"""

MODEL = """7767517
4 4
Input        data   0 1 data 0=8 1=8 2=3
Convolution  conv   1 1 data conv 0=4 1=3 6=108
ReLU         relu   1 1 conv relu
Pooling      pool   1 1 relu pool 4=1
"""


def imported(folder: Path, command: str, *arguments: str) -> set[str]:
    """The modules that a command has imported when it ends."""
    code = [sys.executable, "-c", RUN, command, *arguments]
    result = subprocess.run(code, cwd=folder, capture_output=True, text=True, check=True)
    assert "Traceback" not in result.stderr
    return set((folder / "imported").read_text().split("\n"))


def all_families() -> set[str]:
    """The names of the families of layers."""
    return {load().__name__.rpartition(".")[2] for load in FAMILIES.values()}


def families(modules: set[str]) -> set[str]:
    """The families of layers among modules."""
    return {family for family in all_families() if f"{DIALECT}.{family}" in modules}


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help-all"],
        ["--no-such-pass"],
        ["-O", "missing.param"],
        ["-O", "--fuse-swish", "--cut-to"],
    ],
    ids=" ".join,
)
def test_help_and_mistakes_need_no_dialect(arguments: list[str], tmp_path: Path) -> None:
    modules = imported(tmp_path, "ncnn_opt", *arguments)
    assert "xdsl.passes" in modules  # what the commands below do without
    assert "numpy" not in modules
    assert "xdsl.dialects.func" not in modules
    assert not families(modules)
    assert not [name for name in modules if name.startswith((DIALECT, PATTERNS))]


def test_help_has_the_passes_from_their_table(tmp_path: Path) -> None:
    modules = imported(tmp_path, "ncnn_opt", "--help-all")
    assert "ncnn_opt.transforms.rewriting.passes" in modules
    for name in (
        "driver.model_files",
        "report",
        "runtime",
        "targets.param.export",
        "frontends.mlir.parsing",
    ):
        assert find_spec(f"ncnn_opt.{name}") is not None
        assert f"ncnn_opt.{name}" not in modules
    for name in ("rewriting.pattern_pass", "recognize", "eliminate_split"):
        assert f"ncnn_opt.transforms.{name}" not in modules
    assert not [name for name in modules if name.startswith("ncnn_opt.conversion")]


def test_the_page_of_help_needs_almost_nothing(tmp_path: Path) -> None:
    modules = imported(tmp_path, "ncnn_opt", "--help")
    assert not [name for name in modules if name.split(".")[0] in ("numpy", "argparse")]
    assert {name for name in modules if name.startswith("xdsl.")} <= {
        "xdsl.utils",
        "xdsl.utils.exceptions",
    }
    ours = [name for name in modules if name.startswith("ncnn_opt.")]
    assert len(ours) < 40, ours


def test_options_need_no_other_packages(tmp_path: Path) -> None:
    for arguments in (["--help-all"], ["--cut-to", "x", "--weights=none", "missing.param"]):
        modules = imported(tmp_path, "ncnn_opt", *arguments)
        assert not modules & {"importlib.metadata", "email", "xdsl.tools", "xdsl.parser"}


@pytest.mark.parametrize("command", ["ncnn_opt", "ncnn_compile", "ncnn_report", "ncnn_run"])
def test_version_needs_no_ir(command: str, tmp_path: Path) -> None:
    modules = imported(tmp_path, command, "--version")
    assert not {"numpy", "xdsl.ir", "xdsl.dialects.builtin"} & modules


@pytest.mark.parametrize("command", ["ncnn_optimize", "ncnn_compile", "ncnn_report", "ncnn_run"])
def test_help_of_the_others_needs_no_ir(command: str, tmp_path: Path) -> None:
    modules = imported(tmp_path, command, "--help")
    assert not {"numpy", "xdsl.ir", "xdsl.dialects.builtin"} & modules


def test_a_model_needs_few_families_and_no_arrays(tmp_path: Path) -> None:
    (tmp_path / "net.param").write_text(MODEL)
    (tmp_path / "net.bin").write_bytes(bytes(4 + 4 * 108))
    modules = imported(tmp_path, "ncnn_opt", "net.param", "-o", "copy.param")
    assert families(modules) == {"constant", "structure", "convolution", "activation", "pooling"}
    assert not [name for name in modules if name.startswith(PATTERNS)]
    assert "numpy" not in modules

    modules = imported(tmp_path, "ncnn_opt", "-O", "net.param", "-o", "fast.param")
    assert "ReLU" not in (tmp_path / "fast.param").read_text()
    assert not {"audio", "detection", "embedding", "recurrent"} & families(modules)
    assert "numpy" not in modules
    # `-O` imports all patterns, and other packages only for passes that we have not.
    assert {f"{PATTERNS}.patterns", f"{PATTERNS}.recognition.sdpa"} <= modules
    assert not modules & {"importlib.metadata", "hashlib", "ncnn_opt.api"}
    proofs = ("ncnn_opt.proofs", "ncnn_opt.driver.certificates", "ncnn_opt.driver.rewrite_proofs")
    assert not [name for name in modules if name.startswith(proofs)]
    assert not modules & {
        f"ncnn_opt.{name}"
        for name in ("dialects.fused", "dialects.pnnx", "transforms.batch_elimination.elimination")
    }


def test_a_pass_imports_its_own_patterns(tmp_path: Path) -> None:
    (tmp_path / "net.param").write_text(MODEL)
    (tmp_path / "net.bin").write_bytes(bytes(4 + 4 * 108))
    flags = ["--fuse-conv-activation", "--remarks"]
    modules = imported(tmp_path, "ncnn_opt", *flags, "net.param", "-o", "fast.param")
    assert "ReLU" not in (tmp_path / "fast.param").read_text()
    assert f"{PATTERNS}.activation" in modules
    assert not modules & {f"{PATTERNS}.{name}" for name in ("patterns", "affine", "recognition")}


def test_ir_as_text_needs_the_whole_dialect(tmp_path: Path) -> None:
    (tmp_path / "net.mlir").write_text(
        "func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {\n"
        '  %y = ncnn.relu %x {name = "relu"} : (tensor<3xf32>) -> tensor<3xf32>\n'
        "  func.return %y : tensor<3xf32>\n}\n"
    )
    assert families(imported(tmp_path, "ncnn_opt", "net.mlir")) == all_families()


def test_no_garbage_is_looked_for_at_the_end(tmp_path: Path) -> None:
    # What is registered first runs last.
    code = (
        "import atexit, gc; atexit.register(lambda: print(gc.get_freeze_count()))\n"
        "from ncnn_opt.tools.ncnn_opt_main import main; main(['--version'])\n"
        "print(gc.get_freeze_count())"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    _, before, after = result.stdout.splitlines()
    assert int(before) == 0 < int(after)
