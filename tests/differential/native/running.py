"""Lowered cases compiled by IREE, several to a module, and run."""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp, StringAttr

from ..semantics import error
from .layers import Array, Lowered

_REASON = "IREE is not installed (the extra `native`)"
compiler: Any = pytest.importorskip("iree.compiler", reason=_REASON)
runtime: Any = pytest.importorskip("iree.runtime", reason=_REASON)

FLAGS = ("--iree-llvmcpu-target-cpu=host", "--iree-input-demote-f64-to-f32=false")


def errors_of(cases: Sequence[Lowered]) -> dict[str, float | str]:
    """By case how far the results of its native code are from those of the reference, relative to
    the largest value; or what is wrong with it."""
    try:
        program = _compiled(cases)
    except compiler.CompilerToolError as e:
        if len(cases) > 1:
            return {line: found for case in cases for line, found in errors_of([case]).items()}
        lines = [line for line in str(e).splitlines() if "error:" in line]
        return {cases[0].case.line: (lines or [str(e)])[0]}
    return {case.case.line: _error(program, i, case) for i, case in enumerate(cases)}


def _compiled(cases: Sequence[Lowered]) -> Any:
    """The program of several cases; their functions are `case0`, `case1` and so on."""
    module = ModuleOp([])
    for i, each in enumerate(cases):
        func = each.func.clone()
        func.sym_name = StringAttr(f"case{i}")
        module.body.block.add_op(func)
    code = compiler.compile_str(str(module), target_backends=["llvm-cpu"], extra_args=[*FLAGS])
    return runtime.load_vm_flatbuffer(code, driver="local-sync")


def _error(program: Any, index: int, case: Lowered) -> float | str:
    given: Any = getattr(program, f"case{index}")(*case.inputs)
    several = cast(Sequence[Any], given if isinstance(given, list | tuple) else [given])
    results: list[Array] = [np.asarray(value) for value in several]
    made, wanted = ([(a.shape, a.dtype) for a in each] for each in (results, case.expected))
    if made != wanted:
        return f"{made}, not {wanted}"
    return max(map(error, results, case.expected), default=0.0)
