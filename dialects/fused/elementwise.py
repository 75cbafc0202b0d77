"""Element-wise chains without an anchor."""

from collections.abc import Sequence

from xdsl.ir import Attribute
from xdsl.irdl import (
    AttrSizedOperandSegments,
    ParsePropInAttrDict,
    irdl_op_definition,
    opt_operand_def,
    var_operand_def,
)

from ..shapes.tensors import TensorConstraint, shape_of
from ..shapes.terms import UNKNOWN, Extent, Extents, maximum
from .assembly import Residuals, Signature
from .epilogue import FusedOp


@irdl_op_definition
class ElementwiseOp(FusedOp):
    """An epilogue without an anchor: the accumulator is the input's element.

    The input has the result's shape. If no operand provably has this shape, there is no input and
    no accumulator, only residuals. Each extent of the result is then the largest of the residuals'
    extents.

    Shapes: x of any shape -> the same.
    Accumulator: the element type of the input.
    Example: `%y = fused.elementwise %x : (…) -> … epilogue(%acc: f32) { … }`
    """

    name = "fused.elementwise"

    input = opt_operand_def(TensorConstraint())
    residuals = var_operand_def(TensorConstraint())

    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    custom_directives = (Residuals, Signature)
    assembly_format = """
    ($input^)? custom<Residuals>($residuals, $residual_axes) attr-dict `:`
    custom<Signature>(type($input), type($residuals), type($result), $epilogue)
    """

    @classmethod
    def accumulator_of(cls, *elements: Attribute | None) -> Attribute | None:
        return elements[0]

    def verify_anchor(self) -> None:
        self.check(self.input is not None or bool(self.residuals), "at least one operand is needed")

    def keeps_shape(self) -> bool:
        return self.input is not None

    def infer_shapes(self, shapes: Sequence[Extents | None]) -> Sequence[Extents | None] | None:
        own = shape_of(self.result)
        if self.keeps_shape() or own is None:
            return super().infer_shapes(shapes)
        return [tuple(self._widest(axis, shapes) for axis in range(len(own)))]

    def _widest(self, axis: int, shapes: Sequence[Extents | None]) -> Extent:
        """Return the largest extent of the residuals along an axis of the result."""
        widest: Extent = 1
        for i, shape in enumerate(shapes):
            if shape is None:
                return UNKNOWN
            axes = self.explicit_axes(i) or range(len(shape))
            if axis in axes and axes.index(axis) < len(shape):
                widest = maximum(widest, shape[axes.index(axis)])
        return widest
