"""Counterexamples to a step: the region of the model before and after it, with its inputs."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from xdsl.dialects.builtin import FunctionType, ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue

from ..dialects.ncnn.blob import blob
from ..dialects.ncnn.constant import ConstantOp
from ..dialects.ncnn.function import named, set_outputs
from ..dialects.ncnn.layer import LayerOp
from ..dialects.ncnn.weight_specs import Shape
from .proof import Counterexample
from .regions import Pair, cone
from .regions import Region as Regions
from .step_proofs import RegionDifference


def counterexample(difference: RegionDifference) -> Counterexample:
    """Return two models that compute the results that differ most, and inputs for them."""
    region, found = difference.region, difference.comparison
    pair = difference.pair
    inside = {x: found.inputs[i] for i, (x, _) in enumerate(region.inputs)}
    inputs = [np.asarray(inside[x], "f8") for x, _ in region.inputs]
    return Counterexample(inputs, models_of(region, pair, found.shapes), found.values[pair])


def sides_of(region: Regions, shapes: Sequence[Shape]) -> Iterator[tuple[ModuleOp, ModuleOp]]:
    """Yield two models for each result of a region, before and after the rewrite."""
    for pair in region.results:
        yield models_of(region, pair, shapes)


def models_of(region: Regions, pair: Pair, shapes: Sequence[Shape]) -> tuple[ModuleOp, ModuleOp]:
    """Return two models that compute one result of a region, before and after the rewrite."""
    is_whole = region.inputs is not region.boundary
    before = extract(region.before, region.inputs, 0, pair[0], shapes)
    ops = region.after
    if is_whole:  # with its producers a region starts at the inputs of the model, on both sides
        producers, _ = cone((x for x, _ in region.boundary), ())
        ops = [*(op for op in region.before if op in producers), *region.after]
    renamed = {y: x for x, y in region.boundary} if is_whole else {}
    return before, extract(ops, region.inputs, 0 if is_whole else 1, pair[1], shapes, renamed)


def extract(
    ops: Sequence[Operation],
    inputs: Sequence[Pair],
    side: int,
    result: SSAValue,
    shapes: Sequence[Shape],
    renamed: dict[SSAValue, SSAValue] | None = None,
) -> ModuleOp:
    """Return a model of these operations, with one side of the pairs as inputs of these shapes.
    `renamed` are operands that are replaced."""
    block = Block(arg_types=[blob(shape) for shape in shapes])
    values: dict[SSAValue, SSAValue] = dict(
        zip((pair[side] for pair in inputs), block.args, strict=True)
    )
    for op in ops:
        for old, new in (renamed or {}).items():
            if new in values:
                values[old] = values[new]
        block.add_op(op.clone(values))
    for old, new in (renamed or {}).items():
        values.setdefault(old, values.get(new, new))
    block.add_op(ReturnOp(values[result]))
    func = FuncOp("main", FunctionType.from_lists([], []), Region(block))
    func.arg_attrs = None
    set_outputs(func, [(values[result], named("out"))])
    return ModuleOp([func])


def weights_of(module: ModuleOp) -> list[tuple[str, Any]]:
    """Return the weights of the layers of a model, each with its layer."""
    found: list[tuple[str, Any]] = []
    for op in module.walk():
        if isinstance(op, ConstantOp) and (use := op.output.first_use) is not None:
            user = use.operation
            label = user.label() if isinstance(user, LayerOp) else op.label()
            found.append((label, op.read()))
    return found
