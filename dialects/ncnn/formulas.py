"""Scalar formulas: what a layer computes of one element, said once on the layer.

    class MishOp(…):
        def formula(self, x: Term) -> Term:
            return x * tanh(log(exp(x) + 1.0))

Of it follow the epilogue of a fused operation and the layer that is found in one
(`transforms/epilogues/terms.py`), what a recognizer takes the layer for
(`transforms/canonicalization/recognition/layer_formulas.py`), the reference semantics and with them
constant folding (`interpreters/ncnn/formulas.py`), and the range of the results (`ranges.py`).

A term is a tree of the operations of MLIR's `arith` and `math` dialects on float32, by their names.
A name of another dialect is an operation for which those have none: it is computed, not lowered.
"""

import struct
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.dialects.builtin import f32, i8
from xdsl.ir import Attribute

from .params import to_float32


class NoFormula(Exception):
    """There is no formula for a layer with these parameters; the text says why."""


class Term:
    """A scalar expression; terms are equal if they are the same expression. `+`, `-`, `*`, `/` and
    `**` make larger ones, with numbers on either side."""

    def __add__(self, other: "Number") -> "Term":
        return call("arith.addf", self, other)

    def __radd__(self, other: "Number") -> "Term":
        return call("arith.addf", other, self)

    def __sub__(self, other: "Number") -> "Term":
        return call("arith.subf", self, other)

    def __rsub__(self, other: "Number") -> "Term":
        return call("arith.subf", other, self)

    def __mul__(self, other: "Number") -> "Term":
        return call("arith.mulf", self, other)

    def __rmul__(self, other: "Number") -> "Term":
        return call("arith.mulf", other, self)

    def __truediv__(self, other: "Number") -> "Term":
        return call("arith.divf", self, other)

    def __rtruediv__(self, other: "Number") -> "Term":
        return call("arith.divf", other, self)

    def __pow__(self, exponent: "Number") -> "Term":
        return call("math.powf", self, exponent)

    def __neg__(self) -> "Term":
        return call("arith.negf", self)

    def size(self) -> int:
        """How many operations it takes."""
        return 0


Number: TypeAlias = Term | float
"""A term, or a number that stands for one."""


@dataclass(frozen=True)
class Arg(Term):
    """An element of an operand, by the operand's place."""

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
    """A parameter of a layer: any constant. What a formula asks about it is taken to be so."""

    name: str
    negated: bool = False
    """Whether the constant is minus the parameter."""

    def __neg__(self) -> "Symbol":
        return Symbol(self.name, not self.negated)

    def __gt__(self, other: object) -> bool:
        return True

    def __le__(self, other: object) -> bool:
        return False


@dataclass(frozen=True)
class Call(Term):
    """An operation on terms."""

    op: str
    """Its name, with that of its dialect."""
    args: tuple[Term, ...]
    predicate: str = ""
    """For a comparison: which."""
    to: Attribute | None = None
    """For a conversion: the type that it makes."""
    approximate: bool = False
    """Whether it need not be exact (`fastmath<afn>`)."""

    def size(self) -> int:
        return 1 + sum(arg.size() for arg in self.args)


Parameter: TypeAlias = float | Symbol
"""A parameter of a layer, known or open."""


def term(value: Number) -> Term:
    """A number as a term, rounded to float32."""
    if isinstance(value, Term):
        return value
    return Const(struct.pack("<f", to_float32(value)))


def call(op: str, *args: Number) -> Term:
    """An operation whose operands and result have one type."""
    return Call(op, tuple(map(term, args)))


def converted(x: Term, op: str, to: Attribute) -> Term:
    """A conversion to another element type."""
    return Call(op, (x,), to=to)


def from_int(x: Term) -> Term:
    """An integer as float32."""
    return converted(x, "arith.sitofp", f32)


def widened(x: Term) -> Term:
    """A float of 16 bits as float32."""
    return converted(x, "arith.extf", f32)


def to_int8(x: Term) -> Term:
    """A float32 rounded to int8, halves away from zero, within -127 and 127."""
    return converted(maximum(minimum(call("math.round", x), 127.0), -127.0), "arith.fptosi", i8)


def affine(x: Term, scale: Number, shift: Number) -> Term:
    """`x * scale + shift`, without what changes nothing but the sign of a 0."""
    scaled = x if scale == 1 else x * scale
    return scaled if shift == 0 else scaled + shift


def maximum(a: Number, b: Number) -> Term:
    """The larger one; NaN if one of them is."""
    return call("arith.maximumf", a, b)


def minimum(a: Number, b: Number) -> Term:
    """The smaller one; NaN if one of them is."""
    return call("arith.minimumf", a, b)


def absolute(x: Number) -> Term:
    return call("math.absf", x)


def exp(x: Number) -> Term:
    return call("math.exp", x)


def log(x: Number) -> Term:
    return call("math.log", x)


def approximate_power(x: Number, y: Number) -> Term:
    """`x ^ y` through the logarithm: not of negative numbers."""
    return Call("math.powf", (term(x), term(y)), approximate=True)


def sqrt(x: Number) -> Term:
    return call("math.sqrt", x)


def tanh(x: Number) -> Term:
    return call("math.tanh", x)


def erf(x: Number) -> Term:
    return call("math.erf", x)


def less(a: Number, b: Number) -> Term:
    """Whether a is less than b; not so if one of them is NaN."""
    return Call("arith.cmpf", (term(a), term(b)), "olt")


def greater(a: Number, b: Number) -> Term:
    """Whether a is greater than b; not so if one of them is NaN."""
    return Call("arith.cmpf", (term(a), term(b)), "ogt")


def select(condition: Term, a: Number, b: Number) -> Term:
    """`a` where the condition holds, otherwise `b`."""
    return Call("arith.select", (condition, term(a), term(b)))


def clamped(x: Term, low: Number, high: Number) -> Term:
    """`min(max(x, low), high)`"""
    return minimum(maximum(x, low), high)


def rectified(x: Term, slope: Number) -> Term:
    """`x` above 0, otherwise `x * slope`."""
    if slope == 0:
        return maximum(x, 0.0)
    return select(less(x, 0.0), x * slope, x)


def sigmoid(x: Term) -> Term:
    """`1 / (1 + exp(-x))`"""
    return 1.0 / (exp(-x) + 1.0)


def softplus(x: Term) -> Term:
    """`log(1 + exp(x))`"""
    return log(exp(x) + 1.0)


def mish(x: Term) -> Term:
    """`x * tanh(log(1 + exp(x)))`"""
    return x * tanh(softplus(x))


def hard_sigmoid(x: Term, alpha: Parameter, beta: Parameter) -> Term:
    """`min(max(x * alpha + beta, 0), 1)`, where that line rises. Raises `NoFormula` where it does
    not: the runtime compares x with where the line is 0 and 1."""
    if alpha > 0:
        return clamped(x * alpha + beta, 0.0, 1.0)
    raise NoFormula("alpha is not positive")


def hard_swish(x: Term, alpha: Parameter, beta: Parameter) -> Term:
    """`x` times `hard_sigmoid`."""
    return x * hard_sigmoid(x, alpha, beta)
