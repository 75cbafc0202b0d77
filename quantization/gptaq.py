"""Weights that are rounded so that what layers make of int8 is nearest to what they make of floats:
GPTQ (E. Frantar, S. Ashkboos, T. Hoefler, D. Alistarh, 2023), with what int8 has changed in the
input made up for as well (Y. Li et al., GPTAQ: asymmetric calibration, 2025)."""

from dataclasses import dataclass

import numpy as np

from ..dialects.ncnn.convolution import ConvolutionDepthWiseOp, ConvolutionOp
from ..dialects.ncnn.int8 import StaticInt8
from ..interpreters.ncnn.int8 import rounded
from ..interpreters.ncnn.windows import pad, windows
from .constants import read
from .histograms import Array
from .thresholds import LEVELS

DAMP = 0.01
"""The share of the mean square that is added to all squares, and `elements / windows seen` more, so
that directions in which there was next to nothing do not count as free."""
FLOOR = 1e-9
"""The share of the sum of mean squares that is added at least: more than the rounding errors that
are left where the squares of means are taken off, so that the matrix is positive definite also
where inputs hardly vary."""
BLOCK = 64
"""Elements that are rounded before what they change is passed on to all others."""


@dataclass
class Moments:
    """Sums over windows: of float inputs f and those of int8 q, a matrix for each group."""

    count: int
    q: Array
    f: Array
    qq: Array
    fq: Array

    @staticmethod
    def of(groups: int, columns: int) -> "Moments":
        """Of no window."""
        vectors = (np.zeros((groups, columns)) for _ in range(2))
        matrices = (np.zeros((groups, columns, columns)) for _ in range(2))
        return Moments(0, *vectors, *matrices)

    def add(self, f: Array, q: Array) -> None:
        """Add windows, `groups x windows x columns` each, in float64: squares of float32 values may
        be beyond float32, and `FLOOR` is below its rounding errors."""
        f, q = f.astype("f8"), q.astype("f8")
        self.count += q.shape[1]
        self.q += q.sum(1)
        self.f += f.sum(1)
        for total, first in ((self.qq, q), (self.fq, f)):
            # Contiguous, or it is no matrix product of BLAS where there are many groups.
            total += np.ascontiguousarray(first.transpose(0, 2, 1)) @ np.ascontiguousarray(q)


def layer_windows(op: StaticInt8, x: Array, most: int) -> Array:
    """At most so many of the windows that a layer multiplies its weight by, from all over a blob:
    `groups x windows x columns`."""
    if not isinstance(op, ConvolutionOp | ConvolutionDepthWiseOp) or x.ndim != 3:
        rows = x.reshape(1, -1, op.num_input())
        return rows[:, _some(rows.shape[1], most)]
    window = op.window_on(x.shape[1:])
    kernel = read(op.weight).shape[2:]
    view = windows(pad(x, window.pads, 0), kernel, window.strides, window.dilations)
    down, across = np.divmod(_some(view.shape[1] * view.shape[2], most), view.shape[2])
    picked = view[:, down, across]  # channels x windows x kernel
    groups = op.group_count()
    split = picked.reshape(groups, -1, *picked.shape[1:])
    return split.transpose(0, 2, 1, 3, 4).reshape(groups, len(down), -1)


def _some(count: int, most: int) -> Array:
    return np.unique(np.linspace(0, count - 1, min(count, most)).astype(int))


def fit(weight: Array, bias: Array, scales: Array, seen: Moments) -> tuple[Array, Array]:
    """The integers (as floats) and the bias by which `q / scale * int8 input + bias` is nearest to
    `weight * float input + bias` over the windows seen: weight `groups x rows x columns`, scales
    and bias `groups x rows`.

    Algebra: with both inputs less their means, the least squares are at
    `W' = W C H^-1`, C the products of float and int8 inputs and H those of int8 inputs; the bias
    takes the difference of means. Elements of W' are rounded one after the other, and those after
    each take back what its rounding changes, as far as they can: with U the upper Cholesky factor
    of H^-1, element j > k by `-(w[k] - q[k]) * U[k, j] / U[k, k]`. With rows and columns in reverse
    order U is the inverse of the lower factor of H itself, so that no inverse is factorized: one of
    an ill-conditioned H may not be positive definite after rounding.
    """
    n = max(seen.count, 1)
    mean_q, mean_f = seen.q / n, seen.f / n
    squares = seen.qq / n
    h = squares - mean_q[:, :, None] * mean_q[:, None, :]
    c = seen.fq / n - mean_f[:, :, None] * mean_q[:, None, :]
    columns = h.shape[1]
    power, total = (np.einsum("gii->g", each) for each in (h, squares))
    damp = np.maximum(power / columns * (DAMP + columns / n), FLOOR * total)
    damped = h + np.where(damp > 0, damp, 1)[:, None, None] * np.eye(columns)
    factor = np.linalg.inv(np.linalg.cholesky(damped[:, ::-1, ::-1]))[:, ::-1, ::-1]
    change = weight @ (c - h) @ factor.transpose(0, 2, 1) @ factor
    integers = _rounded(weight + change, scales, factor)
    found = integers / scales[:, :, None]
    shift = weight @ mean_f[:, :, None] - found @ mean_q[:, :, None]
    return integers, bias + shift[:, :, 0]


def _rounded(values: Array, scales: Array, factor: Array) -> Array:
    values, integers = values.copy(), np.empty_like(values)
    columns = values.shape[2]
    diagonal = np.einsum("gii->gi", factor)
    for start in range(0, columns, BLOCK):
        end = min(start + BLOCK, columns)
        errors = np.empty((*values.shape[:2], end - start))
        for k in range(start, end):
            integer = np.clip(rounded(values[:, :, k] * scales), -LEVELS, LEVELS)
            integers[:, :, k] = integer
            error = (values[:, :, k] - integer / scales) / diagonal[:, None, k]
            errors[:, :, k - start] = error
            values[:, :, k + 1 : end] -= error[:, :, None] * factor[:, None, k, k + 1 : end]
        values[:, :, end:] -= errors @ factor[:, start:end, end:]
    return integers
