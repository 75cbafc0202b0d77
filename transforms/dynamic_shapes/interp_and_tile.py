"""Interp and Tile to constant extents made relative."""

from collections.abc import Iterator

from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects.ncnn.elementwise import BinaryOpOp, EltwiseOp
from ...dialects.ncnn.extents import positive_axis
from ...dialects.ncnn.joining import ConcatOp, TileOp
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.resampling import InterpOp
from ...dialects.shapes.terms import UNKNOWN, Extent, Term
from .exported_model import Numbers, SizedModel, as_numbers
from .extent_expressions import Expressions


def make_relative(op: InterpOp, model: SizedModel) -> None:
    """Lets an Interp follow the sizes.

    The wanted extent is that of the blob with which the result is joined or combined, if that
    varies. Else it is what blobs before had along the same axis at this size, or the input's times
    a whole number, if all of these are one extent at any size.
    """
    constant = op.output_height and op.output_width
    if op.size_expr or op.dynamic_target_size or not constant:
        return
    found = wanted_extents(op, model)
    if found is None or not any(isinstance(n, Term) for n in found):
        return
    writer = Expressions(model, op, op.inputs)
    texts = [writer.write(n) for n in found]
    if None in texts:
        model.refuse(op, "no expression says its extents")
        return
    op.set_params(
        size_expr=",".join(map(str, texts)),
        output_height=0,
        output_width=0,
        height_scale=1.0,
        width_scale=1.0,
    )
    op.operands = writer.blobs


def untile(op: TileOp, model: SizedModel) -> None:
    """Lets a Tile that repeats single elements along h and w up to constants follow the sizes: as
    an Interp of the nearest element, to the extents of the blob with which the result is combined.
    """
    shapes, given = model.numbers(op.output), model.numbers(op.input)
    if shapes is None or given is None or len(given[0]) != 3 or len(shapes[0]) != 3:
        return
    repeated = [i for i in range(3) if as_numbers(shapes, i) != as_numbers(given, i)]
    demanded = any(
        True for i in repeated for _ in _combined_with(op.output, i, as_numbers(shapes, i), model)
    )
    if not demanded or 0 in repeated or any(shape[i] != 1 for shape in given for i in repeated):
        return
    found = wanted_extents(op, model)
    if found is None:
        return
    properties = {k: v for k, v in op.properties.items() if k in ("name", "blobs", "featmask")}
    new = InterpOp.make([op.input], {}, [op.output.type], properties)
    new.init_params({"resize_type": 1})
    Rewriter().insert_op(new, InsertPoint.before(op))
    writer = Expressions(model, new, [op.input])
    texts = [writer.write(n) for n in found]
    if None in texts:
        model.refuse(op, "no expression says its extents")
        return
    new.set_params(size_expr=",".join(map(str, texts)))
    new.operands = writer.blobs
    c = (model.of(op.input) or (UNKNOWN,))[0]
    model.replace(op.output, new.results[0], (c, found[1], found[0]))
    Rewriter.erase_op(op)


def wanted_extents(op: LayerOp, model: SizedModel) -> list[Extent] | None:
    """The w and h that a layer makes of constants, of three dims; `None` if they are not certain,
    which is noted then."""
    result, source = op.results[0], model.of(op.operands[0])
    shapes, given = model.numbers(result), model.numbers(op.operands[0])
    if shapes is None or given is None or source is None or len(shapes[0]) != 3:
        return None
    found: list[Extent] = []
    for place, letter in ((2, "w"), (1, "h")):
        numbers = as_numbers(shapes, place)
        extents = list(dict.fromkeys(_combined_with(result, place, numbers, model)))
        if not extents and isinstance(own := source[-1 if letter == "w" else -2], Term):
            before = as_numbers(given, place - 3 + len(given[0]))
            times = {n // m if n % m == 0 else 0 for n, m in zip(numbers, before, strict=True)}
            larger = [own * min(times)] if len(times) == 1 and 0 not in times else []
            extents = list(dict.fromkeys([*larger, *model.equal_to(letter, numbers)]))
            if not extents:
                model.refuse(op, f"what its {letter} of {numbers[0]} follows is not known")
                return None
        if not extents:
            extents = [numbers[0]]
        if len(extents) > 1:
            model.refuse(op, f"its {letter} of {numbers[0]} may follow several blobs")
            return None
        found.append(extents[0])
    return found


def _combined_with(
    value: SSAValue, place: int, numbers: Numbers, model: SizedModel
) -> Iterator[Extent]:
    """The extents along an axis of the blobs that a value must be like: those that it is combined
    with, through layers that keep its shape."""
    pending, seen = [value], {value}
    while pending:
        value = pending.pop()
        for use in value.uses:
            op = use.operation
            if not isinstance(op, LayerOp):
                continue
            if _must_agree(op, place):
                for other in op.operands:
                    if other is not value:
                        yield from _same_here(other, place, numbers, model)
            elif op.keeps_shape() and use.index == 0:
                pending += [r for r in op.results if r not in seen]
                seen.update(op.results)


def _must_agree(op: LayerOp, place: int) -> bool:
    """Whether the operands of a layer have one extent along this axis of three."""
    if isinstance(op, ConcatOp):
        return positive_axis(op.axis, 3) != place
    return isinstance(op, EltwiseOp) or (isinstance(op, BinaryOpOp) and not op.with_scalar)


def _same_here(
    value: SSAValue, place: int, numbers: Numbers, model: SizedModel
) -> Iterator[Extent]:
    extents, shapes = model.of(value), model.numbers(value)
    if extents is None or shapes is None or len(extents) != 3:
        return
    if isinstance(extents[place], Term) and as_numbers(shapes, place) == numbers:
        yield extents[place]
