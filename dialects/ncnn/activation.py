"""Element-wise activation functions of one blob. The output has the input's shape."""

from abc import ABC
from collections.abc import Sequence
from typing import ClassVar

from xdsl.ir import SSAValue

from ..shapes.analysis import Shapes
from .cost import elements, product
from .extents import along_outermost
from .formulas import (
    Term,
    absolute,
    clamped,
    erf,
    exp,
    greater,
    hard_sigmoid,
    hard_swish,
    less,
    log,
    maximum,
    mish,
    rectified,
    select,
    sigmoid,
    softplus,
    tanh,
)
from .interfaces import (
    CLIP,
    HARD_SWISH,
    LEAKY_RELU,
    MISH,
    RELU,
    SIGMOID,
    Activation,
    ElementWise,
    FusableActivation,
    HasFormula,
    Identity,
)
from .layer import SameShapeLayer, layer
from .params import float_param, int_param
from .weight_specs import Pattern, weight, weight_size

FLT_MAX = 3.4028234663852886e38


class Function(ElementWise, SameShapeLayer, ABC):
    """A function that cannot become a fused activation."""


@layer
class BNLLOp(Function):
    """`y = log(1 + exp(x))`, computed without overflow."""

    FLOPS_PER_ELEMENT: ClassVar[int] = 4

    def formula(self, x: Term) -> Term:
        return maximum(x, 0.0) + log(exp(-absolute(x)) + 1.0)


@layer
class CELUOp(Function):
    """`y = x` for x > 0, otherwise `(exp(x / alpha) - 1) * alpha`."""

    FLOPS_PER_ELEMENT: ClassVar[int] = 5

    alpha = float_param(0, default=1.0)

    def formula(self, x: Term) -> Term:
        return select(less(x, 0.0), (exp(x / self.alpha) - 1.0) * self.alpha, x)


@layer
class ClipOp(FusableActivation, SameShapeLayer):
    """`y = min(max(x, min), max)`."""

    FLOPS_PER_ELEMENT: ClassVar[int] = 2

    min = float_param(0, default=-FLT_MAX)
    max = float_param(1, default=FLT_MAX)

    def fused_activation(self) -> Activation:
        return Activation(CLIP, (self.min, self.max))

    def formula(self, x: Term) -> Term:
        return clamped(x, self.min, self.max)


@layer
class ELUOp(Function):
    """`y = x` for x > 0, otherwise `(exp(x) - 1) * alpha`."""

    FLOPS_PER_ELEMENT: ClassVar[int] = 4

    alpha = float_param(0, default=0.1)

    def formula(self, x: Term) -> Term:
        return select(less(x, 0.0), (exp(x) - 1.0) * self.alpha, x)


@layer
class GELUOp(Function):
    """`y = x * P(X <= x)` for a standard normal X; with `fast_gelu` its tanh approximation."""

    fast_gelu = int_param(0)

    def other_flops(self) -> int | None:
        return product(9 if self.fast_gelu else 5, elements(self.output))

    def formula(self, x: Term) -> Term:
        if self.fast_gelu:
            return x * 0.5 * (tanh((x + x * x * x * 0.044715) * 0.79788452) + 1.0)
        return x * 0.5 * (erf(x * 0.70710678) + 1.0)


@layer
class HardSigmoidOp(Function):
    """`y = min(max(x * alpha + beta, 0), 1)`."""

    FLOPS_PER_ELEMENT: ClassVar[int] = 4

    alpha = float_param(0, default=0.2)
    beta = float_param(1, default=0.5)

    def formula(self, x: Term) -> Term:
        return hard_sigmoid(x, self.alpha, self.beta)


@layer
class HardSwishOp(FusableActivation, SameShapeLayer):
    """`y = x * min(max(x * alpha + beta, 0), 1)`."""

    FLOPS_PER_ELEMENT: ClassVar[int] = 5

    alpha = float_param(0, default=0.2)
    beta = float_param(1, default=0.5)

    def fused_activation(self) -> Activation:
        return Activation(HARD_SWISH, (self.alpha, self.beta))

    def formula(self, x: Term) -> Term:
        return hard_swish(x, self.alpha, self.beta)


@layer
class MishOp(FusableActivation, SameShapeLayer):
    """`y = x * tanh(log(1 + exp(x)))`."""

    FLOPS_PER_ELEMENT: ClassVar[int] = 5

    def fused_activation(self) -> Activation:
        return Activation(MISH)

    def formula(self, x: Term) -> Term:
        return mish(x)


@layer
class PReLUOp(HasFormula, SameShapeLayer):
    """`y = x` for x > 0, otherwise `x * slope[c]`, with c along the outermost axis, or one slope
    for all channels."""

    FLOPS_PER_ELEMENT: ClassVar[int] = 2

    slope = weight(lambda p: (p.num_slope,))
    num_slope = weight_size(0, "slope")
    """The number of slopes: 1 or the number of channels."""

    def expected_input_shapes(self) -> Sequence[Pattern]:
        return along_outermost(self.num_slope) if self.num_slope > 1 else ()

    def formula(self, x: Term, slope: Term) -> Term:
        return rectified(x, slope)


@layer
class ReLUOp(Identity, FusableActivation, SameShapeLayer):
    """`y = x` for x > 0, otherwise `x * slope`."""

    slope = float_param(0)

    def fused_activation(self) -> Activation:
        slope = self.slope
        return Activation(RELU) if slope == 0 else Activation(LEAKY_RELU, (slope,))

    def keeps_int8(self) -> bool:
        # The runtime does not apply other slopes to int8 (src/layer/x86/relu_x86.cpp).
        return self.slope == 0

    def fold_to_values(self, shapes: Shapes) -> Sequence[SSAValue] | None:
        return (self.input,) if self.slope == 1 else None

    def other_flops(self) -> int | None:
        return product(1 if self.slope == 0 else 2, elements(self.output))

    def formula(self, x: Term) -> Term:
        return rectified(x, self.slope)


@layer
class SELUOp(Function):
    """`y = x * lambda` for x > 0, otherwise `(exp(x) - 1) * alpha * lambda`."""

    FLOPS_PER_ELEMENT: ClassVar[int] = 5

    alpha = float_param(0, default=1.67326324)
    lambd = float_param(1, default=1.050700987)
    """The `lambda` of ncnn's table (a reserved word in Python)."""

    def formula(self, x: Term) -> Term:
        negative = (exp(x) - 1.0) * self.alpha * self.lambd
        return select(less(x, 0.0), negative, x * self.lambd)


@layer
class ShrinkOp(Function):
    """`y = x + bias` for x < -lambd, `x - bias` for x > lambd, otherwise 0."""

    FLOPS_PER_ELEMENT: ClassVar[int] = 3

    bias = float_param(0)
    lambd = float_param(1, default=0.5)

    def formula(self, x: Term) -> Term:
        above = select(greater(x, self.lambd), x - self.bias, 0.0)
        return select(less(x, -self.lambd), x + self.bias, above)


@layer
class SigmoidOp(FusableActivation, SameShapeLayer):
    """`y = 1 / (1 + exp(-x))`."""

    FLOPS_PER_ELEMENT: ClassVar[int] = 4

    def fused_activation(self) -> Activation:
        return Activation(SIGMOID)

    def formula(self, x: Term) -> Term:
        return sigmoid(x)


@layer
class SoftplusOp(Function):
    """`y = log(1 + exp(x))`."""

    FLOPS_PER_ELEMENT: ClassVar[int] = 3

    def formula(self, x: Term) -> Term:
        return softplus(x)


@layer
class SwishOp(Function):
    """`y = x / (1 + exp(-x))`."""

    FLOPS_PER_ELEMENT: ClassVar[int] = 4

    def formula(self, x: Term) -> Term:
        return x / (exp(-x) + 1.0)


@layer
class TanHOp(Function):
    """`y = tanh(x)`."""

    FLOPS_PER_ELEMENT: ClassVar[int] = 1

    def formula(self, x: Term) -> Term:
        return tanh(x)


@layer
class ThresholdOp(Function):
    """`y = 1` for x > threshold, otherwise 0."""

    FLOPS_PER_ELEMENT: ClassVar[int] = 1

    threshold = float_param(0)

    def formula(self, x: Term) -> Term:
        return select(greater(x, self.threshold), 1.0, 0.0)
