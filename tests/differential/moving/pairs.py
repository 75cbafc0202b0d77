"""Steps with two readers of a blob."""

from hypothesis import strategies as st

from .activations import NEG, element_wise
from .model import MEAN, RESHAPE_IDS, C, Moves, Value, with_extent
from .sums import pointwise


def gate(m: Moves, x: Value) -> Value:
    """A BinaryOp with a blob of fewer dims that was reshaped for it, or with itself."""
    if len(x.shape) < 3:
        op = m.draw(st.sampled_from([0, 2]))
        return m.add("BinaryOp", [x, x], x.shape, {0: op}, exact=False)
    if m.draw(st.booleans()):  # so that the channels are certain
        x = pointwise(m, x)
    y = m.draw(st.sampled_from([pooled, mean_row]))(m, x)
    for _ in range(m.draw(st.integers(0, 2))):
        y = element_wise(m, y)
    pair = [x, y] if m.draw(st.booleans()) else [y, x]
    return m.add("BinaryOp", pair, x.shape, {0: m.draw(st.sampled_from([0, 1, 2]))}, exact=False)


def pooled(m: Moves, x: Value) -> Value:
    """The mean of each channel, with as many dims as the blob."""
    kind = {3: "Pooling", 4: "Pooling3D"}[len(x.shape)]
    y = m.add(kind, x, x.shape[:1], {0: 1, 4: 1}, exact=False)
    if m.draw(st.booleans()):
        y = element_wise(m, y)
    shape = with_extent((1,) * len(x.shape), 0, x.shape[0])
    ids = RESHAPE_IDS[len(x.shape)]
    return m.add("Reshape", y, shape, {id: -1 if id == C else 1 for id in ids})


def mean_row(m: Moves, x: Value) -> Value:
    """The mean over all but the innermost axis, with as many dims as the blob."""
    rank = len(x.shape)
    axes = tuple(range(rank - 1))
    y = m.add("Reduction", x, x.shape[-1:], {0: MEAN, 1: 0, 3: axes, 5: 1}, exact=False)
    shape = (*(1,) * (rank - 1), x.shape[-1])
    return m.add("ExpandDims", y, shape, {3: axes})


def negated(m: Moves, x: Value) -> Value:
    y = m.add("UnaryOp", x, x.shape, {0: NEG})
    z = m.add("TanH", x, x.shape, exact=False)
    pair = [y, z] if m.draw(st.booleans()) else [z, y]
    return m.add("BinaryOp", pair, x.shape, {0: m.draw(st.sampled_from([0, 1, 7]))}, exact=False)


def twice(m: Moves, x: Value) -> Value:
    """The same of the same, or nearly, and then both."""
    slopes = m.draw(st.sampled_from([(0.25, 0.25), (0.25, 0.5)]))
    y, z = (m.add("ELU", x, x.shape, {0: slope}, exact=False) for slope in slopes)
    if m.draw(st.booleans()):
        y, z = (m.add("Softmax", v, v.shape, {0: 0, 1: 1}, exact=False) for v in (y, z))
    return m.add("BinaryOp", [y, z], x.shape, {0: 1}, exact=False)
