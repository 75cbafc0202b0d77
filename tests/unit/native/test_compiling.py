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
UNVERIFIED = "--verify=false"
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
    lowered = Lowered(ModuleOp([]), (), (), (), None, tiled, fused)
    tried = attempts(lowered, Options(), reason, monkeypatch)
    before = len([*Options().compiler_flags(), *([] if fused else [UNVERIFIED])])
    assert [" ".join(flags[before:]) for flags in tried] == expected


@pytest.mark.parametrize(
    ("options", "fused", "expected"),
    [
        (Options(), False, True),
        (Options(), True, False),
        (Options(flags=("--verify=true",)), False, False),
        (Options("cuda"), False, False),
    ],
    ids=["usual", "borders in kernels", "wanted", "a GPU"],
)
def test_iree_verifies_code_that_it_may_refuse(
    options: Options, fused: bool, expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    lowered = Lowered(ModuleOp([]), (), (), (), None, True, fused)
    tried = attempts(lowered, options, LARGE_VECTORS, monkeypatch)
    last = {([None, *(f for f in flags if f.startswith("--verify"))])[-1] for flags in tried}
    assert {flag == UNVERIFIED for flag in last} == {expected}


def attempts(
    lowered: Lowered, options: Options, reason: str, monkeypatch: pytest.MonkeyPatch
) -> list[Sequence[str]]:
    """Return the flags of each attempt, if IREE refuses all for a reason."""
    tried = list[Sequence[str]]()

    def refuse(command: Sequence[str], tick: object) -> None:
        tried.append(command[4:])
        raise NativeError(reason)

    monkeypatch.setattr(compiling, "find_compiler", lambda: "iree-compile")
    monkeypatch.setattr(compiling, "run_tool", refuse)
    with pytest.raises(NativeError, match=reason):
        compile_code(lowered, options)
    return tried
