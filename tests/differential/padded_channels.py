"""Drawing depthwise convolutions of channels that the runtime does not keep together."""

from hypothesis import strategies as st

from .near_misses import NearMiss, misses
from .nets import Net, Number
from .sketches import Sketch

MISSES = ("output", "input", "concat", "exp", "even", "few", "normalized")
"""What keeps channels as they are: a blob of theirs is an output, or an input of the model, or
joined with others; an exponential; they are kept together already, or are so few that the further
ones would be many; a layer that mixes them."""

FUNCTIONS = ("ReLU", "Sigmoid", "Swish", "GELU", "HardSwish", "TanH", "Mish", "HardSigmoid")

CHANNELS = (7, 10, 13, 14, 15, 18, 19, 22, 27, 30)


@st.composite
def padded_channels(draw: st.DrawFn, miss: str | None = None) -> NearMiss:
    """A 1x1 Convolution, depthwise ones with what computes each channel on its own before and
    behind them, a squeeze and excitation perhaps, and a Convolution."""
    sketch = Sketch(draw(st.integers(0, 999)))
    miss = draw(misses(MISSES)) if miss is None else miss
    channels = draw(st.sampled_from(CHANNELS))
    channels = {"even": 12, "few": draw(st.sampled_from([2, 3, 5]))}.get(miss, channels)
    inputs = channels if miss == "input" else draw(st.sampled_from([3, 4, 9]))
    shape = (inputs, draw(st.integers(4, 8)), draw(st.integers(4, 8)))
    x = sketch.input(shape, draw(st.booleans()))
    if miss != "input":
        x = _convolution(draw, sketch, x, inputs, channels, draw(st.sampled_from([1, 3])))
    for i in range(draw(st.integers(1, 2))):
        before = x = _function(draw, sketch, x, channels)
        if miss == "exp" and i == 0:
            x = sketch.layer("Exp", x)
        if miss == "normalized" and i == 0:
            x = sketch.layer("InstanceNorm", x, {0: channels, 2: 0})
        x = _depthwise(draw, sketch, x, channels)
        if miss == "output" and i == 0:
            sketch.also_outputs.append(x)
        if draw(st.integers(0, 2)) == 0:
            x = sketch.layer("BinaryOp", [before, x], {0: draw(st.sampled_from([0, 2, 4]))})
        x = _function(draw, sketch, x, channels)
    if draw(st.integers(0, 2)) == 0:
        x = _excited(draw, sketch, x, channels)
    if miss == "concat":
        x, channels = sketch.layer("Concat", [x, x], {0: 0}), 2 * channels
    if draw(st.integers(0, 2)) == 0:
        x = sketch.layer("Pooling", x, {0: draw(st.integers(0, 1)), 1: 2, 2: 2})
    if draw(st.integers(0, 3)) == 0:
        x = sketch.layer("Pooling", x, {0: 1, 4: 1})
        _inner(draw, sketch, x, channels, 5)
    else:
        _convolution(draw, sketch, x, channels, draw(st.sampled_from([4, 5])), 1)
    return NearMiss(sketch, miss)


def _function(draw: st.DrawFn, sketch: Sketch, x: str, channels: int) -> str:
    kind = draw(st.sampled_from(["", "PReLU", "BinaryOp", *FUNCTIONS]))
    if kind == "PReLU":
        count = draw(st.sampled_from([1, channels]))
        return sketch.layer(kind, x, {0: count}, lambda net: net.plain(net.normal(count)))
    if kind == "BinaryOp":
        return sketch.layer(kind, x, {0: draw(st.sampled_from([0, 2, 4])), 1: 1, 2: 0.5})
    return sketch.layer(kind, x) if kind else x


def _excited(draw: st.DrawFn, sketch: Sketch, x: str, channels: int) -> str:
    gate = sketch.layer("Pooling", x, {0: 1, 4: 1})
    gate = sketch.layer("ReLU", _inner(draw, sketch, gate, channels, 3))
    gate = sketch.layer("Sigmoid", _inner(draw, sketch, gate, 3, channels))
    pair = [x, gate] if draw(st.booleans()) else [gate, x]
    return sketch.layer("BinaryOp", pair, {0: 2})


def _inner(draw: st.DrawFn, sketch: Sketch, x: str, inputs: int, outputs: int) -> str:
    bias = draw(st.integers(0, 1))

    def weigh(net: Net) -> None:
        net.tagged(net.normal(inputs * outputs, scale=inputs**-0.5))
        if bias:
            net.plain(net.normal(outputs))

    return sketch.layer("InnerProduct", x, {0: outputs, 1: bias, 2: inputs * outputs}, weigh)


def _convolution(
    draw: st.DrawFn, sketch: Sketch, x: str, inputs: int, outputs: int, kernel: int
) -> str:
    size = inputs * outputs * kernel**2
    params: dict[int, Number] = {0: outputs, 1: kernel, 4: kernel // 2, 6: size}
    return _weighed(draw, sketch, "Convolution", x, params, (inputs * kernel**2) ** -0.5)


def _depthwise(draw: st.DrawFn, sketch: Sketch, x: str, channels: int) -> str:
    kernel = draw(st.sampled_from([1, 3, 5]))
    params: dict[int, Number] = {0: channels, 1: kernel, 4: kernel // 2, 6: channels * kernel**2}
    params |= {7: channels, 3: 1}
    if kernel > 1 and draw(st.integers(0, 3)) == 0:
        params |= {18: 0.5}
    return _weighed(draw, sketch, "ConvolutionDepthWise", x, params, 1 / kernel)


def _weighed(
    draw: st.DrawFn, sketch: Sketch, kind: str, x: str, params: dict[int, Number], scale: float
) -> str:
    bias, activation = draw(st.integers(0, 1)), draw(st.sampled_from([0, 0, 1, 4, 5]))
    params |= {5: bias, 9: activation}

    def weigh(net: Net) -> None:
        net.tagged(net.normal(int(params[6]), scale=scale))
        if bias:
            net.plain(net.normal(int(params[0])))

    return sketch.layer(kind, x, params, weigh)
