"""Anchors that add up products of a blob and a weight."""

from abc import ABC

from xdsl.dialects.builtin import AnyFloat, Float32Type, IntegerType, f32, i8, i32
from xdsl.ir import Attribute
from xdsl.irdl import (
    AttrSizedOperandSegments,
    ParsePropInAttrDict,
    operand_def,
    opt_operand_def,
    var_operand_def,
)

from ..shapes.tensors import TensorConstraint, agree, element_of, shape_of, shape_text
from .assembly import ProductSignature, Residuals
from .epilogue import FusedOp

OPERANDS = """
$input `weight` $weight (`bias` $bias^)? custom<Residuals>($residuals, $residual_axes)
"""
SIGNATURE = """attr-dict `:` custom<ProductSignature>(
  type($input), type($weight), type($bias), type($residuals), type($result), $epilogue
)"""
"""The beginning and the end of the assembly format of these anchors."""


class Products(FusedOp, ABC):
    """An anchor that adds up products of x and a weight, and a bias."""

    input = operand_def(TensorConstraint())
    weight = operand_def(TensorConstraint())
    bias = opt_operand_def(TensorConstraint())
    residuals = var_operand_def(TensorConstraint())

    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    custom_directives = (Residuals, ProductSignature)

    @classmethod
    def accumulator_of(cls, *elements: Attribute | None) -> Attribute:
        return i32 if all(isinstance(element, IntegerType) for element in elements[:2]) else f32

    def check_products(self) -> None:
        """Check that x and the weight can be multiplied: both floats or both int8."""
        elements = [element_of(v) for v in (self.input, self.weight)]
        floats = all(isinstance(e, AnyFloat) for e in elements)
        bytes_ = all(e == i8 for e in elements)
        self.check(floats or bytes_, f"cannot multiply {' and '.join(map(str, elements))}")

    def check_bias(self, outputs: int) -> None:
        """Check that the bias has one value of the accumulator's kind per output channel."""
        if self.bias is None:
            return
        element, accumulator = element_of(self.bias), self.accumulator_type()
        same = isinstance(element, AnyFloat) == isinstance(accumulator, Float32Type)
        self.check(same, f"a bias of {element} cannot be added to sums of {accumulator}")
        self.check(
            agree(shape_of(self.bias), (outputs,)),
            f"the bias is {self.bias.type}, but there are {shape_text((outputs,))} output channels",
        )
