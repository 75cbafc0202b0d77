"""Weights of layers that become others."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import TensorType, f32, i8
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ..dialects.ncnn.constant import ConstantOp, attached_constant
from ..dialects.ncnn.layer import LayerOp
from ..dialects.ncnn.weights import make_weight

Array = NDArray[Any]


def read(value: SSAValue) -> Array:
    """The elements of a weight."""
    constant = attached_constant(value)
    assert constant is not None
    values: Array = constant.read()
    return values.astype("f8")


def fits_float32(values: Array) -> NDArray[np.bool_]:
    """Whether each value is finite in float32."""
    return np.abs(values) <= np.finfo("f4").max


def constant_before(op: LayerOp, old: SSAValue | None, values: Array) -> SSAValue:
    """A weight for a layer, in float32 unless it is int8; it takes the name of another one."""
    integers = values.dtype == np.int8
    type_ = TensorType(i8 if integers else f32, values.shape)
    new = ConstantOp.of(make_weight(values if integers else values.astype("f4"), type_), type_)
    new.output.name_hint = None if old is None else old.name_hint
    Rewriter.insert_op(new, InsertPoint.before(op))
    return new.output


def drop_unused(func: FuncOp) -> None:
    """Removes constants that were weights before."""
    for op in list(func.body.block.ops):
        if isinstance(op, ConstantOp) and op.layer_name is None and op.output.first_use is None:
            Rewriter.erase_op(op)
