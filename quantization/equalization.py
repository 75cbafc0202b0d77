"""Cross-layer equalization (M. Nagel, M. van Baalen, T. Blankevoort, M. Welling: Data-free
quantization through weight equalization and bias correction, 2019).

All channels of a blob share one scale. A channel with a small range uses only few of the 255
integers. Equalization enlarges such channels, and divides the weights that read them.

Example: two channels have the ranges 4 and 1, and the weights of a dense convolution behind them
reach 1 for both. The factors are the roots of range / weight, 2 and 1, less a common factor: 1 and
0.5. The second channel is divided by 0.5, its weights are multiplied by 0.5. Now the ranges are 4
and 2, the weights 1 and 0.5: the channel has twice as many integers, for weights with half as many.
"""

from collections.abc import Mapping

import numpy as np
from xdsl.dialects.func import FuncOp

from ..dialects.ncnn.convolution import ConvolutionDepthWiseOp, ConvolutionOp
from ..dialects.ncnn.int8 import StaticInt8
from ..dialects.ncnn.interfaces import LEAKY_RELU, RELU
from ..dialects.shapes.analysis import Shapes
from ..transforms.quantization.layer_weights import fits_float32, read_constant, replace_weights
from .histograms import Array

LEAST_FACTOR = 1e-3
"""The least factor by which a channel is divided."""


def equalizable_pairs(func: FuncOp) -> list[tuple[StaticInt8, StaticInt8]]:
    """Return the convolutions that can be equalized with the convolution behind them.

    Algebra: `B(y) = sum(w_B[c] * y[c])` does not change if y[c] is divided by s[c] > 0 and w_B[c]
    is multiplied by s[c]. Dividing A's weights and bias of channel c divides y[c], since a ReLU, or
    no activation, passes on positive factors.

    Conditions: both layers can become int8. B alone reads A's output, which is no output of the
    model. B is dense or depthwise, without larger groups. B pads with 0.
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
        if isinstance(second, ConvolutionDepthWiseOp):
            if not second.group == second.num_output == second.num_input():
                continue
        if all(op.int8_refusal(shapes) is None and not op.extra for op in (first, second)):
            found.append((first, second))
    return found


def equalize(func: FuncOp, ranges: Mapping[str, Array]) -> int:
    """Equalize the ranges of the channels between such convolutions. `ranges` has the largest
    magnitude in each channel of a layer's output, by layer name. Return the number of pairs
    changed.

    A depthwise B has a scale for each channel of its weights, so all channels of its input get the
    same range. A dense B has one scale for all channels of its input: the range of a channel and
    the range of its weights both become the root of their product.
    """
    done = 0
    for first, second in equalizable_pairs(func):
        name = first.layer_name
        if name is None or name.data not in ranges:
            continue
        wide = np.asarray(ranges[name.data], "f8").reshape(-1)
        if len(wide) != first.num_output or not np.isfinite(wide).all() or not wide.any():
            continue
        weight = read_constant(second.weight)
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
        factors = np.where(factors > 0, np.maximum(factors, LEAST_FACTOR), 1)
        if not _divide(first, factors):
            continue
        axis = 0 if isinstance(second, ConvolutionDepthWiseOp) else 1
        shape = [-1 if i == axis else 1 for i in range(weight.ndim)]
        replace_weights(second, {"weight": weight * factors.reshape(shape)})
        done += 1
    return done


def _divide(op: StaticInt8, factors: Array) -> bool:
    """Divide the channels of a layer's output; `False` if float32 would not hold the weights."""
    weights = {"weight": read_constant(op.weight) / factors.reshape(-1, 1, 1, 1)}
    if op.bias is not None:
        weights["bias"] = read_constant(op.bias).reshape(-1) / factors
    if not all(fits_float32(values).all() for values in weights.values()):
        return False
    replace_weights(op, weights)
    return True
