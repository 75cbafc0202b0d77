"""How the operands of a layer lie: the input blobs first, then its weights, any of which may be
left out."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import DenseArrayBase, i32
from xdsl.ir import Attribute, SSAValue

from ...xdsl_extras.operands import SEGMENTS, starts_of

if TYPE_CHECKING:
    from .layer import LayerOp


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
