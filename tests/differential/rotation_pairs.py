"""Drawing rotary position embedding of neighbouring features, and what comes close to it."""

import numpy as np
from hypothesis import strategies as st

from .near_misses import NearMiss, misses
from .sketches import Sketch

ADD, SUB, MUL, RSUB = 0, 1, 2, 7
"""BinaryOp's `op_type`."""

MISSES = ("reader", "output", "order", "sign", "row", "heads", "rank", "triples")
"""What keeps a rotation: somebody else who reads the first features, a product that is an output,
exchanged features, the same sign twice, tables of one row, tables of their own for each head, a
blob whose dims are not certain, groups of three features."""


@st.composite
def rotations_of_pairs(draw: st.DrawFn, miss: str | None = None) -> NearMiss:
    """A rotation of the neighbouring features of heads."""
    sketch = Sketch(draw(st.integers(0, 999)))
    miss = draw(misses(MISSES)) if miss is None else miss
    heads, steps, pairs = (draw(st.integers(2, n)) for n in (4, 9, 9))
    of_each = 3 if miss == "triples" else 2
    if miss == "rank":
        x = sketch.input((heads, steps, pairs, of_each), False, 1.5)
    else:
        x = sketch.input((heads, steps, pairs * of_each), draw(st.booleans()), 1.5)
        x = sketch.layer("Reshape", x, {0: of_each, 1: pairs, 11: steps, 2: heads})
    rng = np.random.default_rng(sketch.seed)
    flat = draw(st.booleans())  # (whether the features are 3-D blobs)

    def table() -> str:
        shape = [heads if miss == "heads" else 1, 1 if miss == "row" else steps, pairs]
        values = rng.standard_normal([*shape] if flat else [*shape, 1])
        return sketch.constant(values.astype("f4"))

    def times(a: str, b: str) -> str:
        return sketch.layer("BinaryOp", [a, b] if draw(st.booleans()) else [b, a], {0: MUL})

    axis = draw(st.sampled_from([3, -1]))
    sizes = ",".join(["1"] * of_each)
    parts = sketch.cut("Slice", x, of_each, f"-23300={of_each},{sizes} 1={axis}")
    if flat:
        reshaped = {0: pairs, 1: steps, 2: heads}
        parts = tuple(sketch.layer("Reshape", part, reshaped) for part in parts)
    a, b, *others = parts
    if miss == "reader":
        sketch.layer("AbsVal", a)
    cos, sin = table(), table()
    straight, crossed = times(a, cos), times(b, sin)
    if miss == "sign":
        first = sketch.layer("BinaryOp", [straight, crossed], {0: ADD})
    elif draw(st.booleans()):
        first = sketch.layer("BinaryOp", [straight, crossed], {0: SUB})
    else:
        first = sketch.layer("BinaryOp", [crossed, straight], {0: RSUB})
    products = [times(b, cos), times(a, sin)]
    if miss == "output":
        sketch.also_outputs.append(products[0])
    second = sketch.layer("BinaryOp", draw(st.permutations(products)), {0: ADD})
    joined = [first, second, *others]
    if miss == "order":
        joined = [second, first]
    if flat:
        new_axis = {0: 1, 1: pairs, 11: steps, 2: heads}
        joined = [sketch.layer("Reshape", each, new_axis) for each in joined]
    y = sketch.layer("Concat", joined, {0: axis})
    y = sketch.layer("Reshape", y, {0: pairs * of_each, 1: steps, 2: heads})
    sketch.layer("AbsVal", y)
    return NearMiss(sketch, miss)
