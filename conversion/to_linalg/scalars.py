"""Scalar operations of `arith` and `math`: by their names, and as the body of a kernel.

A chain of element-wise nodes becomes one loop body. `Elements` writes it, each node once, however
many nodes read it.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, TypeAlias

import numpy as np
from xdsl.dialects import arith, math
from xdsl.dialects.builtin import (
    AnyFloat,
    FloatAttr,
    IntegerAttr,
    f16,
    f32,
    f64,
    i1,
    i8,
    i16,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue

from ..tracing import nodes
from ..tracing.nodes import DType, Node, NotTraced

Place: TypeAlias = Callable[[Operation], SSAValue]
"""Inserts an operation. Returns its result."""

Access: TypeAlias = tuple[int | None, ...]
"""For each axis of a node the loop that indexes it; `None` for an axis of one element."""

Element: TypeAlias = tuple[Node, Access]
"""A node at a point of the loop nest."""

_TYPES: Mapping[str, Attribute] = {
    "b1": i1,
    "i1": i8,
    "u1": i8,
    "i2": i16,
    "u2": i16,
    "i4": i32,
    "u4": i32,
    "i8": i64,
    "u8": i64,
    "f2": f16,
    "f4": f32,
    "f8": f64,
}


def type_of(dtype: DType) -> Attribute:
    """Return the MLIR type of elements."""
    return _TYPES[dtype.kind + str(dtype.itemsize)]


def dtype_of(type_: Attribute) -> DType:
    """Return the NumPy type of an MLIR element type. Raises `NotTraced` if NumPy has none."""
    for name, each in _TYPES.items():
        if each == type_ and not name.startswith("u"):
            return np.dtype(name.replace("b1", "?"))
    raise NotTraced(f"elements of {type_}")


@cache
def _operations() -> Mapping[str, type[Operation]]:
    return {op.name: op for dialect in (arith.Arith, math.Math) for op in dialect.operations}


def constant(value: Any, dtype: DType, place: Place) -> SSAValue:
    """Create a number."""
    type_: Any = type_of(dtype)
    if dtype.kind == "f":
        return place(arith.ConstantOp(FloatAttr(float(value), type_)))
    return place(arith.ConstantOp(IntegerAttr(int(value), type_)))


def apply(
    name: str, args: Sequence[SSAValue], dtype: DType, predicate: str, place: Place
) -> SSAValue:
    """Create a scalar operation."""
    if name == "math.log10":  # IREE's runtime lacks it
        log = place(math.LogOp(args[0]))
        return place(arith.MulfOp(log, constant(1 / np.log(10), dtype, place)))
    cls: Any = _operations().get(name)
    if cls is None:
        raise NotTraced(f"there is no operation {name}")
    if predicate:
        return place(cls(*args, predicate))
    if name == "arith.bitcast":
        return place(cls(args[0], type_of(dtype)))
    return place(cls(*args))


def convert(value: SSAValue, of: DType, to: DType, place: Place) -> SSAValue:
    """Convert a scalar to another type as NumPy does."""
    type_: Any = type_of(to)
    if value.type == type_:
        return value
    if to.kind == "b":
        zero = constant(0, of, place)
        if isinstance(value.type, AnyFloat):
            return place(arith.CmpfOp(value, zero, "une"))
        return place(arith.CmpiOp(value, zero, "ne"))
    unsigned = of.kind in "bu"
    match of.kind == "f", to.kind == "f":
        case True, True:
            return place(
                (arith.ExtFOp if to.itemsize > of.itemsize else arith.TruncFOp)(value, type_)
            )
        case True, False:
            return place((arith.FPToUIOp if to.kind == "u" else arith.FPToSIOp)(value, type_))
        case False, True:
            return place((arith.UIToFPOp if unsigned else arith.SIToFPOp)(value, type_))
        case _:
            pass
    if to.itemsize < of.itemsize:
        return place(arith.TruncIOp(value, type_))
    return place((arith.ExtUIOp if unsigned else arith.ExtSIOp)(value, type_))


class Elements:
    """Writes the elements that a kernel computes into its body, each once."""

    def __init__(
        self,
        number: Callable[[nodes.Scalar, Place], SSAValue],
        read: Mapping[Element, SSAValue],
        place: Place,
    ) -> None:
        self._number = number
        """Writes the scalar of a number."""
        self._place = place
        self._made = dict(read)
        """At first, the elements of the tensors that the kernel reads."""

    def of(self, node: Node, access: Access) -> SSAValue:
        """Return the element of a node at this access."""
        pending = [(node, access)]
        while pending:  # not by recursion: chains are longer than Python's stack
            last = pending[-1]
            operands = _operands(*last)
            missing = [each for each in operands if each not in self._made]
            if last in self._made:
                pending.pop()
            elif missing:
                pending += reversed(missing)
            else:
                args = [self._made[each] for each in operands]
                self._made[pending.pop()] = self._written(last[0], args)
        return self._made[node, access]

    def _written(self, node: Node, args: list[SSAValue]) -> SSAValue:
        match node:
            case nodes.Scalar():
                return self._number(node, self._place)
            case nodes.Elementwise(name="convert"):
                return convert(args[0], node.args[0].dtype, node.dtype, self._place)
            case nodes.Elementwise():
                return apply(node.name, args, node.dtype, node.predicate, self._place)
            case _:
                return args[0]  # a view moves elements


def _operands(node: Node, access: Access) -> list[Element]:
    """Return the elements that a kernel computes an element from."""
    match node:
        case nodes.View():
            return [_element(node.of, through(node, access))]
        case nodes.Elementwise():
            return [_element(arg, access) for arg in node.args]
        case _:
            return []


def _element(node: Node, access: Access) -> Element:
    return node, () if isinstance(node, nodes.Scalar) else access


def through(node: nodes.View, access: Access) -> Access:
    """Return the access to the operand of a view."""
    return tuple(
        next((access[i] for i, own in enumerate(node.axes) if own == axis), None)
        for axis in range(len(node.of.shape))
    )
