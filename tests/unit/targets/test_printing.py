"""Printing a module does not change it."""

import numpy as np
import pytest
from ncnn_opt.dialects.ncnn.constant import ConstantOp
from ncnn_opt.dialects.ncnn.weights import WeightError
from ncnn_opt.targets.mlir import ir_printer
from ncnn_opt.targets.options import MlirOptions, WeightStyle
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.printer import Printer


@pytest.mark.parametrize("style", WeightStyle)
def test_a_module_keeps_its_weights(style: WeightStyle) -> None:
    values = np.arange(100, dtype="f4").reshape(10, 10)
    constant = ConstantOp.holding(values)
    module = ModuleOp([constant])
    before = constant.value
    text = ir_printer.print_module(module, MlirOptions(style))
    assert constant.value is before
    assert np.array_equal(constant.read(), values)
    assert ir_printer.print_module(module, MlirOptions(style)) == text
    assert ("elided" in text) is (style is WeightStyle.ELIDE)


@pytest.mark.parametrize("style", WeightStyle)
def test_a_module_does_not_change_while_it_is_printed(
    style: WeightStyle, monkeypatch: pytest.MonkeyPatch
) -> None:
    constant = ConstantOp.holding(np.arange(100, dtype="f4"))
    before, seen = constant.value, list[object]()
    print_op = Printer.print_op

    def look(self: Printer, op: Operation) -> None:
        seen.append(constant.value)
        print_op(self, op)

    monkeypatch.setattr(Printer, "print_op", look)
    ir_printer.print_module(ModuleOp([constant]), MlirOptions(style))
    assert len(seen) > 1
    assert all(value is before for value in seen)


def test_a_module_keeps_its_weights_if_one_is_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    constants = [ConstantOp.holding(np.full(100, n, "f4")) for n in range(2)]
    before = [each.value for each in constants]
    results = iter([before[1]])

    def dense(*_: object) -> object:
        for value in results:
            return value
        raise WeightError("gone")

    monkeypatch.setattr(ir_printer, "dense_weight", dense)
    with pytest.raises(WeightError):
        ir_printer.print_module(ModuleOp([*constants]), MlirOptions(WeightStyle.INLINE))
    assert [each.value for each in constants] == before
