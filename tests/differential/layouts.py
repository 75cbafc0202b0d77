"""Drawing chains of Reshape and Permute: those that a layer stands for, and any."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod

from hypothesis import strategies as st
from ncnn_opt.dialects.ncnn.extents import ORDERS, permutation

from .nets import PLAIN, Dress, Net, Shape, extents
from .sketches import Sketch


@dataclass(frozen=True)
class Permuted:
    """A Permute."""

    order: tuple[int, ...]

    def order_type(self) -> int:
        """The parameter."""
        types = range(len(ORDERS[len(self.order)]))
        return next(i for i in types if permutation(i, len(self.order)) == self.order)


Step = Shape | Permuted
"""A Reshape to these extents, or a Permute."""


@dataclass(frozen=True)
class Chain:
    """A chain of Reshapes and Permutes."""

    shape: Shape
    steps: Sequence[Step]

    def add_to(self, sketch: Sketch, x: str) -> list[str]:
        """Appends the layers; returns their blobs."""
        blobs: list[str] = []
        for step in self.steps:
            if isinstance(step, Permuted):
                x = sketch.layer("Permute", x, {0: step.order_type()})
            else:
                x = sketch.layer("Reshape", x, extents(step))
            blobs.append(x)
        return blobs


def permute(*order: int) -> Step:
    return Permuted(order)


def shuffle_4d(g: int, n: int, h: int, w: int) -> Chain:
    return Chain((g * n, h, w), [(g, n, h, w), permute(1, 0, 2, 3), (g * n, h, w)])


def shuffle_3d(g: int, n: int, h: int, w: int) -> Chain:
    return Chain((g * n, h, w), [(g, n, h * w), permute(1, 0, 2), (g * n, h, w)])


def shuffle_matrix(g: int, n: int, h: int, w: int) -> Chain:
    # (Rows of the matrix are whole channels.)
    return Chain((g * n, h, w), [(g, n, h * w), permute(1, 0, 2), (n * g * h, w), (g * n, h, w)])


def pixels_of_one(r: int, n: int, h: int, w: int) -> Chain:
    return Chain((r * r, h, w), [(r, r, h, w), permute(2, 0, 3, 1), (1, h * r, w * r)])


def pixels(r: int, n: int, h: int, w: int) -> Chain:
    return Chain(
        (n * r * r, h, w),
        [
            (n * r, r, h, w), permute(0, 2, 3, 1), (n, r, h, w * r), permute(0, 2, 1, 3),
            (n, h * r, w * r),
        ],
    )  # fmt: skip


def pixels_by_position(r: int, n: int, h: int, w: int) -> Chain:
    return Chain((n * r * r, h, w), [(r, r, n * h, w), permute(2, 0, 3, 1), (n, h * r, w * r)])


def reorg_of_one(s: int, n: int, h: int, w: int) -> Chain:
    return Chain((1, h * s, w * s), [(h, s, w, s), permute(1, 3, 0, 2), (s * s, h, w)])


def reorg(s: int, n: int, h: int, w: int) -> Chain:
    return Chain(
        (n, h * s, w * s),
        [
            (n, h, s, w * s), permute(0, 2, 1, 3), (n * s, h, w, s), permute(0, 3, 1, 2),
            (n * s * s, h, w),
        ],
    )  # fmt: skip


def reorg_by_position(s: int, n: int, h: int, w: int) -> Chain:
    return Chain((n, h * s, w * s), [(n * h, s, w, s), permute(1, 3, 0, 2), (n * s * s, h, w)])


Spell = Callable[[int, int, int, int], Chain]
"""A chain for a factor, channels, rows and columns."""

SPELLINGS: dict[Spell, str] = {
    shuffle_4d: "ShuffleChannel",
    shuffle_3d: "ShuffleChannel",
    shuffle_matrix: "ShuffleChannel",
    pixels_of_one: "PixelShuffle",
    pixels: "PixelShuffle",
    pixels_by_position: "PixelShuffle",
    reorg_of_one: "Reorg",
    reorg: "Reorg",
    reorg_by_position: "Reorg",
}


@dataclass(frozen=True)
class Framed:
    """A chain in a model."""

    chain: Chain
    convolved: bool
    """Whether a convolution tells the channels."""
    declared: bool
    """Whether the file tells the extents of the input."""
    shared: int | None
    """The layer of the chain whose blob has another reader."""

    def build(self, dress: Dress = PLAIN) -> Net:
        """The model as files."""
        sketch = Sketch(seed=len(self.chain.steps))
        channels, *inner = self.chain.shape
        x = sketch.input((2, *inner) if self.convolved else self.chain.shape, self.declared)
        if self.convolved:
            x = sketch.layer(
                "Convolution",
                x,
                {0: channels, 1: 1, 6: channels * 2},
                lambda net: net.tagged(net.normal(channels, 2, 1, 1)),
            )
        blobs = self.chain.add_to(sketch, x)
        if self.shared is not None:
            sketch.layer("AbsVal", blobs[self.shared])
        return sketch.build(dress)


def framed(chain: Chain) -> st.SearchStrategy[Framed]:
    """A chain in a model, mostly without other readers."""
    inner = st.integers(0, len(chain.steps) - 2)
    shared = st.one_of(st.none(), st.none(), inner)
    return st.builds(Framed, st.just(chain), st.booleans(), st.booleans(), shared)


@st.composite
def chains(draw: st.DrawFn) -> Chain:
    """A chain of anything: extents are products of some small factors, joined anew each time."""
    factors = draw(st.lists(st.sampled_from((2, 2, 2, 3)), min_size=3, max_size=5))
    shape = draw(groupings(factors, 3))
    steps: list[Step] = []
    current: Shape = shape
    for i in range(draw(st.sampled_from((2, 3, 4, 5)))):
        if i % 2 == 0:
            if prod(current) == 1:
                break
            current = draw(groupings(factors, draw(st.sampled_from((3, 4, 4)))))
            steps.append(current)
        else:
            order = draw(st.permutations(range(len(current))))
            steps.append(Permuted(tuple(order)))
            current = tuple(current[i] for i in order)
            factors = draw(st.permutations(factors))
    return Chain(shape, steps)


@st.composite
def groupings(draw: st.DrawFn, factors: Sequence[int], rank: int) -> Shape:
    """So many extents that have the product of the factors."""
    extents = [1] * rank
    for factor in factors:
        extents[draw(st.integers(0, rank - 1))] *= factor
    return tuple(extents)
