"""Formulas as operations of an epilogue: `emit` makes the operations of a term. (`unify` in
`unification.py` finds a term in them.) The language is that of `dialects/ncnn/formulas.py`.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, TypeAlias, cast

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import FloatAttr, f32
from xdsl.dialects.utils.fast_math import FastMathFlag
from xdsl.ir import Block, Operation, SSAValue

from ...dialects.ncnn.formulas import Arg, Call, Const, Term, call, from_int, term


class NotFused(Exception):
    """A layer has no fused form; the text says why."""


def dequantized(sums: Term, scale: Term, bias: Term | None) -> Term:
    """Integers times a scale, and with a bias if there is one: rounded once, as processors do it
    within a layer, for the next one may round what comes out to int8."""
    if bias is None:
        return from_int(sums) * scale
    return call("math.fma", from_int(sums), scale, bias)


@cache
def _operations() -> Mapping[str, type[Operation]]:
    return {op.name: op for dialect in (arith.Arith, math.Math) for op in dialect.operations}


def missing_operations(root: Term) -> set[str]:
    """What a term is made of that there is no operation for."""
    if not isinstance(root, Call):
        return set()
    own = {root.op} - _operations().keys()
    return own.union(*map(missing_operations, root.args))


# -- terms to operations

Place: TypeAlias = Callable[[Operation], SSAValue]
"""Puts an operation in its place; returns the value that stands for its result."""


def appended_to(block: Block) -> Place:
    """Puts operations at the end of a block, one after the other."""

    def place(op: Operation) -> SSAValue:
        block.add_op(op)
        return op.results[0]

    return place


def emit(root: Term, args: Mapping[int, SSAValue | Const], place: Place) -> SSAValue:
    """Makes the operations of a term whose arguments stand for these; returns its value. The same
    expression is computed once."""
    made: dict[Term, SSAValue] = {}

    def value_of(node: Term) -> SSAValue:
        if isinstance(node, Arg):
            stands_for = args[node.index]
            return stands_for if isinstance(stands_for, SSAValue) else value_of(stands_for)
        if node not in made:
            operands = [value_of(arg) for arg in node.args] if isinstance(node, Call) else []
            made[node] = place(_operation(node, operands))
        return made[node]

    return value_of(root)


def _operation(node: Term, operands: Sequence[SSAValue]) -> Operation:
    if isinstance(node, Const):
        return arith.ConstantOp(FloatAttr(node.value, f32))
    assert isinstance(node, Call), f"{node} is no formula"
    make: Any = _operations()[node.op]
    if node.predicate:
        return make(*operands, node.predicate)
    if node.approximate:
        return make(*operands, fastmath=_APPROXIMATE)
    return make(*operands) if node.to is None else make(*operands, node.to)


_APPROXIMATE = arith.FastMathFlagsAttr([FastMathFlag.APPROX_FUNC])


# -- what is known of operations


def flags_of(op: Operation) -> frozenset[FastMathFlag]:
    """What the `fastmath` of an operation allows."""
    flags = op.properties.get("fastmath")
    return frozenset(flags.data) if isinstance(flags, arith.FastMathFlagsAttr) else frozenset()


def constant_of(value: SSAValue | Const) -> Const | None:
    """The float32 that a value always is."""
    if isinstance(value, Const):
        return value
    op = value.owner
    if not isinstance(op, arith.ConstantOp) or not isinstance(op.value, FloatAttr):
        return None
    return cast(Const, term(cast(FloatAttr[Any], op.value).value.data))


COMMUTATIVE = ("arith.addf", "arith.mulf", "arith.maximumf", "arith.minimumf")

NEUTRAL: Mapping[str, float] = {
    "arith.addf": 0.0,
    "arith.subf": 0.0,
    "arith.mulf": 1.0,
    "arith.divf": 1.0,
}
"""The number that as the right operand of an operation changes nothing (as the left one too if it
is `COMMUTATIVE`). Simplified code does not have it, and code with a parameter is found in it as if
it were there. (`x + 0` is 0 where x is -0; the runtime's own layers do not agree on it.)"""
