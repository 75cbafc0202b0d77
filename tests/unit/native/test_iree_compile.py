"""The attempts to compile a module with IREE."""

from collections.abc import Sequence

import pytest
from ncnn_opt.conversion.ncnn_to_fused.lowering import ConvertNcnnToFused
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.frontends.mlir.parsing import parse_ir
from ncnn_opt.native import iree_compile
from ncnn_opt.native.errors import NativeError
from ncnn_opt.native.iree_compile import FUSED_PADS, LARGE_VECTORS, compile_code
from ncnn_opt.native.lowering import Lowered, may_be_tiled
from ncnn_opt.native.options import CompileOptions
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.universe import Universe

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
    tried = attempts(lowered, CompileOptions(), reason, monkeypatch)
    before = len([*CompileOptions().compiler_flags(), *([] if fused else [UNVERIFIED])])
    assert [" ".join(flags[before:]) for flags in tried] == expected


@pytest.mark.parametrize(
    ("options", "fused", "expected"),
    [
        (CompileOptions(), False, True),
        (CompileOptions(), True, False),
        (CompileOptions(flags=("--verify=true",)), False, False),
        (CompileOptions("cuda"), False, False),
    ],
    ids=["usual", "borders in kernels", "wanted", "a GPU"],
)
def test_iree_verifies_code_that_it_may_refuse(
    options: CompileOptions, fused: bool, expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    lowered = Lowered(ModuleOp([]), (), (), (), None, True, fused)
    tried = attempts(lowered, options, LARGE_VECTORS, monkeypatch)
    last = {([None, *(f for f in flags if f.startswith("--verify"))])[-1] for flags in tried}
    assert {flag == UNVERIFIED for flag in last} == {expected}


def attempts(
    lowered: Lowered, options: CompileOptions, reason: str, monkeypatch: pytest.MonkeyPatch
) -> list[Sequence[str]]:
    """Return the flags of each attempt, if IREE refuses all for a reason."""
    tried = list[Sequence[str]]()

    def refuse(command: Sequence[str], tick: object) -> None:
        tried.append(command[4:])
        raise NativeError(reason)

    monkeypatch.setattr(iree_compile, "find_compiler", lambda: "iree-compile")
    monkeypatch.setattr(iree_compile, "run_tool", refuse)
    with pytest.raises(NativeError, match=reason):
        compile_code(lowered, options)
    return tried


@pytest.mark.parametrize(("group", "is_tiled"), [(2, False), (1, True)])
def test_groups_with_a_blob_as_the_weight_are_not_tiled(group: int, is_tiled: bool) -> None:
    """IREE computes wrong values for AVX-512."""
    text = f"""
    func.func @main(%x: tensor<4x9xf32>, %w: tensor<6x{4 // group}x3xf32>) -> tensor<6x7xf32> {{
      %y = ncnn.convolutiondepthwise1d %x weight %w {{name = "y", num_output = 6, kernel_w = 3,
        group = {group}}}
        : (tensor<4x9xf32>, tensor<6x{4 // group}x3xf32>) -> tensor<6x7xf32>
      func.return %y : tensor<6x7xf32>
    }}"""
    context = Context()
    for name, dialect in Universe.get_multiverse().all_dialects.items():
        context.register_dialect(name, dialect)
    module = parse_ir(context, text.encode(), "it.mlir")
    ConvertNcnnToFused().apply(context, module)
    assert may_be_tiled(model_of(module)) is is_tiled
