"""Weights as int8 with a scale for each row, or one for all, for layers that quantize their inputs
at run time.

| layer | weights | scales |
| --- | --- | --- |
| Gemm | constants A and B | one for each row of A, one for B |
| MultiHeadAttention | query, key and value; output | one for each row; one for all |
| RNN, LSTM, GRU | weight_xc, weight_hc | one for each row |
| Embed | weight | one for all |

The runtime quantizes the input, the hidden state, and the query, keys and probabilities of an
attention by their largest value, a row or a blob at a time. Scales are `127 / largest`, 1 for rows
of zeros. (`quantize_*` of ncnn's `tools/quantize/ncnn2int8.cpp`, `forward_int8` of
`src/layer/gemm.cpp`, `multiheadattention.cpp`, `sdpa.cpp` and `*_int8` of `rnn.cpp`, `lstm.cpp`,
`gru.cpp`, `embed.cpp`.)
"""

import numpy as np

from ....dialects.ncnn.layer import LayerOp
from ....dialects.ncnn.quantization import DynamicInt8
from ..gptq import to_integers
from ..layer_weights import Array, matrix_of, replace_weights
from .scaled_integers import check_scales, check_values, chunks, qmax_of, scale_of_all, scales_of

TERM = 2
"""The parameter's value that ncnn's tools write. The runtime treats all values but 0 alike."""

_QMAX = qmax_of(8)


def put_int8(op: LayerOp, ratios: Array) -> bool:
    """Store the weights of a layer in int8, with their scales. Return `False` if the layer has no
    weights. Raises `Unfit` before anything changes."""
    assert isinstance(op, DynamicInt8)
    found: dict[str, Array] = {}
    for name, scales_name in op.int8_scales().items():
        weight = matrix_of(op, name)
        if weight is None:
            continue
        found[name], found[scales_name] = _quantized(weight, op.shares_scale(name), ratios)
    if found:
        replace_weights(op, found, {op.INT8_BY: TERM}, {name: name for name in found})
    return bool(found)


def _quantized(weight: Array, axis: int | None, ratios: Array) -> tuple[Array, Array]:
    """Return a weight as int8, and its scales: one for each slice along an axis, or one in all."""
    turned = weight if axis is None else np.moveaxis(weight, axis, -1)
    rows = turned.reshape(-1, turned.shape[-1])
    check_values(rows)
    integers = np.empty(rows.shape, "i1")
    scales = np.empty(len(rows), "f4")
    if axis is None:
        scales[:] = scale_of_all(rows, _QMAX, ratios)
    for part in chunks(*rows.shape):
        values = np.asarray(rows[part], "f4")
        if axis is not None:
            scales[part] = scales_of(values, _QMAX, ratios)
        with np.errstate(invalid="ignore"):  # the integer of an infinite scale is NaN
            integers[part] = to_integers(values, scales[part, None], _QMAX)
    check_scales(scales)
    whole = integers.reshape(turned.shape)
    if axis is None:
        return whole, scales[:1]
    return np.moveaxis(whole, -1, axis), scales.reshape(turned.shape[:-1])
