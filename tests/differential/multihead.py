"""Drawing attention with the Gemms around it, as converters write it: one product that is cut into
query, keys and values, or one for each."""

from collections.abc import Mapping, Sequence

import numpy as np
from hypothesis import strategies as st

from .near_misses import NearMiss, misses
from .nets import Net, Number
from .sketches import Sketch

MISSES = ("turned", "reader", "output", "factor", "values", "mask", "query", "mixed", "cut")
"""What keeps attention from being a MultiHeadAttention: heads that are steps behind it, somebody
else who reads a product or the result, a factor on a product, values of other features, one mask
for all heads, a query of other features than the output, steps among the features, and parts that
begin in the middle."""


@st.composite
def multihead(draw: st.DrawFn, miss: str | None = None) -> NearMiss:
    """Rows through Gemms, heads by Reshapes, Permutes and Slices, an SDPA or products instead, and
    back."""
    miss = draw(misses(MISSES)) if miss is None else miss
    sketch = Sketch(draw(st.integers(0, 999)))
    heads, features = draw(st.sampled_from([1, 2, 3, 4])), draw(st.sampled_from([2, 4, 5, 8]))
    heads = max(heads, 2) if miss else heads
    steps, width = draw(st.integers(2, 7)), draw(st.sampled_from([3, 4, 8]))
    while steps in (heads, features):  # else it would not matter which of them is which
        steps += 1
    x = _rows(draw, sketch, steps, width)
    keys = steps
    if miss in ("cut", "mixed") or (miss != "values" and draw(st.booleans())):
        q, k, v = _together(draw, sketch, x, (steps, heads, features, width), miss)
    else:
        other = x
        if draw(st.booleans()):
            keys = draw(st.integers(1, 7))
            other = _rows(draw, sketch, keys, width)
        sizes = {"heads": heads, "features": features, "width": width}
        q = _apart(draw, sketch, x, sizes, miss)
        k = _apart(draw, sketch, other, sizes, "")
        sizes["features"] += miss == "values"
        v = _apart(draw, sketch, other, sizes, "")
        features = sizes["features"]
    spelled = draw(st.booleans())
    reads, params = [q, k, v], dict[int, Number]()
    if miss == "mask" or draw(st.integers(0, 3)) == 0:
        counts = [(heads,)] if spelled else [(), (heads,)]
        count = (1,) if miss == "mask" else draw(st.sampled_from(counts))
        values = np.random.default_rng(0).standard_normal((*count, steps, keys))
        reads.append(sketch.constant(values.astype("f4")))
        params[5] = 1
    params |= {6: 0.4} if draw(st.booleans()) else {}
    y = _spelled(draw, sketch, reads) if spelled else sketch.layer("SDPA", reads, params)
    if miss == "output":
        sketch.also_outputs.append(y)
    if miss == "turned":
        y = sketch.layer("Reshape", y, {0: heads * features, 1: -1})
    elif draw(st.booleans()):
        y = sketch.layer("Permute", y, {0: 2})
        y = sketch.layer("Reshape", y, {0: heads * features, 1: -1})
    else:  # the heads of a feature beside each other
        y = sketch.layer("Permute", y, {0: 3})
        y = sketch.layer("Reshape", y, {0: heads * features, 1: -1})
    y = _gemm(draw, sketch, y, heads * features, width + (miss == "query"), "")
    sketch.layer("AbsVal", y)
    return NearMiss(sketch, miss)


def _spelled(draw: st.DrawFn, sketch: Sketch, reads: Sequence[str]) -> str:
    """Attention as products and a Softmax."""
    q, k, v, *mask = reads
    turned = draw(st.booleans())
    k = sketch.layer("Permute", k, {0: 1}) if turned else k
    y = sketch.layer("MatMul", [q, k], {} if turned else {0: 1})
    y = sketch.layer("BinaryOp", y, {0: 2, 1: 1, 2: 0.4})
    y = sketch.layer("BinaryOp", [y, *mask], {0: 0}) if mask else y
    return sketch.layer("MatMul", [sketch.layer("Softmax", y, {0: 2, 1: 1}), v])


def _rows(draw: st.DrawFn, sketch: Sketch, steps: int, width: int) -> str:
    x = sketch.input((steps, width), draw(st.booleans()))
    certain = sketch.layer("Reshape", x, {0: width, 1: 1, 2: steps})
    return sketch.layer("TanH", sketch.layer("Reshape", certain, {0: width, 1: steps}))


def _together(
    draw: st.DrawFn, sketch: Sketch, x: str, sizes: tuple[int, int, int, int], miss: str
) -> tuple[str, str, str]:
    """Query, keys and values of one product, each before the heads, or in each head."""
    steps, heads, features, width = sizes
    columns = 3 * heads * features
    y = _gemm(draw, sketch, x, width, columns, miss)
    if miss == "cut":
        first, second = sketch.cut("Slice", y, 2, f"-23300=2,1,{columns - 1} 1=1")
        y = sketch.layer("Concat", [second, first], {0: 1})
    if miss == "reader":
        sketch.layer("AbsVal", y)
    if draw(st.booleans()):
        y = sketch.layer("Reshape", y, {0: features, 1: heads, 11: 3, 2: steps})
        y = sketch.layer("Permute", y, {0: 8})  # 3, heads, steps, features
        parts = sketch.cut("Slice", y, 3, "-23300=3,-233,-233,-233 1=0")
        shape: dict[int, Number] = {0: features, 1: steps, 2: heads}
        if miss == "mixed":
            shape = {0: steps, 1: features, 2: heads}
        q, k, v = (sketch.layer("Reshape", part, shape) for part in parts)
        return q, k, v
    y = sketch.layer("Reshape", y, {0: 3 * features, 1: heads, 2: steps})
    if miss == "mixed":
        y = sketch.layer("Reshape", y, {0: 3 * features, 1: steps, 2: heads})
    else:
        y = sketch.layer("Permute", y, {0: 2})
    q, k, v = sketch.cut("Slice", y, 3, "-23300=3,-233,-233,-233 1=2")
    return q, k, v


def _apart(draw: st.DrawFn, sketch: Sketch, x: str, sizes: Mapping[str, int], miss: str) -> str:
    """One of query, keys and values, a product of its own."""
    heads, features = sizes["heads"], sizes["features"]
    y = _gemm(draw, sketch, x, sizes["width"], heads * features, miss)
    if miss == "reader":
        sketch.layer("AbsVal", y)
    if draw(st.booleans()):  # the heads of a feature beside each other
        y = sketch.layer("Reshape", y, {0: heads, 1: features, 2: -1})
        return sketch.layer("Permute", y, {0: 4})
    y = sketch.layer("Reshape", y, {0: features, 1: heads, 2: -1})
    return sketch.layer("Permute", y, {0: 2})


def _gemm(draw: st.DrawFn, sketch: Sketch, x: str, inputs: int, outputs: int, miss: str) -> str:
    """A Gemm with a constant B, as it is multiplied or transposed, and perhaps a C."""
    turned, kind = draw(st.integers(0, 1)), draw(st.sampled_from([None, 0, 4]))
    params: dict[int, Number] = {3: turned, 5: 1, 8: outputs, 9: inputs}
    params |= {6: 1, 10: kind} if kind is not None else {6: 1, 10: -1}
    params |= {0: 0.5} if miss == "factor" else {}

    def weigh(net: Net) -> None:
        net.tagged(net.normal(inputs * outputs, scale=inputs**-0.5))
        if kind is not None:
            net.tagged(net.normal(outputs if kind else 1))

    return sketch.layer("Gemm", x, params, weigh)
