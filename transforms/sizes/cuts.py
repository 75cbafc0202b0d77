"""Slices and Crops of constant extents made relative."""

from ...dialects.ncnn.cropping import CropOp
from ...dialects.ncnn.extents import ABSENT, AXES, positive_axis
from ...dialects.ncnn.joining import SliceOp
from ...dialects.shapes.terms import Term
from .model import SizedModel, as_numbers


def cut_parts(op: SliceOp, model: SizedModel) -> None:
    """Lets the parts of a Slice along an axis whose extent is any follow it: equal parts stay
    equal, if the extent is a multiple of their number. Which of others varies one export does not
    say; of two the one that differs does."""
    source, shapes = model.of(op.inputs[0]), model.numbers(op.inputs[0])
    if source is None or shapes is None:
        return
    axis = positive_axis(op.axis, len(source))
    if axis is None or not isinstance(source[axis], Term) or ABSENT in op.slices or op.indices:
        return
    parts = [model.numbers(v) for v in op.outputs]
    numbers = [as_numbers(part, axis) for part in parts if part is not None]
    if len(numbers) != len(parts):
        return
    if len(set(numbers)) == 1:
        share, count = source[axis] // len(parts), len(parts)
        if share * count != source[axis]:
            model.refuse(op, f"its {count} parts are equal only for multiples of {count}")
            return
        op.set_params(slices=(ABSENT,) * len(parts))
        return
    varying = [i for i, each in enumerate(numbers) if len(set(each)) > 1]
    if len(shapes) == 1 or len(varying) != 1:
        model.refuse(op, "which of its parts follow the input's extent is not certain")
        return
    (free,) = varying
    if free == len(parts) - 1:
        op.set_params(slices=(*(each[0] for each in numbers[:-1]), ABSENT))
        return
    ends: list[int] = []  # places from the front up to the part that varies, then from the end
    for i in range(len(numbers) - 1):
        before = sum(each[0] for each in numbers[: i + 1])
        ends.append(before if i < free else -sum(each[0] for each in numbers[i + 1 :]))
    op.set_params(slices=(), indices=tuple(ends))


def cut_box(op: CropOp, model: SizedModel) -> None:
    """Lets a Crop that goes to the last element of an axis do so at any size."""
    source, shapes = model.of(op.inputs[0]), model.numbers(op.inputs[0])
    if source is None or shapes is None or op.starts_expr or len(op.inputs) > 1:
        return
    free = [i for i, n in enumerate(source) if isinstance(n, Term)]
    exports = model.exports(op)
    if not free:
        return
    if op.starts and op.ends:
        axes = op.axes or tuple(range(len(op.starts)))
        ends = list(op.ends)
        for i, axis in enumerate(axes):
            place = positive_axis(axis, len(source))
            both = [each.ends[i] for each in exports if i < len(each.ends)]
            if place is not None and place in free and min(both) > 0:
                if all(m >= n for m, n in zip(both, as_numbers(shapes, place), strict=False)):
                    ends[i] = ABSENT
        op.set_params(ends=tuple(ends), axes=axes)
        return
    for i in free:
        axis = AXES[len(source)][i]
        offset = op.offsets()[axis] + op.offsets_behind()[axis]
        both = [each.wanted()[axis] for each in exports]
        extents = as_numbers(shapes, i)
        if min(both) > 0 and all(m + offset >= n for m, n in zip(both, extents, strict=True)):
            op.set_params(**{f"out{axis}": ABSENT})
