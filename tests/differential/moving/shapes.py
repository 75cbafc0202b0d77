"""Steps that change only the shape."""

from math import prod

from hypothesis import strategies as st

from ..nets import Number
from .model import RESHAPE_IDS, C, Moves, Value


def reshape(m: Moves, x: Value) -> Value:
    """A Reshape to a random shape of as many elements, said in any way."""
    draw, left = m.draw, prod(x.shape)
    rank = draw(st.integers(1, 4))
    shape: list[int] = []
    for _ in range(rank - 1):
        shape.append(draw(st.sampled_from([n for n in range(1, left + 1) if left % n == 0])))
        left //= shape[-1]
    shape = draw(st.permutations([*shape, left])) if draw(st.booleans()) else [*shape, left]
    if draw(st.booleans()) and rank == len(x.shape):
        shape = list(x.shape)
    own = dict(zip(RESHAPE_IDS[len(x.shape)], x.shape, strict=True))
    params: dict[int, Number] = {}
    for id, n in zip(RESHAPE_IDS[rank], shape, strict=True):
        said = [n]
        if own.get(id, 1) == n and not (id == C and (rank, len(x.shape)) == (3, 4)):
            said += [0, 0]
        if -1 not in params.values():
            said.append(-1)
        params[id] = draw(st.sampled_from(said))
    return m.add("Reshape", x, tuple(shape), params)


def flatten(m: Moves, x: Value) -> Value:
    return m.add("Flatten", x, (prod(x.shape),))


def squeeze(m: Moves, x: Value) -> Value:
    rank = len(x.shape)
    axes = m.draw(st.sets(st.integers(0, rank - 1), min_size=1, max_size=rank))
    shape = tuple(n for i, n in enumerate(x.shape) if i not in axes or n != 1) or (1,)
    if m.draw(st.booleans()):
        ids = RESHAPE_IDS[rank]
        return m.add("Squeeze", x, shape, {ids[i]: 1 for i in axes})
    said = [axis - rank if m.draw(st.booleans()) else axis for axis in sorted(axes)]
    return m.add("Squeeze", x, shape, {3: tuple(said)})


def expand_dims(m: Moves, x: Value) -> Value:
    rank = len(x.shape)
    if rank == 4:
        return x
    more = m.draw(st.integers(1, 4 - rank))
    out = rank + more
    axes = sorted(m.draw(st.permutations(range(out)))[:more])
    rest = iter(x.shape)
    shape = tuple(1 if i in axes else next(rest) for i in range(out))
    said = [axis - out if m.draw(st.booleans()) else axis for axis in axes]
    return m.add("ExpandDims", x, shape, {3: tuple(said)})
