"""Scalar code as terms, so that it is written once: `emit` makes the operations of an epilogue of a
term, `unify` finds a term in an epilogue.

    x = Arg(0)
    x * sigmoid(x)                # a term
    x * Symbol("alpha") + 1.0     # one with a parameter, which stands for any constant
"""

import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import FloatAttr, f32, i8
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue

from ...dialects.ncnn.params import to_float32


class Term:
    """A scalar expression; terms are equal if they are the same expression."""

    def __add__(self, other: "Number") -> "Term":
        return Call(arith.AddfOp, (self, term(other)))

    def __radd__(self, other: "Number") -> "Term":
        return Call(arith.AddfOp, (term(other), self))

    def __sub__(self, other: "Number") -> "Term":
        return Call(arith.SubfOp, (self, term(other)))

    def __rsub__(self, other: "Number") -> "Term":
        return Call(arith.SubfOp, (term(other), self))

    def __mul__(self, other: "Number") -> "Term":
        return Call(arith.MulfOp, (self, term(other)))

    def __rmul__(self, other: "Number") -> "Term":
        return Call(arith.MulfOp, (term(other), self))

    def __truediv__(self, other: "Number") -> "Term":
        return Call(arith.DivfOp, (self, term(other)))

    def __rtruediv__(self, other: "Number") -> "Term":
        return Call(arith.DivfOp, (term(other), self))

    def __neg__(self) -> "Term":
        return Call(arith.NegfOp, (self,))

    def size(self) -> int:
        """How many operations it takes."""
        return 0


Number: TypeAlias = Term | float


@dataclass(frozen=True)
class Arg(Term):
    """An argument of the epilogue, by its place."""

    index: int


@dataclass(frozen=True)
class Const(Term):
    """A float32, by its bits: 0.0 is not -0.0, and a NaN is itself."""

    bits: bytes

    @property
    def value(self) -> float:
        """The number."""
        return struct.unpack("<f", self.bits)[0]


@dataclass(frozen=True)
class Symbol(Term):
    """A parameter of a layer: any constant. What code asks about it is taken to be so."""

    name: str
    negated: bool = False
    """Whether the constant is minus the parameter."""

    def __neg__(self) -> "Symbol":
        return Symbol(self.name, not self.negated)

    def __gt__(self, other: object) -> bool:
        return True


@dataclass(frozen=True)
class Call(Term):
    """An operation on terms."""

    op: type[Operation]
    args: tuple[Term, ...]
    predicate: str = ""
    """For a comparison: which."""
    to: Attribute | None = None
    """For a conversion: the type that it makes."""

    def size(self) -> int:
        return 1 + sum(arg.size() for arg in self.args)


def term(value: Number) -> Term:
    """A number as a term, rounded to float32."""
    if isinstance(value, Term):
        return value
    return Const(struct.pack("<f", to_float32(value)))


def call(op: type[Operation], *args: Number) -> Term:
    """An operation whose operands and result have one type."""
    return Call(op, tuple(map(term, args)))


def affine(x: Term, scale: Number, shift: Number) -> Term:
    """`x * scale + shift`, without what changes nothing but the sign of a 0."""
    scaled = x if scale == 1 else x * scale
    return scaled if shift == 0 else scaled + shift


def dequantized(sums: Term, scale: Term, bias: Term | None) -> Term:
    """Integers times a scale, and with a bias if there is one: rounded once, as processors do it
    within a layer, for the next one may round what comes out to int8."""
    if bias is None:
        return from_int(sums) * scale
    return call(math.FmaOp, from_int(sums), scale, bias)


def maximum(a: Number, b: Number) -> Term:
    return call(arith.MaximumfOp, a, b)


def minimum(a: Number, b: Number) -> Term:
    return call(arith.MinimumfOp, a, b)


def exp(x: Number) -> Term:
    return call(math.ExpOp, x)


def log(x: Number) -> Term:
    return call(math.LogOp, x)


def tanh(x: Number) -> Term:
    return call(math.TanhOp, x)


def power(x: Number, y: Number) -> Term:
    return call(math.PowFOp, x, y)


def less(a: Number, b: Number) -> Term:
    return Call(arith.CmpfOp, (term(a), term(b)), "olt")


def greater(a: Number, b: Number) -> Term:
    return Call(arith.CmpfOp, (term(a), term(b)), "ogt")


def select(condition: Term, a: Number, b: Number) -> Term:
    """`a` where the condition holds, otherwise `b`."""
    return Call(arith.SelectOp, (condition, term(a), term(b)))


def from_int(x: Term) -> Term:
    """An integer as float32."""
    return Call(arith.SIToFPOp, (x,), to=f32)


def widened(x: Term) -> Term:
    """A float of 16 bits as float32."""
    return Call(arith.ExtFOp, (x,), to=f32)


def narrowed(x: Term, to: Attribute) -> Term:
    """A float32 rounded to one of 16 bits."""
    return Call(arith.TruncFOp, (x,), to=to)


def to_int8(x: Term) -> Term:
    """A float32 rounded to int8, halves away from zero, within -127 and 127."""
    rounded = maximum(minimum(call(math.RoundOp, x), 127.0), -127.0)
    return Call(arith.FPToSIOp, (rounded,), to=i8)


# -- terms to operations

_CONVERSIONS = (arith.SIToFPOp, arith.ExtFOp, arith.TruncFOp, arith.FPToSIOp)


def emit(root: Term, block: Block, args: Sequence[SSAValue]) -> SSAValue:
    """Appends the operations of a term to a block; returns its value. The same expression is
    computed once."""
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
    assert isinstance(node, Call), f"{node} is no scalar code"
    make: Any = node.op
    if node.predicate:
        return make(*operands, node.predicate)
    return make(*operands, node.to) if node.op in _CONVERSIONS else make(*operands)


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


COMMUTATIVE = (arith.AddfOp, arith.MulfOp, arith.MaximumfOp, arith.MinimumfOp)


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
            if type(op) is not node.op or not _same_kind(node, op):
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
