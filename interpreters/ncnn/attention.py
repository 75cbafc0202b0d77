"""Reference semantics of the layers in `dialects/ncnn/attention.py`."""

from collections.abc import Sequence

import numpy as np

from ...dialects.ncnn.attention import MultiHeadAttentionOp, RotaryEmbedOp, SDPAOp
from ...dialects.ncnn.quantization import block_quantization, is_int8
from .blocks import block_product
from .int8 import dequantized, exact, quantized, rescaled, scale_of
from .semantics import Array, Inputs, Weights, needed, semantics


@semantics(MultiHeadAttentionOp)
def multi_head_attention(
    op: MultiHeadAttentionOp, inputs: Inputs, weights: Weights
) -> Sequence[Array]:
    blobs = list(inputs)
    past = [blobs.pop() for _ in range(2)][::-1] if op.kv_cache else []
    mask = blobs.pop() if op.attn_mask else None
    for blob in blobs:
        if blob.ndim != 2:
            raise ValueError(f"{op.label()} takes a blob of 2 dims, and gets one of {blob.ndim}")
    query = blobs[0]
    key = blobs[min(1, len(blobs) - 1)]
    value = blobs[-1]

    def heads(x: Array, name: str) -> Array:
        rows = _affine(op, x, weights, name)
        return rows.reshape(rows.shape[0], op.num_heads, -1).swapaxes(0, 1)

    q = heads(query, "q") * np.float32(op.scale)
    if past and past[0].size and key is not query:
        k, v = past  # the cached keys of a separate blob
    else:
        k, v = heads(key, "k"), heads(value, "v")
        if past and past[0].size:
            k, v = (np.concatenate(pair, axis=1) for pair in zip(past, (k, v), strict=True))
    mixed = _attend(q, k, v, np.float32(1), mask, is_int8(op.quantize_term))
    result = _affine(op, mixed.swapaxes(0, 1).reshape(query.shape[0], -1), weights, "out")
    return (result, k, v) if op.kv_cache else (result,)


def _affine(op: MultiHeadAttentionOp, x: Array, weights: Weights, name: str) -> Array:
    """Return `x @ transpose(weight) + bias` for one of the four weights."""
    weight, bias = needed(weights, f"{name}_weight"), needed(weights, f"{name}_bias")
    block = block_quantization(op.quantize_term)
    if block is not None:
        scales = needed(weights, f"{name}_weight_quantize_scales")
        input_scales = weights[f"{name}_weight_input_scales"]
        return block_product(block, x, weight, scales, input_scales) + bias
    if not op.quantize_term:
        return x @ weight.T + bias
    if name == "out":
        scales, x_scales = needed(weights, "out_weight_int8_scale"), scale_of(x, 1)
    else:
        scales, x_scales = needed(weights, f"{name}_weight_int8_scales"), scale_of(x)
    if weight.dtype != np.int8:
        raise ValueError(f"{op.label()}: int8 inference needs int8 weights")
    sums = exact(quantized(x, x_scales)) @ exact(weight).T
    return dequantized(sums, 1 / (scales * x_scales), bias)


def _attend(
    q: Array, k: Array, v: Array, scale: np.float32, mask: Array | None, int8: bool
) -> Array:
    """Return `softmax(scale * q @ transpose(k) + mask) @ v` per head."""
    scores = _product(q, k.swapaxes(1, 2), int8) * scale
    if mask is not None:
        scores = scores + mask
    shares = np.exp(scores - scores.max(2, keepdims=True))
    shares /= shares.sum(2, keepdims=True)
    return _product(shares, v, int8)


def _product(a: Array, b: Array, int8: bool) -> Array:
    """Return `a @ b` per head; in int8 with one scale per row of a and one for all of b."""
    if not int8:
        return a @ b
    a_scales = scale_of(a, 2)
    b_scales = scale_of(b.reshape(len(b), -1), 1)[..., None]
    sums = exact(quantized(a, a_scales)) @ exact(quantized(b, b_scales))
    return rescaled(sums, 1 / (a_scales * b_scales))


@semantics(SDPAOp)
def sdpa(op: SDPAOp, inputs: Inputs, weights: Weights) -> Sequence[Array]:
    q, k, v, *rest = inputs
    for blob in (q, k, v):
        if blob.ndim != 3:
            raise ValueError(f"{op.label()} takes a blob of 3 dims, and gets one of {blob.ndim}")
    mask = rest.pop(0) if op.attn_mask else None
    if op.kv_cache:
        k, v = (np.concatenate(pair, axis=1) for pair in zip(rest[:2], (k, v), strict=True))
    scale = np.float32(op.scale or 1 / np.sqrt(q.shape[2]))
    if not len(k) or len(q) % len(k) or len(v) != len(k):
        # The runtime divides by 0, or reads keys and values beyond the last ones.
        shared = f"{len(k)} heads of keys and {len(v)} of values"
        raise ValueError(f"{op.label()} has {len(q)} heads of queries, and gets {shared}")
    each = q.shape[0] // k.shape[0]  # the number of heads that share keys
    mixed = _attend(q, k.repeat(each, 0), v.repeat(each, 0), scale, mask, bool(op.int8_scale_term))
    return (mixed, k, v) if op.kv_cache else (mixed,)


@semantics(RotaryEmbedOp)
def rotary_embed(op: RotaryEmbedOp, inputs: Inputs, weights: Weights) -> Array:
    x, cos, sin = inputs
    half, steps = x.shape[2] // 2, x.shape[1]
    cos, sin = cos[:steps], sin[:steps]
    result = np.empty_like(x)
    if op.interleaved:
        first, second = slice(0, 2 * half, 2), slice(1, 2 * half, 2)
    else:
        first, second = slice(0, half), slice(half, 2 * half)
    other = (
        slice(half, 2 * half) if not op.interleaved and cos.shape[1] == 2 * half else slice(half)
    )
    a, b = x[..., first], x[..., second]
    result[..., first] = a * cos[:, :half] - b * sin[:, :half]
    result[..., second] = a * sin[:, other] + b * cos[:, other]
    return result
