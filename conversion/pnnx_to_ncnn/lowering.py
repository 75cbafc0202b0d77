"""The base of the lowerings of PNNX's operators to layers.

A tensor of PyTorch is a blob with the same elements in row-major order. The *natural* shape of the
blob is the tensor's shape without a leading axis of extent 1 (the batch); a lowering that needs
other axes casts to them, and a cast between different shapes becomes a Reshape.
"""

from collections.abc import Callable, Mapping, Sequence, Set
from math import prod
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import f32
from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import PatternRewriter

from ...dialects.ncnn.constant import ConstantOp
from ...dialects.ncnn.elementwise import BINARY_OPS, BinaryOpOp
from ...dialects.ncnn.extents import MAX_DIMS, order_type
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.params import Value
from ...dialects.ncnn.reshaping import PermuteOp
from ...dialects.pnnx.operations import OperatorOp
from ...dialects.pnnx.tensors import shape_in_torch, tensor_parts
from ...transforms.pnnx_legalization.legalization import TensorBuilder, as_axis, as_ints
from ...transforms.rewriting.axis_merging import broadcast_shapes, fold_around, fold_shape
from ...transforms.rewriting.layer_builder import Shape

Array: TypeAlias = NDArray[Any]


class Refusal(Exception):
    """No layers compute an operator; the message is the reason."""


class OperatorBuilder(TensorBuilder):
    """Inserts the layers of one operator. It has the operator's weights and the values of
    constants."""

    def __init__(
        self,
        op: OperatorOp,
        rewriter: PatternRewriter,
        weight: Callable[[str], Array],
        constants: Mapping[SSAValue, Array],
        integers: Set[SSAValue] = frozenset(),
    ) -> None:
        super().__init__(
            op,
            rewriter,
            [static_shape(v, op) for v in op.inputs],
            [static_shape(v, op) for v in op.outputs],
        )
        self.operator = op
        self.weight = weight
        """Return the values of a weight by key."""
        self.constants = constants
        """The values of operands that are known."""
        self.integers = integers
        """The inputs whose blobs hold integers, not floats."""

    # -- shapes of blobs

    def fold(self, shape: Shape) -> Shape:
        return natural(shape)

    def fold_around(self, shape: Shape, axis: int) -> tuple[Shape, int]:
        if len(shape) > 1 and shape[0] == 1 and axis != 0:
            return fold_around(shape[1:], axis - 1)
        return fold_around(shape, axis)

    def fold_together(self, shapes: Sequence[Shape]) -> Sequence[Shape] | None:
        rank = max(len(shape) for shape in shapes)
        full = [(1,) * (rank - len(shape)) + tuple(shape) for shape in shapes]
        while rank > 1 and all(shape[0] == 1 for shape in full):
            full, rank = [shape[1:] for shape in full], rank - 1
        return full if rank <= MAX_DIMS else broadcast_shapes(shapes)

    def permute(self, value: SSAValue, shape: Sequence[int], order: Sequence[int]) -> SSAValue:
        """Return a blob with the elements of a permuted tensor, row-major: one Permute of the
        natural blob where its axes allow it."""
        if len(shape) > 1 and shape[0] == 1 and order[0] == 0:
            shape, order = shape[1:], [axis - 1 for axis in order[1:]]
        moved = [axis for axis in order if shape[axis] != 1]
        if moved == sorted(moved):
            return value  # no element moves
        if len(shape) > MAX_DIMS:
            return super().permute(value, shape, order)
        x, out = self.reshape(value, tuple(shape)), tuple(shape[axis] for axis in order)
        return self.layer(PermuteOp, [x], out, order_type=order_type(tuple(order)))[0]

    # -- constants

    def constant(self, values: Array) -> SSAValue:
        """Insert a constant of float32 for a weight of a layer."""
        new = ConstantOp.holding(np.ascontiguousarray(values, "<f4"), f32)
        self.insert(new)
        return new.output

    def data(self, values: Array) -> SSAValue:
        """Insert a constant of float32 that a layer reads as a blob."""
        return self.constant(values.reshape(natural(values.shape)))

    def known(self, value: SSAValue, name: str) -> Array:
        """Return the values of an operand. Raises `Refusal` if they are not known."""
        if value not in self.constants:
            raise Refusal(f"{name} is no constant")
        return self.constants[value]

    def is_number(self, value: SSAValue) -> bool:
        """Whether the blob of a tensor holds its numbers as floats: also integers, except those of
        an input."""
        kind = element_of(value)
        return is_float(value) or kind in INTEGERS

    # -- operands and parameters

    def operand(self, key: str, place: int | None = None) -> SSAValue | None:
        """Return an operand by key, or the unnamed one at a place."""
        found = self.operator.input_named(key)
        if found is None and place is not None and place < len(self.operator.inputs):
            keys = self.operator.keys
            if keys is None or keys.data[place].data == "":  # pyright: ignore
                found = self.operator.inputs[place]
        return found

    def shape(self, value: SSAValue) -> Shape:
        """Return the shape of an operand or a result in PyTorch."""
        return static_shape(value, self.operator)

    def axis(self, key: str, default: object = None, rank: int | None = None) -> int:
        """Return an axis of the first operand that a parameter specifies."""
        value = self.operator.param(key, default)
        found = as_axis(value, len(self.inputs[0]) if rank is None else rank)
        if found is None:
            raise Refusal(f"'{key}' is {value}, which is no axis")
        return found

    def number(self, key: str, default: float | None = None) -> float:
        """Return a parameter that is a number."""
        value = self.operator.param(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise Refusal(f"'{key}' is {value}, which is no number")
        return float(value)

    def numbers(self, key: str, count: int) -> tuple[float, ...]:
        """Return a parameter of `count` numbers; a single one stands for all."""
        value: Any = self.operator.param(key, None)
        found = cast(Sequence[Any], value if isinstance(value, tuple) else (value,) * count)
        numbers = [float(n) for n in found if isinstance(n, int | float)]
        if len(numbers) != count:
            raise Refusal(f"'{key}' is {value}, not {count} numbers")
        return tuple(numbers)

    def ints(self, key: str, count: int, default: object = None) -> tuple[int, ...]:
        """Return a parameter of `count` integers; a single one stands for all."""
        value = self.operator.param(key, default)
        found = as_ints(value)
        if found is None or len(found) not in (1, count):
            raise Refusal(f"'{key}' is {value}, not {count} integers")
        return found * count if len(found) == 1 else found

    def expect(self, shape: Shape, index: int = 0) -> None:
        """Raise `Refusal` if a result does not have this shape in PNNX's file."""
        if self.outputs[index] != tuple(shape):
            raise Refusal(
                f"its result has the shape {shown(self.outputs[index])}, not {shown(shape)}"
            )

    # -- layers

    def unary_layer(
        self, cls: type[LayerOp], value: SSAValue, shape: Shape, **params: Value
    ) -> SSAValue:
        """Insert a layer that keeps the shape of a blob, and return its result."""
        return self.layer(cls, [self.reshape(value, shape)], shape, **params)[0]

    def scalar(self, function: str, value: SSAValue, number: float, shape: Shape) -> SSAValue:
        """Insert a BinaryOp of a tensor and a number."""
        folded = self.fold(shape)
        params = {"op_type": BINARY_OPS.index(function), "with_scalar": 1, "b": number}
        return self.unary_layer(BinaryOpOp, value, folded, **params)

    def broadcast(
        self, function: str, a: SSAValue, b: SSAValue, shapes: Sequence[Shape]
    ) -> SSAValue:
        """Insert a BinaryOp of two tensors of these shapes, which broadcast as in PyTorch."""
        folded = self.fold_together(shapes)
        if folded is None:
            raise Refusal("its operands broadcast in more than four dims")
        out = tuple(max(column) for column in zip(*folded, strict=True))
        blobs = [self.reshape(v, s) for v, s in zip((a, b), folded, strict=True)]
        return self.binary(function, blobs[0], blobs[1], out)


Lowering: TypeAlias = Callable[[OperatorOp, OperatorBuilder], Sequence[SSAValue]]
"""Inserts the layers of an operator, and returns values with the elements of its results. Raises
`Refusal`."""


def natural(shape: Shape) -> Shape:
    """Return the shape of the blob for a tensor: without a leading axis of extent 1, in at most
    four dims."""
    if not shape:
        return (1,)
    return fold_shape(shape[1:] if len(shape) > 1 and shape[0] == 1 else shape)


def static_shape(value: SSAValue, op: OperatorOp) -> Shape:
    """Return the shape of a tensor. Raises `Refusal` if it is unknown, or has no elements."""
    shape = shape_in_torch(value.type)
    if shape is None:
        if value.type.name == "pnnx.any":
            return ()
        raise Refusal("a tensor has extents that are not known")
    if 0 in shape:
        raise Refusal("a tensor has no elements")
    return shape


def element_of(value: SSAValue) -> str | None:
    """Return PNNX's name of the element type; `None` if it is unknown."""
    parts = tensor_parts(value.type)
    return None if parts is None else parts[1]


def is_float(value: SSAValue) -> bool:
    """Whether a tensor has elements of a float type, or no stated type."""
    return element_of(value) in ("f32", "f16", "bf16", "f64", None)


INTEGERS = ("i64", "i32", "i16", "i8", "u8")
"""PNNX's names of the integer types."""


def shown(shape: Sequence[int]) -> str:
    """Return a shape for messages: `1x3x224x224`."""
    return "x".join(map(str, shape)) or "no axes"


def rows_around(shape: Shape, axis: int) -> tuple[int, int, int]:
    """Return the elements outside an axis, along it, and inside it."""
    return prod(shape[:axis]), shape[axis], prod(shape[axis + 1 :])
