"""Drawing layers that compute with constants alone."""

import numpy as np
from hypothesis import strategies as st

from .nets import Array, Shape
from .sketches import Sketch

UNARY = (0, 4, 5, 16)
"""abs, square, sqrt and tanh: of positive values, they make such, and none that are huge."""

STEPS = ("unary", "scalar", "join", "constants", "permute", "output")


@st.composite
def constant_chains(draw: st.DrawFn) -> Sketch:
    """A chain of constants beside a chain of blobs, joined here and there."""
    sketch = Sketch(draw(st.integers(0, 2**16)))
    rng = np.random.default_rng(sketch.seed)

    def positive(*shape: int) -> Array:
        return rng.uniform(0.5, 1.5, shape).astype("f4")

    shapes: list[Shape] = [(6,), (2, 3), (2, 3, 4)]
    shape = draw(st.sampled_from(shapes))
    x, c = sketch.input(shape), sketch.constant(positive(*shape))
    for _ in range(draw(st.integers(1, 6))):
        match draw(st.sampled_from(STEPS)):
            case "unary":
                c = sketch.layer("UnaryOp", c, {0: draw(st.sampled_from(UNARY))})
            case "scalar":
                c = sketch.layer("BinaryOp", c, {0: 2, 1: 1, 2: 0.5})
            case "join":
                x = sketch.layer("BinaryOp", (x, c), {0: 0})
            case "constants":
                other = sketch.constant(positive(*shape[-1:]))
                c = sketch.layer("BinaryOp", (c, other), {0: 2})
            case "permute" if len(shape) == 2:
                c = sketch.layer("Permute", sketch.layer("Permute", c, {0: 1}), {0: 1})
            case _:
                sketch.also_outputs.append(c)
    sketch.layer("BinaryOp", (x, c), {0: 0})
    return sketch
