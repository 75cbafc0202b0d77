"""What becomes of an axis where layers change a blob's layout: Reshapes and Permutes."""

from collections.abc import Sequence
from math import prod

from ...dialects.ncnn.extents import permutation
from ...dialects.ncnn.interfaces import Reshaping
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.reshaping import PermuteOp
from ...dialects.shapes.analysis import Shapes
from ...dialects.shapes.terms import Extents
from .rewriting import MOST_BETWEEN, only_producer


def layouts_before(reader: LayerOp, place: int) -> tuple[Reshaping, ...]:
    """The layers that only change the layout before an operand, the last one first: each is there
    for the next one alone."""
    found: list[Reshaping] = []
    user, value = reader, reader.operands[place]
    while len(found) < MOST_BETWEEN:
        layer = only_producer(value, user)
        if not isinstance(layer, Reshaping):
            break
        found.append(layer)
        user, value = layer, layer.operands[0]
    return tuple(found)


def axis_before(
    layouts: Sequence[Reshaping], axis: int, shapes: Shapes, others_stay: bool = False
) -> int | None:
    """Which axis of the blob before a chain (see `layouts_before`) is this one behind it; `None` if
    that is not certain: a Reshape keeps an axis that is as long as it was if the axes before it, or
    those behind it, have as many elements as there were. `others_stay`: and if
    the other axes certainly stay in their order."""
    place: int | None = axis
    for layer in layouts:
        if place is None:
            return None
        before, after = shapes.of(layer.operands[0]), shapes.of(layer.results[0])
        if before is None or after is None:
            return None
        if isinstance(layer, PermuteOp):
            order = permutation(layer.order_type, len(before))
            if order is None:
                return None
            others = [i for i in order if i != order[place] and before[i] != 1]
            if others_stay and others != sorted(others):
                return None
            place = order[place]
        elif layer.keeps_order(shapes):
            place = next((i for i in range(len(before)) if _is_kept(before, i, after, place)), None)
        else:
            return None
    return place


def _is_kept(before: Extents, i: int, after: Extents, j: int) -> bool:
    """Whether an axis of a blob is that of the blob after a Reshape. The whole has as many elements
    before and after: what is equal on one side of the axis is equal on the other."""
    if before[i] != after[j]:
        return False
    outer, inner = (before[:i], after[:j]), (before[i + 1 :], after[j + 1 :])
    return prod(outer[0]) == prod(outer[1]) or prod(inner[0]) == prod(inner[1])
