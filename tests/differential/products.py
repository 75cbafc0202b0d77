"""Drawing matrix products with constants: MatMul of a blob and a MemoryData."""

import numpy as np
from hypothesis import strategies as st

from .near_misses import NearMiss, misses
from .sketches import Sketch

MISSES = ("several", "rank", "few", "large", "shared")
"""What keeps a MatMul one: a constant of several matrices, dims that are not certain, few matrices
of the blob, large ones, and a large constant that another layer reads as well."""


@st.composite
def products(draw: st.DrawFn, miss: str | None = None) -> NearMiss:
    """A blob of 1 to 4 dims, times a constant vector, matrix or matrix of more dims, or a matrix
    that a constant is multiplied with; a summand or a function may follow."""
    sketch = Sketch(draw(st.integers(0, 999)))
    rng = np.random.default_rng(sketch.seed)
    miss = draw(misses(MISSES)) if miss is None else miss
    turned = draw(st.integers(0, 1))
    inner, columns = draw(st.sampled_from([1, 3, 4, 8])), draw(st.sampled_from([1, 2, 4, 5]))
    rank = 3 if miss in ("few", "large") else 2 if miss else draw(st.sampled_from([1, 2, 3, 3, 4]))
    height = 600 if miss == "large" else draw(st.integers(1, 4))
    inner, columns = {"shared": (40, 30), "large": (8, 5)}.get(miss, (inner, columns))
    x = _blob(draw, sketch, rank, height, inner, miss)
    if draw(st.booleans()):
        x = sketch.layer("TanH", x)
    matrix = (columns, inner) if turned else (inner, columns)
    more = (1,) * draw(st.sampled_from([0, 0, 0, 1])) if rank > 1 else ()
    shape = (2, *matrix) if miss == "several" else (*more, *matrix)
    if rank != 1 and not miss and draw(st.integers(0, 3)) == 0:
        shape = (inner,)  # a vector
    on_left = rank == 2 and not miss and len(shape) > 1 and draw(st.integers(0, 2)) == 0
    if on_left:  # B is the blob: its rows, or its columns, are what is summed over
        x = x if turned else sketch.layer("Permute", x, {0: 1})
        shape = (*more, draw(st.sampled_from([1, 2, 5])), inner)
    constant = sketch.constant(rng.standard_normal(shape).astype("f4"))
    reads = [constant, x] if on_left else [x, constant]
    y = sketch.layer("MatMul", reads, {0: turned})
    if miss == "shared":
        sketch.layer("AbsVal", constant)
    if draw(st.booleans()):
        y = sketch.layer("BinaryOp", y, {0: draw(st.sampled_from([0, 2])), 1: 1, 2: 1.5})
    if draw(st.booleans()):
        sketch.layer("ReLU", y)
    return NearMiss(sketch, miss)


def _blob(draw: st.DrawFn, sketch: Sketch, rank: int, height: int, inner: int, miss: str) -> str:
    """A blob of so many dims, in rows of `inner`; whose extents beside the outermost one are
    certain if there are more than two."""
    if rank == 1:
        return sketch.input((inner,), True)
    if rank == 2:
        return sketch.input((draw(st.integers(1, 6)), inner), miss != "rank")
    deep = 1 if rank == 3 else draw(st.integers(1, 3))
    outer = 2 if miss == "few" else draw(st.integers(1, 6))
    x = sketch.input((outer, deep * height * inner), draw(st.booleans()))
    params = {0: inner, 1: height, 2: outer if miss == "few" else -1}
    return sketch.layer("Reshape", x, params | ({11: deep} if rank == 4 else {}))
