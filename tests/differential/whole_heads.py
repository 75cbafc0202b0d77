"""Drawing MultiHeadAttention, of sequences that are short for a test and long for few features."""

import numpy as np
from hypothesis import strategies as st

from .near_misses import NearMiss, misses
from .nets import Net, Number
from .sketches import Sketch

MISSES = ("length", "short", "features", "negative")
"""What keeps it as it is: a length that is not certain, sequences that are too short, too many
features a head, and a scale that no SDPA has."""

STEPS = 16
"""From so many steps on an SDPA is faster on x86, for up to 16 features a head."""


@st.composite
def whole_heads(draw: st.DrawFn, miss: str | None = None) -> NearMiss:
    """Of one blob, two or three, with a mask or not."""
    miss = draw(misses(MISSES)) if miss is None else miss
    sketch = Sketch(draw(st.integers(0, 999)))
    heads, features = draw(st.sampled_from([1, 2, 4])), draw(st.sampled_from([1, 3, 4]))
    features = 20 if miss == "features" else features
    embedded, count = heads * features, draw(st.sampled_from([1, 2, 3]))
    steps = 9 if miss == "short" else draw(st.integers(STEPS, STEPS + 3))
    keys = steps if count == 1 else draw(st.integers(STEPS, STEPS + 3))
    widths = [draw(st.sampled_from([2, 4, 5])) for _ in range(count)]
    blobs = [
        _rows(draw, sketch, keys if i else steps, width, miss == "length" and i == 0)
        for i, width in enumerate(widths)
    ]
    sizes = [widths[min(i, count - 1)] for i in range(3)]
    params: dict[int, Number] = {0: embedded, 1: heads, 2: embedded * sizes[0]}
    params |= {3: sizes[1], 4: sizes[2]}
    params |= {6: -0.3 if miss else 0.3} if miss == "negative" or draw(st.booleans()) else {}
    if draw(st.booleans()):
        shape = draw(st.sampled_from([(), (heads,)]))
        values = np.random.default_rng(0).standard_normal((*shape, steps, keys))
        blobs.append(sketch.constant(values.astype("f4")))
        params[5] = 1

    def weigh(net: Net) -> None:
        for size in sizes:
            net.tagged(net.normal(embedded * size, scale=size**-0.5))
            net.plain(net.normal(embedded))
        net.tagged(net.normal(embedded * sizes[0], scale=embedded**-0.5))
        net.plain(net.normal(sizes[0]))

    y = sketch.layer("MultiHeadAttention", blobs, params, weigh)
    if draw(st.booleans()):
        sketch.layer("AbsVal", y)
    return NearMiss(sketch, miss)


def _rows(draw: st.DrawFn, sketch: Sketch, steps: int, width: int, any_length: bool) -> str:
    x = sketch.input((steps, width), draw(st.booleans()))
    if any_length:
        return sketch.layer("TanH", x)
    x = sketch.layer("Reshape", x, {0: width, 1: 1, 2: steps})
    return sketch.layer("TanH", sketch.layer("Reshape", x, {0: width, 1: steps}))
