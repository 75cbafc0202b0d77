"""Drawing squeeze and excitation, with axes that a Reduction keeps."""

from hypothesis import strategies as st

from .near_misses import NearMiss, misses
from .nets import Net, Number
from .sketches import Sketch

FUNCTIONS = ("ReLU", "Swish", "HardSigmoid", "Sigmoid", "TanH")

MISSES = ("axis", "sum", "window", "shared", "large", "channels")
"""What keeps the axes: another one, a sum, a window, another reader, weights that float16 does not
hold, and channels of the image that are not certain."""


@st.composite
def gates(draw: st.DrawFn, miss: str | None = None) -> NearMiss:
    """An image, times or plus what 1x1 Convolutions and functions make of the mean or maximum of
    its channels."""
    sketch = Sketch(draw(st.integers(0, 999)))
    miss = draw(misses(MISSES)) if miss is None else miss
    channels = draw(st.sampled_from([1, 2, 4, 5]))
    shape = (channels, draw(st.integers(2, 6)), draw(st.integers(2, 6)))
    x = sketch.input(shape, draw(st.booleans()))
    if miss != "channels":
        x = _convolution(draw, sketch, x, channels, channels, 3, 1.0)
    for i in range(draw(st.sampled_from([1, 1, 2]))):
        x = _gate(draw, sketch, x, channels, miss if i == 0 else "")
    if draw(st.booleans()):
        sketch.layer("ReLU", x)
    return NearMiss(sketch, miss)


def _gate(draw: st.DrawFn, sketch: Sketch, image: str, channels: int, miss: str) -> str:
    operation = 0 if miss == "sum" else draw(st.sampled_from([3, 3, 4]))
    axes = (1,) if miss == "axis" else draw(st.sampled_from([(1, 2), (2, 1), (-2, -1)]))
    params: dict[int, Number | tuple[int, ...]] = {0: operation, 1: 0, 3: axes, 4: 1, 5: 1}
    x = sketch.layer("Reduction", image, params)
    if miss == "shared":
        sketch.also_outputs.append(x)
    width = channels
    for i in range(count := draw(st.sampled_from([1, 2, 2]))):
        outputs = channels if i == count - 1 else draw(st.sampled_from([1, 3, 8]))
        size = 3 if miss == "window" and i == 0 else 1
        scale = 1e6 if miss == "large" and i == 0 else 1.0
        x = _convolution(draw, sketch, x, width, outputs, size, scale)
        width = outputs
        if draw(st.booleans()):
            x = sketch.layer(draw(st.sampled_from(FUNCTIONS)), x)
    if draw(st.booleans()):
        x = sketch.layer("BinaryOp", x, {0: 0, 1: 1, 2: 0.5})
    reads = [image, x] if draw(st.booleans()) else [x, image]
    return sketch.layer("BinaryOp", reads, {0: draw(st.sampled_from([2, 2, 0, 1]))})


def _convolution(
    draw: st.DrawFn, sketch: Sketch, x: str, inputs: int, outputs: int, size: int, scale: float
) -> str:
    """A Convolution that keeps height and width."""
    count, has_bias = outputs * inputs * size**2, draw(st.booleans())
    params: dict[int, Number] = {0: outputs, 1: size, 4: size // 2, 5: int(has_bias), 6: count}

    def weigh(net: Net) -> None:
        net.tagged(net.normal(count, scale=scale * (inputs * size**2) ** -0.5))
        if has_bias:
            net.plain(net.normal(outputs))

    return sketch.layer("Convolution", x, params, weigh)
