"""How the operands of a layer lie: the input blobs first, then its weights, any of which may be
left out. They are asked for too often for xDSL's accessors."""

import struct
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import DenseArrayBase, i32
from xdsl.ir import Attribute, SSAValue

if TYPE_CHECKING:
    from .layer import LayerOp

SEGMENTS = "operandSegmentSizes"


def weights_of(op: "LayerOp") -> dict[str, SSAValue | None]:
    """The weights of a layer by name, `None` where one is left out."""
    names = op.WEIGHTS
    if not names:
        return {}
    operands, segments = op.operands, op.properties.get(SEGMENTS)
    if segments is not None:
        data = cast(DenseArrayBase[Any], segments).data.data
        sizes = struct.unpack(f"<{len(data) // 4}i", data)[-len(names) :]
    else:  # at most one of the operands is not there exactly once
        left_out = 0 if op.NUM_DATA is None else op.NUM_DATA + len(names) - len(operands)
        sizes = [int(not (left_out and name in op.OPTIONAL_WEIGHTS)) for name in names]
    place = len(operands) - sum(sizes)
    result: dict[str, SSAValue | None] = {}
    for name, size in zip(names, sizes, strict=True):
        result[name] = operands[place] if size else None
        place += size
    return result


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
