"""Drawing models of anything: steps that move elements, scales and shifts, activations, windows,
normalizations, and layers that are spelled out, each on what the one before it gives."""

from collections.abc import Callable, Mapping
from math import prod

from hypothesis import strategies as st

from .followers import followers
from .moving import MOST, STEPS
from .moving.model import Moves, Value
from .nets import Net, Number, Shape
from .sketches import Sketch
from .spelled import KINDS
from .spellings import Speller

Step = Callable[[Moves, Value], Value]


def follower(m: Moves, x: Value) -> Value:
    """What may come after a linear layer."""
    layer, shape = m.draw(followers(x.shape, first=False))
    reads = [x]
    if layer.constant is not None:
        constant = m.constant(m.values(layer.constant) ** 2 + 0.5)
        reads.insert(0 if layer.constant_first else 1, constant)
    return m.add(layer.kind, reads, shape, layer.params, layer.add_weights, exact=False)


def softmax(m: Moves, x: Value) -> Value:
    """A Softmax along any axis."""
    rank = len(x.shape)
    axis = m.draw(st.integers(-rank, rank - 1))
    return m.add("Softmax", x, x.shape, {0: axis, 1: 1}, exact=False)


def normalization(m: Moves, x: Value) -> Value:
    """A layer that normalizes, with or without weights."""
    rank, channels = len(x.shape), x.shape[0]
    affine = m.draw(st.booleans())
    kind = m.draw(st.sampled_from(["LayerNorm", "RMSNorm", "InstanceNorm", "GroupNorm"]))
    dims = m.draw(st.integers(1, max(1, rank - 1)))
    count = prod(x.shape[-dims:]) if kind in ("LayerNorm", "RMSNorm") else channels
    params: dict[int, Number] = {0: count, 1: 1e-3, 2: int(affine)}
    if kind == "InstanceNorm" and rank < 3:
        return x
    if kind == "GroupNorm":
        group = m.draw(st.sampled_from([n for n in (1, 2, 4) if channels % n == 0]))
        params = {0: group, 1: channels, 2: 1e-3, 3: int(affine)}

    def weigh(net: Net) -> None:
        for _ in range(affine * (1 if kind == "RMSNorm" else 2)):
            net.plain(net.positive(count))

    return m.add(kind, x, x.shape, params, weigh, exact=False)


def convolution(m: Moves, x: Value) -> Value:
    """A convolution that keeps the extents, of all channels or of each."""
    kind = {2: "Convolution1D", 3: "Convolution", 4: "Convolution3D"}.get(len(x.shape))
    if kind is None:
        return x
    inputs = x.shape[0]
    outputs, kernel = m.draw(st.sampled_from([1, 4, 5])), m.draw(st.sampled_from([1, 3]))
    params: dict[int, Number] = {
        1: kernel,
        4: kernel // 2,
        5: 1,
        9: m.draw(st.sampled_from([0, 1])),
    }
    weight = (outputs, inputs, *(kernel,) * (len(x.shape) - 1))
    if m.draw(st.booleans()):
        kind, outputs = kind.replace("Convolution", "ConvolutionDepthWise"), inputs
        weight, params[7] = (outputs, 1, *weight[2:]), inputs
    params |= {0: outputs, 6: prod(weight)}

    def weigh(net: Net) -> None:
        net.tagged(net.normal(*weight, scale=prod(weight[1:]) ** -0.5))
        net.plain(net.normal(outputs))

    return m.add(kind, x, (outputs, *x.shape[1:]), params, weigh, exact=False)


def spelled_layer(m: Moves, x: Value) -> Value:
    """A layer that others spell out."""
    kind = KINDS[m.draw(st.sampled_from(list(KINDS)))]
    speller = Speller(m.draw, m.sketch, x.shape, source=x.name)
    return Value(kind.spell(speller), x.shape, exact=False)


MIXED: Mapping[str, Step] = {
    **STEPS,
    **{
        step.__name__: step
        for step in (follower, softmax, normalization, convolution, spelled_layer)
    },
}

OFTEN = ("follower", "follower", "spelled_layer", "squeeze", "inner_product", "convolution")
"""Steps that come more often than others."""


@st.composite
def mixed(draw: st.DrawFn) -> Sketch:
    """A model of one input and some steps."""
    extents = st.sampled_from([1, 2, 3, 4, 4, 5, 8])
    shape: Shape = tuple(draw(st.lists(extents, min_size=1, max_size=4)))
    while prod(shape) > MOST:
        shape = shape[1:]
    m = Moves(draw, Sketch(draw(st.integers(0, 999))))
    x = m.input(shape, draw(st.sampled_from([False, True, True])))
    for _ in range(draw(st.integers(2, 6))):
        y = MIXED[draw(st.sampled_from([*MIXED, *OFTEN]))](m, x)
        if draw(st.integers(0, 7)) == 0 and y is not x:
            m.sketch.also_outputs.append(y.name)
        x = y
        if prod(y.shape) > MOST:
            break
    return m.sketch
