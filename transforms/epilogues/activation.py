"""The scalar code of the layers in `dialects/ncnn/activation.py`."""

from collections.abc import Callable, Mapping, Sequence
from math import log as natural_log
from typing import Any

from xdsl.dialects import math

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
from ...dialects.ncnn.interfaces import ACTIVATIONS
from .registry import NotFused, scalar_code
from .terms import (
    Number,
    Term,
    affine,
    call,
    exp,
    greater,
    less,
    log,
    maximum,
    minimum,
    power,
    select,
    tanh,
)


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


def gated(x: Term, alpha: Any, beta: Any) -> Term:
    """HardSwish: `x * clamped(x * alpha + beta, 0, 1)`. (The runtime compares x with where the
    line is 0 and 1; that is the same for a line that rises.)"""
    if alpha > 0:
        return x * clamped(x * alpha + beta, 0.0, 1.0)
    raise NotFused("alpha is not positive")


@scalar_code(AbsValOp)
def absolute(op: Any, x: Term) -> Term:
    return call(math.AbsFOp, x)


@scalar_code(BNLLOp)
def bnll(op: Any, x: Term) -> Term:
    return maximum(x, 0.0) + log(exp(-call(math.AbsFOp, x)) + 1.0)


@scalar_code(CELUOp)
def celu(op: Any, x: Term) -> Term:
    return select(less(x, 0.0), (exp(x / op.alpha) - 1.0) * op.alpha, x)


@scalar_code(ClipOp)
def clip(op: Any, x: Term) -> Term:
    return clamped(x, op.min, op.max)


@scalar_code(ELUOp)
def elu(op: Any, x: Term) -> Term:
    return select(less(x, 0.0), (exp(x) - 1.0) * op.alpha, x)


@scalar_code(ErfOp)
def erf(op: Any, x: Term) -> Term:
    return call(math.ErfOp, x)


@scalar_code(ExpOp)
def exponential(op: Any, x: Term) -> Term:
    inner = affine(x, op.scale, op.shift)
    return exp(inner) if op.base == -1 else power(op.base, inner)


@scalar_code(GELUOp)
def gelu(op: Any, x: Term) -> Term:
    if op.fast_gelu:
        cubic = x * x * x * 0.044715
        return x * 0.5 * (tanh((x + cubic) * 0.79788452) + 1.0)
    return x * 0.5 * (call(math.ErfOp, x * 0.70710678) + 1.0)


@scalar_code(HardSigmoidOp)
def hard_sigmoid(op: Any, x: Term) -> Term:
    if op.alpha > 0:
        return clamped(x * op.alpha + op.beta, 0.0, 1.0)
    raise NotFused("alpha is not positive")


@scalar_code(HardSwishOp)
def hard_swish(op: Any, x: Term) -> Term:
    return gated(x, op.alpha, op.beta)


@scalar_code(LogOp)
def logarithm(op: Any, x: Term) -> Term:
    inner = log(affine(x, op.scale, op.shift))
    if op.base == -1:
        return inner
    if op.base <= 0:
        raise NotFused(f"a logarithm to the base {op.base}")
    return inner / natural_log(op.base)


@scalar_code(MishOp)
def mish(op: Any, x: Term) -> Term:
    return x * tanh(log(exp(x) + 1.0))


@scalar_code(PReLUOp)
def prelu(op: Any, x: Term, slope: Term) -> Term:
    return rectified(x, slope)


@scalar_code(ReLUOp)
def relu(op: Any, x: Term) -> Term:
    return rectified(x, op.slope)


@scalar_code(SELUOp)
def selu(op: Any, x: Term) -> Term:
    negative = (exp(x) - 1.0) * op.alpha * op.lambd
    return select(less(x, 0.0), negative, x * op.lambd)


@scalar_code(ShrinkOp)
def shrink(op: Any, x: Term) -> Term:
    above = select(greater(x, op.lambd), x - op.bias, 0.0)
    return select(less(x, -op.lambd), x + op.bias, above)


@scalar_code(SigmoidOp)
def logistic(op: Any, x: Term) -> Term:
    return sigmoid(x)


@scalar_code(SoftplusOp)
def softplus(op: Any, x: Term) -> Term:
    return log(exp(x) + 1.0)


@scalar_code(SwishOp)
def swish(op: Any, x: Term) -> Term:
    return x / (exp(-x) + 1.0)


@scalar_code(TanHOp)
def hyperbolic_tangent(op: Any, x: Term) -> Term:
    return tanh(x)


@scalar_code(ThresholdOp)
def threshold(op: Any, x: Term) -> Term:
    return select(greater(x, op.threshold), 1.0, 0.0)


_UNARY: Mapping[str, Callable[[Term], Term]] = {
    "abs": lambda x: call(math.AbsFOp, x),
    "neg": lambda x: -x,
    "floor": lambda x: call(math.FloorOp, x),
    "ceil": lambda x: call(math.CeilOp, x),
    "square": lambda x: x * x,
    "sqrt": lambda x: call(math.SqrtOp, x),
    "rsqrt": lambda x: call(math.RsqrtOp, x),
    "exp": exp,
    "log": log,
    "sin": lambda x: call(math.SinOp, x),
    "cos": lambda x: call(math.CosOp, x),
    "tan": lambda x: call(math.TanOp, x),
    "asin": lambda x: call(math.AsinOp, x),
    "acos": lambda x: call(math.AcosOp, x),
    "atan": lambda x: call(math.AtanOp, x),
    "reciprocal": lambda x: 1.0 / x,
    "tanh": tanh,
    "log10": lambda x: call(math.Log10Op, x),
    "round": lambda x: call(math.RoundEvenOp, x),
    "trunc": lambda x: call(math.TruncOp, x),
    "sign": lambda x: select(greater(x, 0.0), 1.0, select(less(x, 0.0), -1.0, 0.0)),
    "expm1": lambda x: call(math.ExpM1Op, x),
    "sinh": lambda x: call(math.SinhOp, x),
    "asinh": lambda x: call(math.AsinhOp, x),
    "cosh": lambda x: call(math.CoshOp, x),
    "acosh": lambda x: call(math.AcoshOp, x),
    "atanh": lambda x: call(math.AtanhOp, x),
    "log1p": lambda x: call(math.Log1pOp, x),
}


@scalar_code(UnaryOpOp)
def unary(op: Any, x: Term) -> Term:
    return _UNARY[UNARY_OPS[op.op_type]](x)


def activation(type_: int, params: Sequence[float], x: Term) -> Term:
    """What a layer's `activation_type` makes of its output."""
    match ACTIVATIONS[type_]:
        case "none":
            return x
        case "relu":
            return rectified(x, 0.0)
        case "leakyrelu":
            return rectified(x, params[0])
        case "clip":
            return clamped(x, params[0], params[1])
        case "sigmoid":
            return sigmoid(x)
        case "mish":
            return x * tanh(log(exp(x) + 1.0))
        case _:
            return gated(x, params[0], params[1])
