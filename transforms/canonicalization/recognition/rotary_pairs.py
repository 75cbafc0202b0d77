"""Recognition of rotary position embeddings whose pairs are neighbours."""

from dataclasses import dataclass, field

from xdsl.ir import OpResult, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from ....analysis.shapes import shapes_of
from ....dialects.ncnn.assembly import names_of, set_names
from ....dialects.ncnn.attention import RotaryEmbedOp
from ....dialects.ncnn.elementwise import expand
from ....dialects.ncnn.extents import positive_axis, reshape_params
from ....dialects.ncnn.interfaces import Reshaping
from ....dialects.ncnn.joining import ConcatOp, SliceOp
from ....dialects.ncnn.layer import LayerOp
from ....dialects.ncnn.reshaping import ReshapeOp
from ....dialects.shapes.analysis import Shapes
from ....dialects.shapes.terms import Extents, provably_equal
from ...rewriting.release_conditions import Replacement
from ...rewriting.remarks import emit_remark
from ..parallel_branches import Sum, factors_of
from ..rewriting import put_new, successor
from .matching import Match
from .recognizer import erase_unused, producer_of
from .rotary import factors_in


@dataclass
class _Pairs:
    """A partially matched rotation, from its end towards its beginning."""

    shapes: Shapes
    layers: list[LayerOp]
    """The layers that compute it, the last one first."""
    cut: SliceOp | None = None
    """The layer that separates the features of each pair."""
    parts: dict[SSAValue, int] = field(default_factory=dict[SSAValue, int])
    """The place of each part in its pair."""

    def add(self, *layers: LayerOp | None) -> None:
        """Record layers, each once."""
        self.layers += [op for op in layers if op is not None and op not in self.layers]

    def same_order(self, value: SSAValue) -> SSAValue:
        """Return a blob before layers that only reshape it, and record these."""
        op = producer_of(value)
        while isinstance(op, Reshaping) and op.keeps_order(self.shapes) and op.extra is None:
            self.add(op)
            value = op.operands[0]
            op = producer_of(value)
        return value

    def place_of(self, value: SSAValue) -> int | None:
        """Return the place in its pair of each feature in a blob; `None` if the blob is no part of
        the same pairs."""
        if value in self.parts:
            return self.parts[value]
        known = list(self.layers)
        part = self.same_order(value)
        if isinstance(part, OpResult) and self._is_cut(part):
            self.add(self.cut)
            self.parts[value] = part.index
            return part.index
        self.layers = known
        return None

    def _is_cut(self, part: OpResult) -> bool:
        """Whether a blob is one of two parts of one feature each, along the innermost of 4 axes."""
        cut, shapes = part.op, self.shapes
        if not isinstance(cut, SliceOp) or self.cut not in (None, cut):
            return False
        whole = shapes.of(cut.inputs[0])
        if cut.extra is not None or whole is None or len(whole) != 4:
            return False
        ends = [(shapes.of(v) or (None,))[-1] for v in cut.outputs]
        if whole[3] != 2 or ends != [1, 1]:
            return False
        self.cut = cut
        return True


class FormRotaryEmbedOfPairs(RewritePattern):
    """Recognize a RotaryEmbed whose pairs are neighbours, computed for the first and the second
    features of all pairs and interleaved again.

    Algebra: with x as `heads x steps x pairs x 2`, a Slice gives the features a and b of all pairs;
    `a * cos - b * sin` and `b * cos + a * sin`, concatenated along a new innermost axis, are the
    rotated pairs.

    Conditions, and why:
    - the release that the module is made for has RotaryEmbed;
    - the values between have no users outside and are no outputs, and all layers have the same
      feature mask and no unknown parameters, as for `Recognizer`;
    - x provably has 4 dims, the innermost one of 2, and layers between only reshape;
    - the tables provably have one row per step, the same for all heads, and the number of pairs:
      where BinaryOp would broadcast, RotaryEmbed would read past the end.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ConcatOp, rewriter: PatternRewriter) -> None:
        shapes = shapes_of(rewriter)
        if len(op.inputs) != 2 or op.extra is not None or shapes.rank(op.inputs[0]) != 4:
            return
        if positive_axis(op.axis, 4) != 3:
            return
        if any((shapes.of(value) or (None,))[-1] != 1 for value in op.inputs):
            return
        found = _Pairs(shapes, [op])
        sums = [producer_of(found.same_order(value)) for value in op.inputs]
        tables = _rotation(found, *sums)
        if tables is None or found.cut is None:
            return
        whole, pairs = found.cut.inputs[0], _pairs_of(found)
        if pairs is None or not _are_tables(found, sums[0], tables, pairs):
            return
        rotated = (*pairs[:2], pairs[2] * 2)
        to_rows, back = reshape_params(rotated, shapes.of(whole)), (*pairs, 2)
        last = reshape_params(back, rotated)
        planned = Replacement(self, found.layers, RotaryEmbedOp)
        if to_rows is None or last is None:
            return
        if not Match({}, {}, layers=tuple(found.layers)).is_self_contained():
            return
        if planned.is_unsupported([whole, *tables], {"interleaved": 1}, rewriter):
            return
        emit_remark(self, *found.layers)
        name = None if op.layer_name is None else op.layer_name.data
        blobs = [put_new(op, ReshapeOp, [whole], to_rows, rewriter, _suffixed(name, "x"))]
        for table, word in zip(tables, ("cos", "sin"), strict=True):
            rows = reshape_params(pairs[1:], shapes.of(table)) or {}
            blobs.append(put_new(op, ReshapeOp, [table], rows, rewriter, _suffixed(name, word)))
        new = put_new(op, RotaryEmbedOp, blobs, {"interleaved": 1}, rewriter, name)
        result = successor(op, ReshapeOp, [new], {}, last)
        set_names(result, None, names_of(op))
        rewriter.replace(op, result)
        erase_unused(found.layers[1:], rewriter)


def _suffixed(name: str | None, word: str) -> str | None:
    return None if name is None else f"{name}_{word}"


def _rotation(
    found: _Pairs, first: LayerOp | None, second: LayerOp | None
) -> tuple[SSAValue, SSAValue] | None:
    """Return cosines and sines if two sums are the rotated first and second features; record the
    layers."""
    if not isinstance(first, Sum) or not isinstance(second, Sum):
        return None
    factors = factors_of(first)
    if factors not in ((1.0, -1.0), (-1.0, 1.0)) or factors_of(second) != (1.0, 1.0):
        return None
    plus, minus = first.inputs if factors[0] > 0 else first.inputs[::-1]
    found.add(first, second)
    cos, sin = _table(found, plus, 0), _table(found, minus, 1)
    for one, other in (second.inputs, second.inputs[::-1]):
        if cos is not None and sin is not None:
            if _table(found, one, 1) == cos and _table(found, other, 0) == sin:
                return cos, sin
    return None


def _table(found: _Pairs, product: SSAValue, place: int) -> SSAValue | None:
    """Return the factor of the features at a place of the pairs."""
    pair = factors_in(product, found.shapes)
    for part, table in () if pair is None else (pair, pair[::-1]):
        if found.place_of(part) == place:
            found.add(producer_of(product))
            return table
    return None


def _pairs_of(found: _Pairs) -> Extents | None:
    """Return heads, steps and number of pairs, which all parts provably have."""
    assert found.cut is not None
    whole = found.shapes.of(found.cut.inputs[0])
    if whole is None:
        return None
    pairs = whole[:3]
    shapes = [found.shapes.of(part) for part in found.parts]
    wanted = (pairs, (*pairs, 1))
    same = all(any(provably_equal(shape, each) for each in wanted) for shape in shapes)
    return pairs if same else None


def _are_tables(
    found: _Pairs, sum_: LayerOp | None, tables: tuple[SSAValue, SSAValue], pairs: Extents
) -> bool:
    """Whether tables provably have one row per step, as BinaryOp expands them."""
    part = None if sum_ is None else found.shapes.of(sum_.results[0])
    if part is None or not any(provably_equal(part, each) for each in (pairs, (*pairs, 1))):
        return False
    for table in tables:
        own = found.shapes.of(table)
        if own is None or not provably_equal(expand(own, part), (1, *part[1:])):
            return False
        if reshape_params(pairs[1:], own) is None:
            return False
    return True
