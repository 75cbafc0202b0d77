"""IREE is asked again, with other options, where it refuses vectors or tiles."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import pytest
from ncnn_opt.native import compiling
from ncnn_opt.native.compiling import compile_code
from ncnn_opt.native.errors import NativeError
from ncnn_opt.native.lowering import lower
from ncnn_opt.native.options import Options

import ncnn_opt

UNTILED = "--iree-opt-data-tiling=false"
ALLOWED = "--iree-llvmcpu-fail-on-large-vector=false"
LINES = {
    "float": "Convolution c 1 1 data out 0=2 1=1 6=4",
    "int8": "Convolution c 1 1 data out 0=2 1=1 6=4 8=2",
    "gemm": "Gemm c 1 1 data out 3=1 5=1 6=1 8=4 9=3 10=-1 18=2",
}


def asked(monkeypatch: pytest.MonkeyPatch, folder: Path, kind: str, error: str) -> list[list[str]]:
    """The options of each run that there is before one is taken: what is allowed is."""
    runs: list[list[str]] = []

    def run_tool(command: Sequence[str], tick: object, who: str = "") -> None:
        runs.append([flag for flag in command if flag in (UNTILED, ALLOWED)])
        if ALLOWED not in command:
            raise NativeError(error)
        Path(command[3]).write_bytes(b"code")

    (folder / "m.param").write_text(f"7767517\n2 2\nInput in 0 1 data 0=3 1=3 2=2\n{LINES[kind]}\n")
    module = ncnn_opt.load(folder / "m.param", weights="random").module
    monkeypatch.setattr(compiling, "find_compiler", lambda: "iree-compile")
    monkeypatch.setattr(compiling, "run_tool", run_tool)
    lowered = lower(module, Options())
    with suppress(NativeError):
        assert compile_code(lowered, Options()) == b"code"
    return runs


@pytest.mark.parametrize(
    "said",
    ["there are large vector sizes", "they are restricted to workgroup distributed contexts"],
)
def test_only_int8_is_tried_untiled(
    said: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert asked(monkeypatch, tmp_path, "float", said) == [[], [ALLOWED]]
    assert asked(monkeypatch, tmp_path, "int8", said) == [[], [UNTILED], [UNTILED, ALLOWED]]


def test_another_error_is_final(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert asked(monkeypatch, tmp_path, "int8", "no such dialect") == [[]]


def test_int8_of_other_layers_is_never_tiled(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    said = "large vector sizes"
    assert asked(monkeypatch, tmp_path, "gemm", said) == [[UNTILED], [UNTILED, ALLOWED]]
