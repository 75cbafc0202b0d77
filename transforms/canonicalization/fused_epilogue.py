"""Patterns on the epilogue of one fused operation."""

from collections.abc import Callable, Mapping, Sequence
from math import copysign, inf, isfinite, prod
from typing import Any, cast

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import AnyFloat, FloatAttr, IntegerAttr, IntegerType
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import InterpretationError

from ...dialects.fused import ElementwiseOp, FusedOp, YieldOp
from ...dialects.fused.shapes import element_of, shape_of, static_shape_of
from ...dialects.ncnn.constant import ConstantOp, constant_of
from ...dialects.ncnn.function import blob_in, outputs_of
from ...interpreters.fused.scalars import compute
from ..remarks import remark

LARGEST = 1 << 16
"""Constants of more elements are not looked through for one value that all have."""


class DropResiduals(RewritePattern):
    """Removes residuals that the epilogue need not see.

    Algebra: none; an element that is not used, that is seen as another argument already, or that is
    the same number everywhere.

    Conditions, and why:
    - a constant has its values, and all of them are equal;
    - where there is no input the residuals make the shape of the result, so that only one that is
      repeated along all axes goes, and one that has all of them stays.
    """

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, FusedOp):
            return
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
        rewriter.replace(op, _with_residuals(op, kept, known))


def _may_go(op: FusedOp, index: int) -> bool:
    """Whether the result has its shape without a residual."""
    shape = static_shape_of(op.residuals[index])
    return op.accumulator is not None or (shape is not None and prod(shape) == 1)


def _has_all_axes(op: FusedOp, index: int) -> bool:
    """Whether a residual is known to have as many axes as the result."""
    shape, own = shape_of(op.residuals[index]), shape_of(op.result)
    return shape is not None and own is not None and len(shape) == len(own)


def uniform(value: SSAValue) -> Attribute | None:
    """The one number that a constant blob has everywhere."""
    constant, shape = constant_of(value), static_shape_of(value)
    if constant is None or shape is None or prod(shape) > LARGEST or not constant.has_values():
        return None
    values: Any = constant.read()
    if values.size == 0 or not (values == values.flat[0]).all():
        return None
    return number_attr(values.flat[0].item(), element_of(value))


def number_attr(number: float, type_: Attribute) -> Attribute | None:
    """The attribute of a scalar constant."""
    if isinstance(type_, IntegerType):
        return IntegerAttr(int(number), cast(Any, type_))
    return FloatAttr(float(number), type_) if isinstance(type_, AnyFloat) else None


def _with_residuals(
    op: FusedOp, kept: Sequence[int], known: Mapping[SSAValue, SSAValue | Attribute]
) -> FusedOp:
    """The same operation with some of its residuals; what stands for the arguments of others is
    another argument or a number."""
    first = len(op.block.args) - len(op.residuals)
    old = [*op.block.args[:first], *(op.residual_args[i] for i in kept)]
    block = Block(arg_types=[arg.type for arg in old])
    values: dict[SSAValue, SSAValue] = {}
    for arg, new in zip(old, block.args, strict=True):
        new.name_hint = arg.name_hint
        values[arg] = new
    for arg, stand_in in known.items():
        if isinstance(stand_in, SSAValue):
            values[arg] = values[stand_in]
        else:
            number = arith.ConstantOp(cast(Any, stand_in))
            block.add_op(number)
            values[arg] = number.result
    for inner in op.block.ops:
        block.add_op(inner.clone(value_mapper=values))
        values.update(zip(inner.results, cast(Operation, block.last_op).results, strict=True))
    result = type(op).of(
        list(op.anchor_operands().values()),
        op.result.type,
        {n: a for n, a in op.properties.items() if n not in _OF_OPERANDS},
        residuals=[op.residuals[i] for i in kept],
        axes=[op.explicit_axes(i) for i in kept],
        epilogue=Region(block),
        attributes=op.attributes,
    )
    result.result.name_hint = op.result.name_hint
    return result


_OF_OPERANDS = ("operandSegmentSizes", "residual_axes")
"""Properties that follow from the operands."""


class SimplifyEpilogue(RewritePattern):
    """Simplifies the arithmetic of an epilogue beyond what `arith` does itself.

    Algebra: operations on constants are computed, in float32; `x * 1`, `x / 1`, `x + 0`, `x - 0`
    and `-(-x)` are x; of two maxima with constants, one after the other, or minima, one is left;
    what is computed twice is computed once.

    Conditions: none. (`x + 0` is 0 where x is -0; the runtime's own layers do not agree on it.)
    """

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, FusedOp):
            return
        seen: dict[object, Operation] = {}
        for inner in op.block.ops:
            if isinstance(inner, YieldOp):
                continue
            same = seen.setdefault(key_of(inner), inner)
            value = same.results[0] if same is not inner else simpler(inner, rewriter)
            if value is not None:
                rewriter.replace(inner, [], [value])
                rewriter.notify_op_modified(op)
                return


def key_of(op: Operation) -> object:
    """What two operations have in common that compute the same."""
    properties = tuple(sorted(op.properties.items(), key=lambda item: item[0]))
    return op.name, tuple(map(id, op.operands)), properties, tuple(op.result_types)


def simpler(op: Operation, rewriter: PatternRewriter) -> SSAValue | None:
    """What an operation is the same as; `None` if there is nothing simpler. Constants that are
    needed stand before it."""
    folded = _folded(op, rewriter)
    if folded is not None:
        return folded
    rule = _RULES.get(type(op))
    return None if rule is None else rule(op, rewriter)


def _folded(op: Operation, rewriter: PatternRewriter) -> SSAValue | None:
    """The result of an operation on constants."""
    makers = [v.owner for v in op.operands]
    if not makers or not all(isinstance(maker, arith.ConstantOp) for maker in makers):
        return None

    import numpy as np

    try:
        with np.errstate(all="ignore"):
            args = tuple(compute(cast(Operation, maker), ()) for maker in makers)
            number = compute(op, args).item()
    except InterpretationError:
        return None
    attr = number_attr(number, op.results[0].type)
    return None if attr is None else _insert(attr, op, rewriter)


def _insert(attr: Attribute, op: Operation, rewriter: PatternRewriter) -> SSAValue:
    constant = arith.ConstantOp(cast(Any, attr))
    rewriter.insert(constant, InsertPoint.before(op))
    return constant.result


def _number(value: SSAValue) -> float | None:
    """The float that a value always is."""
    op = value.owner
    if isinstance(op, arith.ConstantOp) and isinstance(op.value, FloatAttr):
        return cast(FloatAttr[Any], op.value).value.data
    return None


def _neutral_right(neutral: float) -> Callable[[Any, PatternRewriter], SSAValue | None]:
    def rule(op: Any, rewriter: PatternRewriter) -> SSAValue | None:
        return op.lhs if _number(op.rhs) == neutral else None

    return rule


def _neutral(neutral: float) -> Callable[[Any, PatternRewriter], SSAValue | None]:
    def rule(op: Any, rewriter: PatternRewriter) -> SSAValue | None:
        if _number(op.lhs) == neutral:
            return op.rhs
        return op.lhs if _number(op.rhs) == neutral else None

    return rule


def _twice_negated(op: Any, rewriter: PatternRewriter) -> SSAValue | None:
    inner = op.operand.owner
    return inner.operand if isinstance(inner, arith.NegfOp) else None


def _bounded(op: Any, rewriter: PatternRewriter) -> SSAValue | None:
    """One bound for two: `max(max(x, a), b)` is `max(x, max(a, b))`, and the same for min. A bound
    that can have no effect goes: the value is within others already."""
    outer = _bound_of(op)
    if outer is None:
        return None
    x, bound = outer
    highest = isinstance(op, arith.MinimumfOp)
    low, high = _range_of(x)
    if (high <= bound) if highest else (low >= bound):
        return x
    inner = x.owner
    if type(inner) is not type(op):
        return None
    within = _bound_of(inner)
    if within is None:
        return None
    source, other = within
    tighter = min(bound, other) if highest else max(bound, other)
    limit = _insert(FloatAttr(tighter, op.result.type), op, rewriter)
    joined = type(op)(source, limit)
    rewriter.insert(joined, InsertPoint.before(op))
    return joined.result


def _bound_of(op: Any) -> tuple[SSAValue, float] | None:
    """The value that a maximum or minimum bounds, and the number."""
    for value, bound in ((op.lhs, _number(op.rhs)), (op.rhs, _number(op.lhs))):
        if bound is not None and isfinite(bound):
            return value, bound
    return None


def _range_of(value: SSAValue, depth: int = 4) -> tuple[float, float]:
    """Numbers that a value is certainly between, if it is a number at all, as far as so many
    operations before it tell."""
    op: Any = value.owner
    low, high = -inf, inf
    if isinstance(op, arith.MaximumfOp | arith.MinimumfOp):
        found = _bound_of(op)
        if found is not None:
            low, high = _range_of(found[0], depth - 1) if depth else (low, high)
            change = max if isinstance(op, arith.MaximumfOp) else min
            low, high = change(low, found[1]), change(high, found[1])
    elif isinstance(op, math.AbsFOp | math.ExpOp):
        low = 0.0
    elif isinstance(op, math.TanhOp):
        low, high = -1.0, 1.0
    # The bound 0.0 may come out as -0.0 and the other way round.
    return copysign(low, 1.0) if low == 0 else low, high


_RULES: Mapping[type[Operation], Callable[[Any, PatternRewriter], SSAValue | None]] = {
    arith.AddfOp: _neutral(0.0),
    arith.SubfOp: _neutral_right(0.0),
    arith.MulfOp: _neutral(1.0),
    arith.DivfOp: _neutral_right(1.0),
    arith.NegfOp: _twice_negated,
    arith.MaximumfOp: _bounded,
    arith.MinimumfOp: _bounded,
}


class EliminateCopy(RewritePattern):
    """Removes an element-wise operation that gives its input back.

    Algebra: `y = x`.

    Conditions, and why:
    - both have one type;
    - where the result is an output of the model, that declares its name itself, and the input is no
      input of the model: the name must stand somewhere.
    """

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, ElementwiseOp) or op.input is None or not op.only_accumulates():
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
