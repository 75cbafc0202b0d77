"""Operators that only move elements, as casts, Permute, Slice, Crop and Concat."""

from collections.abc import Sequence
from math import prod
from typing import ClassVar

from xdsl.ir import SSAValue

from ...dialects.ncnn.checks import INT_MAX
from ...dialects.ncnn.cropping import CropOp
from ...dialects.ncnn.extents import ABSENT
from ...dialects.ncnn.joining import ConcatOp, SliceOp
from ...dialects.pnnx.operations import OperatorOp
from ..rewriting.layer_builder import Shape
from .legalization import Legalization, TensorBuilder, as_axis, as_ints, resized


class LegalizeReshape(Legalization):
    """Replace `reshape`, `flatten`, `squeeze` and similar operators of any rank by a cast: the
    elements keep their order.

    Conditions: the number of elements stays the same.
    """

    TYPES: ClassVar[frozenset[str]] = frozenset(
        ("Tensor.reshape", "Tensor.reshape_as", "Tensor.view", "Tensor.view_as")
        + ("Tensor.unflatten", "torch.flatten", "torch.squeeze", "torch.unsqueeze")
    )
    NUM_TENSORS: ClassVar[int | None] = None

    def legalize(self, op: OperatorOp, b: TensorBuilder) -> Sequence[SSAValue] | None:
        same = len(b.inputs) > 0 and prod(b.inputs[0]) == prod(b.outputs[0])
        return [op.inputs[0]] if same else None


class LegalizePermute(Legalization):
    """Replace `permute` and `transpose` by Reshapes and Permutes of at most four dims (see
    `permutation_steps`).

    Conditions: `dims`, or `dim0` and `dim1`, are axes, and the result's shape follows from them.
    """

    TYPES: ClassVar[frozenset[str]] = frozenset(
        ("Tensor.permute", "torch.permute", "torch.transpose")
    )

    def legalize(self, op: OperatorOp, b: TensorBuilder) -> Sequence[SSAValue] | None:
        (shape,), (result,) = b.inputs, b.outputs
        order = order_of(op, len(shape))
        if order is None or tuple(shape[axis] for axis in order) != result:
            return None
        return [b.permute(op.inputs[0], shape, order)]


def order_of(op: OperatorOp, rank: int) -> tuple[int, ...] | None:
    """Return the permutation that an operator applies to a tensor of this rank; `None` if its
    parameters are no permutation."""
    if op.type.data == "torch.transpose":
        a, b = (as_axis(op.param(key, None), rank) for key in ("dim0", "dim1"))
        if a is None or b is None:
            return None
        order = list(range(rank))
        order[a], order[b] = b, a
        return tuple(order)
    axes = [as_axis(axis, rank) for axis in as_ints(op.param("dims", None)) or ()]
    found = tuple(axis for axis in axes if axis is not None)
    return found if sorted(found) == list(range(rank)) else None


class LegalizeUnbind(Legalization):
    """Replace `unbind` by a Slice into parts of extent 1, and drop that axis of each part.

    Conditions: `dim` is an axis, and its extent is the number of results.
    """

    TYPES: ClassVar[frozenset[str]] = frozenset(("torch.unbind",))
    NUM_RESULTS: ClassVar[int | None] = None

    def legalize(self, op: OperatorOp, b: TensorBuilder) -> Sequence[SSAValue] | None:
        shape, count = b.inputs[0], len(op.outputs)
        axis = as_axis(op.param("dim", 0), len(shape))
        if axis is None or shape[axis] != count:
            return None
        if any(out != resized(shape, axis) for out in b.outputs):
            return None
        whole, at = b.fold_around(shape, axis)
        part = resized(whole, at, 1)
        x = b.reshape(op.inputs[0], whole)
        return b.layer(SliceOp, [x], *[part] * count, slices=(ABSENT,) * count, axis=at)


class LegalizeSplit(Legalization):
    """Replace `chunk`, `split` and `tensor_split` by a Slice into parts of the results' extents.

    PyTorch's chunks differ from the runtime's equal parts: PyTorch splits 100 into 34, 34 and 32.

    Conditions: `dim` is an axis, and the results cover the operand.
    """

    TYPES: ClassVar[frozenset[str]] = frozenset(
        ("torch.chunk", "torch.split", "torch.tensor_split")
    )
    NUM_RESULTS: ClassVar[int | None] = None

    def legalize(self, op: OperatorOp, b: TensorBuilder) -> Sequence[SSAValue] | None:
        shape = b.inputs[0]
        axis = as_axis(op.param("dim", 0), len(shape))
        if axis is None or any(len(out) != len(shape) for out in b.outputs):
            return None
        parts = [out[axis] for out in b.outputs]
        if sum(parts) != shape[axis]:
            return None
        if any(resized(out, axis) != resized(shape, axis) for out in b.outputs):
            return None
        whole, at = b.fold_around(shape, axis)
        x = b.reshape(op.inputs[0], whole)
        blobs = [resized(whole, at, n) for n in parts]
        return b.layer(SliceOp, [x], *blobs, slices=tuple(parts), axis=at)


class LegalizeSlice(Legalization):
    """Replace `x[a:b:step]` and `x[i]` along any axes by Crops. With a step, a Reshape makes each
    step a row, and a Crop takes the same element of each row.

    The `m = ceil((b - a) / step)` rows of `step` elements are a contiguous part of the blob. It
    begins at `a`, or earlier if it would end beyond the blob's end. If it would also begin before
    the blob, the last element is cropped separately, and a Concat joins it.

    Conditions: `dims`, `starts`, `ends`, `steps` and `selects` (or `dim`, `start`, `end`, `step`)
    are numbers, steps are positive, and the result's shape follows from them.
    """

    TYPES: ClassVar[frozenset[str]] = frozenset(("Tensor.slice", "Tensor.select", "torch.select"))

    def legalize(self, op: OperatorOp, b: TensorBuilder) -> Sequence[SSAValue] | None:
        shape = b.inputs[0]
        cuts = cuts_of(op, shape)
        if cuts is None:
            return None
        left = list(shape)
        for axis, (start, stop, step, _) in cuts.items():
            left[axis] = -((start - stop) // step)
        dropped = [axis for axis, cut in cuts.items() if cut[3]]
        if tuple(n for i, n in enumerate(left) if i not in dropped) != b.outputs[0]:
            return None
        value, now = op.inputs[0], shape
        for axis, (start, stop, step, _) in cuts.items():
            if (start, stop, step) != (0, now[axis], 1):
                value = _sliced(b, value, now, axis, (start, stop, step))
                now = resized(now, axis, left[axis])
        return [value]


def cuts_of(op: OperatorOp, shape: Shape) -> dict[int, tuple[int, int, int, bool]] | None:
    """Return the start, end and step for each sliced axis, and whether the axis is dropped; `None`
    if the parameters do not specify them. `INT_MAX` means "not given"."""
    if op.type.data != "Tensor.slice":
        axis = as_axis(op.param("dim", None), len(shape))
        index = None if axis is None else as_axis(op.param("index", None), shape[axis])
        return None if axis is None or index is None else {axis: (index, index + 1, 1, True)}
    lists = [
        as_ints(op.param(key, op.param(one, default)))
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
        axis = as_axis(dim, len(shape))
        if axis is None or axis in cuts or (step < 1 and select == INT_MAX):
            return None
        size = shape[axis]
        if select != INT_MAX:
            index = as_axis(select, size)
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
    b: TensorBuilder, value: SSAValue, shape: Shape, axis: int, cut: tuple[int, int, int]
) -> SSAValue:
    """Return a tensor of this shape sliced along one axis by (start, end, step)."""
    start, stop, step = cut
    size, count = shape[axis], -((start - stop) // step)
    if step == 1:
        return _cropped(b, value, shape, axis, start, stop)
    outer, inner = prod(shape[:axis]), prod(shape[axis + 1 :])
    whole = (outer, size, inner)
    before = max(start + count * step - size, 0)
    if before > start:  # the rows would begin before the blob
        parts = [_cropped(b, value, whole, 1, start + (count - 1) * step, None)]
        if count > 1:
            most = (start, start + (count - 1) * step, step)
            parts.insert(0, _sliced(b, value, whole, 1, most))
        lengths = (count - 1, 1) if count > 1 else (1,)
        blobs = [b.reshape(p, (outer, n, inner)) for p, n in zip(parts, lengths, strict=True)]
        return b.layer(ConcatOp, blobs, (outer, count, inner), axis=1)[0]
    first = start - before
    rows = _cropped(b, value, whole, 1, first, first + count * step)
    shape4 = (outer, count, step, inner)
    return _cropped(b, rows, shape4, 2, before, before + 1)


def _cropped(
    b: TensorBuilder, value: SSAValue, shape: Shape, axis: int, start: int, stop: int | None
) -> SSAValue:
    """Return the elements from `start` to `stop` along an axis; one element if `stop` is `None`."""
    stop = start + 1 if stop is None else stop
    if (start, stop) == (0, shape[axis]):
        return value
    whole, at = b.fold_around(shape, axis)
    x, part = b.reshape(value, whole), resized(whole, at, stop - start)
    return b.layer(CropOp, [x], part, starts=(start,), ends=(stop,), axes=(at,))[0]


class LegalizeJoin(Legalization):
    """Replace `cat` and `stack` by a Concat. In blobs of tensors of more than four dims, outer axes
    are merged.

    Conditions: `dim` is an axis, and the result's shape follows.
    """

    TYPES: ClassVar[frozenset[str]] = frozenset(("torch.cat", "torch.stack"))
    NUM_TENSORS: ClassVar[int | None] = None

    def legalize(self, op: OperatorOp, b: TensorBuilder) -> Sequence[SSAValue] | None:
        inputs, out = b.inputs, b.outputs[0]
        axis = as_axis(op.param("dim", 0), len(out))
        if axis is None or not inputs:
            return None
        if op.type.data == "torch.stack":
            inputs = [(*s[:axis], 1, *s[axis:]) for s in inputs]
        rests = {resized(s, axis) for s in (*inputs, out) if len(s) == len(out)}
        if any(len(s) != len(out) for s in inputs) or len(rests) != 1:
            return None
        if sum(s[axis] for s in inputs) != out[axis]:
            return None
        whole, at = b.fold_around(out, axis)
        parts = [resized(whole, at, s[axis]) for s in inputs]
        blobs = [b.reshape(v, s) for v, s in zip(op.inputs, parts, strict=True)]
        return b.layer(ConcatOp, blobs, whole, axis=at)
