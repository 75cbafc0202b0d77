"""Groups of layers that exchange batches, and their replacement."""

from collections.abc import Iterator, Sequence

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter
from xdsl.rewriter import Rewriter
from xdsl.utils.disjoint_set import DisjointSet

from ...analysis.batches import Batches, is_batched
from ...analysis.shape_inference import infer
from ...dialects.ncnn.layer import LayerOp
from ...dialects.shapes.terms import Extents
from ..rewriting.remarks import remark
from .batch_builder import BatchBuilder, Rewrite
from .layer_rewrites import rewrite_of


def eliminate(func: FuncOp) -> None:
    """Eliminate batches (see `EliminateBatches`)."""
    batches, changed = Batches.of_block(func.body.block), False
    for group in connected_components(func, batches):
        rewrites = [rewrite_of(op, batches) if isinstance(op, LayerOp) else None for op in group]
        if None not in rewrites:
            _rewrite(group, rewrites, batches)
            changed = True
    if changed:
        infer(func)  # the types of batches were unranked


def connected_components(func: FuncOp, batches: Batches) -> Iterator[Sequence[Operation]]:
    """Yield the connected components of operations that exchange batches, in program order. A
    return of a batch belongs to its component."""
    ops = [op for op in func.body.block.ops if batches.touches_batch(op)]
    components = DisjointSet(ops)
    for op in ops:
        for value in op.operands:
            if batches.of(value).count != 1 and isinstance(value.owner, Operation):
                components.union(value.owner, op)
    found: dict[Operation, list[Operation]] = {}
    for op in ops:
        found.setdefault(components.find(op), []).append(op)
    yield from found.values()


def _rewrite(
    group: Sequence[Operation], rewrites: Sequence[Rewrite | None], batches: Batches
) -> None:
    replacements: dict[SSAValue, SSAValue] = {}
    shapes: dict[SSAValue, Extents] = {}
    layers = [op for op in group if isinstance(op, LayerOp)]
    remark("eliminate-batches", *(op.label() for op in layers if is_batched(op)))
    for op, rewrite in zip(layers, rewrites, strict=True):
        assert rewrite is not None
        builder = BatchBuilder(op, batches, replacements, shapes, PatternRewriter(op))
        results = [builder.keep_names(value) for value in rewrite(builder)]
        for old, new in zip(op.results, results, strict=True):
            replacements[old] = new
            if batches.of(old).count == 1:
                old.replace_all_uses_with(new)
    for op in reversed(layers):
        Rewriter.erase_op(op)
