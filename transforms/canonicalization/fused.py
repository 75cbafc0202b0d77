"""Fusion of an element-wise operation with the producer of one of its operands."""

from collections.abc import Sequence
from typing import cast

from xdsl.ir import Block, OpResult, Region, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from ...analysis.shapes import shapes_of
from ...dialects.fused import ConvOp, ConvTransposeOp, ElementwiseOp, FusedOp, LinearOp, YieldOp
from ...dialects.ncnn.operands import SEGMENTS
from ...dialects.shapes.analysis import Shapes
from ..rewriting.pattern_set import PatternSet
from ..rewriting.remarks import remark
from .fused_epilogue import DropResiduals, EliminateCopy, SimplifyEpilogue
from .fused_scalars import Scalars


class FuseElementwise(RewritePattern):
    """Fuse an element-wise operation with the fused operation that produces one of its operands.

    Algebra: none; the second epilogue receives the value that the first one yields.

    Conditions, and why:
    - the second operation is the only user of the value between, and the value is no output:
      another user would need it. All other operands of the second operation exist without the first
      one, so none depends on it. The fusion creates no cycle, and the fused operation takes the
      place of the second;
    - the value is known to have the shape of the result, by types or as equal terms: an anchor does
      not broadcast its result;
    - the fused epilogue has at most `MAX_EPILOGUE_OPS` operations: each fusion copies it.

    If several producers are candidates, an element-wise operation comes first, then a product
    (conv, conv_transpose, linear), then pooling. Among equals the last one in program order is
    chosen, because its other operands are available when it starts. The order of the operands does
    not matter.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ElementwiseOp, rewriter: PatternRewriter) -> None:
        shapes = shapes_of(rewriter, declared=True)
        found = [
            producer
            for v in op.operands
            if (producer := _fusible_producer(v, op, shapes)) is not None
        ]
        if not found:
            return
        first = found[0] if len(found) == 1 else max(found, key=_preference)
        joined = join(first, op)
        remark("fuse-elementwise", first.label(), op.label())
        result_hint = op.result.name_hint
        rewriter.replace(op, joined)
        joined.result.name_hint = result_hint
        rewriter.erase(first)


MAX_EPILOGUE_OPS = 256
"""Maximal number of operations in a fused epilogue."""

FUSION: Sequence[RewritePattern] = (FuseElementwise(),)
"""The patterns that fuse operations."""


def _fusible_producer(value: SSAValue, user: ElementwiseOp, shapes: Shapes) -> FusedOp | None:
    """Return the producer of a value if it can be fused with this user, which must be its only
    one."""
    if not isinstance(value, OpResult) or not isinstance(value.op, FusedOp):
        return None
    if value.op.parent is not user.parent or any(use.operation is not user for use in value.uses):
        return None
    whole = value is user.input or shapes.same(value, user.result)
    # A residual with explicit axes is transposed or broadcast, even if its shape is the same.
    whole = whole and not any(
        user.explicit_axes(i) for i, residual in enumerate(user.residuals) if residual is value
    )
    return value.op if whole and _length(value.op) + _length(user) <= MAX_EPILOGUE_OPS else None


def _length(op: FusedOp) -> int:
    return sum(1 for _ in op.block.ops)


def _preference(op: FusedOp) -> tuple[bool, bool, int]:
    assert op.parent is not None
    product = isinstance(op, ConvOp | ConvTransposeOp | LinearOp)
    return isinstance(op, ElementwiseOp), product, op.parent.get_operation_index(op)


def join(first: FusedOp, second: ElementwiseOp) -> FusedOp:
    """Return one operation for two, where `second` reads the result of `first` with its own shape.
    It has the layer name of `first`, and its result has the blob name of `second`."""
    between = first.result
    args, own = first.block.args, _operands_seen(second)
    seen = _operands_seen(first)
    count = len(seen) - len(first.residuals)  # operands that are not residuals
    block = Block(arg_types=[arg.type for arg in args])
    scalars = Scalars(block, simplify=False)
    for new, arg in zip(block.args, args, strict=True):
        new.name_hint = arg.name_hint
    values: dict[SSAValue, SSAValue] = {}
    values.update(zip(args, block.args, strict=True))
    yielded = scalars.copy(first.block, values)
    mapped: dict[SSAValue, SSAValue] = {}
    for operand, arg in zip(own, second.block.args, strict=True):
        if operand[0] is between:
            mapped[arg] = yielded
            continue
        if operand not in seen:
            new = block.insert_arg(arg.type, len(block.args))
            new.name_hint = arg.name_hint if arg.name_hint != "acc" else "r"
            seen.append(operand)
        mapped[arg] = block.args[seen.index(operand)]
    block.add_op(YieldOp(scalars.copy(second.block, mapped)))
    joined = type(first).of(
        list(first.anchor_operands().values()),
        second.result.type,
        {n: a for n, a in first.properties.items() if n not in (SEGMENTS, "blob")},
        residuals=[cast(SSAValue, value) for value, _ in seen[count:]],
        axes=[axes for _, axes in seen[count:]],
        epilogue=Region(block),
        attributes=first.attributes,
    )
    name = first.layer_name.data if first.layer_name is not None else None
    joined.set_names(name, second.blob_name)
    return joined


def _operands_seen(op: FusedOp) -> list[tuple[SSAValue | None, tuple[int, ...]]]:
    """Return the operands whose elements are the arguments of an epilogue, with their axes; `None`
    for an accumulator that is not an element of a blob."""
    seen: list[tuple[SSAValue | None, tuple[int, ...]]] = []
    if op.accumulator is not None:
        seen.append((op.input if isinstance(op, ElementwiseOp) else None, ()))
    return seen + [(residual, op.explicit_axes(i)) for i, residual in enumerate(op.residuals)]


def patterns_for(cls: type[FusedOp]) -> tuple[RewritePattern, ...]:
    """Return the canonicalization patterns with this type of fused operation as root op."""
    patterns: list[RewritePattern] = [DropResiduals(), SimplifyEpilogue()]
    if issubclass(cls, ElementwiseOp):
        patterns += [EliminateCopy(), *FUSION]
    return (PatternSet(patterns),)
