"""Drawing the ways in which a graph spells out a layer."""

from dataclasses import dataclass, field
from math import pi, sqrt
from typing import TypeAlias

import numpy as np
from hypothesis import strategies as st

from .nets import Number, Params, Shape
from .sketches import Sketch

ADD, SUB, MUL, DIV, MAX, MIN, RSUB, RDIV = 0, 1, 2, 3, 4, 5, 7, 8
"""BinaryOp's `op_type`."""

NEG, SQUARE, ROOT, RSQRT, EXP, LOG, RECIPROCAL, TANH = 1, 4, 5, 6, 7, 8, 15, 16
"""UnaryOp's."""

SUM, SUMSQ, MEAN, LARGEST, L2 = 0, 2, 3, 4, 8
"""Reduction's."""

MISSES = ("", "", "", "", "number", "reader", "output", "features", "other")
"""What keeps a spelling from being one; mostly nothing."""

Operand: TypeAlias = str | float


@dataclass
class Speller:
    """Writes formulas as layers, each step in a way that is drawn."""

    draw: st.DrawFn
    sketch: Sketch
    shape: Shape
    """Of the blobs that are not reduced."""
    miss: str = ""
    """What to spoil, one of `MISSES`."""
    place: int = 0
    """Where to spoil it."""
    spoilt: bool = False
    """Whether it is."""
    numbers: int = 0
    """How many fixed numbers there were."""
    reads: int = 0
    """How often the input was read."""
    source: str = ""
    fewer_dims: set[str] = field(default_factory=set[str])
    """Blobs that may have lost dims."""
    constants: set[str] = field(default_factory=set[str])

    def layer(self, kind: str, reads: str | tuple[str, ...], params: Params | None = None) -> str:
        """A layer; returns its blob."""
        blob = self.sketch.layer(kind, reads, params)
        names = {reads} if isinstance(reads, str) else set(reads)
        if self.constants | self.fewer_dims >= names:
            self.fewer_dims.add(blob)
        return blob

    def pick(self, *choices: str) -> str:
        """One of several ways."""
        return self.draw(st.sampled_from(choices))

    def x(self) -> str:
        """The input, or, where that is to be spoilt, another blob the second time."""
        self.reads += 1
        if self.miss == "other" and self.reads == 2:
            self.spoilt = True
            return self.sketch.layer("ELU", self.source)
        return self.source

    def fixed(self, number: float) -> float:
        """A number that the formula does not leave open: exact, or with the 7 digits that
        converters write."""
        self.numbers += 1
        if self.miss == "number" and self.numbers == self.place + 1:
            self.spoilt = True
            return number * 1.001
        return number if self.draw(st.booleans()) else float(f"{number:.6e}")

    def scalar(self, number: float, other: Operand) -> str:
        """A MemoryData of one element that broadcasts to all of another blob."""
        rank = 1 if other in self.fewer_dims else self.draw(st.integers(1, len(self.shape)))
        constant = self.sketch.constant(np.full((1,) * rank, number, "f4"))
        self.constants.add(constant)
        return constant

    def binary(self, op: int, a: Operand, b: Operand) -> str:
        """A BinaryOp."""
        if isinstance(a, str) and not isinstance(b, str) and self.draw(st.booleans()):
            return self.layer("BinaryOp", a, {0: op, 1: 1, 2: b})
        first = a if isinstance(a, str) else self.scalar(a, b)
        second = b if isinstance(b, str) else self.scalar(b, a)
        return self.layer("BinaryOp", (first, second), {0: op})

    def times(self, a: str, b: Operand, alike: bool = True) -> str:
        """`a * b`; `alike`: they have the same shape."""
        if not isinstance(b, str):
            way = self.pick("mul", "div", "first", "power")
            if way == "power":
                return self.layer("Power", a, {0: 1.0, 1: b})
            if way == "div":
                return self.binary(DIV, a, 1 / b)
            return self.binary(MUL, b, a) if way == "first" else self.binary(MUL, a, b)
        a, b = (b, a) if self.draw(st.booleans()) else (a, b)
        if alike and self.draw(st.booleans()):
            return self.layer("Eltwise", (a, b), {0: 0})
        return self.binary(MUL, a, b)

    def plus(self, a: str, b: Operand, alike: bool = True) -> str:
        """`a + b`"""
        if not isinstance(b, str):
            way = self.pick("add", "sub", "first", "power")
            if way == "power":
                return self.layer("Power", a, {0: 1.0, 2: b})
            if way == "sub":
                return self.binary(SUB, a, -b)
            return self.binary(ADD, b, a) if way == "first" else self.binary(ADD, a, b)
        a, b = (b, a) if self.draw(st.booleans()) else (a, b)
        if alike and self.draw(st.booleans()):
            return self.layer("Eltwise", (a, b), {0: 1})
        return self.binary(ADD, a, b)

    def minus(self, a: str, b: str) -> str:
        """`a - b`, b perhaps of fewer elements."""
        way = self.pick("sub", "rsub", "neg")
        if way == "neg":
            return self.plus(a, self.unary(NEG, b), alike=False)
        return self.binary(SUB, a, b) if way == "sub" else self.binary(RSUB, b, a)

    def over(self, a: str, b: str) -> str:
        """`a / b`, b perhaps of fewer elements."""
        way = self.pick("div", "rdiv", "reciprocal")
        if way == "reciprocal":
            return self.times(a, self.unary(RECIPROCAL, b), alike=False)
        return self.binary(DIV, a, b) if way == "div" else self.binary(RDIV, b, a)

    def unary(self, op: int, a: str) -> str:
        """A UnaryOp."""
        return self.layer("UnaryOp", a, {0: op})

    def squared(self, a: str) -> str:
        """`a ** 2`"""
        way = self.pick("square", "product", "power")
        if way == "power":
            return self.layer("Power", a, {0: 2.0})
        return self.unary(SQUARE, a) if way == "square" else self.times(a, a)

    def cubed(self, a: str) -> str:
        """`a ** 3`"""
        way = self.pick("power", "square", "products")
        if way == "power":
            return self.layer("Power", a, {0: 3.0})
        if way == "products":
            return self.layer("Eltwise", (a, a, a), {0: 0})
        return self.times(a, self.squared(a))

    def over_root(self, a: str, b: str) -> str:
        """`a / sqrt(b)`"""
        if self.draw(st.booleans()):
            return self.over(a, self.unary(ROOT, b))
        return self.times(a, self.unary(RSQRT, b), alike=False)

    def tanh(self, a: str) -> str:
        """`tanh(a)`"""
        return self.unary(TANH, a) if self.draw(st.booleans()) else self.layer("TanH", a)

    def one_plus_exp(self, a: str) -> str:
        """`1 + exp(a)`"""
        exponential = self.pick("unary", "layer")
        e = self.unary(EXP, a) if exponential == "unary" else self.layer("Exp", a)
        return self.plus(e, self.fixed(1.0))

    def clipped(self, a: str, low: float, high: float) -> str:
        """`min(max(a, low), high)`"""
        way = self.pick("clip", "bounds", "relu")
        if way == "clip":
            return self.layer("Clip", a, {0: low, 1: high})
        if way == "relu" and low == 0:
            return self.binary(MIN, self.layer("ReLU", a), high)
        if self.draw(st.booleans()):
            return self.binary(MIN, self.binary(MAX, a, low), high)
        return self.binary(MAX, self.binary(MIN, high, a), low)

    def reduced(self, op: int, a: str, axes: tuple[int, ...], coeff: float = 1.0) -> str:
        """What is left of a blob along its innermost axes, or with `keepdims` along any."""
        rank = len(self.shape)
        lost = axes == tuple(range(rank - len(axes), rank)) and self.draw(st.booleans())
        params: dict[int, Number | tuple[int, ...]] = {0: op, 4: int(not lost), 5: 1}
        if coeff != 1:
            params[2] = coeff
        if len(axes) < rank or self.draw(st.booleans()):
            negative = self.draw(st.booleans())
            params |= {1: 0, 3: tuple(axis - rank if negative else axis for axis in axes)}
        blob = self.layer("Reduction", a, params)
        self.fewer_dims.add(blob)
        return blob


def swish(s: Speller) -> str:
    """`x * sigmoid(x)`"""
    if s.draw(st.booleans()):
        return s.times(s.x(), s.layer("Sigmoid", s.x()))
    return s.over(s.x(), s.one_plus_exp(s.unary(NEG, s.x())))


def line(s: Speller, alpha: float, beta: float) -> tuple[str, float]:
    """`clip(alpha * x + beta, 0, 1) * high`, and the last factor."""
    high = s.pick("1", "6", "3.5")
    a, b, most = alpha * float(high), beta * float(high), float(high)
    scaled = s.x() if a == 1 else s.times(s.x(), a)
    return s.clipped(s.plus(scaled, b), 0.0, most), most


def hard_sigmoid(s: Speller) -> str:
    """`clip(alpha * x + beta, 0, 1)`"""
    alpha, beta = s.draw(st.sampled_from([(1 / 6, 0.5), (0.2, 0.5), (0.75, -0.25)]))
    cut, most = line(s, alpha, beta)
    return s.times(cut, s.fixed(1 / most)) if most != 1 else cut


def hard_swish(s: Speller) -> str:
    """`x * clip(alpha * x + beta, 0, 1)`"""
    alpha, beta = s.draw(st.sampled_from([(1 / 6, 0.5), (0.2, 0.5), (0.75, -0.25)]))
    if s.draw(st.booleans()):
        return s.times(s.x(), s.layer("HardSigmoid", s.x(), {0: alpha, 1: beta}))
    cut, most = line(s, alpha, beta)
    if most == 1:
        return s.times(s.x(), cut)
    way = s.pick("last", "x", "clip")
    if way == "last":
        return s.times(s.times(s.x(), cut), s.fixed(1 / most))
    if way == "x":
        return s.times(s.times(s.x(), s.fixed(1 / most)), cut)
    return s.times(s.x(), s.times(cut, s.fixed(1 / most)))


def mish(s: Speller) -> str:
    """`x * tanh(softplus(x))`"""
    way = s.pick("Softplus", "BNLL", "log")
    if way == "log":
        inner = s.one_plus_exp(s.x())
        soft = s.unary(LOG, inner) if s.draw(st.booleans()) else s.layer("Log", inner)
    else:
        soft = s.layer(way, s.x())
    return s.times(s.x(), s.tanh(soft))


def halved(s: Speller, function: str) -> str:
    """`0.5 * x * (1 + function)`"""
    way = s.pick("x", "last", "inner", "shared")
    if way == "shared":
        return s.times(s.x(), s.plus(s.times(function, s.fixed(0.5)), 0.5))
    sum_ = s.plus(function, s.fixed(1.0))
    if way == "x":
        return s.times(s.times(s.x(), s.fixed(0.5)), sum_)
    if way == "inner":
        return s.times(s.x(), s.times(sum_, s.fixed(0.5)))
    return s.times(s.times(s.x(), sum_), s.fixed(0.5))


def gelu(s: Speller) -> str:
    """`0.5 * x * (1 + erf(x / sqrt(2)))`"""
    return halved(s, s.layer("Erf", s.times(s.x(), s.fixed(sqrt(0.5)))))


def fast_gelu(s: Speller) -> str:
    """`0.5 * x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x ** 3)))`"""
    sigmoid = s.draw(st.booleans())
    factor = s.fixed(sqrt(2 / pi) * (2 if sigmoid else 1))
    if s.draw(st.booleans()):
        cubic = s.plus(s.x(), s.times(s.cubed(s.x()), s.fixed(0.044715)))
        inner = s.times(cubic, factor)
    else:
        bracket = s.plus(s.times(s.squared(s.x()), s.fixed(0.044715)), s.fixed(1.0))
        inner = s.times(s.times(s.x(), factor), bracket)
    if sigmoid:
        return s.times(s.x(), s.layer("Sigmoid", inner))
    return halved(s, s.tanh(inner))


def norm(s: Speller, axes: tuple[int, ...]) -> str:
    """`(x - mean(x)) / sqrt(mean((x - mean(x)) ** 2) + eps)`"""
    centred = s.minus(s.x(), s.reduced(MEAN, s.x(), axes))
    again = centred
    if s.draw(st.booleans()):  # as some converters do, instead of reading it twice
        again = s.minus(s.x(), s.reduced(MEAN, s.x(), axes))
    variance = s.reduced(MEAN, s.squared(centred), axes)
    return s.over_root(again, s.plus(variance, 1e-3))


def rms_norm(s: Speller, axes: tuple[int, ...]) -> str:
    """`x / sqrt(mean(x ** 2) + eps)`, or without eps"""
    squares = s.reduced(MEAN, s.squared(s.x()), axes)
    if s.pick("eps", "eps", "none") == "eps":
        squares = s.plus(squares, 1e-3)
    return s.over_root(s.x(), squares)


def softmax(s: Speller, axes: tuple[int, ...]) -> str:
    """`exp(x) / sum(exp(x))`"""
    if s.draw(st.booleans()):
        shifted = s.minus(s.x(), s.reduced(LARGEST, s.x(), axes))
        e = s.unary(EXP, shifted)
        return s.over(e, s.reduced(SUM, e, axes))
    return s.over(s.unary(EXP, s.x()), s.reduced(SUM, s.unary(EXP, s.x()), axes))


def normalize(s: Speller, axes: tuple[int, ...]) -> str:
    """`x / norm(x)`, with any of three ways to keep the norm away from 0."""
    way = s.pick("plus", "root", "max")
    if way == "root" and s.draw(st.booleans()):
        length = s.reduced(L2, s.x(), axes)
        return s.over(s.x(), s.clipped(length, 0.125, 3.4028235e38))
    if s.draw(st.booleans()):
        total = s.reduced(SUMSQ, s.x(), axes)
    else:
        total = s.reduced(SUM, s.squared(s.x()), axes)
    if way == "plus":
        return s.over_root(s.x(), s.plus(total, 0.125))
    if way == "max":
        return s.over_root(s.x(), s.binary(MAX, total, 0.125))
    return s.over(s.x(), s.clipped(s.unary(ROOT, total), 0.125, 3.4028235e38))
