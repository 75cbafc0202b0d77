"""Layers whose epilogue reads other operands than the layer has: known constants become one factor
and one summand per channel, and some weights broadcast only if ranks are known."""

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import i32

from ...dialects.ncnn.blob import agree
from ...dialects.ncnn.elementwise import EltwiseOp
from ...dialects.ncnn.interfaces import HasFormula
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.normalization import BatchNormOp, BiasOp, read_float64
from ...dialects.ncnn.quantization import DequantizeOp, QuantizeOp, RequantizeOp
from ...dialects.shapes.analysis import Shapes
from ...dialects.shapes.tensors import element_of
from ...transforms.rewriting.scalar_code import NotFused
from .constants import folded, has_values, new_constant
from .operands import EpilogueOperand, Operands, default_operands, per_channel

MOST_OPERANDS = 64
"""An Eltwise with more operands stays a layer: fusing it gains nothing."""


def _batchnorm_operands(op: BatchNormOp, shapes: Shapes) -> list[EpilogueOperand]:
    affine, channels = folded(op, op.channels), op.channels
    stem = (op.slope.name_hint or "bn_slope").removesuffix("_slope")
    scale = new_constant(affine and affine.scale, channels, f"{stem}_scale")
    shift = new_constant(affine and affine.shift, channels, f"{stem}_shift")
    factor = per_channel(op, scale, "scale", shapes)
    return [EpilogueOperand(op.input, leads=True), factor, per_channel(op, shift, "shift", shapes)]


def _bias_operands(op: BiasOp, shapes: Shapes) -> list[EpilogueOperand]:
    rank = shapes.rank(op.input)
    if rank is None:
        raise NotFused("its effect depends on an unknown rank")
    if rank > 2:
        return [EpilogueOperand(op.input, leads=True), per_channel(op, op.bias, "bias", shapes)]
    # The runtime adds the first value to all elements.
    first = read_float64(op.bias)[:1] if has_values([op.bias]) else None
    shift = new_constant(first, 1, op.bias.name_hint or "bias")
    return [EpilogueOperand(op.input, leads=True), EpilogueOperand(shift, hint="bias")]


def _alike(op: EltwiseOp, shapes: Shapes) -> list[EpilogueOperand]:
    if len(op.inputs) > MOST_OPERANDS:
        raise NotFused(f"{len(op.inputs)} operands")
    first, *others = map(shapes.certain, op.inputs)
    if any(not agree(first, shape) for shape in others):
        raise NotFused("the operands have different shapes")
    return [EpilogueOperand(v, leads=True) for v in op.inputs]


def _quantize_operands(
    op: QuantizeOp | DequantizeOp | RequantizeOp, shapes: Shapes
) -> list[EpilogueOperand]:
    operands = default_operands(op, shapes)
    weights = (v for v in op.weight_operands().values() if v is not None)
    several = any(shapes.of(v) != (1,) for v in weights)
    if several and shapes.rank(op.input) in (None, 1):
        raise NotFused("several scales; a 1-D blob uses the first one only")
    return operands


def _integer_operands(op: DequantizeOp | RequantizeOp, shapes: Shapes) -> list[EpilogueOperand]:
    if element_of(op.input) != i32:
        raise NotFused(f"elements of {element_of(op.input)} instead of i32")
    return _quantize_operands(op, shapes)


_OPERANDS: Mapping[type[LayerOp], Operands] = {
    BatchNormOp: _batchnorm_operands,
    BiasOp: _bias_operands,
    EltwiseOp: _alike,
    QuantizeOp: _quantize_operands,
    DequantizeOp: _integer_operands,
    RequantizeOp: _integer_operands,
}
"""The operands of these layers; of other layers see `default_operands`."""


def operands_of(op: HasFormula, shapes: Shapes) -> Sequence[EpilogueOperand]:
    """Return the operands of a layer's formula. Raises `NotFused` if it is not known how they
    broadcast."""
    return _OPERANDS.get(type(op), default_operands)(op, shapes)
