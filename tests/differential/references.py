"""Models of inputs whose shapes no file tells, in which Reshape, Interp and Crop read extents from
other blobs, behind layers of every kind; blobs that are read may be outputs as well."""

from collections.abc import Callable, Mapping

from hypothesis import strategies as st

from .nets import Net
from .sketches import Sketch

Step = Callable[[st.DrawFn, Sketch, str], str]
"""A layer on a blob of some known rank; returns its blob, of the same rank."""


def _unary(draw: st.DrawFn, sketch: Sketch, x: str) -> str:
    return sketch.layer(draw(st.sampled_from(["ReLU", "AbsVal", "TanH", "HardSwish"])), x)


def _permute(draw: st.DrawFn, sketch: Sketch, x: str) -> str:
    return sketch.layer("Permute", x, {0: 1})


def _sum(draw: st.DrawFn, sketch: Sketch, x: str) -> str:
    return sketch.layer("BinaryOp", [x, sketch.layer("Sigmoid", x)], {0: draw(st.integers(0, 2))})


def _tile(draw: st.DrawFn, sketch: Sketch, x: str) -> str:
    return sketch.layer("Tile", x, {0: draw(st.sampled_from([0, 1])), 1: 2})


def _crop(draw: st.DrawFn, sketch: Sketch, x: str) -> str:
    return sketch.layer("Crop", x, {0: draw(st.integers(0, 1)), 3: -233, 4: -233, 5: -233})


def _softmax(draw: st.DrawFn, sketch: Sketch, x: str) -> str:
    return sketch.layer("Softmax", x, {0: draw(st.sampled_from([0, -1])), 1: 1})


def _pad(draw: st.DrawFn, sketch: Sketch, x: str) -> str:
    return sketch.layer("Padding", x, {0: draw(st.integers(0, 1)), 2: draw(st.integers(0, 2))})


def _cumulative(draw: st.DrawFn, sketch: Sketch, x: str) -> str:
    return sketch.layer("CumulativeSum", x, {0: draw(st.integers(0, 1))})


def _concat(draw: st.DrawFn, sketch: Sketch, x: str) -> str:
    return sketch.layer("Concat", [x, sketch.layer("AbsVal", x)], {0: draw(st.integers(0, 1))})


STEPS: Mapping[str, Step] = {
    step.__name__: step
    for step in (_unary, _permute, _sum, _tile, _crop, _softmax, _pad, _cumulative, _concat)
}


def _expression(draw: st.DrawFn) -> str:
    """Extents of the second input, in one order or the other, or a part of them."""
    return draw(st.sampled_from(["1w,1h", "1h,1w", "1w,-1", "-1,1h", "1h,-1", "*(1w,1h)", "0w,1h"]))


def _refer(draw: st.DrawFn, sketch: Sketch, x: str, other: str, features: int) -> str:
    kinds = ["Reshape", "Reshape", "Reshape", "Crop", "Interp", "InnerProduct"]
    match draw(st.sampled_from(kinds)):
        case "Crop":
            return sketch.layer("Crop", [x, other])
        case "Interp":
            return sketch.layer("Interp", [x, other], {0: draw(st.integers(1, 2)), 5: 1})
        case "InnerProduct":

            def weigh(net: Net) -> None:
                net.tagged(net.normal(features * features, scale=features**-0.5))

            rows = sketch.layer("InnerProduct", x, {0: features, 2: features**2}, weigh)
            return sketch.layer("Reshape", [rows, other], f'6="{_expression(draw)}"')
        case _:
            return sketch.layer("Reshape", [x, other], f'6="{_expression(draw)}"')


@st.composite
def references(draw: st.DrawFn) -> Sketch:
    """A model of one input of two dims, perhaps undeclared, and some layers, of which each reads
    any blob before it."""
    sketch = Sketch(draw(st.integers(0, 999)))
    features = draw(st.integers(2, 6))
    scale = draw(st.sampled_from([1.0, 1.0, 0.0, 1e-40, 30.0]))
    declared = draw(st.sampled_from([False, False, False, True]))
    blobs = [sketch.input((draw(st.integers(2, 6)), features), declared, scale)]
    for _ in range(draw(st.integers(3, 8))):
        x = draw(st.sampled_from(blobs))
        if len(blobs) > 1 and draw(st.integers(0, 2)) == 0:
            other = draw(st.sampled_from(blobs))
            made = _refer(draw, sketch, x, other, features)
        else:
            made = STEPS[draw(st.sampled_from(list(STEPS)))](draw, sketch, x)
        blobs.append(made)
        if draw(st.integers(0, 4)) == 0:
            sketch.also_outputs.append(made)
    return sketch
