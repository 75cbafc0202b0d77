"""Winograd's algorithm for 3x3 convolutions of stride 1, whose transformed blobs are float16."""

from typing import NamedTuple

import numpy as np

from ...dialects.ncnn.convolution import ConvolutionOp
from ...dialects.ncnn.layer import LayerOp
from ...interpreters.ncnn.convolution import static_weight, with_bias_and_activation
from ...interpreters.ncnn.semantics import Weights
from ...interpreters.ncnn.windows import pad, windows
from .half_array import Arithmetic, Array
from .operands import Given, is_quantized

NO_WINOGRAD = 1 << 6
"""The bit of a feature mask that excludes Winograd's algorithm."""

_ROOT = np.sqrt(2)


class Transforms(NamedTuple):
    """The matrices of an algorithm."""

    inputs: Array
    weights: Array
    outputs: Array


F43 = Transforms(
    np.array(
        [
            [1, 0, -2.5, 0, 1, 0],
            [0, -_ROOT, -2, _ROOT / 2, 1, 0],
            [0, _ROOT, -2, -_ROOT / 2, 1, 0],
            [0, -_ROOT / 2, -0.5, _ROOT, 1, 0],
            [0, _ROOT / 2, -0.5, -_ROOT, 1, 0],
            [0, 1, 0, -2.5, 0, 1],
        ],
        "f4",
    ),
    np.array(
        [
            [1, 0, 0],
            [-2 / 3, -_ROOT / 3, -1 / 3],
            [-2 / 3, _ROOT / 3, -1 / 3],
            [1 / 6, _ROOT / 6, 1 / 3],
            [1 / 6, -_ROOT / 6, 1 / 3],
            [0, 0, 1],
        ],
        "f4",
    ),
    np.array(
        [
            [1, 1, 1, 1, 1, 0],
            [0, _ROOT / 2, -_ROOT / 2, _ROOT, -_ROOT, 0],
            [0, 0.5, 0.5, 2, 2, 0],
            [0, _ROOT / 4, -_ROOT / 4, 2 * _ROOT, -2 * _ROOT, 1],
        ],
        "f4",
    ),
)
"""The transforms for tiles of 4x4 outputs."""

F23 = Transforms(
    np.array([[1, 0, -1, 0], [0, 1, 1, 0], [0, -1, 1, 0], [0, -1, 0, 1]], "f4"),
    np.array([[1, 0, 0], [0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [0, 0, 1]], "f4"),
    np.array([[1, 1, 1, 0], [0, 1, -1, 1]], "f4"),
)
"""The transforms for tiles of 2x2 outputs."""

F63 = Transforms(
    np.array(
        [
            [1, 0, -5.25, 0, 5.25, 0, -1, 0],
            [0, 1, 1, -4.25, -4.25, 1, 1, 0],
            [0, -1, 1, 4.25, -4.25, -1, 1, 0],
            [0, 0.5, 0.25, -2.5, -1.25, 2, 1, 0],
            [0, -0.5, 0.25, 2.5, -1.25, -2, 1, 0],
            [0, 2, 4, -2.5, -5, 0.5, 1, 0],
            [0, -2, 4, 2.5, -5, -0.5, 1, 0],
            [0, -1, 0, 5.25, 0, -5.25, 0, 1],
        ],
        "f4",
    ),
    np.array(
        [
            [1, 0, 0],
            [-2 / 9, -2 / 9, -2 / 9],
            [-2 / 9, 2 / 9, -2 / 9],
            [1 / 90, 1 / 45, 2 / 45],
            [1 / 90, -1 / 45, 2 / 45],
            [1 / 45, 1 / 90, 1 / 180],
            [1 / 45, -1 / 90, 1 / 180],
            [0, 0, 1],
        ],
        "f4",
    ),
    np.array(
        [
            [1, 1, 1, 1, 1, 32, 32, 0],
            [0, 1, -1, 2, -2, 16, -16, 0],
            [0, 1, 1, 4, 4, 8, 8, 0],
            [0, 1, -1, 8, -8, 4, -4, 0],
            [0, 1, 1, 16, 16, 2, 2, 0],
            [0, 1, -1, 32, -32, 1, -1, 1],
        ],
        "f4",
    ),
)
"""The transforms for tiles of 6x6 outputs."""


def has_winograd_shape(op: LayerOp, x: Array) -> bool:
    """Whether a layer may use the algorithm: a 3x3 convolution of stride 1 that no mask keeps from
    it."""
    if not isinstance(op, ConvolutionOp) or op.featmask & NO_WINOGRAD or x.ndim != 3:
        return False
    sizes = op.kernel_w, op.kernel_h, op.stride_w, op.stride_h, op.dilation_w, op.dilation_h
    return sizes == (3, 3, 1, 1, 1, 1) and not is_quantized(op)


def winograd(
    op: ConvolutionOp,
    x: Array,
    weights: Weights,
    transforms: Transforms,
    store: Arithmetic,
    given: Given,
) -> Array:
    """Return the outputs of a convolution by Winograd's algorithm."""
    weight = static_weight(op, weights)
    window = op.window_on(x.shape[1:], weight.shape[2:])
    padded = np.asarray(pad(x, window.pads, op.pad_value))
    _, h, w = padded.shape
    bt, g, at = transforms
    tile = len(at)
    extra = [-(n - 2) % tile for n in (h, w)]
    padded = np.pad(padded, [(0, 0), *((0, n) for n in extra)])
    tiles = windows(padded, (len(bt),) * 2, (tile, tile), (1, 1))
    blocks = tiles.shape[1:3]
    columns = np.ascontiguousarray(tiles.transpose(1, 2, 0, 3, 4)).reshape(-1, *(len(bt),) * 2)
    transformed = store.computed(np.asarray(bt @ given(columns) @ bt.T))
    transformed = transformed.reshape(-1, len(x), len(bt) ** 2).transpose(2, 1, 0)
    kernels = store.stored(np.asarray(g @ np.asarray(weight) @ g.T, "f4"))
    kernels = kernels.reshape(*weight.shape[:2], -1).transpose(2, 0, 1)
    sums = store.computed(np.asarray(np.ascontiguousarray(kernels) @ given(transformed)))
    sums = sums.transpose(2, 1, 0).reshape(-1, *(len(bt),) * 2)
    result = np.asarray(at @ given(sums) @ at.T)
    result = result.reshape(*blocks, len(weight), tile, tile).transpose(2, 0, 3, 1, 4)
    result = result.reshape(len(weight), blocks[0] * tile, blocks[1] * tile)[:, : h - 2, : w - 2]
    result = given(np.ascontiguousarray(result))
    return np.asarray(with_bias_and_activation(op, result, weights))
