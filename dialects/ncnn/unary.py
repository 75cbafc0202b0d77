"""Element-wise mathematical functions of one blob. The output has the input's shape."""

from collections.abc import Callable, Mapping
from functools import partial
from math import log as natural_log
from typing import ClassVar

from .activation import Function
from .formulas import (
    NoFormula,
    Term,
    absolute,
    affine,
    call,
    erf,
    exp,
    greater,
    less,
    log,
    select,
    term,
)
from .layer import layer
from .params import enum_param, float_param

UNARY_OPS = (
    "abs", "neg", "floor", "ceil", "square", "sqrt", "rsqrt", "exp", "log", "sin", "cos", "tan",
    "asin", "acos", "atan", "reciprocal", "tanh", "log10", "round", "trunc", "sign", "expm1",
    "sinh", "asinh", "cosh", "acosh", "atanh", "log1p",
)  # fmt: skip
"""The keywords for UnaryOp's op_type 0, 1, 2, …"""

_UNARY: Mapping[str, Callable[[Term], Term]] = {
    **{
        word: partial(call, f"math.{word}")
        for word in UNARY_OPS  # operations with the same name in MLIR
        if word not in ("abs", "neg", "square", "reciprocal", "round", "sign")
    },
    "abs": absolute,
    "neg": lambda x: -x,
    "square": lambda x: x * x,
    "reciprocal": lambda x: 1.0 / x,
    "round": partial(call, "math.roundeven"),
    "sign": lambda x: select(greater(x, 0.0), 1.0, select(less(x, 0.0), -1.0, 0.0)),
}
"""The formula of each word of `UNARY_OPS`."""


@layer
class AbsValOp(Function):
    """`y = |x|`."""

    FLOPS_PER_ELEMENT: ClassVar[int] = 1

    def formula(self, x: Term) -> Term:
        return absolute(x)


@layer
class ErfOp(Function):
    """`y = erf(x)`, the error function."""

    FLOPS_PER_ELEMENT: ClassVar[int] = 1

    def formula(self, x: Term) -> Term:
        return erf(x)


@layer
class ExpOp(Function):
    """`y = base ^ (shift + x * scale)`, with base e if `base` is -1."""

    FLOPS_PER_ELEMENT: ClassVar[int] = 3

    base = float_param(0, default=-1.0)
    scale = float_param(1, default=1.0)
    shift = float_param(2)

    def formula(self, x: Term) -> Term:
        exponent = affine(x, self.scale, self.shift)
        return exp(exponent) if self.base == -1 else term(self.base) ** exponent


@layer
class LogOp(Function):
    """`y = log(shift + x * scale) / log(base)`, the natural logarithm if `base` is -1."""

    FLOPS_PER_ELEMENT: ClassVar[int] = 3

    base = float_param(0, default=-1.0)
    scale = float_param(1, default=1.0)
    shift = float_param(2)

    def formula(self, x: Term) -> Term:
        of = log(affine(x, self.scale, self.shift))
        if self.base == -1:
            return of
        if self.base <= 0:
            raise NoFormula(f"a logarithm to the base {self.base} is undefined")
        return of / natural_log(self.base)


@layer
class UnaryOpOp(Function):
    """`y = op(x)`."""

    FLOPS_PER_ELEMENT: ClassVar[int] = 1

    op_type = enum_param(0, UNARY_OPS, shown=True, within=(0, len(UNARY_OPS) - 1))

    def formula(self, x: Term) -> Term:
        return _UNARY[UNARY_OPS[self.op_type]](x)
