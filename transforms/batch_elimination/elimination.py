"""Batches of blobs as one blob each, wherever a model can do without them."""

from collections.abc import Iterator, Sequence

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter

from ...analysis.batches import Facts, is_of_batch
from ...analysis.shape_inference import infer
from ...dialects.ncnn.layer import LayerOp
from ..rewriting.remarks import remark
from .batch_builder import Builder, Rewrite, Shape
from .layer_rewrites import instead_of


def eliminate(func: FuncOp) -> None:
    """Does without batches, see `EliminateBatches`."""
    facts, changed = Facts(func), False
    for group in groups(func, facts):
        rewrites = [instead_of(op, facts) if isinstance(op, LayerOp) else None for op in group]
        if None not in rewrites:
            _rewrite(group, rewrites, facts)
            changed = True
    if changed:
        infer(func)  # of what was a batch types said nothing


def groups(func: FuncOp, facts: Facts) -> Iterator[Sequence[Operation]]:
    """What hangs together by batches, in order; what returns one is in it, too."""
    leader: dict[Operation, Operation] = {}

    def find(op: Operation) -> Operation:
        while leader[op] is not op:
            leader[op] = op = leader[leader[op]]
        return op

    for op in func.body.block.ops:
        if not facts.touches_batch(op):
            continue
        leader[op] = op
        for value in op.operands:
            if facts.of(value).number != 1 and isinstance(value.owner, Operation):
                leader[find(value.owner)] = find(op)
    found: dict[Operation, list[Operation]] = {}
    for op in leader:
        found.setdefault(find(op), []).append(op)
    yield from found.values()


def _rewrite(group: Sequence[Operation], rewrites: Sequence[Rewrite | None], facts: Facts) -> None:
    instead: dict[SSAValue, SSAValue] = {}
    shapes: dict[SSAValue, Shape] = {}
    layers = [op for op in group if isinstance(op, LayerOp)]
    remark("eliminate-batches", *(op.label() for op in layers if is_of_batch(op)))
    for op, rewrite in zip(layers, rewrites, strict=True):
        assert rewrite is not None
        rewriter = PatternRewriter(op)
        builder = Builder(op, facts, instead, shapes, rewriter)
        results = [builder.named(value) for value in rewrite(builder)]
        for old, new in zip(op.results, results, strict=True):
            instead[old] = new
            if facts.of(old).number == 1:
                old.replace_all_uses_with(new)
    for op in reversed(layers):
        op.detach()
        op.erase()
