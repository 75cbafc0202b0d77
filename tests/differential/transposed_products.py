"""Drawing matrix products of transposed operands, and what comes close to them."""

import numpy as np
from hypothesis import strategies as st

from .near_misses import NearMiss, misses
from .sketches import Sketch

MISSES = ("reader", "output", "features", "order", "batch", "rank", "constant")
"""What keeps a Permute: somebody else who reads the transposed blob, a transposed blob that is an
output, another feature mask, another order of the axes, several matrices A, an A whose dims are not
certain, a constant B beside a transposed A."""

TRANSPOSE = {0: 1}
"""The parameters of a Permute that exchanges the two innermost axes."""


@st.composite
def transposed_products(draw: st.DrawFn, miss: str | None = None) -> NearMiss:
    """A MatMul, or a Gemm of two blobs, whose operands are transposed."""
    sketch = Sketch(draw(st.integers(0, 999)))
    miss = draw(misses(MISSES)) if miss is None else miss
    # (No extent is 1, at which a Permute moves nothing and becomes a Reshape.)
    rows, inner, columns = (draw(st.integers(2, 7)) for _ in range(3))
    left = miss in ("batch", "rank", "constant") or (miss == "" and draw(st.booleans()))
    gemm = miss not in ("order", "batch", "rank", "constant") and draw(st.booleans())
    rank = 2 if gemm or left else 3 if miss == "order" else draw(st.sampled_from([2, 3, 4]))
    right = not left or (miss == "" and draw(st.booleans()))
    turned = draw(st.integers(0, 1))
    if left:
        of_a = 3 if miss == "batch" else 2
        a = _blob(draw, sketch, (inner, rows), of_a, miss == "rank")
        a = sketch.layer("Permute", a, TRANSPOSE)
    else:
        a = _blob(draw, sketch, (rows, inner), draw(st.sampled_from([2, rank])), False)
    stored = (columns, inner) if turned else (inner, columns)
    if miss == "constant":
        values = np.random.default_rng(sketch.seed).standard_normal(stored)
        b = sketch.constant(values.astype("f4"))
    elif miss == "order":
        x = sketch.input((stored[1], 2, stored[0]), True, 1.5)
        b = sketch.layer("Permute", x, {0: 3})
    elif right:
        b = _blob(draw, sketch, (stored[1], stored[0]), rank, False)
        b = sketch.layer("Permute", b, TRANSPOSE | ({31: 1} if miss == "features" else {}))
    else:
        b = _blob(draw, sketch, stored, rank, False)
    if miss == "reader":
        sketch.layer("AbsVal", b)
    if miss == "output":
        sketch.also_outputs.append(b)
    if gemm:
        y = sketch.layer("Gemm", [a, b], {0: draw(st.sampled_from([1.0, 0.5])), 3: turned})
    else:
        y = sketch.layer("MatMul", [a, b], {0: turned})
    sketch.layer("AbsVal", y)
    return NearMiss(sketch, miss)


def _blob(
    draw: st.DrawFn, sketch: Sketch, matrix: tuple[int, int], rank: int, uncertain: bool
) -> str:
    """Matrices of this shape, of certain dims, or a blob of a shape that the file does not have."""
    if uncertain:
        return sketch.input(matrix, False, 1.5)
    outer = (3, 2)[: rank - 2]
    x = sketch.input((*outer, *matrix), draw(st.booleans()), 1.5)
    extents = dict(zip((2, 11) if rank == 4 else (2,), outer, strict=False))
    x = sketch.layer("AbsVal", x) if draw(st.booleans()) else x
    return sketch.layer("Reshape", x, {0: matrix[1], 1: matrix[0], **extents})
