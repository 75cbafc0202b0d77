"""Drawing models of layers that move elements, reshape, cut and join, and of those that do nothing:
what eliminations see, and what comes close to it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import prod

from hypothesis import strategies as st

from ..nets import PLAIN, Dress, Net
from ..sketches import Sketch
from . import activations, nothing, order, pairs, shapes, sums
from .model import Moves, Value

STEPS: Mapping[str, Callable[[Moves, Value], Value]] = {
    step.__name__: step
    for step in (
        shapes.reshape, shapes.flatten, shapes.squeeze, shapes.expand_dims,
        order.permute, order.permute_back, order.cut_and_join, order.join_and_cut, order.nest,
        order.crops, nothing.no_op, nothing.left_over, nothing.with_weights,
        activations.element_wise, sums.reduction, sums.reductions, sums.global_pooling,
        sums.inner_product, sums.pointwise, pairs.gate, pairs.negated, pairs.twice,
    )
}  # fmt: skip

MOST = 400
"""Elements of a blob, so that models stay small."""


@dataclass(frozen=True)
class Drawn:
    """A model, and how it came about."""

    sketch: Sketch
    steps: tuple[str, ...]

    def build(self, dress: Dress = PLAIN) -> Net:
        """The model as files."""
        return self.sketch.build(dress)


@st.composite
def drawn(draw: st.DrawFn, steps: Sequence[str] = tuple(STEPS), rank: int | None = None) -> Drawn:
    """A model of one input (of so many dims) and some steps. Of its extents the file says nothing,
    or those that it has, or others: the runtime takes what comes."""
    extents = st.sampled_from([1, 2, 3, 4, 5, 8])
    shape = tuple(draw(st.lists(extents, min_size=rank or 1, max_size=rank or 4)))
    while prod(shape) > MOST:
        shape = shape[1:]
    others = tuple(draw(st.sampled_from([n, n, 1, 2, 4])) for n in shape)
    declared = draw(st.sampled_from([False, shape, shape, others]))
    moves = Moves(draw)
    x = moves.input(shape, declared)
    done: list[str] = []
    for _ in range(draw(st.integers(1, 4))):
        name = draw(st.sampled_from(steps))
        y = STEPS[name](moves, x)
        done.append(name)
        if prod(y.shape) > MOST:
            break
        if draw(st.integers(0, 5)) == 0 and y is not x:
            moves.sketch.also_outputs.append(y.name)
        x = y
    moves.sketch.seed = draw(st.integers(0, 999))
    return Drawn(moves.sketch, tuple(done))
