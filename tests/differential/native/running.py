"""Lowered cases compiled by IREE, several to a module, and run."""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import pytest
from ncnn_opt.native import lowering as native
from ncnn_opt.native.errors import NativeError
from ncnn_opt.native.iree_compile import compile_code
from ncnn_opt.native.options import CompileOptions
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ..semantics import error
from .layers import Array, Lowered, module_of

_REASON = "IREE is not installed (the extra `native`)"
pytest.importorskip("iree.compiler", reason=_REASON)
runtime: Any = pytest.importorskip("iree.runtime", reason=_REASON)

VERIFIED = CompileOptions(flags=("--verify=true",))
"""With these, IREE verifies its intermediate code after each pass."""


def errors_of(cases: Sequence[Lowered]) -> dict[str, float | str]:
    """By case how far the results of its native code are from those of the reference, relative to
    the largest value; or what is wrong with it."""
    groups = _groups(cases)
    if len(groups) > 1:
        return {name: found for group in groups for name, found in errors_of(group).items()}
    try:
        program = _compiled(cases)
    except NativeError as e:
        if len(cases) > 1:
            return {name: found for case in cases for name, found in errors_of([case]).items()}
        return {cases[0].name: str(e)}
    return {case.name: _error(program, i, case) for i, case in enumerate(cases)}


def _groups(cases: Sequence[Lowered]) -> Sequence[Sequence[Lowered]]:
    """The cases that IREE compiles with the same options."""
    fused = _prepared(cases)[1]
    groups: dict[tuple[bool, bool], list[Lowered]] = {}
    for case, fuses in zip(cases, fused, strict=True):
        groups.setdefault((case.may_be_tiled, fuses), []).append(case)
    return list(groups.values())


def _prepared(cases: Sequence[Lowered]) -> tuple[ModuleOp, Sequence[bool]]:
    """Cases as a module for IREE, and whether IREE should compute borders in the kernels that read
    them, by case."""
    module = module_of(cases)
    functions = [op for op in module.ops if isinstance(op, FuncOp)]
    return module, [native.prepare_kernels(func, VERIFIED) for func in functions]


def _compiled(cases: Sequence[Lowered]) -> Any:
    """The program of several cases with the same options."""
    module, fused = _prepared(cases)
    lowered = native.Lowered(module, (), (), (), None, cases[0].may_be_tiled, fused[0])
    return runtime.load_vm_flatbuffer(compile_code(lowered, VERIFIED), driver="local-sync")


def _error(program: Any, index: int, case: Lowered) -> float | str:
    given: Any = getattr(program, f"case{index}")(*case.inputs)
    several = cast(Sequence[Any], given if isinstance(given, list | tuple) else [given])
    results: list[Array] = [np.asarray(value) for value in several]
    made, wanted = ([(a.shape, a.dtype) for a in each] for each in (results, case.expected))
    if made != wanted:
        return f"{made}, not {wanted}"
    return max(map(error, results, case.expected), default=0.0)
