"""Drawing linear layers whose channels are scaled behind Reshapes and Permutes (LayerScale)."""

from hypothesis import strategies as st

from .near_misses import NearMiss, misses
from .nets import Net, Number
from .sketches import Sketch

MISSES = ("activation", "shared", "folded")
"""What keeps a scale where it is."""


@st.composite
def scaled_layouts(draw: st.DrawFn, miss: str | None = None) -> NearMiss:
    """A Convolution of an image, or a Gemm of its pixels as rows; what moves the channels somewhere
    else; and a factor or summand a channel there."""
    sketch = Sketch(draw(st.integers(0, 999)))
    miss = draw(misses(MISSES)) if miss is None else miss
    channels = draw(st.sampled_from([4, 8, 16] if miss == "folded" else [2, 3, 4, 8, 16]))
    shape = (3, draw(st.integers(3, 6)), draw(st.integers(3, 6)))
    x = sketch.input(shape, draw(st.booleans()))
    if miss != "activation" and draw(st.booleans()):
        x = sketch.layer("Permute", x, {0: 3})
        image = x
        x = _gemm(draw, sketch, sketch.layer("Reshape", x, '6="0w,-1"'), channels)
        rank, place = 2, 1
    else:
        params: dict[int, Number] = {0: channels, 1: 3, 4: 1, 6: channels * 27}
        params |= {9: 1} if miss == "activation" else {}
        params |= {5: 1} if draw(st.booleans()) else {}
        x = image = sketch.layer("Convolution", x, params, _weights(params))
        rank, place = 3, 0
    if miss == "shared":
        sketch.also_outputs.append(x)
    for i in range(draw(st.integers(1, 3))):
        x, rank, place = _moved(draw, sketch, x, rank, place, image if i == 0 else None)
    if miss == "folded":  # into twice as many of half the length
        x, rank, place = sketch.layer("Reshape", x, {0: 2, 1: -1}), 2, 1
        channels = 2
    if rank == 3 and place == 1:  # no layer has a value for each there
        x, place = sketch.layer("Permute", x, {0: 2}), 0
    _affine(draw, sketch, x, rank, place, channels, many=bool(miss))
    return NearMiss(sketch, miss)


def _moved(
    draw: st.DrawFn, sketch: Sketch, x: str, rank: int, place: int, image: str | None
) -> tuple[str, int, int]:
    """Another layout: the blob, how many dims it has, and which of these are the channels."""
    if rank == 2:
        if image is not None and place == 1 and draw(st.booleans()):
            return sketch.layer("Reshape", [x, image], '6="0w,1h,1c"'), 3, 2
        if draw(st.booleans()):
            return sketch.layer("Permute", x, {0: 1}), 2, 1 - place
        if place == 0:
            return sketch.layer("ExpandDims", x, "-23303=1,1"), 3, 0
        return sketch.layer("ExpandDims", x, "-23303=1,0"), 3, 2
    if place == 1 or draw(st.booleans()):
        # Where the axes of the input come to stand, by order_type.
        order, places = draw(
            st.sampled_from([(1, (0, 2, 1)), (2, (1, 0, 2)), (3, (2, 0, 1)), (4, (1, 2, 0))])
        )
        return sketch.layer("Permute", x, {0: order}), 3, places[place]
    text = "*(0w,0h),0c" if place == 0 else "0w,*(0h,0c)"
    return sketch.layer("Reshape", x, f'6="{text}"'), 2, min(place, 1)


def _affine(
    draw: st.DrawFn, sketch: Sketch, x: str, rank: int, place: int, count: int, many: bool
) -> None:
    """A factor or summand, `many` if it must have several values."""
    kind = draw(st.sampled_from(["BinaryOp", "BinaryOp", "Scale", *([] if many else ["scalar"])]))
    if kind == "Scale" and place == 0:
        sketch.layer("Scale", x, {0: count, 1: 1}, lambda net: _values(net, count, 2))
    elif kind == "scalar":
        sketch.layer("BinaryOp", x, {0: draw(st.sampled_from([0, 2])), 1: 1, 2: 1.5})
    else:
        shape = tuple(count if i == place else 1 for i in range(rank))
        values = Net(draw(st.integers(0, 99))).normal(*shape) + 1.5
        operands = [x, sketch.constant(values)]
        sketch.layer(
            "BinaryOp",
            operands[:: draw(st.sampled_from([1, -1]))],
            {0: draw(st.sampled_from([0, 2, 2]))},
        )


def _values(net: Net, count: int, times: int) -> None:
    for _ in range(times):
        net.plain(net.normal(count) + 1.5)


def _weights(params: dict[int, Number]):
    def weigh(net: Net) -> None:
        net.tagged(net.normal(int(params[6]), scale=0.2))
        if params.get(5):
            net.plain(net.normal(int(params[0])))

    return weigh


def _gemm(draw: st.DrawFn, sketch: Sketch, x: str, outputs: int) -> str:
    turned, kind = draw(st.integers(0, 1)), draw(st.sampled_from([-1, 0, 4]))
    params: dict[int, Number] = {3: turned, 5: 1, 8: outputs, 9: 3, 6: 1, 10: kind}

    def weigh(net: Net) -> None:
        net.tagged(net.normal(outputs * 3, scale=0.6))
        if kind >= 0:
            net.tagged(net.normal(outputs if kind else 1))

    return sketch.layer("Gemm", x, params, weigh)
