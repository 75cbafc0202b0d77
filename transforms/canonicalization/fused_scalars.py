"""Simplification of the scalar code of an epilogue."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import copysign, inf, isfinite
from typing import Any, TypeAlias, cast

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import AnyFloat, FloatAttr, IntegerAttr, IntegerType
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import Rewriter
from xdsl.utils.exceptions import InterpretationError

from ...dialects.fused import YieldOp
from ...dialects.ncnn.formulas import Const, Term
from ...interpreters.fused import compute
from ..rewriting.scalar_code import COMMUTATIVE, NEUTRAL, emit, flags_of


class Scalars:
    """A block of scalar code that simplifies each added operation (value numbering by hash-consing,
    with local simplification). An operation that the block already contains is reused, and

    - operations on constants are folded, in float32;
    - `x * 1`, `x / 1`, `x + 0`, `x - 0` (see `NEUTRAL`) and `-(-x)` become x;
    - two consecutive maxima, or minima, with constants become one; a bound that the value already
      satisfies is removed.
    """

    def __init__(self, block: Block, *, simplify: bool = True) -> None:
        self.block = block
        self._simplify = simplify
        self._known = {key_of(op): op for op in block.ops}

    def add(self, op: Operation) -> SSAValue:
        """Add a detached operation to the block and return the value of its result."""
        key = key_of(op)
        same = self._known.get(key)
        value = self._simpler(op) if same is None else same.results[0]
        if value is not None:
            op.erase()
            return value
        self._known[key] = op
        last = self.block.last_op
        if isinstance(last, YieldOp):
            self.block.insert_op_before(op, last)
        else:
            self.block.add_op(op)
        return op.results[0]

    def copy(self, source: Block, values: dict[SSAValue, SSAValue]) -> SSAValue:
        """Add the code of another epilogue with its arguments replaced by `values`; return the
        value that it yields."""
        for op in source.ops:
            if isinstance(op, YieldOp):
                return values[op.value]
            (result,) = op.results
            value = self.add(op.clone(value_mapper=dict(values)))
            value.name_hint = value.name_hint or result.name_hint
            values[result] = value
        raise AssertionError("an epilogue ends with fused.yield")

    def find(self, root: Term, args: Mapping[int, SSAValue | Const]) -> SSAValue | None:
        """Return the existing value that equals a term of these arguments; `None` if the block does
        not compute it."""
        known = dict(self._known)
        value = emit(root, args, self.add)
        added = list(self._known.values())[len(known) :]
        for op in reversed(added):
            Rewriter.erase_op(op)
        self._known = known
        return None if value.owner in added else value

    def _simpler(self, op: Operation) -> SSAValue | None:
        """Return the value that an operation simplifies to; `None` if it cannot be simplified."""
        if not self._simplify:
            return None
        number = _folded(op)
        if number is not None:
            return self.add(arith.ConstantOp(cast(Any, number)))
        rule = _RULES.get(op.name)
        simpler = None if rule is None else rule(op)
        if not isinstance(simpler, Bounded):
            return simpler
        limit = self.add(arith.ConstantOp(FloatAttr(simpler.bound, cast(Any, simpler.value.type))))
        return self.add(cast(Any, type(op))(simpler.value, limit))


FloatBinary: TypeAlias = arith.FloatingPointLikeBinaryOperation
Extremum: TypeAlias = arith.MaximumfOp | arith.MinimumfOp


@dataclass(frozen=True)
class Bounded:
    """A maximum or minimum of a value and a number, to replace another one."""

    value: SSAValue
    bound: float


def key_of(op: Operation) -> object:
    """Return a key that operations with equal results share."""
    properties = tuple(sorted((n, a) for n, a in op.properties.items() if n != "fastmath"))
    operands = [id(v) for v in op.operands]
    if op.name in COMMUTATIVE:
        operands.sort()
    return op.name, tuple(operands), properties, flags_of(op), tuple(op.result_types)


def erase_unused(block: Block) -> None:
    """Erase the operations of an epilogue whose results are unused."""
    for op in reversed(list(block.ops)):
        if not isinstance(op, YieldOp) and not any(result.uses for result in op.results):
            Rewriter.erase_op(op)


def number_attr(number: float, type_: Attribute) -> Attribute | None:
    """Return the attribute of a scalar constant."""
    if isinstance(type_, IntegerType):
        return IntegerAttr(int(number), cast(Any, type_))
    return FloatAttr(float(number), type_) if isinstance(type_, AnyFloat) else None


def _folded(op: Operation) -> Attribute | None:
    """Return the result of an operation on constants."""
    producers = [v.owner for v in op.operands]
    if not producers or not all(isinstance(producer, arith.ConstantOp) for producer in producers):
        return None

    import numpy as np

    try:
        with np.errstate(all="ignore"):
            args = tuple(compute(cast(Operation, producer), ()) for producer in producers)
            number = compute(op, args).item()
    except InterpretationError:
        return None
    return number_attr(number, op.results[0].type)


def _number(value: SSAValue) -> float | None:
    """Return the float that a constant value has."""
    op = value.owner
    if isinstance(op, arith.ConstantOp) and isinstance(op.value, FloatAttr):
        return cast(FloatAttr[Any], op.value).value.data
    return None


def _neutral(op: FloatBinary) -> SSAValue | None:
    number = NEUTRAL[op.name]
    if _number(op.rhs) == number:
        return op.lhs
    return op.rhs if op.name in COMMUTATIVE and _number(op.lhs) == number else None


def _twice_negated(op: arith.NegfOp) -> SSAValue | None:
    inner = op.operand.owner
    return inner.operand if isinstance(inner, arith.NegfOp) else None


def _bounded(op: Extremum) -> SSAValue | Bounded | None:
    """Merge two bounds: `max(max(x, a), b)` is `max(x, max(a, b))`, and likewise for min. A bound
    that has no effect is removed."""
    outer = _bound_of(op)
    if outer is None:
        return None
    highest = isinstance(op, arith.MinimumfOp)
    low, high = _range_of(outer.value)
    if (high <= outer.bound) if highest else (low >= outer.bound):
        return outer.value
    inner = outer.value.owner
    within = _bound_of(inner) if isinstance(inner, Extremum) and inner.name == op.name else None
    if within is None:
        return None
    tighter = min if highest else max
    return Bounded(within.value, tighter(outer.bound, within.bound))


def _bound_of(op: Extremum) -> Bounded | None:
    """Return the value and the number that a maximum or minimum combines."""
    for value, bound in ((op.lhs, _number(op.rhs)), (op.rhs, _number(op.lhs))):
        if bound is not None and isfinite(bound):
            return Bounded(value, bound)
    return None


def _range_of(value: SSAValue, depth: int = 4) -> tuple[float, float]:
    """Return bounds of a value unless it is NaN, derived from at most `depth` operations before
    it."""
    op = value.owner
    low, high = -inf, inf
    if isinstance(op, arith.MaximumfOp | arith.MinimumfOp):
        found = _bound_of(op)
        if found is not None:
            low, high = _range_of(found.value, depth - 1) if depth else (low, high)
            change = max if isinstance(op, arith.MaximumfOp) else min
            low, high = change(low, found.bound), change(high, found.bound)
    elif isinstance(op, math.AbsFOp | math.ExpOp):
        low = 0.0
    elif isinstance(op, math.TanhOp):
        low, high = -1.0, 1.0
    # A result at the bound 0.0 may be -0.0, and the reverse.
    return copysign(low, 1.0) if low == 0 else low, high


_RULES: Mapping[str, Callable[[Any], SSAValue | Bounded | None]] = {
    **dict.fromkeys(NEUTRAL, _neutral),
    arith.NegfOp.name: _twice_negated,
    arith.MaximumfOp.name: _bounded,
    arith.MinimumfOp.name: _bounded,
}
