"""What may stand between an input of a net and those who read it: layers after which less is known
than the types say. Details are drawn from the net's own random numbers."""

from collections.abc import Mapping
from dataclasses import replace
from math import prod

import numpy as np
from hypothesis import strategies as st

from .nets import PLAIN, Array, Dress, Front, Net, Params, Shape, Values

Rng = np.random.Generator

SQUEEZED = {1: (0,), 2: (1, 0), 3: (2, 1, 0), 4: (2, 11, 1, 0)}
"""The ids of Squeeze's switches, outermost first, by the dims of its input."""

MEAN = 3
"""Reduction's `operation`."""


def squeeze(net: Net, name: str, shape: Shape, declared: bool, scale: float) -> str:
    """Axes of 1 that a Squeeze takes away; perhaps it would take others, too, if they were 1."""
    if len(shape) == 4:
        return net.bare_input(name, shape, declared, scale)
    rank = len(shape) + int(net.rng.integers(1, 5 - len(shape)))
    gone = {int(i) for i in net.rng.permutation(rank)[: rank - len(shape)]}
    rest = iter(shape)
    wide = tuple(1 if i in gone else next(rest) for i in range(rank))
    asked = sorted(gone | {i for i in range(rank) if net.rng.integers(3) == 0})
    by_axis = bool(net.rng.integers(2))
    params: Params = {3: asked} if by_axis else {SQUEEZED[rank][i]: 1 for i in asked}
    return net.layer(
        "Squeeze", net.bare_input(name, wide, declared, scale), f"{name}_front", params
    )


def expand(net: Net, name: str, shape: Shape, declared: bool, scale: float) -> str:
    """An ExpandDims to a blob that has an axis of 1; else a Squeeze that takes none away."""
    ones = [i for i, n in enumerate(shape) if n == 1]
    if not ones or len(shape) == 1:
        x = net.bare_input(name, shape, declared, scale)
        axis = int(net.rng.integers(len(shape)))
        return net.layer("Squeeze", x, f"{name}_front", {3: (axis,)})
    narrow = (*shape[: ones[0]], *shape[ones[0] + 1 :])
    x = net.bare_input(name, narrow, declared, scale)
    return net.layer("ExpandDims", x, f"{name}_front", {3: (ones[0],)})


def reshape(net: Net, name: str, shape: Shape, declared: bool, scale: float) -> str:
    """A Reshape of as many elements, of which it may say one extent as what is left."""
    flat = (prod(shape),)
    old = flat if net.rng.integers(2) or len(shape) == 1 else (shape[0], prod(shape[1:]))
    ids = {1: (0,), 2: (1, 0), 3: (2, 1, 0), 4: (2, 11, 1, 0)}[len(shape)]
    params = dict(zip(ids, shape, strict=True))
    if net.rng.integers(2):
        params[ids[int(net.rng.integers(len(ids)))]] = -1
    return net.layer("Reshape", net.bare_input(name, old, declared, scale), f"{name}_front", params)


def inner_product(net: Net, name: str, shape: Shape, declared: bool, scale: float) -> str:
    """An InnerProduct, which gives rows or a flat row; a Squeeze for blobs of more dims."""
    if len(shape) > 2:
        return squeeze(net, name, shape, declared, scale)
    *rows, outputs = list(shape)
    features = int(net.rng.integers(1, 6))
    flat = ((features,), (3, features), (2, 2, features))[int(net.rng.integers(3))]
    x = net.bare_input(name, (*rows, features) if rows else flat, declared, scale)
    inputs = features if rows else prod(flat)
    net.tagged(net.normal(outputs, inputs, scale=inputs**-0.5))
    return net.layer("InnerProduct", x, f"{name}_front", {0: outputs, 2: outputs * inputs})


def pooling(net: Net, name: str, shape: Shape, declared: bool, scale: float) -> str:
    """A vector that was a global Pooling or a mean; a Reshape for blobs of more dims."""
    if len(shape) > 1:
        return reshape(net, name, shape, declared, scale)
    x = net.bare_input(name, (*shape, 2, 3), declared, scale)
    if net.rng.integers(2):
        return net.layer("Pooling", x, f"{name}_front", {0: 1, 4: 1})
    return net.layer("Reduction", x, f"{name}_front", {0: MEAN, 1: 0, 3: (1, 2), 5: 1})


EXACT: Mapping[str, Front] = {"squeeze": squeeze, "expand": expand, "reshape": reshape}
"""Those that only hand elements on."""

FRONTS: Mapping[str, Front] = {**EXACT, "inner_product": inner_product, "pooling": pooling}
"""All of them."""

THRESHOLDS = (-255.0, -6.0, -3.0, -2.5, -1.0, -0.5, -0.0, 0.0, 0.5, 1.0, 1.5, 2.5, 3.0, 6.0, 255.0)
"""Values at which functions of layers change, and halves, which are rounded to even numbers."""


def thresholds(rng: Rng, shape: Shape) -> Array:
    """Values at which functions of layers change."""
    return rng.choice(THRESHOLDS, shape).astype("f4")


def wide(rng: Rng, shape: Shape) -> Array:
    """Values far beyond the thresholds, and near them."""
    return (rng.standard_normal(shape) * rng.choice((1.0, 8.0, 60.0), shape)).astype("f4")


def tiny(rng: Rng, shape: Shape) -> Array:
    """Zeros, denormal numbers and the smallest others."""
    return (rng.standard_normal(shape) * rng.choice((0.0, 1e-40, 1e-37), shape)).astype("f4")


def equal(rng: Rng, shape: Shape) -> Array:
    """One value everywhere."""
    return np.full(shape, rng.normal(scale=3), "f4")


VALUES: Mapping[str, Values] = {each.__name__: each for each in (thresholds, wide, tiny, equal)}
"""What inputs may hold instead of normal values."""


@st.composite
def dresses(draw: st.DrawFn, exact: bool = False) -> Dress:
    """What varies in any net, most often nothing; `exact`: nothing that rounds."""
    if draw(st.integers(0, 2)) == 0:
        return PLAIN
    fronts = EXACT if exact else FRONTS
    front = draw(st.one_of(st.none(), st.sampled_from(list(fronts))))
    storages = st.sampled_from(["float", "float", "half"])
    return Dress(None if front is None else fronts[front], draw(storages), draw(storages))


@st.composite
def further_dresses(draw: st.DrawFn, exact: bool = False) -> Dress:
    """As `dresses`, with inputs of undeclared shapes and of other values."""
    dress = draw(dresses(exact))
    kind = draw(st.sampled_from([None, None, *VALUES]))
    values = None if kind is None else VALUES[kind]
    return replace(dress, undeclared=draw(st.booleans()), values=values)
