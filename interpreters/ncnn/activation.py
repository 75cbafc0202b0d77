"""What the layers of `dialects/ncnn/activation.py` compute, in float32."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from ...dialects.ncnn.activation import (
    UNARY_OPS,
    AbsValOp,
    BNLLOp,
    CELUOp,
    ClipOp,
    ELUOp,
    ErfOp,
    ExpOp,
    GELUOp,
    HardSigmoidOp,
    HardSwishOp,
    LogOp,
    MishOp,
    PReLUOp,
    ReLUOp,
    SELUOp,
    ShrinkOp,
    SigmoidOp,
    SoftplusOp,
    SwishOp,
    TanHOp,
    ThresholdOp,
    UnaryOpOp,
)
from .erf import erf, erfc
from .semantics import Array, Weights, semantics

Unary = Callable[[Array], Array]

_SIGMOID_LIMIT = np.float32(88.3762626647949)
"""Beyond it the runtime's exp would overflow, so Sigmoid clamps there."""


def sigmoid(x: Array) -> Array:
    """`1 / (1 + exp(-x))`."""
    return 1 / (1 + np.exp(-np.clip(x, -_SIGMOID_LIMIT, _SIGMOID_LIMIT)))


def clip(x: Array, least: float, most: float) -> Array:
    """Clamped to bounds, the upper one if they cross; NaN stays NaN."""
    x = np.where(x < least, np.float32(least), x)
    return np.where(x > most, np.float32(most), x)


def hard_sigmoid(x: Array, alpha: float, beta: float) -> Array:
    """`x * alpha + beta`, 0 and 1 beyond where that is 0 and 1."""
    lower = np.float32(-beta) / np.float32(alpha)
    upper = 1 / np.float32(alpha) + lower
    middle = x * np.float32(alpha) + np.float32(beta)
    return np.where(x < lower, np.float32(0), np.where(x > upper, np.float32(1), middle))


def hard_swish(x: Array, alpha: float, beta: float) -> Array:
    """`x` times `hard_sigmoid`."""
    return x * hard_sigmoid(x, alpha, beta)


def leaky_relu(x: Array, slope: float) -> Array:
    """`x`, negative values times the slope; int8 stays so, unless the slope is 0, as in the
    runtime."""
    if slope == 0:
        return np.where(x < 0, x.dtype.type(0), x)
    return x if x.dtype == np.int8 else np.where(x < 0, x * np.float32(slope), x)


def mish(x: Array) -> Array:
    """`x * tanh(log(1 + exp(x)))`."""
    return x * np.tanh(np.logaddexp(x, np.float32(0)))


def swish(x: Array) -> Array:
    """`x / (1 + exp(-x))`."""
    return x / (1 + np.exp(-x))


UNARY_FUNCTIONS: Mapping[str, Unary] = {
    "abs": np.abs,
    "neg": np.negative,
    "floor": np.floor,
    "ceil": np.ceil,
    "square": np.square,
    "sqrt": np.sqrt,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "exp": np.exp,
    "log": np.log,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "reciprocal": lambda x: 1 / x,
    "tanh": np.tanh,
    "log10": np.log10,
    "round": np.rint,
    "trunc": np.trunc,
    "sign": lambda x: (x > 0).astype(x.dtype) - (x < 0).astype(x.dtype),
    "expm1": np.expm1,
    "sinh": np.sinh,
    "asinh": np.arcsinh,
    "cosh": np.cosh,
    "acosh": np.arccosh,
    "atanh": np.arctanh,
    "log1p": np.log1p,
}
"""What each word of `UNARY_OPS` computes."""


@semantics(UnaryOpOp)
def unary_op(op: UnaryOpOp, inputs: Sequence[Array], weights: Weights) -> Array:
    return UNARY_FUNCTIONS[UNARY_OPS[op.op_type]](inputs[0])


@semantics(AbsValOp)
def absval(op: AbsValOp, inputs: Sequence[Array], weights: Weights) -> Array:
    return np.abs(inputs[0])


@semantics(BNLLOp)
def bnll(op: BNLLOp, inputs: Sequence[Array], weights: Weights) -> Array:
    (x,) = inputs
    return np.where(x > 0, x, 0) + np.log(1 + np.exp(-np.abs(x)))


@semantics(CELUOp)
def celu(op: CELUOp, inputs: Sequence[Array], weights: Weights) -> Array:
    (x,) = inputs
    alpha = np.float32(op.alpha)
    return np.where(x < 0, (np.exp(x / alpha) - 1) * alpha, x)


@semantics(ClipOp)
def clip_layer(op: ClipOp, inputs: Sequence[Array], weights: Weights) -> Array:
    return clip(inputs[0], op.min, op.max)


@semantics(ELUOp)
def elu(op: ELUOp, inputs: Sequence[Array], weights: Weights) -> Array:
    (x,) = inputs
    return np.where(x < 0, np.float32(op.alpha) * (np.exp(x) - 1), x)


@semantics(ErfOp)
def erf_layer(op: ErfOp, inputs: Sequence[Array], weights: Weights) -> Array:
    return erf(inputs[0])


@semantics(ExpOp)
def exp(op: ExpOp, inputs: Sequence[Array], weights: Weights) -> Array:
    exponent = np.float32(op.shift) + inputs[0] * np.float32(op.scale)
    return np.exp(exponent) if op.base == -1 else np.power(np.float32(op.base), exponent)


@semantics(GELUOp)
def gelu(op: GELUOp, inputs: Sequence[Array], weights: Weights) -> Array:
    (x,) = inputs
    if op.fast_gelu:
        inner = np.float32(0.79788452) * (x + np.float32(0.044715) * x * x * x)
        return np.float32(0.5) * x * (1 + np.tanh(inner))
    return 0.5 * x * erfc(np.float32(-0.70710678) * x)


@semantics(HardSigmoidOp)
def hard_sigmoid_layer(op: HardSigmoidOp, inputs: Sequence[Array], weights: Weights) -> Array:
    return hard_sigmoid(inputs[0], op.alpha, op.beta)


@semantics(HardSwishOp)
def hard_swish_layer(op: HardSwishOp, inputs: Sequence[Array], weights: Weights) -> Array:
    return hard_swish(inputs[0], op.alpha, op.beta)


@semantics(LogOp)
def log(op: LogOp, inputs: Sequence[Array], weights: Weights) -> Array:
    value = np.log(np.float32(op.shift) + inputs[0] * np.float32(op.scale))
    return value if op.base == -1 else value * (1 / np.log(np.float32(op.base)))


@semantics(MishOp)
def mish_layer(op: MishOp, inputs: Sequence[Array], weights: Weights) -> Array:
    return mish(inputs[0])


@semantics(PReLUOp)
def prelu(op: PReLUOp, inputs: Sequence[Array], weights: Weights) -> Array:
    (x,), slope = inputs, weights["slope"]
    assert slope is not None
    if slope.size > 1:
        slope = slope.reshape(-1, *(1,) * (x.ndim - 1))
    return np.where(x < 0, x * slope, x)


@semantics(ReLUOp)
def relu(op: ReLUOp, inputs: Sequence[Array], weights: Weights) -> Array:
    return leaky_relu(inputs[0], op.slope)


@semantics(SELUOp)
def selu(op: SELUOp, inputs: Sequence[Array], weights: Weights) -> Array:
    (x,) = inputs
    alpha, scale = np.float32(op.alpha), np.float32(op.lambd)
    return np.where(x < 0, (np.exp(x) - 1) * (alpha * scale), x * scale)


@semantics(ShrinkOp)
def shrink(op: ShrinkOp, inputs: Sequence[Array], weights: Weights) -> Array:
    (x,) = inputs
    bias = np.float32(op.bias)
    above = np.where(x > op.lambd, x - bias, np.float32(0))
    return np.where(x < -op.lambd, x + bias, above)


@semantics(SigmoidOp)
def sigmoid_layer(op: SigmoidOp, inputs: Sequence[Array], weights: Weights) -> Array:
    return sigmoid(inputs[0])


@semantics(SoftplusOp)
def softplus(op: SoftplusOp, inputs: Sequence[Array], weights: Weights) -> Array:
    return np.log(np.exp(inputs[0]) + 1)


@semantics(SwishOp)
def swish_layer(op: SwishOp, inputs: Sequence[Array], weights: Weights) -> Array:
    return swish(inputs[0])


@semantics(TanHOp)
def tanh(op: TanHOp, inputs: Sequence[Array], weights: Weights) -> Array:
    return np.tanh(inputs[0])


@semantics(ThresholdOp)
def threshold(op: ThresholdOp, inputs: Sequence[Array], weights: Weights) -> Array:
    return (inputs[0] > np.float32(op.threshold)).astype("f4")
