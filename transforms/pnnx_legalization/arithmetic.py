"""Element-wise operators as BinaryOp and UnaryOp."""

from collections.abc import Sequence
from typing import ClassVar

from xdsl.ir import SSAValue

from ...dialects.ncnn.elementwise import BINARY_OPS, BinaryOpOp
from ...dialects.ncnn.params import to_float32
from ...dialects.ncnn.reduction import REDUCTIONS, ReductionOp
from ...dialects.pnnx.operations import OperatorOp
from ..rewriting.layer_builder import Shape
from .composed_functions import FunctionOperand, Functions, ShapedValue, broadcast
from .legalization import Legalization, TensorBuilder, as_axis, as_ints, resized, shapes_of
from .pnnx_expressions import (
    Call,
    ExpressionError,
    Node,
    Operand,
    parse_expression,
    read_expression,
)


class LegalizeExpression(Legalization):
    """Replace `pnnx.Expression` by BinaryOps and UnaryOps. Operands broadcast as in PyTorch, with
    neighbouring axes merged.

    `pow`, `remainder`, `fmod` and `floor_divide` become several layers (`composed_functions.py`):
    the runtime's functions of these names differ for negative operands, for zero, and for operands
    that divide one another.

    Conditions: the runtime has all functions, the expression has an operand, operands broadcast in
    at most four dims, and either the exponent of `pow` is a number or its base is a positive
    number.
    """

    TYPES: ClassVar[frozenset[str]] = frozenset(("pnnx.Expression",))
    NUM_TENSORS: ClassVar[int | None] = None

    def legalize(self, op: OperatorOp, b: TensorBuilder) -> Sequence[SSAValue] | None:
        node = parse_expression(str(op.param("expr", "")))
        if node is None or shape_of_node(node, b.inputs) != b.outputs[0]:
            return None
        values = [ShapedValue(v, s) for v, s in zip(op.inputs, b.inputs, strict=True)]
        result = _compute(node, values, Functions(b))
        return [result.ssa] if isinstance(result, ShapedValue) else None


def refusal(op: OperatorOp) -> str | None:
    """Return the reason why no layers compute an expression, if it is known."""
    if op.type.data not in LegalizeExpression.TYPES:
        return None
    try:
        node = read_expression(str(op.param("expr", "")))
    except ExpressionError as e:
        return str(e)
    if isinstance(node, float):
        return "the expression is a number alone"
    if (shapes := shapes_of(op.inputs)) is None or shapes_of(op.outputs) is None:
        return "not all operands are float32 tensors of static shapes"
    if shape_of_node(node, shapes) is None:
        return "the operands do not broadcast in at most four dims"
    return None


def shape_of_node(node: Node, inputs: Sequence[Shape]) -> Shape | None:
    """Return the shape of an expression; `None` if no layers compute it."""
    if not isinstance(node, Call):
        if not isinstance(node, Operand):
            return None
        return inputs[node.index] if node.index < len(inputs) else None
    tensors = [a for a in node.arguments if not isinstance(a, float)]
    shapes = [shape_of_node(a, inputs) for a in tensors]
    found = [s for s in shapes if s is not None]
    if not tensors or len(found) != len(tensors):
        return None
    return found[0] if len(found) == 1 else broadcast(found[0], found[1])


def _compute(node: Node, inputs: Sequence[ShapedValue], functions: Functions) -> FunctionOperand:
    """Return the value of an expression that `shape_of_node` accepts."""
    if isinstance(node, Operand):
        return inputs[node.index]
    if isinstance(node, Call):
        arguments = [_compute(a, inputs, functions) for a in node.arguments]
        return functions.call(node.function, arguments)
    return node


class LegalizeNormalize(Legalization):
    """Replace `normalize` along any axis by `x / max(|x|, eps)` with a Reduction as norm. (The
    layer Normalize supports only channels.)

    Conditions: the 2-norm, one axis.
    """

    TYPES: ClassVar[frozenset[str]] = frozenset(("F.normalize",))

    def legalize(self, op: OperatorOp, b: TensorBuilder) -> Sequence[SSAValue] | None:
        (shape,) = b.inputs
        dims, eps = as_ints(op.param("dim", 1)) or (), op.param("eps", 1e-12)
        axis = as_axis(dims[0], len(shape)) if len(dims) == 1 else None
        if axis is None or op.param("p", 2.0) != 2 or not isinstance(eps, float):
            return None
        if b.outputs[0] != shape:
            return None
        whole, at = b.fold_around(shape, axis)
        x, one = b.reshape(op.inputs[0], whole), resized(whole, at, 1)
        how = {"operation": REDUCTIONS.index("l2"), "reduce_all": 0, "keepdims": 1, "fixbug0": 1}
        norm = b.layer(ReductionOp, [x], one, axes=(at,), **how)[0]
        bound = {"op_type": BINARY_OPS.index("max"), "with_scalar": 1, "b": eps}
        norm = b.layer(BinaryOpOp, [norm], one, **bound)[0]
        return [b.binary("div", x, norm, whole)]


class LegalizeAddcmul(Legalization):
    """Replace `addcmul(a, b, c, value)` by `a + value * b * c`.

    Conditions: `value` is a number, as a parameter or as an operand, and the operands broadcast in
    at most four dims.
    """

    TYPES: ClassVar[frozenset[str]] = frozenset(("aten::addcmul", "torch.addcmul"))
    NUM_TENSORS: ClassVar[int | None] = 3
    TAKES_NUMBER: ClassVar[bool] = True

    def legalize(self, op: OperatorOp, b: TensorBuilder) -> Sequence[SSAValue] | None:
        tensors = [ShapedValue(v, s) for v, s in zip(op.inputs, b.inputs, strict=False)]
        value = op.param("value", 1.0)
        if len(op.inputs) == 4:
            value = number_in(op.inputs[3])
        if len(op.inputs) > 4 or not isinstance(value, int | float):
            return None
        product = broadcast(tensors[1].shape, tensors[2].shape)
        if product is None or broadcast(tensors[0].shape, product) != b.outputs[0]:
            return None
        functions = Functions(b)
        y = functions.binary("mul", tensors[1], tensors[2])
        y = functions.binary("mul", y, to_float32(float(value)))
        total = functions.binary("add", tensors[0], y)
        return [total.ssa] if isinstance(total, ShapedValue) else None


def number_in(value: SSAValue) -> float | None:
    """Return the number that an operand is: an expression without operands."""
    op = value.owner
    if not isinstance(op, OperatorOp) or op.type.data != "pnnx.Expression" or op.inputs:
        return None
    node = parse_expression(str(op.param("expr", "")))
    return node if isinstance(node, float) else None
