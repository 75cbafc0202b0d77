"""Drawing 1x1 Convolutions, one behind the other."""

from hypothesis import strategies as st

from .near_misses import NearMiss, misses
from .nets import Net, Number
from .sketches import Sketch

MISSES = ("activation", "output", "padded", "pads", "wide", "narrow", "strides")
"""What keeps two Convolutions apart: an activation or pads between, more multiplications for one,
a larger kernel, a first one that leaves pixels out."""


@st.composite
def pointwise(draw: st.DrawFn, miss: str | None = None) -> NearMiss:
    """Two 1x1 Convolutions, the channels between them many."""
    sketch = Sketch(draw(st.integers(0, 999)))
    miss = draw(misses(MISSES)) if miss is None else miss
    few, more, most = sorted(draw(st.permutations([2, 3, 4, 5, 8, 12, 16]))[:3])
    inputs, between, outputs = few, most, more
    if miss == "narrow":
        inputs, between, outputs = draw(st.sampled_from([4, 8])), 2, draw(st.sampled_from([5, 12]))
    shape = (inputs, draw(st.integers(2, 6)), draw(st.integers(2, 6)))
    x = sketch.layer("AbsVal", sketch.input(shape, True))
    extra: dict[int, Number] = {}
    extra |= {"activation": {9: 1}, "pads": {4: 1}, "strides": {3: 2}}.get(miss, {})
    x = _convolution(draw, sketch, x, inputs, between, 1, extra)
    if miss == "output":
        sketch.also_outputs.append(x)
    own: dict[int, Number] = {3: draw(st.sampled_from([1, 2])), 9: draw(st.sampled_from([0, 1]))}
    own |= {4: 1} if miss == "padded" else {}
    x = _convolution(draw, sketch, x, between, outputs, 2 if miss == "wide" else 1, own)
    if draw(st.booleans()):
        sketch.layer("TanH", x)
    return NearMiss(sketch, miss)


def _convolution(
    draw: st.DrawFn,
    sketch: Sketch,
    x: str,
    inputs: int,
    outputs: int,
    kernel: int,
    more: dict[int, Number],
) -> str:
    size, bias = inputs * outputs * kernel**2, draw(st.integers(0, 1))
    params: dict[int, Number] = {0: outputs, 1: kernel, 5: bias, 6: size} | more

    def weigh(net: Net) -> None:
        net.tagged(net.normal(size, scale=inputs**-0.5))
        if bias:
            net.plain(net.normal(outputs))

    return sketch.layer("Convolution", x, params, weigh)
