"""Reference semantics of the layer in `dialects/ncnn/constant.py`."""

from collections.abc import Sequence

from ...dialects.ncnn.constant import ConstantOp
from .semantics import Array, Weights, semantics


@semantics(ConstantOp)
def constant(op: ConstantOp, inputs: Sequence[Array], weights: Weights) -> Array:
    return op.read()
