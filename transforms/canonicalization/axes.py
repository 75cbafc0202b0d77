"""What becomes of an axis where layers change a blob's layout: Reshapes and Permutes."""

from collections.abc import Sequence
from math import prod

from ...dialects.ncnn.extents import permutation
from ...dialects.ncnn.interfaces import Reshaping
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.reshaping import PermuteOp
from ...dialects.shapes.analysis import Shapes
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


def axis_before(layouts: Sequence[Reshaping], axis: int, shapes: Shapes) -> int | None:
    """Which axis of the blob before a chain (see `layouts_before`) is this one behind it; `None` if
    that is not certain: a Reshape keeps an axis if there are as many elements before it as there
    were, and it is as long as it was."""
    place: int | None = axis
    for layer in layouts:
        if place is None:
            return None
        before, after = shapes.of(layer.operands[0]), shapes.of(layer.results[0])
        if before is None or after is None:
            return None
        if isinstance(layer, PermuteOp):
            order = permutation(layer.order_type, len(before))
            place = None if order is None else order[place]
        elif layer.keeps_order(shapes):
            outer, extent = prod(after[:place]), after[place]
            place = next(
                (i for i, n in enumerate(before) if n == extent and prod(before[:i]) == outer), None
            )
        else:
            return None
    return place
