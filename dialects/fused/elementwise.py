"""Element-wise chains without an anchor."""

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Attribute
from xdsl.irdl import (
    AttrSizedOperandSegments,
    ParsePropInAttrDict,
    irdl_op_definition,
    opt_operand_def,
    var_operand_def,
)

from ..shapes.analysis import Shape
from ..shapes.tensors import TensorConstraint, known, shape_of
from .assembly import Residuals, Signature
from .epilogue import FusedOp


@irdl_op_definition
class ElementwiseOp(FusedOp):
    """Nothing but an epilogue: its accumulator is the element of the input.

    The input has the shape of the result. Where no operand is known to have it, there is no input
    and no accumulator, only residuals; the result has then the greatest extent of them along each
    axis.

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
        self.check(self.input is not None or bool(self.residuals), "there is no operand")

    def result_shape(self) -> Shape | None:
        if self.input is not None:
            return shape_of(self.input)
        own = shape_of(self.result)
        if own is None:
            return None
        return tuple(self._widest(axis) for axis in range(len(own)))

    def _widest(self, axis: int) -> int:
        """The greatest extent of the residuals along an axis of the result."""
        widest = 1
        for i, residual in enumerate(self.residuals):
            shape, axes = shape_of(residual), self.axes_of(i)
            if shape is None or axes is None:
                return DYNAMIC_INDEX
            if axis in axes and axes.index(axis) < len(shape):
                extent = shape[axes.index(axis)]
                if not known(extent):
                    return DYNAMIC_INDEX
                widest = max(widest, extent)
        return widest
