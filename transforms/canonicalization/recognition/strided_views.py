"""The positions of a source blob's elements after layers that only move elements."""

from collections.abc import Sequence
from math import prod
from typing import Any, NamedTuple, TypeAlias

from xdsl.ir import Operation, OpResult, SSAValue

from ....dialects.ncnn.extents import permutation, positive_axis, slice_parts
from ....dialects.ncnn.interfaces import Reshaping
from ....dialects.ncnn.joining import SliceOp
from ....dialects.ncnn.layer import LayerOp
from ....dialects.ncnn.reshaping import PermuteOp
from ....dialects.shapes.analysis import Shapes
from ....dialects.shapes.terms import Extent, Extents

MAX_CHAIN = 6
"""Maximal number of layers in a chain."""


class Digit(NamedTuple):
    """A part of an axis: if its index grows by 1, the index along an axis of the source grows by
    `stride`."""

    size: Extent
    source: int
    """The axis of the source."""
    stride: Extent = 1


Axis: TypeAlias = tuple[Digit, ...]
"""The digits of one index, the outermost first; none for an extent of 1."""


class StridedView(NamedTuple):
    """A blob whose elements are elements of a source blob: the digits of each axis, and the start
    along each axis of the source."""

    axes: tuple[Axis, ...]
    starts: tuple[int, ...]

    @staticmethod
    def of(shape: Extents) -> "StridedView":
        """Return the view of a whole blob."""
        axes = tuple((Digit(n, i),) if n != 1 else () for i, n in enumerate(shape))
        return StridedView(axes, (0,) * len(shape))

    @staticmethod
    def of_elements(shape: Extents) -> "StridedView":
        """Return the view of a whole blob whose source is the list of its elements."""
        digits = [Digit(n, 0, prod(shape[i + 1 :])) for i, n in enumerate(shape)]
        return StridedView(tuple((digit,) if digit.size != 1 else () for digit in digits), (0,))

    def extents(self) -> Extents:
        """Return the extents of the axes."""
        return tuple(extent_of(axis) for axis in self.axes)

    def runs(self) -> Axis:
        """Return the digits of all axes, in their order, with those joined that are consecutive in
        the source."""
        return joined(tuple(digit for axis in self.axes for digit in axis))

    def permuted(self, order: Sequence[int]) -> "StridedView":
        """Return the view with its axes in another order."""
        return self._replace(axes=tuple(self.axes[i] for i in order))

    def after(self, layer: LayerOp, place: int, shapes: Shapes) -> "StridedView | None":
        """Return the view of a layer's result `place`; `None` if it is not provable."""
        if isinstance(layer, PermuteOp):
            order = permutation(layer.order_type, len(self.axes))
            return None if order is None else self.permuted(order)
        if isinstance(layer, SliceOp):
            return self._part(layer, place)
        shape = shapes.of(layer.results[0])
        kept = isinstance(layer, Reshaping) and layer.keeps_order(shapes)
        return self.reshaped(shape) if kept and shape is not None else None

    def reshaped(self, shape: Extents) -> "StridedView | None":
        """Return the view with its digits regrouped to axes of this shape, and split where
        necessary; `None` if that is not provable, or the number of elements differs."""
        rest = [digit for axis in self.axes for digit in axis]
        axes: list[Axis] = []
        for extent in shape:
            taken = _take(rest, extent)
            if taken is None:
                return None
            axes.append(taken)
        return None if rest else self._replace(axes=tuple(axes))

    def _part(self, layer: SliceOp, place: int) -> "StridedView | None":
        """Return the view of a part of a Slice, if only the outermost digit of the axis is
        split."""
        number = positive_axis(layer.axis, len(self.axes))
        if number is None:
            return None
        axis = self.axes[number]
        parts = slice_parts(extent_of(axis), len(layer.outputs), layer.slices, layer.indices)
        if parts is None or not axis:
            return None
        first, *inner = axis
        size = extent_of(tuple(inner))
        numbers = [divided(part, size) for part in parts[: place + 1]]
        counts = [n for n in numbers if isinstance(n, int) and n > 0]
        if len(counts) != place + 1 or not isinstance(first.stride, int):
            return None
        kept = first._replace(size=counts[-1])
        axes, starts = list(self.axes), list(self.starts)
        axes[number] = (*([kept] if kept.size != 1 else []), *inner)
        starts[first.source] += sum(counts[:-1]) * first.stride
        return StridedView(tuple(axes), tuple(starts))

    def is_all_of(self, axis: int, source: int, extent: Extent) -> bool:
        """Whether an axis is provably a whole axis of the source, of this extent."""
        wanted = ((Digit(extent, source),) if extent != 1 else ()), 0
        return (joined(self.axes[axis]), self.starts[source]) == wanted

    def numbers(self, axis: int, strides: Sequence[int]) -> Any:
        """Return for each index along an axis its contribution to the element index in a source
        with these strides; `None` if an extent is dynamic."""
        import numpy as np

        found = np.zeros(1, int)
        for digit in self.axes[axis]:
            if not isinstance(digit.size, int) or not isinstance(digit.stride, int):
                return None
            steps = np.arange(digit.size) * (digit.stride * strides[digit.source])
            found = np.add.outer(found, steps).reshape(-1)
        return found


def extent_of(axis: Axis) -> Extent:
    """Return the extent of an axis."""
    return prod(digit.size for digit in axis)


def divided(extent: Extent, by: Extent) -> Extent | None:
    """Return the quotient of two extents; `None` if it is not provably exact."""
    quotient = extent // by
    return quotient if quotient * by == extent else None


def joined(axis: Axis) -> Axis:
    """Return an axis with digits that are consecutive in the source joined."""
    found: list[Digit] = []
    for digit in axis:
        last = found[-1] if found else None
        if (
            last is not None
            and last.source == digit.source
            and last.stride == digit.size * digit.stride
        ):
            found[-1] = Digit(last.size * digit.size, digit.source, digit.stride)
        else:
            found.append(digit)
    return tuple(found)


def _take(digits: list[Digit], extent: Extent) -> Axis | None:
    """Remove digits from the front until they make up an extent; split the last one if
    necessary."""
    taken: list[Digit] = []
    while extent != 1:
        if not digits:
            return None
        first = digits.pop(0)
        if (more := divided(extent, first.size)) is not None:
            taken.append(first)
            extent = more
            continue
        left = divided(first.size, extent)
        if left is None:
            return None
        taken.append(Digit(extent, first.source, first.stride * left))
        digits.insert(0, Digit(left, first.source, first.stride))
        extent = 1
    return tuple(taken)


class MovedBlob(NamedTuple):
    """A blob that layers derive from a source by only moving elements."""

    source: SSAValue
    layers: tuple[LayerOp, ...]
    """The last one first."""
    view: StridedView


def moved_from(value: SSAValue, shapes: Shapes) -> MovedBlob | None:
    """Trace a blob back through layers that only move elements; `None` if their effect is not
    provable."""
    steps: list[tuple[LayerOp, int]] = []
    while isinstance(value, OpResult) and len(steps) < MAX_CHAIN:
        op: Operation = value.op
        if not isinstance(op, Reshaping | SliceOp) or len(op.operands) != 1 or op.extra:
            break
        steps.append((op, value.index))
        value = op.operands[0]
    shape = shapes.of(value)
    view = None if shape is None else StridedView.of(shape)
    for op, place in reversed(steps):
        view = None if view is None else view.after(op, place, shapes)
    return None if view is None else MovedBlob(value, tuple(op for op, _ in steps), view)
