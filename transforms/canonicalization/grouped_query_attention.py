"""Attention whose query heads share keys and values."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from ...analysis.shapes import shapes_of
from ...dialects.ncnn.attention import SDPAOp
from ...dialects.ncnn.interfaces import Reshaping
from ...dialects.ncnn.joining import TileOp
from ...dialects.ncnn.layer import LayerOp
from ...dialects.shapes.analysis import Shapes
from ...dialects.shapes.terms import Extent, Extents, provably_equal
from ..rewriting.remarks import tell
from .rewriting import MAX_BETWEEN, agrees, changed, only_producer


@dataclass(frozen=True)
class Repeated:
    """A blob of heads that repeats each head several times in a row."""

    source: SSAValue
    """The blob with each head once."""
    times: Extent
    layers: Sequence[LayerOp]
    """The layers that repeat the heads, the last one first."""


class ShareHeads(RewritePattern):
    """Make an SDPA read keys and values before each head is repeated for several query heads
    (grouped-query attention).

    Algebra: query head h of H reads keys `h // (H / n)` of n. If each of G heads is repeated r
    times in a row, n = G r, and these are keys `h // (H / (G r)) // r = h // (H / G)` of the G.

    Conditions, and why:
    - a Tile and layers that keep the order of elements produce both keys and values, and these have
      no other users: otherwise nothing would be gained;
    - the Tile provably repeats along one axis of extent 1. The number of elements before this axis
      is the number of heads of the source. The blob has r times these heads, and the same rows and
      columns. r is the same for keys and values;
    - there is no cache: the keys of all steps would be outputs.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: SDPAOp, rewriter: PatternRewriter) -> None:
        if op.kv_cache or op.extra is not None:
            return
        if not all(isinstance(only_producer(v, op), Reshaping | TileOp) for v in op.inputs[1:3]):
            return
        shapes = shapes_of(rewriter)
        found = [repeated(v, op, shapes) for v in op.inputs[1:3]]
        key, value = found
        if key is None or value is None or key.times != value.times:
            return
        heads = [shapes.of(each.source) for each in (key, value)]
        if heads[0] is None or heads[1] is None or heads[0][0] != heads[1][0]:
            return
        blobs = [op.inputs[0], key.source, value.source, *op.inputs[3:]]
        new = changed(op, blobs)
        if not agrees(new):
            new.drop_all_references()
            return
        tell(self, op, *key.layers, *value.layers)
        rewriter.replace(op, new)
        for layer in (*key.layers, *value.layers):
            if not layer.results[0].uses:
                rewriter.erase(layer)


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
