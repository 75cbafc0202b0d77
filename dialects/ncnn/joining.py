"""Layers that concatenate, split and repeat blobs."""

from collections.abc import Sequence
from typing import ClassVar

from xdsl.ir import SSAValue

from ..shapes.analysis import Shapes
from ..shapes.terms import UNKNOWN, Extents
from .checks import check, check_range
from .extents import (
    ABSENT,
    by_axis,
    differ,
    extent_along,
    known,
    positive_axis,
    slice_parts,
    tiled,
    wanted_parts,
)
from .interfaces import Identity
from .layer import Arity, KeepsElements, UnaryLayer, VariadicLayer, layer
from .params import int_param, ints_param


@layer
class ConcatOp(Identity, KeepsElements, VariadicLayer):
    """Concatenates blobs along an axis: `y = concat(x0, x1, …)`.

    Shapes: blobs with equal extents except along the axis -> the axis has the sum; the other
    extents come from the first blob.
    """

    axis = int_param(0)

    NUM_INPUTS: ClassVar[Arity] = (1, None)

    def infer_shapes(self, shapes: Sequence[Extents | None]) -> Sequence[Extents | None] | None:
        first = shapes[0]
        axis = None if first is None else positive_axis(self.axis, len(first))
        if first is None or axis is None or {len(s) for s in shapes if s} != {len(first)}:
            return None
        parts = [UNKNOWN if s is None else s[axis] for s in shapes]
        return [(*first[:axis], known(sum(parts)), *first[axis + 1 :])]

    def contract_violation(self, shapes: Sequence[Extents | None]) -> str | None:
        first, *others = [shape for shape in shapes if shape is not None] or [()]
        axis = positive_axis(self.axis, len(first)) if first else None
        for shape in others:
            sides = zip(first, shape, strict=False)
            other = any(differ(m, n) for i, (m, n) in enumerate(sides) if i != axis)
            if other or len(shape) != len(first):
                return f"takes blobs whose extents are equal but for axis {axis}"
        return None

    def fold_to_values(self, shapes: Shapes) -> Sequence[SSAValue] | None:
        if len(self.inputs) == 1:
            return self.inputs
        cut = self.inputs[0].owner
        if not isinstance(cut, SliceOp) or list(self.inputs) != list(cut.outputs):
            return None
        return cut.inputs if same_axis(cut, self, shapes) and cut.covers_all(shapes) else None


def same_axis(a: "ConcatOp | SliceOp", b: "ConcatOp | SliceOp", shapes: Shapes) -> bool:
    """Whether two layers work along the same axis of blobs with equal rank."""
    rank = shapes.rank(a.inputs[0])
    if rank is None:
        return a.axis == b.axis
    return positive_axis(a.axis, rank) == positive_axis(b.axis, rank) is not None


@layer
class SliceOp(Identity, KeepsElements, VariadicLayer):
    """Splits a blob into parts along an axis.

    Shapes: any of 1 to 4 dims -> parts with the same extents except along the axis.
    Parameters: slices (the parts' extents, -233: an equal share of the remaining extent), axis,
    indices (the end of each part except the last, negative: from the blob's end; an alternative to
    slices).
    """

    slices = ints_param(0)
    axis = int_param(1, within=(-4, 3))
    indices = ints_param(2)

    NUM_OUTPUTS: ClassVar[Arity] = (1, None)
    IGNORES_MORE: ClassVar[bool] = True

    def verify_layer(self) -> None:
        for part in self.slices:
            check(self, part > 0 or part == ABSENT, f"a part of extent {part}")

    def infer_shapes(self, shapes: Sequence[Extents | None]) -> Sequence[Extents | None] | None:
        shape = shapes[0]
        axis = None if shape is None else positive_axis(self.axis, len(shape))
        if shape is None or axis is None:
            return None
        parts = slice_parts(shape[axis], len(self.outputs), self.slices, self.indices)
        return None if parts is None else [(*shape[:axis], n, *shape[axis + 1 :]) for n in parts]

    def contract_violation(self, shapes: Sequence[Extents | None]) -> str | None:
        shape = shapes[0]
        if shape is None or any(part <= 0 and part != ABSENT for part in self.slices):
            return None  # such parts do not verify
        axis, count = positive_axis(self.axis, len(shape)), len(self.outputs)
        if axis is None:
            return f"cuts axis {self.axis}, which {len(shape)} dims do not have"
        parts = wanted_parts(shape[axis], count, self.slices, self.indices)
        if parts is None:
            return None
        lengths = [part for part in parts if isinstance(part, int)]
        extent = shape[axis]
        too_long = isinstance(extent, int) and sum(lengths) > extent
        if not too_long and all(n > 0 for n in lengths):
            return None
        fixed = self.indices or any(n != ABSENT for n in self.slices[:count])
        which = f" of {', '.join(map(str, parts))}" if fixed and len(lengths) == count else ""
        return f"cuts axis {axis} into {count} parts{which}"

    def covers_all(self, shapes: Shapes) -> bool:
        """Whether the parts provably cover the whole blob."""
        count = len(self.outputs)
        if self.indices or self.slices[count - 1 : count] == (ABSENT,):
            return True  # the last part extends to the end
        parts = (extent_along(v, self.axis, shapes) for v in self.outputs)
        return sum(parts) == extent_along(self.inputs[0], self.axis, shapes)

    def fold_to_values(self, shapes: Shapes) -> Sequence[SSAValue] | None:
        if len(self.outputs) == 1:
            return self.inputs if self.covers_all(shapes) else None
        joined = self.inputs[0].owner
        if not isinstance(joined, ConcatOp) or not same_axis(joined, self, shapes):
            return None
        pairs = zip(joined.inputs, self.outputs, strict=False)
        same = len(joined.inputs) == len(self.outputs) and all(
            extent_along(a, self.axis, shapes) == extent_along(b, self.axis, shapes)
            for a, b in pairs
        )
        return joined.inputs if same else None


@layer
class TileOp(Identity, KeepsElements, UnaryLayer):
    """Repeats a blob along its axes.

    Shapes: any of 1 to 4 dims -> the same rank, or the number of repeats if that is larger.
    Parameters: axis (not negative) and tiles (the count along it), or repeats (the counts along the
    innermost axes, outermost first; with 4 repeats a 3-D blob is treated as `c x 1 x h x w`).
    """

    axis = int_param(0)
    tiles = int_param(1, default=1)
    repeats = ints_param(2)

    def infer_shapes(self, shapes: Sequence[Extents | None]) -> Sequence[Extents | None] | None:
        extents = by_axis(shapes[0])
        if extents is None:
            return None
        axis = 0 if len(extents) == 1 else self.axis
        once = [self.tiles if i == axis else 1 for i in range(len(extents))]
        return [tiled(extents, self.repeats or once)]

    def verify_layer(self) -> None:
        check(
            self,
            len(self.repeats) <= 4,
            f"{len(self.repeats)} repeats, but a blob has at most 4 axes",
        )
        if not self.repeats:
            check_range(self, 0, 3, "axis")
        for times in self.repeats or (self.tiles,):
            check(self, times > 0, f"the repeat count {times} is not positive")

    def fold_to_values(self, shapes: Shapes) -> Sequence[SSAValue] | None:
        once = self.tiles == 1 and not self.repeats
        return (self.input,) if once or shapes.same(self.input, self.output) else None
