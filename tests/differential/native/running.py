"""Lowered cases compiled by IREE, several to a module, and run."""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import pytest
from ncnn_opt.native import lowering as native
from ncnn_opt.native.compiling import compile_code
from ncnn_opt.native.errors import NativeError
from ncnn_opt.native.options import Options
from xdsl.dialects.func import FuncOp

from ..semantics import error
from .layers import Array, Lowered, module_of

_REASON = "IREE is not installed (the extra `native`)"
pytest.importorskip("iree.compiler", reason=_REASON)
runtime: Any = pytest.importorskip("iree.runtime", reason=_REASON)

VERIFIED = Options(flags=("--verify=true",))
"""With these, IREE verifies its intermediate code after each pass."""


def errors_of(cases: Sequence[Lowered]) -> dict[str, float | str]:
    """By case how far the results of its native code are from those of the reference, relative to
    the largest value; or what is wrong with it."""
    if len({case.may_be_tiled for case in cases}) > 1:
        parts = [[case for case in cases if case.may_be_tiled == tiled] for tiled in (True, False)]
        return errors_of(parts[0]) | errors_of(parts[1])
    try:
        program = _compiled(cases)
    except NativeError as e:
        if len(cases) > 1:
            return {name: found for case in cases for name, found in errors_of([case]).items()}
        return {cases[0].name: str(e)}
    return {case.name: _error(program, i, case) for i, case in enumerate(cases)}


def _compiled(cases: Sequence[Lowered]) -> Any:
    """The program of several cases."""
    module, tiled, options = module_of(cases), cases[0].may_be_tiled, VERIFIED
    functions = [op for op in module.ops if isinstance(op, FuncOp)]
    fused = any([native.prepare_kernels(func, options) for func in functions])
    code = compile_code(native.Lowered(module, (), (), (), None, tiled, fused), options)
    return runtime.load_vm_flatbuffer(code, driver="local-sync")


def _error(program: Any, index: int, case: Lowered) -> float | str:
    given: Any = getattr(program, f"case{index}")(*case.inputs)
    several = cast(Sequence[Any], given if isinstance(given, list | tuple) else [given])
    results: list[Array] = [np.asarray(value) for value in several]
    made, wanted = ([(a.shape, a.dtype) for a in each] for each in (results, case.expected))
    if made != wanted:
        return f"{made}, not {wanted}"
    return max(map(error, results, case.expected), default=0.0)
