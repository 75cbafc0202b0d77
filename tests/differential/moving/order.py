"""Steps that change the order of elements, cut and join."""

from collections.abc import Sequence

from hypothesis import strategies as st

from ..nets import Params
from .activations import element_wise
from .model import RESHAPE_IDS, Moves, Value, with_extent

PERMUTATIONS: dict[int, list[tuple[int, ...]]] = {
    1: [(0,)],
    2: [(0, 1), (1, 0)],
    3: [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)],
}
"""Which axis of the input each axis of the output is, outermost first, for each order of Permute
(the comments of src/layer/permute.cpp, which count from the innermost)."""

PERMUTATIONS[4] = [(0, *(axis + 1 for axis in order)) for order in PERMUTATIONS[3]]


def permute(m: Moves, x: Value, order: int | None = None) -> Value:
    orders = PERMUTATIONS[len(x.shape)]
    order = m.draw(st.integers(0, len(orders) - 1)) if order is None else order
    shape = tuple(x.shape[axis] for axis in orders[order])
    return m.add("Permute", x, shape, {0: order})


def permute_back(m: Moves, x: Value) -> Value:
    """A Permute, perhaps something between, and the Permute that undoes it."""
    orders = PERMUTATIONS[len(x.shape)]
    order = m.draw(st.integers(0, len(orders) - 1))
    y = permute(m, x, order)
    if m.draw(st.booleans()):
        y = element_wise(m, y)
    if m.draw(st.booleans()):
        axis = m.draw(st.integers(0, len(y.shape) - 1))
        y = m.add("Softmax", y, y.shape, {0: axis, 1: 1}, exact=False)
    back = [orders[order].index(axis) for axis in range(len(x.shape))]
    return permute(m, y, orders.index(tuple(back)))


def cut_and_join(m: Moves, x: Value) -> Value:
    """A Slice, and a Concat of its parts: all in order, or not."""
    axis = m.draw(st.integers(0, len(x.shape) - 1))
    n = x.shape[axis]
    count = m.draw(st.integers(1, min(3, n)))
    ends = sorted(m.draw(st.permutations(range(1, n)))[: count - 1])
    sizes = [b - a for a, b in zip([0, *ends], [*ends, n], strict=True)]
    said: tuple[int, ...] = tuple(sizes)
    if m.draw(st.booleans()):
        said = (*said[:-1], -233)
    params: Params = {0: said, 1: axis}
    if m.draw(st.booleans()) and count > 1:
        params = {2: tuple(ends), 1: axis}
    if m.draw(st.integers(0, 4)) == 0 and sizes[-1] > 1:
        fewer = [*sizes[:-1], sizes[-1] - 1]
        if any(size % 4 for size in fewer):  # else the runtime packs parts of what is not packed
            sizes = fewer
            params = {0: tuple(sizes), 1: axis}
    parts = m.cut("Slice", x, [with_extent(x.shape, axis, n) for n in sizes], params)
    if m.draw(st.integers(0, 2)) == 0:
        parts = m.draw(st.permutations(parts))
    said_axis = axis - len(x.shape) if m.draw(st.booleans()) else axis
    return join(m, parts, axis, said_axis)


def join_and_cut(m: Moves, x: Value) -> Value:
    """A Concat, and a Slice along the same axis, in the same places or not."""
    axis = m.draw(st.integers(0, len(x.shape) - 1))
    y = m.add("AbsVal", x, x.shape)
    both = join(m, [x, y], axis, axis)
    n = x.shape[axis]
    at = m.draw(st.sampled_from([n, n, n, *range(1, 2 * n)]))
    shapes = [with_extent(x.shape, axis, size) for size in (at, 2 * n - at)]
    first, second = m.cut("Slice", both, shapes, {0: (at, -233), 1: axis})
    m.sketch.also_outputs += [second.name] * m.draw(st.booleans())
    return first


def join(m: Moves, parts: Sequence[Value], axis: int, said: int) -> Value:
    shape = with_extent(parts[0].shape, axis, sum(p.shape[axis] for p in parts))
    return m.add("Concat", parts, shape, {0: said})


def nest(m: Moves, x: Value) -> Value:
    """A Concat of a Concat."""
    axis = m.draw(st.integers(0, len(x.shape) - 1))
    y = m.add("AbsVal", x, x.shape)
    inner = join(m, [x, y], axis, axis)
    other = m.draw(st.sampled_from([axis, axis, 0]))
    parts = [inner, inner] if other != axis else [y, inner, x]
    return join(m, parts, other, other)


def crops(m: Moves, x: Value) -> Value:
    """Crops that cut a blob into parts, or nearly; then their parts joined the other way."""
    if m.draw(st.booleans()):  # so that the extents are certain
        ids = RESHAPE_IDS[len(x.shape)]
        x = m.add("Reshape", x, x.shape, dict(zip(ids, x.shape, strict=True)))
    axis = m.draw(st.integers(0, len(x.shape) - 1))
    n = x.shape[axis]
    if n < 2:
        return x
    at = m.draw(st.integers(1, n - 1))
    start = m.draw(st.sampled_from([at, at, at, at - n, 0]))
    begin = start if start >= 0 else start + n
    end = m.draw(st.sampled_from([n, -233, 0, 2**31 - 1]))
    parts = [
        m.add("Crop", x, with_extent(x.shape, axis, to - a), {9: (s,), 10: (e,), 11: (axis,)})
        for a, to, s, e in ((0, at, 0, at), (begin, n, start, end))
    ]
    return join(m, parts[::-1], axis, axis)
