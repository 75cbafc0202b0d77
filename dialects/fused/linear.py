"""Products of a vector, or of rows, with a matrix."""

from collections.abc import Sequence
from math import prod

from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import Attribute
from xdsl.irdl import (
    AttrSizedOperandSegments,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    var_operand_def,
)

from ..shapes.analysis import number
from ..shapes.tensors import TensorConstraint, extents_in, known, shape_of, static_shape_of
from ..shapes.terms import UNKNOWN, Extent, Extents
from .assembly import ProductSignature, Residuals
from .epilogue import FusedOp, check_bias, check_products, sums_of


@irdl_op_definition
class LinearOp(FusedOp):
    """A linear layer: `acc[…, o] = sum(weight[o, i] * x[…, i]) + bias[o]`.

    Shapes: x of `inputs` elements in any shape, weight `outputs x inputs`, bias `outputs` ->
    `outputs`; or rows x `… x inputs` -> `rows x outputs`. The result's rank selects the form. Outer
    axes of rows are flattened to one; so are inner axes of the weight.
    Properties: transposed (the weight is `inputs x outputs`).
    Accumulator: f32; i32 if x and weight are int8.
    Example: `%y = fused.linear %x weight %w bias %b : (…) -> tensor<1000xf32>`
    """

    name = "fused.linear"

    input = operand_def(TensorConstraint())
    weight = operand_def(TensorConstraint())
    bias = opt_operand_def(TensorConstraint())
    residuals = var_operand_def(TensorConstraint())

    transposed = opt_prop_def(UnitAttr)

    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    custom_directives = (Residuals, ProductSignature)
    assembly_format = """
    $input `weight` $weight (`bias` $bias^)? custom<Residuals>($residuals, $residual_axes)
    (`transposed` $transposed^)? attr-dict `:`
    custom<ProductSignature>(
      type($input), type($weight), type($bias), type($residuals), type($result), $epilogue
    )
    """

    @classmethod
    def accumulator_of(cls, *elements: Attribute | None) -> Attribute:
        return sums_of(*elements[:2])

    def has_rows(self) -> bool | None:
        """Whether the result has one row per row of the input; `None` if not statically known."""
        shape = shape_of(self.result)
        return None if shape is None else len(shape) == 2

    def matrix_shape(self) -> tuple[int, int] | None:
        """The weight's numbers of outputs and inputs."""
        matrix = self._matrix(extents_in(self.weight.type))
        return None if matrix is None else (number(matrix[0]), number(matrix[1]))

    def _matrix(self, weight: Extents | None) -> tuple[Extent, Extent] | None:
        if weight is None:
            return None
        first, rest = weight[0], prod(weight[1:])
        return (rest, first) if self.transposed else (first, rest)

    def verify_anchor(self) -> None:
        check_products(self, self.input, self.weight)
        shape, own = shape_of(self.weight), shape_of(self.result)
        fits = shape is None or len(shape) == 2 or (len(shape) > 2 and not self.transposed)
        self.check(fits, f"{self.weight.type} is not a matrix")
        fits = own is None or len(own) in (1, 2)
        self.check(fits, f"the result is {self.result.type}, not a vector or rows")
        matrix = self.matrix_shape()
        if matrix is None:
            return
        outputs, inputs = matrix
        check_bias(self, self.bias, outputs)
        given = shape_of(self.input)
        if self.has_rows():
            fits = given is None or (len(given) > 1 and _same(given[-1], inputs))
            self.check(fits, f"{self.input.type} does not have rows of {inputs} elements")
        elif own is not None and (whole := static_shape_of(self.input)) is not None:
            fits = _same(prod(whole), inputs)
            self.check(fits, f"{self.input.type} does not have {inputs} elements")

    def infer_shapes(self, shapes: Sequence[Extents | None]) -> Sequence[Extents | None] | None:
        matrix, rows, given = self._matrix(shapes[1]), self.has_rows(), shapes[0]
        if matrix is None or rows is None:
            return None
        count = UNKNOWN if given is None else prod(given[:-1])
        return [(count, matrix[0]) if rows else matrix[:1]]


def _same(a: int, b: int) -> bool:
    return a == b or not (known(a) and known(b))
