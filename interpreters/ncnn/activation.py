"""Layers of `dialects/ncnn/activation.py` whose runtime results differ from their formula."""

import numpy as np

from ...dialects.ncnn.activation import GELUOp, HardSigmoidOp, HardSwishOp, ReLUOp
from .erf import erfc
from .formulas import by_formula
from .semantics import Array, Inputs, Weights, semantics


def hard_sigmoid(x: Array, alpha: float, beta: float) -> Array:
    """Return the runtime's HardSigmoid. For a falling line `x * alpha + beta`, it also returns 0
    below the line's zero and 1 above the point where the line is 1."""
    lower = np.float32(-beta) / np.float32(alpha)
    upper = 1 / np.float32(alpha) + lower
    middle = x * np.float32(alpha) + np.float32(beta)
    return np.where(x < lower, np.float32(0), np.where(x > upper, np.float32(1), middle))


@semantics(HardSigmoidOp)
def hard_sigmoid_layer(op: HardSigmoidOp, inputs: Inputs, weights: Weights) -> Array:
    return hard_sigmoid(inputs[0], op.alpha, op.beta)


@semantics(HardSwishOp)
def hard_swish_layer(op: HardSwishOp, inputs: Inputs, weights: Weights) -> Array:
    return inputs[0] * hard_sigmoid(inputs[0], op.alpha, op.beta)


@semantics(GELUOp)
def gelu(op: GELUOp, inputs: Inputs, weights: Weights) -> Array:
    """GELU without cancellation far below 0; `math` has no erfc."""
    if op.fast_gelu:
        return by_formula(op, inputs, weights)
    return 0.5 * inputs[0] * erfc(np.float32(-0.70710678) * inputs[0])


@semantics(ReLUOp)
def relu(op: ReLUOp, inputs: Inputs, weights: Weights) -> Array:
    """ReLU. int8 elements stay int8 and support the slope 0 only."""
    (x,) = inputs
    if x.dtype != np.int8:
        return by_formula(op, inputs, weights)
    return np.maximum(x, 0) if op.slope == 0 else x
