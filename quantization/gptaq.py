"""GPTQ that also compensates for the quantization of the input (Y. Li et al., GPTAQ: asymmetric
calibration, 2025): weights and biases with which a layer makes of int8 inputs nearly the outputs
that it makes of floats.

Example (symbols as in `fit`, without damping): a layer multiplies one input by W = 10. In one half
of all windows the float input is 1 and the int8 input is 1, in the other half 3 and 2. The means
are 2 and 1.5. The products of differences from the means are C = 0.5 (float times int8) and H =
0.25 (int8 times int8). So W' = 10 * 0.5 / 0.25 = 20, and the bias changes by 10 * 2 - 20 * 1.5 =
-10. The layer then computes 20 * 1 - 10 = 10 and 20 * 2 - 10 = 30, as with floats. Rounding to
nearest would keep W = 10, and compute 10 and 20.
"""

from dataclasses import dataclass

import numpy as np

from ..dialects.ncnn.convolution import ConvolutionDepthWiseOp, ConvolutionOp
from ..dialects.ncnn.int8 import StaticInt8
from ..interpreters.ncnn.windows import pad, windows
from ..transforms.quantization.gptq import inverse_factor, round_compensated
from ..transforms.quantization.layer_weights import read_constant
from .histograms import Array
from .scales import QMAX

DAMP = 0.01
"""The fraction of the mean square that is added to all squares, increased by `elements / windows`,
so that directions with hardly any input do not count as free."""
FLOOR = 1e-9
"""The least fraction of the sum of mean squares that is added. It exceeds the rounding errors of
subtracting the squares of means, so that the matrix is positive definite if inputs hardly vary."""
BLOCK = 64
"""Elements that are rounded before their errors reach all later elements."""


@dataclass
class Moments:
    """Sums over windows of float inputs f and int8 inputs q, a vector or matrix for each group."""

    count: int
    q: Array
    f: Array
    qq: Array
    fq: Array

    @staticmethod
    def of(groups: int, columns: int) -> "Moments":
        """Return the sums over no window."""
        vectors = (np.zeros((groups, columns)) for _ in range(2))
        matrices = (np.zeros((groups, columns, columns)) for _ in range(2))
        return Moments(0, *vectors, *matrices)

    def add(self, f: Array, q: Array) -> None:
        """Add windows, `groups x windows x columns` each, in float64: squares of float32 values may
        exceed float32, and `FLOOR` is below its rounding errors."""
        f, q = f.astype("f8"), q.astype("f8")
        self.count += q.shape[1]
        self.q += q.sum(1)
        self.f += f.sum(1)
        for total, first in ((self.qq, q), (self.fq, f)):
            # BLAS multiplies stacks of matrices only if they are contiguous.
            total += np.ascontiguousarray(first.transpose(0, 2, 1)) @ np.ascontiguousarray(q)


def layer_windows(op: StaticInt8, x: Array, most: int) -> Array:
    """Return at most `most` of the windows that a layer multiplies its weight by, spread over a
    blob: `groups x windows x columns`."""
    if not isinstance(op, ConvolutionOp | ConvolutionDepthWiseOp) or x.ndim != 3:
        rows = x.reshape(1, -1, op.num_input())
        return rows[:, _spread_indices(rows.shape[1], most)]
    window = op.window_on(x.shape[1:])
    kernel = read_constant(op.weight).shape[2:]
    view = windows(pad(x, window.pads, 0), kernel, window.strides, window.dilations)
    down, across = np.divmod(_spread_indices(view.shape[1] * view.shape[2], most), view.shape[2])
    picked = view[:, down, across]  # channels x windows x kernel
    groups = op.group_count()
    split = picked.reshape(groups, -1, *picked.shape[1:])
    return split.transpose(0, 2, 1, 3, 4).reshape(groups, len(down), -1)


def _spread_indices(count: int, most: int) -> Array:
    return np.unique(np.linspace(0, count - 1, min(count, most)).astype(int))


def fit(weight: Array, bias: Array, scales: Array, moments: Moments) -> tuple[Array, Array]:
    """Return the integers (as floats) and the bias with which `q / scale * int8 input + bias` is
    nearest to `weight * float input + bias` over the windows. Weight: `groups x rows x columns`;
    scales and bias: `groups x rows`.

    Algebra: let C be the products of float and int8 inputs, and H the products of int8 inputs, both
    inputs less their means. The least squares are at `W' = W C H^-1`, and the bias takes the
    difference of means. W' is rounded by GPTQ.
    """
    n = max(moments.count, 1)
    mean_q, mean_f = moments.q / n, moments.f / n
    squares = moments.qq / n
    h = squares - mean_q[:, :, None] * mean_q[:, None, :]
    c = moments.fq / n - mean_f[:, :, None] * mean_q[:, None, :]
    columns = h.shape[1]
    power, total = (np.einsum("gii->g", each) for each in (h, squares))
    damp = np.maximum(power / columns * (DAMP + columns / n), FLOOR * total)
    damped = h + np.where(damp > 0, damp, 1)[:, None, None] * np.eye(columns)
    factor = np.stack([inverse_factor(each[::-1, ::-1].copy()) for each in damped])
    change = weight @ (c - h) @ factor.transpose(0, 2, 1) @ factor
    values = np.ascontiguousarray((weight + change).transpose(0, 2, 1))
    by_column = round_compensated(values, factor, BLOCK, QMAX, lambda start, block: scales)
    integers = by_column.transpose(0, 2, 1).astype("f8")
    found = integers / scales[:, :, None]
    shift = weight @ mean_f[:, :, None] - found @ mean_q[:, :, None]
    return integers, bias + shift[:, :, 0]
