"""Winograd's minimal filtering for 3x3 convolutions with stride and dilation 1.

`F(m, 3)` computes a tile of m x m outputs from `t x t` inputs (`t = m + 2`) with `t * t` products
per pair of channels. The definition takes `9 * m * m`:

    Y = A^T [ (G g G^T) * (B^T d B) ] A

Example: a tile of 4 x 4 outputs takes 6 * 6 = 36 products instead of 9 * 16 = 144.

The products of all tiles are `t * t` matrix products. The transforms work on channels-last copies,
so no vector crosses a border. Each transform handles one axis at a time, as an element-wise kernel
over the t (or m) slices along that axis. The kernel's transform depends on the weight only, so a
compiler computes it once.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import lcm, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import SSAValue

from ..tracing import nodes
from . import scalars
from .builder import Builder, dim
from .channels_last import pad_or_crop, static_shape
from .kernels import LinalgWriter, dot_body, filled, mac_body

Matrix = NDArray[Any]

POINTS = {2: (Fraction(1),), 4: (Fraction(5, 8), Fraction(3, 2))}
"""For tiles of m x m outputs: the interpolation points besides 0 and infinity, with both signs. The
points for m = 4 have less than half the error of 1 and 2, because their powers are close together
and all entries of two of the matrices are exact in float32."""

INTEGERS = {2: (Fraction(1),), 4: (Fraction(1), Fraction(2))}
"""The points for int8. The transforms of a blob and of a kernel fit int16."""


def matrices(
    tile: int, points: Sequence[Fraction]
) -> tuple[Sequence[Sequence[Fraction | int]], ...]:
    """Return `B^T`, `G` and `A^T` (Toom and Cook): the values at n points determine a polynomial of
    degree n - 1."""
    points = [Fraction(0), *(sign * p for p in points for sign in (1, -1))]
    others = [[q for q in points if q != p] for p in points]
    scales = [
        prod((p - q for q in rest), start=Fraction(1))
        for p, rest in zip(points, others, strict=True)
    ]
    data = [[*_with_roots(rest), 0] for rest in others] + [_with_roots(points)]
    weights = [[p**k / s for k in range(3)] for p, s in zip(points, scales, strict=True)]
    back = [[*(p**k for p in points), int(k == tile - 1)] for k in range(tile)]
    return data, [*weights, [0, 0, 1]], back


def _with_roots(roots: Sequence[Fraction]) -> list[Fraction]:
    """Return the coefficients of the product of all `x - root`, lowest degree first."""
    found, zero = [Fraction(1)], Fraction(0)
    for root in roots:
        found = [a - root * b for a, b in zip([zero, *found], [*found, zero], strict=True)]
    return found


def integer_matrices(tile: int) -> tuple[Matrix, Matrix, Matrix, int]:
    """Return integers `B^T`, `G` and `A^T` with which results are a multiple, by the square of the
    last number: each row of `G` is multiplied by its denominator."""
    data, filters, back = matrices(tile, INTEGERS[tile])
    own = [lcm(*(Fraction(n).denominator for n in row)) for row in filters]
    scale = lcm(*own)
    filters = [[n * s for n in row] for row, s in zip(filters, own, strict=True)]
    back = [[n * Fraction(scale, s) for n, s in zip(row, own, strict=True)] for row in back]
    return _array(data, "i2"), _array(filters, "i2"), _array(back, "i4"), scale


def _array(matrix: Sequence[Sequence[Fraction | int]], dtype: str) -> Matrix:
    return np.array([[float(n) for n in row] for row in matrix], dtype)


def is_exact(channels: int, tile: int) -> bool:
    """Whether the low 32 bits of the multiples determine the sums of int8 products."""
    twos = integer_matrices(tile)[3] ** 2 & -(integer_matrices(tile)[3] ** 2)
    return 9 * 2**14 * channels * twos < 2**31


def winograd(kernels: LinalgWriter, node: nodes.Convolve, tile: int) -> SSAValue:
    """Write the channels-last copy of a 3x3 convolution with tiles of `tile x tile` pixels."""
    builder = kernels.builder
    if node.dtype.kind == "i":
        data, filters, back, scale = integer_matrices(tile)
    else:
        data, filters, back = (_array(each, "f4") for each in matrices(tile, POINTS[tile]))
        scale = 1
    work = data.dtype
    span = tile + 2
    outputs, h, w = static_shape(node.shape)
    channels = static_shape(node.x.shape)[0]
    th, tw = -(-h // tile), -(-w // tile)
    wide = tw * tile + 2
    x = pad_or_crop(kernels, node.x, (th * tile + 2, wide))
    seen = [builder.slice(x, (k, 0, 0), (th, wide, channels), (tile, 1, 1)) for k in range(span)]
    rows = _combined(builder, seen, node.x.dtype, data, (1, 2, 3), 0, (span, th, wide, channels))
    part = (span, th, tw, channels)
    seen = [builder.slice(rows, (0, 0, k, 0), part, (1, 1, tile, 1)) for k in range(span)]
    tiles = _combined(builder, seen, work, data, (0, 2, 3, 4), 1, (span, *part))
    own = () if node.groups == 1 else (node.groups,)
    flat = (span * span, th * tw, *own, channels // node.groups)
    products = nodes.Empty((*flat[:-1], outputs // node.groups), node.dtype)
    factors = _filters(kernels, node, filters)
    shape = (span * span, flat[-1], *products.shape[2:])
    s, t, *g, o, k = (dim(i) for i in range(len(flat) + 1))
    made = builder.generic(
        [
            (builder.reshape(tiles, (span, *part), flat), [s, t, *g, k]),
            (builder.reshape(factors, (*shape[:2], outputs), shape), [s, k, *g, o]),
        ],
        filled(kernels, products),
        [s, t, *g, o],
        len(flat) + 1,
        mac_body(node, (nodes.Empty((), work),) * 2),
    )
    part = (span, th, tw, outputs)
    made = builder.reshape(made, products.shape, (span, *part))
    seen = [builder.slice(made, (k, 0, 0, 0, 0), (1, *part), (1,) * 5) for k in range(span)]
    seen = [builder.reshape(each, (1, *part), part) for each in seen]
    whole = (th, tile, span, tw, outputs)
    rows = _combined(builder, seen, node.dtype, back, (2, 0, 3, 4), 1, whole)
    cut, part = (th, tile, 1, tw, outputs), (th, tile, tw, outputs)
    seen = [builder.slice(rows, (0, 0, k, 0, 0), cut, (1,) * 5) for k in range(span)]
    seen = [builder.reshape(each, cut, part) for each in seen]
    whole = (th, tile, tw, tile, outputs)
    result = _combined(builder, seen, node.dtype, back, (0, 1, 2, 4), 3, whole, scale**2)
    result = builder.reshape(result, whole, (th * tile, tw * tile, outputs))
    if (th * tile, tw * tile) != (h, w):
        result = builder.slice(result, (0, 0, 0), (h, w, outputs), (1, 1, 1))
    return result


def _combined(
    builder: Builder,
    slices: Sequence[SSAValue],
    dtype: nodes.DType,
    matrix: Matrix,
    where: Sequence[int],
    own: int,
    shape: tuple[int, ...],
    divisor: int = 1,
) -> SSAValue:
    """Return a matrix times slices of a type: `result[…, i, …] = sum of matrix[i, k] *
    slices[k][…]`. `where` lists the loops of the slices' axes; `own` is the loop of i. The sums are
    multiples of `divisor`, by which they are divided."""
    columns = [builder.dense(np.ascontiguousarray(matrix[:, k])) for k in range(len(slices))]
    inputs = [(s, [dim(i) for i in where]) for s in slices]
    inputs += [(c, [dim(own)]) for c in columns]
    rank, total = len(shape), dot_body(len(slices), matrix.dtype, dtype, matrix.dtype)

    def body(args: Sequence[SSAValue], place: scalars.Place) -> SSAValue:
        value = total(args, place)
        return value if divisor == 1 else _quotient(value, divisor, matrix.dtype, place)

    out = builder.empty(shape, matrix.dtype)
    return builder.generic(inputs, out, [dim(i) for i in range(rank)], rank, body)


def _quotient(value: SSAValue, divisor: int, dtype: nodes.DType, place: scalars.Place) -> SSAValue:
    """Return a multiple of a number, of which the low 32 bits are known, divided by it: shift out
    its factors of 2, after a product with the inverse of the rest modulo 2^32."""
    twos = (divisor & -divisor).bit_length() - 1
    inverse = np.array(pow(divisor >> twos, -1, 1 << 32), "u4").astype("i4").item()
    if inverse != 1:
        odd = scalars.constant(inverse, dtype, place)
        value = scalars.apply("arith.muli", [value, odd], dtype, "", place)
    shift = scalars.constant(twos, dtype, place)
    return scalars.apply("arith.shrsi", [value, shift], dtype, "", place)


def _filters(kernels: LinalgWriter, node: nodes.Convolve, matrix: Matrix) -> SSAValue:
    """Return `G g G^T` of each kernel: `span * span x inputs x outputs`."""
    builder = kernels.builder
    outputs, channels = static_shape(node.weight.shape[:2])
    span = len(matrix)
    g = builder.dense(matrix)
    order = 2, 3, 1, 0
    weight = builder.transpose(kernels.value(node.weight), (outputs, channels, 3, 3), order)
    # i, b, c, o | a
    half = nodes.Empty((span, 3, channels, outputs), matrix.dtype)
    rows = builder.generic(
        [(weight, [dim(4), dim(1), dim(2), dim(3)]), (g, [dim(0), dim(4)])],
        filled(kernels, half),
        [dim(i) for i in range(4)],
        5,
        mac_body(half, (node.weight, half)),
    )
    whole = nodes.Empty((span, span, channels, outputs), matrix.dtype)
    # i, j, c, o | b
    both = builder.generic(
        [(rows, [dim(0), dim(4), dim(2), dim(3)]), (g, [dim(1), dim(4)])],
        filled(kernels, whole),
        [dim(i) for i in range(4)],
        5,
        mac_body(whole, (half, half)),
    )
    return builder.reshape(both, whole.shape, (span * span, channels, outputs))
