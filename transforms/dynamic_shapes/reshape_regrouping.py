"""Reshapes to constants made relative to their input."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from ...dialects.ncnn.extents import ABSENT, AXES, reshape_params
from ...dialects.ncnn.reshaping import ReshapeOp
from ...dialects.ncnn.slots import Shape
from ...dialects.shapes.terms import Extent, Extents, Term
from .exported_model import Numbers, SizedModel, as_numbers
from .extent_expressions import Expressions
from .factorization import distributions, elements_of, factors_of, merged_axes

NO_BATCH = 233


def make_relative(op: ReshapeOp, model: SizedModel) -> None:
    """Lets a Reshape follow its input, where that has extents that are any.

    Axes that stay beside each other are the same elements: where the products of the extents from
    the outermost on are equal on both sides, the axes between such places became each other. So
    the axes of the output in each such group have the elements of those of the input. One axis
    alone has all of them; among several, the only distribution that has the numbers of the exports
    (see `distributions`).
    """
    source, result = model.of(op.inputs[0]), op.outputs[0]
    if (op.input_batch_axis, op.output_batch_axis) != (NO_BATCH, NO_BATCH):
        model.refuse(op, "it makes or takes batches of blobs")
        return
    shapes, wanted = model.numbers(op.inputs[0]), model.numbers(result)
    if source is None or op.shape_expr or shapes is None or wanted is None:
        return
    if not any(isinstance(n, Term) for n in source):
        return
    found = source if shapes == wanted else _regrouped(op, source, shapes, wanted, model)
    if found is not None and not _say(op, tuple(found), source, model):
        model.refuse(op, "no expression says its extents")


def _regrouped(
    op: ReshapeOp,
    source: Extents,
    shapes: Sequence[Shape],
    wanted: Sequence[Shape],
    model: SizedModel,
) -> Extents | None:
    """The extents of the output; `None` if they are not certain, which is recorded."""
    for i, n in enumerate(source):
        if isinstance(n, Term) and set(as_numbers(shapes, i)) == {1}:
            model.refuse(op, f"axis {i} of its input is 1 here, so where it goes is not certain")
            return None
    factors = [f for n in source if isinstance(n, Term) for f in factors_of(model, n)]
    if any(set(model.numbers_of(factor) or ()) == {1} for factor in factors):
        if any(set(as_numbers(wanted, i)) == {1} for i in range(len(wanted[0]))):
            model.refuse(op, "the export is of the smallest size, so an extent of 1 may follow it")
            return None
    groups = grouped(shapes, wanted)
    if groups is None:
        model.refuse(op, "the elements of its input and of its output are not as many")
        return None
    found: list[Extent] = [1] * len(wanted[0])
    for group in groups:
        extents = group.extents(model, source, wanted)
        if extents is None:
            total = "x".join(str(wanted[0][i]) for i in group.outputs)
            model.refuse(op, f"which of {total} follow the input's extents is not certain")
            return None
        for i, extent in zip(group.outputs, extents, strict=True):
            found[i] = extent
        orders = elements_of(model, [source[i] for i in group.inputs])
        for extent, merged in dict.fromkeys(
            each for elements in orders for each in merged_axes(extents, elements)
        ):
            model.parts[extent].append((merged,))
    return tuple(found)


def drop_batches(func: FuncOp) -> None:
    """Makes Reshapes of batches of one blob those of blobs: an export is of a batch of one. Where a
    model makes larger batches of its own, they stay."""
    batched: set[SSAValue] = set()
    for op in func.body.block.ops:
        if not isinstance(op, ReshapeOp):
            if any(v in batched for v in op.operands):
                batched.update(op.results)
        elif op.inputs[0] in batched or not _drop_batch(op):
            if op.output_batch_axis != NO_BATCH or op.input_batch_axis == NO_BATCH:
                batched.update(op.results)


def _drop_batch(op: ReshapeOp) -> bool:
    """Leaves out the batch axis of the output, if its extent is 1; whether there is none then."""
    axis = op.output_batch_axis
    if op.shape_expr:
        items = _items(re.sub(r"(?<![0-9])[0-9]n", "1", op.shape_expr))
        if axis != NO_BATCH:
            place = len(items) - 1 - axis  # w comes first
            if not 0 <= place < len(items) or items[place] != "1":
                return False
            del items[place]
        op.set_params(shape_expr=",".join(items))
    elif axis != NO_BATCH:
        extents = op.wanted(op.output_rank())
        if not 0 <= axis < len(extents) or extents[axis] != 1 or len(extents) == 1:
            return False
        del extents[axis]
        named = dict(zip(AXES[len(extents)], extents, strict=True))
        op.set_params(**{letter: named.get(letter, ABSENT) for letter in "whdc"})
    op.set_params(input_batch_axis=NO_BATCH, output_batch_axis=NO_BATCH)
    return True


def _items(expression: str) -> list[str]:
    """The values that an expression lists."""
    items, depth = [""], 0
    for char in expression:
        depth += (char == "(") - (char == ")")
        if char == "," and not depth:
            items.append("")
        else:
            items[-1] += char
    return items


@dataclass(frozen=True)
class Group:
    """Axes of the input that become axes of the output."""

    inputs: Sequence[int]
    outputs: Sequence[int]

    def extents(
        self, model: SizedModel, source: Extents, wanted: Sequence[Shape]
    ) -> Sequence[Extent] | None:
        """The extents of the output's axes; `None` if they are not certain."""
        numbers = [as_numbers(wanted, i) for i in self.outputs]
        total = prod(source[i] for i in self.inputs)
        if not isinstance(total, Term):
            same = all(len(set(each)) == 1 for each in numbers)
            return [each[0] for each in numbers] if same else None
        if len(numbers) == 1:
            return [total]
        found = distributions(model, [source[i] for i in self.inputs], numbers)
        if found == []:
            found = list(_only_varying(total, numbers))
        return found[0] if found is not None and len(found) == 1 else None


def _only_varying(total: Term, numbers: Sequence[Numbers]) -> Iterator[Extents]:
    """All constants but for the one axis that two exports show to vary. Sizes that the constants do
    not divide contradict it later."""
    varying = [i for i, each in enumerate(numbers) if len(set(each)) > 1]
    for free in varying if len(varying) == 1 else ():
        share = total // prod(each[0] for i, each in enumerate(numbers) if i != free)
        yield tuple(share if i == free else n[0] for i, n in enumerate(numbers))


def grouped(source: Sequence[Shape], wanted: Sequence[Shape]) -> list[Group] | None:
    """Which axes become which, at all sizes given: the smallest groups of neighbours with as many
    elements on both sides. Axes of extent 1 are in none. `None` if the elements are not as many."""
    left = [i for i in range(len(source[0])) if any(shape[i] != 1 for shape in source)]
    right = [i for i in range(len(wanted[0])) if any(shape[i] != 1 for shape in wanted)]
    groups: list[Group] = []
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
        groups.append(Group(left[a:i], right[b:j]))
    return groups


def _say(op: ReshapeOp, wanted: Extents, source: Extents, model: SizedModel) -> bool:
    """Gives a Reshape parameters for these extents; whether there are such."""
    params = reshape_params(wanted, source)
    if params is not None:
        op.set_params(**params)
        return True
    writer = Expressions(model, op, op.inputs)
    texts = [writer.write(n) for n in reversed(wanted)]
    if None in texts:
        return False
    absent = dict.fromkeys("whdc", ABSENT)
    op.set_params(**absent, shape_expr=",".join(map(str, texts)))
    op.operands = writer.blobs
    return True
