"""Formulas as operations of an epilogue: `emit` creates the operations of a term.

`unify` in `conversion/epilogues/unification.py` finds a term in operations.
`dialects/ncnn/formulas.py` defines the terms.
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
    """A layer has no fused form. The message gives the reason."""


def dequantized(sums: Term, scale: Term, bias: Term | None) -> Term:
    """Return integers times a scale, plus an optional bias, rounded once (fused multiply-add).
    Processors also round once inside a layer. The next layer may round the result to int8."""
    if bias is None:
        return from_int(sums) * scale
    return call("math.fma", from_int(sums), scale, bias)


@cache
def _operations() -> Mapping[str, type[Operation]]:
    return {op.name: op for dialect in (arith.Arith, math.Math) for op in dialect.operations}


def missing_operations(root: Term) -> set[str]:
    """Return the names of operations in a term that `arith` and `math` lack."""
    if not isinstance(root, Call):
        return set()
    own = {root.op} - _operations().keys()
    return own.union(*map(missing_operations, root.args))


# -- terms to operations

Place: TypeAlias = Callable[[Operation], SSAValue]
"""Inserts an operation; returns the value of its result."""


def appended_to(block: Block) -> Place:
    """Return a function that appends operations to a block."""

    def place(op: Operation) -> SSAValue:
        block.add_op(op)
        return op.results[0]

    return place


def emit(root: Term, args: Mapping[int, SSAValue | Const], place: Place) -> SSAValue:
    """Create the operations of a term with these arguments, and return the term's value. Compute
    equal subterms once."""
    made: dict[Term, SSAValue] = {}

    def value_of(node: Term) -> SSAValue:
        if isinstance(node, Arg):
            argument = args[node.index]
            return argument if isinstance(argument, SSAValue) else value_of(argument)
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


# -- facts about operations


def flags_of(op: Operation) -> frozenset[FastMathFlag]:
    """Return the `fastmath` flags of an operation."""
    flags = op.properties.get("fastmath")
    return frozenset(flags.data) if isinstance(flags, arith.FastMathFlagsAttr) else frozenset()


def constant_of(value: SSAValue | Const) -> Const | None:
    """Return the constant of a float32 value; `None` if it has none."""
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
"""The neutral right operand of each operation (also the neutral left operand if the operation is
`COMMUTATIVE`). Simplified code omits such operations; unification matches a formula with a
parameter as if they were present. (`x + 0` is 0 for x = -0; ncnn's own layers disagree on this.)"""
