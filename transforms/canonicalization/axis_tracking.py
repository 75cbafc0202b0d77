"""Tracking of an axis through layers that change the layout: Reshapes and Permutes."""

from collections.abc import Sequence
from math import prod
from typing import cast

from ...dialects.ncnn.extents import permutation
from ...dialects.ncnn.interfaces import Reshaping
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.reshaping import PermuteOp
from ...dialects.shapes.analysis import Shapes
from ...dialects.shapes.terms import Extents
from .rewriting import sole_chain


def layouts_before(reader: LayerOp, place: int) -> tuple[Reshaping, ...]:
    """Return the chain of layout-changing layers before an operand, the last one first. Each has
    the next one as its only user."""
    layouts = sole_chain(reader, place, lambda layer: isinstance(layer, Reshaping))
    return cast("tuple[Reshaping, ...]", layouts)


def axis_before(
    layouts: Sequence[Reshaping], axis: int, shapes: Shapes, others_stay: bool = False
) -> int | None:
    """Return the axis of the source of a chain (see `layouts_before`) that becomes this axis of its
    result; `None` if that is not provable. A Reshape keeps an axis if its extent stays and the
    number of elements before it, or after it, stays. With `others_stay`, the other axes must
    provably keep their order too."""
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
    """Whether axis i before a Reshape is axis j after it. The total number of elements is
    unchanged, so equal products on one side of the axis imply equal products on the other."""
    if before[i] != after[j]:
        return False
    outer, inner = (before[:i], after[:j]), (before[i + 1 :], after[j + 1 :])
    return prod(outer[0]) == prod(outer[1]) or prod(inner[0]) == prod(inner[1])
