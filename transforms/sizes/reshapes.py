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
from .expressions import Expressions
from .model import Numbers, SizedModel, as_numbers

NO_BATCH = 233


def make_relative(op: ReshapeOp, model: SizedModel) -> None:
    """Lets a Reshape follow its input, where that has extents that are any.

    Axes that stay beside each other are the same elements: where the products of the extents from
    the outermost on are equal on both sides, the axes between such places became each other. So
    the axes of the output in each such group have the elements of those of the input. One axis
    alone has all of them; of several, all but one are constants, or they are the axes that were
    made one before, in their order.
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
    groups = grouped(shapes, wanted)
    if groups is None:
        model.refuse(op, "the elements of its input and of its output are not as many")
        return
    found: list[Extent] = [1] * len(wanted[0])
    for group in groups:
        extents = group.extents(model, source, wanted)
        if extents is None:
            total = "x".join(str(wanted[0][i]) for i in group.outputs)
            model.refuse(op, f"which of {total} follow the input's extents is not certain")
            return
        for i, extent in zip(group.outputs, extents, strict=True):
            found[i] = extent
        merged = tuple(source[i] for i in group.inputs)
        if len(group.outputs) == 1 and len(merged) > 1 and isinstance(extents[0], Term):
            model.parts[extents[0]].append((merged,))
    if not _say(op, tuple(found), source, model):
        model.refuse(op, "no expression says its extents")


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
        found = {*_taken_apart(model, total, numbers), *_all_but_one(total, numbers)}
        return found.pop() if len(found) == 1 else None


def _taken_apart(model: SizedModel, total: Term, numbers: Sequence[Numbers]) -> Iterator[Extents]:
    """The axes that were made one before, if they are of these numbers."""
    for layout in model.parts.get(total, ()):
        if len(layout) == 1 and [model.numbers_of(term) for term in layout[0]] == list(numbers):
            yield layout[0]


def _all_but_one(total: Term, numbers: Sequence[Numbers]) -> Iterator[Extents]:
    """Constants but for one axis: the one that two exports show to vary; of one export any, where
    the constants certainly divide the elements."""
    varying = [i for i, each in enumerate(numbers) if len(set(each)) > 1]
    for free in varying if len(varying) == 1 else range(0 if varying else len(numbers)):
        times = prod(each[0] for i, each in enumerate(numbers) if i != free)
        share = total // times
        if varying or share * times == total:
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
