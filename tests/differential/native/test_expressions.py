"""Expressions of NumPy, traced and lowered: evaluated in NumPy, and as native code."""

from typing import Any

import numpy as np
import pytest
from draws import part_of
from ncnn_opt.conversion.to_linalg.builder import Builder
from ncnn_opt.conversion.to_linalg.extents import ExtentValues
from ncnn_opt.conversion.to_linalg.kernels import LinalgWriter
from ncnn_opt.conversion.to_linalg.scalars import type_of
from ncnn_opt.conversion.to_linalg.writers import writers_of
from ncnn_opt.conversion.tracing import nodes
from ncnn_opt.conversion.tracing.arrays import Traced
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
    given = [Traced(nodes.Input(array.shape, array.dtype, arg)) for array, arg in pairs]
    with np.errstate(all="ignore"):
        expected = np.asarray(function(*arrays))
        traced: Any = function(*given)
    builder = Builder(place, ExtentValues(block))
    (result,) = LinalgWriter(builder, writers_of(form), form).write([traced.node])
    block.add_op(ReturnOp(result))
    type_ = FunctionType.from_lists([arg.type for arg in block.args], [result.type])
    func = FuncOp(name, type_, Region(block))
    func.verify()
    return Lowered(name, func, arrays, [expected], True)


@pytest.mark.parametrize("form", ["named", "gemm"])
@pytest.mark.parametrize("name", EXPRESSIONS)
def test_code_computes_what_numpy_computes(name: str, form: str) -> None:
    assert_right(_lowered(name, *EXPRESSIONS[name], form))


def _of_sums(x: Any) -> Any:
    powers = np.exp(x)
    return powers / powers.sum(2, keepdims=True) + powers.max((0, 1))


def _of_views(x: Any) -> Any:
    powers = np.exp(x)
    return powers[:, :, None] * powers.transpose(1, 0, 2)[..., :1].reshape(1, 3, 2, 1)


@pytest.mark.parametrize("form", ["named", "gemm"])
@pytest.mark.parametrize("function", [_of_sums, _of_views])
def test_what_several_kernels_read_is_computed_once(function: Function, form: str) -> None:
    x = np.random.default_rng(1).standard_normal((2, 3, 4)).astype("f4")
    code = _lowered(function.__name__, function, (x,), form)
    assert_right(code)
    assert str(code.func).count("math.exp") == 1


def test_expressions_as_native_code(every: bool) -> None:
    from .running import errors_of

    names = part_of(list(EXPRESSIONS), "expressions", every)
    errors = errors_of([_lowered(name, *EXPRESSIONS[name]) for name in names])
    wrong = {k: v for k, v in errors.items() if isinstance(v, str) or not v <= TOLERANCE}
    assert not wrong, "\n".join(f"{name}: {error}" for name, error in wrong.items())
