"""Drawing Gemms on the pixels of an image, as converters write linear layers on the last axis."""

from hypothesis import strategies as st

from .near_misses import NearMiss, misses
from .nets import Net, Number
from .sketches import Sketch

FUNCTIONS = ("GELU", "Swish", "TanH", "AbsVal")

MISSES = ("factor", "order", "turned", "shared", "rows")
"""What keeps a Gemm one."""


@st.composite
def pixels(draw: st.DrawFn, miss: str | None = None) -> NearMiss:
    """A Convolution, whose channels are put last; rows of them through Gemms and functions, each
    Gemm between Reshapes of its own or not; and the channels put ahead again."""
    sketch = Sketch(draw(st.integers(0, 999)))
    miss = draw(misses(MISSES)) if miss is None else miss
    channels = draw(st.sampled_from([1, 2, 3, 4, 8]))
    shape = (3, draw(st.integers(3, 6)), draw(st.integers(3, 6)))
    x = sketch.input(shape, draw(st.booleans()))
    if draw(st.integers(0, 3)):
        size, stride = channels * 3 * 9, draw(st.sampled_from([1, 2]))
        params: dict[int, Number] = {0: channels, 1: 3, 3: stride, 4: 1, 6: size}
        x = sketch.layer(
            "Convolution", x, params, lambda net: net.tagged(net.normal(size, scale=0.2))
        )
    else:
        channels = 3
    x = sketch.layer("Permute", x, {0: draw(st.sampled_from([3, 5]))})
    if draw(st.booleans()):
        x = sketch.layer("LayerNorm", x, {0: channels, 2: 0})
    image, width = x, channels
    x = _rows(draw, sketch, x)
    # Rows of channels fit no second Gemm.
    for i in range(1 if miss == "rows" else draw(st.sampled_from([1, 1, 2, 3]))):
        # Turned pixels are an image all the same; only one of fewer channels is made of them.
        outputs = draw(st.sampled_from([1] if miss == "turned" else [1, 2, 4, 5]))
        x = gemm(draw, sketch, x, width, outputs, miss if i == 0 else "")
        width = outputs
        if draw(st.integers(0, 2)) == 0:
            x = sketch.layer(draw(st.sampled_from(FUNCTIONS)), x)
        # Each with Reshapes of its own; the next one reads this shape.
        if miss != "rows" and draw(st.booleans()):
            image = x = sketch.layer("Reshape", [x, image], '6="0w,1h,1c"')
            if draw(st.booleans()):
                image = x = sketch.layer(draw(st.sampled_from(FUNCTIONS)), x)
            x = _rows(draw, sketch, x)
    if miss == "shared":
        sketch.also_outputs.append(x)
    back = {"turned": "0w,1c,1h", "rows": "0h,1h,1c"}.get(miss, "0w,1h,1c")
    x = sketch.layer("Reshape", [x, image], f'6="{back}"')
    if draw(st.booleans()):
        x = sketch.layer(draw(st.sampled_from(FUNCTIONS)), x)
    orders = [1, 2, 3] if miss == "order" else [4, 4, 5]
    x = sketch.layer("Permute", x, {0: draw(st.sampled_from(orders))})
    if draw(st.booleans()):
        sketch.layer("ReLU", x)
    return NearMiss(sketch, miss)


def _rows(draw: st.DrawFn, sketch: Sketch, x: str) -> str:
    text = draw(st.sampled_from(["0w,-1", "0w,*(0h,0c)"]))
    return sketch.layer("Reshape", x, f'6="{text}"')


def gemm(draw: st.DrawFn, sketch: Sketch, x: str, inputs: int, outputs: int, miss: str) -> str:
    """A Gemm with a constant B, as it is multiplied or transposed, and perhaps a C."""
    turned, kind = draw(st.integers(0, 1)), draw(st.sampled_from([None, 0, 4]))
    params: dict[int, Number] = {3: turned, 5: 1, 8: outputs, 9: inputs}
    params |= {6: 1, 10: kind} if kind is not None else {6: 1, 10: -1}
    params |= {0: 0.5} if miss == "factor" else {}
    params |= {14: 1} if miss == "rows" else {}

    def weigh(net: Net) -> None:
        net.tagged(net.normal(inputs * outputs, scale=inputs**-0.5))
        if kind is not None:
            net.tagged(net.normal(outputs if kind else 1))

    return sketch.layer("Gemm", x, params, weigh)
