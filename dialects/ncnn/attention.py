"""Attention: MultiHeadAttention, SDPA and the rotary position embedding.

A sequence is a blob `steps x features`, or `heads x steps x features` if it is already split. With
a cache, the keys and values of past steps are inputs, and the keys and values of all steps are
outputs.
"""

import math
from abc import ABC
from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import ClassVar, Protocol, TypeVar

from xdsl.ir import SSAValue
from xdsl.utils.exceptions import VerifyException

from ..shapes.terms import UNKNOWN, Extent, Extents
from .blob import element_count, extents_in
from .checks import check
from .cost import product, total
from .layer import Arity, KeepsElements, KeepsShape, VariadicLayer, layer
from .params import derived_param, enum_param, float_param, int_param, to_float32
from .quantization import (
    BlockWeights,
    DynamicInt8,
    Quantized,
    block_input_scales,
    block_scales,
    blocks_of,
    check_quantize_term,
    is_int8,
    packed_weight,
)
from .weight_specs import Pattern, optional_weight, weight


class HeadsParams(Quantized, Protocol):
    """The parameters of a MultiHeadAttention that determine its scale and weight shapes."""

    embed_dim: int
    num_heads: int
    weight_data_size: int
    kdim: int
    vdim: int


def _default_scale(p: HeadsParams) -> float:
    """Return 1 / sqrt(features per head) in float32; 0 for invalid parameters."""
    size = p.embed_dim // p.num_heads if p.num_heads > 0 else -1
    if size <= 0:
        return math.inf if size == 0 else 0.0
    return to_float32(1 / to_float32(math.sqrt(to_float32(size))))


def _qdim(p: HeadsParams) -> int:
    """Return the number of features of the query and of the output."""
    if p.embed_dim <= 0 or p.weight_data_size <= 0 or p.weight_data_size % p.embed_dim:
        raise VerifyException(
            f"weight_data_size {p.weight_data_size} is not a multiple of embed_dim {p.embed_dim}"
        )
    return p.weight_data_size // p.embed_dim


_embed_dim, _kdim, _vdim = map(attrgetter, ("embed_dim", "kdim", "vdim"))
_T = TypeVar("_T")


def _int8_scales(count: Callable[[HeadsParams], int]) -> SSAValue | None:
    return optional_weight(
        lambda p: (count(p),), when=lambda p: is_int8(p.quantize_term), positive=True
    )


class Attention(VariadicLayer, ABC):
    """The inputs that both attentions share: a mask and a cache."""

    NUM_OUTPUTS: ClassVar[Arity] = (1, 3)

    attn_mask = int_param(5)
    """Whether a mask follows the sequences; it is added before the softmax."""
    kv_cache = int_param(7)
    """Whether the last inputs are the past keys and values, and the last outputs all keys and
    values."""

    def sequences(self, inputs: Sequence[_T]) -> Sequence[_T]:
        """Return query, key and value, as far as they are separate inputs."""
        return inputs[: len(inputs) - bool(self.attn_mask) - 2 * bool(self.kv_cache)]

    def past(self, inputs: Sequence[_T]) -> Sequence[_T]:
        """Return the keys and values of past steps; empty without kv_cache."""
        return inputs[-2:] if self.kv_cache else ()

    def verify_layer(self) -> None:
        least = self.NUM_INPUTS[0] + bool(self.attn_mask) + 2 * bool(self.kv_cache)
        inputs, outputs = len(self.inputs), len(self.outputs)
        check(self, inputs >= least, f"{inputs} inputs, attn_mask and kv_cache need {least}")
        enough = outputs == 3 or not self.kv_cache
        check(self, enough, f"{outputs} outputs, with kv_cache there are 3")


@layer
class MultiHeadAttentionOp(BlockWeights, Attention):
    """Attention with num_heads heads: `y = out_weight @ concat(softmax(scale * q @ k + mask) @ v) +
    out_bias`, where `q, k, v = weight @ x + bias` of query, key and value.

    Shapes: query `steps x qdim`, optional key `n x kdim` and value `n x vdim` (defaults: value as
    key, key as query), mask `steps x n` or `heads x steps x n` with attn_mask, past keys and values
    `heads x past x (embed_dim / heads)` with kv_cache -> `steps x qdim`, and with kv_cache all keys
    and values, the past ones first. If the key is a separate input, past keys and values replace
    it.
    """

    NUM_INPUTS: ClassVar[Arity] = (1, 6)

    embed_dim = int_param(0)
    """The features of all heads."""
    num_heads = int_param(1, default=1)
    kdim = int_param(3, default="embed_dim")
    """The features of the key."""
    vdim = int_param(4, default="embed_dim")
    """The features of the value."""
    scale = float_param(6, default=_default_scale)
    """The factor of the query; 1 / sqrt(features per head) by default."""
    quantize_term = int_param(18)
    """The quantization of weights: 0 none, below 400 int8, otherwise in blocks."""

    q_weight = packed_weight(_embed_dim, _qdim)
    q_bias = weight(lambda p: (p.embed_dim,))
    k_weight = packed_weight(_embed_dim, _kdim)
    k_bias = weight(lambda p: (p.embed_dim,))
    v_weight = packed_weight(_embed_dim, _vdim)
    v_bias = weight(lambda p: (p.embed_dim,))
    out_weight = packed_weight(_qdim, _embed_dim)
    out_bias = weight(lambda p: (_qdim(p),))
    q_weight_quantize_scales = block_scales(_embed_dim, _qdim)
    k_weight_quantize_scales = block_scales(_embed_dim, _kdim)
    v_weight_quantize_scales = block_scales(_embed_dim, _vdim)
    out_weight_quantize_scales = block_scales(_qdim, _embed_dim)
    q_weight_input_scales = block_input_scales(_qdim)
    k_weight_input_scales = block_input_scales(_kdim)
    v_weight_input_scales = block_input_scales(_vdim)
    out_weight_input_scales = block_input_scales(_embed_dim)
    q_weight_int8_scales = _int8_scales(_embed_dim)
    k_weight_int8_scales = _int8_scales(_embed_dim)
    v_weight_int8_scales = _int8_scales(_embed_dim)
    out_weight_int8_scale = _int8_scales(lambda p: 1)

    @derived_param(2)
    def weight_data_size(self) -> int:
        """The number of elements of the query's weight before packing."""
        return self.embed_dim * element_count(self.out_bias)

    def expected_input_shapes(self) -> Sequence[Pattern]:
        return [(None, _qdim(self))]

    def verify_layer(self) -> None:
        super().verify_layer()
        check_quantize_term(self.label(), self.quantize_term)
        heads, features = self.num_heads, self.embed_dim
        whole = heads > 0 and features % heads == 0
        check(self, whole, f"num_heads {heads} does not divide embed_dim {features}")
        check(self, min(self.kdim, self.vdim) > 0, f"kdim is {self.kdim}, vdim {self.vdim}")

    def infer_shapes(self, shapes: Sequence[Extents | None]) -> Sequence[Extents | None] | None:
        inputs = shapes[: len(self.inputs)]
        result = (_steps(inputs[0]), _qdim(self))
        if not self.kv_cache:
            return [result] if len(self.outputs) == 1 else None
        past = _heads(self.past(inputs)[0])[1]
        if len(self.sequences(inputs)) == 1:
            steps = past + _steps(inputs[0])
        else:  # the key is a separate blob, used only while there is no past
            steps = past if past != 0 else _steps(inputs[1])
        size = self.embed_dim // self.num_heads
        caches = (_cache(v, (self.num_heads,), steps, (size,)) for v in self.past(inputs))
        return [result, *caches]

    def macs(self) -> int | None:
        q, k, v = self._rows()
        e, qdim, n = self.embed_dim, _qdim(self), self._keys()
        return total(
            product(q, e * qdim * 2),  # query and output
            product(k, e * self.kdim),
            product(v, e * self.vdim),
            product(q, n, e * 2),
        )

    def other_flops(self) -> int | None:
        (q, k, v), e = self._rows(), self.embed_dim
        biases = total(product(q, e * 2 + _qdim(self)), product(k, e), product(v, e))
        scores = product(q, self._keys(), self.num_heads * (6 if self.attn_mask else 5))
        return total(biases, scores)  # the query is scaled, too

    def weight_sizes(self) -> dict[str, int]:
        if blocks_of(self) is None:
            return super().weight_sizes()
        e, qdim = self.embed_dim, _qdim(self)
        packed = {"q": e * qdim, "k": e * self.kdim, "v": e * self.vdim, "out": qdim * e}
        return super().weight_sizes() | {f"{name}_weight": n for name, n in packed.items()}

    def _rows(self) -> tuple[int | None, int | None, int | None]:
        """The rows of query, key and value that are multiplied by weights."""
        inputs = [extents_in(v.type) for v in self.inputs]
        given = self.sequences(inputs)
        q, k, v = (_known(_steps(given[min(i, len(given) - 1)])) for i in range(3))
        past = _heads(self.past(inputs)[0])[1] if self.kv_cache and len(given) > 1 else 0
        if past != 0:  # past keys replace a separate blob's keys
            k = v = 0 if isinstance(past, int) else None
        return q, k, v

    def _keys(self) -> int | None:
        """The number of keys per row of the query."""
        if self.kv_cache:
            return _known(_heads(extents_in(self.results[1].type))[1])
        return self._rows()[1]


def _steps(sequence: Extents | None) -> Extent:
    """Return the length of a sequence, unknown unless it is 2-D."""
    return sequence[0] if sequence is not None and len(sequence) == 2 else UNKNOWN


def _known(extent: Extent) -> int | None:
    return extent if isinstance(extent, int) else None


def _cache(
    past: Extents | None, heads: Sequence[Extent], steps: Extent, features: Sequence[Extent]
) -> Extents | None:
    """Return the extents of the cache of all steps: the heads and features common to the past cache
    and the new steps.

    An unknown past extent is assumed to come from an earlier run of the layer. The runtime also
    accepts blobs that do not fit; the result is then unknown.
    """
    if past is not None and len(past) != 3:
        return None
    before = _heads(past)
    return (_common(before[0], heads), steps, _common(before[2], features))


def _common(past: Extent, added: Sequence[Extent]) -> Extent:
    """Return the common extent of all values, ignoring a non-constant past extent."""
    first, *others = [past, *added] if isinstance(past, int) else added
    return first if all(first == other for other in others) else UNKNOWN


@layer
class SDPAOp(DynamicInt8, Attention):
    """Scaled dot product attention per head: `y = softmax(scale * q @ transpose(k) + mask) @ v`.

    Shapes: query `heads x steps x e`, key `groups x n x e`, value `groups x n x f`, mask
    `steps x n` or `heads x steps x n` with attn_mask, past keys and values with kv_cache ->
    `heads x steps x f`, and with kv_cache all keys and values, the past ones first. Each group of
    keys serves heads / groups consecutive heads.
    """

    NUM_INPUTS: ClassVar[Arity] = (3, 6)

    scale = float_param(6)
    """The factor of the query-key products; 0: 1 / sqrt(features)."""
    int8_scale_term = int_param(18)
    """Whether products are computed in int8."""

    def sequences(self, inputs: Sequence[_T]) -> Sequence[_T]:
        return inputs[:3]

    def past(self, inputs: Sequence[_T]) -> Sequence[_T]:
        first = 4 if self.attn_mask else 3
        return inputs[first : first + 2] if self.kv_cache else ()

    def infer_shapes(self, shapes: Sequence[Extents | None]) -> Sequence[Extents | None] | None:
        query, key, value = map(_heads, shapes[:3])
        result = (*query[:2], value[2])
        if not self.kv_cache:
            return [result] if len(self.outputs) == 1 else None
        past_key, past_value = self.past(shapes)
        # The number of past keys also applies to the past values.
        steps = _heads(past_key)[1] + key[1]
        keys = _cache(past_key, (key[0],), steps, (query[2], key[2]))
        values = _cache(past_value, (key[0], value[0]), steps, (value[2],))
        return [result, keys, values]

    def macs(self) -> int | None:
        (heads, steps, e), (*_, features) = self._extents(0), self._extents(2)
        sizes = total(_known(e), _known(features))
        return product(_known(heads), _known(steps), self._keys(), sizes)

    def other_flops(self) -> int | None:
        heads, steps, _ = self._extents(0)
        each = 7 if self.attn_mask else 6  # scale, softmax, mask
        return product(each, _known(heads), _known(steps), self._keys())

    def _keys(self) -> int | None:
        """The number of keys per row of the query."""
        keys = self.results[1] if self.kv_cache else self.inputs[1]
        return _known(_heads(extents_in(keys.type))[1])

    def _extents(self, index: int) -> tuple[Extent, Extent, Extent]:
        return _heads(extents_in(self.inputs[index].type))


def _heads(shape: Extents | None) -> tuple[Extent, Extent, Extent]:
    """Return the extents of a blob of heads, unknown unless it is 3-D."""
    if shape is None or len(shape) != 3:
        return (UNKNOWN, UNKNOWN, UNKNOWN)
    return shape


@layer
class RotaryEmbedOp(KeepsElements, KeepsShape, VariadicLayer):
    """Rotary position embedding: rotates pairs of features by their step's angle,
    `y1 = x1 * cos - x2 * sin`, `y2 = x1 * sin + x2 * cos`.

    Shapes: x `heads x steps x e`, cos and sin `steps x e/2`, or `steps x e` if the halves differ ->
    x's shape.
    Parameters: interleaved (0 halves: feature i pairs with i + e/2, 1 neighbours: 2i with 2i + 1).
    """

    FLOPS_PER_ELEMENT: ClassVar[int] = 3

    NUM_INPUTS: ClassVar[Arity] = (3, 3)
    IGNORES_MORE: ClassVar[bool] = True

    interleaved = enum_param(0, ("halves", "neighbours"))
    """The features that form a pair."""
