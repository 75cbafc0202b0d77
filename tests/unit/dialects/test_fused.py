"""The operations of the fused dialect, as classes."""

import inspect
from typing import Any

import pytest
from ncnn_opt.dialects.fused import FUSED, ConvOp, ElementwiseOp, FusedOp, LinearOp, YieldOp
from ncnn_opt.dialects.fused.properties import int_values, integer, ints
from xdsl.dialects.builtin import TensorType, f32
from xdsl.utils.test_value import create_ssa_value

ANCHORS: list[type[FusedOp]] = [op for op in FUSED.operations if issubclass(op, FusedOp)]


def blob(*shape: int) -> Any:
    return create_ssa_value(TensorType(f32, shape))


@pytest.mark.parametrize("cls", ANCHORS, ids=lambda cls: cls.name)
def test_documentation(cls: type[FusedOp]) -> None:
    text = inspect.getdoc(cls) or ""
    for word in ("Shapes:", "Accumulator:", f"Example: `%y = {cls.name}"):
        assert word in text, word
    shared = {"name", "blob", "residual_axes", "operandSegmentSizes"}
    own = set(cls.get_irdl_definition().properties) - shared
    assert ("Properties:" in text) == bool(own)
    for name in own:
        assert name in text, name
        assert f"${name}" in (cls.assembly_format or ""), name


@pytest.mark.parametrize("cls", ANCHORS, ids=lambda cls: cls.name)
def test_residuals_come_last(cls: type[FusedOp]) -> None:
    names = [name for name, _ in cls.get_irdl_definition().operands]
    assert names[0] == "input"
    assert names[-1] == "residuals"


def test_what_equals_its_default_is_left_out() -> None:
    one: Any = {"strides": ints([1, 1]), "pads": ints([0, 0, 0, 1]), "groups": integer(1)}
    op = ConvOp.of([blob(3, 8, 8), blob(4, 3, 3, 3), None], TensorType(f32, [4, 6, 7]), one)
    op.verify()
    assert op.strides is None
    assert "groups" not in op.properties
    assert int_values(op.pads) == (0, 0, 0, 1)


def test_axes_have_one_form() -> None:
    x, r = blob(4, 3), blob(4)
    op = LinearOp.of([x, blob(3, 3), None], x.type, residuals=[r, r], axes=[(0,), (1,)])
    assert [op.explicit_axes(i) for i in range(2)] == [(), (1,)]
    assert [op.axes_of(i) for i in range(2)] == [(0,), (1,)]
    op = LinearOp.of([x, blob(3, 3), None], x.type, residuals=[r], axes=[(0,)])
    assert op.residual_axes is None


def test_without_an_epilogue_the_accumulator_is_the_result() -> None:
    op = ElementwiseOp.of([blob(4)], TensorType(f32, [4]))
    op.verify()
    assert op.only_accumulates()
    assert isinstance(op.block.last_op, YieldOp)


def test_names() -> None:
    op = ElementwiseOp.of([blob(4)], TensorType(f32, [4]))
    assert op.blob_name is None
    assert op.label() == "fused.elementwise"
    op.set_names("relu", "relu")
    assert op.blob is None
    assert op.blob_name == "relu"
    op.set_names("relu", "out")
    assert op.blob_name == "out"
    assert op.label() == "fused.elementwise 'relu'"
