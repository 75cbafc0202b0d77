"""What one layer computes, as a formula of its inputs."""

from collections.abc import Callable
from math import inf

from xdsl.ir import SSAValue

from ....dialects.ncnn.activation import (
    FLT_MAX,
    BNLLOp,
    ClipOp,
    HardSigmoidOp,
    ReLUOp,
    SigmoidOp,
    SoftplusOp,
    TanHOp,
)
from ....dialects.ncnn.blob import element_count, rank_of
from ....dialects.ncnn.certain import certain_rank
from ....dialects.ncnn.constant import constant_of
from ....dialects.ncnn.elementwise import (
    BINARY_OPS,
    BinaryOpOp,
    DropoutOp,
    EltwiseOp,
    PowerOp,
)
from ....dialects.ncnn.layer import LayerOp
from ....dialects.ncnn.pooling import Pooling1DOp, Pooling3DOp, PoolingOp
from ....dialects.ncnn.reduction import REDUCTIONS, ReductionOp
from ....dialects.ncnn.unary import UNARY_OPS, ErfOp, ExpOp, LogOp, UnaryOpOp
from .algebra import (
    Clip,
    Number,
    Product,
    Sum,
    Term,
    Value,
    clip,
    erf,
    exp,
    largest,
    log,
    mean,
    root,
    sigmoid,
    softplus,
    tanh,
    total,
)

_FUNCTIONS: dict[type[LayerOp], Callable[[Term], Term]] = {
    SigmoidOp: sigmoid,
    TanHOp: tanh,
    ErfOp: erf,
    SoftplusOp: softplus,
    BNLLOp: softplus,
}
"""Layers that are a function without parameters."""

_UNARY: dict[str, Callable[[Term], Term]] = {
    "neg": lambda x: -x,
    "square": lambda x: x**2.0,
    "sqrt": root,
    "rsqrt": lambda x: x**-0.5,
    "reciprocal": lambda x: x**-1.0,
    "exp": exp,
    "log": log,
    "log1p": lambda x: log(1.0 + x),
    "tanh": tanh,
}
"""What UnaryOp does, by the word for it."""

_BINARY: dict[str, Callable[[Term, Term], Term | None]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: _quotient(a, b),
    "rsub": lambda a, b: b - a,
    "rdiv": lambda a, b: _quotient(b, a),
    "max": lambda a, b: _bounded(a, b, lower=True),
    "min": lambda a, b: _bounded(a, b, lower=False),
    "pow": lambda a, b: _power(a, b),
}
"""What BinaryOp does, by the word for it."""


def meaning_of(op: LayerOp) -> Term | None:
    """The formula of a layer's only output; `None` if it is not one of what these terms say, or if
    that depends on a shape that is not known."""
    if op.extra is not None or len(op.results) != 1:
        return None
    if (function := _FUNCTIONS.get(type(op))) is not None:
        return function(Value(op.operands[0]))
    match op:
        case BinaryOpOp():
            return _binary(op)
        case EltwiseOp():
            return _eltwise(op)
        case UnaryOpOp() if op.op_type < len(UNARY_OPS):
            function = _UNARY.get(UNARY_OPS[op.op_type])
            return None if function is None else function(Value(op.input))
        case ClipOp():
            return clip(Value(op.input), _bound(op.min), _bound(op.max))
        case ReLUOp() if op.slope == 0:
            return clip(Value(op.input), 0.0, inf)
        case HardSigmoidOp() if op.alpha > 0:  # else it is something else in the runtime
            return clip(op.alpha * Value(op.input) + op.beta, 0.0, 1.0)
        case DropoutOp():
            return op.scale * Value(op.input)
        case PowerOp():
            base = _line(op.input, op.scale, op.shift)
            return base if op.power == 1 else base**op.power
        case ExpOp() if op.base == -1:
            return exp(_line(op.input, op.scale, op.shift))
        case LogOp() if op.base == -1:
            return log(_line(op.input, op.scale, op.shift))
        case ReductionOp():
            return _reduction(op)
        case PoolingOp() | Pooling1DOp() | Pooling3DOp() if op.global_pooling:
            kind, rank = mean if op.pooling_type else largest, certain_rank(op.input) or 0
            return kind(Value(op.input), frozenset(range(1, rank))) if rank > 1 else None
        case _:
            return None


def scalar_of(value: SSAValue, other: SSAValue) -> float | None:
    """The number that a constant of one element is to another blob; `None` if the constant is
    something else, or gives the other blob more dims."""
    constant = constant_of(value)
    if constant is None or element_count(value) != 1 or not constant.has_values():
        return None
    rank = rank_of(value) or 0
    if rank > 1 and rank > (certain_rank(other) or 0):
        return None
    values = constant.read()
    return float(values.astype("f8").reshape(-1)[0]) if values.dtype.kind == "f" else None


def _line(x: SSAValue, scale: float, shift: float) -> Term:
    scaled = Value(x) if scale == 1 else scale * Value(x)
    return scaled if shift == 0 else scaled + shift


def _binary(op: BinaryOpOp) -> Term | None:
    if not 0 <= op.op_type < len(BINARY_OPS):
        return None
    a: Term = Value(op.inputs[0])
    if op.with_scalar:
        b: Term = Number(op.b)
    else:
        b = Value(op.inputs[1])
        if (number := scalar_of(op.inputs[1], op.inputs[0])) is not None:
            b = Number(number)
        elif (number := scalar_of(op.inputs[0], op.inputs[1])) is not None:
            a = Number(number)
    function = _BINARY.get(BINARY_OPS[op.op_type])
    return None if function is None else function(a, b)


def _quotient(a: Term, b: Term) -> Term | None:
    return None if isinstance(b, Number) and b.value == 0 else a / b


def _bounded(a: Term, b: Term, *, lower: bool) -> Term | None:
    """The larger, or else the smaller, of a term and a number."""
    of, bound = (b, a) if isinstance(a, Number) else (a, b)
    if not isinstance(bound, Number):
        return None
    bound = Number(_bound(bound.value))
    return Clip(of, bound, Number(inf)) if lower else Clip(of, Number(-inf), bound)


def _power(a: Term, b: Term) -> Term | None:
    # The runtime takes powers through the logarithm, on all platforms with vectors: of negative
    # numbers nothing comes out, so that with a whole exponent this is not what the formula says.
    return a**b.value if isinstance(b, Number) and b.value % 1 else None


def _bound(value: float) -> float:
    """A bound of Clip, infinite where the runtime means no bound."""
    return value if abs(value) < FLT_MAX else inf if value > 0 else -inf


def _eltwise(op: EltwiseOp) -> Term | None:
    values = tuple(Value(v) for v in op.inputs)
    if op.op_type == 0:
        return Product(values)
    if op.op_type == 1 and not op.coeffs:
        return Sum(values)
    if op.op_type == 1 and len(op.coeffs) == len(values):
        return Sum(tuple(c * v for c, v in zip(op.coeffs, values, strict=True)))
    return None


def _reduction(op: ReductionOp) -> Term | None:
    x, rank = Value(op.input), certain_rank(op.input)
    reduced = None if rank is None else op.reduced_axes(rank)
    if rank is None or not reduced:
        return None
    # Without `keepdims`, BinaryOp puts the lost axes back as the innermost ones, whatever the
    # extents are: what is left of the axes is as long as the outermost ones that it meets.
    if not op.keepdims and reduced != set(range(rank - len(reduced), rank)):
        return None
    axes = frozenset(reduced)
    match REDUCTIONS[op.operation]:
        case "mean":
            found = mean(x, axes)
        case "max":
            found = largest(x, axes)
        case "sum":
            found = total(x, axes)
        case "sumsq":
            found = total(x**2.0, axes)
        case "l2":
            found = root(total(x**2.0, axes))
        case _:
            return None
    return found if op.coeff == 1 else op.coeff * found
