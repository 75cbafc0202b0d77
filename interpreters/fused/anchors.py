"""The accumulators of anchors, computed before the epilogue."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ...dialects.fused import ConvOp, ConvTransposeOp, ElementwiseOp, FusedOp, LinearOp, PoolOp
from ...dialects.shapes.tensors import shape_of
from ..ncnn.channels import along_outermost
from ..ncnn.int8 import exact
from ..ncnn.semantics import Array, needed
from ..ncnn.windows import adaptive, correlate, over_windows, pad, spread

Operands = Mapping[str, Array | None]
"""The operands of an anchor by name, `None` for an omitted one."""


def accumulate(op: FusedOp, operands: Sequence[Any]) -> tuple[Any, Sequence[Any]]:
    """Return the accumulator for all elements of the result (`None` if there is none), and the
    residuals, for the values of all operands in order."""
    given = iter(operands)
    anchor = {n: None if v is None else next(given) for n, v in op.anchor_operands().items()}
    function: Callable[[Any, Operands], Array | None] = _FUNCTIONS[type(op)]
    return function(op, anchor), list(given)


def _factors(operands: Operands) -> tuple[Array, Array]:
    """Return input and weight in the type in which their products are summed."""
    x, weight = needed(operands, "input"), needed(operands, "weight")
    if x.dtype.kind == "i":
        return exact(x), exact(weight)
    return x.astype("f4", copy=False), weight.astype("f4", copy=False)


def _finished(sums: Array, x: Array, bias: Array | None) -> Array:
    """Return the sums plus bias, as int32 for integer inputs."""
    if bias is not None:
        sums = sums + bias.astype(sums.dtype)
    return sums.astype("f4" if x.dtype == np.float32 else "i4", copy=False)


def _conv(op: ConvOp, operands: Operands) -> Array:
    x, weight = _factors(operands)
    window, value = op.window_on(x.shape[1:], weight.shape[2:]), op.pad_value.value.data
    value = value if x.dtype == np.float32 else float(np.trunc(value))
    sums = correlate(pad(x, window.pads, value), weight, window)
    return _finished(sums, x, _outermost(operands["bias"], x.ndim))


def _conv_transpose(op: ConvTransposeOp, operands: Operands) -> Array:
    x, weight = _factors(operands)
    sums = spread(x, weight, op.window_on(x.shape[1:], weight.shape[2:]))
    return _finished(sums, x, _outermost(operands["bias"], x.ndim))


def _outermost(bias: Array | None, rank: int) -> Array | None:
    return None if bias is None else along_outermost(bias.reshape(-1), rank)


def _linear(op: LinearOp, operands: Operands) -> Array:
    x, weight = _factors(operands)
    matrix = weight.T if op.transposed is not None else weight.reshape(len(weight), -1)
    rows = x.reshape(-1, x.shape[-1]) if op.has_rows() else x.reshape(1, -1)
    sums = _finished(rows @ matrix.T, x, operands["bias"])
    return sums if op.has_rows() else sums[0]


def _elementwise(op: ElementwiseOp, operands: Operands) -> Array | None:
    return operands["input"]


def _pool(op: PoolOp, operands: Operands) -> Array:
    x = needed(operands, "input")
    x = x if op.is_max() or x.dtype.kind == "i" else x.astype("f4")
    if op.is_global is not None:
        channels = x.reshape(len(x), -1)
        return channels.max(1) if op.is_max() else channels.mean(1)
    if op.adaptive is not None:
        return adaptive(x, _wanted(op), op.is_max())
    window = op.window_on(x.shape[1:])
    pads = window.pads
    least = np.finfo("f4").min if x.dtype.kind == "f" else np.iinfo(x.dtype).min
    empty = float(least) if op.is_max() else 0
    result = over_windows(np.maximum if op.is_max() else np.add, pad(x, pads, empty), window)
    if op.is_max():
        return result
    if op.count_include_pad is not None:
        return result / np.float32(np.prod(window.kernel))
    ones = pad(np.ones((1, *x.shape[1:]), "f4", like=x), pads, 0)
    return result / over_windows(np.add, ones, window)


def _wanted(op: PoolOp) -> Sequence[int]:
    shape = shape_of(op.result)
    if shape is None or min(shape[1:]) < 1:
        raise ValueError("adaptive pooling to dynamic extents")
    return shape[1:]


_FUNCTIONS: Mapping[type[FusedOp], Callable[[Any, Operands], Array | None]] = {
    ConvOp: _conv,
    ConvTransposeOp: _conv_transpose,
    LinearOp: _linear,
    ElementwiseOp: _elementwise,
    PoolOp: _pool,
}
