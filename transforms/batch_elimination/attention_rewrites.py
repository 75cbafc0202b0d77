"""Attention in a batch of blobs: that of so many times the heads."""

from collections.abc import Sequence
from math import isfinite

from xdsl.ir import SSAValue

from ...analysis.batches import Blobs, Facts
from ...dialects.ncnn.attention import MultiHeadAttentionOp, SDPAOp
from ...dialects.ncnn.constant import attached_constant
from ...dialects.ncnn.joining import TileOp
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.params import Value
from ..canonicalization.attention_decomposition import gemm
from .batch_builder import Builder, Rewrite, Shape, joined


def attention(op: LayerOp, facts: Facts) -> Rewrite | None:
    """What does the same as an SDPA or a MultiHeadAttention of a batch, without it; `None` if that
    is not known."""
    blobs = [facts.of(v) for v in op.data_operands()]
    if isinstance(op, SDPAOp):
        return _sdpa(op, blobs, facts.of(op.outputs[0]))
    if isinstance(op, MultiHeadAttentionOp):
        return _multi_head(op, blobs)
    return None


def _sdpa(op: SDPAOp, blobs: Sequence[Blobs], result: Blobs) -> Rewrite | None:
    if op.kv_cache or len(op.outputs) != 1 or len(blobs) != 3 + bool(op.attn_mask):
        return None
    shapes = [each.numbers() for each in blobs]
    count = blobs[0].number or 0
    if any(each.number != count or len(s) != 3 for each, s in zip(blobs[:3], shapes, strict=False)):
        return None
    heads = shapes[0][0]
    if op.attn_mask and not _fits(blobs[3], count, heads):
        return None

    def rewrite(b: Builder) -> Sequence[SSAValue]:
        values = [b.reshape(b.blob(i), (count * s[0], *s[1:])) for i, s in enumerate(shapes[:3])]
        if op.attn_mask:
            values.append(mask(b, 3, blobs[3], count))
        return [b.reshape(b.layer(values), joined(result))]

    return rewrite


def _fits(blobs: Blobs, count: int, heads: int) -> bool:
    """Whether a mask is one for each head, or, where it is no batch, one for all."""
    shape = blobs.numbers()
    if blobs.number == 1 and len(shape) == 2:
        return True
    return blobs.number in (1, count) and len(shape) == 3 and shape[0] == heads


def mask(b: Builder, place: int, blobs: Blobs, count: int) -> SSAValue:
    """The mask of so many times the heads. One for the heads of each blob is repeated as often as
    there are blobs."""
    shape = blobs.numbers()
    value = b.blob(place)
    if len(shape) == 2:
        return value
    if blobs.number == 1:
        return b.new(TileOp, [value], axis=0, tiles=count)
    return b.reshape(value, (count * shape[0], *shape[1:]))


def _multi_head(op: MultiHeadAttentionOp, blobs: Sequence[Blobs]) -> Rewrite | None:
    """The layer's own definition: Gemms of all rows, and an SDPA. (The conditions are those of
    `ReplaceMultiHeadAttention`.)"""
    if op.kv_cache or op.quantize_term or len(op.outputs) != 1:
        return None
    if not (isfinite(op.scale) and op.scale > 0):
        return None
    sequences = op.sequences(blobs)
    if not 1 <= len(sequences) <= 3 or len(blobs) != len(sequences) + bool(op.attn_mask):
        return None
    count = max(each.number or 0 for each in blobs)
    shapes: list[Shape] = []
    for i in range(3):
        each = sequences[min(i, len(sequences) - 1)]
        shape = each.numbers()
        if each.number != count or len(shape) != 2:
            return None
        shapes.append(shape)
    heads, weights = op.num_heads, op.weight_operands()
    if shapes[1][0] != shapes[2][0]:
        return None
    if op.attn_mask and not _fits(blobs[-1], count, heads):
        return None
    if any(v is not None and attached_constant(v) is None for v in weights.values()):
        return None
    features = op.embed_dim // heads

    def product(b: Builder, rows: SSAValue, name: str) -> SSAValue:
        weight, bias = weights[f"{name}_weight"], weights[f"{name}_bias"]
        assert weight is not None
        assert bias is not None
        return b.put(gemm(op, rows, weight, bias, b.rewriter))

    def rewrite(b: Builder) -> Sequence[SSAValue]:
        values: list[SSAValue] = []
        for i, name in enumerate("qkv"):
            steps, columns = shapes[i]
            rows = b.reshape(b.blob(min(i, len(sequences) - 1)), (count * steps, columns))
            split = (count, steps, heads, features)
            by_head = b.permute(product(b, rows, name), split, (0, 2, 1, 3))
            values.append(b.reshape(by_head, (count * heads, steps, features)))
        if op.attn_mask:
            values.append(mask(b, len(blobs) - 1, blobs[-1], count))
        params: dict[str, Value] = {"attn_mask": op.attn_mask, "scale": op.scale}
        y = b.new(SDPAOp, values, **params)
        y = b.permute(y, (count, heads, shapes[0][0], features), (0, 2, 1, 3))
        y = product(b, b.reshape(y, (count * shapes[0][0], op.embed_dim)), "out")
        return [b.reshape(y, (count, *shapes[0]))]

    return rewrite
