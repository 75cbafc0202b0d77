"""Functions of PyTorch, composed of layers that compute the same results for all signs.

Some of the runtime's functions of the same name differ. `pow` is `exp(b * log(a))` in vector code,
and returns 2.4e38 for a zero or negative base. `remainder` rounds the quotient to the nearest
integer, so the result may have either sign. `fmod` and `floor_divide` use the rounded quotient:
`fmod(55, 55)` is 55 if the compiler replaces the division by a multiplication with a reciprocal.
"""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from xdsl.ir import SSAValue

from ...dialects.ncnn.activation import ClipOp
from ...dialects.ncnn.elementwise import BINARY_OPS, BinaryOpOp
from ...dialects.ncnn.params import to_float32
from ...dialects.ncnn.unary import UNARY_OPS, ErfOp, UnaryOpOp
from ..rewriting.axis_merging import broadcast_shapes
from ..rewriting.layer_builder import Shape
from .legalization import TensorBuilder
from .pnnx_expressions import MAX_POWER

SMALLEST, LARGEST = 2.0**-126, to_float32(3.4028234e38)
"""The smallest and largest normal numbers of float32."""

_HALF = 12
"""The number of bits of a factor whose product with an integer below 2**12 is exact."""


class ShapedValue(NamedTuple):
    """A value of an expression."""

    ssa: SSAValue
    shape: Shape
    """Its shape in PyTorch."""


FunctionOperand = ShapedValue | float
"""An operand of a function. Functions of known numbers are computed immediately."""


class Functions:
    """Inserts the layers of functions of values and numbers."""

    def __init__(self, builder: TensorBuilder) -> None:
        self.builder = builder

    # -- single layers

    def unary(self, word: str, x: FunctionOperand) -> FunctionOperand:
        """Insert a UnaryOp, or Erf."""
        if not isinstance(x, ShapedValue):
            return float((x > 0) - (x < 0)) if word == "sign" else abs(x)
        shape = self.builder.fold(x.shape)
        source = self.builder.reshape(x.ssa, shape)
        if word == "erf":
            made = self.builder.layer(ErfOp, [source], shape)
        else:
            made = self.builder.layer(UnaryOpOp, [source], shape, op_type=UNARY_OPS.index(word))
        return ShapedValue(made[0], x.shape)

    def binary(self, word: str, a: FunctionOperand, b: FunctionOperand) -> FunctionOperand:
        """Insert a BinaryOp, unless an operand is neutral."""
        if b == _NEUTRAL.get(word):
            return a
        if a == _NEUTRAL.get(word) and word in ("add", "mul"):
            return b
        if isinstance(a, ShapedValue):
            return (
                self._of_two(word, a, b) if isinstance(b, ShapedValue) else self._scalar(word, a, b)
            )
        if isinstance(b, ShapedValue):
            return self._scalar(f"r{word}" if f"r{word}" in BINARY_OPS else word, b, a)
        assert word == "mul"  # no other function is called with two numbers
        return to_float32(a * b)

    def _scalar(self, word: str, x: ShapedValue, number: float) -> ShapedValue:
        shape = self.builder.fold(x.shape)
        params = {"op_type": BINARY_OPS.index(word), "with_scalar": 1, "b": number}
        made = self.builder.layer(BinaryOpOp, [self.builder.reshape(x.ssa, shape)], shape, **params)
        return ShapedValue(made[0], x.shape)

    def _of_two(self, word: str, a: ShapedValue, b: ShapedValue) -> ShapedValue:
        """Insert a BinaryOp of two values whose shapes broadcast in at most four dims."""
        folded = self.builder.fold_together([a.shape, b.shape])
        shape = broadcast(a.shape, b.shape)
        assert folded is not None
        assert shape is not None
        out = tuple(max(column) for column in zip(*folded, strict=True))
        blobs = [self.builder.reshape(v.ssa, s) for v, s in zip((a, b), folded, strict=True)]
        return ShapedValue(self.builder.binary(word, blobs[0], blobs[1], out), shape)

    def clipped(self, x: ShapedValue, low: float, high: float) -> ShapedValue:
        """Insert a Clip."""
        shape = self.builder.fold(x.shape)
        source = self.builder.reshape(x.ssa, shape)
        return ShapedValue(
            self.builder.layer(ClipOp, [source], shape, min=low, max=high)[0], x.shape
        )

    # -- functions of several layers

    def call(self, word: str, arguments: Sequence[FunctionOperand]) -> FunctionOperand:
        """Insert the layers of a function in `pnnx_expressions.BINARY` or `UNARY`."""
        if len(arguments) == 1:
            return self.unary(word, arguments[0])
        a, b = arguments
        if word in _COMPOSED:
            return _COMPOSED[word](self, a, b)
        return self.binary(word, a, b)

    def power(self, x: FunctionOperand, exponent: FunctionOperand) -> FunctionOperand:
        """Return `x ** exponent`.

        An integer exponent gives multiplications, and 1/2 a square root. Other exponents give
        `sqrt(x) * x' ** (exponent - 1/2)`, with x' clipped to normal numbers. The first factor
        gives the right result for 0 and NaN for a negative x; the second factor is finite.
        Negative exponents use `rsqrt` instead.
        """
        if isinstance(exponent, ShapedValue):
            return self._integer_power(exponent, 0) if x == 1 else self.binary("pow", x, exponent)
        assert isinstance(x, ShapedValue)  # expressions without operands are refused
        exponent = float(exponent)
        half = math.copysign(0.5, exponent)
        if exponent.is_integer():
            return self._integer_power(x, int(exponent))
        root = self.unary("sqrt" if exponent > 0 else "rsqrt", x)
        if (2 * exponent).is_integer() and abs(exponent) < MAX_POWER:
            if exponent == half:
                return root
            return self.binary("mul", self._integer_power(x, int(exponent)), root)
        normal = self.clipped(x, SMALLEST, LARGEST)
        rest = self.binary("pow", normal, to_float32(exponent - half))
        return self.binary("mul", root, rest)

    def _integer_power(self, x: ShapedValue, exponent: int) -> FunctionOperand:
        if exponent == 0:  # also for NaN and infinities, whose sign is finite
            return self.binary("add", self.binary("mul", self.unary("sign", x), 0.0), 1.0)
        square = x if exponent > 0 else self.unary("reciprocal", x)
        found: FunctionOperand = 1.0
        left = abs(exponent)
        while True:
            if left % 2:
                found = self.binary("mul", found, square)
            left //= 2
            if not left:
                return found
            square = self.unary("square", square)

    def fmod(self, a: FunctionOperand, b: FunctionOperand) -> FunctionOperand:
        """Return `fmod`, with the sign of `a`."""
        rest = self._divided(self.unary("abs", a), self.unary("abs", b))[1]
        return self.binary("mul", rest, self.unary("sign", a))

    def remainder(self, a: FunctionOperand, b: FunctionOperand) -> FunctionOperand:
        """Return `remainder`, with the sign of `b`: `fmod`, plus `b` where the signs differ."""
        rest = self.fmod(a, b)
        return self.binary("sub", rest, self.binary("mul", self._differs(rest, b), b))

    def floor_divide(self, a: FunctionOperand, b: FunctionOperand) -> FunctionOperand:
        """Return `floor_divide`: the truncated quotient, minus one where the signs of `fmod` and
        `b` differ."""
        quotient, rest = self._divided(self.unary("abs", a), self.unary("abs", b))
        sign = self.unary("sign", a)
        down = self._differs(self.binary("mul", rest, sign), b)
        signed = self.binary("mul", self.binary("mul", quotient, sign), self.unary("sign", b))
        return self.binary("add", signed, down)

    def _differs(self, rest: FunctionOperand, b: FunctionOperand) -> FunctionOperand:
        """Return -1 where the signs of two values are opposite, else 0."""
        product = self.binary("mul", self.unary("sign", rest), self.unary("sign", b))
        return self.binary("min", product, 0.0)

    def _divided(
        self, a: FunctionOperand, b: FunctionOperand
    ) -> tuple[FunctionOperand, FunctionOperand]:
        """Return the floored quotient and the remainder in [0, b), for a >= 0 and b > 0.

        The quotient is rounded before it is floored, so it may be too small or too large by one.
        Then the remainder is at least b, or negative, and both are corrected. A product with a
        number is subtracted in two parts that are exact for quotients below 2**12.
        """
        quotient = self.unary("floor", self.binary("div", a, b))
        rest = a
        for part in (b,) if isinstance(b, ShapedValue) else _parts(b):
            rest = self.binary("sub", rest, self.binary("mul", quotient, part))
        # sign(x) is -1, 0 or 1, so min(sign(x), 0) is -1 where x < 0 and else 0.
        small = self.binary("min", self.unary("sign", self.binary("sub", rest, b)), 0.0)
        up = self.binary("add", small, 1.0)
        rest = self.binary("sub", rest, self.binary("mul", up, b))
        down = self.binary("min", self.unary("sign", rest), 0.0)
        rest = self.binary("sub", rest, self.binary("mul", down, b))
        return self.binary("add", self.binary("add", quotient, up), down), rest


_COMPOSED: dict[str, Callable[[Functions, FunctionOperand, FunctionOperand], FunctionOperand]] = {
    "pow": Functions.power,
    "remainder": Functions.remainder,
    "fmod": Functions.fmod,
    "floor_divide": Functions.floor_divide,
}
"""The functions that differ from the layer of the same name."""

_NEUTRAL = {"add": 0.0, "sub": 0.0, "mul": 1.0, "div": 1.0}
"""The neutral second operand."""


def broadcast(a: Shape, b: Shape) -> Shape | None:
    """Return the common shape after broadcasting as in PyTorch; `None` if the shapes do not
    broadcast, or need more than four dims."""
    rank = max(len(a), len(b))
    columns = list(zip(*((1,) * (rank - len(s)) + s for s in (a, b)), strict=True))
    if any(m != n and 1 not in (m, n) for m, n in columns):
        return None
    if a != b and broadcast_shapes([a, b]) is None:
        return None
    return tuple(max(column) for column in columns)


def _parts(b: float) -> tuple[float, ...]:
    """Split a number into a number of few bits and a rest, which is omitted if it is zero."""
    mantissa, exponent = math.frexp(b)
    high = math.ldexp(math.floor(mantissa * 2**_HALF), exponent - _HALF)
    return (high,) if high == b else (high, b - high)
