"""Products of a vector, or of rows, with a matrix."""

from collections.abc import Sequence
from math import prod

from xdsl.dialects.builtin import UnitAttr
from xdsl.irdl import irdl_op_definition, opt_prop_def

from ..shapes.analysis import number
from ..shapes.tensors import extents_in, known, shape_of, static_shape_of
from ..shapes.terms import UNKNOWN, Extent, Extents
from .products import OPERANDS, SIGNATURE, Products


@irdl_op_definition
class LinearOp(Products):
    """A linear layer: `acc[…, o] = sum(weight[o, i] * x[…, i]) + bias[o]`.

    Shapes: x of `inputs` elements in any shape, weight `outputs x inputs`, bias `outputs` ->
    `outputs`; or rows x `… x inputs` -> `rows x outputs`. The result's rank selects the form. Outer
    axes of rows are flattened to one; so are inner axes of the weight.
    Properties: transposed (the weight is `inputs x outputs`).
    Accumulator: f32; i32 if x and weight are int8.
    Example: `%y = fused.linear %x weight %w bias %b : (…) -> tensor<1000xf32>`
    """

    name = "fused.linear"

    transposed = opt_prop_def(UnitAttr)

    assembly_format = f"{OPERANDS} (`transposed` $transposed^)? {SIGNATURE}"

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
        self.check_products()
        shape, own = shape_of(self.weight), shape_of(self.result)
        fits = shape is None or len(shape) == 2 or (len(shape) > 2 and not self.transposed)
        self.check(fits, f"{self.weight.type} is not a matrix")
        fits = own is None or len(own) in (1, 2)
        self.check(fits, f"the result is {self.result.type}, not a vector or rows")
        matrix = self.matrix_shape()
        if matrix is None:
            return
        outputs, inputs = matrix
        self.check_bias(outputs)
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
