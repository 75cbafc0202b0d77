"""Channels of much the same range: cross-layer equalization (M. Nagel, M. van Baalen,
T. Blankevoort, M. Welling: Data-free quantization through weight equalization and bias correction,
2019)."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.func import FuncOp

from ..dialects.ncnn.convolution import ConvolutionDepthWiseOp, ConvolutionOp
from ..dialects.ncnn.int8 import StaticInt8
from ..dialects.ncnn.interfaces import LEAKY_RELU, RELU
from ..dialects.shapes.analysis import Shapes
from .constants import constant_before, drop_unused, fits_float32, read

Array = NDArray[Any]

NARROWEST = 1e-3
"""A channel is not made wider by more than 1 / this."""


def pairs(func: FuncOp) -> list[tuple[StaticInt8, StaticInt8]]:
    """The convolutions that can be equalized with the one behind them.

    Algebra: `B(y) = sum(w_B[c] * y[c])` stays as it is if y[c] is divided by s[c] > 0 and w_B[c]
    multiplied by it; and y[c] is divided by it if A's weights and bias for it are, as its
    activation, none or a ReLU, only passes positive factors on.

    Conditions: both could become int8, B alone reads what A makes, and that is no output; channels
    are not divided into groups, but one by one; B pads with 0.
    """
    shapes, found = Shapes(), list[tuple[StaticInt8, StaticInt8]]()
    for first in func.body.block.ops:
        if not isinstance(first, ConvolutionOp | ConvolutionDepthWiseOp):
            continue
        if first.activation_type not in (0, RELU, LEAKY_RELU) or not first.output.has_one_use():
            continue
        second = next(iter(first.output.uses)).operation
        if not isinstance(second, ConvolutionOp | ConvolutionDepthWiseOp):
            continue
        if second.operands[0] is not first.output or second.num_input() != first.num_output:
            continue
        if isinstance(second, ConvolutionDepthWiseOp) and not _is_depthwise(second):
            continue
        if all(op.int8_refusal(shapes) is None and not op.extra for op in (first, second)):
            found.append((first, second))
    return found


def _is_depthwise(op: ConvolutionDepthWiseOp) -> bool:
    return op.group == op.num_output == op.num_input()


def equalize(func: FuncOp, ranges: Mapping[str, Array]) -> int:
    """Makes the channels between such convolutions of ranges as near as they can be: `ranges` has
    the largest magnitude in each channel that a layer makes, by its name. Returns how many pairs
    were changed.

    A depthwise B has a scale for each channel of its weights, so its input can have the same range
    in all. A dense one has one scale for all channels that it reads: the range of a channel of the
    blob, and of its weights, both become the root of their product.
    """
    done = 0
    for first, second in pairs(func):
        name = first.layer_name
        if name is None or name.data not in ranges:
            continue
        wide = np.asarray(ranges[name.data], "f8").reshape(-1)
        if len(wide) != first.num_output or not np.isfinite(wide).all() or not wide.any():
            continue
        weight = read(second.weight)
        if isinstance(second, ConvolutionDepthWiseOp):
            factors = wide / wide.max()
        else:
            columns = np.abs(weight).max((0, 2, 3))
            with np.errstate(divide="ignore", invalid="ignore"):
                factors = np.sqrt(wide / columns)
            known = np.isfinite(factors) & (factors > 0)
            if not known.any():
                continue
            factors = np.where(known, factors / factors[known].max(), 0)
        factors = np.where(factors > 0, np.maximum(factors, NARROWEST), 1)
        if not _divide(first, factors):
            continue
        axis = 0 if isinstance(second, ConvolutionDepthWiseOp) else 1
        shape = [-1 if i == axis else 1 for i in range(weight.ndim)]
        second.set_weights(
            weight=constant_before(second, second.weight, weight * factors.reshape(shape))
        )
        done += 1
    drop_unused(func)
    return done


def _divide(op: StaticInt8, factors: Array) -> bool:
    """Divides what a layer makes in each channel, if float32 holds its weights then; whether it
    does."""
    weights = {"weight": read(op.weight) / factors.reshape(-1, 1, 1, 1)}
    if op.bias is not None:
        weights["bias"] = read(op.bias).reshape(-1) / factors
    if not all(fits_float32(values).all() for values in weights.values()):
        return False
    old = {"weight": op.weight, "bias": op.bias}
    op.set_weights(**{n: constant_before(op, old[n], values) for n, values in weights.items()})
    return True
