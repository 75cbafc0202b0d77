"""The operands of a layer: input blobs first, then its weights, each of which may be absent.

A layer with several optional operands has segment sizes. xDSL 0.74 computes an operand's position
from all sizes at every access: for a model with thousands of layers this takes longer than the
passes. Hence the accessors here.
"""

import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NoReturn, cast

from xdsl.dialects.builtin import DenseArrayBase, i32
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import OpDef, OptionalDef, VariadicDef, VarOperandDef
from xdsl.irdl.operations import (
    _OperandFieldDef,  # pyright: ignore[reportPrivateUsage]: the result of `operand_def` etc.
    get_accessors_from_op_def,
)

if TYPE_CHECKING:
    from .layer import LayerOp

SEGMENTS = "operandSegmentSizes"


@lru_cache(1024)
def _starts(data: bytes) -> tuple[int, ...]:
    """Return the start of each segment and the end of the last one."""
    return (0, *accumulate(struct.unpack(f"<{len(data) // 4}i", data)))


def starts_of(op: Operation) -> tuple[int, ...] | None:
    """Return the start of each operand group and the end of the last one; `None` for an operation
    with at most one group of a size other than 1."""
    segments = op.properties.get(SEGMENTS)
    return None if segments is None else _starts(cast(DenseArrayBase[Any], segments).data.data)


@dataclass(frozen=True)
class SegmentAccessor:
    """An operand of an operation with segment sizes, like xDSL's own accessors."""

    index: int
    variadic: bool
    optional: bool

    def __get__(self, op: Operation, owner: type | None = None) -> Any:
        starts = starts_of(op)
        assert starts is not None
        start, end = starts[self.index], starts[self.index + 1]
        if self.variadic:
            return op.operands[start:end]
        return None if self.optional and start == end else op.operands[start]

    def __set__(self, op: Operation, value: Any) -> NoReturn:
        raise NotImplementedError("operands cannot be assigned by name")


def has_segments(fields: Iterable[object]) -> bool:
    """Whether more than one declared field of an operation is an optional or variadic operand,
    which needs segment sizes."""
    operands = [field for field in fields if isinstance(field, _OperandFieldDef)]
    return sum(issubclass(field.cls, VarOperandDef) for field in operands) > 1


def install_accessors(cls: type[Operation], op_def: OpDef) -> None:
    """Perform the last step of xDSL's `irdl_op_definition` for a class with a changed definition,
    with the accessors above if it has segment sizes."""
    accessors = get_accessors_from_op_def(op_def, cls.verify_)
    if op_def.options:
        for i, (name, definition) in enumerate(op_def.operands):
            optional = isinstance(definition, OptionalDef)
            variadic = isinstance(definition, VariadicDef) and not optional
            accessors[name] = SegmentAccessor(i, variadic, optional)
    for name, value in accessors.items():
        setattr(cls, name, value)


def weights_of(op: "LayerOp") -> dict[str, SSAValue | None]:
    """Return the weights of a layer by name, `None` for an absent one."""
    names = op.WEIGHTS
    if not names:
        return {}
    operands, starts = op.operands, starts_of(op)
    if starts is not None:
        places = starts[-len(names) - 1 :]
        bounds = zip(names, places, places[1:])
        return {name: operands[a] if a < b else None for name, a, b in bounds}
    # At most one operand group has a size other than one.
    left_out = 0 if op.NUM_DATA is None else op.NUM_DATA + len(names) - len(operands)
    there = [name for name in names if not (left_out and name in op.OPTIONAL_WEIGHTS)]
    values = dict(zip(there, operands[len(operands) - len(there) :], strict=True))
    return {name: values.get(name) for name in names}


def arrange_operands(
    cls: "type[LayerOp]", data: Sequence[SSAValue], weights: Mapping[str, SSAValue | None]
) -> tuple[list[SSAValue], dict[str, Attribute]]:
    """Return the operands of a layer in order, and the segment sizes if it has them."""
    slots = [weights.get(name) for name in cls.WEIGHTS]
    operands = [*data, *(v for v in slots if v is not None)]
    if SEGMENTS not in cls.get_irdl_definition().properties:
        return operands, {}
    counts = [len(data), *(int(v is not None) for v in slots)]
    return operands, {SEGMENTS: DenseArrayBase.from_list(i32, counts)}
