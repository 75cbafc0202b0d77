"""Slices and Crops of constant extents made relative."""

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
from ...dialects.ncnn.slots import Shape
from ...dialects.shapes.terms import Extent, Extents, Term
from .exported_model import Claim, Numbers, SizedModel, as_numbers
from .extent_expressions import Expressions

FRACTIONS = 4
"""Of an axis, positions at whole fractions from a half to this are looked at."""

FIRST = 4
"""An axis of more elements than this has a first element that is not near its end."""


def position(model: SizedModel, total: Term, extents: Numbers, at: Numbers) -> Extent | None:
    """A position along an axis of this extent, whose numbers at the exports these are; `None` if it
    is not certain whether and how it follows the inputs' sizes.

    Two exports between which the axis differs show it: a position that is the same counted from
    either end, or an extent of the model at both. In one export a position is certain only at an
    end of the axis, behind its first element, and where a Concat joined its parts.
    """
    if at == extents or not any(at):
        return total if any(at) else 0
    seams = {seam for seam in _seams(model, total) if model.numbers_of(seam) == at}
    if len(set(extents)) == 1:
        if not seams and set(at) == {1} and min(extents) > FIRST:
            return 1
        return seams.pop() if len(seams) == 1 else None
    found: set[Extent] = {t for t, numbers in model.dynamic_extents().items() if numbers == at}
    found |= seams
    for n in range(2, FRACTIONS + 1):
        shares = [(total + more) // n for more in range(n)]
        found |= {share for share in shares if model.numbers_of(share) == at}
    if len(set(at)) == 1:
        found.add(at[0])
    if len(behind := {n - m for n, m in zip(extents, at, strict=True)}) == 1:
        found.add(total - behind.pop())
    return found.pop() if len(found) == 1 else None


def _seams(model: SizedModel, total: Term) -> Iterator[Extent]:
    """The positions where an axis was joined of parts."""
    for layout in model.parts.get(total, ()):
        if len(layout) > 1:
            yield from list(accumulate(prod(part) for part in layout))[:-1]


def cut_parts(op: SliceOp, model: SizedModel) -> None:
    """Lets the parts of a Slice along an axis whose extent follows the inputs do so, too. Parts
    that are equal and end nowhere else for certain stay equal, if the extent is a multiple of their
    number."""
    source, shapes = model.of(op.inputs[0]), model.numbers(op.inputs[0])
    if source is None or shapes is None:
        return
    axis = positive_axis(op.axis, len(source))
    if axis is None:
        return
    total = source[axis]
    if not isinstance(total, Term):
        return  # a part that follows the inputs would leave the axis at large sizes
    parts = [model.numbers(v) for v in op.outputs]
    numbers = [as_numbers(part, axis) for part in parts if part is not None]
    if len(numbers) != len(parts) or len(numbers) == 1 or _is_relative(op):
        model.claims += [Claim(op, "indices", i) for i in range(len(op.indices))]
        return
    extents = as_numbers(shapes, axis)
    ends = [tuple(map(sum, zip(*numbers[: i + 1], strict=True))) for i in range(len(numbers) - 1)]
    found = [position(model, total, extents, end) for end in ends]
    count = len(parts)
    known = [end for end in found if end is not None]
    if len(known) == len(found):
        _set_ends(op, model, axis, total, known)
    elif len(set(numbers)) > 1 or ABSENT in op.slices:
        model.refuse(op, "which of its parts follow the input's extent is not certain")
    elif (total // count) * count != total:
        model.refuse(op, f"its {count} parts are equal only for multiples of {count}")
    else:
        op.set_params(slices=(ABSENT,) * count, indices=())


def _is_relative(op: SliceOp) -> bool:
    """Whether a Slice has equal parts at any size, or parts that are counted from the end."""
    if op.indices:
        return all(end < 0 for end in op.indices)
    return set(op.slices) == {ABSENT}


def _set_ends(
    op: SliceOp, model: SizedModel, axis: int, total: Term, ends: Sequence[Extent]
) -> None:
    """Give a Slice the positions where its parts end. It has no expressions, so what needs one
    becomes Crops."""
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
        new.init_params({})
        Rewriter().insert_op(new, InsertPoint.before(op))
        if not _set_box(new, model, [axis], [start], [end]):
            model.refuse(op, "no expression says its extents")
        extents = (*shape[:axis], end - start, *shape[axis + 1 :])
        model.replace(result, new.results[0], extents)
    Rewriter.erase_op(op)


def _literal(position: Extent, total: Extent) -> int | None:
    """A position as a parameter: from the front, or, negative, from the end."""
    if isinstance(position, int):
        return position
    behind = position - total
    return behind if isinstance(behind, int) else None


def cut_box(op: CropOp, model: SizedModel) -> None:
    """Lets a Crop begin and end along an axis that follows the inputs where it does at any size."""
    source, shapes = model.of(op.inputs[0]), model.numbers(op.inputs[0])
    if source is None or shapes is None or op.starts_expr:
        return
    free = [i for i, n in enumerate(source) if isinstance(n, Term)]
    if op.starts and op.ends:
        _cut_between(op, model, source, shapes)
        return
    behind, wanted = op.offsets_after(), op.wanted()
    for i, axis in enumerate(AXES[len(source)]):
        names = (f"{axis}offset", f"{axis}offset2", f"out{axis}")
        if i not in free:
            model.claims.append(Claim(op, names[2], None))
            continue
        total, extents = source[i], as_numbers(shapes, i)
        assert isinstance(total, Term)
        exports = model.exports(op)
        before = tuple(each.offsets()[axis] for each in exports)
        if position(model, total, extents, before) != before[0]:
            model.refuse(op, f"whether its {names[0]} follows the input's extent is not certain")
        if not op.has_size():
            continue
        if wanted[axis] == ABSENT:
            model.claims.append(Claim(op, names[1], None))
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
            model.refuse(op, f"whether its {names[2]} follows the input's extent is not certain")
        elif place < 0:
            op.set_params(**{names[2]: ABSENT, names[1]: -place})
        elif behind[axis]:
            op.set_params(**{names[2]: place - before[0], names[1]: 0})


def _cut_between(op: CropOp, model: SizedModel, source: Extents, shapes: Sequence[Shape]) -> None:
    """The same of a Crop from starts to ends."""
    axes = list(op.axes or range(len(op.starts)))
    found: list[list[Extent]] = [[], []]
    for i, axis in enumerate(axes):
        place = positive_axis(axis, len(source))
        total = None if place is None else source[place]
        literal = op.starts[i], op.ends[i]
        if place is None or not isinstance(total, Term):
            model.claims.append(Claim(op, "ends", i))  # a start would leave the axis
            for each, value in zip(found, literal, strict=True):
                each.append(value)
            continue
        extents = as_numbers(shapes, place)
        for side, name in enumerate(("starts", "ends")):
            values = [getattr(each, name) for each in model.exports(op)]
            own = tuple(each[i] for each in values if i < len(each))
            at = tuple(_counted(n, m, side) for n, m in zip(own, extents, strict=False))
            known: Extent | None
            if set(own) == {literal[side]} and _is_literal(literal, side):
                known = literal[side]
                model.claims.append(Claim(op, name, i))
            elif len(at) != len(extents):
                known = None
            else:
                known = position(model, total, extents, at)
                if known is not None and (value := _literal(known, total)) is not None:
                    known = ABSENT if known == total else value
            if known is None:
                model.refuse(
                    op,
                    f"whether its {name[:-1]} of {own[0]} along axis {axis} follows the input's "
                    f"{extents[0]} is not certain: give an export at another size (--like)",
                )
                known = literal[side]
            found[side].append(known)
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
    if not _set_box(op, model, axes, *found):
        model.refuse(op, "no expression says its extents")


def _is_literal(both: tuple[int, int], side: int) -> bool:
    """Whether a start or an end is one for any size: one that is counted from the end, or a start
    that leaves out no more than such an end does (a border)."""
    start, end = both
    if side:
        return end <= 0
    return start <= 0 or (ABSENT < end < 0 and start <= -end)


def _counted(place: int, extent: int, side: int) -> int:
    """A start or an end counted from the front."""
    if place == ABSENT:
        return extent * side
    if place < 0 or (side and not place):
        place += extent
    return min(max(place, 0), extent)


def _set_box(
    op: LayerOp,
    model: SizedModel,
    axes: Sequence[int],
    starts: Sequence[Extent],
    ends: Sequence[Extent],
) -> bool:
    """Give a Crop expressions for where it begins and ends; whether there are such."""
    writer = Expressions(model, op, op.operands[:1])
    texts = [[writer.write(n) for n in each] for each in (starts, ends)]
    if any(None in each for each in texts):
        return False
    first, last = (",".join(map(str, each)) for each in texts)
    op.set_params(
        starts=(),
        ends=(),
        axes=(),
        starts_expr=first,
        ends_expr=last,
        axes_expr=",".join(map(str, axes)),
    )
    op.operands = writer.blobs
    return True
