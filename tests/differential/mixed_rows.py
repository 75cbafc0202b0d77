"""Drawing Gemms on rows of pixels before, between and behind images (the MixFFN of PVT and
SegFormer)."""

from hypothesis import strategies as st

from .near_misses import NearMiss, misses
from .nets import Net, Number
from .pixels import FUNCTIONS
from .pixels import gemm as one_gemm
from .sketches import Sketch

MISSES = ("factor", "shared", "wider", "turned", "rows")
"""What keeps a Gemm one."""

WIDTHS = (2, 3, 4, 8, 12)


@st.composite
def mixed_rows(draw: st.DrawFn, miss: str | None = None) -> NearMiss:
    """An image whose pixels become rows, for a LayerNorm perhaps; a Gemm that makes them wider; a
    depthwise Convolution on the image that they become again; and a Gemm that makes rows of it
    narrower."""
    sketch = Sketch(draw(st.integers(0, 999)))
    miss = draw(misses(MISSES)) if miss is None else miss
    narrow, wide = sorted(draw(st.permutations(WIDTHS))[:2])
    channels, between = (wide, narrow) if miss == "wider" else (narrow, wide)
    x = sketch.input((3, draw(st.integers(3, 6)), draw(st.integers(3, 6))), draw(st.booleans()))
    size = channels * 27
    x = image = sketch.layer(
        "Convolution",
        x,
        {0: channels, 1: 3, 4: 1, 6: size},
        lambda net: net.tagged(net.normal(size, scale=0.2)),
    )
    x = _rows(draw, sketch, x)
    if miss or draw(st.booleans()):
        x = residual = sketch.layer("LayerNorm", x, {0: channels, 2: 0})
    else:
        residual = None
    x = one_gemm(draw, sketch, x, channels, between, miss)
    if draw(st.integers(0, 2)) == 0:
        x = sketch.layer(draw(st.sampled_from(FUNCTIONS)), x)
    if miss == "shared":
        sketch.also_outputs.append(x)
    x = _image(draw, sketch, x, between, image, miss == "turned")
    x = _depthwise(draw, sketch, x, between)
    if draw(st.booleans()):
        x = sketch.layer(draw(st.sampled_from(FUNCTIONS)), x)
    x = _rows(draw, sketch, x)
    if draw(st.booleans()):
        x = sketch.layer(draw(st.sampled_from(FUNCTIONS)), x)
    if miss:
        return NearMiss(sketch, miss)
    x = one_gemm(draw, sketch, x, between, channels, "")
    if residual is not None and draw(st.booleans()):
        x = sketch.layer("BinaryOp", [residual, x], {0: 0})
    sketch.layer("LayerNorm", x, {0: channels, 2: 0})
    return NearMiss(sketch, miss)


def _rows(draw: st.DrawFn, sketch: Sketch, x: str) -> str:
    """Rows of an image's pixels."""
    if draw(st.booleans()):
        x = sketch.layer("Reshape", x, '6="*(0w,0h),0c"')
        return sketch.layer("Permute", x, {0: 1})
    x = sketch.layer("Permute", x, {0: 3})
    return sketch.layer("Reshape", x, '6="0w,*(0h,0c)"')


def _image(draw: st.DrawFn, sketch: Sketch, x: str, channels: int, like: str, turned: bool) -> str:
    """An image with as many pixels as another one; the pixels in another order if `turned`."""
    if turned:
        x = sketch.layer("Reshape", [x, like], f'6="{channels},1w,1h"')
        return sketch.layer("Permute", x, {0: 5})
    if draw(st.booleans()):
        x = sketch.layer("Permute", x, {0: 1})
        return sketch.layer("Reshape", [x, like], f'6="1w,1h,{channels}"')
    x = sketch.layer("Reshape", [x, like], f'6="{channels},1w,1h"')
    return sketch.layer("Permute", x, {0: 4})


def _depthwise(draw: st.DrawFn, sketch: Sketch, x: str, channels: int) -> str:
    size = channels * 9
    params: dict[int, Number] = {0: channels, 1: 3, 4: 1, 5: 1, 6: size, 7: channels}

    def weigh(net: Net) -> None:
        net.tagged(net.normal(size, scale=0.4))
        net.plain(net.normal(channels))

    return sketch.layer("ConvolutionDepthWise", x, params, weigh)
