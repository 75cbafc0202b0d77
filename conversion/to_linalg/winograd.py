"""Winograd's minimal filtering for 3x3 convolutions with stride and dilation 1.

`F(m, 3)` computes a tile of m x m outputs from `t x t` inputs (`t = m + 2`) with `t * t` products
per pair of channels. The definition takes `9 * m * m`:

    Y = A^T [ (G g G^T) * (B^T d B) ] A

The products of all tiles are `t * t` matrix products. The transforms work on channels-last copies,
so no vector crosses a border. Each transform handles one axis at a time, as an element-wise kernel
over the t (or m) slices along that axis. The kernel's transform depends on the weight only, so a
compiler computes it once.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import prod

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import SSAValue

from ..tracing import nodes
from .builder import Builder, dim
from .channels_last import fitted, static_shape
from .kernels import Kernels, filled, multiplied_and_added, sum_of_pairs

Matrix = NDArray[np.float32]

POINTS = {2: (Fraction(1),), 4: (Fraction(5, 8), Fraction(3, 2))}
"""For tiles of m x m outputs: the interpolation points besides 0 and infinity, with both signs. The
points for m = 4 have less than half the error of 1 and 2, because their powers are close together
and all entries of two of the matrices are exact in float32."""


def matrices(tile: int) -> tuple[Matrix, Matrix, Matrix]:
    """Return `B^T`, `G` and `A^T` (Toom and Cook): the values at n points determine a polynomial of
    degree n - 1."""
    points = [Fraction(0), *(sign * p for p in POINTS[tile] for sign in (1, -1))]
    others = [[q for q in points if q != p] for p in points]
    scales = [
        prod((p - q for q in rest), start=Fraction(1))
        for p, rest in zip(points, others, strict=True)
    ]
    data = [[*_with_roots(rest), 0] for rest in others] + [_with_roots(points)]
    weights = [[p**k / s for k in range(3)] for p, s in zip(points, scales, strict=True)]
    back = [[*(p**k for p in points), int(k == tile - 1)] for k in range(tile)]
    return _floats(data), _floats([*weights, [0, 0, 1]]), _floats(back)


def _with_roots(roots: Sequence[Fraction]) -> list[Fraction]:
    """Return the coefficients of the product of all `x - root`, lowest degree first."""
    found, zero = [Fraction(1)], Fraction(0)
    for root in roots:
        found = [a - root * b for a, b in zip([zero, *found], [*found, zero], strict=True)]
    return found


def _floats(matrix: Sequence[Sequence[Fraction | int]]) -> Matrix:
    return np.array([[float(n) for n in row] for row in matrix], "f4")


def winograd(kernels: Kernels, node: nodes.Convolve, tile: int) -> SSAValue:
    """Write the channels-last copy of a 3x3 convolution with tiles of `tile x tile` pixels."""
    builder = kernels.builder
    data, filters, back = matrices(tile)
    span = tile + 2
    outputs, h, w = static_shape(node.shape)
    channels = static_shape(node.x.shape)[0]
    th, tw = -(-h // tile), -(-w // tile)
    wide = tw * tile + 2
    x = fitted(kernels, node.x, (th * tile + 2, wide))
    seen = [builder.slice(x, (k, 0, 0), (th, wide, channels), (tile, 1, 1)) for k in range(span)]
    rows = _combined(builder, seen, data, (1, 2, 3), 0, (span, th, wide, channels))
    part = (span, th, tw, channels)
    seen = [builder.slice(rows, (0, 0, k, 0), part, (1, 1, tile, 1)) for k in range(span)]
    tiles = _combined(builder, seen, data, (0, 2, 3, 4), 1, (span, *part))
    flat = (span * span, th * tw, channels)
    tiles = builder.reshape(tiles, (span, *part), flat)
    products = nodes.Empty((span * span, th * tw, outputs), node.dtype)
    made = builder.generic(
        [
            (tiles, [dim(0), dim(1), dim(3)]),
            (_filters(kernels, node, filters), [dim(0), dim(3), dim(2)]),
        ],
        filled(kernels, products),
        [dim(0), dim(1), dim(2)],
        4,
        multiplied_and_added(node, (node.x, node.weight)),
    )
    part = (span, th, tw, outputs)
    made = builder.reshape(made, products.shape, (span, *part))
    seen = [builder.slice(made, (k, 0, 0, 0, 0), (1, *part), (1,) * 5) for k in range(span)]
    seen = [builder.reshape(each, (1, *part), part) for each in seen]
    rows = _combined(builder, seen, back, (2, 0, 3, 4), 1, (th, tile, span, tw, outputs))
    cut, part = (th, tile, 1, tw, outputs), (th, tile, tw, outputs)
    seen = [builder.slice(rows, (0, 0, k, 0, 0), cut, (1,) * 5) for k in range(span)]
    seen = [builder.reshape(each, cut, part) for each in seen]
    whole = (th, tile, tw, tile, outputs)
    result = _combined(builder, seen, back, (0, 1, 2, 4), 3, whole)
    result = builder.reshape(result, whole, (th * tile, tw * tile, outputs))
    if (th * tile, tw * tile) != (h, w):
        result = builder.slice(result, (0, 0, 0), (h, w, outputs), (1, 1, 1))
    return result


def _combined(
    builder: Builder,
    slices: Sequence[SSAValue],
    matrix: Matrix,
    where: Sequence[int],
    own: int,
    shape: tuple[int, ...],
) -> SSAValue:
    """Return a matrix times slices: `result[…, i, …] = sum of matrix[i, k] * slices[k][…]`. `where`
    lists the loops of the slices' axes; `own` is the loop of i."""
    columns = [builder.dense(np.ascontiguousarray(matrix[:, k])) for k in range(len(slices))]
    inputs = [(s, [dim(i) for i in where]) for s in slices]
    inputs += [(c, [dim(own)]) for c in columns]
    rank = len(shape)
    out = builder.empty(shape, np.dtype("f4"))
    return builder.generic(
        inputs, out, [dim(i) for i in range(rank)], rank, sum_of_pairs(len(slices))
    )


def _filters(kernels: Kernels, node: nodes.Convolve, matrix: Matrix) -> SSAValue:
    """Return `G g G^T` of each kernel: `span * span x channels x outputs`."""
    builder = kernels.builder
    outputs, channels = static_shape(node.weight.shape[:2])
    span = len(matrix)
    g = builder.dense(matrix)
    body = multiplied_and_added(node, (node.weight, node.weight))
    weight = kernels.value(node.weight)
    # i, b, c, o | a
    half = nodes.Empty((span, 3, channels, outputs), node.dtype)
    rows = builder.generic(
        [(weight, [dim(3), dim(2), dim(4), dim(1)]), (g, [dim(0), dim(4)])],
        filled(kernels, half),
        [dim(i) for i in range(4)],
        5,
        body,
    )
    whole = nodes.Empty((span, span, channels, outputs), node.dtype)
    # i, j, c, o | b
    both = builder.generic(
        [(rows, [dim(0), dim(4), dim(2), dim(3)]), (g, [dim(1), dim(4)])],
        filled(kernels, whole),
        [dim(i) for i in range(4)],
        5,
        body,
    )
    return builder.reshape(both, whole.shape, (span * span, channels, outputs))
