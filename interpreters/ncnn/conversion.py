"""What the layers of `dialects/ncnn/conversion.py` compute."""

from collections.abc import Sequence

import numpy as np

from ...dialects.ncnn.conversion import CastOp, PackingOp, storage_word
from .semantics import Array, NoSemantics, Weights, semantics
from .shapes import static_result_shape


@semantics(CastOp)
def cast(op: CastOp, inputs: Sequence[Array], weights: Weights) -> Array:
    """Values of bfloat16, which NumPy does not have, are kept as float32. float16 is rounded as
    hardware does: the runtime's own code takes halves up and what is denormal as 0."""
    (x,) = inputs
    if op.type_from == op.type_to:
        return x
    match storage_word(op.type_from), storage_word(op.type_to):
        case "float32", "float16":
            return x.astype("f2")
        case "float32", "bfloat16":  # halves up
            bits = x.view("<u4").astype("u8") + 0x8000
            return (bits & 0xFFFF0000).astype("<u4").view("<f4")
        case (("float16" | "bfloat16" | "int8"), "float32"):
            return x.astype("f4")
        case _:
            raise NoSemantics(f"{op.label()}: the runtime does not set the elements")


@semantics(PackingOp)
def packing(op: PackingOp, inputs: Sequence[Array], weights: Weights) -> Array:
    """What fills up the last element is 0 here; the runtime does not set it."""
    (x,) = inputs
    result = np.zeros(static_result_shape(op, inputs), x.dtype, like=x)
    result[: len(x)] = x
    return result
