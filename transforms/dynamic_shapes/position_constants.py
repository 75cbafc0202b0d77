"""Constants with one value per position (grids, anchors, sinusoids), computed from dynamic
extents."""

from collections.abc import Iterator, Sequence
from math import prod
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import SSAValue

from ...dialects.ncnn.constant import ConstantOp, constant_of
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.reshaping import PermuteOp, ReshapeOp
from ...dialects.shapes.terms import Extent, Extents, ExtentTerm
from .ambiguous_constants import few_values
from .dynamic_builder import DynamicBuilder
from .exported_model import ExportedModel, Numbers, ValueAssumption, extents_along
from .sinusoids import Sinusoids

Array = NDArray[Any]

TOLERANCE = 1e-6
"""The error of a computed replacement, relative to the constant's largest value."""


def replace_constants(op: LayerOp, model: ExportedModel) -> None:
    """Replace a constant operand that is combined with a blob by layers that compute it from the
    blob's dynamic extents.

    Along a dynamic axis, the constant must be one of these in all exports:

    - one value, which broadcasts;
    - an affine function of the position (`a*i + b*j + c`) in a grid, or a concatenation of several
      such parts. The blob's axis must have been composed of the same parts and grids;
    - sines and cosines of multiples of the position;
    - a prefix of the longer constant of the other export.
    """
    for i, value in enumerate(op.operands):
        constant = constant_of(value)
        if constant is None or not constant.has_values():
            continue
        for j, other in enumerate(op.operands):
            if j != i and constant_of(other) is None:
                _replace(op, i, constant, other, model)
                break


def _replace(
    op: LayerOp, index: int, constant: ConstantOp, other: SSAValue, model: ExportedModel
) -> None:
    extents, shapes = model.of(other), model.shapes(other)
    own = model.shapes(op.operands[index])
    if extents is None or shapes is None or own is None or len(own[0]) > len(extents):
        return
    # A constant of fewer dims has the blob's outer axes, a vector perhaps the innermost one.
    places = list(range(len(own[0])))
    if len(own[0]) == 1 and own[0][0] != shapes[0][0]:
        places = [len(extents) - 1]
    free = [
        axis
        for axis, place in enumerate(places)
        if isinstance(extents[place], ExtentTerm)
        and extents_along(own, axis) == extents_along(shapes, place) != (1,) * len(own)
    ]
    if not free:
        return
    values = [constant.read().astype("f8")]
    others = model.others.get(constant.output)
    if others is not None and (corresponding := constant_of(others)) is not None:
        values.append(corresponding.read().astype("f8"))
    wanted = [extents[place] for place in places]
    key = constant.output, tuple(wanted[axis] for axis in free)
    made = model.computed.get(key) or _computed(
        DynamicBuilder(op, model), constant, values, free, wanted
    )
    if isinstance(made, str):
        model.refuse(constant, made)
        return
    model.computed[key] = made
    op.operands[index] = made


def _computed(
    builder: DynamicBuilder,
    constant: ConstantOp,
    values: Sequence[Array],
    free: Sequence[int],
    wanted: Sequence[Extent],
) -> SSAValue | str:
    """Insert the computed replacement of a constant, and return its value, or the reason why it
    is impossible."""
    model = builder.model
    own = [n for n in map(model.numbers_of, wanted) if n is not None and len({*n, 1}) > 1]
    for axis in list(free):  # one value along the axis
        if all(np.ptp(v, axis=axis).max() == 0 for v in values):
            values = [v.take([0], axis) for v in values]
            free = [each for each in free if each != axis]
    if not free:
        if not _same(values):
            return "its values differ in the exports"
        model.value_assumptions += [
            ValueAssumption(constant, [(v, own)]) for v in few_values(values[0])
        ]
        return builder.constant(values[0])
    first = values[0]
    if len(free) > 1:
        return _plane(builder, constant, values, free, wanted)
    (axis,) = free
    rows = [np.moveaxis(v, axis, -1).reshape(-1, v.shape[axis]) for v in values]
    if first.ndim > 3:
        return "a constant of 4 dims"
    extent = cast(ExtentTerm, wanted[axis])
    made = _steps(builder, constant, rows, extent)
    if made is None and (sinusoids := Sinusoids.fit(rows)) is not None:
        made = builder.sinusoids(sinusoids, extent)
    if made is None and len(values) > 1:
        return _prefix(builder, values, axis, extent)
    if made is None:
        return (
            f"its {first.shape[axis]} values along axis {axis} are neither steps nor sinusoids: "
            + model.advice()
        )
    return _along_axis(builder, made, first.shape, axis, extent)


def _along_axis(
    builder: DynamicBuilder, rows: SSAValue, shape: Sequence[int], axis: int, extent: Extent
) -> SSAValue:
    """Return a blob of this shape from rows along one of its axes, whose extent is dynamic."""
    others = [n for i, n in enumerate(shape) if i != axis]
    if len(shape) == 1:
        return builder.layer(ReshapeOp, [rows], (extent,), w=-1)[0]
    if axis == 0:
        transposed: Extents = (extent, prod(others))
        (rows,) = builder.layer(PermuteOp, [rows], transposed, order_type=1)
        if len(shape) == 2:
            return rows
        params = {"c": -1, "h": others[0], "w": others[1]}
        return builder.layer(ReshapeOp, [rows], (extent, *others), **params)[0]
    if len(shape) == 2:
        return rows
    params = {"c": others[0], "h": others[1], "w": -1}
    (rows,) = builder.layer(ReshapeOp, [rows], (*others, extent), **params)
    if axis == 2:
        return rows
    return builder.layer(PermuteOp, [rows], (others[0], extent, others[1]), order_type=1)[0]


def _same(values: Sequence[Array]) -> bool:
    return all(v.shape == values[0].shape and np.array_equal(v, values[0]) for v in values)


def _steps(
    builder: DynamicBuilder, constant: ConstantOp, rows: Sequence[Array], extent: ExtentTerm
) -> SSAValue | None:
    """Return rows that are affine in the positions of grids, with the parts and grids that
    composed the extent; `None` unless there is exactly one possibility."""
    found: list[tuple[Sequence[Extents], list[Array], list[list[Numbers]]]] = []
    for layout in dict.fromkeys([((extent,),), *builder.model.compositions.get(extent, ())]):
        sizes = [_sizes(builder.model, part) for part in layout]
        if any(size is None for size in sizes):
            continue
        grids = [size for size in sizes if size is not None]
        fitted = [list(_fit(v, [g[at] for g in grids])) for at, v in enumerate(rows)]
        if all(len(parts) == len(layout) for parts in fitted) and _is_size_independent(
            fitted, [g[0] for g in grids]
        ):
            if len(layout) == len(layout[0]) == 1:  # affine along the axis itself
                found = []
            found.append((layout, fitted[0], [list(zip(*g, strict=True)) for g in grids]))
            if len(layout) == len(layout[0]) == 1:
                break
    if len(found) != 1:
        return None
    ((layout, columns, own),) = found
    builder.model.value_assumptions += _assumptions(constant, columns, own)
    return builder.grids(list(zip(layout, columns, strict=True)), extent)


def _sizes(model: ExportedModel, part: Extents) -> list[tuple[int, ...]] | None:
    """Return the extents of a part in each export; `None` if one is unknown."""
    found = [numbers for term in part if (numbers := model.numbers_of(term)) is not None]
    return list(zip(*found, strict=True)) if len(found) == len(part) else None


def _assumptions(
    constant: ConstantOp, columns: Sequence[Array], own: Sequence[Sequence[Numbers]]
) -> list[ValueAssumption]:
    """Return the assumptions that steps and first values over grids of these extents are constant.
    Each assumption covers all grids."""
    found: dict[tuple[float, ...], ValueAssumption] = {}
    rows = columns[0].shape[0]
    for row in range(rows):
        kinds = [[float(part[row, -1]) for part in columns]]
        for axis in range(max(part.shape[1] for part in columns) - 1):
            kinds.append([float(part[row, min(axis, part.shape[1] - 2)]) for part in columns])
        for each in kinds:
            parts = list(zip(each, own, strict=True))
            found.setdefault(tuple(each), ValueAssumption(constant, parts))
    return list(found.values())


def _fit(rows: Array, grids: Sequence[Sequence[int]]) -> Iterator[Array]:
    """Yield the coefficients of each part of the rows: for each row, the steps along the axes of
    the part's grid, and the first value. Stop at a part that is not affine."""
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
        if np.abs(expected - part).max() > TOLERANCE * scale:
            return
        yield np.stack([*columns, first], 1)


def _plane(
    builder: DynamicBuilder,
    constant: ConstantOp,
    values: Sequence[Array],
    free: Sequence[int],
    wanted: Sequence[Extent],
) -> SSAValue | str:
    """Return a constant that is affine along two dynamic axes; a reason if it is not."""
    first = values[0]
    reason = f"its values over several axes are no steps: {builder.model.advice()}"
    if first.ndim != 3 or list(free) != [1, 2]:
        return reason
    fitted = [list(_fit(v.reshape(v.shape[0], -1), [v.shape[1:]])) for v in values]
    if not all(fitted) or not _is_size_independent(fitted, [first.shape[1:]]):
        return reason
    own = [extents_along([v.shape for v in values], axis) for axis in free]
    builder.model.value_assumptions += _assumptions(constant, fitted[0], [own])
    return builder.plane(fitted[0][0], (wanted[1], wanted[2]))


def _is_size_independent(fitted: Sequence[Sequence[Array]], grids: Sequence[Sequence[int]]) -> bool:
    """Whether steps are independent of the size. Two exports show it. In one export, the steps must
    be binary fractions, and must not divide a range of 1 or 2 into `extent` steps."""
    first, *others = fitted
    if others:
        return all(
            np.allclose(a, b, rtol=TOLERANCE, atol=TOLERANCE)
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
            if all(_divides_range(*each) for each in along):
                return False
    return True


def _divides_range(step: float, first: float, extent: int) -> bool:
    """Whether steps over an extent may cover a range of 1 or 2, and so depend on the extent.
    Integer steps must cover 0 to 1 or -1 to 1."""
    if not step:
        return False
    ranges = {abs(step) * extent, abs(step) * (extent - 1)}
    if step == int(step):
        return 1 in ranges or (2 in ranges and abs(first) == 1)
    return bool(ranges & {1, 2})


def _prefix(
    builder: DynamicBuilder, values: Sequence[Array], axis: int, extent: ExtentTerm
) -> SSAValue | str:
    """Return the prefix of the longer of two constants; a reason if the shorter one differs."""
    shorter, longer = sorted(values, key=lambda v: v.shape[axis])
    if not np.array_equal(longer.take(range(shorter.shape[axis]), axis), shorter):
        return "its values in the two exports are neither steps nor a prefix of one constant"
    blob = builder.constant(longer)
    shape = tuple(extent if i == axis else n for i, n in enumerate(longer.shape))
    return builder.prefix(blob, axis, extent, shape)
