"""The attempts to compile a module with IREE."""

from collections.abc import Sequence

import pytest
from ncnn_opt.native import compiling
from ncnn_opt.native.compiling import FUSED_PADS, LARGE_VECTORS, compile_code
from ncnn_opt.native.errors import NativeError
from ncnn_opt.native.lowering import Lowered
from ncnn_opt.native.options import Options
from xdsl.dialects.builtin import ModuleOp

UNTILED = "--iree-opt-data-tiling=false"
LOWER = "--iree-opt-level=O1"
LARGE = "--iree-llvmcpu-fail-on-large-vector=false"


@pytest.mark.parametrize(
    ("tiled", "fused", "reason", "expected"),
    [
        (True, False, "a fault", [""]),
        (True, False, LARGE_VECTORS, ["", LARGE, f"{LARGE} {LOWER}"]),
        (
            False,
            False,
            LARGE_VECTORS,
            [UNTILED, f"{UNTILED} {LARGE}", f"{UNTILED} {LARGE} {LOWER}"],
        ),
        (True, True, "a fault", [FUSED_PADS, ""]),
        (True, True, LARGE_VECTORS, [FUSED_PADS, "", LARGE, f"{LARGE} {LOWER}"]),
        (False, True, "a fault", [f"{UNTILED} {FUSED_PADS}", UNTILED]),
    ],
)
def test_options_of_each_attempt(
    tiled: bool,
    fused: bool,
    reason: str,
    expected: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    options, tried = Options(), list[str]()
    usual = options.compiler_flags()

    def refuse(command: Sequence[str], tick: object) -> None:
        tried.append(" ".join(command[4 + len(usual) :]))
        raise NativeError(reason)

    monkeypatch.setattr(compiling, "find_compiler", lambda: "iree-compile")
    monkeypatch.setattr(compiling, "run_tool", refuse)
    lowered = Lowered(ModuleOp([]), (), (), (), None, tiled, fused)
    with pytest.raises(NativeError, match=reason):
        compile_code(lowered, options)
    assert tried == expected
