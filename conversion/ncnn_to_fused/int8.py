"""Layers with int8 weights as anchors.

An operation of its own quantizes the input to int8. Sums are int32. The epilogue converts them to
float32, or to int8 again.
"""

from collections.abc import Mapping
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import TensorType, f32, i8
from xdsl.ir import Attribute, SSAValue

from ...dialects.fused import ElementwiseOp, FusedOp
from ...dialects.ncnn.constant import ConstantOp, attached_constant
from ...dialects.ncnn.convolution import ConvolutionDepthWiseOp, ConvolutionOp
from ...dialects.ncnn.formulas import Arg, to_int8
from ...dialects.ncnn.innerproduct import InnerProductOp
from ...dialects.ncnn.weights import ElidedAttr, Weight, make_weight
from ...dialects.shapes.tensors import element_of
from ...transforms.rewriting.scalar_code import NotFused, dequantized
from ..epilogues.constants import has_values, like, new_constant, read_float32
from ..epilogues.operands import EpilogueOperand
from .anchors import ACC, FusedOpPlan, argument, make

Array = NDArray[Any]


Int8Layer: TypeAlias = ConvolutionOp | ConvolutionDepthWiseOp | InnerProductOp
"""The layers that may have int8 weights."""


def int8_plan(
    op: Int8Layer, cls: type[FusedOp], properties: Mapping[str, Attribute], outputs: int
) -> FusedOpPlan:
    """Return the plan for a layer with `bottom_int8_scales` and with `weight_int8_scales`, one
    scale per `outputs` output channels (forward_int8 in src/layer/convolution.cpp)."""
    scale = new_constant(_descales(op, outputs), op.num_output, "descale")
    residuals = [EpilogueOperand(scale, _features(op), hint="scale")]
    if op.bias is not None:
        residuals.append(EpilogueOperand(op.bias, _features(op), hint="bias"))
    y = dequantized(ACC, Arg(1), None if op.bias is None else argument(op.bias, 2))
    y = op.activated(y)
    top = None if isinstance(op, InnerProductOp) else op.top_int8_scales
    if top is not None:
        residuals.append(EpilogueOperand(top, hint="scale"))
        y = to_int8(y * argument(top, len(residuals)))
    weight = _quantized_weight(op, outputs)
    return FusedOpPlan(cls, [_quantized_input(op), weight, None], y, properties, residuals)


def _features(op: Int8Layer) -> tuple[int, ...]:
    """Return the axis of the output channels: the innermost axis in rows; else empty, for the
    outermost one."""
    type_ = op.results[0].type
    rows = isinstance(type_, TensorType) and len(cast(Any, type_).get_shape()) == 2
    return (1,) if rows else ()


def _quantized_input(op: Int8Layer) -> SSAValue:
    """Return the input as int8. The operation that quantizes it is not inserted yet."""
    value = op.input
    if element_of(value) == i8:
        return value
    if element_of(value) != f32:
        raise NotFused(f"an input of {element_of(value)}")
    scale = EpilogueOperand(_scales(op)[1], hint="scale")
    plan = FusedOpPlan(ElementwiseOp, [value], to_int8(ACC * argument(scale.value, 1)), {}, [scale])
    quantized = make(plan, like(value, i8))
    if op.layer_name is not None:
        quantized.set_names(f"{op.layer_name.data}_int8", None)
    quantized.result.name_hint = f"{value.name_hint}_int8" if value.name_hint else "int8"
    return quantized.result


def _quantized_weight(op: Int8Layer, outputs: int) -> SSAValue:
    """Return the weight as int8. Float weights are rounded as the runtime rounds them on
    loading."""
    constant = attached_constant(op.weight)
    assert constant is not None
    if element_of(op.weight) == i8:
        return op.weight
    type_ = cast(TensorType[Any], like(op.weight, i8))
    value: Weight = ElidedAttr()
    own, _ = _scales(op)
    if has_values([op.weight, own]):
        weight = constant.read().astype("f4")
        scales = np.repeat(read_float32(own), outputs)
        scales = np.resize(scales, len(weight)).reshape(-1, *[1] * (weight.ndim - 1))
        scaled = weight * scales
        rounded = np.trunc(scaled + np.copysign(np.float32(0.5), scaled))
        value = make_weight(np.clip(rounded, -127, 127).astype("i1"), type_)
    result = ConstantOp.of(value, type_)
    result.output.name_hint = op.weight.name_hint
    return result.output


def _descales(op: Int8Layer, outputs: int) -> Array | None:
    """Return the factor of the sums, one value per output channel; `None` if the scales were left
    out."""
    both = _scales(op)
    if not has_values(both):
        return None
    scales, bottom = map(read_float32, both)
    with np.errstate(divide="ignore"):
        inverse: Array = np.where(scales == 0, np.float32(0), np.float32(1) / (scales * bottom))
    return np.resize(np.repeat(inverse, outputs), int(op.num_output))


def _scales(op: Int8Layer) -> tuple[SSAValue, SSAValue]:
    """Return the scales of the weight and of the input. A layer with an int8 term has both."""
    own, bottom = op.weight_int8_scales, op.bottom_int8_scales
    assert own is not None
    assert bottom is not None
    return own, bottom
