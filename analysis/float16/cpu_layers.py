"""Layers on the CPU of a model in float16 on a GPU: an x86 processor, whose blobs are float32.

An InnerProduct has float16 weights there, too (with F16C), and these are rounded toward zero
(`src/layer/x86/innerproduct_fp.h`).
"""

from collections.abc import Sequence

import numpy as np

from ...dialects.ncnn.layer import LayerOp
from ..target_info.x86 import X86
from .half_array import Array
from .operands import is_quantized


def operands_on_cpu(op: LayerOp, operands: Sequence[Array]) -> Sequence[Array]:
    """Return the operands that a layer on the CPU computes with."""
    if op.LAYER_TYPE not in X86.half.weights or is_quantized(op):
        return operands
    first = len(op.data_operands())
    return [*operands[:first], truncated(operands[first]), *operands[first + 1 :]]


def truncated(values: Array) -> Array:
    """Return values as float16, rounded toward zero."""
    with np.errstate(over="ignore"):
        found = values.astype("f2")
    away = np.abs(found.astype("f4")) > np.abs(values)
    found[away] = np.nextafter(found[away], np.float16(0))
    return found.astype("f4")
