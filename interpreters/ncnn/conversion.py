"""Reference semantics of the layers in `dialects/ncnn/conversion.py`."""

import numpy as np

from ...dialects.ncnn.conversion import CastOp, PackingOp, storage_word
from .semantics import Array, Inputs, NoSemantics, Weights, semantics
from .shapes import static_result_shape


@semantics(CastOp)
def cast(op: CastOp, inputs: Inputs, weights: Weights) -> Array:
    """Cast. bfloat16 values, which NumPy lacks, are kept as float32. float16 is rounded as in
    hardware; the runtime's own code rounds halves up and flushes denormals to 0."""
    (x,) = inputs
    if op.type_from == op.type_to:
        return x
    match storage_word(op.type_from), storage_word(op.type_to):
        case "float32", "float16":
            return x.astype("f2")
        case "float32", "bfloat16":  # rounds halves up
            bits = x.view("<u4").astype("u8") + 0x8000
            return (bits & 0xFFFF0000).astype("<u4").view("<f4")
        case (("float16" | "bfloat16" | "int8"), "float32"):
            return x.astype("f4")
        case _:
            raise NoSemantics(f"{op.label()}: the runtime leaves the elements uninitialized")


@semantics(PackingOp)
def packing(op: PackingOp, inputs: Inputs, weights: Weights) -> Array:
    """Packing. The padding of the last element is 0; the runtime leaves it uninitialized."""
    (x,) = inputs
    result = np.zeros(static_result_shape(op, inputs), x.dtype, like=x)
    result[: len(x)] = x
    return result
