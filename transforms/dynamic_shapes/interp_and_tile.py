"""Interp and Tile with constant output extents."""

from collections.abc import Iterator

from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects.ncnn.elementwise import BinaryOpOp, EltwiseOp
from ...dialects.ncnn.extents import positive_axis
from ...dialects.ncnn.joining import ConcatOp, TileOp
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.resampling import InterpOp
from ...dialects.shapes.terms import UNKNOWN, Extent, ExtentTerm
from .exported_model import ExportedModel, Numbers, extents_along
from .extent_expressions import set_expressions


def make_interp_dynamic(op: InterpOp, model: ExportedModel) -> None:
    """Make the output extents of an Interp dynamic.

    A dynamic extent is taken from the blob that is concatenated or combined with the result.
    Without such a blob, the candidates are the extents of earlier blobs with the same number along
    the same axis, and an integer multiple of the input's extent. They must be one term. A blob of
    two dims is resized along w only.
    """
    constant = op.output_height and op.output_width
    if op.size_expr or op.dynamic_target_size or not constant:
        return
    found = output_extents(op, model)
    if found is not None and any(isinstance(n, ExtentTerm) for n in found):
        params = {"output_height": 0, "output_width": 0, "height_scale": 1.0, "width_scale": 1.0}
        set_expressions(op, model, op.inputs, {"size_expr": found}, **params)


def replace_tile(op: TileOp, model: ExportedModel) -> None:
    """Replace a Tile of single elements along h and w by an Interp of the nearest element, with the
    extents of the blob that is combined with the result."""
    shapes, given = model.shapes(op.output), model.shapes(op.input)
    if shapes is None or given is None or len(given[0]) != 3 or len(shapes[0]) != 3:
        return
    repeated = [i for i in range(3) if extents_along(shapes, i) != extents_along(given, i)]
    is_combined = any(
        True
        for i in repeated
        for _ in _combined_extents(op.output, i, extents_along(shapes, i), model)
    )
    if not is_combined or 0 in repeated or any(shape[i] != 1 for shape in given for i in repeated):
        return
    found = output_extents(op, model)
    if found is None:
        return
    properties = {k: v for k, v in op.properties.items() if k in ("name", "blobs", "featmask")}
    new = InterpOp.make([op.input], {}, [op.output.type], properties)
    Rewriter().insert_op(new, InsertPoint.before(op))
    set_expressions(new, model, [op.input], {"size_expr": found}, resize_type=1)
    c = (model.of(op.input) or (UNKNOWN,))[0]
    model.replace(op.output, new.results[0], (c, found[1], found[0]))
    Rewriter.erase_op(op)


def output_extents(op: LayerOp, model: ExportedModel) -> list[Extent] | None:
    """Return w and h of a layer with constant output extents; of a blob of two dims, whose h stays,
    w only. If they are ambiguous or unknown, record that and return `None`."""
    result, source = op.results[0], model.of(op.operands[0])
    shapes, given = model.shapes(result), model.shapes(op.operands[0])
    if shapes is None or given is None or source is None or len(shapes[0]) not in (2, 3):
        model.refuse(op, "the extents of its blobs are not known, so its constants may follow them")
        return None
    found: list[Extent] = []
    rank = len(shapes[0])
    for place, letter in ((rank - 1, "w"), (rank - 2, "h"))[: rank - 1]:
        numbers = extents_along(shapes, place)
        extents = list(dict.fromkeys(_combined_extents(result, place, numbers, model)))
        from_end = place - rank
        if (
            not extents
            and len(source) >= -from_end
            and isinstance(own := source[from_end], ExtentTerm)
        ):
            before = extents_along(given, from_end)
            times = {n // m if n % m == 0 else 0 for n, m in zip(numbers, before, strict=True)}
            larger = [own * min(times)] if len(times) == 1 and 0 not in times else []
            if len(source) == 1:  # its elements are channels, and the result's w and h are new
                larger = [1] if {*numbers} == {1} else []
            extents = list(dict.fromkeys([*larger, *model.terms_along(letter, numbers)]))
            if not extents:
                model.refuse_ambiguous(op, f"no extent determines its {letter} of {numbers[0]}")
                return None
        if not extents and rank == 3 and len(source) == 1:
            # The blob has no such axis: an extent of an earlier blob may explain the number.
            extents = list(model.terms_along(letter, numbers))
        if not extents:
            extents = [numbers[0]]
        if len(extents) > 1:
            reason = f"several extents may determine its {letter} of {numbers[0]}"
            model.refuse_ambiguous(op, reason, of_multiples=True)
            return None
        found.append(extents[0])
    return found


def _combined_extents(
    value: SSAValue, place: int, numbers: Numbers, model: ExportedModel
) -> Iterator[Extent]:
    """Yield the extents, along an axis, of the blobs that are combined with a value, perhaps
    through layers that keep its shape."""
    pending, seen = [value], {value}
    rank = len((model.shapes(value) or [()])[0])
    while pending:
        value = pending.pop()
        for use in value.uses:
            op = use.operation
            if not isinstance(op, LayerOp):
                continue
            if _requires_equal(op, place, rank):
                for other in op.operands:
                    if other is not value:
                        yield from _dynamic_extent(other, place, rank, numbers, model)
            elif op.keeps_shape() and use.index == 0:
                pending += [r for r in op.results if r not in seen]
                seen.update(op.results)


def combines_elements(op: LayerOp) -> bool:
    """Whether a layer combines its operands element by element."""
    return isinstance(op, EltwiseOp) or (isinstance(op, BinaryOpOp) and not op.with_scalar)


def _requires_equal(op: LayerOp, place: int, rank: int) -> bool:
    """Whether the operands of a layer need equal extents along this axis of a blob of `rank`
    dims."""
    if isinstance(op, ConcatOp):
        return positive_axis(op.axis, rank) != place
    return combines_elements(op)


def _dynamic_extent(
    value: SSAValue, place: int, rank: int, numbers: Numbers, model: ExportedModel
) -> Iterator[Extent]:
    """Yield the extent of a value of `rank` dims along an axis if it is dynamic and has these
    integer values."""
    extents, shapes = model.of(value), model.shapes(value)
    if extents is None or shapes is None or len(extents) != rank:
        return
    if isinstance(extents[place], ExtentTerm) and extents_along(shapes, place) == numbers:
        yield extents[place]
