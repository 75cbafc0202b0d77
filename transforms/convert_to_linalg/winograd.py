"""Convolutions of 3x3 windows one place apart as Winograd's minimal filtering.

`F(m, 3)` computes a tile of m x m outputs from `t x t` inputs (`t = m + 2`) with `t * t` products a
pair of channels, where the sums of the definition take `9 * m * m`:

    Y = A^T [ (G g G^T) * (B^T d B) ] A

The products of all tiles are `t * t` matrix products. The transforms run with the channels
innermost, where no element stands across a border of a vector; each is done along one axis at a
time, as one element-wise kernel over the t (or m) slices along it. The kernel's transform depends
on the weight alone, so a compiler does it once.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects import math
from xdsl.dialects.arith import MulfOp
from xdsl.ir import SSAValue

from ..tracing import nodes
from .builder import Builder, dim
from .channels_last import fitted, known
from .kernels import Kernels, filled, multiplied_and_added

Matrix = NDArray[np.float32]

_B2 = [[1, 0, -1, 0], [0, 1, 1, 0], [0, -1, 1, 0], [0, 1, 0, -1]]
_G2 = [[1, 0, 0], [0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [0, 0, 1]]
_A2 = [[1, 1, 1, 0], [0, 1, -1, -1]]

_B4 = [
    [4, 0, -5, 0, 1, 0],
    [0, -4, -4, 1, 1, 0],
    [0, 4, -4, -1, 1, 0],
    [0, -2, -1, 2, 1, 0],
    [0, 2, -1, -2, 1, 0],
    [0, 4, 0, -5, 0, 1],
]
_G4 = [
    [1 / 4, 0, 0],
    [-1 / 6, -1 / 6, -1 / 6],
    [-1 / 6, 1 / 6, -1 / 6],
    [1 / 24, 1 / 12, 1 / 6],
    [1 / 24, -1 / 12, 1 / 6],
    [0, 0, 1],
]
_A4 = [[1, 1, 1, 1, 1, 0], [0, 1, -1, 2, -2, 0], [0, 1, 1, 4, 4, 0], [0, 1, -1, 8, -8, 1]]

MATRICES = {2: (_B2, _G2, _A2), 4: (_B4, _G4, _A4)}
"""For tiles of m x m outputs: `B^T`, `G` and `A^T` (Lavin and Gray, 2015)."""


def winograd(kernels: Kernels, node: nodes.Convolve, tile: int) -> SSAValue:
    """The twin of a convolution of 3x3 windows by tiles of so many places along both axes."""
    builder = kernels.builder
    data, filters, back = (np.asarray(m, "f4") for m in MATRICES[tile])
    span = tile + 2
    outputs, h, w = known(node.shape)
    channels = known(node.x.shape)[0]
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
    products = nodes.Blank((span * span, th * tw, outputs), node.dtype)
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
    """A matrix times slices: `result[…, i, …] = sum of matrix[i, k] * slices[k][…]`. The axes of
    the slices are the dims `where`, that of i is `own`."""
    columns = [builder.dense(np.ascontiguousarray(matrix[:, k])) for k in range(len(slices))]
    inputs = [(s, [dim(i) for i in where]) for s in slices]
    inputs += [(c, [dim(own)]) for c in columns]
    count = len(slices)

    def body(args: Sequence[SSAValue], place: Callable[[Any], SSAValue]) -> SSAValue:
        total = place(MulfOp(args[0], args[count]))
        for k in range(1, count):
            total = place(math.FmaOp(args[k], args[count + k], total))
        return total

    rank = len(shape)
    out = builder.empty(shape, np.dtype("f4"))
    return builder.generic(inputs, out, [dim(i) for i in range(rank)], rank, body)


def _filters(kernels: Kernels, node: nodes.Convolve, matrix: Matrix) -> SSAValue:
    """`G g G^T` of each kernel: `span * span x channels x outputs`."""
    builder = kernels.builder
    outputs, channels = known(node.weight.shape[:2])
    span = len(matrix)
    g = builder.dense(matrix)
    body = multiplied_and_added(node, (node.weight, node.weight))
    weight = kernels.value(node.weight)
    # i, b, c, o | a
    half = nodes.Blank((span, 3, channels, outputs), node.dtype)
    rows = builder.generic(
        [(weight, [dim(3), dim(2), dim(4), dim(1)]), (g, [dim(0), dim(4)])],
        filled(kernels, half),
        [dim(i) for i in range(4)],
        5,
        body,
    )
    whole = nodes.Blank((span, span, channels, outputs), node.dtype)
    # i, j, c, o | b
    both = builder.generic(
        [(rows, [dim(0), dim(4), dim(2), dim(3)]), (g, [dim(1), dim(4)])],
        filled(kernels, whole),
        [dim(i) for i in range(4)],
        5,
        body,
    )
    return builder.reshape(both, whole.shape, (span * span, channels, outputs))
