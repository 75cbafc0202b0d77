"""Drawing linear layers that read one blob and are added."""

from collections.abc import Sequence
from math import prod

from hypothesis import strategies as st

from .near_misses import NearMiss, misses
from .nets import Net, Number
from .sketches import Sketch, Weigh

ADD, SUB, MUL, RSUB = 0, 1, 2, 7
"""BinaryOp's `op_type`."""

KINDS = ("Convolution", "ConvolutionDepthWise")
DIMS = ("", "1D", "3D")

MISSES = ("activation", "padding", "filled", "shared", "blob", "groups")
"""What may keep two convolutions apart."""

_AXES: dict[str, Sequence[tuple[int, int, int, int, int]]] = {
    "": ((1, 2, 3, 4, 15), (11, 12, 13, 14, 16)),
    "1D": ((1, 2, 3, 4, 15),),
    "3D": ((1, 2, 3, 4, 15), (11, 12, 13, 14, 16), (21, 22, 23, 24, 17)),
}
"""Of each axis, innermost first, the ids of kernel, dilation, stride, pad before and pad after."""


def _square(channels: int) -> Weigh:
    """The weight of a 1x1 convolution of as many channels as it gives."""
    return lambda net: net.tagged(net.normal(channels, channels))


@st.composite
def parallel(draw: st.DrawFn, miss: str | None = None) -> NearMiss:
    """Convolutions of one blob, dense or in groups, in 1, 2 or 3 dims, with what scales and shifts
    it and the blob itself, added up or subtracted; one thing may be otherwise."""
    sketch = Sketch(draw(st.integers(0, 999)))
    dims = draw(st.sampled_from(DIMS))
    miss = draw(misses(MISSES)) if miss is None else miss
    axes, channels = _AXES[dims], draw(st.sampled_from([1, 2, 4, 6, 8]))
    same = draw(st.booleans())
    outputs = channels if same else draw(st.sampled_from([2, 4, 6]))
    groups = sorted({n for n in (1, 2, channels) if not (channels % n or outputs % n)})
    group = draw(st.sampled_from(groups))
    stride = 1 if same else draw(st.sampled_from([1, 2]))
    x = sketch.input((channels, *(draw(st.integers(5, 7)) for _ in axes)), draw(st.booleans()))
    if draw(st.integers(0, 3)):  # how many channels there are is certain, then
        params: dict[int, Number] = {0: channels, 1: 1, 6: channels**2}
        x = sketch.layer(KINDS[0] + dims, x, params, _square(channels))
    reach = [draw(st.sampled_from([1, 2])) for _ in axes]

    def convolution(source: str, reach: Sequence[int], **other: int) -> str:
        """A convolution that looks so far to each side along each axis."""
        params: dict[int, Number] = {0: outputs, 9: other.get("activation", 0)}
        kernel: list[int] = []
        for n, (k, d, s, before, after) in zip(reach, axes, strict=True):
            step = draw(st.sampled_from([1, 1, n])) if n else 1
            kernel.append(2 * n // step + 1)
            shift = other.get("shift", 0)
            params |= {k: kernel[-1], d: step, s: stride, before: n + shift, after: n - shift}
        groups = other.get("groups", group)
        params[6] = outputs * (channels // groups) * prod(kernel)
        kind = KINDS[groups > 1] + dims
        params |= {7: groups} if groups > 1 else {}
        params |= {18: 0.5} if other.get("filled") else {}
        params[5] = bias = draw(st.integers(0, 1))

        def weigh(net: Net) -> None:
            net.tagged(net.normal(int(params[6]), scale=int(params[6]) ** -0.5))
            if bias:
                net.plain(net.normal(outputs))

        return sketch.layer(kind, source, params, weigh)

    def other_branch() -> str:
        ways = ["convolution", "convolution"]
        ways += ["blob", "blob", "BatchNorm", "Scale", "scalar"] if same else []
        match draw(st.sampled_from(ways)):
            case "blob":
                return x
            case "scalar":
                return sketch.layer("BinaryOp", x, {0: MUL, 1: 1, 2: -0.75})
            case "convolution":
                return convolution(x, [draw(st.sampled_from([0, n])) for n in reach])
            case kind:

                def weigh(net: Net) -> None:
                    for _ in range(4 if kind == "BatchNorm" else 2):
                        net.plain(net.positive(channels))

                params: dict[int, Number] = {0: channels}
                params |= {1: 1e-5} if kind == "BatchNorm" else {1: 1}
                return sketch.layer(kind, x, params, weigh)

    if miss == "groups" and len(groups) == 1:
        miss = ""
    source = sketch.layer("AbsVal", x) if miss == "blob" else x
    ends = [convolution(x, reach)]
    if miss in ("", "shared"):
        ends += [other_branch() for _ in range(1 if miss else draw(st.integers(1, 2)))]
    else:
        other = {
            "activation": {"activation": 1},
            "padding": {"shift": 1},
            "filled": {"filled": 1},
            "groups": {"groups": next(n for n in groups if n != group)} if groups[1:] else {},
        }
        ends.append(convolution(source, reach, **other.get(miss, {})))
    if miss == "shared":
        sketch.also_outputs.append(ends[0])
    ends = draw(st.permutations(ends))
    total, *others = ends
    for blob in others:
        if draw(st.integers(0, 3)):
            op = draw(st.sampled_from([ADD, ADD, SUB, RSUB]))
            total = sketch.layer("BinaryOp", [total, blob], {0: op})
        else:
            coeffs = draw(st.sampled_from([{}, {1: (0.5, -2.0)}]))
            total = sketch.layer("Eltwise", [total, blob], {0: 1, **coeffs})
    if draw(st.booleans()):
        total = sketch.layer("ReLU", total)
    return NearMiss(sketch, miss)
