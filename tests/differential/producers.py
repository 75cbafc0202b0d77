"""Drawing linear layers of all kinds, with everything that can vary in them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import prod

from hypothesis import strategies as st

from .nets import Net, Number, Shape

FORWARD: dict[str, str] = {
    "Convolution": "hw",
    "ConvolutionDepthWise": "hw",
    "Convolution1D": "w",
    "ConvolutionDepthWise1D": "w",
    "Convolution3D": "dhw",
    "ConvolutionDepthWise3D": "dhw",
    "DeformableConv2D": "hw",
}
TRANSPOSED: dict[str, str] = {
    "Deconvolution": "hw",
    "DeconvolutionDepthWise": "hw",
    "Deconvolution1D": "w",
    "DeconvolutionDepthWise1D": "w",
    "Deconvolution3D": "dhw",
    "DeconvolutionDepthWise3D": "dhw",
}
"""The axes along which each kind slides its window."""

INNER_PRODUCTS = ("vector", "rows", "matrix", "volume")
"""What an InnerProduct may be given: `rows` have as many columns as it has inputs."""

KERNEL = {"w": 1, "h": 11, "d": 21}
DILATION = {"w": 2, "h": 12, "d": 22}
STRIDE = {"w": 3, "h": 13, "d": 23}
BEFORE = {"w": 4, "h": 14, "d": 24}
AFTER = {"w": 15, "h": 16, "d": 17}
OUTPUT_PAD = {"w": 18, "h": 19, "d": 20}
OUTPUT = {"w": {"w": 20}, "hw": {"w": 20, "h": 21}, "dhw": {"w": 25, "h": 26, "d": 27}}
"""The ids of what a window has along each axis."""

ACTIVATIONS: Mapping[int, tuple[float, ...]] = {
    0: (), 1: (), 2: (0.25,), 3: (-0.5, 0.75), 4: (), 5: (), 6: (0.2, 0.5),
}  # fmt: skip
"""Parameters for each `activation_type`."""

QUANTIZED = ("Convolution", "ConvolutionDepthWise", "InnerProduct")
"""Kinds that may compute with int8."""

WEIGHT_SCALE, INPUT_SCALE = 50, 30
"""Of int8, about."""

Lead = Callable[[Net, str], str]
"""Layers before a linear layer: appends them to what a blob is; returns their blob."""


@dataclass(frozen=True)
class Producer:
    """A linear layer with its inputs."""

    kind: str
    params: Mapping[int, Number]
    inputs: tuple[Shape, ...]
    declared: bool
    """Whether the file says the extents of the inputs."""
    weight: Shape
    bias: bool
    storage: str
    activation: int
    output: Shape
    int8: int = 0
    """Its `int8_scale_term`; 0: it computes with floats."""

    def quantized(self, term: int) -> "Producer":
        """The same layer with int8, unless the term is 0."""
        if not term:
            return self
        storage = "int8" if self.storage in ("scaled", "table") else "float"
        return replace(self, int8=term, storage=storage)

    @property
    def channels(self) -> int:
        """Output channels, or features."""
        return self.weight[0]

    @property
    def outermost_are_channels(self) -> bool:
        """Whether the file tells that the output's outermost axis is that of the channels. Rows
        of an InnerProduct are another axis, and it may give such rows."""
        return self.kind != "InnerProduct" or self.rank_is_known

    @property
    def innermost_are_channels(self) -> bool:
        """Whether the file tells that the output has its channels along w."""
        return self.kind == "InnerProduct" and self.declared

    @property
    def is_linear(self) -> bool:
        """Whether a scale and a shift fit in."""
        return self.activation == 0 and not self.int8

    @property
    def has_place_for_activation(self) -> bool:
        """Whether an activation does."""
        return self.activation == 0

    def gains_by(self, activation: str) -> bool:
        """Whether it is certain that the runtime computes an activation no more slowly in this
        layer than by itself."""
        if activation not in ("Sigmoid", "Mish", "HardSwish"):
            return True
        if self.kind in ("Convolution", "Deconvolution"):
            return True
        if self.kind == "InnerProduct":
            return len(self.output) == 1
        together = activation == "Sigmoid" and self.channels % 4 == 0
        return self.kind == "Convolution1D" and (activation == "HardSwish" or together)

    @property
    def rank_is_known(self) -> bool:
        """Whether the file tells how many dims the output has. An InnerProduct of a blob of 2 dims
        gives rows or not, by their extents, which may be others than the file says; a 1x1
        Convolution takes a 1-D blob as an InnerProduct does."""
        if self.kind == "InnerProduct":
            return self.declared and len(self.inputs[0]) != 2
        pointwise = self.kind.startswith("Convolution") and prod(self.weight[2:]) == 1
        return self.declared or not (pointwise and len(self.weight) == 4)

    def add_to(self, net: Net, lead: Lead = lambda net, x: x) -> str:
        """Appends the layer and its inputs, and what leads to it; returns its blob."""
        names = [net.input(f"in{i}", s, self.declared) for i, s in enumerate(self.inputs)]
        names[0] = lead(net, names[0])
        fan_in = prod(self.weight[1:])
        net.tagged(net.normal(*self.weight, scale=fan_in**-0.5), self.storage)
        if self.bias:
            net.plain(net.normal(self.channels))
        self._add_scales(net)
        params: dict[int, Number | tuple[float, ...]] = dict(self.params)
        params[1 if self.kind == "InnerProduct" else 5] = int(self.bias)
        params[2 if self.kind == "InnerProduct" else 6] = prod(self.weight)
        if self.activation:
            params[9] = self.activation
            if values := ACTIVATIONS[self.activation]:
                params[10] = values
        if self.int8:
            params[8] = self.int8
        return net.layer(self.kind, names, "linear", params)

    def _add_scales(self, net: Net) -> None:
        """What weights and inputs are multiplied by to become int8."""
        if not self.int8:
            return
        count = self.channels
        if "DepthWise" in self.kind:
            count = int(self.params[7]) if self.int8 == 1 else 1
        net.plain(net.positive(count) * WEIGHT_SCALE)
        net.plain(net.positive(1) * INPUT_SCALE)


@dataclass(frozen=True)
class Window:
    """A window along one axis."""

    kernel: int
    dilation: int
    stride: int
    before: int
    after: int
    extent: int
    """Of the input."""
    output_pad: int = 0

    @property
    def span(self) -> int:
        """How much of the input the kernel spans."""
        return self.dilation * (self.kernel - 1) + 1


@st.composite
def producers(draw: st.DrawFn, kind: str) -> Producer:
    """A layer of this kind."""
    if kind in INNER_PRODUCTS:
        return draw(inner_products(kind))
    axes = (FORWARD | TRANSPOSED)[kind]
    transposed = kind in TRANSPOSED
    group, inputs, channels = 1, 0, 0
    if "DepthWise" in kind:
        group = draw(st.sampled_from([2, 3, 4, 8]))
        inputs = group * draw(st.sampled_from([1, 1, 2]))
        channels = group * draw(st.sampled_from([1, 1, 2]))
    else:
        inputs = draw(st.sampled_from([1, 2, 3, 4, 8]))
        channels = draw(st.sampled_from([1, 2, 3, 4, 5, 8, 16]))

    padding = draw(st.sampled_from(["none", "one", "each", "upper", "lower"]))
    if kind == "DeformableConv2D" and padding in ("upper", "lower"):
        padding = "each"
    pointwise = draw(st.integers(0, 4)) == 0
    windows = {a: draw(one_window(padding, pointwise, transposed)) for a in reversed(axes)}
    if padding == "one":
        windows = {a: _with_pads(w, windows["w"].before) for a, w in windows.items()}

    params: dict[int, Number] = {0: channels}
    if "DepthWise" in kind:
        params[7] = group
    for axis, w in windows.items():
        params |= {KERNEL[axis]: w.kernel, DILATION[axis]: w.dilation, STRIDE[axis]: w.stride}
        if padding == "each":
            params |= {BEFORE[axis]: w.before, AFTER[axis]: w.after}
        if transposed:
            params[OUTPUT_PAD[axis]] = w.output_pad
    same = {"upper": -233, "lower": -234}.get(padding)
    if padding in ("one", "upper", "lower"):
        params[BEFORE["w"]] = windows["w"].before if same is None else same
    if not transposed and kind != "DeformableConv2D" and draw(st.booleans()):
        params[18] = 0.5  # what is padded with

    extents = {a: _output_extent(w, same is not None, transposed) for a, w in windows.items()}
    if transposed and same is not None and draw(st.booleans()):
        extents = {a: n - draw(st.integers(0, 1)) for a, n in extents.items()}
        params |= {OUTPUT[axes][a]: n for a, n in extents.items()}
    output = (channels, *(extents[a] for a in axes))
    data = (inputs, *(windows[a].extent for a in axes))
    taps = prod(windows[a].kernel for a in axes)
    shapes = [data]
    if kind == "DeformableConv2D":
        shapes.append((2 * taps, *output[1:]))
        if draw(st.booleans()):
            shapes.append((taps, *output[1:]))
    return Producer(
        kind,
        params,
        tuple(shapes),
        draw(st.integers(0, 3)) > 0,
        (channels, inputs // group, *(windows[a].kernel for a in axes)),
        draw(st.booleans()),
        draw(storages()),
        draw(activations()),
        output,
    ).quantized(draw(terms(kind)))


@st.composite
def one_window(draw: st.DrawFn, padding: str, pointwise: bool, transposed: bool) -> Window:
    """A window that fits into its input."""
    kernel = 1 if pointwise else draw(st.integers(1, 3))
    dilation = draw(st.sampled_from([1, 1, 2]))
    span = dilation * (kernel - 1) + 1
    # The runtime crashes where SAME padding comes out negative.
    strides = [1] if padding in ("upper", "lower") and span == 1 else [1, 1, 2]
    stride = draw(st.sampled_from(strides))
    most = 1 if transposed else 2
    before = draw(st.integers(0, most)) if padding in ("one", "each") else 0
    after = draw(st.integers(0, most)) if padding == "each" else before
    # What a transposed window pads away must not be all there is.
    extent = draw(st.integers(3, 6)) if transposed else span + draw(st.integers(1, 5))
    output_pad = draw(st.integers(0, stride - 1)) if transposed else 0
    return Window(kernel, dilation, stride, before, after, extent, output_pad)


@st.composite
def inner_products(draw: st.DrawFn, blob: str) -> Producer:
    """An InnerProduct on a blob of 1, 2, 2 or 3 dims."""
    shape: Shape = tuple(
        draw(st.integers(2, 5)) for _ in range({"vector": 1, "volume": 3}.get(blob, 2))
    )
    inputs = shape[-1] if blob == "rows" else prod(shape)
    # As many rows as features: nothing in the numbers tells one from the other.
    channels = draw(st.sampled_from([1, 2, 3, 4, 8, shape[0]]))
    return Producer(
        "InnerProduct",
        {0: channels},
        (shape,),
        draw(st.integers(0, 3)) > 0,
        (channels, inputs),
        draw(st.booleans()),
        draw(storages()),
        draw(activations()),
        (shape[0], channels) if blob == "rows" else (channels,),
    ).quantized(draw(terms("InnerProduct")))


def storages() -> st.SearchStrategy[str]:
    """How the weight is stored, mostly as float32."""
    return st.one_of(
        st.just("float"), st.just("float"), st.sampled_from(["half", "bfloat", "scaled", "table"])
    )


def terms(kind: str) -> st.SearchStrategy[int]:
    """An `int8_scale_term`, mostly 0."""
    if kind not in QUANTIZED:
        return st.just(0)
    return st.sampled_from([0] * 8 + [1, 2 if "DepthWise" in kind else 1])


def activations() -> st.SearchStrategy[int]:
    """An `activation_type`, mostly 0."""
    return st.one_of(st.just(0), st.just(0), st.just(0), st.sampled_from([*ACTIVATIONS]))


def _with_pads(window: Window, pad: int) -> Window:
    return Window(
        window.kernel, window.dilation, window.stride, pad, pad, window.extent, window.output_pad
    )


def _output_extent(w: Window, same: bool, transposed: bool) -> int:
    if transposed:
        return (
            (w.extent - 1) * w.stride + w.span + w.output_pad - (0 if same else w.before + w.after)
        )
    if same:
        return -(-w.extent // w.stride)
    return (w.extent + w.before + w.after - w.span) // w.stride + 1
