"""Patterns on the epilogue of one fused operation."""

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any, cast

from xdsl.dialects import arith
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, BlockArgument, Region, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from ...dialects.fused import ElementwiseOp, FusedOp, YieldOp
from ...dialects.ncnn.constant import ConstantOp, constant_of
from ...dialects.ncnn.function import blob_in, outputs_of
from ...dialects.ncnn.operands import SEGMENTS
from ...dialects.shapes.tensors import element_of, shape_of, static_shape_of
from ..rewriting.remarks import remark
from .fused_scalars import Scalars, erase_unused, number_attr

MAX_ELEMENTS = 1 << 16
"""Maximal size of a constant that is checked for a uniform value."""


class DropResiduals(RewritePattern):
    """Remove residuals that the epilogue does not need.

    Algebra: none; the residual's element is unused, equals another argument, or is the same number
    everywhere.

    Conditions, and why:
    - a constant has its values, and all of them are equal;
    - without an input, the residuals determine the shape of the result. Then only a residual that
      is broadcast along all axes is removed, and one that has all axes stays.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: FusedOp, rewriter: PatternRewriter) -> None:
        seen: dict[object, BlockArgument] = {}
        if isinstance(op, ElementwiseOp) and op.input is not None:
            seen[op.input, ()] = op.block.args[0]
        kept: list[int] = []
        known: dict[SSAValue, SSAValue | Attribute] = {}
        for i, arg in enumerate(op.residual_args):
            place = (op.residuals[i], op.explicit_axes(i))
            number = uniform(op.residuals[i]) if _may_go(op, i) else None
            if place in seen:
                known[arg] = seen[place]
            elif number is not None:
                known[arg] = number
            elif arg.uses or not _may_go(op, i):
                kept.append(i)
                seen[place] = arg
        if len(kept) == len(op.residuals):
            return
        if op.accumulator is None and not any(_has_all_axes(op, i) for i in kept):
            return
        rewriter.replace(op, rebuilt(op, kept, known))


def _may_go(op: FusedOp, index: int) -> bool:
    """Whether the shape of the result is determined without a residual."""
    shape = static_shape_of(op.residuals[index])
    return op.accumulator is not None or (shape is not None and prod(shape) == 1)


def _has_all_axes(op: FusedOp, index: int) -> bool:
    """Whether a residual is known to have the rank of the result."""
    shape, own = shape_of(op.residuals[index]), shape_of(op.result)
    return shape is not None and own is not None and len(shape) == len(own)


def uniform(value: SSAValue) -> Attribute | None:
    """Return the number that all elements of a constant blob equal; `None` if they differ."""
    constant, shape = constant_of(value), static_shape_of(value)
    if constant is None or shape is None or prod(shape) > MAX_ELEMENTS or not constant.has_values():
        return None
    values: Any = constant.read()
    if values.size == 0 or not (values == values.flat[0]).all():
        return None
    return number_attr(values.flat[0].item(), element_of(value))


def rebuilt(
    op: FusedOp,
    kept: Sequence[int] | None = None,
    known: Mapping[SSAValue, SSAValue | Attribute] | None = None,
) -> FusedOp:
    """Return the same operation with simplified code and, if `kept` is given, only with these
    residuals. `known` maps the arguments of the others to an argument or a number."""
    kept = range(len(op.residuals)) if kept is None else kept
    first = len(op.block.args) - len(op.residuals)
    old = [*op.block.args[:first], *(op.residual_args[i] for i in kept)]
    scalars = Scalars(Block(arg_types=[arg.type for arg in old]))
    values: dict[SSAValue, SSAValue] = {}
    for arg, new in zip(old, scalars.block.args, strict=True):
        new.name_hint = arg.name_hint
        values[arg] = new
    for arg, stand_in in (known or {}).items():
        if isinstance(stand_in, SSAValue):
            values[arg] = values[stand_in]
        else:
            values[arg] = scalars.add(arith.ConstantOp(cast(Any, stand_in)))
    scalars.block.add_op(YieldOp(scalars.copy(op.block, values)))
    erase_unused(scalars.block)
    result = type(op).of(
        list(op.anchor_operands().values()),
        op.result.type,
        {n: a for n, a in op.properties.items() if n not in _OF_OPERANDS},
        residuals=[op.residuals[i] for i in kept],
        axes=[op.explicit_axes(i) for i in kept],
        epilogue=Region(scalars.block),
        attributes=op.attributes,
    )
    result.result.name_hint = op.result.name_hint
    return result


_OF_OPERANDS = (SEGMENTS, "residual_axes")
"""Properties that follow from the operands."""


class SimplifyEpilogue(RewritePattern):
    """Simplify the arithmetic of an epilogue beyond the canonicalization of `arith`.

    Algebra: see `Scalars`.

    Conditions: none.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: FusedOp, rewriter: PatternRewriter) -> None:
        simpler = rebuilt(op)
        if simpler.epilogue.is_structurally_equivalent(op.epilogue):
            simpler.erase()
        else:
            rewriter.replace(op, simpler)


class EliminateCopy(RewritePattern):
    """Remove an element-wise operation that returns its input.

    Algebra: `y = x`.

    Conditions, and why:
    - input and result have the same type;
    - if the result is an output of the model, the function declares the output's name, and the
      value is produced by an operation that can carry the name: not an input of the model and not a
      constant.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ElementwiseOp, rewriter: PatternRewriter) -> None:
        if op.input is None or not op.only_accumulates():
            return
        if op.input.type != op.result.type or not _names_stay(op, op.input):
            return
        remark("eliminate-identity", op.label())
        rewriter.replace(op, [], [op.input])


def _names_stay(op: ElementwiseOp, value: SSAValue) -> bool:
    returned = any(isinstance(use.operation, ReturnOp) for use in op.result.uses)
    func = op.parent_op()
    if not returned:
        return True
    if not isinstance(func, FuncOp) or isinstance(value, BlockArgument):
        return False
    named = all(blob_in(attrs) is not None for v, attrs in outputs_of(func) if v is op.result)
    return named and not isinstance(value.owner, ConstantOp)
