"""Formulas as operations of an epilogue, and back: `emit` makes the operations of a term, `unify`
finds a term in them. The language is that of `dialects/ncnn/formulas.py`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import FloatAttr, f32
from xdsl.ir import Block, Operation, OpResult, SSAValue

from ...dialects.ncnn.formulas import Arg, Call, Const, Symbol, Term, call, from_int, term


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


def has_operations(root: Term) -> bool:
    """Whether there is an operation for all of a term."""
    if not isinstance(root, Call):
        return True
    return root.op in _operations() and all(map(has_operations, root.args))


# -- terms to operations


def emit(root: Term, block: Block, args: Sequence[SSAValue]) -> SSAValue:
    """Appends the operations of a term to a block; returns its value. The same expression is
    computed once. Raises `NotFused` if there is no operation for a part of it."""
    made: dict[Term, SSAValue] = {}

    def value_of(node: Term) -> SSAValue:
        if isinstance(node, Arg):
            return args[node.index]
        if node not in made:
            operands = [value_of(arg) for arg in node.args] if isinstance(node, Call) else []
            op = _operation(node, operands)
            block.add_op(op)
            made[node] = op.results[0]
        return made[node]

    return value_of(root)


def _operation(node: Term, operands: Sequence[SSAValue]) -> Operation:
    if isinstance(node, Const):
        return arith.ConstantOp(FloatAttr(node.value, f32))
    assert isinstance(node, Call), f"{node} is no formula"
    make: Any = _operations().get(node.op)
    if make is None:
        raise NotFused(f"there is no scalar operation for {node.op.partition('.')[2]}")
    if node.predicate:
        return make(*operands, node.predicate)
    return make(*operands) if node.to is None else make(*operands, node.to)


# -- operations to terms


@dataclass(frozen=True)
class Bindings:
    """What the arguments and symbols of a term stand for."""

    args: Mapping[int, SSAValue]
    symbols: Mapping[str, float]

    def with_arg(self, index: int, value: SSAValue) -> "Bindings":
        return Bindings({**self.args, index: value}, self.symbols)

    def with_symbol(self, name: str, value: float) -> "Bindings":
        return Bindings(self.args, {**self.symbols, name: value})


COMMUTATIVE = ("arith.addf", "arith.mulf", "arith.maximumf", "arith.minimumf")


def unify(node: Term, value: SSAValue, bound: Bindings) -> Iterator[Bindings]:
    """All ways in which a value is this term, given what is bound already."""
    match node:
        case Arg(index):
            if bound.args.get(index, value) is value:
                yield bound.with_arg(index, value)
        case Symbol(name, negated):
            if (constant := constant_of(value)) is not None:
                number = -constant.value if negated else constant.value
                if bound.symbols.get(name, number) == number:
                    yield bound.with_symbol(name, number)
        case Const():
            if constant_of(value) == node:
                yield bound
        case Call():
            if not isinstance(value, OpResult):
                return
            op = value.op
            if op.name != node.op or not _same_kind(node, op):
                return
            yield from _unify_all(node.args, op.operands, bound)
            if node.op in COMMUTATIVE:
                yield from _unify_all(node.args, op.operands[::-1], bound)
        case _:
            return


def _unify_all(
    nodes: Sequence[Term], values: Sequence[SSAValue], bound: Bindings
) -> Iterator[Bindings]:
    if not nodes:
        yield bound
        return
    for first in unify(nodes[0], values[0], bound):
        yield from _unify_all(nodes[1:], values[1:], first)


def _same_kind(node: Call, op: Operation) -> bool:
    """Whether an operation compares or converts as the term says."""
    if isinstance(op, arith.CmpfOp):
        return PREDICATES[op.predicate.value.data] == node.predicate
    return node.to is None or op.results[0].type == node.to


PREDICATES = (
    "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord",
    "ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true",
)  # fmt: skip
"""The words for the predicate of arith.cmpf."""


def constant_of(value: SSAValue) -> Const | None:
    """The float32 that a value always is."""
    op = value.owner
    if not isinstance(op, arith.ConstantOp) or not isinstance(op.value, FloatAttr):
        return None
    return cast(Const, term(cast(FloatAttr[Any], op.value).value.data))
