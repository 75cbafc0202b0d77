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

FLAGS = ("--iree-llvmcpu-target-cpu=host",)

TOLERANCE = 1e-5
"""The greatest error, relative to the output's largest value."""


def problems(cases: Sequence[Lowered]) -> list[str]:
    """What is wrong with the native code of some cases."""
    try:
        program = _compiled(cases)
    except compiler.CompilerToolError as e:
        if len(cases) > 1:
            return [text for case in cases for text in problems([case])]
        errors = [line for line in str(e).splitlines() if "error:" in line]
        return [f"{cases[0].case}: {(errors or [str(e)])[0]}"]
    found = (_problem(program, i, case) for i, case in enumerate(cases))
    return [text for text in found if text]


def _compiled(cases: Sequence[Lowered]) -> Any:
    """The program of several cases; their functions are `case0`, `case1` and so on."""
    module = ModuleOp([])
    for i, each in enumerate(cases):
        func = each.func.clone()
        func.sym_name = StringAttr(f"case{i}")
        module.body.block.add_op(func)
    code = compiler.compile_str(str(module), target_backends=["llvm-cpu"], extra_args=[*FLAGS])
    return runtime.load_vm_flatbuffer(code, driver="local-sync")


def _problem(program: Any, index: int, case: Lowered) -> str:
    """In what the results of a case are not those of the reference; nothing if they are."""
    given: Any = getattr(program, f"case{index}")(*case.inputs)
    several = cast(Sequence[Any], given if isinstance(given, list | tuple) else [given])
    results: list[Array] = [np.asarray(value) for value in several]
    if len(results) != len(case.expected):
        return f"{case.case}: {len(results)} results, not {len(case.expected)}"
    for actual, expected in zip(results, case.expected, strict=True):
        if (actual.shape, actual.dtype) != (expected.shape, expected.dtype):
            made, wanted = ((a.shape, a.dtype) for a in (actual, expected))
            return f"{case.case}: {made}, not {wanted}"
        if not (found := error(actual, expected)) <= TOLERANCE:
            return f"{case.case}: off by {found:.3g}"
    return ""
