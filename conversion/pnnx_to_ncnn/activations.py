"""Element-wise functions, softmax and GLU.

Most are one layer of ncnn, on a blob of any shape. The others are composed of several layers.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from xdsl.ir import SSAValue

from ...dialects.ncnn import activation as layers
from ...dialects.ncnn.reduction import REDUCTIONS, GLUOp, ReductionOp, SoftmaxOp
from ...dialects.ncnn.unary import UNARY_OPS, UnaryOpOp
from ...dialects.pnnx.operations import OperatorOp
from ...transforms.pnnx_legalization.legalization import resized
from .lowering import Lowering, OperatorBuilder, Refusal

LARGEST = 3.4028234663852886e38
Params = Mapping[str, Any]


def keeps_shape(
    cls: type[Any], params: Callable[[OperatorBuilder], Params] | None = None
) -> Lowering:
    """Return the lowering of a function to one layer on a blob of any shape."""

    def lower(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
        given: Params = {} if params is None else params(b)
        b.expect(b.inputs[0])
        return [b.unary_layer(cls, op.inputs[0], b.fold(b.inputs[0]), **given)]

    return lower


def same(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
    """Return the operand: the operator changes no element."""
    b.expect(b.inputs[0])
    return [op.inputs[0]]


def _gelu(b: OperatorBuilder) -> Params:
    word = b.operator.param("approximate", "none")
    if word not in ("none", "tanh"):
        raise Refusal(f"'approximate' is {word}")
    return {"fast_gelu": int(word == "tanh")}


def _bounds(low: str, high: str) -> Callable[[OperatorBuilder], Params]:
    def params(b: OperatorBuilder) -> Params:
        bounds = [b.operator.param(key, None) for key in (low, high)]
        bounds = [float("nan") if v is None else v for v in bounds]
        if any(isinstance(v, bool) or not isinstance(v, int | float) for v in bounds):
            raise Refusal("its bounds are no numbers")
        at = [-LARGEST, LARGEST]
        return dict(
            zip(
                ("min", "max"),
                (
                    d if math.isnan(v) else max(min(float(v), LARGEST), -LARGEST)
                    for v, d in zip(bounds, at, strict=True)
                ),
                strict=True,
            )
        )

    return params


def softplus(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
    """Lower `log(1 + exp(beta * x)) / beta`."""
    shape, beta = b.inputs[0], b.number("beta", 1.0)
    b.expect(shape)
    if beta == 0:
        raise Refusal("'beta' is 0")
    x = op.inputs[0] if beta == 1 else b.scalar("mul", op.inputs[0], beta, shape)
    y = b.unary_layer(layers.SoftplusOp, x, b.fold(shape))
    return [y if beta == 1 else b.scalar("div", y, beta, shape)]


def against(function: str) -> Lowering:
    """Return the lowering of the larger or smaller one of two operands."""

    def lower(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
        if len(op.inputs) != 2:
            raise Refusal(f"it has {len(op.inputs)} operands")
        return [b.broadcast(function, op.inputs[0], op.inputs[1], b.inputs)]

    return lower


def prelu(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
    """Lower a PReLU with one slope, or one for each channel: axis 1, or the only axis."""
    shape = b.inputs[0]
    b.expect(shape)
    if len(op.inputs) > 1:
        slopes = b.known(op.inputs[1], "its weight").reshape(-1)
    else:
        slopes = b.weight("weight").reshape(-1)
    weights = {"slope": b.constant(slopes)}
    blob = b.fold(shape)
    x = op.inputs[0]
    if slopes.size > 1:
        axis = min(1, len(shape) - 1)
        if shape[axis] != slopes.size:
            raise Refusal(f"it has {slopes.size} slopes for {shape[axis]} channels")
        order = (axis, *(i for i in range(len(shape)) if i != axis))
        moved = tuple(shape[i] for i in order)
        inner = moved[1:]
        blob = (moved[0], math.prod(inner)) if len(shape) != 4 or shape[0] != 1 else shape[1:]
        x = b.permute(x, shape, order)
        y = b.layer_with_weights(
            layers.PReLUOp, [b.reshape(x, blob)], weights, blob, num_slope=slopes.size
        )[0]
        return [b.permute(y, moved, tuple(order.index(i) for i in range(len(shape))))]
    return b.layer_with_weights(
        layers.PReLUOp, [b.reshape(x, blob)], weights, blob, num_slope=slopes.size
    )


def softmax(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
    """Lower a softmax along one axis."""
    return [_softmax(op, b, b.axis("dim"))]


def softmax2d(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
    """Lower `nn.Softmax2d`: a softmax along the channels."""
    return [_softmax(op, b, len(b.inputs[0]) - 3)]


def _softmax(op: OperatorOp, b: OperatorBuilder, axis: int) -> SSAValue:
    b.expect(b.inputs[0])
    whole, at = b.fold_around(b.inputs[0], axis)
    return b.unary_layer(SoftmaxOp, op.inputs[0], whole, axis=at, fixbug0=1)


def log_softmax(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
    """Lower `x - max(x) - log(sum(exp(x - max(x))))` along one axis."""
    axis = b.axis("dim")
    b.expect(b.inputs[0])
    whole, at = b.fold_around(b.inputs[0], axis)
    one = resized(whole, at, 1)
    x = b.reshape(op.inputs[0], whole)
    how = {"reduce_all": 0, "keepdims": 1, "fixbug0": 1}
    most = b.layer(ReductionOp, [x], one, operation=REDUCTIONS.index("max"), axes=(at,), **how)[0]
    x = b.binary("sub", x, most, whole)
    word = REDUCTIONS.index("logsumexp")
    log = b.layer(ReductionOp, [x], one, operation=word, axes=(at,), **how)[0]
    return [b.binary("sub", x, log, whole)]


def glu(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
    """Lower `a * sigmoid(b)` of the halves along an axis."""
    axis = b.axis("dim", -1)
    shape = b.inputs[0]
    b.expect(resized(shape, axis, shape[axis] // 2))
    whole, at = b.fold_around(shape, axis)
    out = resized(whole, at, whole[at] // 2)
    return b.layer(GLUOp, [b.reshape(op.inputs[0], whole)], out, axis=at)


def log_sigmoid(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
    """Lower `log(sigmoid(x))` as `-softplus(-x)`, which is exact for large negative numbers."""
    shape = b.inputs[0]
    b.expect(shape)
    y = b.unary_layer(layers.SoftplusOp, b.scalar("mul", op.inputs[0], -1.0, shape), b.fold(shape))
    return [b.scalar("mul", y, -1.0, shape)]


def softsign(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
    """Lower `x / (1 + |x|)`."""
    shape = b.fold(b.inputs[0])
    b.expect(b.inputs[0])
    x = b.reshape(op.inputs[0], shape)
    size = b.unary_layer(UnaryOpOp, x, shape, op_type=UNARY_OPS.index("abs"))
    size = b.scalar("add", size, 1.0, shape)
    return [b.binary("div", x, b.reshape(size, shape), shape)]


def tanhshrink(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
    """Lower `x - tanh(x)`."""
    shape = b.fold(b.inputs[0])
    b.expect(b.inputs[0])
    x = b.reshape(op.inputs[0], shape)
    return [b.binary("sub", x, b.unary_layer(layers.TanHOp, x, shape), shape)]


def unary(word: str) -> Lowering:
    """Return the lowering of a function of UnaryOp."""
    return keeps_shape(UnaryOpOp, lambda b: {"op_type": UNARY_OPS.index(word)})


SIXTH = 1 / 6
_FUNCTIONS: Mapping[str, Lowering] = {
    "relu": keeps_shape(layers.ReLUOp),
    "relu6": keeps_shape(layers.ClipOp, lambda b: {"min": 0.0, "max": 6.0}),
    "leaky_relu": keeps_shape(layers.ReLUOp, lambda b: {"slope": b.number("negative_slope", 0.01)}),
    "hardtanh": keeps_shape(
        layers.ClipOp,
        lambda b: {"min": b.number("min_val", -1.0), "max": b.number("max_val", 1.0)},
    ),
    "sigmoid": keeps_shape(layers.SigmoidOp),
    "tanh": keeps_shape(layers.TanHOp),
    "silu": keeps_shape(layers.SwishOp),
    "gelu": keeps_shape(layers.GELUOp, _gelu),
    "hardswish": keeps_shape(layers.HardSwishOp, lambda b: {"alpha": SIXTH, "beta": 0.5}),
    "hardsigmoid": keeps_shape(layers.HardSigmoidOp, lambda b: {"alpha": SIXTH, "beta": 0.5}),
    "elu": keeps_shape(layers.ELUOp, lambda b: {"alpha": b.number("alpha", 1.0)}),
    "selu": keeps_shape(layers.SELUOp),
    "celu": keeps_shape(layers.CELUOp, lambda b: {"alpha": b.number("alpha", 1.0)}),
    "mish": keeps_shape(layers.MishOp),
    "softplus": softplus,
    "softshrink": keeps_shape(
        layers.ShrinkOp, lambda b: {"bias": (n := b.number("lambd", 0.5)), "lambd": n}
    ),
    "hardshrink": keeps_shape(
        layers.ShrinkOp, lambda b: {"bias": 0.0, "lambd": b.number("lambd", 0.5)}
    ),
    "softsign": softsign,
    "tanhshrink": tanhshrink,
    "logsigmoid": log_sigmoid,
    "prelu": prelu,
    "softmax": softmax,
    "log_softmax": log_softmax,
    "glu": glu,
}
"""The functions by their names in `torch.nn.functional`."""

_MODULES = {
    "ReLU": "relu", "ReLU6": "relu6", "LeakyReLU": "leaky_relu", "Hardtanh": "hardtanh",
    "Sigmoid": "sigmoid", "Tanh": "tanh", "SiLU": "silu", "GELU": "gelu",
    "Hardswish": "hardswish", "Hardsigmoid": "hardsigmoid", "ELU": "elu", "SELU": "selu",
    "CELU": "celu", "Mish": "mish", "Softplus": "softplus", "Softshrink": "softshrink",
    "Hardshrink": "hardshrink", "Softsign": "softsign", "Tanhshrink": "tanhshrink",
    "LogSigmoid": "logsigmoid", "PReLU": "prelu", "Softmax": "softmax",
    "LogSoftmax": "log_softmax", "GLU": "glu",
}  # fmt: skip
"""The functions of the modules."""

LOWERINGS: Mapping[str, Lowering] = {
    **{f"F.{name}": lowering for name, lowering in _FUNCTIONS.items()},
    **{f"nn.{name}": _FUNCTIONS[function] for name, function in _MODULES.items()},
    "nn.Softmax2d": softmax2d,
    "torch.clamp": keeps_shape(layers.ClipOp, _bounds("min", "max")),
    "torch.clamp_min": keeps_shape(layers.ClipOp, _bounds("min", "")),
    "torch.clamp_max": keeps_shape(layers.ClipOp, _bounds("", "max")),
    **dict.fromkeys(("aten::clamp_min", "torch.maximum", "aten::maximum"), against("max")),
    **dict.fromkeys(("aten::clamp_max", "torch.minimum", "aten::minimum"), against("min")),
    "torch.relu": _FUNCTIONS["relu"],
    "torch.sigmoid": _FUNCTIONS["sigmoid"],
    "torch.tanh": _FUNCTIONS["tanh"],
    **{
        f"torch.{word}": unary(word)
        for word in (
            "abs",
            "exp",
            "log",
            "sqrt",
            "rsqrt",
            "sin",
            "cos",
            "neg",
            "floor",
            "ceil",
            "square",
            "reciprocal",
        )
    },
    **dict.fromkeys(
        ("nn.Identity", "nn.Dropout", "nn.Dropout2d", "nn.Dropout3d", "nn.AlphaDropout")
        + ("F.dropout", "F.dropout2d", "F.dropout3d", "Tensor.clone", "Tensor.contiguous")
        + ("torch.clone", "Tensor.detach", "Tensor.type_as", "torch.detach", "aten::detach"),
        same,
    ),
}
