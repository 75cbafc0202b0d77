"""Layers whose shaders differ from plain float16 arithmetic on the reference semantics.

- 3x3 convolutions of stride 1 use Winograd's algorithm. The transformed blobs are stored in float16
  even if the arithmetic is float32 (`src/layer/vulkan/convolution_vulkan.cpp`).
- Normalizations and means over whole channels add in float32. LayerNorm and RMSNorm store the
  squares in float16, whatever the arithmetic is (`layernorm_vulkan.cpp`, `rmsnorm_vulkan.cpp`),
  before the release `FLOAT32_SQUARES`.
- Attention stores the products of queries and keys.
- The factors of a BatchNorm are computed in float32 when the model is loaded.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, cast

import numpy as np

from ...dialects.ncnn.convolution import ConvolutionOp
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.normalization import LayerNormOp, RMSNormOp
from ...dialects.ncnn.pooling import PoolingOp
from ...interpreters.ncnn import evaluate
from ...interpreters.ncnn.convolution import static_weight, with_bias_and_activation
from ...interpreters.ncnn.normalization import slices
from ...interpreters.ncnn.semantics import Weights
from ...interpreters.ncnn.windows import pad, windows
from .half_array import Arithmetic, Array

Given: TypeAlias = Callable[[Array], Array]
"""A function from values to the array that a layer computes with: of float16 or float32
arithmetic."""

SUMS_IN_FLOAT32 = frozenset({"GroupNorm", "InstanceNorm", "Normalize", "LRN"})
"""Layers that compute in float32 apart from their inputs and outputs."""

STORES_STEPS = frozenset({"MultiHeadAttention", "SDPA"})
"""Layers that store intermediate blobs in float16 even if the arithmetic is float32: the products
of queries and keys, and their softmax (`multiheadattention_vulkan.cpp`)."""

FLOAT32_SQUARES = "20261020"
"""The first release in which LayerNorm and RMSNorm do not store squares in float16 (measured: its
source has no tag)."""

NO_WINOGRAD = 1 << 6
"""The bit of a feature mask that excludes Winograd's algorithm."""

_ROOT = np.sqrt(2)

F43 = (
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
"""The transforms of the input, the weight and the output for tiles of 4x4 outputs."""

F23 = (
    np.array([[1, 0, -1, 0], [0, 1, 1, 0], [0, -1, 1, 0], [0, -1, 0, 1]], "f4"),
    np.array([[1, 0, 0], [0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [0, 0, 1]], "f4"),
    np.array([[1, 1, 1, 0], [0, 1, -1, 1]], "f4"),
)
"""The transforms for tiles of 2x2 outputs."""

SMALL = 12
"""The extents of padded inputs up to which a tile has 2x2 outputs (for an integrated GPU)."""


def uses_winograd(op: LayerOp, inputs: Sequence[Array]) -> bool:
    """Whether the GPU code of a layer uses Winograd's algorithm for these inputs."""
    if not isinstance(op, ConvolutionOp) or op.featmask & NO_WINOGRAD or inputs[0].ndim != 3:
        return False
    sizes = op.kernel_w, op.kernel_h, op.stride_w, op.stride_h, op.dilation_w, op.dilation_h
    plain = sizes == (3, 3, 1, 1, 1, 1) and not op.int8_scale_term
    return plain and min(len(inputs[0]), op.num_output) >= 16


def winograd(
    op: ConvolutionOp, x: Array, weights: Weights, store: Arithmetic, given: Given
) -> Array:
    """Return the outputs of a convolution by Winograd's algorithm."""
    weight = static_weight(op, weights)
    window = op.window_on(x.shape[1:], weight.shape[2:])
    padded = np.asarray(pad(x, window.pads, op.pad_value))
    _, h, w = padded.shape
    bt, g, at = F23 if max(h, w) <= SMALL else F43
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
    return with_bias_and_activation(op, given(np.ascontiguousarray(result)), weights)


def normalized(
    op: LayerNormOp | RMSNormOp,
    x: Array,
    weights: Weights,
    store: Arithmetic,
    given: Given,
    release: str,
) -> Array:
    """Return the outputs of a LayerNorm or RMSNorm."""
    rows = slices(np.asarray(x), op.affine_size)
    mean = rows.mean(1, keepdims=True) if isinstance(op, LayerNormOp) else np.float32(0)
    squares = np.square(rows - mean)
    if release < FLOAT32_SQUARES:
        squares = store.computed(squares)
    factor = 1 / np.sqrt(squares.mean(1, keepdims=True) + np.float32(op.eps))
    factor, shift = store.stored(factor), store.stored(np.asarray(-mean * factor))
    y = given(rows)
    y = y * factor + shift if isinstance(op, LayerNormOp) else y * factor
    gamma, beta = weights["gamma"], weights.get("beta")
    y = y if gamma is None else y * gamma
    y = y if beta is None else y + beta
    return np.asarray(y).reshape(x.shape)


def is_summed_in_float32(op: LayerOp) -> bool:
    """Whether a layer computes in float32 apart from its inputs and outputs."""
    return op.LAYER_TYPE in SUMS_IN_FLOAT32 or (
        isinstance(op, PoolingOp) and bool(op.global_pooling)
    )


def compute_layer(
    op: LayerOp, operands: Sequence[Array], store: Arithmetic, half: bool, release: str = ""
) -> Sequence[Array]:
    """Return the results of a layer on the GPU for operands that float16 represents. `store` rounds
    intermediate blobs; with `half`, it also rounds the arithmetic, which is float32 otherwise.
    `release` is the oldest release that must run the model."""
    count = len(op.data_operands())
    given: Given = store.of if half else _same
    if uses_winograd(op, operands) or isinstance(op, LayerNormOp | RMSNormOp):
        rest = iter(operands[count:])
        weights: dict[str, Any] = {
            name: None if value is None else next(rest)
            for name, value in op.weight_operands().items()
        }
        if isinstance(op, ConvolutionOp):
            return [np.asarray(winograd(op, operands[0], weights, store, given))]
        norm = cast(LayerNormOp | RMSNormOp, op)
        return [normalized(norm, operands[0], weights, store, given, release)]
    if not half and op.LAYER_TYPE in STORES_STEPS and not is_quantized(op):
        steps = Arithmetic(store.limit, store.rounds, sums=False)
        results = evaluate(op, [steps.of(v) for v in operands])
        store.peak = max(store.peak, steps.peak)
        return results
    if not half or is_summed_in_float32(op) or is_quantized(op):
        return evaluate(op, operands)
    exact = count if op.LAYER_TYPE == "BatchNorm" else len(operands)
    halves = [given(v) if v.dtype.kind == "f" else v for v in operands[:exact]]
    return evaluate(op, [*halves, *operands[exact:]])


def is_quantized(op: LayerOp) -> bool:
    """Whether a layer computes with integers."""
    return any(getattr(op, name, 0) for name in ("int8_scale_term", "quantize_term"))


def _same(values: Array) -> Array:
    return values
