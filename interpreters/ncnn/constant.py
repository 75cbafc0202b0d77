"""Reference semantics of the layer in `dialects/ncnn/constant.py`."""

from ...dialects.ncnn.constant import ConstantOp
from .semantics import Array, Inputs, Weights, semantics


@semantics(ConstantOp)
def constant(op: ConstantOp, inputs: Inputs, weights: Weights) -> Array:
    return op.read()
