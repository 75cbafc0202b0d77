"""Constants of layers that scale and shift channels, in the form that epilogues read.

BatchNorm has four weights, an epilogue one factor and one summand per channel.
"""

from collections.abc import Sequence
from typing import Any, cast

from numpy.typing import NDArray
from xdsl.dialects.builtin import TensorType, UnrankedTensorType, f32
from xdsl.ir import Attribute, SSAValue

from ...dialects.ncnn.constant import ConstantOp, attached_constant
from ...dialects.ncnn.interfaces import Affine, ChannelAffine, ChannelAxis
from ...dialects.ncnn.weight_specs import Shape
from ...dialects.ncnn.weights import ElidedAttr, Weight, make_weight
from ...dialects.shapes.tensors import shape_of
from ...transforms.rewriting.scalar_code import NotFused


def new_constant(values: NDArray[Any] | None, size: int, hint: str) -> SSAValue:
    """Return a new float32 weight of `size` values; `None` means that the values were left out. Its
    operation is not inserted yet."""
    type_ = TensorType(f32, [size])
    value: Weight = ElidedAttr() if values is None else make_weight(values.astype("f4"), type_)
    constant = ConstantOp.of(value, cast(Any, type_))
    constant.output.name_hint = hint
    return constant.output


def read_float32(value: SSAValue) -> NDArray[Any]:
    """Return the values of a constant as float32."""
    constant = attached_constant(value)
    assert constant is not None
    return constant.read().astype("f4")


def like(value: SSAValue, element: Attribute) -> Attribute:
    """Return the type of a tensor with other elements."""
    shape = shape_of(value)
    return UnrankedTensorType(element) if shape is None else TensorType(element, shape)


def reshaped(value: SSAValue, shape: Shape) -> ConstantOp:
    """Return a constant with the same values and another shape. It is not inserted yet."""
    constant = attached_constant(value)
    assert constant is not None
    return constant.with_shape(shape)


def has_values(values: Sequence[SSAValue | None]) -> bool:
    """Whether the values of all weights are known. Raises `NotFused` if a weight is no constant."""
    constants = [attached_constant(v) for v in values if v is not None]
    if any(constant is None for constant in constants):
        raise NotFused("its weights are not constants")
    return all(c is not None and c.has_values() for c in constants)


def folded(op: ChannelAffine, channels: int) -> Affine | None:
    """Return a layer's scale and shift per channel; `None` if its weights were left out."""
    if not has_values(list(op.weight_operands().values())):
        return None
    affine = op.affine(ChannelAxis(channels, None))
    if affine is None:
        raise NotFused("its weights are not known to be one value a channel")
    return affine
