"""Steps that add up: reductions and linear layers."""

from math import prod

from hypothesis import strategies as st

from ..nets import Net, Params
from .activations import element_wise
from .model import MAX, MEAN, MIN, SUM, Moves, Value, with_extent
from .shapes import flatten, reshape


def reduction(m: Moves, x: Value) -> Value:
    rank = len(x.shape)
    axes = m.draw(st.sets(st.integers(0, rank - 1), min_size=1, max_size=rank))
    if rank > 2 and m.draw(st.booleans()):
        axes = set(range(1, rank))
    keep = m.draw(st.booleans())
    operation = m.draw(st.sampled_from([MEAN, MEAN, MAX, SUM, MIN]))
    shape = tuple(1 if i in axes else n for i, n in enumerate(x.shape) if keep or i not in axes)
    said = tuple(a - rank if m.draw(st.booleans()) else a for a in sorted(axes))
    params: Params = {0: operation, 1: 0, 3: said, 4: int(keep), 5: 1}
    return m.add("Reduction", x, shape or (1,), params, exact=False)


def reductions(m: Moves, x: Value) -> Value:
    """One axis after the other by the same operation."""
    operation = m.draw(st.sampled_from([MEAN, MEAN, MAX, SUM]))
    keep = m.draw(st.booleans())
    coefficient = m.draw(st.sampled_from([1.0, 1.0, 0.5]))
    for _ in range(2):
        rank = len(x.shape)
        axis = m.draw(st.integers(min(1, rank - 1), rank - 1))
        shape = with_extent(x.shape, axis, 1) if keep else (*x.shape[:axis], *x.shape[axis + 1 :])
        params: Params = {0: operation, 1: 0, 2: coefficient, 3: (axis,), 4: int(keep), 5: 1}
        x = m.add("Reduction", x, shape or (1,), params, exact=False)
    return x


def global_pooling(m: Moves, x: Value) -> Value:
    kind = {2: "Pooling1D", 3: "Pooling", 4: "Pooling3D"}.get(len(x.shape))
    if kind is None:
        return x
    y = m.add(kind, x, x.shape[:1], {0: m.draw(st.integers(0, 1)), 4: 1}, exact=False)
    if m.draw(st.booleans()):
        y = pointwise(m, y)
    return m.draw(st.sampled_from([flatten, reshape, element_wise]))(m, y)


def inner_product(m: Moves, x: Value) -> Value:
    n = m.draw(st.sampled_from([2, 4, 5]))
    inputs = x.shape[-1] if len(x.shape) == 2 and m.draw(st.booleans()) else prod(x.shape)
    rows = len(x.shape) == 2 and x.shape[1] == inputs
    shape = (x.shape[0], n) if rows else (n,)
    scale = inputs**-0.5

    def weights(net: Net) -> None:
        net.tagged(net.normal(n, inputs, scale=scale))

    return m.add("InnerProduct", x, shape, {0: n, 2: n * inputs}, weights, exact=False)


def pointwise(m: Moves, x: Value) -> Value:
    """A 1x1 Convolution of a vector or an image."""
    if len(x.shape) not in (1, 3):
        return x
    n, inputs = m.draw(st.sampled_from([2, 4, 5])), x.shape[0]
    activation = m.draw(st.sampled_from([0, 1, 4]))
    scale = inputs**-0.5

    def weights(net: Net) -> None:
        net.tagged(net.normal(n, inputs, scale=scale))
        net.plain(net.normal(n))

    params: Params = {0: n, 1: 1, 5: 1, 6: n * inputs, 9: activation}
    return m.add("Convolution", x, (n, *x.shape[1:]), params, weights, exact=False)
