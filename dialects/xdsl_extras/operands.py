"""The operands of an operation with segment sizes.

xDSL 0.74 computes an operand's position from all sizes at every access: for a model with thousands
of layers this takes longer than the passes.
"""

import struct
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Any, NoReturn, cast

from xdsl.dialects.builtin import DenseArrayBase
from xdsl.ir import Operation
from xdsl.irdl import OpDef, OptionalDef, VariadicDef, VarOperandDef
from xdsl.irdl.operations import (
    _OperandFieldDef,  # pyright: ignore[reportPrivateUsage]: the result of `operand_def` etc.
    get_accessors_from_op_def,
)

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
