"""Tiles of float matrix products by weights.

IREE's data tiling lays out both factors of a product in tiles, and its result back, in kernels of
their own. Here only the weight is laid out, once, as vectors of outputs. A tile of sums stays in
registers while a kernel reads the rows of the other factor, and the same kernel computes the
element-wise operation behind the product. IREE takes the extents of tiles from attributes of its
dialects `iree_codegen` and `iree_cpu`.

Example, for AVX2 with its 8 floats a vector and 12 vectors of sums a tile: 196 rows times a weight
with 64 outputs, which are 8 vectors. Two vectors divide 8, so a tile has 2 vectors of outputs and 6
rows. Threads compute 8 parts of 98 rows and 2 vectors. 6 does not divide 98, so that IREE peels the
loop over rows.
"""

from collections.abc import Sequence
from math import prod
from typing import Any, cast

import numpy as np
from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, FloatAttr, TensorType, UnregisteredAttr, f32
from xdsl.dialects.func import FuncOp
from xdsl.dialects.linalg import ops as linalg
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects.ncnn.constant import ConstantOp
from ...dialects.shapes.terms import Extents, symbol
from .builder import Body, Builder, dim
from .dispatch_barriers import RESHAPES, element_types, is_int8, loops_of, shape_of
from .extents import ExtentValues
from .processors import VectorUnit
from .scalars import Place

LEAST_ROWS = 4
"""A product of fewer rows is not tiled: loading its weights takes the time."""

SUMMED = 4
"""The greatest number of products that a tile adds to each sum before it loops."""

PARTS = 8
"""The greatest number of parts of a product, which several threads compute."""

LEAST_PART = 48
"""The least number of rows of a part, if rows are split."""

LEAST_VECTORS = 8
"""The least number of vectors of a part that tiles do not divide."""


def only_multiplies_rows(func: FuncOp) -> bool:
    """Whether each product of float matrices has one row, as in a decoder of one token. IREE's own
    tiles do not make it faster then, and IREE would lay out all weights at loading, in additional
    memory."""
    products = [
        op
        for op in func.walk()
        if isinstance(op, linalg.GenericOp) and len(op.inputs) == 2 and loops_of(op)[1] > 0
    ]
    is_float = not any(is_int8(value) for op in products for value in op.inputs)
    return is_float and not any(all(_free_loops(op)) for op in products)


def _free_loops(op: linalg.GenericOp) -> tuple[set[int], set[int]]:
    """Return the loops of several iterations that index only the first factor, or only the
    second."""
    a, b = (
        {d for d, n in zip(_dims(i, op), shape_of(value), strict=True) if d >= 0 and n != 1}
        for i, value in enumerate(op.inputs)
    )
    return a - b, b - a


def tile_products(func: FuncOp, processor: VectorUnit) -> None:
    """Rewrite each matrix product of floats by a weight, if the processor has a tile: `batch x rows
    x inputs` times `batch x outputs x inputs` -> `batch x rows x outputs`. Several axes of rows are
    side by side, axes of a batch before and behind them, the weight's axes in any order. The rows
    of one axis may be dynamic, if vectors divide the outputs."""
    if processor.tile is None:
        return
    for op in list(func.walk()):
        if isinstance(op, linalg.GenericOp) and (axes := _axes(op, processor.lanes)):
            _rewrite(op, *axes, processor.lanes, processor.tile)


def _axes(op: linalg.GenericOp, lanes: int) -> tuple[slice, list[int]] | None:
    """Return the axes of the rows, and the axes of the weight, its batch first and the inputs last;
    `None` for others. (If rows are transposed, IREE fuses that, and forgets the tiles.)"""
    parallel, _ = loops_of(op)
    if element_types((*op.inputs, *op.results)) != [f32] * 3:
        return None
    a, b, out = map(_dims, range(3), [op] * 3)
    n, k = parallel - 1, parallel
    batch, rows = [d for d in range(n) if d in b], [d for d in range(n) if d not in b]
    order = [*batch, n, k]
    own = slice(rows[0], rows[-1] + 1) if rows else slice(0)
    body = [type(each) for each in op.body.block.ops]
    is_product = (
        body == [arith.MulfOp, arith.AddfOp, linalg.YieldOp]
        and out == list(range(parallel))
        and a == [*range(n), k]
        and sorted(b) == order
        and rows == list(range(n))[own]
        and isinstance(op.outputs[0].owner, linalg.FillOp)
        and not (len(rows) == 1 and isinstance(op.inputs[0].owner, linalg.TransposeOp))
    )
    extents = shape_of(op.results[0])
    fits = prod(extents[own]) >= LEAST_ROWS
    if DYNAMIC_INDEX in extents:
        fits = extents[own] == (DYNAMIC_INDEX,) and extents[-1] % lanes == 0
    if not is_product or not fits or not _is_constant(op.inputs[1]):
        return None
    return own, [b.index(d) for d in order]


def _dims(operand: int, op: linalg.GenericOp) -> list[int]:
    """Return the loops of an operand's axes; -1 for an index that is no loop."""
    exprs = op.indexing_maps.data[operand].data.results
    return [e.position if isinstance(e, AffineDimExpr) else -1 for e in exprs]


def _is_constant(value: SSAValue) -> bool:
    """Whether a value is computed from weights only."""
    op = value.owner
    if isinstance(op, ConstantOp | arith.ConstantOp | tensor.EmptyOp):
        return True
    known = RESHAPES | linalg.GenericOp | linalg.TransposeOp | linalg.FillOp | tensor.PadOp
    return (
        isinstance(op, Operation) and isinstance(op, known) and all(map(_is_constant, op.operands))
    )


def _rewrite(
    op: linalg.GenericOp, rows: slice, order: Sequence[int], lanes: int, sums: int
) -> None:
    builder, old, row = _builder_at(op), shape_of(op.results[0]), rows.start
    lead = (*old[:row], prod(old[rows]), *old[rows.stop : -1])
    vectors = -(-old[-1] // lanes)
    # IREE folds axes of one element, and forgets the extents of tiles.
    shape = (*lead, vectors, lanes) if vectors > 1 else (*lead, lanes)
    x = shape_of(op.inputs[0])
    *dims, k = (dim(d) for d in range(len(shape) + 1))
    own = dims[: len(lead)]
    weight = _laid_out(builder, op.inputs[1], order, shape[len(lead) :])
    of_weight = [*own[:row], *own[row + 1 :], *dims[len(lead) : -1], k, dims[-1]]
    left = builder.reshape(op.inputs[0], _named(x), _named((*lead, x[-1])))
    factors = [(left, [*own, k]), (weight, of_weight)]
    first = cast(linalg.FillOp, op.outputs[0].owner).inputs[0]
    sizes, type_ = list[SSAValue](), TensorType(f32, shape)
    if DYNAMIC_INDEX in shape:
        sizes = [builder.place(tensor.DimOp(op.inputs[0], builder.extents.of(row)))]
    out = builder.place(tensor.EmptyOp(sizes, type_))
    out = builder.place(linalg.FillOp([first], [out], [type_]))
    made = builder.generic(factors, out, dims, len(shape) + 1, _body_of(op))
    whole = (*old[:-1], vectors * lanes)
    result = builder.reshape(made, _named(shape), _named(whole))
    if whole != old:
        result = builder.slice(result, (0,) * len(old), old, (1,) * len(old))
    op.results[0].replace_all_uses_with(result)
    Rewriter.erase_op(op)
    _set_tiles(made, row, len(lead), _with_axes_of(made, result), sums)


def _named(shape: Sequence[int]) -> Extents:
    """Return a shape with a symbol for its dynamic extent: a product has at most one, which is that
    of its rows in all of its shapes."""
    return tuple(symbol("rows") if n == DYNAMIC_INDEX else n for n in shape)


def _builder_at(op: Operation) -> Builder:
    def place(made: Operation) -> SSAValue:
        Rewriter.insert_op(made, InsertPoint.before(op))
        return made.results[0]

    return Builder(place, ExtentValues(cast(Any, op.parent)))


def _body_of(op: linalg.GenericOp) -> Body:
    def body(args: Sequence[SSAValue], place: Place) -> SSAValue:
        values: dict[SSAValue, SSAValue] = dict(zip(op.body.block.args, args, strict=True))
        *inner, last = op.body.block.ops
        for each in inner:
            place(each.clone(values))
        return values.get(last.operands[0], last.operands[0])

    return body


def _laid_out(
    builder: Builder, weight: SSAValue, order: Sequence[int], outputs: tuple[int, ...]
) -> SSAValue:
    """Return a weight as `batch x vectors x inputs x lanes`, with zeros in the last vector."""
    old, axis, more = shape_of(weight), order[-2], len(outputs) - 1
    shape = (*old[:axis], prod(outputs), *old[axis + 1 :])
    if shape != old:
        zero = builder.place(arith.ConstantOp(FloatAttr(0.0, f32)))
        weight = builder.pad(weight, old, zero, (0,) * len(old), shape)
    split = (*old[:axis], *outputs, *old[axis + 1 :])
    moved = [i + more * (i > axis) for i in order if i != axis or more]
    return builder.transpose(builder.reshape(weight, shape, split), split, (*moved, axis + more))


def _with_axes_of(made: SSAValue, result: SSAValue) -> Operation | None:
    """Rewrite the only reader of a product, if it is an element-wise kernel, for the product's
    axes, and return it: IREE computes it in the same kernel."""
    while isinstance(user := _only_user(result), RESHAPES):
        result = user.results[0]
    old, shape = shape_of(result), shape_of(made)
    if not isinstance(user, linalg.GenericOp):
        return None
    every = list(range(len(old)))
    dims = [_dims(i, user) for i in range(len(user.operands))]
    known = all(each in (every, every[-1:], []) for each in dims) and dims[-1] == every
    # A result without some outputs has other axes. A sum over axes of one element has no such
    # loops, and starts with the elements of its output.
    known = known and prod(old) == prod(shape) and not user.body.block.args[-1].uses
    own = next((i for i in range(len(shape)) if prod(shape[i:]) == old[-1]), None)
    if not known or own is None or DYNAMIC_INDEX in old or element_types(user.results) != [f32]:
        return None
    builder, axes = _builder_at(user), [dim(d) for d in range(len(shape))]
    inputs: list[tuple[SSAValue, list[AffineExpr]]] = []
    for value, each in zip(user.inputs, dims, strict=False):
        if value is result:
            inputs.append((made, axes))
        elif each == every:
            inputs.append((builder.reshape(value, old, shape), axes))
        else:
            vectors = builder.reshape(value, old[-1:], shape[own:]) if each else value
            inputs.append((vectors, axes[own:] if each else []))
    out = builder.empty(shape, np.dtype("f4"))
    value = builder.generic(inputs, out, axes, len(shape), _body_of(user))
    user.results[0].replace_all_uses_with(builder.reshape(value, shape, old))
    Rewriter.erase_op(user)
    return cast(Operation, value.owner)


def _only_user(value: SSAValue) -> Operation | None:
    users = {use.operation for use in value.uses}
    return users.pop() if len(users) == 1 else None


def _set_tiles(made: SSAValue, row: int, count: int, reader: Operation | None, sums: int) -> None:
    """Set the extents of tiles: for threads, for registers, and of sums. `count` is the number of
    axes before the outputs."""
    op = cast(linalg.GenericOp, made.owner)
    lead, outputs = shape_of(made)[:count], shape_of(made)[count:]
    vectors = prod(outputs[:-1])
    across = vectors_of_tile(vectors)
    down = sums // across
    is_dynamic = lead[row] == DYNAMIC_INDEX
    own = 2 * LEAST_PART if is_dynamic else lead[row]
    own, part_across = (own, vectors) if count > 1 else part_of_thread(own, vectors)

    def tile(rows: int, across: int) -> list[int]:
        before = (rows if i == row else 1 for i in range(count))
        return [*before, *(across for _ in outputs[:-1]), outputs[-1]]

    part, registers = tile(own, part_across), tile(down, across)
    summed = max(n for n in range(1, SUMMED + 1) if shape_of(op.inputs[0])[-1] % n == 0)
    peel = ", {enable_loop_peeling}" if is_dynamic or own % down or part_across % across else ""
    config = (
        f"lowering_config = #iree_cpu.lowering_config<distribution = {[*part, 0]}, "
        f"cache_parallel = {[*part, 0]}, vector_common_parallel = {[*registers, 0]}, "
        f"vector_reduction = {[0] * len(part) + [summed]}>, translation_info = "
        f"#iree_codegen.translation_info<pipeline = #iree_cpu.pipeline<DoubleTilingExpert>{peel}>"
    )
    op.attributes["compilation_info"] = _attribute("iree_codegen.compilation_info", config)
    if reader is not None:
        config = f"cache_parallel = {part}, vector_common_parallel = {registers}"
        reader.attributes["lowering_config"] = _attribute("iree_cpu.lowering_config", config)


def vectors_of_tile(vectors: int) -> int:
    """Return the vectors of outputs in a tile: a number that divides all vectors, if there is
    one."""
    return next((n for n in (2, 3, 5) if vectors % n == 0), min(vectors, 2))


def part_of_thread(rows: int, vectors: int) -> tuple[int, int]:
    """Return the rows and the vectors of a part that one thread computes."""
    tile = vectors_of_tile(vectors)

    def fits(n: int) -> bool:
        own, rest = divmod(vectors, n)
        return rest == 0 and (n == 1 or own % tile == 0 or own >= LEAST_VECTORS)

    across = max(n for n in range(1, PARTS + 1) if fits(n))
    parts = range(1, PARTS // across + 1)
    down = max(n for n in parts if rows % n == 0 and (n == 1 or rows // n >= LEAST_PART))
    return rows // down, vectors // across


def _attribute(name: str, text: str) -> Attribute:
    return UnregisteredAttr.with_name_and_type(name, False)(name, False, False, text)
