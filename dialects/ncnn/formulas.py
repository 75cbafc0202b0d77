"""Scalar formulas: the computation of one element, declared once on the layer.

    class MishOp(…):
        def formula(self, x: Term) -> Term:
            return x * tanh(log(exp(x) + 1.0))

From the formula are derived: epilogues of fused operations and the layer that an epilogue matches
(`transforms/rewriting/scalar_code.py`), the normal form of the recognizer
(`transforms/canonicalization/recognition/layer_formulas.py`), the reference semantics and constant
folding (`interpreters/ncnn/formulas.py`), and value ranges (`ranges.py`).

A term is a tree of float32 operations of MLIR's `arith` and `math` dialects, by name. A name of
another dialect is an operation that these lack: it is interpreted, not lowered.
"""

import struct
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.dialects.builtin import f32, i8
from xdsl.ir import Attribute

from .params import to_float32


class NoFormula(Exception):
    """A layer with these parameters has no formula; the message gives the reason."""


class Term:
    """A scalar expression with structural equality. `+`, `-`, `*`, `/` and `**` combine terms and
    numbers."""

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
        """The number of operations."""
        return 0


Number: TypeAlias = Term | float
"""A term, or a number that is converted to one."""


@dataclass(frozen=True)
class Arg(Term):
    """An element of an operand, by the operand's index."""

    index: int


@dataclass(frozen=True)
class Const(Term):
    """A float32, compared by its bits: 0.0 differs from -0.0, and a NaN equals itself."""

    bits: bytes

    @property
    def value(self) -> float:
        """The number."""
        return struct.unpack("<f", self.bits)[0]


@dataclass(frozen=True)
class Symbol(Term):
    """A layer parameter with any constant value. Conditions on it in a formula are assumed to
    hold."""

    name: str
    negated: bool = False
    """Whether the constant is the parameter negated."""

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
    """Its name with the dialect's prefix."""
    args: tuple[Term, ...]
    predicate: str = ""
    """The predicate of a comparison."""
    to: Attribute | None = None
    """The result type of a conversion."""
    approximate: bool = False
    """Whether an approximation is allowed (`fastmath<afn>`)."""

    def size(self) -> int:
        return 1 + sum(arg.size() for arg in self.args)


Parameter: TypeAlias = float | Symbol
"""A layer parameter, known or symbolic."""


def term(value: Number) -> Term:
    """Return a number as a term, rounded to float32."""
    if isinstance(value, Term):
        return value
    return Const(struct.pack("<f", to_float32(value)))


def call(op: str, *args: Number) -> Term:
    """Return an operation whose operands and result have the same type."""
    return Call(op, tuple(map(term, args)))


def converted(x: Term, op: str, to: Attribute) -> Term:
    """Return a conversion to another element type."""
    return Call(op, (x,), to=to)


def from_int(x: Term) -> Term:
    """Return an integer converted to float32."""
    return converted(x, "arith.sitofp", f32)


def widened(x: Term) -> Term:
    """Return a 16-bit float converted to float32."""
    return converted(x, "arith.extf", f32)


def to_int8(x: Term) -> Term:
    """Return a float32 rounded to int8, halves away from zero, clamped to -127 and 127."""
    return converted(maximum(minimum(call("math.round", x), 127.0), -127.0), "arith.fptosi", i8)


def affine(x: Term, scale: Number, shift: Number) -> Term:
    """Return `x * scale + shift` without operations that change at most the sign of a 0."""
    scaled = x if scale == 1 else x * scale
    return scaled if shift == 0 else scaled + shift


def maximum(a: Number, b: Number) -> Term:
    """Return the maximum; NaN if an operand is NaN."""
    return call("arith.maximumf", a, b)


def minimum(a: Number, b: Number) -> Term:
    """Return the minimum; NaN if an operand is NaN."""
    return call("arith.minimumf", a, b)


def absolute(x: Number) -> Term:
    return call("math.absf", x)


def exp(x: Number) -> Term:
    return call("math.exp", x)


def log(x: Number) -> Term:
    return call("math.log", x)


def approximate_power(x: Number, y: Number) -> Term:
    """Return `x ^ y` computed by the logarithm: undefined for negative x."""
    return Call("math.powf", (term(x), term(y)), approximate=True)


def sqrt(x: Number) -> Term:
    return call("math.sqrt", x)


def tanh(x: Number) -> Term:
    return call("math.tanh", x)


def erf(x: Number) -> Term:
    return call("math.erf", x)


def less(a: Number, b: Number) -> Term:
    """Return whether a < b; false if an operand is NaN."""
    return Call("arith.cmpf", (term(a), term(b)), "olt")


def greater(a: Number, b: Number) -> Term:
    """Return whether a > b; false if an operand is NaN."""
    return Call("arith.cmpf", (term(a), term(b)), "ogt")


def select(condition: Term, a: Number, b: Number) -> Term:
    """Return `a` where the condition holds, else `b`."""
    return Call("arith.select", (condition, term(a), term(b)))


def clamped(x: Term, low: Number, high: Number) -> Term:
    """Return `min(max(x, low), high)`."""
    return minimum(maximum(x, low), high)


def rectified(x: Term, slope: Number) -> Term:
    """Return `x` if it is positive, else `x * slope`."""
    if slope == 0:
        return maximum(x, 0.0)
    return select(less(x, 0.0), x * slope, x)


def sigmoid(x: Term) -> Term:
    """Return `1 / (1 + exp(-x))`."""
    return 1.0 / (exp(-x) + 1.0)


def softplus(x: Term) -> Term:
    """Return `log(1 + exp(x))`."""
    return log(exp(x) + 1.0)


def mish(x: Term) -> Term:
    """Return `x * tanh(log(1 + exp(x)))`."""
    return x * tanh(softplus(x))


def hard_sigmoid(x: Term, alpha: Parameter, beta: Parameter) -> Term:
    """Return `min(max(x * alpha + beta, 0), 1)` for positive alpha. Raises `NoFormula` for others:
    the runtime compares x with the points where the line reaches 0 and 1."""
    if alpha > 0:
        return clamped(x * alpha + beta, 0.0, 1.0)
    raise NoFormula("alpha is not positive")


def hard_swish(x: Term, alpha: Parameter, beta: Parameter) -> Term:
    """Return `x` times `hard_sigmoid`."""
    return x * hard_sigmoid(x, alpha, beta)
