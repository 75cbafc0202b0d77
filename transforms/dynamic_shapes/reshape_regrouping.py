"""Reshapes to constant extents, relative to their input."""

import re
from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import NamedTuple

from xdsl.dialects.func import FuncOp

from ...analysis.batches import Batches, axis_in, is_batched
from ...dialects.ncnn.extents import ABSENT, NO_BATCH, extent_params, reshape_params
from ...dialects.ncnn.reshaping import ReshapeOp
from ...dialects.ncnn.weight_specs import Shape
from ...dialects.shapes.terms import Extent, Extents, ExtentTerm
from .contradictions import is_contradicted
from .exported_model import ExportedModel, Numbers, extents_along
from .extent_expressions import set_expressions
from .factorization import distributions, factors_of, merged_axes, unmerged_axes

MAX_WAYS = 64
"""The number of possible extents of a Reshape that are tried."""


def make_reshape_dynamic(op: ReshapeOp, model: ExportedModel) -> None:
    """Make the output extents of a Reshape dynamic if its input has dynamic extents.

    The product of extents from the outermost axis on agrees on both sides at the ends of a group of
    axes. So the output axes of a group have the elements of its input axes. A single output axis
    has all of them. Several axes have the only distribution of the elements with the numbers of
    the exports (see `distributions`).
    """
    source, result = model.of(op.inputs[0]), op.outputs[0]
    if op.is_batched():
        model.refuse(op, "it makes or takes batches of blobs: give an export of a batch of 1")
        return
    shapes, wanted = model.shapes(op.inputs[0]), model.shapes(result)
    if source is None or op.shape_expr or shapes is None or wanted is None:
        return
    if not any(isinstance(n, ExtentTerm) for n in source):
        return
    found = source if shapes == wanted else _regrouped(op, source, shapes, wanted, model)
    if found is None:
        return
    if (params := reshape_params(found, source)) is not None:
        op.set_params(**params)
        return
    absent = dict.fromkeys("whdc", ABSENT)
    set_expressions(op, model, op.inputs, {"shape_expr": found[::-1]}, **absent)


def _regrouped(
    op: ReshapeOp,
    source: Extents,
    shapes: Sequence[Shape],
    wanted: Sequence[Shape],
    model: ExportedModel,
) -> Extents | None:
    """Return the extents of the output. If they are ambiguous, record that and return `None`."""
    for i, n in enumerate(source):
        if isinstance(n, ExtentTerm) and set(extents_along(shapes, i)) == {1}:
            reason = f"axis {i} of its input has extent 1, so its place in the output is ambiguous"
            model.refuse_ambiguous(op, reason)
            return None
    factors = [f for n in source if isinstance(n, ExtentTerm) for f in factors_of(model, n)]
    if any(set(model.numbers_of(factor) or ()) == {1} for factor in factors):
        if any(set(extents_along(wanted, i)) == {1} for i in range(len(wanted[0]))):
            reason = "the export has the smallest size, so an extent of 1 may depend on it"
            model.refuse_ambiguous(op, reason)
            return None
    groups = axis_groups(shapes, wanted)
    if groups is None:
        model.refuse(op, "its input and its output have different numbers of elements")
        return None
    ways = [group.ways(model, source, wanted) for group in groups]
    found = _only_fitting(op, model, groups, ways, len(wanted[0]))
    if found is None:
        open_ = next(group for group, each in zip(groups, ways, strict=True) if len(each) != 1)
        total = "x".join(str(wanted[0][i]) for i in open_.outputs)
        reason = f"it is ambiguous which of {total} depend on its input's extents"
        model.refuse_ambiguous(op, reason, of_multiples=True)
        return None
    for group in groups:
        extents = [found[i] for i in group.outputs]
        orders = unmerged_axes(model, [source[i] for i in group.inputs])
        for extent, merged in dict.fromkeys(
            each for elements in orders for each in merged_axes(extents, elements)
        ):
            model.compositions[extent].append((merged,))
    return found


def _only_fitting(
    op: ReshapeOp,
    model: ExportedModel,
    groups: "Sequence[AxisGroup]",
    ways: Sequence[Sequence[Sequence[Extent]]],
    rank: int,
) -> Extents | None:
    """Return the only extents of the output that the layers which read it do not contradict."""
    if prod(map(len, ways)) > MAX_WAYS:
        return None
    fitting: list[Extents] = []
    for way in product(*ways):
        found: list[Extent] = [1] * rank
        for group, extents in zip(groups, way, strict=True):
            for i, extent in zip(group.outputs, extents, strict=True):
                found[i] = extent
        fitting.append(tuple(found))
    if len(fitting) > 1:
        fitting = [each for each in fitting if not is_contradicted(model, op.outputs[0], each)]
    return fitting[0] if len(fitting) == 1 else None


def drop_batches(func: FuncOp) -> None:
    """Remove the batch axes of Reshapes from and to batches of one blob: an export has a batch of
    one. Larger batches, which the model creates itself, stay."""
    block = func.body.block
    batches = Batches.of_block(block)
    for op in filter(is_batched, block.ops):
        if batches.of(op.inputs[0]).count == batches.of(op.outputs[0]).count == 1:
            _drop_batch_axes(op)


def _drop_batch_axes(op: ReshapeOp) -> None:
    """Remove the batch axes of a Reshape whose batches have one blob, unless the batch is the only
    axis."""
    axis = axis_in(op.output_batch_axis, op.output_rank() or 0)
    if op.output_batch_axis != NO_BATCH and (axis is None or op.output_rank() == 1):
        return
    if op.shape_expr:
        items = _items(re.sub(r"(?<![0-9])[0-9]n", "1", op.shape_expr))
        if axis is not None:
            del items[-1 - axis]  # w comes first
        op.set_params(shape_expr=",".join(items))
    elif axis is not None:
        extents = op.wanted(op.output_rank())
        op.set_params(**extent_params((*extents[:axis], *extents[axis + 1 :])))
    op.set_params(input_batch_axis=NO_BATCH, output_batch_axis=NO_BATCH)


def _items(expression: str) -> list[str]:
    """Split an expression into its values."""
    items, depth = [""], 0
    for char in expression:
        depth += (char == "(") - (char == ")")
        if char == "," and not depth:
            items.append("")
        else:
            items[-1] += char
    return items


class AxisGroup(NamedTuple):
    """Neighbouring input axes, and the output axes with the same elements."""

    inputs: Sequence[int]
    outputs: Sequence[int]

    def ways(
        self, model: ExportedModel, source: Extents, wanted: Sequence[Shape]
    ) -> Sequence[Sequence[Extent]]:
        """Return the possible extents of the output axes; several, if they are ambiguous."""
        numbers = [extents_along(wanted, i) for i in self.outputs]
        total = prod(source[i] for i in self.inputs)
        if not isinstance(total, ExtentTerm):
            same = all(len(set(each)) == 1 for each in numbers)
            return [[each[0] for each in numbers]] if same else []
        if len(numbers) == 1:
            return [[total]]
        found = distributions(model, [source[i] for i in self.inputs], numbers)
        if found == []:
            found = list(_one_varying(total, numbers))
        return found or []


def _one_varying(total: ExtentTerm, numbers: Sequence[Numbers]) -> Iterator[Extents]:
    """Yield the extents if only one axis differs between two exports: the other axes are constant.
    A later check finds sizes that the constants do not divide."""
    varying = [i for i, each in enumerate(numbers) if len(set(each)) > 1]
    for free in varying if len(varying) == 1 else ():
        rest = total // prod(each[0] for i, each in enumerate(numbers) if i != free)
        yield tuple(rest if i == free else n[0] for i, n in enumerate(numbers))


def axis_groups(source: Sequence[Shape], wanted: Sequence[Shape]) -> list[AxisGroup] | None:
    """Return the smallest groups of neighbouring axes that have equal numbers of elements on both
    sides in all exports; `None` if the shapes have different numbers of elements. No group contains
    an axis of extent 1."""
    left = [i for i in range(len(source[0])) if any(shape[i] != 1 for shape in source)]
    right = [i for i in range(len(wanted[0])) if any(shape[i] != 1 for shape in wanted)]
    groups: list[AxisGroup] = []
    i = j = 0
    while i < len(left) or j < len(right):
        a, b = i, j
        while True:
            here = [prod(shape[k] for k in left[a:i]) for shape in source]
            there = [prod(shape[k] for k in right[b:j]) for shape in wanted]
            if i > a and j > b and here == there:
                break
            if (here[0] <= there[0] or j == len(right)) and i < len(left):
                i += 1
            elif j < len(right):
                j += 1
            else:
                return None
        groups.append(AxisGroup(left[a:i], right[b:j]))
    return groups
