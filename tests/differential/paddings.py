"""Drawing a Padding before a layer that may pad by itself."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod

from hypothesis import strategies as st

from .nets import Net, Number, Shape
from .producers import AFTER, BEFORE, DILATION, FORWARD, KERNEL, STRIDE
from .sketches import Sketch

SIDES = {"w": (2, 3), "h": (0, 1), "d": (7, 8)}
"""The ids of what Padding puts before and after along each axis."""

POOL_KERNEL = {"w": 1, "h": 11, "d": 21}
POOL_STRIDE = {"w": 2, "h": 12, "d": 22}
POOL_BEFORE = {"w": 3, "h": 13, "d": 23}
POOL_AFTER = {"w": 14, "h": 15, "d": 16}
POOLINGS = {"Pooling1D": "w", "Pooling": "hw", "Pooling3D": "dhw"}
CONVOLUTIONS = {kind: axes for kind, axes in FORWARD.items() if "Deformable" not in kind}
WINDOWS = CONVOLUTIONS | {"Unfold": "hw"}

MISSES = ("", "", "", "", "value", "type", "channels", "reader", "features", "same")
"""What keeps a convolution from doing it."""


@dataclass(frozen=True)
class Padded:
    """A model with a Padding before another layer."""

    sketch: Sketch
    fuses: bool


@st.composite
def padded(draw: st.DrawFn, kind: str) -> Padded:
    """A Padding before a convolution or pooling."""
    axes = (WINDOWS | POOLINGS)[kind]
    pooling = kind in POOLINGS
    sketch = Sketch(draw(st.integers(0, 999)))
    channels = draw(st.sampled_from([2, 4, 8]))
    shape = (channels, *(draw(st.integers(4, 7)) for _ in axes))
    declared = draw(st.booleans())
    x = sketch.input(shape, declared)
    miss = draw(st.sampled_from(MISSES))
    positive = draw(st.booleans())
    if positive:
        x = sketch.layer("ReLU", x)
    amounts: dict[str, tuple[int, int]] = {
        axis: (draw(st.integers(0, 2)), draw(st.integers(0, 2))) for axis in axes
    }
    if not any(sum(both) for both in amounts.values()):
        amounts["w"] = (0, 1)
    value = draw(st.sampled_from([0.0, 0.0, 0.0, -1.5, -3.4028235e38 if pooling else 0.75]))
    params = dict[int, Number]()
    for axis, both in amounts.items():
        params |= dict(zip(SIDES[axis], both, strict=True))
    if miss == "channels" and len(axes) == 2:
        params[7] = 4
        shape = (channels + 4, *shape[1:])
    params[4] = 1 if miss == "type" else 0
    params[5] = value
    spoilt = miss == "type" or (miss == "channels" and len(axes) == 2)
    padding = sketch.layer("Padding", x, params)
    if miss == "reader":
        spoilt = True
        sketch.layer("AbsVal", padding)
    last: dict[int, Number] = {31: 1} if miss == "features" else {}
    spoilt = spoilt or miss == "features"
    if pooling:
        fuses = draw(pooled(axes, last, amounts, value, positive))
        sketch.layer(kind, padding, last)
    else:
        own = draw(st.booleans())
        fuses = draw(convolved(kind, axes, shape, last, own, value, miss, declared))
        weights = last.pop(-1), last.pop(-2)
        if kind == "Unfold":
            sketch.layer(kind, padding, {id: n for id, n in last.items() if id not in (0, 5, 6)})
        else:
            sketch.layer(kind, padding, last, lambda net: weigh(net, *weights))
    return Padded(sketch, fuses and not spoilt)


def weigh(net: Net, count: Number, outputs: Number) -> None:
    """Weight and bias of a convolution."""
    net.tagged(net.normal(int(count)))
    net.plain(net.normal(int(outputs)))


@st.composite
def convolved(
    draw: st.DrawFn,
    kind: str,
    axes: str,
    shape: Shape,
    params: dict[int, Number],
    own: bool,
    value: float,
    miss: str,
    declared: bool,
) -> bool:
    """Fills in the parameters of a convolution; returns whether it can pad by itself."""
    outputs = shape[0] if "DepthWise" in kind else draw(st.sampled_from([1, 4, 5]))
    inputs = 1 if "DepthWise" in kind else shape[0]
    kernels = [draw(st.integers(1, 3)) for _ in axes]
    for axis, kernel in zip(axes, kernels, strict=True):
        params |= {KERNEL[axis]: kernel, DILATION[axis]: 1, STRIDE[axis]: draw(st.integers(1, 2))}
        params |= {BEFORE[axis]: draw(st.integers(0, 2)) if own else 0}
        params |= {AFTER[axis]: draw(st.integers(0, 2)) if own else 0}
    if "DepthWise" in kind:
        params[7] = shape[0]
    params |= {0: outputs, 5: 1, 6: outputs * inputs * prod(kernels)}
    params |= {-1: outputs * inputs * prod(kernels), -2: outputs}
    pads = any(params[ids[axis]] for ids in (BEFORE, AFTER) for axis in axes)
    # A vector may be an input of a 1x1 convolution too: then there is nothing to pad.
    fuses = declared or kind != "Convolution" or prod(kernels) > 1
    if miss == "value":
        params[18] = 2.5
        fuses = fuses and not pads
    elif value or draw(st.booleans()):
        params[18] = value
    if miss == "same" and all(kernel > 1 for kernel in kernels):
        params |= {ids[axis]: -233 for ids in (BEFORE, AFTER) for axis in axes}
        fuses = False
    return fuses


@st.composite
def pooled(
    draw: st.DrawFn,
    axes: str,
    params: dict[int, Number],
    amounts: Mapping[str, tuple[int, int]],
    value: float,
    positive: bool,
) -> bool:
    """Fills in the parameters of a pooling; returns whether it can pad by itself."""
    mean, mode = draw(st.integers(0, 1)), draw(st.sampled_from([0, 1, 1, 2]))
    counts = draw(st.integers(0, 1))
    own = draw(st.booleans())
    params |= {0: mean, 5: mode, 6: counts}
    sees = True
    for axis in axes:
        kernel, stride = draw(st.integers(2, 3)), draw(st.integers(1, 2))
        # A window on nothing but pads of its own is a mean of no element.
        pads = [draw(st.integers(0, 1)) if own else 0 for _ in range(2)]
        params |= {POOL_KERNEL[axis]: kernel, POOL_STRIDE[axis]: stride}
        params |= {POOL_BEFORE[axis]: pads[0], POOL_AFTER[axis]: pads[1]}
        before, after = (a + b for a, b in zip(pads, amounts[axis], strict=True))
        tail = stride - 1 if mode == 0 else 0
        sees = sees and before < kernel and after + tail < kernel
    if mode == 2:
        return False
    if mean:
        pads = any(params[ids[axis]] for ids in (POOL_BEFORE, POOL_AFTER) for axis in axes)
        return value == 0 and bool(counts or (mode == 1 and not pads))
    return value < -1e38 or (value <= 0 and positive and sees)
