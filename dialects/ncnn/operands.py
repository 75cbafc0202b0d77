"""The operand order of a layer: input blobs first, then its weights, each of which may be
absent."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import DenseArrayBase, i32
from xdsl.ir import Attribute, SSAValue

from ..xdsl_extras.operands import SEGMENTS, starts_of

if TYPE_CHECKING:
    from .layer import LayerOp


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
