"""Drawing attention as layers spell it out, and what comes close to it."""

import numpy as np
from hypothesis import strategies as st

from .sketches import Sketch

ADD, MUL, DIV = 0, 2, 3
"""BinaryOp's `op_type`."""

MISSES = (
    "axis", "reader", "output", "scale", "query", "heads", "values", "row", "mask", "features",
)  # fmt: skip
"""What keeps attention from being an SDPA: a Softmax along the rows, somebody else who reads the
shares, shares that are an output, a negative scale, heads of the query that are not certain, one
head of keys for all, values that are transposed, a mask of one row for all, a mask whose extents
are not certain, another feature mask."""


@st.composite
def attentions(draw: st.DrawFn, miss: str) -> Sketch:
    """A model of attention in which this is wrong."""
    heads, steps, keys, e, f = (draw(st.integers(1, 9)) for _ in range(5))
    heads, keys = draw(st.sampled_from([heads, 4, 8])), draw(st.sampled_from([keys, steps, 16]))
    keys = max(keys, 2)  # (a mask of one element is a number,
    e = max(e, 2)  # and a Permute of extents of 1 a Reshape)
    masked = miss in ("row", "mask") or draw(st.booleans())
    if miss == "heads":
        heads = max(heads, 2)
    if miss == "row":
        steps = max(steps, 2)
    sketch = Sketch(draw(st.integers(0, 999)))

    def blob(rows: int, features: int, count: int, certain: bool) -> str:
        """`count x rows x features`; `certain`: the number of rows, too."""
        x = sketch.input((rows, count * features), draw(st.booleans()), 1.5)
        split = {0: features, 1: count, 2: rows if certain else -1}
        return sketch.layer("Permute", sketch.layer("Reshape", x, split), {0: 2})

    if miss == "query":
        q = sketch.input((heads, steps, e), draw(st.booleans()), 1.5)
    else:
        q = blob(steps, e, heads, masked)
    k = blob(keys, e, 1 if miss == "heads" else heads, masked)
    v = blob(keys, f, heads, False)
    if draw(st.booleans()):
        q = sketch.layer("BinaryOp", q, {0: MUL, 1: 1, 2: 0.75})
    turned = draw(st.booleans())
    if turned:
        k = sketch.layer("Permute", k, {0: 1})
    scores = sketch.layer("MatMul", (q, k), {} if turned else {0: 1})
    way = "mul" if miss == "scale" else draw(st.sampled_from(["", "mul", "div", "both", "power"]))
    if way in ("mul", "both"):
        scores = sketch.layer(
            "BinaryOp", scores, {0: MUL, 1: 1, 2: -0.5 if miss == "scale" else 0.5}
        )
    if way in ("div", "both"):
        scores = sketch.layer("BinaryOp", scores, {0: DIV, 1: 1, 2: 1.75})
    if way == "power":
        scores = sketch.layer("Power", scores, {1: 0.35})
    if masked:
        rows = 1 if miss == "row" else steps
        count = draw(st.sampled_from([1, heads]))
        values = np.random.default_rng(0).standard_normal((count, rows, keys)).astype("f4")
        values[..., 1:][values[..., 1:] > 1] = draw(st.sampled_from([-1e9, -np.inf, -2.5]))
        mask = sketch.constant(values)
        if miss == "mask":
            mask = sketch.input((count, rows, keys), draw(st.booleans()), 1.5)
        pair = (scores, mask) if draw(st.booleans()) else (mask, scores)
        scores = sketch.layer("BinaryOp", pair, {0: ADD})
    axis = 1 if miss == "axis" else draw(st.sampled_from([2, -1]))
    shares = sketch.layer(
        "Softmax", scores, {0: axis, 1: 1} | ({31: 1} if miss == "features" else {})
    )
    if miss == "reader":
        sketch.layer("AbsVal", shares)
    if miss == "output":
        sketch.also_outputs.append(shares)
    if miss == "values":
        v = sketch.layer("Permute", v, {0: 1})
    y = sketch.layer("MatMul", (shares, v), {0: 1} if miss == "values" else {})
    sketch.layer("AbsVal", y)
    return sketch
