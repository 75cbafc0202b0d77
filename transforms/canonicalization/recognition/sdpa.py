"""Recognition of scaled dot-product attention."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite, prod
from typing import NamedTuple, TypeVar, cast

from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from ....analysis.module_attributes import is_tuned_for_vulkan
from ....analysis.shapes import shapes_of
from ....analysis.tuning_facts import (
    described,
    permutes_wrongly_on_vulkan,
    processors_for,
    slow_sdpa,
)
from ....dialects.ncnn.assembly import names_of, set_names
from ....dialects.ncnn.attention import SDPAOp
from ....dialects.ncnn.blob import agree, blob_like
from ....dialects.ncnn.extents import ORDERS, permutation, positive_axis
from ....dialects.ncnn.layer import LayerOp
from ....dialects.ncnn.matmul import MatMulOp
from ....dialects.ncnn.params import to_float32
from ....dialects.ncnn.reduction import SoftmaxOp
from ....dialects.ncnn.reshaping import PermuteOp
from ....dialects.shapes.analysis import Shapes, declared_shape
from ....dialects.shapes.terms import provably_equal
from ...rewriting.release_conditions import Replacement
from ...rewriting.remarks import emit_remark
from ...rewriting.running_passes import is_requested
from ..rewriting import put_new, successor
from .algebra import BlobTerm, NumberTerm, Product, Sum, Term
from .layer_formulas import formula_of
from .matching import Match
from .recognizer import NewLayer, erase_unused, producer_of, put

ORDER_TYPES = {permutation(i, 3): i for i in range(len(ORDERS[3]))}
"""The order_type of each permutation of three axes."""


@dataclass
class _Found:
    """A partially matched attention, from its end towards its beginning."""

    layers: list[LayerOp]
    shapes: Shapes
    scale: float = 1.0
    mask: SSAValue | None = None
    query: SSAValue | None = None
    key: SSAValue | None = None
    value: SSAValue | None = None
    transposed: PermuteOp | None = None
    """The Permute that transposes the keys; then `key` is its input."""
    order: int = 0
    """The order_type that would give the untransposed keys."""
    key_features_first: bool = False
    """Whether `key` is heads x features x steps."""
    value_features_first: bool = False
    """Whether `value` is heads x features x steps."""
    output_features_first: bool = False
    """Whether the result is heads x features x steps."""

    def added_permutes(self) -> int:
        """Return the number of Permutes that an SDPA needs beside the existing ones."""
        return self.key_features_first + self.value_features_first + self.output_features_first


class FormSDPA(RewritePattern):
    """Recognize an SDPA: two products, a Softmax and the layers between them.

    Algebra: `softmax(scale * q @ transpose(k) + mask) @ v`; MatMul or a Permute before it
    transposes. The scale may be one number or several, applied to the product or the query, or
    missing (then it becomes 1, because SDPA interprets 0 as its default). Blobs with the features
    as rows, as in the attention of YOLO, get Permutes: the keys of `q @ k`, and values and result
    of `v @ transpose(softmax(…))`, which is `transpose(softmax(…) @ transpose(v))`.

    Conditions, and why:
    - the release that the module is made for has SDPA;
    - the values between have no users outside and are no outputs, and all layers have the same
      feature mask and no unknown parameters, as for `Recognizer`;
    - query, keys and values provably have 3 dims and the same number of heads: MatMul repeats a
      single head, SDPA divides by the number of heads;
    - the Softmax runs along the innermost axis: SDPA supports no other;
    - the mask provably has the extents of the scores, with one head or all: BinaryOp repeats rows
      or columns, SDPA does not;
    - the scale is positive and finite. With a negative scale the largest score is the smallest
      product, and the runtime uses the largest product to limit exponentials;
    - Permutes are added only if the module is tuned for Vulkan: there MatMul runs on the CPU, so
      blobs are transferred. A Permute that is wrong in float16 on Vulkan is not added;
    - SDPA is not slow on the target processors (see `slow_sdpa`), unless the pass is requested by
      name.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: MatMulOp, rewriter: PatternRewriter) -> None:
        slow = slow_sdpa()
        if not is_requested(self) and any(p.name in slow for p in processors_for(op, "sdpa")):
            return
        shapes = shapes_of(rewriter)
        found = _attention(op, shapes)
        if found is None or not _is_sound(found, op):
            return
        query, key, value = _sequences(found)
        if found.added_permutes() and not _may_add_permutes(op, found):
            return
        layers = found.layers
        if found.transposed is not None:
            layers = [*layers, found.transposed]
        params = {"attn_mask": int(found.mask is not None), "scale": to_float32(found.scale)}
        planned = Replacement(self, layers, SDPAOp)
        if planned.is_unsupported([query, key, value], params, rewriter):
            return
        if found.transposed is not None:
            key = _untransposed_keys(found.transposed, found.order, rewriter)
        elif found.key_features_first:
            key = _steps_first(op, key, "keys", rewriter)
        if found.value_features_first:
            value = _steps_first(op, value, "values", rewriter)
        blobs = [key, value, *([] if found.mask is None else [found.mask])]
        new = NewLayer(SDPAOp, query, params, others=blobs)
        if found.output_features_first:
            _put_before_permute(self, op, new, layers, rewriter)
        else:
            put(self, new, layers, rewriter, described(slow))


class AttentionMatch(NamedTuple):
    """Attention, as an SDPA or spelled out."""

    query: SSAValue
    key: SSAValue
    value: SSAValue
    transposed: bool
    """Whether the keys are heads x features x steps."""
    mask: SSAValue | None
    scale: float
    """0: one over the root of the features."""
    layers: Sequence[LayerOp]
    """The layers that compute it, the last one first."""


def attention_before(blob: SSAValue, shapes: Shapes) -> AttentionMatch | None:
    """Return the attention that computes a blob, without a cache and not in int8; `None` if no
    layer provably does."""
    op = producer_of(blob)
    if isinstance(op, SDPAOp):
        if op.extra or op.kv_cache or op.int8_scale_term:
            return None
        if len(op.inputs) != 3 + bool(op.attn_mask):
            return None
        mask = op.inputs[3] if op.attn_mask else None
        query, key, value = op.inputs[:3]
        return AttentionMatch(query, key, value, False, mask, op.scale, [op])
    if not isinstance(op, MatMulOp):
        return None
    found = _attention(op, shapes)
    if found is None or found.added_permutes() or not _is_sound(found, op):
        return None
    query, key, value = _sequences(found)
    if found.transposed is not None:
        key = found.transposed.output
    scale, transposed = to_float32(found.scale), found.transposed is not None
    return AttentionMatch(query, key, value, transposed, found.mask, scale, found.layers)


def _attention(op: MatMulOp, shapes: Shapes) -> _Found | None:
    """Return the attention that ends with a product; `None` if no attention does."""
    if op.extra is not None:
        return None
    first, second = op.inputs[:2]
    softmax, value = producer_of(first), second
    output_features_first = bool(op.transB) and not isinstance(softmax, SoftmaxOp)
    if output_features_first:
        softmax, value = producer_of(second), first
    if not isinstance(softmax, SoftmaxOp) or softmax.extra is not None:
        return None
    if shapes.rank(softmax.input) != 3 or positive_axis(softmax.axis, 3) != 2:
        return None
    found = _Found([op, softmax], shapes)

    def begin(*layers: LayerOp, scale: float = 1.0, mask: SSAValue | None = None) -> _Found:
        turned, both = bool(op.transB), [op, softmax, *layers]
        return _Found(
            both, shapes, scale, mask, value=value,
            value_features_first=turned, output_features_first=output_features_first,
        )  # fmt: skip

    scores = producer_of(softmax.input)
    sum_ = None if scores is None else formula_of(scores, shapes)
    if scores is None or not isinstance(sum_, Sum):
        found = begin()
        return found if _products(softmax.input, found) else None
    terms = [_scaled(term) for term in sum_.terms]
    for product, mask in (terms, terms[::-1]) if len(terms) == 2 else ():
        if product is None or mask is None or mask[0] != 1:
            continue
        found = begin(scores, scale=product[0], mask=mask[1])
        if _products(product[1], found):
            return found
    return None


def _scaled(term: Term | None) -> tuple[float, SSAValue] | None:
    """Return the number and the blob whose product a term is."""
    factors = term.factors if isinstance(term, Product) else (term,)
    numbers = [factor.value for factor in factors if isinstance(factor, NumberTerm)]
    values = [factor.value for factor in factors if isinstance(factor, BlobTerm)]
    if len(values) != 1 or len(numbers) + 1 != len(factors):
        return None
    return prod(numbers), values[0]


def _products(value: SSAValue, found: _Found) -> bool:
    """Whether a blob is the product of query and keys times numbers; record these."""
    producer = producer_of(_unscaled(value, found, alone=False))
    if not isinstance(producer, MatMulOp) or producer.extra is not None:
        return False
    found.layers.append(producer)
    found.query = _unscaled(producer.inputs[0], found, alone=True)
    found.key = producer.inputs[1]
    if not producer.transB and not _match_transposed_keys(found):
        found.key_features_first = True
    return True


def _unscaled(value: SSAValue, found: _Found, *, alone: bool) -> SSAValue:
    """Return a blob before its multiplications by numbers, and record these. `alone`: only if it
    has no other users."""
    producer = producer_of(value)
    while producer is not None and (value.has_one_use() or not alone):
        factor = _scaled(formula_of(producer, found.shapes))
        if factor is None:
            break
        found.scale *= factor[0]
        found.layers.append(producer)
        value = factor[1]
        producer = producer_of(value)
    return value


def _match_transposed_keys(found: _Found) -> bool:
    """Whether a Permute without other users transposes the keys; record it."""
    permute = producer_of(cast(SSAValue, found.key))
    if not isinstance(permute, PermuteOp) or permute.extra is not None:
        return False
    axes = permutation(permute.order_type, 3)
    if found.shapes.rank(permute.input) != 3 or axes is None or not permute.output.has_one_use():
        return False
    found.transposed, found.key = permute, permute.input
    found.order = ORDER_TYPES[axes[0], axes[2], axes[1]]
    return True


def _is_sound(found: _Found, op: MatMulOp) -> bool:
    """Whether the conditions on shapes, scale and users hold."""
    scale = to_float32(found.scale)
    if not (isfinite(scale) and scale >= 2.0**-126):
        return False
    blobs = _sequences(found)
    query, key, value = map(found.shapes.of, blobs)
    if query is None or key is None or value is None:
        return False
    if not len(query) == len(key) == len(value) == 3:
        return False
    if found.transposed is not None:
        axes = permutation(found.order, 3) or ()
        key = tuple(key[axis] for axis in axes)
    elif found.key_features_first:
        key = _swapped(key)
    if not query[0] == key[0] == value[0]:
        return False
    if found.mask is not None:
        scores = (query[0], query[1], key[1])
        mask = found.shapes.of(found.mask)
        if not any(provably_equal(mask, n) for n in (scores, (1, *scores[1:]))):
            return False
    layers = found.layers if found.transposed is None else [*found.layers, found.transposed]
    alone = Match({}, {}, layers=tuple(layers)).is_self_contained()
    ends = [declared_shape(v) or () for v in (blobs[0], blobs[2])]
    last = _swapped(ends[1]) if found.value_features_first else ends[1]
    result = ends[0][:2] + last[2:]
    if found.output_features_first:
        result = _swapped(result)
    return alone and agree(result, declared_shape(op.outputs[0]))


def _sequences(found: _Found) -> tuple[SSAValue, SSAValue, SSAValue]:
    """Return query, keys and values of a matched attention."""
    query, key, value = found.query, found.key, found.value
    assert query is not None
    assert key is not None
    assert value is not None
    return query, key, value


_T = TypeVar("_T")


def _swapped(shape: tuple[_T, ...]) -> tuple[_T, ...]:
    """Return extents with the last two exchanged."""
    return (*shape[:-2], *reversed(shape[-2:]))


def _may_add_permutes(op: MatMulOp, found: _Found) -> bool:
    """Whether Permutes of the two innermost axes may be added: the module is tuned for Vulkan, and
    they are right there."""
    if not is_tuned_for_vulkan(op):
        return False
    query, key, value = (found.shapes.of(blob) for blob in _sequences(found))
    blobs = [key] if found.key_features_first else []
    blobs += [value] if found.value_features_first else []
    if found.output_features_first and query is not None and value is not None:
        blobs.append((*query[:2], value[1]))
    return not any(permutes_wrongly_on_vulkan(op, (0, 2, 1), shape) for shape in blobs)


def _steps_first(op: LayerOp, blob: SSAValue, what: str, rewriter: PatternRewriter) -> SSAValue:
    """Return a blob with its two innermost axes exchanged, by a Permute before `op`."""
    name = None if op.layer_name is None else f"{op.layer_name.data}_{what}"
    return put_new(op, PermuteOp, [blob], {"order_type": 1}, rewriter, name)


def _put_before_permute(
    pattern: RewritePattern,
    op: MatMulOp,
    new: NewLayer,
    layers: Sequence[LayerOp],
    rewriter: PatternRewriter,
) -> None:
    """Replace layers by an SDPA, and a Permute that writes the blob of the last one."""
    emit_remark(pattern, *layers)
    name = None if op.layer_name is None else op.layer_name.data
    result = put_new(op, new.type, [new.input, *new.others], new.params, rewriter, name)
    blobs = names_of(op)
    permute = successor(op, PermuteOp, [result], {}, {"order_type": 1})
    set_names(permute, None, blobs)
    rewriter.replace(op, permute)
    erase_unused(layers[1:], rewriter)


def _untransposed_keys(transposed: PermuteOp, order: int, rewriter: PatternRewriter) -> SSAValue:
    """Return the untransposed keys of a Permute that transposes them. A new blob is named after its
    layer, because it is not the old one."""
    axes, shape = permutation(order, 3), declared_shape(transposed.input)
    if order == 0 or axes is None or shape is None:
        return transposed.input
    carried = ("name", "featmask")
    properties = {
        key: transposed.properties[key] for key in carried if key in transposed.properties
    }
    type_ = blob_like(transposed.input, [shape[axis] for axis in axes])
    new = PermuteOp.make([transposed.input], {}, [type_], properties)
    new.init_params({"order_type": order})
    new.results[0].name_hint = transposed.output.name_hint
    rewriter.insert(new)
    return new.results[0]
