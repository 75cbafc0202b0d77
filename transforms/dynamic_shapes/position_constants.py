"""Constants that hold a value for each position (grids, anchors, waves) computed from the size."""

from collections.abc import Iterator, Sequence
from math import prod
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import SSAValue

from ...dialects.ncnn.constant import ConstantOp, constant_of
from ...dialects.ncnn.elementwise import BinaryOpOp, EltwiseOp
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.reshaping import PermuteOp, ReshapeOp
from ...dialects.shapes.terms import Extent, Extents, Term
from .coincidences import few_values
from .dynamic_builder import Builder
from .exported_model import Numbers, SizedModel, ValueClaim, as_numbers
from .sinusoids import Waves

Array = NDArray[Any]

EXACT = 1e-6
"""How far, relative to the largest value, a constant may be from what is computed in its place."""


def make_relative(op: LayerOp, model: SizedModel) -> None:
    """Lets a constant that is combined with a blob follow the blob's extents.

    Along an axis that follows the size, a constant is taken for one of these, if it is exactly that
    at the size of each export:

    - the same everywhere: one value, which broadcasts;
    - joined of parts as the blob's axis is, each over a grid of the axes that became that part:
      steps of one size along each of these (`a*i + b*j + c`);
    - sines and cosines of multiples of the position;
    - the beginning of a longer one, in another export: cut off there.
    """
    for i, value in enumerate(op.operands):
        constant = constant_of(value)
        if constant is None or not constant.has_values():
            continue
        for j, other in enumerate(op.operands):
            if j != i and constant_of(other) is None:
                _follow(op, i, constant, other, model)
                break


def _follow(
    op: LayerOp, index: int, constant: ConstantOp, other: SSAValue, model: SizedModel
) -> None:
    extents, shapes = model.of(other), model.numbers(other)
    own = model.numbers(op.operands[index])
    if extents is None or shapes is None or own is None or len(own[0]) > len(extents):
        return
    # Of fewer dims it stands for outer axes, a vector also for the innermost one.
    places = list(range(len(own[0])))
    if len(own[0]) == 1 and own[0][0] != shapes[0][0]:
        places = [len(extents) - 1]
    free = [
        axis
        for axis, place in enumerate(places)
        if isinstance(extents[place], Term)
        and as_numbers(own, axis) == as_numbers(shapes, place) != (1,) * len(own)
    ]
    if not free:
        return
    values = [constant.read().astype("f8")]
    others = model.others.get(constant.output)
    if others is not None and (twin := constant_of(others)) is not None:
        values.append(twin.read().astype("f8"))
    wanted = [extents[place] for place in places]
    key = constant.output, tuple(wanted[axis] for axis in free)
    made = model.made.get(key) or _made(Builder(op, model), constant, values, free, wanted)
    if isinstance(made, str):
        model.refuse(constant, made)
        return
    model.made[key] = made
    op.operands[index] = made


def _made(
    builder: Builder,
    constant: ConstantOp,
    values: Sequence[Array],
    free: Sequence[int],
    wanted: Sequence[Extent],
) -> SSAValue | str:
    """A value in the place of a constant; a reason if there is none."""
    model = builder.model
    own = [n for n in map(model.numbers_of, wanted) if n is not None and len({*n, 1}) > 1]
    for axis in list(free):  # the same everywhere
        if all(np.ptp(v, axis=axis).max() == 0 for v in values):
            values = [v.take([0], axis) for v in values]
            free = [each for each in free if each != axis]
    if not free:
        if not _same(values):
            return "its values differ in the exports"
        model.values += [ValueClaim(constant, [(v, own)]) for v in few_values(values[0])]
        return builder.constant(values[0])
    first = values[0]
    if len(free) > 1:
        return _plane(builder, constant, values, free, wanted)
    (axis,) = free
    rows = [np.moveaxis(v, axis, -1).reshape(-1, v.shape[axis]) for v in values]
    if first.ndim > 3:
        return "a constant of 4 dims"
    extent = cast(Term, wanted[axis])
    made = _steps(builder, constant, rows, extent)
    if made is None and (waves := Waves.found(rows)) is not None:
        made = builder.waves(waves, extent)
    if made is None and len(values) > 1:
        return _prefix(builder, values, axis, extent)
    if made is None:
        return (
            f"its {first.shape[axis]} values along axis {axis} are neither steps nor waves: "
            "give an export at another size (--like)"
        )
    return _turned(builder, made, first.shape, axis, extent)


def _turned(
    builder: Builder, rows: SSAValue, shape: Sequence[int], axis: int, extent: Extent
) -> SSAValue:
    """Rows along what is to be an axis of a blob of this shape, as that blob."""
    others = [n for i, n in enumerate(shape) if i != axis]
    if len(shape) == 1:
        return builder.layer(ReshapeOp, [rows], [(extent,)], w=-1)
    if axis == 0:
        turned: Extents = (extent, prod(others))
        rows = builder.layer(PermuteOp, [rows], [turned], order_type=1)
        if len(shape) == 2:
            return rows
        return builder.layer(ReshapeOp, [rows], [(extent, *others)], c=-1, h=others[0], w=others[1])
    if len(shape) == 2:
        return rows
    rows = builder.layer(ReshapeOp, [rows], [(*others, extent)], c=others[0], h=others[1], w=-1)
    if axis == 2:
        return rows
    return builder.layer(PermuteOp, [rows], [(others[0], extent, others[1])], order_type=1)


def _same(values: Sequence[Array]) -> bool:
    return all(v.shape == values[0].shape and np.array_equal(v, values[0]) for v in values)


def _steps(
    builder: Builder, constant: ConstantOp, rows: Sequence[Array], extent: Term
) -> SSAValue | None:
    """Rows as steps over grids, joined of parts as the extent has come about; `None` if they are
    not, or are over more than one."""
    found: list[tuple[Sequence[Extents], list[Array], list[list[Numbers]]]] = []
    for layout in dict.fromkeys([((extent,),), *builder.model.parts.get(extent, ())]):
        sizes = [builder.numbers_of(part) for part in layout]
        if any(size is None for size in sizes):
            continue
        grids = [size for size in sizes if size is not None]
        fitted = [list(_fit(v, [g[at] for g in grids])) for at, v in enumerate(rows)]
        if all(len(parts) == len(layout) for parts in fitted) and _certain(
            fitted, [g[0] for g in grids]
        ):
            if len(layout) == len(layout[0]) == 1:  # steps along the axis itself
                found = []
            found.append((layout, fitted[0], [list(zip(*g, strict=True)) for g in grids]))
            if len(layout) == len(layout[0]) == 1:
                break
    if len(found) != 1:
        return None
    ((layout, columns, own),) = found
    builder.model.values += _claims(constant, columns, own)
    return builder.joined(list(zip(layout, columns, strict=True)), extent)


def _claims(
    constant: ConstantOp, columns: Sequence[Array], own: Sequence[Sequence[Numbers]]
) -> list[ValueClaim]:
    """The steps and first values of rows over the grids of these extents, each of all grids."""
    found: dict[tuple[float, ...], ValueClaim] = {}
    rows = columns[0].shape[0]
    for row in range(rows):
        kinds = [[float(part[row, -1]) for part in columns]]
        for axis in range(max(part.shape[1] for part in columns) - 1):
            kinds.append([float(part[row, min(axis, part.shape[1] - 2)]) for part in columns])
        for each in kinds:
            parts = list(zip(each, own, strict=True))
            found.setdefault(tuple(each), ValueClaim(constant, parts))
    return list(found.values())


def _fit(rows: Array, grids: Sequence[Sequence[int]]) -> Iterator[Array]:
    """For each part of the rows the steps along the axes of its grid and the first value, a column
    each; ends where a part has no such."""
    start = 0
    if sum(int(np.prod(grid)) for grid in grids) != rows.shape[1]:
        return
    scale = max(float(np.abs(rows).max()), 1e-30)
    for grid in grids:
        count = int(np.prod(grid))
        part = rows[:, start : start + count].reshape(-1, *grid)
        start += count
        first = part[(slice(None), *(0,) * len(grid))]
        columns: list[Array] = []
        expected = np.expand_dims(first, tuple(range(1, len(grid) + 1)))
        for axis, extent in enumerate(grid, 1):
            last = part[
                (slice(None), *(extent - 1 if i == axis else 0 for i in range(1, len(grid) + 1)))
            ]
            step = (last - first) / max(extent - 1, 1)
            columns.append(step)
            shape = [-1 if i == axis else 1 for i in range(len(grid) + 1)]
            along = np.arange(extent).reshape(shape)
            expected = expected + step.reshape(-1, *(1,) * len(grid)) * along
        if np.abs(expected - part).max() > EXACT * scale:
            return
        yield np.stack([*columns, first], 1)


def _plane(
    builder: Builder,
    constant: ConstantOp,
    values: Sequence[Array],
    free: Sequence[int],
    wanted: Sequence[Extent],
) -> SSAValue | str:
    """A constant with steps along several axes, the same for all others."""
    first = values[0]
    reason = "its values over several axes are no steps: give an export at another size (--like)"
    if first.ndim != 3 or list(free) != [1, 2]:
        return reason
    fitted = [list(_fit(v.reshape(v.shape[0], -1), [v.shape[1:]])) for v in values]
    if not all(fitted) or not _certain(fitted, [first.shape[1:]]):
        return reason
    own = [as_numbers([v.shape for v in values], axis) for axis in free]
    builder.model.values += _claims(constant, fitted[0], [own])
    return builder.plane(fitted[0][0], (wanted[1], wanted[2]))


def _certain(fitted: Sequence[Sequence[Array]], grids: Sequence[Sequence[int]]) -> bool:
    """Whether the steps are the same at any size: as they are in two exports. In one they must be
    binary fractions, as whole numbers are, that are not those of a range of 1 or 2 divided by the
    extent."""
    first, *others = fitted
    if others:
        return all(
            np.allclose(a, b, rtol=EXACT, atol=EXACT)
            for other in others
            for a, b in zip(first, other, strict=True)
        )
    for row in range(first[0].shape[0]):
        for axis in range(max(len(grid) for grid in grids)):
            along = [
                (float(part[row, axis]), float(part[row, -1]), grid[axis])
                for part, grid in zip(first, grids, strict=True)
                if axis < len(grid)
            ]
            if any(step * 256 != int(step * 256) for step, _, _ in along):
                return False
            if all(_is_of_range(*each) for each in along):
                return False
    return True


def _is_of_range(step: float, first: float, extent: int) -> bool:
    """Whether steps over an extent may be those of a range of 1 or 2, from 0 to 1 or from -1 to 1
    if they are whole numbers: then they follow the extent."""
    if not step:
        return False
    ranges = {abs(step) * extent, abs(step) * (extent - 1)}
    if step == int(step):
        return 1 in ranges or (2 in ranges and abs(first) == 1)
    return bool(ranges & {1, 2})


def _prefix(builder: Builder, values: Sequence[Array], axis: int, extent: Term) -> SSAValue | str:
    """The longer of two constants, cut off at an extent."""
    shorter, longer = sorted(values, key=lambda v: v.shape[axis])
    if not np.array_equal(longer.take(range(shorter.shape[axis]), axis), shorter):
        return "its values in the two exports are neither steps nor the beginning of each other"
    blob = builder.constant(longer)
    shape = tuple(extent if i == axis else n for i, n in enumerate(longer.shape))
    return builder.cut(blob, axis, extent, shape)


def combines(op: LayerOp) -> bool:
    """Whether a layer combines its operands element by element."""
    return isinstance(op, EltwiseOp) or (isinstance(op, BinaryOpOp) and not op.with_scalar)
