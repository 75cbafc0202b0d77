"""Operators that only move elements: as casts, Permute, Slice, Crop and Concat."""

from collections.abc import Sequence
from math import prod
from typing import ClassVar

from xdsl.ir import SSAValue

from ...dialects.ncnn.cropping import CropOp
from ...dialects.ncnn.extents import ABSENT
from ...dialects.ncnn.joining import ConcatOp, SliceOp
from ...dialects.pnnx.operations import OperatorOp
from ..rewriting.axis_merging import fold_shape, plan
from .legalization import Layers, Legalization, Shape, around, axis_in, ints_in, shapes_of

INT_MAX = 2**31 - 1


class LegalizeReshape(Legalization):
    """`reshape`, `flatten`, `squeeze` and their like keep the elements in their order: nothing is
    left but a cast, whatever the rank.

    Conditions: as many elements after it as before.
    """

    TYPES: ClassVar[frozenset[str]] = frozenset(
        ("Tensor.reshape", "Tensor.reshape_as", "Tensor.view", "Tensor.view_as")
        + ("Tensor.unflatten", "torch.flatten", "torch.squeeze", "torch.unsqueeze")
    )

    def legalize(self, op: OperatorOp, layers: Layers) -> Sequence[SSAValue] | None:
        shapes = shapes_of(op)
        if shapes is None or not op.inputs or len(op.outputs) != 1:
            return None
        same = prod(shapes[0][0]) == prod(shapes[1][0])
        return [op.inputs[0]] if same else None


class LegalizePermute(Legalization):
    """`permute` and `transpose` as Reshape and Permute of at most four dims (`axes.plan`).

    Conditions: `dims`, or `dim0` and `dim1`, are axes, and the result's shape follows from them.
    """

    TYPES: ClassVar[frozenset[str]] = frozenset(
        ("Tensor.permute", "torch.permute", "torch.transpose")
    )

    def legalize(self, op: OperatorOp, layers: Layers) -> Sequence[SSAValue] | None:
        shapes = shapes_of(op)
        if shapes is None or len(op.inputs) != 1 or len(op.outputs) != 1:
            return None
        shape = shapes[0][0]
        order = order_of(op, len(shape))
        if order is None or tuple(shape[axis] for axis in order) != shapes[1][0]:
            return None
        value = op.inputs[0]
        for step in plan(shape, order):
            value = layers.permute(value, step.shape, step.order)
        return [value]


def order_of(op: OperatorOp, rank: int) -> tuple[int, ...] | None:
    """The permutation that an operator is of a tensor of so many dims."""
    if op.type.data == "torch.transpose":
        a, b = (axis_in(op.param(key, None), rank) for key in ("dim0", "dim1"))
        if a is None or b is None:
            return None
        order = list(range(rank))
        order[a], order[b] = b, a
        return tuple(order)
    axes = [axis_in(axis, rank) for axis in ints_in(op.param("dims", None)) or ()]
    found = tuple(axis for axis in axes if axis is not None)
    return found if sorted(found) == list(range(rank)) else None


class LegalizeUnbind(Legalization):
    """`unbind` as Slice into parts of extent 1, each then without that axis.

    Conditions: `dim` is an axis with as many elements as there are results.
    """

    TYPES: ClassVar[frozenset[str]] = frozenset(("torch.unbind",))

    def legalize(self, op: OperatorOp, layers: Layers) -> Sequence[SSAValue] | None:
        shapes = shapes_of(op)
        if shapes is None or len(op.inputs) != 1:
            return None
        shape, count = shapes[0][0], len(op.outputs)
        axis = axis_in(op.param("dim", 0), len(shape))
        if axis is None or shape[axis] != count:
            return None
        if any(out != (*shape[:axis], *shape[axis + 1 :]) for out in shapes[1]):
            return None
        whole, at = around(shape, axis)
        part = (*whole[:at], 1, *whole[at + 1 :])
        x = layers.blob(op.inputs[0], whole)
        return layers.make(SliceOp, [x], *[part] * count, slices=(ABSENT,) * count, axis=at)


class LegalizeSplit(Legalization):
    """`chunk`, `split` and `tensor_split` as Slice into parts of the results' extents.

    PyTorch's chunks are not the runtime's equal shares: 100 in three are 34, 34 and 32.

    Conditions: `dim` is an axis, and the results are the whole of the operand.
    """

    TYPES: ClassVar[frozenset[str]] = frozenset(
        ("torch.chunk", "torch.split", "torch.tensor_split")
    )

    def legalize(self, op: OperatorOp, layers: Layers) -> Sequence[SSAValue] | None:
        shapes = shapes_of(op)
        if shapes is None or len(op.inputs) != 1:
            return None
        shape = shapes[0][0]
        axis = axis_in(op.param("dim", 0), len(shape))
        if axis is None or any(len(out) != len(shape) for out in shapes[1]):
            return None
        parts = [out[axis] for out in shapes[1]]
        rest = (*shape[:axis], *shape[axis + 1 :])
        if sum(parts) != shape[axis] or any(
            (*out[:axis], *out[axis + 1 :]) != rest for out in shapes[1]
        ):
            return None
        whole, at = around(shape, axis)
        x = layers.blob(op.inputs[0], whole)
        blobs = [(*whole[:at], n, *whole[at + 1 :]) for n in parts]
        return layers.make(SliceOp, [x], *blobs, slices=tuple(parts), axis=at)


class LegalizeSlice(Legalization):
    """`x[a:b:step]` and `x[i]` along any axes as Crop, and where there is a step as a Reshape that
    makes steps rows and a Crop that takes the same element of each row.

    Every `step`-th element of `n`: `m = ceil((b - a) / step)` rows of `step` are a whole piece of
    the blob that begins at `a`, or where it would go beyond the end so much before as it would; if
    that is before the beginning, the last element comes apart and a Concat joins it.

    Conditions: `dims`, `starts`, `ends`, `steps` and `selects` (or `dim`, `start`, `end`, `step`)
    are numbers, steps are positive, and the result's shape follows from them.
    """

    TYPES: ClassVar[frozenset[str]] = frozenset(("Tensor.slice", "Tensor.select", "torch.select"))

    def legalize(self, op: OperatorOp, layers: Layers) -> Sequence[SSAValue] | None:
        shapes = shapes_of(op)
        if shapes is None or len(op.inputs) != 1 or len(op.outputs) != 1:
            return None
        shape = shapes[0][0]
        cuts = cuts_of(op, shape)
        if cuts is None:
            return None
        left = list(shape)
        for axis, (start, stop, step, _) in cuts.items():
            left[axis] = -((start - stop) // step)
        dropped = [axis for axis, cut in cuts.items() if cut[3]]
        if tuple(n for i, n in enumerate(left) if i not in dropped) != shapes[1][0]:
            return None
        value, now = op.inputs[0], shape
        for axis, (start, stop, step, _) in cuts.items():
            if (start, stop, step) != (0, now[axis], 1):
                value = _sliced(layers, value, now, axis, (start, stop, step))
                now = (*now[:axis], left[axis], *now[axis + 1 :])
        return [value]


def cuts_of(op: OperatorOp, shape: Shape) -> dict[int, tuple[int, int, int, bool]] | None:
    """For each axis that is cut: first, end, step, and whether the axis goes; `None` if the
    parameters do not say so."""
    if op.type.data != "Tensor.slice":
        axis = axis_in(op.param("dim", None), len(shape))
        index = None if axis is None else axis_in(op.param("index", None), shape[axis])
        return None if axis is None or index is None else {axis: (index, index + 1, 1, True)}
    lists = [
        ints_in(op.param(key, op.param(one, default)))
        for key, one, default in (
            ("dims", "dim", None),
            ("starts", "start", 0),
            ("ends", "end", INT_MAX),
            ("steps", "step", 1),
            ("selects", "select", INT_MAX),
        )
    ]
    rows = [tuple(values) for values in lists if values]
    if len(rows) < len(lists) or len({len(values) for values in rows}) != 1:
        return None
    cuts: dict[int, tuple[int, int, int, bool]] = {}
    for dim, start, end, step, select in zip(*rows, strict=True):
        axis = axis_in(dim, len(shape))
        if axis is None or axis in cuts or step < 1:
            return None
        size = shape[axis]
        if select != INT_MAX:
            index = axis_in(select, size)
            if index is None:
                return None
            cuts[axis] = (index, index + 1, 1, True)
            continue
        first, last = (min(max(n + size if n < 0 else n, 0), size) for n in (start, end))
        if first >= last:
            return None
        cuts[axis] = (first, last, step, False)
    return cuts


def _sliced(
    layers: Layers, value: SSAValue, shape: Shape, axis: int, cut: tuple[int, int, int]
) -> SSAValue:
    """A tensor of this shape cut along one axis."""
    start, stop, step = cut
    size, count = shape[axis], -((start - stop) // step)
    if step == 1:
        return _cropped(layers, value, shape, axis, start, stop)
    outer, inner = prod(shape[:axis]), prod(shape[axis + 1 :])
    whole = (outer, size, inner)
    before = max(start + count * step - size, 0)
    if before > start:  # the rows would begin before the blob does
        parts = [_cropped(layers, value, whole, 1, start + (count - 1) * step, None)]
        if count > 1:
            most = (start, start + (count - 1) * step, step)
            parts.insert(0, _sliced(layers, value, whole, 1, most))
        lengths = (count - 1, 1) if count > 1 else (1,)
        blobs = [layers.blob(p, (outer, n, inner)) for p, n in zip(parts, lengths, strict=True)]
        return layers.make(ConcatOp, blobs, (outer, count, inner), axis=1)[0]
    first = start - before
    rows = _cropped(layers, value, whole, 1, first, first + count * step)
    shape4 = (outer, count, step, inner)
    return _cropped(layers, rows, shape4, 2, before, before + 1)


def _cropped(
    layers: Layers, value: SSAValue, shape: Shape, axis: int, start: int, stop: int | None
) -> SSAValue:
    """The elements from one to another along an axis; `None`: one element."""
    stop = start + 1 if stop is None else stop
    if (start, stop) == (0, shape[axis]):
        return value
    whole, at = around(shape, axis)
    part = (*whole[:at], stop - start, *whole[at + 1 :])
    x = layers.blob(value, whole)
    return layers.make(CropOp, [x], part, starts=(start,), ends=(stop,), axes=(at,))[0]


class LegalizeJoin(Legalization):
    """`cat` and `stack` as Concat along the middle of three axes, or of the blobs' own axes where
    they have no more than four.

    Conditions: `dim` is an axis, and the result's shape follows.
    """

    TYPES: ClassVar[frozenset[str]] = frozenset(("torch.cat", "torch.stack"))

    def legalize(self, op: OperatorOp, layers: Layers) -> Sequence[SSAValue] | None:
        shapes = shapes_of(op)
        if shapes is None or not op.inputs or len(op.outputs) != 1:
            return None
        inputs, out = shapes[0], shapes[1][0]
        axis = axis_in(op.param("dim", 0), len(out))
        if axis is None:
            return None
        if op.type.data == "torch.stack":
            inputs = [(*s[:axis], 1, *s[axis:]) for s in inputs]
        rests = {(*s[:axis], *s[axis + 1 :]) for s in (*inputs, out) if len(s) == len(out)}
        if any(len(s) != len(out) for s in inputs) or len(rests) != 1:
            return None
        if sum(s[axis] for s in inputs) != out[axis]:
            return None
        if fold_shape(out) != out:
            outer, inner = prod(out[:axis]), prod(out[axis + 1 :])
            inputs, axis = [(outer, s[axis], inner) for s in inputs], 1
            out = (outer, sum(s[1] for s in inputs), inner)
        blobs = [layers.blob(v, s) for v, s in zip(op.inputs, inputs, strict=True)]
        return layers.make(ConcatOp, blobs, out, axis=axis)
