"""Layers of `dialects/ncnn/activation.py` of which the runtime computes something else than their
formula says."""

from collections.abc import Sequence

import numpy as np

from ...dialects.ncnn.activation import GELUOp, HardSigmoidOp, HardSwishOp, ReLUOp
from .erf import erfc
from .formulas import by_formula
from .semantics import Array, Weights, semantics


def hard_sigmoid(x: Array, alpha: float, beta: float) -> Array:
    """Where the line `x * alpha + beta` falls, too, the runtime takes 0 below where it is 0, and 1
    above where it is 1."""
    lower = np.float32(-beta) / np.float32(alpha)
    upper = 1 / np.float32(alpha) + lower
    middle = x * np.float32(alpha) + np.float32(beta)
    return np.where(x < lower, np.float32(0), np.where(x > upper, np.float32(1), middle))


@semantics(HardSigmoidOp)
def hard_sigmoid_layer(op: HardSigmoidOp, inputs: Sequence[Array], weights: Weights) -> Array:
    return hard_sigmoid(inputs[0], op.alpha, op.beta)


@semantics(HardSwishOp)
def hard_swish_layer(op: HardSwishOp, inputs: Sequence[Array], weights: Weights) -> Array:
    return inputs[0] * hard_sigmoid(inputs[0], op.alpha, op.beta)


@semantics(GELUOp)
def gelu(op: GELUOp, inputs: Sequence[Array], weights: Weights) -> Array:
    """Without the difference that cancels where x is far below 0; `math` has no erfc."""
    if op.fast_gelu:
        return by_formula(op, inputs, weights)
    return 0.5 * inputs[0] * erfc(np.float32(-0.70710678) * inputs[0])


@semantics(ReLUOp)
def relu(op: ReLUOp, inputs: Sequence[Array], weights: Weights) -> Array:
    """int8 stays so, and has no slope but 0."""
    (x,) = inputs
    if x.dtype != np.int8:
        return by_formula(op, inputs, weights)
    return np.maximum(x, 0) if op.slope == 0 else x
