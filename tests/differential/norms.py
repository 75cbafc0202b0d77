"""Drawing normalizations with scales and shifts behind them, or between two reshapes."""

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from .nets import Net, Number, Shape, extents
from .sketches import Sketch

ADD, SUB, MUL, DIV, RSUB, MAX = 0, 1, 2, 3, 7, 4
"""BinaryOp's `op_type`."""

NORMS = ("LayerNorm", "RMSNorm", "InstanceNorm", "GroupNorm")


@dataclass(frozen=True)
class Followed:
    """A normalization, and a layer behind it."""

    sketch: Sketch
    fuses: bool | None
    """Whether the second goes into the first; `None`: it may, the shapes decide."""


def certain(sketch: Sketch, shape: Shape) -> str:
    """A blob of extents that are certain. (What makes 1 dim is no longer than its input, and what
    makes 2 of 2 with as many rows leaves them as they are.)"""
    if len(shape) == 1:
        x = sketch.layer("Reshape", sketch.input((1, 2, *shape)), {0: 2, 1: 1, 2: shape[0]})
        return sketch.layer("Pooling", x, {0: 1, 4: 1})
    x = sketch.input(shape if len(shape) > 2 else (1, *shape))
    return sketch.layer("Reshape", x, dict(extents(shape)))


@st.composite
def followed(draw: st.DrawFn, kind: str, known: bool = True) -> Followed:
    """A normalization with or without weights, and something that scales or shifts; `known`: of a
    blob whose extents are certain, or only the file says them."""
    sketch = Sketch(draw(st.integers(0, 999)))
    rank = draw(st.integers(3, 4) if kind == "InstanceNorm" else st.integers(1, 4))
    shape = tuple(draw(st.sampled_from([2, 4, 4, 5])) for _ in range(rank))
    x = certain(sketch, shape) if known else sketch.input(shape)
    affine = draw(st.booleans())
    dims = draw(st.integers(1, rank - 1)) if rank > 2 else 1
    channels, size = shape[0], int(np.prod(shape[-dims:]))
    per_slice = kind in ("LayerNorm", "RMSNorm")
    weights = size if per_slice else channels
    params: dict[int, Number]
    if per_slice:
        params = {0: size, 1: 1e-3, 2: int(affine)}
    elif kind == "InstanceNorm":
        params = {0: channels, 1: 1e-3, 2: int(affine)}
    else:
        group = draw(st.sampled_from([n for n in (1, 2) if channels % n == 0]))
        params = {0: group, 1: channels, 2: 1e-3, 3: int(affine)}

    def weigh(net: Net) -> None:
        for _ in range(affine * (1 if kind == "RMSNorm" else 2)):
            net.plain(net.normal(weights))

    normed = sketch.layer(kind, x, params, weigh)
    shared = draw(st.integers(0, 4)) == 0
    if shared:
        sketch.layer("AbsVal", normed)
    op = draw(st.sampled_from([MUL, MUL, DIV, ADD, SUB, RSUB, MAX]))
    first = draw(st.booleans())
    shifts = op in (ADD, SUB) or (op == RSUB)
    possible = op != MAX and not (op == DIV and first) and not shared
    possible = possible and not (kind == "RMSNorm" and shifts)
    way = draw(st.sampled_from(["scalar", "weights", "weights", "any"]))
    rng = np.random.default_rng(sketch.seed)
    if way == "scalar":
        sketch.layer("BinaryOp", normed, {0: op, 1: 1, 2: 1.5})
        return Followed(sketch, (op != MAX and not shared) and not (kind == "RMSNorm" and shifts))
    slices: list[Shape] = [shape[-dims:], (*(1,) * (rank - dims), *shape[-dims:])]
    outer: list[Shape] = [shape[:1], (*shape[:1], *(1,) * (rank - 1))]
    if way == "weights":
        own = slices[1] if per_slice else draw(st.sampled_from(outer))
    else:
        some: Shape = tuple(draw(st.sampled_from([1, n])) for n in shape)
        own = draw(st.sampled_from([*slices, *outer, shape, some, (1,)]))
    constant = sketch.constant(rng.uniform(0.5, 1.5, own).astype("f4"))
    sketch.layer("BinaryOp", (constant, normed) if first else (normed, constant), {0: op})
    return Followed(sketch, possible if way == "weights" else None if possible else False)


@st.composite
def grouped(draw: st.DrawFn) -> Followed:
    """A normalization of groups, with scale and shift of channels behind it."""
    sketch = Sketch(draw(st.integers(0, 999)))
    group, each = draw(st.integers(1, 3)), draw(st.integers(2, 3))
    channels, h, w = group * each, draw(st.integers(2, 5)), draw(st.integers(2, 5))
    x = sketch.input((2, h, w), draw(st.booleans()))
    # (A 1x1 convolution might take a vector: then not even the number of dims is known.)
    x = sketch.layer(
        "Convolution",
        x,
        {0: channels, 1: 3, 4: 1, 6: 18 * channels},
        lambda net: net.tagged(net.normal(channels, 2, 3, 3)),
    )
    size = each * h * w
    first: dict[int, int] = {0: -1, 1: group}
    kind = draw(st.sampled_from(["LayerNorm", "InstanceNorm", "bare"]))
    fuses = True
    if kind == "LayerNorm":
        first = draw(st.sampled_from([first, {0: size, 1: group}, {0: w, 1: each * h, 2: group}]))
        if draw(st.integers(0, 3)) == 0:  # only a part of each group
            first, size, fuses = {0: w, 1: each * h, 2: group}, w, each * h == 1
    else:
        first = {0: w, 1: -1, 2: group}
    x = sketch.layer("Reshape", x, first)
    if kind == "LayerNorm":
        x = sketch.layer(kind, x, {0: size, 1: 1e-3, 2: 0})
    elif kind == "bare":
        x = sketch.layer("InstanceNorm", x, {0: group, 1: 1e-3, 2: 0})
    else:

        def weigh(net: Net) -> None:
            net.plain(net.normal(group))
            net.plain(net.normal(group))

        x = sketch.layer(kind, x, {0: group, 1: 1e-3}, weigh)
    told = draw(st.sampled_from([(w, h, channels), (-1, h, channels), (w, -1, channels)]))
    if draw(st.integers(0, 5)) == 0:  # other channels
        told, fuses = (w, 1, channels * h), False
    x = sketch.layer("Reshape", x, dict(zip((0, 1, 2), told, strict=True)))
    rng = np.random.default_rng(sketch.seed)
    outermost = told[2]
    for op in draw(st.sampled_from([(), (MUL,), (MUL, ADD)])):
        constant = sketch.constant(rng.uniform(0.5, 1.5, (outermost, 1, 1)).astype("f4"))
        x = sketch.layer("BinaryOp", (x, constant), {0: op})
    return Followed(sketch, fuses)
