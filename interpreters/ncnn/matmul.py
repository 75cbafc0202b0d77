"""Reference semantics of the layers in `dialects/ncnn/matmul.py`."""

import numpy as np

from ...dialects.ncnn.matmul import GemmOp, MatMulOp
from ...dialects.ncnn.quantization import block_quantization, is_int8
from .blocks import block_product
from .int8 import exact, quantized, rescaled, scale_of
from .semantics import Array, Inputs, Weights, needed, semantics


@semantics(MatMulOp)
def matmul(op: MatMulOp, inputs: Inputs, weights: Weights) -> Array:
    a, b = inputs
    if op.transB and b.ndim > 1:
        b = b.swapaxes(-1, -2)
    return (a @ b).reshape(-1) if a.ndim == b.ndim == 1 else a @ b


@semantics(GemmOp)
def gemm(op: GemmOp, inputs: Inputs, weights: Weights) -> Array:
    blobs = iter(inputs)
    a = needed(weights, "A") if op.constantA == 1 else _matrix(next(blobs))
    b = needed(weights, "B") if op.constantB == 1 else _matrix(next(blobs))
    c = weights["C"] if op.constantC == 1 else next(blobs, None)
    a = a.T if op.transA else a
    alpha, beta = np.float32(op.alpha), np.float32(op.beta)
    block = block_quantization(op.quantize_term)
    if block is not None:
        scales, input_scales = needed(weights, "B_quantize_scales"), weights["B_input_scales"]
        sums = block_product(block, a, b, scales, input_scales)
    elif is_int8(op.quantize_term):
        # One scale per row of A, one for all of B.
        a_scales, b_scale = weights["A_int8_scales"], weights["B_int8_scale"]
        a_scales = scale_of(a, 1) if a.dtype != np.int8 or a_scales is None else a_scales[:, None]
        b_scale = scale_of(b) if b.dtype != np.int8 or b_scale is None else b_scale
        a, b = quantized(a, a_scales), quantized(b, b_scale)
        sums = rescaled(exact(a) @ exact(b.T if op.transB else b), 1 / (a_scales * b_scale))
    else:
        sums = a @ (b.T if op.transB else b)
    if c is not None:
        sums = sums + (c if beta == 1 else beta * c).reshape(_placed(op, c, *sums.shape))
    result = sums if alpha == 1 else alpha * sums
    result = result.T if op.output_transpose else result
    return result[:, None] if op.output_N1M else result


def _matrix(x: Array) -> Array:
    """Return a blob as a matrix: a 1-D blob is a row; the channels of a 3-D blob are rows. Raises
    `ValueError` for a 4-D blob. (The runtime treats packed 1-D elements as rows; if their number
    equals a vector register's, its results differ.)"""
    if x.ndim == 4:
        raise ValueError("a blob of 4 dims cannot be a matrix")
    return x[None] if x.ndim == 1 else x[:, 0] if x.ndim == 3 else x


def _placed(op: GemmOp, c: Array, rows: int, columns: int) -> tuple[int, ...]:
    """Return the shape that C broadcasts from. A 1-D blob is one value per column if its extent
    fits, else one per row."""
    if op.constantC == 1:
        broadcast = op.constant_broadcast_type_C
        return ((1, 1), (rows, 1), (rows, 1), (rows, columns), (1, columns))[broadcast]
    shape = c.shape
    if len(shape) == 1:
        (n,) = shape
        shape = (1, n) if n == columns else (n, 1) if n == rows else (1, 1) if n == 1 else shape
    if shape not in ((rows, 1), (rows, columns), (1, columns), (1, 1)):
        raise ValueError(
            f"{op.label()}: a C of {c.shape} does not fit a product of {rows}x{columns}"
        )
    return shape
