"""Recognition of rotary position embeddings."""

from collections.abc import Iterator
from typing import NamedTuple

from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from ....analysis.equal_halves import half_of, has_equal_halves
from ....analysis.release_changes import OTHER_HALVES
from ....analysis.shapes import shapes_of
from ....analysis.target_info.releases import SECOND_HALVES
from ....dialects.ncnn.attention import RotaryEmbedOp
from ....dialects.ncnn.constant import constant_of
from ....dialects.ncnn.cropping import CropOp
from ....dialects.ncnn.elementwise import BINARY_OPS, BinaryOpOp, EltwiseOp, expand
from ....dialects.ncnn.extents import positive_axis, reshape_params
from ....dialects.ncnn.joining import ConcatOp, SliceOp
from ....dialects.ncnn.layer import LayerOp
from ....dialects.ncnn.reshaping import ReshapeOp
from ....dialects.shapes.analysis import Shapes
from ....dialects.shapes.terms import Extents, provably_equal
from ...rewriting.release_conditions import Replacement
from ..parallel_branches import Sum as SumOp
from ..parallel_branches import factors_of
from ..rewriting import put_new
from .algebra import BlobTerm, NumberTerm, Product, Sum
from .layer_formulas import formula_of
from .matching import Match
from .recognizer import NewLayer, is_sum, producer_of, put


class Rotation(NamedTuple):
    """A matched rotation."""

    x: SSAValue
    cos: SSAValue
    sin: SSAValue
    layers: tuple[LayerOp, ...]
    """The layers that compute it, the last one first."""


class FormRotaryEmbed(RewritePattern):
    """Recognize a RotaryEmbed: a blob times cosines plus its exchanged halves times sines.

    Algebra: with halves (a, b) of x along the innermost axis, `x * cos + concat(-b, a) * sin` is
    `concat(a cos - b sin, b cos' + a sin')`, where cos' and sin' are the second halves of the
    tables. The runtime reads cos' and sin' from tables as wide as x; with tables of half the width
    it uses the first halves for both.

    Conditions, and why:
    - the release that the module is made for has RotaryEmbed;
    - the values between have no users outside and are no outputs, and all layers have the same
      feature mask and no unknown parameters, as for `Recognizer`;
    - x provably has 3 dims (heads, steps and features), and the halves are equal parts;
    - the tables provably have one row per step, the same for all heads, and the width of x: where
      BinaryOp would broadcast, RotaryEmbed would read past the end.

    Older releases read only the first halves, of tables of any width. Tables that are as wide as x
    and whose halves are not provably equal therefore require a newer release. Constant tables with
    equal halves are halved.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: SumOp, rewriter: PatternRewriter) -> None:
        if not _may_end_rotation(op) or factors_of(op) != (1.0, 1.0):
            return
        shapes = shapes_of(rewriter)
        for found in _rotations(op, shapes):
            tables = _tables(found, 1, shapes)
            if tables is not None and Match({}, {}, layers=found.layers).is_self_contained():
                _replace(self, found, tables, shapes, rewriter)
                return


def _may_end_rotation(op: Operation) -> bool:
    """Whether a layer may add the two products of a rotary embedding."""
    return is_sum(op) and len(op.operands) == 2 and all(map(_is_product, op.operands))


def _is_product(value: SSAValue) -> bool:
    producer = producer_of(value)
    if isinstance(producer, BinaryOpOp):
        return BINARY_OPS[producer.op_type] == "mul" and len(producer.inputs) == 2
    return isinstance(producer, EltwiseOp) and producer.op_type == 0


class FormRotaryEmbedOfParts(RewritePattern):
    """Recognize a RotaryEmbed that is computed for the halves of a blob and concatenated.

    Algebra: with halves (a, b) of x along the innermost axis, `concat(a * cos - b * sin, b * cos +
    a * sin)`.

    Conditions, and why: the conditions of `FormRotaryEmbed`; the tables have half the width of x,
    and both halves use the same ones.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ConcatOp, rewriter: PatternRewriter) -> None:
        if len(op.inputs) != 2 or op.extra is not None:
            return
        first, second = map(producer_of, op.inputs)
        if not isinstance(first, SumOp) or not isinstance(second, SumOp):
            return
        shapes = shapes_of(rewriter)
        if not _is_last(op, op.axis, shapes) or factors_of(second) != (1.0, 1.0):
            return
        found = _rotation_of_parts(op, first, second, shapes)
        tables = None if found is None else _tables(found, 2, shapes)
        if found is not None and tables is not None:
            if Match({}, {}, layers=found.layers).is_self_contained():
                _replace(self, found, tables, shapes, rewriter)


def _replace(
    pattern: RewritePattern,
    found: Rotation,
    tables: Extents,
    shapes: Shapes,
    rewriter: PatternRewriter,
) -> None:
    last = found.layers[0]
    pair = (found.cos, found.sin)
    planned = Replacement(pattern, found.layers, RotaryEmbedOp)
    if planned.is_unsupported([found.x, *pair], {}, rewriter):
        return
    whole = tables[2] == (shapes.of(found.x) or tables)[2]
    equal = all(has_equal_halves(table, shapes) for table in pair)
    if whole and not equal and planned.is_feature_unsupported(SECOND_HALVES, OTHER_HALVES):
        return
    halved = whole and equal and all(constant_of(table) is not None for table in pair)
    named = None if last.layer_name is None else last.layer_name.data
    rows: list[SSAValue] = []
    if whole and isinstance(tables[2], int):
        half = (*tables[:2], tables[2] // 2)
        single = [half_of(table, shapes) for table in pair]
        if all(v and reshape_params(half[1:], shapes.of(v)) is not None for v in single):
            tables, pair = half, tuple(v for v in single if v is not None)
    for table, word in zip(pair, ("cos", "sin"), strict=True):
        name = None if named is None else f"{named}_{word}"
        params = reshape_params(tables[1:], shapes.of(table))
        flat = put_new(last, ReshapeOp, [table], params or {}, rewriter, name)
        if halved and isinstance(tables[2], int):
            half = {"starts": (0,), "ends": (tables[2] // 2,), "axes": (1,)}
            flat = put_new(last, CropOp, [flat], half, rewriter, name)
        rows.append(flat)
    put(pattern, NewLayer(RotaryEmbedOp, found.x, {}, others=rows), found.layers, rewriter)


def _rotations(op: SumOp, shapes: Shapes) -> Iterator[Rotation]:
    """Yield ways to match a sum of two products as a rotation."""
    for straight, rotated in (op.inputs, op.inputs[::-1]):
        one, other = factors_in(straight, shapes), factors_in(rotated, shapes)
        if one is None or other is None:
            return
        for joined, sin in (other, other[::-1]):
            concat = producer_of(joined)
            if not isinstance(concat, ConcatOp) or len(concat.inputs) != 2:
                continue
            minus = producer_of(concat.inputs[0])
            cut = _halves(concat.inputs[1], shapes)
            if minus is None or cut is None or not _is_last(concat, concat.axis, shapes):
                continue
            if concat.inputs[1] != cut.outputs[0] or _negated(minus, shapes) != cut.outputs[1]:
                continue
            products = [v.owner for v in (straight, rotated)]
            layers = (op, *products, concat, minus, cut)
            for x, cos in (one, one[::-1]):
                if x == cut.inputs[0]:
                    found = tuple(each for each in layers if isinstance(each, LayerOp))
                    yield Rotation(x, cos, sin, found)


def _rotation_of_parts(
    op: ConcatOp, first: SumOp, second: SumOp, shapes: Shapes
) -> Rotation | None:
    """Return the rotation whose halves are two sums that `op` concatenates; `None` if there is
    none."""
    factors = factors_of(first)
    if factors not in ((1.0, -1.0), (-1.0, 1.0)):
        return None
    plus, minus = first.inputs if factors[0] > 0 else first.inputs[::-1]
    products = [factors_in(v, shapes) for v in (plus, minus, *second.inputs)]
    if any(each is None for each in products):
        return None
    of_a, of_b, *others = [each for each in products if each is not None]
    for a, cos in (of_a, of_a[::-1]):
        cut = _halves(a, shapes)
        if cut is None or a != cut.outputs[0]:
            continue
        b = cut.outputs[1]
        for value, sin in (of_b, of_b[::-1]):
            wanted = [{b, cos}, {a, sin}]
            if value == b and [set(each) for each in others] in (wanted, wanted[::-1]):
                producers = [v.owner for v in (plus, minus, *second.inputs)]
                layers = tuple(each for each in producers if isinstance(each, LayerOp))
                return Rotation(cut.inputs[0], cos, sin, (op, first, second, *layers, cut))
    return None


def _tables(found: Rotation, parts: int, shapes: Shapes) -> Extents | None:
    """Return the extents of the tables as BinaryOp expands them, with one row per step, for x in
    this number of parts; `None` if the tables do not provably have them."""
    shape = shapes.of(found.x)
    if shape is None or len(shape) != 3:
        return None
    part = (*shape[:2], shape[2] // parts)
    wanted = (1, *part[1:])
    for table in (found.cos, found.sin):
        own = shapes.of(table)
        if own is None or not provably_equal(expand(own, part), wanted):
            return None
        if reshape_params(wanted[1:], own) is None:
            return None
    return wanted


def factors_in(value: SSAValue, shapes: Shapes) -> tuple[SSAValue, SSAValue] | None:
    """Return the two factors of a blob that is a product."""
    producer = producer_of(value)
    term = None if producer is None else formula_of(producer, shapes)
    if not isinstance(term, Product):
        return None
    values = [factor.value for factor in term.factors if isinstance(factor, BlobTerm)]
    return (values[0], values[1]) if len(values) == 2 else None


def _negated(op: LayerOp, shapes: Shapes) -> SSAValue | None:
    """Return the blob that a layer negates."""
    term = formula_of(op, shapes)
    if isinstance(term, Sum) and NumberTerm(0.0) in term.terms:
        term = next(each for each in term.terms if each != NumberTerm(0.0))
    match term.factors if isinstance(term, Product) else ():
        case (NumberTerm(value=-1.0), BlobTerm(value=value)) | (
            BlobTerm(value=value),
            NumberTerm(value=-1.0),
        ):
            return value
        case _:
            return None


def _halves(value: SSAValue, shapes: Shapes) -> SliceOp | None:
    """Return the Slice that splits a blob into two equal parts along its innermost axis, if `value`
    is one of them."""
    cut = producer_of(value)
    if not isinstance(cut, SliceOp) or cut.extra is not None or len(cut.outputs) != 2:
        return None
    if not _is_last(cut, cut.axis, shapes) or not cut.covers_all(shapes):
        return None
    return cut if shapes.same(*cut.outputs) else None


def _is_last(op: ConcatOp | SliceOp, axis: int, shapes: Shapes) -> bool:
    rank = shapes.rank(op.inputs[0])
    return rank == 3 and positive_axis(axis, rank) == 2
