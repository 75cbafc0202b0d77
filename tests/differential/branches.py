"""Drawing chains of scales, shifts and activations, one or two that are joined."""

from dataclasses import dataclass

from hypothesis import strategies as st

from .followers import ACTIVATION, DIV, MUL, OTHER, UNIFORM, Follower, chains
from .nets import PLAIN, Dress, Net, Shape

CURVE = Follower("AbsVal", OTHER, {})
FACTOR = (CURVE, Follower("BinaryOp", UNIFORM, {0: MUL, 1: 1, 2: -1.5}))
QUOTIENT = (CURVE, Follower("BinaryOp", UNIFORM, {0: DIV, 1: 1, 2: 0.7}))
"""What may make a term of a weighted sum."""

BOUNDS = (
    Follower("ReLU", ACTIVATION, {}),
    Follower("ReLU", ACTIVATION, {0: 0.125}),
    Follower("Clip", ACTIVATION, {0: -0.5, 1: 0.75}),
)
"""Of these two in a row may be one."""


@dataclass(frozen=True)
class Branches:
    """One chain of layers, or two from the same blob that a BinaryOp joins; before them a
    convolution, whose channels are certain, or only an input."""

    shape: Shape
    declared: bool
    certain: bool
    chains: tuple[tuple[Follower, ...], ...]
    op: int
    shared: tuple[int, int] | None
    """The value in this chain after so many layers is an output as well."""
    seed: int

    def build(self, dress: Dress = PLAIN) -> Net:
        """The model as files."""
        net = Net(self.seed, dress)
        x = net.input("in0", self.shape, self.declared)
        if self.certain:
            channels = self.shape[0]
            net.tagged(net.normal(channels, channels, 1, 1))
            params = {0: channels, 1: 1, 6: channels**2, 9: 5}
            x = net.layer("Convolution", x, "certain", params)
        starts = [x]
        if len(self.chains) == 2:
            starts = ["start0", "start1"]
            net.layer("Split", x, starts)
        ends = [self._chain(net, i, start) for i, start in enumerate(starts)]
        if len(ends) == 2:
            net.layer("BinaryOp", ends, "out", {0: self.op})
        return net

    def _chain(self, net: Net, number: int, x: str) -> str:
        for i, follower in enumerate(self.chains[number]):
            x = follower.add_to(net, x, f"c{number}_{i}")
            if self.shared == (number, i):
                net.layer("Split", x, ["split_a", "split_b"])
                x = "split_a"
        return x


@st.composite
def branches(draw: st.DrawFn) -> Branches:
    """A model of one or two chains of up to four layers."""
    shape = tuple(draw(st.sampled_from([1, 2, 3, 4])) for _ in range(draw(st.integers(1, 4))))
    two = draw(st.integers(0, 2)) == 0
    drawn = [draw(chains(shape, 2 if two else 4)) for _ in range(1 + two)]
    if two:
        # Not the same for both: the difference would be nothing but rounding.
        ends = zip(drawn, (FACTOR, QUOTIENT), strict=True)
        drawn = [(*chain, *draw(st.sampled_from([(), term]))) for chain, term in ends]
    elif draw(st.integers(0, 4)) == 0:
        drawn = [(*drawn[0], *draw(st.tuples(*(st.sampled_from(BOUNDS),) * 2)))]
    shared = None
    if draw(st.integers(0, 3)) == 0:
        number = draw(st.integers(0, len(drawn) - 1))
        shared = number, draw(st.integers(0, 3))
    return Branches(
        shape,
        draw(st.booleans()),
        len(shape) == 3 and draw(st.booleans()),
        tuple(drawn),
        draw(st.sampled_from([0, 1, 2, 7])),
        shared,
        draw(st.integers(0, 999)),
    )
