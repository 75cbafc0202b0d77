"""Weights as int8 with a scale a row, or one for all, as layers take them that quantize what they
multiply them by when they run.

| layer | weights | scales |
| --- | --- | --- |
| Gemm | A, B as far as they are constants | one a row of A, one for B |
| MultiHeadAttention | those of query, key and value; of the output | one a row; one for all |
| RNN, LSTM, GRU | weight_xc, weight_hc | one a row |
| Embed | weight | one for all |

The input, the hidden state, and in attention the query, the keys and the shares are quantized in
the runtime by their largest value, a row or a blob at a time. Scales are `127 / largest`, 1 for
rows of zeros. (`quantize_*` of ncnn's `tools/quantize/ncnn2int8.cpp`, `forward_int8` of
`src/layer/gemm.cpp`, `multiheadattention.cpp`, `sdpa.cpp` and `*_int8` of `rnn.cpp`, `lstm.cpp`,
`gru.cpp`, `embed.cpp`.)
"""

from collections.abc import Sequence

import numpy as np

from ....dialects.ncnn.layer import LayerOp
from ....dialects.ncnn.quantization import DynamicInt8
from ..layer_weights import Replacement, matrix_of
from .scaled_integers import (
    Array,
    check_scales,
    check_values,
    chunks,
    scale_of_all,
    scales_of,
    to_integers,
)

TERM = 2
"""What ncnn's tools write into the parameter; any value that is not 0 says the same."""

_MOST = 127


def in_int8(op: LayerOp, shares: Sequence[float]) -> Replacement | None:
    """The weights of a layer in int8, with their scales; `None` if it multiplies blobs alone.
    Raises `Unfit`."""
    assert isinstance(op, DynamicInt8)
    found: dict[str, Array] = {}
    for name, scales_name in op.int8_scales().items():
        weight = matrix_of(op, name)
        if weight is None:
            continue
        found[name], found[scales_name] = _quantized(weight, op.shares_scale(name), shares)
    return Replacement(found, {op.INT8_BY: TERM}) if found else None


def _quantized(weight: Array, axis: int | None, shares: Sequence[float]) -> tuple[Array, Array]:
    """A weight as int8, and the scales of what lies along an axis, or of all."""
    turned = weight if axis is None else np.moveaxis(weight, axis, -1)
    rows = turned.reshape(-1, turned.shape[-1])
    check_values(rows)
    integers = np.empty(rows.shape, "i1")
    scales = np.empty(len(rows), "f4")
    if axis is None:
        scales[:] = scale_of_all(rows, _MOST, shares)
    for part in chunks(*rows.shape):
        values = np.asarray(rows[part], "f4")
        if axis is not None:
            scales[part] = scales_of(values, _MOST, shares)
        with np.errstate(invalid="ignore"):  # that of an infinite scale is NaN
            integers[part] = to_integers(values, scales[part, None], _MOST)
    check_scales(scales)
    whole = integers.reshape(turned.shape)
    if axis is None:
        return whole, scales[:1]
    return np.moveaxis(whole, -1, axis), scales.reshape(turned.shape[:-1])
