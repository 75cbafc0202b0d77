"""Layers whose shaders differ from plain float16 arithmetic on the reference semantics.

- 3x3 convolutions of stride 1 use Winograd's algorithm. The transformed blobs are stored in float16
  even if the arithmetic is float32 (`src/layer/vulkan/convolution_vulkan.cpp`).
- Normalizations and means over whole channels add in float32. LayerNorm and RMSNorm store the
  squares in float16, whatever the arithmetic is (`layernorm_vulkan.cpp`, `rmsnorm_vulkan.cpp`),
  before the release `FLOAT32_SQUARES`.
- Attention stores the products of queries and keys.
- The factors of a BatchNorm are computed in float32 when the model is loaded.
"""

from collections.abc import Sequence
from typing import cast

import numpy as np

from ...dialects.ncnn.convolution import ConvolutionOp
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.normalization import LayerNormOp, RMSNormOp
from ...dialects.ncnn.pooling import PoolingOp
from ...interpreters.ncnn import evaluate
from ...interpreters.ncnn.normalization import slices
from ...interpreters.ncnn.semantics import Weights
from ...interpreters.ncnn.windows import pad
from .half_array import Arithmetic, Array
from .operands import Given, is_quantized, weights_by_name
from .winograd import F23, F43, Transforms, has_winograd_shape, winograd

SUMS_IN_FLOAT32 = frozenset({"GroupNorm", "InstanceNorm", "Normalize", "LRN"})
"""Layers that compute in float32 apart from their inputs and outputs."""

STORES_STEPS = frozenset({"MultiHeadAttention", "SDPA"})
"""Layers that store intermediate blobs in float16 even if the arithmetic is float32: the products
of queries and keys, and their softmax (`multiheadattention_vulkan.cpp`)."""

FLOAT32_SQUARES = "20261020"
"""The first release in which LayerNorm and RMSNorm do not store squares in float16 (measured: its
source has no tag)."""

SMALL = 12
"""The extents of padded inputs up to which a tile has 2x2 outputs (for an integrated GPU)."""


def uses_winograd(op: LayerOp, inputs: Sequence[Array]) -> bool:
    """Whether the GPU code of a layer uses Winograd's algorithm for these inputs."""
    if not isinstance(op, ConvolutionOp) or not has_winograd_shape(op, inputs[0]):
        return False
    return min(len(inputs[0]), op.num_output) >= 16


def _transforms(op: ConvolutionOp, x: Array) -> Transforms:
    """Return the transforms for an input."""
    window = op.window_on(x.shape[1:], (3, 3))
    padded = np.asarray(pad(x[:1], window.pads, op.pad_value))
    return F23 if max(padded.shape[1:]) <= SMALL else F43


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
        weights = weights_by_name(op, operands)
        if isinstance(op, ConvolutionOp):
            transforms = _transforms(op, operands[0])
            return [winograd(op, operands[0], weights, transforms, store, given)]
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


def _same(values: Array) -> Array:
    return values
