"""Slices and Crops of constant extents, relative to their input."""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from math import prod

from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects.ncnn.assembly import names_of, set_names
from ...dialects.ncnn.blob import UNRANKED
from ...dialects.ncnn.cropping import CropOp
from ...dialects.ncnn.extents import ABSENT, AXES, positive_axis
from ...dialects.ncnn.joining import SliceOp
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.weight_specs import Shape
from ...dialects.shapes.terms import Extent, Extents, ExtentTerm
from .exported_model import ExportedModel, Numbers, ParamAssumption, extents_along
from .extent_expressions import set_expressions

MAX_DENOMINATOR = 4
"""Positions at fractions of an axis are tried up to this denominator."""

MIN_EXTENT = 4
"""Only in an axis of more elements is 1 the position after the first element."""


def position(
    model: ExportedModel, total: ExtentTerm, extents: Numbers, at: Numbers
) -> Extent | None:
    """Return a position along an axis as a term; `None` if it is ambiguous.

    `total` is the extent of the axis, `extents` its numbers in the exports, and `at` the numbers of
    the position. Two exports with different extents show whether the position is constant when
    counted from either end, a fraction of the axis, or a dynamic extent of the model. In one
    export, a position is unambiguous only at an end of the axis, after its first element, and where
    Concat joined two parts.
    """
    if at == extents or not any(at):
        return total if any(at) else 0
    seams = {seam for seam in _seams(model, total) if model.numbers_of(seam) == at}
    if len(set(extents)) == 1:
        if not seams and set(at) == {1} and min(extents) > MIN_EXTENT:
            return 1
        return seams.pop() if len(seams) == 1 else None
    found: set[Extent] = {t for t, numbers in model.dynamic_extents().items() if numbers == at}
    found |= seams
    for n in range(2, MAX_DENOMINATOR + 1):
        fractions = [(total + more) // n for more in range(n)]
        found |= {fraction for fraction in fractions if model.numbers_of(fraction) == at}
    if len(set(at)) == 1:
        found.add(at[0])
    if len(behind := {n - m for n, m in zip(extents, at, strict=True)}) == 1:
        found.add(total - behind.pop())
    return found.pop() if len(found) == 1 else None


def _seams(model: ExportedModel, total: ExtentTerm) -> Iterator[Extent]:
    """Yield the positions along an axis where Concat joined two parts."""
    for parts in model.compositions.get(total, ()):
        if len(parts) > 1:
            yield from list(accumulate(prod(part) for part in parts))[:-1]


def make_slice_dynamic(op: SliceOp, model: ExportedModel) -> None:
    """Make the parts of a Slice along a dynamic axis dynamic. Equal parts without another
    explanation stay equal parts, if the extent is a multiple of their number."""
    source, shapes = model.of(op.inputs[0]), model.shapes(op.inputs[0])
    if source is None or shapes is None:
        return
    axis = positive_axis(op.axis, len(source))
    if axis is None:
        return
    total = source[axis]
    if not isinstance(total, ExtentTerm):
        return  # a dynamic part would exceed the axis at large sizes
    parts = [model.shapes(v) for v in op.outputs]
    numbers = [extents_along(part, axis) for part in parts if part is not None]
    if len(numbers) != len(parts) or len(numbers) == 1 or _is_relative(op):
        model.param_assumptions += [
            ParamAssumption(op, "indices", i) for i in range(len(op.indices))
        ]
        return
    extents = extents_along(shapes, axis)
    ends = [tuple(map(sum, zip(*numbers[: i + 1], strict=True))) for i in range(len(numbers) - 1)]
    found = [position(model, total, extents, end) for end in ends]
    count = len(parts)
    known = [end for end in found if end is not None]
    if len(known) == len(found):
        _set_ends(op, model, axis, total, known)
    elif len(set(numbers)) > 1 or ABSENT in op.slices:
        reason = "it is ambiguous which of its parts depend on its input's extent"
        model.refuse_ambiguous(op, reason)
    elif (total // count) * count != total:
        model.refuse(op, f"its {count} parts are equal only for multiples of {count}")
        model.multiples_may_fit = True
    else:
        op.set_params(slices=(ABSENT,) * count, indices=())


def _is_relative(op: SliceOp) -> bool:
    """Whether a Slice has equal parts, or ends that are counted from the end, at any size."""
    if op.indices:
        return all(end < 0 for end in op.indices)
    return set(op.slices) == {ABSENT}


def _set_ends(
    op: SliceOp, model: ExportedModel, axis: int, total: ExtentTerm, ends: Sequence[Extent]
) -> None:
    """Set the ends of a Slice's parts. A Slice has no expressions; if one is needed, replace the
    Slice by Crops."""
    starts = [0, *ends]
    parts = [end - start for start, end in zip(starts, ends, strict=False)]
    constant = [part for part in parts if isinstance(part, int)]
    if len(constant) == len(parts):
        op.set_params(slices=(*constant, ABSENT), indices=())
        return
    literal = [place for end in ends if (place := _literal(end, total)) is not None]
    if len(literal) == len(ends):
        op.set_params(slices=(), indices=tuple(literal))
        return
    shape = model.of(op.inputs[0]) or ()
    names = names_of(op)
    for i, (result, start, end) in enumerate(zip(op.outputs, starts, [*ends, total], strict=True)):
        new = CropOp.make(op.inputs[:1], {}, [UNRANKED], {})
        set_names(new, None if i or op.layer_name is None else op.layer_name.data, names[i : i + 1])
        Rewriter().insert_op(new, InsertPoint.before(op))
        _set_box(new, model, [axis], [start], [end])
        extents = (*shape[:axis], end - start, *shape[axis + 1 :])
        model.replace(result, new.results[0], extents)
    Rewriter.erase_op(op)


def _literal(position: Extent, total: Extent) -> int | None:
    """Return a position as an integer, negative if it is counted from the end; `None` if that is
    impossible."""
    if isinstance(position, int):
        return position
    behind = position - total
    return behind if isinstance(behind, int) else None


def make_crop_dynamic(op: CropOp, model: ExportedModel) -> None:
    """Make the start and the end of a Crop along dynamic axes dynamic."""
    source, shapes = model.of(op.inputs[0]), model.shapes(op.inputs[0])
    if source is None or shapes is None or op.starts_expr:
        return
    if op.starts and op.ends:
        _make_box_dynamic(op, model, source, shapes)
        return
    behind, wanted = op.offsets_after(), op.wanted()
    for i, axis in enumerate(AXES[len(source)]):
        names = (f"{axis}offset", f"{axis}offset2", f"out{axis}")
        total, extents = source[i], extents_along(shapes, i)
        if not isinstance(total, ExtentTerm):
            model.param_assumptions.append(ParamAssumption(op, names[2], None))
            continue
        exports = model.exports(op)
        before = tuple(each.offsets()[axis] for each in exports)
        if position(model, total, extents, before) != before[0]:
            reason = f"it is ambiguous whether its {names[0]} depends on the extent"
            model.refuse_ambiguous(op, reason)
        if not op.has_size():
            continue
        if wanted[axis] == ABSENT:
            model.param_assumptions.append(ParamAssumption(op, names[1], None))
            continue
        ends = tuple(
            min(each.offsets()[axis] + each.wanted()[axis], n - each.offsets_after()[axis])
            for each, n in zip(exports, extents, strict=False)
        )
        end = position(model, total, extents, ends)
        place = None if end is None else _literal(end, total)
        if end == total:
            op.set_params(**{names[2]: ABSENT, names[1]: 0})
        elif place is None:
            reason = f"it is ambiguous whether its {names[2]} depends on the extent"
            model.refuse_ambiguous(op, reason)
        elif place < 0:
            op.set_params(**{names[2]: ABSENT, names[1]: -place})
        elif behind[axis]:
            op.set_params(**{names[2]: place - before[0], names[1]: 0})


def _make_box_dynamic(
    op: CropOp, model: ExportedModel, source: Extents, shapes: Sequence[Shape]
) -> None:
    """Make the `starts` and `ends` of a Crop dynamic."""
    axes = list(op.axes or range(len(op.starts)))
    found: list[list[Extent]] = [[], []]
    for i, axis in enumerate(axes):
        place = positive_axis(axis, len(source))
        total = None if place is None else source[place]
        if place is None or not isinstance(total, ExtentTerm):
            # A dynamic start would exceed the axis.
            model.param_assumptions.append(ParamAssumption(op, "ends", i))
            found[0].append(op.starts[i])
            found[1].append(op.ends[i])
            continue
        extents = extents_along(shapes, place)
        for side in range(2):
            found[side].append(_dynamic_side(op, model, (total, extents), i, side))
    starts, ends = (tuple(n for n in each if isinstance(n, int)) for each in found)
    if len(starts) == len(ends) == len(axes):
        op.set_params(starts=starts, ends=ends, axes=tuple(axes))
        return
    for i, axis in enumerate(axes):  # expressions count from the front
        place = positive_axis(axis, len(source))
        for side, each in enumerate(found):
            n = each[i]
            if place is not None and isinstance(n, int) and (n < 0 or (side and not n)):
                each[i] = source[place] * side if n == ABSENT else source[place] + n
    _set_box(op, model, axes, *found)


def _dynamic_side(
    op: CropOp, model: ExportedModel, along: tuple[ExtentTerm, Numbers], i: int, side: int
) -> Extent:
    """Return entry `i` of the starts (side 0) or ends (side 1) of a Crop along a dynamic axis, as a
    literal or a position. If it is ambiguous, record that. `along` are the extent and its
    numbers."""
    (total, extents), name = along, ("starts", "ends")[side]
    literal = op.starts[i], op.ends[i]
    values = [getattr(each, name) for each in model.exports(op)]
    own = tuple(each[i] for each in values if i < len(each))
    at = tuple(_from_front(n, m, side) for n, m in zip(own, extents, strict=False))
    if set(own) == {literal[side]} and _is_size_independent(literal, side):
        model.param_assumptions.append(ParamAssumption(op, name, i))
        return literal[side]
    known = position(model, total, extents, at) if len(at) == len(extents) else None
    if known is None:
        axis = op.axes[i] if op.axes else i
        model.refuse_ambiguous(
            op,
            f"it is ambiguous whether its {name[:-1]} of {own[0]} along axis {axis} depends on its "
            f"input's {extents[0]}",
        )
        return literal[side]
    place = _literal(known, total)
    return known if place is None else ABSENT if known == total else place


def _is_size_independent(box: tuple[int, int], side: int) -> bool:
    """Whether the start (side 0) or end (side 1) of a box is meant for any size: it is counted from
    the end, or it is a start not larger than the distance of such an end (a border)."""
    start, end = box
    if side:
        return end <= 0
    return start <= 0 or (ABSENT < end < 0 and start <= -end)


def _from_front(place: int, extent: int, side: int) -> int:
    """Return a start (side 0) or an end (side 1) counted from the front."""
    if place == ABSENT:
        return extent * side
    if place < 0 or (side and not place):
        place += extent
    return min(max(place, 0), extent)


def _set_box(
    op: LayerOp,
    model: ExportedModel,
    axes: Sequence[int],
    starts: Sequence[Extent],
    ends: Sequence[Extent],
) -> None:
    """Set the start and the end of a Crop to expressions. Raises `Inexpressible`."""
    box = {"starts_expr": starts, "ends_expr": ends, "axes_expr": axes}
    set_expressions(op, model, op.operands[:1], box, starts=(), ends=(), axes=())
