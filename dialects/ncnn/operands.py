"""How the operands of a layer lie: the input blobs first, then its weights, any of which may be
left out. They are asked for too often for xDSL's accessors."""

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NoReturn, cast

from xdsl.dialects.builtin import DenseArrayBase, i32
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import OpDef, OptionalDef, VariadicDef

if TYPE_CHECKING:
    from .layer import LayerOp

SEGMENTS = "operandSegmentSizes"


@lru_cache(1024)
def _starts(data: bytes) -> tuple[int, ...]:
    """Where each segment begins, and where the last one ends."""
    return (0, *accumulate(struct.unpack(f"<{len(data) // 4}i", data)))


def starts_of(op: Operation) -> tuple[int, ...] | None:
    """Where each group of operands begins, and where the last one ends; `None` for an operation
    that has at most one group of another size than 1."""
    segments = op.properties.get(SEGMENTS)
    return None if segments is None else _starts(cast(DenseArrayBase[Any], segments).data.data)


@dataclass(frozen=True)
class SegmentAccessor:
    """An operand of an operation with segment sizes, as xDSL's own accessors give it."""

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
        raise NotImplementedError("operands are not assigned by name")


def segment_accessors(op_def: OpDef) -> dict[str, SegmentAccessor]:
    """The accessors of all operands by name."""
    return {
        name: SegmentAccessor(
            i,
            isinstance(d, VariadicDef) and not isinstance(d, OptionalDef),
            isinstance(d, OptionalDef),
        )
        for i, (name, d) in enumerate(op_def.operands)
    }


def weights_of(op: "LayerOp") -> dict[str, SSAValue | None]:
    """The weights of a layer by name, `None` where one is left out."""
    names = op.WEIGHTS
    if not names:
        return {}
    operands, starts = op.operands, starts_of(op)
    if starts is not None:
        places = starts[-len(names) - 1 :]
        bounds = zip(names, places, places[1:])
        return {name: operands[a] if a < b else None for name, a, b in bounds}
    # At most one of the operands is not there exactly once.
    left_out = 0 if op.NUM_DATA is None else op.NUM_DATA + len(names) - len(operands)
    there = [name for name in names if not (left_out and name in op.OPTIONAL_WEIGHTS)]
    values = dict(zip(there, operands[len(operands) - len(there) :], strict=True))
    return {name: values.get(name) for name in names}


def lay_out(
    cls: "type[LayerOp]", data: Sequence[SSAValue], weights: Mapping[str, SSAValue | None]
) -> tuple[list[SSAValue], dict[str, Attribute]]:
    """The operands of a layer in order, and the segment sizes where it has them."""
    slots = [weights.get(name) for name in cls.WEIGHTS]
    operands = [*data, *(v for v in slots if v is not None)]
    if SEGMENTS not in cls.get_irdl_definition().properties:
        return operands, {}
    counts = [len(data), *(int(v is not None) for v in slots)]
    return operands, {SEGMENTS: DenseArrayBase.from_list(i32, counts)}
