"""The operations of epilogues on arrays, where they differ from NumPy's functions of that name."""

import math as python_math
from typing import Any

import numpy as np
import pytest
from ncnn_opt.dialects.fused.epilogue import SCALARS
from ncnn_opt.interpreters.fused import compute, to_type
from xdsl.dialects import arith, math
from xdsl.dialects.builtin import bf16, f16, f32, i8, i32
from xdsl.ir import Operation, SSAValue
from xdsl.utils.exceptions import InterpretationError
from xdsl.utils.test_value import create_ssa_value

NAN = float("nan")


def scalar(type_: Any = f32) -> SSAValue:
    return create_ssa_value(type_)


def run(op: Operation, *values: Any) -> list[float]:
    args = tuple(np.asarray(v, "f4") for v in values)
    return compute(op, args).tolist()


@pytest.mark.parametrize(
    ("predicate", "expected"),
    [
        ("false", [False, False, False, False]),
        ("oeq", [False, True, False, False]),
        ("one", [True, False, True, False]),
        ("olt", [True, False, False, False]),
        ("oge", [False, True, True, False]),
        ("ord", [True, True, True, False]),
        ("ueq", [False, True, False, True]),
        ("ult", [True, False, False, True]),
        ("une", [True, False, True, True]),
        ("uno", [False, False, False, True]),
        ("true", [True, True, True, True]),
    ],
)
def test_comparisons(predicate: str, expected: list[bool]) -> None:
    op = arith.CmpfOp(scalar(), scalar(), predicate)
    assert run(op, [1, 2, 3, NAN], [2, 2, 2, 2]) == expected


def test_halves() -> None:
    halves = [-2.5, -0.5, 0.5, 1.5, 2.5]
    assert run(math.RoundOp(scalar()), halves) == [-3, -1, 1, 2, 3]
    assert run(math.RoundEvenOp(scalar()), halves) == [-2, 0, 0, 2, 2]


def test_bounds_of_no_number() -> None:
    for keeps in (arith.MaximumfOp, arith.MinimumfOp):
        assert all(map(python_math.isnan, run(keeps(scalar(), scalar()), [NAN, 1], [1, NAN])))
    for drops in (arith.MaxnumfOp, arith.MinnumfOp):
        assert run(drops(scalar(), scalar()), [NAN, 1], [1, NAN]) == [1, 1]


def test_fma_rounds_once() -> None:
    a = 1 + 2.0**-12
    exact = float(np.float32(a * a - 1))
    assert run(math.FmaOp(scalar(), scalar(), scalar()), a, a, -1) == exact
    assert float(np.float32(a) * np.float32(a)) - 1 != exact


def test_conversions() -> None:
    assert run(arith.FPToSIOp(scalar(), i8), [-1.9, 1.9, 127]) == [-1, 1, 127]
    integers = np.array([-(2**24) - 1, 5], "i4")
    assert compute(arith.SIToFPOp(scalar(i32), f32), (integers,)).dtype == np.float32
    assert compute(arith.TruncFOp(scalar(), f16), (np.asarray(1 / 3, "f4"),)).dtype == np.float16


def test_bf16_is_rounded_to_nearest() -> None:
    ulp = 2.0**-7  # of 1 in bf16
    values = np.array([1 + ulp * 0.4, 1 + ulp * 0.6, 1 + ulp * 0.5, 1 + ulp * 1.5], "f4")
    assert to_type(values, bf16).tolist() == [1, 1 + ulp, 1, 1 + 2 * ulp]


def test_results_are_float32() -> None:
    x = np.asarray([0.5], "f4")
    for cls in (math.ErfOp, math.ExpOp, math.RsqrtOp, math.TanhOp):
        assert compute(cls(scalar()), (x,)).dtype == np.float32


def test_what_is_not_known_is_said() -> None:
    with pytest.raises(InterpretationError, match=r"math\.ctpop"):
        compute(math.CtPopOp(scalar(i32)), (np.asarray(1, "i4"),))


def test_every_float_operation_is_known() -> None:
    dialects = {"arith": arith.Arith, "math": math.Math}
    assert set(dialects) == set(SCALARS)
    unknown: list[str] = []
    for dialect in dialects.values():
        for cls in dialect.operations:
            floats = (
                arith.FloatingPointLikeBinaryOperation,
                math.FloatingPointLikeUnaryMathOperation,
                math.FloatingPointLikeBinaryMathOperation,
            )
            if not issubclass(cls, floats):
                continue
            operands = len(cls.get_irdl_definition().operands)
            op: Any = cls.create(operands=[scalar()] * operands, result_types=[f32])
            try:
                with np.errstate(invalid="ignore"):  # outside of what acosh takes
                    compute(op, (np.full(2, 0.5, "f4"),) * operands)
            except InterpretationError:
                unknown.append(cls.name)
    assert not unknown
