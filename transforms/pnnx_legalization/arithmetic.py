"""Operators that compute element by element: as BinaryOp and UnaryOp."""

from collections.abc import Sequence
from typing import ClassVar

from xdsl.ir import SSAValue

from ...dialects.ncnn.elementwise import BINARY_OPS, BinaryOpOp
from ...dialects.ncnn.params import to_float32
from ...dialects.ncnn.reduction import REDUCTIONS, ReductionOp
from ...dialects.pnnx.operations import OperatorOp
from .composed_functions import Functions, Number, Value, broadcast
from .legalization import (
    Layers,
    Legalization,
    Shape,
    around,
    axis_in,
    ints_in,
    shape_of_tensor,
    shapes_of,
)
from .pnnx_expressions import (
    Call,
    ExpressionError,
    Node,
    Operand,
    parse_expression,
    read_expression,
)


class LegalizeExpression(Legalization):
    """`pnnx.Expression` as BinaryOp and UnaryOp. Operands broadcast as in PyTorch: neighbouring
    axes are merged where both operands have them or one lacks them.

    `pow`, `remainder`, `fmod` and `floor_divide` become several layers (`functions.py`): the
    runtime's layers of these names compute something else for operands that are negative, zero, or
    multiples of each other.

    Conditions: the runtime has all functions, no expression of numbers alone is left, operands
    broadcast in at most four dims, and the exponent of `pow` is a number or its base a positive
    one.
    """

    TYPES: ClassVar[frozenset[str]] = frozenset(("pnnx.Expression",))

    def legalize(self, op: OperatorOp, layers: Layers) -> Sequence[SSAValue] | None:
        shapes = shapes_of(op)
        node = parse_expression(str(op.param("expr", "")))
        if shapes is None or node is None or len(op.outputs) != 1:
            return None
        if shape_of_node(node, shapes[0]) != shapes[1][0]:
            return None
        values = [Value(v, s) for v, s in zip(op.inputs, shapes[0], strict=True)]
        result = _compute(node, values, Functions(layers))
        return [result.ssa] if isinstance(result, Value) else None


def refusal(op: OperatorOp) -> str | None:
    """The reason why an expression has no form in layers, if that is known."""
    if op.type.data not in LegalizeExpression.TYPES:
        return None
    try:
        node = read_expression(str(op.param("expr", "")))
    except ExpressionError as e:
        return str(e)
    if isinstance(node, float):
        return "the expression is a number alone"
    if (shapes := shapes_of(op)) is None:
        return "not all operands are float32 tensors of static shapes"
    if shape_of_node(node, shapes[0]) is None:
        return "the operands do not broadcast in at most four dims"
    return None


def shape_of_node(node: Node, inputs: Sequence[Shape]) -> Shape | None:
    """The shape of an expression; `None` where it cannot be made of layers."""
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


def _compute(node: Node, inputs: Sequence[Value], functions: Functions) -> Number:
    """The value of an expression that `shape_of_node` accepts."""
    if isinstance(node, Operand):
        return inputs[node.index]
    if isinstance(node, Call):
        arguments = [_compute(a, inputs, functions) for a in node.arguments]
        return functions.call(node.function, arguments)
    return node


class LegalizeNormalize(Legalization):
    """`normalize` along any axis as `x / max(|x|, eps)`, the norm a Reduction. (The layer Normalize
    knows only channels.)

    Conditions: the 2-norm, one axis.
    """

    TYPES: ClassVar[frozenset[str]] = frozenset(("F.normalize",))

    def legalize(self, op: OperatorOp, layers: Layers) -> Sequence[SSAValue] | None:
        shapes = shapes_of(op)
        if shapes is None or len(op.inputs) != 1 or shapes[0] != shapes[1]:
            return None
        dims, eps = ints_in(op.param("dim", 1)) or (), op.param("eps", 1e-12)
        axis = axis_in(dims[0], len(shapes[0][0])) if len(dims) == 1 else None
        if axis is None or op.param("p", 2.0) != 2 or not isinstance(eps, float):
            return None
        whole, at = around(shapes[0][0], axis)
        x = layers.blob(op.inputs[0], whole)
        one = (*whole[:at], 1, *whole[at + 1 :])
        how = {"operation": REDUCTIONS.index("l2"), "reduce_all": 0, "keepdims": 1, "fixbug0": 1}
        norm = layers.make(ReductionOp, [x], one, axes=(at,), **how)[0]
        bound = {"op_type": BINARY_OPS.index("max"), "with_scalar": 1, "b": eps}
        norm = layers.make(BinaryOpOp, [norm], one, **bound)[0]
        return layers.make(BinaryOpOp, [x, norm], whole, op_type=BINARY_OPS.index("div"))


class LegalizeAddcmul(Legalization):
    """`addcmul(a, b, c, value)` as `a + value * b * c`.

    Conditions: `value` is a number, as parameter or as an expression of a number alone, and the
    operands broadcast in at most four dims.
    """

    TYPES: ClassVar[frozenset[str]] = frozenset(("aten::addcmul", "torch.addcmul"))

    def legalize(self, op: OperatorOp, layers: Layers) -> Sequence[SSAValue] | None:
        tensors = [Value(v, s) for v in op.inputs[:3] if (s := shape_of_tensor(v)) is not None]
        value = op.param("value", 1.0)
        if len(op.inputs) == 4:
            value = number_in(op.inputs[3])
        if len(tensors) != 3 or len(op.inputs) > 4 or not isinstance(value, int | float):
            return None
        product = broadcast(tensors[1].shape, tensors[2].shape)
        if product is None:
            return None
        if broadcast(tensors[0].shape, product) != shape_of_tensor(op.outputs[0]):
            return None
        functions = Functions(layers)
        y = functions.binary("mul", tensors[1], tensors[2])
        y = functions.binary("mul", y, to_float32(float(value)))
        total = functions.binary("add", tensors[0], y)
        return [total.ssa] if isinstance(total, Value) else None


def number_in(value: SSAValue) -> float | None:
    """The number that an operand is: an expression of a number alone."""
    op = value.owner
    if not isinstance(op, OperatorOp) or op.type.data != "pnnx.Expression" or op.inputs:
        return None
    node = parse_expression(str(op.param("expr", "")))
    return node if isinstance(node, float) else None
