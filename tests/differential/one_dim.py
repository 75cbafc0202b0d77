"""Drawing convolutions and deconvolutions in one dim that the runtime has no fast code for."""

from hypothesis import strategies as st

from .near_misses import NearMiss, misses
from .nets import Net, Number
from .sketches import Sketch

DENSE, DEPTHWISE, TRANSPOSED = (
    "Deconvolution1D",
    "ConvolutionDepthWise1D",
    "DeconvolutionDepthWise1D",
)
KINDS = (DENSE, DEPTHWISE, TRANSPOSED)

SAME = (-233, -234)

MISSES = ("few", "lanes", "groups", "large")
"""What keeps a layer in one dim: few columns, channels that are not kept together, groups of
several, and weights that float16 does not hold."""


@st.composite
def one_dim(draw: st.DrawFn, miss: str | None = None) -> NearMiss:
    """Rows through layers and functions; what follows may become a part of a layer, or be added to
    what it reads."""
    sketch = Sketch(draw(st.integers(0, 999)))
    miss = draw(misses(MISSES)) if miss is None else miss
    channels = 6 if miss == "lanes" else 16
    columns = draw(st.integers(3, 9))
    x = sketch.input((channels, columns), miss == "few")
    if miss != "few" and draw(st.booleans()):
        params: dict[int, Number] = {0: channels, 1: 1, 6: channels**2}
        x = sketch.layer(
            "Convolution1D", x, params, lambda net: net.tagged(net.normal(channels, channels))
        )
    count = 1 if miss else draw(st.integers(1, 3))
    for _ in range(count):
        x = _layer(draw, sketch, x, channels, miss)
    return NearMiss(sketch, miss)


def _layer(draw: st.DrawFn, sketch: Sketch, x: str, channels: int, miss: str) -> str:
    apart = miss in ("few", "lanes", "groups")
    kind = draw(st.sampled_from(KINDS[1:] if apart else KINDS))
    group = 1 if kind == DENSE else 2 if miss == "groups" else channels
    kernel, dilation = draw(st.integers(3, 5)), draw(st.sampled_from([1, 1, 2]))
    stride = draw(st.integers(1, 3))
    size = channels * (channels // group) * kernel
    params: dict[int, Number] = {0: channels, 1: kernel, 2: dilation, 3: stride, 6: size}
    # The window is never larger than what there is.
    least = (dilation * (kernel - 1) + 1) // 2 if kind == DEPTHWISE else 0
    params |= {4: least + draw(st.integers(0, 1)), 15: least + draw(st.integers(0, 1))}
    if kind == DEPTHWISE:
        if draw(st.integers(0, 2)) == 0:
            same = draw(st.sampled_from(SAME))
            params |= {4: same, 15: same}
        params |= {18: draw(st.sampled_from([0.0, 0.5]))}
    elif draw(st.booleans()):
        params |= {18: draw(st.integers(0, 2))}
    if group > 1:
        params |= {7: group}
    if draw(st.integers(0, 3)) == 0:
        params |= {9: draw(st.sampled_from([1, 4]))}
    has_bias = draw(st.booleans())
    params |= {5: int(has_bias)}
    scale = 1e6 if miss == "large" else 0.2

    def weigh(net: Net) -> None:
        net.tagged(net.normal(size, scale=scale))
        if has_bias:
            net.plain(net.normal(channels))

    y = sketch.layer(kind, x, params, weigh)
    match draw(st.sampled_from(["", "", "ReLU", "Swish", "Sigmoid", "scale", "sum", "read"])):
        case "":
            pass
        case "scale":
            y = sketch.layer("BinaryOp", y, {0: 2, 1: 1, 2: 1.5})
        case "sum":
            y = sketch.layer("BinaryOp", [y, sketch.layer("AbsVal", y)], {0: 0})
        case "read":
            sketch.also_outputs.append(y)
        case function:
            y = sketch.layer(function, y)
    return y
