"""Attention on a batch of blobs as attention with more heads."""

from collections.abc import Sequence
from math import isfinite

from xdsl.ir import SSAValue

from ...analysis.batches import Batches, BlobBatch
from ...dialects.ncnn.assembly import set_names
from ...dialects.ncnn.attention import MultiHeadAttentionOp, SDPAOp
from ...dialects.ncnn.constant import attached_constant
from ...dialects.ncnn.joining import TileOp
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.params import Value
from ..canonicalization.attention_decomposition import gemm
from ..rewriting.layer_builder import Shape
from .batch_builder import BatchBuilder, Rewrite, merged_shape


def attention(op: LayerOp, batches: Batches) -> Rewrite | None:
    """Return the rewrite of an SDPA or MultiHeadAttention of a batch; `None` for other layers and
    for unsupported parameters."""
    blobs = [batches.of(v) for v in op.data_operands()]
    if isinstance(op, SDPAOp):
        return _sdpa(op, blobs, batches.of(op.outputs[0]))
    if isinstance(op, MultiHeadAttentionOp):
        return _multi_head(op, blobs)
    return None


def _sdpa(op: SDPAOp, blobs: Sequence[BlobBatch], result: BlobBatch) -> Rewrite | None:
    if op.kv_cache or len(op.outputs) != 1 or len(blobs) != 3 + bool(op.attn_mask):
        return None
    shapes = [each.known_extents() for each in blobs]
    count = blobs[0].count or 0
    if any(each.count != count or len(s) != 3 for each, s in zip(blobs[:3], shapes, strict=False)):
        return None
    if op.attn_mask and not _fits(blobs[3], count, shapes[0][0]):
        return None

    def rewrite(b: BatchBuilder) -> Sequence[SSAValue]:
        values = [b.reshape(b.input(i), (count * s[0], *s[1:])) for i, s in enumerate(shapes[:3])]
        if op.attn_mask:
            values.append(_mask(b, 3, blobs[3], count))
        return [b.reshape(b.copy(values)[0], merged_shape(result))]

    return rewrite


def _fits(mask: BlobBatch, count: int, heads: int) -> bool:
    """Whether a mask has one matrix per head, or, if it is no batch, one matrix for all heads."""
    shape = mask.known_extents()
    if mask.count == 1 and len(shape) == 2:
        return True
    return mask.count in (1, count) and len(shape) == 3 and shape[0] == heads


def _mask(b: BatchBuilder, place: int, mask: BlobBatch, count: int) -> SSAValue:
    """Return the mask for `count` times the heads. Masks of the heads of one blob are repeated for
    each blob."""
    shape, value = mask.known_extents(), b.input(place)
    if len(shape) == 2:
        return value
    whole = (count * shape[0], *shape[1:])
    if mask.count == 1:
        return b.layer(TileOp, [value], whole, axis=0, tiles=count)[0]
    return b.reshape(value, whole)


def _multi_head(op: MultiHeadAttentionOp, blobs: Sequence[BlobBatch]) -> Rewrite | None:
    """Return the layer's own definition: Gemms of all rows, and an SDPA. The conditions are those
    of `ReplaceMultiHeadAttention`."""
    if op.kv_cache or op.quantize_term or len(op.outputs) != 1:
        return None
    if not (isfinite(op.scale) and op.scale > 0):
        return None
    sequences = op.sequences(blobs)
    if not 1 <= len(sequences) <= 3 or len(blobs) != len(sequences) + bool(op.attn_mask):
        return None
    count = max(each.count or 0 for each in blobs)
    shapes: list[Shape] = []
    for i in range(3):
        each = sequences[min(i, len(sequences) - 1)]
        shape = each.known_extents()
        if each.count != count or len(shape) != 2:
            return None
        shapes.append(shape)
    heads, weights = op.num_heads, op.weight_operands()
    if shapes[1][0] != shapes[2][0]:
        return None
    if op.attn_mask and not _fits(blobs[-1], count, heads):
        return None
    if any(v is not None and attached_constant(v) is None for v in weights.values()):
        return None
    features, queries = op.embed_dim // heads, shapes[0][0]

    def product(b: BatchBuilder, rows: SSAValue, name: str) -> SSAValue:
        weight, bias = weights[f"{name}_weight"], weights[f"{name}_bias"]
        assert weight is not None
        assert bias is not None
        new = gemm(op, rows, weight, bias, b.rewriter)
        set_names(new, None, (None,))
        return b.insert_layer(new)[0]

    def rewrite(b: BatchBuilder) -> Sequence[SSAValue]:
        values: list[SSAValue] = []
        for i, name in enumerate("qkv"):
            steps, columns = shapes[i]
            rows = b.reshape(b.input(min(i, len(sequences) - 1)), (count * steps, columns))
            split = (count, steps, heads, features)
            by_head = b.permute(product(b, rows, name), split, (0, 2, 1, 3))
            values.append(b.reshape(by_head, (count * heads, steps, features)))
        if op.attn_mask:
            values.append(_mask(b, len(blobs) - 1, blobs[-1], count))
        params: dict[str, Value] = {"attn_mask": op.attn_mask, "scale": op.scale}
        y = b.layer(SDPAOp, values, (count * heads, queries, features), **params)[0]
        y = b.permute(y, (count, heads, queries, features), (0, 2, 1, 3))
        y = product(b, b.reshape(y, (count * queries, op.embed_dim)), "out")
        return [b.reshape(y, (count, *shapes[0]))]

    return rewrite
