"""Attention whose query heads share keys and values."""

from collections.abc import Sequence
from math import prod
from typing import NamedTuple, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, BlockArgument, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.rewriter import Rewriter

from ...analysis.caches import cache_interface
from ...analysis.shapes import shapes_of
from ...dialects.ncnn.attention import SDPAOp
from ...dialects.ncnn.blob import blob_like, shape_of
from ...dialects.ncnn.function import update_type
from ...dialects.ncnn.interfaces import Reshaping
from ...dialects.ncnn.joining import TileOp
from ...dialects.ncnn.layer import LayerOp
from ...dialects.shapes.analysis import Shapes, fixed_axes
from ...dialects.shapes.terms import Extent, Extents, provably_equal
from ..rewriting.remarks import emit_remark
from .rewriting import MAX_BETWEEN, agrees, changed, only_producer


class ShareHeads(RewritePattern):
    """Make an SDPA read keys and values before each head is repeated for several query heads
    (grouped-query attention).

    Algebra: query head h of H reads keys `h // (H / n)` of n. If each of G heads is repeated r
    times in a row, n = G r, and these are keys `h // (H / (G r)) // r = h // (H / G)` of the G.
    With a cache, the heads of all steps are repeated in this way: the heads of past steps by the
    earlier calls, the heads of new steps by the Tile. An empty cache has no heads.

    Conditions, and why:
    - a Tile and layers that keep the order of elements produce both keys and values, and these have
      no other users: otherwise nothing would be gained;
    - the Tile provably repeats along one axis of extent 1. The number of elements before this axis
      is the number of heads of the source. The blob has r times these heads, and the same rows and
      columns. r is the same for keys and values;
    - there is no cache, or `opaque_caches` is set: a cache changes from G r to G heads, so that the
      application may only pass caches on. Then the past keys and values must be inputs that no
      other layer reads, and all keys and values outputs that no layer reads.
    """

    def __init__(self, opaque_caches: bool = False) -> None:
        self.opaque_caches = opaque_caches

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: SDPAOp, rewriter: PatternRewriter) -> None:
        found = shared_heads(op, shapes_of(rewriter), self.opaque_caches)
        if found is None:
            return
        key, value = found.key, found.value
        blobs = [op.inputs[0], key.source, value.source, *op.inputs[3:]]
        new = changed(op, blobs)
        types = past_types(found, op.past(op.inputs))
        if op.kv_cache:
            new.set_params(shape_hints=())
            inferred = new.infer_types([types.get(v, v.type) for v in new.operands]) or ()
            for result, type_ in zip(new.results[1:], inferred[1:], strict=False):
                Rewriter.replace_value_with_new_type(result, type_)
        if not agrees(new, types):
            new.drop_all_references()
            return
        emit_remark(self, op, *key.layers, *value.layers)
        rewriter.replace(op, new)
        for past, type_ in types.items():
            rewriter.replace_value_with_new_type(past, type_)
        if op.kv_cache and isinstance(func := new.parent_op(), FuncOp):
            update_type(func)
        for layer in (*key.layers, *value.layers):
            if not layer.results[0].uses:
                rewriter.erase(layer)


class Repeated(NamedTuple):
    """A blob of heads that repeats each head several times in a row."""

    source: SSAValue
    """The blob with each head once."""
    times: Extent
    layers: Sequence[LayerOp]
    """The layers that repeat the heads, the last one first."""


class SharedHeads(NamedTuple):
    """Keys and values of an SDPA that repeat each head as often."""

    key: Repeated
    value: Repeated
    heads: Extent
    """The number of heads before the repetition."""


def shared_heads(op: SDPAOp, shapes: Shapes, opaque_caches: bool) -> SharedHeads | None:
    """Return the repeated keys and values of an SDPA that can share heads; see `ShareHeads`."""
    if op.extra is not None or (op.kv_cache and not opaque_caches):
        return None
    if op.kv_cache and cache_interface(op) is None:
        return None
    if not all(isinstance(only_producer(v, op), Reshaping | TileOp) for v in op.inputs[1:3]):
        return None
    found = [repeated(v, op, shapes) for v in op.inputs[1:3]]
    key, value = found
    if key is None or value is None or not provably_equal(key.times, value.times):
        return None
    heads = [shapes.of(each.source) for each in (key, value)]
    if heads[0] is None or heads[1] is None or not provably_equal(heads[0][0], heads[1][0]):
        return None
    shared = SharedHeads(key, value, heads[0][0])
    return shared if all(may_share(v, shared) for v in op.past(op.inputs)) else None


def may_share(past: SSAValue, shared: SharedHeads) -> bool:
    """Whether past keys or values may change to the heads before the repetition: their number of
    heads is not declared, or is declared by a type as that of the repeated heads, and no
    promise."""
    declared = shape_of(past)
    if declared is None:
        return True
    if len(declared) != 3 or not isinstance(past, BlockArgument) or 0 in fixed_axes(past):
        return False
    known = isinstance(shared.heads, int) and isinstance(shared.key.times, int)
    return declared[0] == DYNAMIC_INDEX or (
        known and declared[0] == shared.heads * shared.key.times
    )


def past_types(shared: SharedHeads, past: Sequence[SSAValue]) -> dict[SSAValue, Attribute]:
    """Return the new types of past keys and values whose shapes are declared."""
    types: dict[SSAValue, Attribute] = {}
    for value in past:
        if declared := shape_of(value):
            heads = declared[0] if declared[0] == DYNAMIC_INDEX else cast(int, shared.heads)
            types[value] = blob_like(value, (heads, *declared[1:]))
    return types


def repeated(value: SSAValue, user: LayerOp, shapes: Shapes) -> Repeated | None:
    """Return the source of a blob of repeated heads; `None` if the blob is not provably one."""
    wanted = shapes.of(value)
    if wanted is None or len(wanted) != 3:
        return None
    layers: list[LayerOp] = []
    while len(layers) < MAX_BETWEEN:
        layer = only_producer(value, user)
        if not isinstance(layer, TileOp) and not is_reshaping(layer, shapes):
            return None
        assert layer is not None
        layers.append(layer)
        user, value = layer, layer.operands[0]
        if isinstance(layer, TileOp):
            break
    else:
        return None
    before, after = (shapes.of(v) for v in (value, layers[-1].results[0]))
    place = None if before is None or after is None else repeated_axis(before, after)
    if place is None or after is None:
        return None
    outer, times, inner = after[:place], after[place], after[place + 1 :]
    while True:
        shape = shapes.of(value)
        if shape is not None and len(shape) == 3 and provably_equal(shape[1:], wanted[1:]):
            if shape[0] == prod(outer) and prod(inner) == prod(shape[1:]):
                return Repeated(value, times, layers) if wanted[0] == shape[0] * times else None
        layer = value.owner
        if len(layers) >= MAX_BETWEEN or not isinstance(layer, Reshaping):
            return None
        if not is_reshaping(layer, shapes):
            return None
        layers.append(layer)
        value = layer.operands[0]


def is_reshaping(layer: LayerOp | None, shapes: Shapes) -> bool:
    """Whether a layer provably keeps the order of elements."""
    return isinstance(layer, Reshaping) and layer.extra is None and layer.keeps_order(shapes)


def repeated_axis(before: Extents, after: Extents) -> int | None:
    """Return the only axis of the result along which a Tile provably repeats a blob, of extent 1 in
    the blob."""
    if len(before) == 3 and len(after) == 4:
        before = (before[0], 1, *before[1:])
    if len(before) != len(after):
        return None
    changed_axes = [i for i, (m, n) in enumerate(zip(before, after, strict=True)) if m != n]
    if len(changed_axes) != 1 or before[changed_axes[0]] != 1:
        return None
    return changed_axes[0]
