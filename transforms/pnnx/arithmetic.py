"""Operators that compute element by element: as BinaryOp and UnaryOp."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.ir import SSAValue

from ...dialects.ncnn.elementwise import BINARY_OPS, BinaryOpOp
from ...dialects.ncnn.params import to_float32
from ...dialects.ncnn.reduction import REDUCTIONS, ReductionOp
from ...dialects.ncnn.unary import UNARY_OPS, UnaryOpOp
from ...dialects.pnnx.operations import OperatorOp
from .axes import broadcast_shapes, fold_shape
from .building import (
    Layers,
    Legalization,
    Shape,
    around,
    axis_in,
    ints_in,
    shape_of_tensor,
    shapes_of,
)

_TOKEN = re.compile(r"[(),]|[^(),\s]+")
_SYNONYMS = {"maximum": "max", "minimum": "min", "fmax": "max", "fmin": "min", "rsub": "rsub"}
MOST_DEPTH = 100
"""Expressions are nested no deeper."""


@dataclass(frozen=True)
class Call:
    """A function of others."""

    function: str
    """A word of BinaryOp's or UnaryOp's."""
    arguments: tuple["Node", ...]


@dataclass(frozen=True)
class Operand:
    """An input of the operator."""

    index: int


Node = Call | Operand | float
"""An expression; a number is one."""


def parse_expression(text: str) -> Node | None:
    """What an expression such as `add(@0,mul(@1,0.5))` says; `None` for one with functions that the
    runtime does not have, or that is none."""
    tokens = _TOKEN.findall(text)
    if "".join(tokens) != text or len(tokens) > 10_000:
        return None
    stream = iter([*tokens, ""])
    try:
        node = _parse(next(stream), stream, 0)
    except (StopIteration, ValueError):
        return None
    return node if next(stream, None) == "" else None


def _parse(token: str, stream: Iterator[str], depth: int) -> Node:
    if depth > MOST_DEPTH:
        raise ValueError
    if token.startswith("@"):
        return Operand(int(token[1:]))
    word = _SYNONYMS.get(token, token)
    if word not in BINARY_OPS and word not in UNARY_OPS:
        value = to_float32(float(token))
        if value - value != 0:
            raise ValueError
        return value
    if next(stream) != "(":
        raise ValueError
    first = _parse(next(stream), stream, depth + 1)
    end = next(stream)
    if end == ")" and word in UNARY_OPS:
        return Call(word, (first,))
    if end != "," or word not in BINARY_OPS:
        raise ValueError
    second = _parse(next(stream), stream, depth + 1)
    if next(stream) != ")":
        raise ValueError
    return Call(word, (first, second))


def path_to(node: Node, index: int) -> int | None:
    """How many functions are around an operand of an expression, at its first place."""
    if isinstance(node, Operand):
        return 0 if node.index == index else None
    if isinstance(node, Call):
        found = [d for a in node.arguments if (d := path_to(a, index)) is not None]
        return found[0] + 1 if found else None
    return None


class LegalizeExpression(Legalization):
    """`pnnx.Expression` as BinaryOp and UnaryOp. Operands broadcast as in PyTorch: neighbouring
    axes are merged where both operands have them or one lacks them.

    Conditions: the runtime has all functions, no expression of numbers alone is left, and operands
    broadcast in at most four dims.
    """

    TYPES: ClassVar[frozenset[str]] = frozenset(("pnnx.Expression",))

    def legalize(self, op: OperatorOp, layers: Layers) -> Sequence[SSAValue] | None:
        shapes = shapes_of(op)
        node = parse_expression(str(op.param("expr", "")))
        if shapes is None or node is None or len(op.outputs) != 1:
            return None
        if shape_of_node(node, shapes[0]) != shapes[1][0]:
            return None
        return [_compute(node, list(op.inputs), shapes[0], layers)[0]]


def shape_of_node(node: Node, inputs: Sequence[Shape]) -> Shape | None:
    """The shape of what an expression computes; `None` where it cannot be made of layers."""
    if not isinstance(node, Call):
        if not isinstance(node, Operand):
            return None
        return inputs[node.index] if node.index < len(inputs) else None
    tensors = [a for a in node.arguments if not isinstance(a, float)]
    shapes = [shape_of_node(a, inputs) for a in tensors]
    found = [s for s in shapes if s is not None]
    if not tensors or len(found) != len(tensors):
        return None
    if len(found) == 1:
        return found[0]
    rank = max(map(len, found))
    columns = zip(*((1,) * (rank - len(s)) + s for s in found), strict=True)
    out: list[int] = []
    for column in columns:
        long = {n for n in column if n != 1}
        if len(long) > 1:
            return None
        out.append(max(column))
    return None if broadcast_shapes(found) is None else tuple(out)


def _compute(
    node: Node, inputs: list[SSAValue], shapes: Sequence[Shape], layers: Layers
) -> tuple[SSAValue, Shape]:
    """A value, and its shape in PyTorch, of an expression that `shape_of_node` accepts."""
    if isinstance(node, Operand):
        return inputs[node.index], shapes[node.index]
    assert isinstance(node, Call)
    shape = shape_of_node(node, shapes)
    assert shape is not None
    tensors = [
        _compute(a, inputs, shapes, layers) for a in node.arguments if not isinstance(a, float)
    ]
    numbers = [a for a in node.arguments if isinstance(a, float)]
    if len(node.arguments) == 1:
        x = layers.blob(tensors[0][0], fold := fold_shape(shape))
        op_type = UNARY_OPS.index(node.function)
        return layers.make(UnaryOpOp, [x], fold, op_type=op_type)[0], shape
    op_type = BINARY_OPS.index(node.function)
    if numbers:
        swapped = isinstance(node.arguments[0], float)
        x = layers.blob(tensors[0][0], fold := fold_shape(shape))
        return scalar(layers, x, fold, op_type, numbers[0], swapped), shape
    return broadcast(layers, op_type, tensors), shape


def scalar(
    layers: Layers, x: SSAValue, shape: Shape, op_type: int, number: float, swapped: bool = False
) -> SSAValue:
    """A blob and a number, or (swapped) a number and a blob."""
    if swapped:
        word = BINARY_OPS[op_type]
        op_type = BINARY_OPS.index(f"r{word}") if f"r{word}" in BINARY_OPS else op_type
    return layers.make(BinaryOpOp, [x], shape, op_type=op_type, with_scalar=1, b=number)[0]


def broadcast(layers: Layers, op_type: int, operands: Sequence[tuple[SSAValue, Shape]]) -> SSAValue:
    """Two tensors of shapes that broadcast in at most four dims."""
    whole = {shape for _, shape in operands}
    shapes: Sequence[Shape] | None = [fold_shape(shape) for _, shape in operands]
    if len(whole) != 1:
        shapes = broadcast_shapes([shape for _, shape in operands])
    assert shapes is not None
    out = tuple(max(column) for column in zip(*shapes, strict=True))
    blobs = [layers.blob(v, s) for (v, _), s in zip(operands, shapes, strict=True)]
    return layers.make(BinaryOpOp, blobs, out, op_type=op_type)[0]


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
        norm = scalar(layers, norm, one, BINARY_OPS.index("max"), eps)
        return layers.make(BinaryOpOp, [x, norm], whole, op_type=BINARY_OPS.index("div"))


class LegalizeAddcmul(Legalization):
    """`addcmul(a, b, c, value)` as `a + value * b * c`.

    Conditions: `value` is a number, as parameter or as an expression of a number alone, and the
    operands broadcast in at most four dims.
    """

    TYPES: ClassVar[frozenset[str]] = frozenset(("aten::addcmul", "torch.addcmul"))

    def legalize(self, op: OperatorOp, layers: Layers) -> Sequence[SSAValue] | None:
        tensors = [(v, s) for v in op.inputs[:3] if (s := shape_of_tensor(v)) is not None]
        value = op.param("value", 1.0)
        if len(op.inputs) == 4:
            value = number_in(op.inputs[3])
        if len(tensors) != 3 or len(op.inputs) > 4 or not isinstance(value, int | float):
            return None
        shapes = [shape for _, shape in tensors]
        product = shape_of_node(Call("mul", (Operand(1), Operand(2))), shapes)
        if product is None:
            return None
        total = shape_of_node(Call("add", (Operand(0), Operand(1))), [shapes[0], product])
        if total is None or total != shape_of_tensor(op.outputs[0]):
            return None
        y = broadcast(layers, BINARY_OPS.index("mul"), tensors[1:])
        if value != 1:
            y = layers.blob(y, fold := fold_shape(product))
            y = scalar(layers, y, fold, BINARY_OPS.index("mul"), to_float32(float(value)))
        return [broadcast(layers, BINARY_OPS.index("add"), [tensors[0], (y, product)])]


def number_in(value: SSAValue) -> float | None:
    """The number that an operand is: an expression of a number alone."""
    op = value.owner
    if not isinstance(op, OperatorOp) or op.type.data != "pnnx.Expression" or op.inputs:
        return None
    node = parse_expression(str(op.param("expr", "")))
    return node if isinstance(node, float) else None
