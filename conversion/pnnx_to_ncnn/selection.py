"""The largest elements, sorting, and selections by computed indices.

Integers that layers compute are floats. They are exact below 2^24.
"""

from collections.abc import Mapping, Sequence
from math import prod

import numpy as np
from xdsl.ir import SSAValue

from ...dialects.ncnn.activation import ClipOp
from ...dialects.ncnn.blob import static_shape_of
from ...dialects.ncnn.joining import ConcatOp, TileOp
from ...dialects.ncnn.unary import UNARY_OPS, UnaryOpOp
from ...dialects.pnnx.cast import CastOp
from ...dialects.pnnx.operations import OperatorOp
from ...transforms.pnnx_legalization.legalization import as_axis, resized
from ...transforms.rewriting.layer_builder import Shape
from .linear import product
from .lowering import Lowering, OperatorBuilder, Refusal, shown
from .padding import cropped
from .reductions import reduced

MAX_MATRIX = 2**24
"""The most elements of a matrix of ones and zeros that selects rows, or of a part of one."""
MAX_PAIRS = 2**28
"""The most pairs of elements that a sort compares."""
MAX_TIES = 2**16
"""The most elements of a constant that orders equal elements."""
CUT = "cut the model there"


def extreme(word: str) -> Lowering:
    """Return the lowering of `torch.max` and `torch.min`: of all elements, or along an axis with
    the places of the results."""

    def lower(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
        if len(op.inputs) != 1:
            raise Refusal(f"it has {len(op.inputs)} operands")
        if op.param("dim", None) is None:
            b.expect(())
            return [reduced(b, op.inputs[0], b.inputs[0], range(len(b.inputs[0])), word)]
        axis = b.axis("dim")
        value = reduced(b, op.inputs[0], b.inputs[0], (axis,), word)
        _expect_without(b, axis)
        if len(op.outputs) == 1:
            return [value]
        return [value, first_place(b, op.inputs[0], axis, word, value)]

    return lower


def place(word: str) -> Lowering:
    """Return the lowering of `torch.argmax` and `torch.argmin`: the first of the places."""

    def lower(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
        if op.param("dim", None) is None:
            count = prod(b.inputs[0])
            b.inputs = [(count,)]
            return [first_place(b, op.inputs[0], 0, word)]
        axis = b.axis("dim")
        _expect_without(b, axis)
        return [first_place(b, op.inputs[0], axis, word)]

    return lower


def _expect_without(b: OperatorBuilder, axis: int) -> None:
    kept = (1,) if b.operator.param("keepdim", False) else ()
    b.expect(resized(b.inputs[0], axis, *kept))


def first_place(
    b: OperatorBuilder, x: SSAValue, axis: int, word: str, value: SSAValue | None = None
) -> SSAValue:
    """Return the first place of the largest or smallest element along an axis: where `x` equals the
    extreme, a number that decreases along the axis is largest."""
    shape = b.inputs[0]
    count, kept = shape[axis], resized(shape, axis, 1)
    value = reduced(b, x, shape, (axis,), word) if value is None else value
    function = "sub" if word == "max" else "rsub"
    below = b.broadcast(function, x, value, [shape, kept])  # 0 for the extreme, else negative
    whole = b.fold(shape)
    sign = b.unary_layer(UnaryOpOp, below, whole, op_type=UNARY_OPS.index("sign"))
    equal = b.scalar("add", sign, 1.0, shape)
    weights = np.arange(count, 0, -1, dtype="f4")
    vector = (count, *(1,) * (len(shape) - 1 - axis))
    weighed = b.broadcast("mul", equal, b.data(weights.reshape(vector)), [shape, vector])
    largest = reduced(b, weighed, shape, (axis,), "max")
    return b.scalar("rsub", largest, float(count), kept)


def topk(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
    """Lower `torch.topk`: an ArgMax of each row."""
    count = int(b.number("k"))
    axis = b.axis("dim", -1)
    b.expect(resized(b.inputs[0], axis, count))
    return ordered(b, op.inputs[0], axis, count, largest=bool(op.param("largest", True)))


def sort(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
    """Lower `torch.sort` and `torch.argsort`, in a stable order."""
    b.expect(b.inputs[0])
    if op.type.data == "aten::sort":  # the tensor, perhaps `stable`, `dim`, `descending`
        if len(op.inputs) not in (3, 4):
            raise Refusal(f"it has {len(op.inputs)} operands")
        axis = as_axis(int(b.known(op.inputs[-2], "its axis").item()), len(b.inputs[0]))
        if axis is None:
            raise Refusal("its axis does not exist")
        largest = bool(b.known(op.inputs[-1], "its order").item())
    else:
        axis = b.axis("dim", -1)
        largest = bool(op.param("descending", False))
    found = ordered(b, op.inputs[0], axis, b.inputs[0][axis], largest=largest)
    return found[1:] if op.type.data.endswith("argsort") else found


def ordered(
    b: OperatorBuilder, x: SSAValue, axis: int, count: int, largest: bool
) -> list[SSAValue]:
    """Return the first elements along an axis in descending or ascending order, and their places.

    The rank of an element is the number of elements that come before it: those that are larger, and
    equal ones at smaller places. A matrix of ones and zeros moves each element to its rank. The
    elements are finite. (The runtime's ArgMax is not part of its usual builds.)
    """
    shape = b.inputs[0]
    n = shape[axis]
    order = [*(i for i in range(len(shape)) if i != axis), axis]
    rows = prod(shape) // n
    if rows * n * n > MAX_PAIRS:
        raise Refusal(f"it sorts {rows} rows of {n} elements: {rows * n * n:,} pairs; {CUT}")
    x = b.permute(x, shape, order)
    rank = ranks(b, x, rows, n, largest)
    places = np.arange(n, dtype="f4").reshape(n, 1)
    parts: list[list[SSAValue]] = [[], []]
    cuts = ranges(count, rows * n, f"it sorts {rows} rows of {n} elements")
    for first, last in cuts:
        wide = (rows, last - first, n)
        numbers = np.arange(first, last, dtype="f4").reshape(-1, 1)
        away = b.broadcast("sub", rank, b.data(numbers), [(rows, 1, n), numbers.shape])
        matrix = is_zero(b, away, wide)
        parts[0].append(product(b, matrix, x, wide, (rows, n, 1)))
        parts[1].append(product(b, matrix, b.data(places), wide, places.shape))
    sizes = [last - first for first, last in cuts]
    moved = [*(shape[i] for i in order[:-1]), count]
    back = [order.index(i) for i in range(len(shape))]
    return [b.permute(joined(b, part, rows, sizes), moved, back) for part in parts]


def joined(
    b: OperatorBuilder, parts: Sequence[SSAValue], rows: int, sizes: Sequence[int]
) -> SSAValue:
    """Return rows whose elements are in several blobs."""
    if len(parts) == 1:
        return parts[0]
    blobs = [b.reshape(part, (rows, size)) for part, size in zip(parts, sizes, strict=True)]
    return b.layer(ConcatOp, blobs, (rows, sum(sizes)), axis=1)[0]


def ranks(b: OperatorBuilder, x: SSAValue, rows: int, n: int, largest: bool) -> SSAValue:
    """Return the number of elements of its row that come before each element: the sums of a matrix
    of all pairs, in parts of its columns."""
    column, found = (rows, n, 1), None
    for first, last in ranges(n, rows * n, f"it compares {rows} rows of {n} elements"):
        part = b.reshape(cropped(b, x, (rows, 1, n), 2, (first, last)), (rows, 1, last - first))
        row, whole = (rows, 1, last - first), (rows, n, last - first)
        away = b.broadcast("sub" if largest else "rsub", part, x, [row, column])
        sign = b.unary_layer(UnaryOpOp, away, whole, op_type=UNARY_OPS.index("sign"))
        level = with_ties(b, b.scalar("mul", sign, 2.0, whole), whole, first)
        before = b.unary_layer(ClipOp, level, whole, min=0.0, max=1.0)
        total = reduced(b, before, whole, (2,), "sum")
        found = total if found is None else b.broadcast("add", found, total, [column, column])
    assert found is not None
    return found


def with_ties(b: OperatorBuilder, level: SSAValue, shape: Shape, first: int) -> SSAValue:
    """Return twice the signs of pairs, which is above 0 also for an equal element at a smaller
    place, and at least 1 then. `first` is the place of the first column."""
    _, n, width = shape
    places, others = np.arange(n)[:, None], np.arange(first, first + width)[None]
    if n * width <= MAX_TIES:
        ties = np.where(places > others, 1.0, -1.0).astype("f4")
        return b.broadcast("add", level, b.data(ties), [shape, ties.shape])
    # Two vectors instead of a large constant: (i - j - 1/2) / n is between -1 and 1.
    up, down = ((places / n).astype("f4"), ((others + 0.5) / n).astype("f4"))
    level = b.broadcast("add", level, b.data(up), [shape, up.shape])
    level = b.broadcast("sub", level, b.data(down), [shape, down.shape])
    return b.unary_layer(UnaryOpOp, level, shape, op_type=UNARY_OPS.index("sign"))


def ranges(count: int, size: int, what: str) -> list[tuple[int, int]]:
    """Return the ranges of `count` rows of `size` elements whose matrices are not too large."""
    step = MAX_MATRIX // size
    if not step:
        raise Refusal(f"{what}: a row of {size:,} elements; {CUT}")
    return [(first, min(first + step, count)) for first in range(0, count, step)]


def is_zero(b: OperatorBuilder, x: SSAValue, shape: Shape) -> SSAValue:
    """Return 1 where an integer is 0, else 0: `1 - min(|x|, 1)`."""
    x = b.unary_layer(UnaryOpOp, x, shape, op_type=UNARY_OPS.index("abs"))
    return b.scalar("rsub", b.unary_layer(ClipOp, x, shape, min=0.0, max=1.0), 1.0, shape)


def check_size(elements: int, what: str) -> None:
    """Raise `Refusal` if a matrix of so many elements is too large."""
    if elements > MAX_MATRIX:
        raise Refusal(f"{what}: a matrix of {elements:,} elements; {CUT}")


def one_hot(b: OperatorBuilder, indices: SSAValue, count: int, size: int) -> SSAValue:
    """Return the matrix `count x size` with a 1 in the column that each index names. Negative
    indices count from the end."""
    check_size(count * size, f"it selects {count} of {size} elements by computed indices")
    column = b.reshape(indices, (count, 1))
    columns = b.data(np.arange(size, dtype="f4"))
    away = b.broadcast("sub", column, columns, [(count, 1), (size,)])
    return is_zero(b, away, (count, size))


def wrapped(b: OperatorBuilder, indices: SSAValue, shape: Shape, size: int) -> SSAValue:
    """Return indices without negative ones: `i + size * (i < 0)`."""
    flat = b.fold(shape)
    sign = b.unary_layer(UnaryOpOp, indices, flat, op_type=UNARY_OPS.index("sign"))
    negative = b.unary_layer(ClipOp, sign, flat, min=-1.0, max=0.0)
    added = b.scalar("mul", negative, -float(size), shape)
    return b.broadcast("add", indices, added, [shape, shape])


def rows_at(
    b: OperatorBuilder, x: SSAValue, shape: Shape, axis: int, indices: SSAValue, where: Shape
) -> SSAValue:
    """Return `x[:, indices]` for computed indices of a shape `where`: a product with a matrix of
    ones and zeros, exact for finite elements."""
    n, count = shape[axis], prod(where)
    matrix = one_hot(b, wrapped(b, indices, where, n), count, n)
    order = [axis, *(i for i in range(len(shape)) if i != axis)]
    rest = prod(shape) // n
    source = b.permute(x, shape, order)
    made = product(b, matrix, source, (count, n), (n, rest))
    kept = [shape[i] for i in order[1:]]
    back = [*range(1, axis + 1), 0, *range(axis + 1, len(shape))]
    return b.permute(made, [count, *kept], back)


def unrepeated(b: OperatorBuilder, indices: SSAValue, count: int, times: int) -> SSAValue | None:
    """Return the `count` indices of which each is repeated `times`; `None` for other indices."""
    if times == 1:
        return indices
    if indices in b.constants:
        rows = b.constants[indices].reshape(count, times)
        same = (rows == rows[:, :1]).all()
        return b.data(rows[:, 0].astype("f4")) if same else None
    while isinstance(indices.owner, CastOp):
        indices = indices.owner.input
    tile = indices.owner
    if not isinstance(tile, TileOp) or tile.axis != 1 or tile.tiles != times:
        return None
    return tile.input if static_shape_of(tile.input) == (count, 1, 1) else None


def gather(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
    """Lower `torch.gather`: of each row, the elements at its indices. An index that is repeated for
    all elements of a row selects rows."""
    x, indices = b.operand("input", 0), b.operand("index", 1)
    if x is None or indices is None:
        raise Refusal("it has no input or no index")
    shape, where = b.shape(x), b.shape(indices)
    axis = b.axis("dim", rank=len(shape))
    b.expect(where)
    outer, inner = prod(shape[:axis]), prod(shape[axis + 1 :])
    if any(a != c for i, (a, c) in enumerate(zip(where, shape, strict=True)) if i != axis):
        raise Refusal(f"its index is {shown(where)} for {shown(shape)}")
    n, count = shape[axis], where[axis]
    if outer == 1 and (column := unrepeated(b, indices, count, inner)) is not None:
        return [rows_at(b, x, (n, inner), 0, column, (count,))]
    # A product of each row with the ones and zeros of its indices.
    order = [*(i for i in range(len(shape)) if i != axis), axis]
    rows = outer * inner
    check_size(rows * count * n, f"it selects {rows} times {count} of {n} elements")
    source = b.permute(x, shape, order)
    places = b.permute(indices, where, order)
    matrix = one_hot(b, wrapped(b, places, (rows * count,), n), rows * count, n)
    made = product(b, matrix, source, (rows, count, n), (rows, n, 1))
    moved = [where[i] for i in order]
    return [b.permute(made, moved, [order.index(i) for i in range(len(shape))])]


def put(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
    """Lower `x[indices] = values` of a vector. Of equal indices, the last one counts."""
    x, indices, values = (
        b.operand(key, place) for place, key in enumerate(("input", "indices", "values"))
    )
    if x is None or indices is None or values is None or op.param("accumulate", False):
        raise Refusal("it adds up, or has no indices or values")
    shape, where, given = b.shape(x), b.shape(indices), b.shape(values)
    if len(shape) != 1 or len(where) != 1 or given not in (where, (1,), ()):
        raise Refusal(f"it puts {shown(given)} at {shown(where)} in {shown(shape)}")
    (n,), (count,) = shape, where
    if indices in b.constants:
        indices = b.data(b.constants[indices].astype("f4"))
    matrix = one_hot(b, wrapped(b, indices, where, n), count, n)
    numbers = b.data(np.arange(1, count + 1, dtype="f4").reshape(count, 1))
    numbered = b.broadcast("mul", matrix, numbers, [(count, n), (count, 1)])
    last = reduced(b, numbered, (count, n), (0,), "max")
    hit = b.unary_layer(ClipOp, last, shape, min=0.0, max=1.0)
    made = values
    if given == where:
        place_of_last = b.broadcast("sub", last, hit, [shape, shape])
        made = rows_at(b, values, given, 0, place_of_last, shape)
    put_ = b.broadcast("mul", hit, made, [shape, shape if given == where else given])
    kept = b.broadcast("mul", b.scalar("rsub", hit, 1.0, shape), x, [shape, shape])
    return [b.broadcast("add", put_, kept, [shape, shape])]


LOWERINGS: Mapping[str, Lowering] = {
    "torch.max": extreme("max"),
    "torch.min": extreme("min"),
    "torch.argmax": place("max"),
    "torch.argmin": place("min"),
    "torch.topk": topk,
    **dict.fromkeys(("torch.sort", "torch.argsort", "aten::sort"), sort),
    "torch.gather": gather,
    "Tensor.index_put": put,
}
