"""Search for a term in the code of an epilogue.

A layer's formula is a term with parameters. It is found in code that other passes have simplified:
operands are exchanged, and operations with a neutral element are gone.

Example: the term `a * x + b` is found in `3 + y` with x = y, a = 1 and b = 3. The sum has its
operands exchanged, and the product is absent because its factor is neutral.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import f32
from xdsl.dialects.utils.fast_math import FastMathFlag
from xdsl.ir import Operation, OpResult, SSAValue

from ...dialects.ncnn.formulas import Arg, Call, Const, Symbol, Term, term
from ...transforms.rewriting.scalar_code import COMMUTATIVE, NEUTRAL, constant_of, flags_of


@dataclass(frozen=True)
class Weight(Arg):
    """An element of a weight. It may also be a number: the same value at every index."""


@dataclass(frozen=True)
class Bindings:
    """The values of a term's arguments and symbols."""

    args: Mapping[int, "SSAValue | Const"]
    symbols: Mapping[str, float]
    dropped: int = 0
    """The number of operations of the term that are absent because they are neutral."""

    def with_arg(self, index: int, value: "SSAValue | Const") -> "Bindings":
        return replace(self, args={**self.args, index: value})

    def with_symbol(self, name: str, value: float) -> "Bindings":
        return replace(self, symbols={**self.symbols, name: value})


def unify(node: Term, value: SSAValue, bound: Bindings) -> Iterator[Bindings]:
    """Yield all bindings that make a value equal to this term, given earlier bindings. An operation
    with a neutral parameter may be absent. Operands of commutative operations may have either order
    (unification modulo unit elements and commutativity)."""
    match node:
        case Arg(index):
            if bound.args.get(index, value) in (value, constant_of(value)):
                yield bound.with_arg(index, value)
        case Symbol(name, negated):
            if (constant := constant_of(value)) is not None:
                yield from _with_number(name, -constant.value if negated else constant.value, bound)
        case Const():
            if constant_of(value) == node:
                yield bound
        case Call(op, args):
            if isinstance(value, OpResult) and _is_call(node, value.op):
                yield from _unify_all(args, value.op.operands, bound)
                if op in COMMUTATIVE:
                    yield from _unify_all(args, value.op.operands[::-1], bound)
            for rest, bound_neutral in _without_neutral(node, bound):
                yield from unify(rest, value, bound_neutral)
        case _:
            return


def _with_number(name: str, number: float, bound: Bindings) -> Iterator[Bindings]:
    if bound.symbols.get(name, number) == number:
        yield bound.with_symbol(name, number)


def _unify_all(
    nodes: Sequence[Term], values: Sequence[SSAValue], bound: Bindings
) -> Iterator[Bindings]:
    if not nodes:
        yield bound
        return
    for first in unify(nodes[0], values[0], bound):
        yield from _unify_all(nodes[1:], values[1:], first)


def _without_neutral(node: Call, bound: Bindings) -> Iterator[tuple[Term, Bindings]]:
    """Yield the rest of a term if one operand is neutral, with that operand bound to the neutral
    element."""
    for operand, rest in neutral_operands(node):
        number, fewer = NEUTRAL[node.op], replace(bound, dropped=bound.dropped + 1)
        match operand:
            case Symbol(name, negated):
                for each in _with_number(name, -number if negated else number, fewer):
                    yield rest, each
            case Arg(index):
                constant = cast(Const, term(number))
                if bound.args.get(index, constant) == constant:
                    yield rest, fewer.with_arg(index, constant)
            case _:
                pass


def neutral_operands(node: Call) -> Iterator[tuple[Term, Term]]:
    """Yield the operands of a term that may be neutral, each with the other operand."""
    if node.op in NEUTRAL:
        left, right = node.args
        for operand, rest in ((right, left), (left, right))[: 1 + (node.op in COMMUTATIVE)]:
            if isinstance(operand, Symbol | Weight):
                yield operand, rest


def _is_call(node: Call, op: Operation) -> bool:
    """Whether an operation has the name, predicate and type of the term."""
    if op.name != node.op:
        return False
    if isinstance(op, arith.CmpfOp):
        return arith.CMPF_COMPARISON_OPERATIONS[op.predicate.value.data] == node.predicate
    if (
        isinstance(op, math.PowFOp)
        and (FastMathFlag.APPROX_FUNC in flags_of(op)) is not node.approximate
    ):
        return False
    return op.results[0].type == (f32 if node.to is None else node.to)
