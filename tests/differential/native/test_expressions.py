"""Expressions of NumPy, traced and lowered: evaluated in NumPy, and as native code."""

from typing import Any

import numpy as np
import pytest
from ncnn_opt.transforms.convert_to_linalg.builder import Builder
from ncnn_opt.transforms.convert_to_linalg.extents import ExtentValues
from ncnn_opt.transforms.convert_to_linalg.kernels import Kernels
from ncnn_opt.transforms.convert_to_linalg.scalars import type_of
from ncnn_opt.transforms.tracing import nodes
from ncnn_opt.transforms.tracing.arrays import Traced
from traced_expressions import EXPRESSIONS, Array, Function
from xdsl.dialects.builtin import FunctionType, TensorType
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue

from ..semantics import TOLERANCE
from .evaluation import assert_right
from .layers import Lowered


def _lowered(
    name: str, function: Function, arrays: tuple[Array, ...], form: str = "named"
) -> Lowered:
    block = Block(arg_types=[TensorType(type_of(array.dtype), array.shape) for array in arrays])

    def place(op: Operation) -> SSAValue:
        block.add_op(op)
        return op.results[0]

    pairs = zip(arrays, block.args, strict=True)
    given = [Traced(nodes.Given(array.shape, array.dtype, arg)) for array, arg in pairs]
    with np.errstate(all="ignore"):
        expected = np.asarray(function(*arrays))
        traced: Any = function(*given)
    (result,) = Kernels(Builder(place, ExtentValues(block)), form).write([traced.node])
    block.add_op(ReturnOp(result))
    type_ = FunctionType.from_lists([arg.type for arg in block.args], [result.type])
    func = FuncOp(name, type_, Region(block))
    func.verify()
    return Lowered(name, func, arrays, [expected], True)


@pytest.mark.parametrize("form", ["named", "gemm"])
@pytest.mark.parametrize("name", EXPRESSIONS)
def test_code_computes_what_numpy_computes(name: str, form: str) -> None:
    assert_right(_lowered(name, *EXPRESSIONS[name], form))


def test_expressions_as_native_code() -> None:
    from .running import errors_of

    errors = errors_of([_lowered(name, *each) for name, each in EXPRESSIONS.items()])
    wrong = {k: v for k, v in errors.items() if isinstance(v, str) or not v <= TOLERANCE}
    assert not wrong, "\n".join(f"{name}: {error}" for name, error in wrong.items())
