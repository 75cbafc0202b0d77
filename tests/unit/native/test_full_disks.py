"""What is said where there is no space for temporary files."""

import errno
import sys
from pathlib import Path

import pytest
from ncnn_opt.driver.errors import describe
from ncnn_opt.native import iree_compile
from ncnn_opt.native.errors import NativeError
from ncnn_opt.native.iree_compile import NOT_LINKED, run_tool
from xdsl.utils.exceptions import DiagnosticException

LINKER = f"model.mlir:1:1: error: {NOT_LINKED} and generate target dylib (check above)"


def failing(text: str) -> list[str]:
    """A compiler that fails with this text."""
    return [sys.executable, "-c", f"import sys; sys.exit({text!r})"]


def refusal(text: str) -> str:
    with pytest.raises(NativeError) as caught:
        run_tool(failing(text), lambda: None)
    return str(caught.value)


@pytest.mark.parametrize("text", ["LLVM ERROR: IO failure: No space left on device", LINKER])
def test_a_full_disk(text: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(iree_compile.tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(iree_compile, "LITTLE_SPACE", 1 << 62)
    message = refusal(text)
    assert message.startswith(f"IREE has too little space for temporary files in '{tmp_path}' (")
    assert message.endswith(" KiB are free); set TMPDIR to another folder")


@pytest.mark.parametrize("text", ["a.mlir:1:1: error: no such operation", LINKER])
def test_another_failure(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(iree_compile, "LITTLE_SPACE", 0)
    assert refusal(text) == f"IREE does not compile the model: {text.split('error: ')[1]}"


def test_the_compiler_has_the_folder_that_python_has(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """That of TMPDIR may not be there: Python takes another one then."""
    monkeypatch.setenv("TMPDIR", str(tmp_path / "missing"))
    monkeypatch.setattr(iree_compile.tempfile, "tempdir", str(tmp_path))
    command = "import os, sys; sys.exit(os.environ['TMPDIR'] != sys.argv[1])"
    run_tool([sys.executable, "-c", command, str(tmp_path)], lambda: None)


def test_files_of_ours(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(iree_compile.tempfile, "tempdir", str(tmp_path))
    error = OSError(errno.ENOSPC, "No space left on device")
    assert describe(error, "m.param") == (
        f"No space left on device for temporary files in '{tmp_path}'; "
        "TMPDIR can name another folder"
    )
    named = OSError(errno.ENOSPC, "No space left on device", "out.param")
    assert describe(named, "m.param") == "out.param: No space left on device"
    other = OSError(errno.EIO, "Input/output error")
    assert describe(other, "m.param") == "Input/output error"


def test_an_error_without_a_file_has_no_empty_place() -> None:
    assert describe(DiagnosticException("no shape"), "") == "no shape"
    assert describe(DiagnosticException("no shape"), "m.param") == "m.param: no shape"
