"""Reference semantics of the layers in `dialects/ncnn/normalization.py`."""

from functools import reduce
from math import prod

import numpy as np

from ...dialects.ncnn.normalization import (
    BatchNormOp,
    BiasOp,
    GroupNormOp,
    InstanceNormOp,
    LayerNormOp,
    LRNOp,
    MVNOp,
    NormalizeOp,
    RMSNormOp,
)
from ...dialects.shapes.windows import Window
from .channels import along_outermost, as_channels
from .semantics import Array, Inputs, Weights, needed, semantics
from .traceable import traceable
from .windows import over_windows, pad

_NO_VARIANCE = np.float32(0.0001)
"""BatchNorm's replacement for a standard deviation of 0."""


@semantics(BatchNormOp)
def batch_norm(op: BatchNormOp, inputs: Inputs, weights: Weights) -> Array:
    (x,) = inputs
    slope, mean, var, bias = (needed(weights, name) for name in op.WEIGHTS)
    root = np.sqrt(var + np.float32(op.eps))
    root = np.where(root == 0, _NO_VARIANCE, root)
    scale, shift = slope / root, bias - slope * mean / root
    return x * along_outermost(scale, x.ndim) + along_outermost(shift, x.ndim)


@semantics(BiasOp)
def bias(op: BiasOp, inputs: Inputs, weights: Weights) -> Array:
    channels = as_channels(inputs[0])
    shifted = channels + needed(weights, "bias")[: channels.shape[0], None]
    return shifted.reshape(inputs[0].shape)


def slices(x: Array, size: int) -> Array:
    """Return a blob as `slices x elements` for LayerNorm and RMSNorm. A slice covers the fewest
    inner axes with `size` elements; if none match, all axes but the channels."""
    for axes in range(1, max(x.ndim - 1, 1)):
        if size == prod(x.shape[x.ndim - axes :]):
            return x.reshape(-1, size)
    return x.reshape(-1, x.shape[-1]) if x.ndim < 3 else x.reshape(x.shape[0], -1)


@semantics(LayerNormOp)
def layer_norm(op: LayerNormOp, inputs: Inputs, weights: Weights) -> Array:
    gamma, beta = weights["gamma"], weights["beta"]
    y = _normalized(slices(inputs[0], op.affine_size), op.eps)
    if gamma is not None and beta is not None:
        y = y * gamma + beta
    return y.reshape(inputs[0].shape)


@semantics(RMSNormOp)
def rms_norm(op: RMSNormOp, inputs: Inputs, weights: Weights) -> Array:
    x, gamma = slices(inputs[0], op.affine_size), weights["gamma"]
    y = x / np.sqrt(np.square(x).mean(1, keepdims=True) + np.float32(op.eps))
    return (y if gamma is None else y * gamma).reshape(inputs[0].shape)


@semantics(GroupNormOp)
def group_norm(op: GroupNormOp, inputs: Inputs, weights: Weights) -> Array:
    (x,), gamma, beta = inputs, weights["gamma"], weights["beta"]
    if isinstance(x.shape[0], int) and x.shape[0] != op.channels:
        raise ValueError(f"{op.label()} takes {op.channels} channels, and gets {x.shape[0]}")
    y = _normalized(x.reshape(op.group, -1), op.eps).reshape(x.shape)
    if gamma is not None and beta is not None:
        y = y * along_outermost(gamma, x.ndim) + along_outermost(beta, x.ndim)
    return y


@semantics(InstanceNormOp)
def instance_norm(op: InstanceNormOp, inputs: Inputs, weights: Weights) -> Array:
    gamma, beta = weights["gamma"], weights["beta"]
    y = _normalized(as_channels(inputs[0]), op.eps)
    if gamma is not None and beta is not None:
        y = y * gamma[: y.shape[0], None] + beta[: y.shape[0], None]
    return y.reshape(inputs[0].shape)


def _normalized(rows: Array, eps: float) -> Array:
    """Normalize each row to mean 0 and variance 1, up to eps."""
    centred = rows - rows.mean(1, keepdims=True)
    return centred / np.sqrt(np.square(centred).mean(1, keepdims=True) + np.float32(eps))


@semantics(MVNOp)
def mvn(op: MVNOp, inputs: Inputs, weights: Weights) -> Array:
    (x,) = inputs
    rows = x.reshape(1, -1) if op.across_channels else as_channels(x)
    y = rows - rows.mean(1, keepdims=True)
    if op.normalize_variance:
        y = y / (np.sqrt(np.square(y).mean(1, keepdims=True)) + np.float32(op.eps))
    return y.reshape((1,) * (3 - x.ndim) + x.shape)  # the runtime returns 3 dims for fewer


@semantics(NormalizeOp)
def normalize(op: NormalizeOp, inputs: Inputs, weights: Weights) -> Array:
    (x,), factors = inputs, needed(weights, "scale")
    channels = as_channels(x)
    axes = tuple(i for i, across in enumerate((op.across_channel, op.across_spatial)) if across)
    if not axes:
        return x
    sums, eps = np.square(channels).sum(axes, keepdims=True), np.float32(op.eps)
    match op.eps_mode:
        case 0:
            norm = np.sqrt(sums + eps)
        case 1:
            norm = np.maximum(np.sqrt(sums), eps)
        case _:
            norm = np.sqrt(np.maximum(sums, eps))
    factors = factors[:1] if op.channel_shared else factors[: channels.shape[0]]
    return (channels / norm * factors[:, None]).reshape(x.shape)


@semantics(LRNOp)
def lrn(op: LRNOp, inputs: Inputs, weights: Weights) -> Array:
    (x,), size = inputs, op.local_size
    before, after = size // 2, size - 1 - size // 2
    if op.region_type == 0:
        padded = np.pad(x, [(before, after), *[(0, 0)] * (x.ndim - 1)])
        sums = reduce(np.add, (np.square(padded[i : i + len(x)]) for i in range(size)))
        count = size
    else:
        padded = pad(np.square(x), [(before, after)] * 2, 0)
        sums = over_windows(np.add, padded, Window((size, size), (1, 1), (1, 1), ((0, 0),) * 2))
        count = size * size
    share = np.float32(op.alpha) / np.float32(count)
    return x * power(np.float32(op.bias) + share * sums, -op.beta)


@traceable
def power(x: Array, exponent: float) -> Array:
    """Return positive numbers to the power of a constant."""
    return np.power(x, np.float32(exponent))
