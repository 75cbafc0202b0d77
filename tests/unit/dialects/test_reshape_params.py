"""What a Reshape must say to make one blob of another: against NumPy, for any extents that are not
known."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from ncnn_opt.dialects.ncnn.extents import AXES, by_axis, reshape_params, reshaped
from ncnn_opt.dialects.shapes.terms import Extents, symbol

Shape = tuple[int, ...]


def reshape(wanted: Sequence[int], source: Shape) -> Shape:
    """The shape that a Reshape makes: 0 is the extent of the same axis, -1 what is left."""
    own = dict(zip(AXES[len(source)], source, strict=True))
    extents = [n or own.get(axis, 1) for axis, n in zip(AXES[len(wanted)], wanted, strict=True)]
    return np.zeros(source).reshape(extents).shape


def hidden(draw: st.DrawFn, shape: Shape) -> Extents:
    """A shape of which some extents are not known."""
    return tuple(n if draw(st.booleans()) else symbol(i) for i, n in enumerate(shape))


@dataclass(frozen=True)
class Chain:
    """A source, and what Reshapes one after the other say."""

    source: Shape
    known: Extents
    steps: tuple[tuple[int, ...], ...]


@st.composite
def chains(draw: st.DrawFn) -> Chain:
    shape = source = tuple(
        draw(st.lists(st.sampled_from([1, 1, 2, 3, 4, 6]), min_size=1, max_size=4))
    )
    steps: list[tuple[int, ...]] = []
    for _ in range(draw(st.integers(1, 3))):
        left, wanted = prod(shape), list[int]()
        for _ in range(draw(st.integers(0, 3))):
            wanted.append(draw(st.sampled_from([n for n in range(1, left + 1) if not left % n])))
            left //= wanted[-1]
        out = (*wanted, left)
        own = dict(zip(AXES[len(shape)], shape, strict=True))
        said: list[int] = []
        for axis, n in zip(AXES[len(out)], out, strict=True):
            options = [n, *([0] * 2 if own.get(axis, 1) == n else ())]
            options += [] if -1 in said else [-1]
            said.append(draw(st.sampled_from(options)))
        assert reshape(said, shape) == out
        steps.append(tuple(said))
        shape = out
    return Chain(source, hidden(draw, source), tuple(steps))


@settings(derandomize=True, database=None, deadline=None, max_examples=800)
@given(chains())
def test_chain_of_reshapes_is_one(chain: Chain) -> None:
    shape, extents = chain.source, chain.known
    for said in chain.steps:
        shape = reshape(said, shape)
        extents = reshaped(said, by_axis(extents), prod(extents))
        assert all(m == n for m, n in zip(extents, shape, strict=True) if isinstance(m, int))
    params = reshape_params(extents, chain.known)
    if params is not None:
        wanted = [params[axis] for axis in AXES[len(shape)]]
        assert reshape(wanted, chain.source) == shape


def test_what_no_reshape_says() -> None:
    c, h, w = map(symbol, "chw")
    assert reshape_params((h, w, 1), (h, w)) is None
    assert reshape_params((h * w, c), (c, h, w)) is None
    assert reshape_params((c, h), None) is None
    assert reshape_params((c, 4), None) == {"h": -1, "w": 4}


def test_packed_channels_are_not_copied_from_four_dims_to_three() -> None:
    c, d, h, w = map(symbol, "cdhw")
    assert reshape_params((c, 4, w), (c, h, w)) == {"c": 0, "h": 4, "w": 0}
    assert reshape_params((c, 4, w), (c, d, h, w)) == {"c": -1, "h": 4, "w": 0}
    assert reshape_params((c, 1, 4, w), (c, d, h, w)) == {"c": 0, "d": 1, "h": 4, "w": 0}
