"""The region of a model that a rewrite changes.

An operation is *kept* if a rewrite keeps its parameters. A kept operation has equal results before
and after the rewrite if its operands are equal. So a rewrite keeps the outputs of the model if, for
all values of the kept results that changed operations read, the operands of kept operations and of
the return are equal. All other operations of the model play no role.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation, SSAValue

from ..dialects.ncnn.constant import ConstantOp
from .array import NotExact
from .canonical_form import canonical_key, live_operations

Kept = Mapping[Operation, Operation]
"""The kept operations before a rewrite, each with the same operation after it."""

Pair = tuple[SSAValue, SSAValue]
"""A value before and the corresponding value after a rewrite."""


@dataclass
class Region:
    """The operations that a proof of a rewrite evaluates."""

    before: Sequence[Operation]
    after: Sequence[Operation]
    inputs: Sequence[Pair]
    """The values that get random numbers."""
    boundary: Sequence[Pair]
    """The values that the operations after the rewrite read: results of kept operations, and inputs
    of the model. By default these are the inputs."""
    results: dict[Pair, list[Operation]] = field(default_factory=dict[Pair, list[Operation]])
    """The pairs that must be equal, each with the kept operations, before the rewrite, that read
    it."""


def kept_operations(
    pairs: Iterable[tuple[Operation, Operation]], after: FuncOp
) -> dict[Operation, Operation]:
    """Return the kept operations among pairs of an operation and its copy, which a rewrite may have
    changed or removed."""
    block = after.body.block
    return {
        a: b
        for a, b in pairs
        if b.parent is block
        and len(a.operands) == len(b.operands)
        and len(a.results) == len(b.results)
        and canonical_key(a) == canonical_key(b)
    }


def region_of(before: FuncOp, after: FuncOp, kept: Kept) -> Region:
    """Return the region of a rewrite. Raises `NotExact` if inputs or outputs appear or vanish."""
    heads = before.body.block.args, after.body.block.args
    end, new_end = before.body.block.last_op, after.body.block.last_op
    assert isinstance(end, ReturnOp)
    assert isinstance(new_end, ReturnOp)
    if len(heads[0]) != len(heads[1]) or len(end.operands) != len(new_end.operands):
        raise NotExact("the inputs or outputs of the model change")
    partner: dict[SSAValue, SSAValue] = dict(zip(heads[1], heads[0], strict=True))
    for a, b in kept.items():
        partner |= dict(zip(b.results, a.results, strict=True))
    first, second = live_operations(before), live_operations(after)
    live = {*first, *second}
    region = Region((), (), (), ())
    readers: list[tuple[Operation, Operation]] = [*kept.items(), (end, new_end)]
    for a, b in readers:
        if a is end or a in live or b in live:
            for x, y in zip(a.operands, b.operands, strict=True):
                if partner.get(y) is not x:
                    region.results.setdefault((x, y), []).append(a)
    back: dict[SSAValue, SSAValue] = {x: y for y, x in partner.items()}
    ours, one = cone((x for x, _ in region.results), back.keys())
    theirs, other = cone((y for _, y in region.results), partner.keys())
    order = {value: i for i, value in enumerate(back)}
    inputs = sorted({*one, *(partner[y] for y in other)}, key=order.__getitem__)
    region.inputs = region.boundary = [(x, back[x]) for x in inputs]
    region.before = [op for op in before.body.block.ops if op in ours]
    region.after = [op for op in after.body.block.ops if op in theirs]
    return region


def cone(
    values: Iterable[SSAValue], boundary: Iterable[SSAValue]
) -> tuple[set[Operation], set[SSAValue]]:
    """Return the operations that compute values from a boundary and from constants, and the part of
    the boundary that they read."""
    limits = set(boundary)
    ops: set[Operation] = set()
    reached: set[SSAValue] = set()
    pending = list(values)
    while pending:
        value = pending.pop()
        owner = value.owner
        if isinstance(owner, ConstantOp):
            ops.add(owner)
        elif value in limits:
            reached.add(value)
        elif isinstance(owner, Operation) and owner not in ops:
            ops.add(owner)
            pending += owner.operands
    return ops, reached


def with_producers(region: Region, before: FuncOp, after: FuncOp) -> Region:
    """Return the region with all operations, before the rewrite, that compute its inputs: its
    boundary then has values that the model computes."""
    ours, reached = cone((x for x, _ in region.boundary), before.body.block.args)
    arguments = zip(before.body.block.args, after.body.block.args, strict=True)
    inputs = [(x, y) for x, y in arguments if x in reached]
    ops = ours.union(region.before)
    ordered = [op for op in before.body.block.ops if op in ops]
    return Region(ordered, region.after, inputs, region.boundary, region.results)
