"""Comparisons and selections. A Boolean tensor is a blob of 0 and 1."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
from xdsl.ir import SSAValue

from ...dialects.ncnn.activation import ClipOp
from ...dialects.ncnn.unary import UNARY_OPS, UnaryOpOp
from ...dialects.pnnx.operations import OperatorOp
from ...transforms.rewriting.layer_builder import Shape
from .attention import HIDDEN
from .lowering import Lowering, OperatorBuilder, Refusal, element_of, shown

Tensor = tuple[SSAValue, Shape]

FLOATS = ("f32", "f16", "bf16", "f64")
WIDE = ("i64", "i32")
"""The integers that hold what a float32 holds exactly."""


def operand_or_number(b: OperatorBuilder, key: str, place: int) -> Tensor | float:
    """Return an operand with its shape, or the number that a parameter has in its place."""
    value = b.operand(key, place)
    if value is not None:
        known = b.constants.get(value)
        if known is not None and known.size == 1:
            return float(known.reshape(-1)[0])
        return value, b.shape(value)
    number = b.operator.param(key, None)
    if isinstance(number, str) and number in ("inf", "-inf"):
        return float(number)
    return b.number(key)


def compare(word: str) -> Lowering:
    """Return the lowering of a comparison of finite numbers to `clip(sign(a - b), 0, 1)` and its
    relatives."""

    def lower(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
        x, y = operand_or_number(b, "input", 0), operand_or_number(b, "other", 1)
        if not isinstance(x, tuple) or not all(
            b.is_number(v) or element_of(v) == "bool" for v in op.inputs
        ):
            raise Refusal("its operands are no numbers")
        out = b.outputs[0]
        if isinstance(y, tuple):
            value = b.broadcast("sub", x[0], y[0], [x[1], y[1]])
        else:
            value = b.scalar("sub", x[0], y, x[1])
        shape = b.fold(out)
        sign = b.unary_layer(UnaryOpOp, value, shape, op_type=UNARY_OPS.index("sign"))
        if word in ("eq", "ne"):
            other = b.unary_layer(UnaryOpOp, sign, shape, op_type=UNARY_OPS.index("abs"))
            return [other if word == "ne" else inverted(b, other, out)]
        if word in ("lt", "ge"):
            sign = b.scalar("mul", sign, -1.0, out)
        above = b.unary_layer(ClipOp, sign, shape, min=0.0, max=1.0)
        return [above if word in ("gt", "lt") else inverted(b, above, out)]

    return lower


def inverted(b: OperatorBuilder, value: SSAValue, shape: Shape) -> SSAValue:
    """Return `1 - value`."""
    return b.scalar("rsub", value, 1.0, shape)


def logical_not(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
    """Lower `not x` of a Boolean tensor."""
    if element_of(op.inputs[0]) != "bool":
        raise Refusal("its operand is not Boolean")
    return [inverted(b, op.inputs[0], b.inputs[0])]


def logical(function: str) -> Lowering:
    """Return the lowering of `and` (`min`) or `or` (`max`) of Boolean tensors."""

    def lower(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
        if any(element_of(v) != "bool" for v in op.inputs):
            raise Refusal("its operands are not Boolean")
        return [b.broadcast(function, op.inputs[0], op.inputs[1], b.inputs)]

    return lower


def where(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
    """Lower a selection of finite numbers to `condition * x + (1 - condition) * y`, which is exact.
    An infinite number becomes a large one, since a product of 0 and infinity is NaN."""
    condition = b.operand("condition", 0)
    if condition is None:
        raise Refusal("it has no condition")
    x, y = operand_or_number(b, "input", 1), operand_or_number(b, "other", 2)
    return [chosen(b, condition, x, y)]


def masked_fill(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
    """Lower `masked_fill`: a number where the mask is true."""
    mask = b.operand("mask", 1)
    if mask is None:
        raise Refusal("it has no mask")
    value = operand_or_number(b, "value", 2)
    return [chosen(b, mask, value, (op.inputs[0], b.inputs[0]))]


def chosen(
    b: OperatorBuilder, condition: SSAValue, x: Tensor | float, y: Tensor | float
) -> SSAValue:
    """Return `x` where a condition is 1, else `y`."""
    shape = b.shape(condition)
    if element_of(condition) != "bool":
        raise Refusal("its condition is not Boolean")
    if condition in b.constants:
        condition = b.data(b.constants[condition].astype("f4"))
    parts: list[Tensor] = []
    for value, weight in ((x, condition), (y, inverted(b, condition, shape))):
        if isinstance(value, tuple):
            if not b.is_number(value[0]) and element_of(value[0]) != "bool":
                raise Refusal("it selects no numbers")
            out = np.broadcast_shapes(shape, value[1])
            parts.append((b.broadcast("mul", weight, value[0], [shape, value[1]]), out))
            continue
        number = math.copysign(-HIDDEN, value) if math.isinf(value) else value
        if number != 0:
            parts.append((b.scalar("mul", weight, number, shape), shape))
    if not parts:
        raise Refusal("it selects between zeros")
    if len(parts) == 1:
        return parts[0][0]
    total = b.broadcast("add", parts[0][0], parts[1][0], [parts[0][1], parts[1][1]])
    out = tuple(np.broadcast_shapes(parts[0][1], parts[1][1]))
    if out != b.outputs[0]:
        raise Refusal(f"its result is {shown(b.outputs[0])}")
    return total


def cast(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
    """Lower a conversion of types. All numbers are floats; a float that becomes an integer is
    truncated, and a number that becomes Boolean is compared with 0."""
    before, after = element_of(op.inputs[0]), element_of(op.outputs[0])
    b.expect(b.inputs[0])
    x, shape = op.inputs[0], b.fold(b.inputs[0])
    if before == after or after in FLOATS:
        return [x]
    if after == "bool":
        sign = b.unary_layer(UnaryOpOp, x, shape, op_type=UNARY_OPS.index("sign"))
        return [b.unary_layer(UnaryOpOp, sign, shape, op_type=UNARY_OPS.index("abs"))]
    if after not in WIDE:
        raise Refusal(f"it converts {before} to {after}")
    if before not in FLOATS:
        return [x]
    return [b.unary_layer(UnaryOpOp, x, shape, op_type=UNARY_OPS.index("trunc"))]


LOWERINGS: Mapping[str, Lowering] = {
    **{f"torch.{word}": compare(word) for word in ("gt", "lt", "ge", "le", "eq", "ne")},
    **dict.fromkeys(("torch.logical_not", "torch.bitwise_not"), logical_not),
    **dict.fromkeys(("torch.logical_and", "torch.bitwise_and"), logical("min")),
    **dict.fromkeys(("torch.logical_or", "torch.bitwise_or"), logical("max")),
    "torch.where": where,
    **dict.fromkeys(("Tensor.masked_fill", "torch.masked_fill"), masked_fill),
    **dict.fromkeys(("Tensor.to", "aten::to", "Tensor.type", "Tensor.float"), cast),
}
