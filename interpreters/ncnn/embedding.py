"""Reference semantics of the layer in `dialects/ncnn/embedding.py`."""

import numpy as np

from ...dialects.ncnn.embedding import EmbedOp
from .quantization import as_int32
from .semantics import Array, Inputs, Weights, needed, semantics


@semantics(EmbedOp)
def embed(op: EmbedOp, inputs: Inputs, weights: Weights) -> Array:
    x, table = inputs[0], needed(weights, "weight")
    first_row = as_int32(x).reshape(-1, x.shape[-1])[0]
    rows = table[np.clip(first_row, 0, op.input_dim - 1)].astype("f4")
    if op.int8_scale_term:
        rows *= 1 / needed(weights, "weight_int8_scale")
    return rows if (bias := weights["bias"]) is None else rows + bias
