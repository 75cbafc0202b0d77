"""Forms of reshapes against NumPy: what they say is the shape that comes out, for any source."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ncnn_opt.dialects.ncnn.extents import AXES
from ncnn_opt.dialects.ncnn.forms import (
    REST,
    Form,
    as_params,
    composed,
    own_form,
    resolved,
    stated,
)
from xdsl.dialects.builtin import DYNAMIC_INDEX

Shape = tuple[int, ...]


def shape_of(form: Form, source: Shape) -> Shape:
    """The shape that a form says for a source."""
    own = dict(zip(AXES[len(source)], source, strict=True))
    extents = [own.get(n, 1) if isinstance(n, str) else n for n in form if n != REST]
    rest = prod(source) // prod(extents)
    sizes = iter(extents)
    return tuple(rest if n == REST else next(sizes) for n in form)


def reshape(wanted: Sequence[int], source: Shape) -> Shape:
    """The shape that a Reshape makes: 0 is the extent of the same axis, -1 what is left."""
    own = dict(zip(AXES[len(source)], source, strict=True))
    extents = [n or own.get(axis, 1) for axis, n in zip(AXES[len(wanted)], wanted, strict=True)]
    return np.zeros(source).reshape(extents).shape


def hidden(draw: st.DrawFn, shape: Shape) -> Shape:
    """A shape of which some extents are not known."""
    return tuple(n if draw(st.booleans()) else DYNAMIC_INDEX for n in shape)


@dataclass(frozen=True)
class Chain:
    """A source, and what Reshapes one after the other say."""

    source: Shape
    known: Shape
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


@settings(derandomize=True, database=None, deadline=None, max_examples=500)
@given(chains())
def test_chain_of_reshapes_is_one_form(chain: Chain) -> None:
    shape, form = chain.source, own_form(chain.known)
    assert shape_of(form, chain.source) == chain.source
    for said in chain.steps:
        shape = reshape(said, shape)
        step = stated(said)
        assert step is not None
        found = composed(step, form)
        if found is None:
            return
        form = resolved(found, chain.known)
        assert shape_of(found, chain.source) == shape_of(form, chain.source) == shape
        assert form.count(REST) < 2
    params = as_params(form, len(chain.source))
    if params is not None:
        assert reshape([params[axis] for axis in AXES[len(form)]], chain.source) == shape


@pytest.mark.parametrize(
    ("form", "source", "known"),
    [
        ((REST,), (5,), (5,)),
        ((REST, 1, 1), (DYNAMIC_INDEX,), ("w", 1, 1)),
        (("c", REST, "w"), (DYNAMIC_INDEX,) * 3, ("c", "h", "w")),
        (("c", REST, 4), (DYNAMIC_INDEX, DYNAMIC_INDEX, 4), ("c", "h", 4)),
        ((REST, 8), (4, 6), (3, 8)),
        ((REST, 8), (DYNAMIC_INDEX, 4), (REST, 8)),
        ((REST, "w"), (DYNAMIC_INDEX,) * 3, (REST, "w")),
        (("d", "w"), (2, 3), (1, 3)),
    ],
)
def test_what_is_left_is_said_where_it_follows(form: Form, source: Shape, known: Form) -> None:
    assert resolved(form, source) == known


def test_what_no_reshape_says() -> None:
    assert stated((2, -2)) is None
    assert stated((-1, -1)) is None
    assert stated(()) is None
    assert composed((REST, "h", "w"), (REST, "w")) is None
    assert as_params(("h", "w", 1), 2) is None


def test_packed_channels_are_not_copied_from_four_dims_to_three() -> None:
    assert as_params(("c", 4, "w"), 3) == {"c": 0, "h": 4, "w": 0}
    assert as_params(("c", 4, "w"), 4) == {"c": -1, "h": 4, "w": 0}
    assert as_params(("c", 4, "w"), None) == {"c": -1, "h": 4, "w": 0}
    assert as_params(("c", 1, 4, "w"), 4) == {"c": 0, "d": 1, "h": 4, "w": 0}
