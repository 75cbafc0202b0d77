"""The operands of element-wise layers in an epilogue: blobs and weights, with the axes along which
they broadcast. `HasFormula` defines the formula of their elements.

Some epilogues read other operands than the layer has: known constants become one factor and one
summand per channel, and some weights broadcast only if ranks are known.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue

from ...dialects.ncnn.blob import agree
from ...dialects.ncnn.elementwise import EltwiseOp, expand
from ...dialects.ncnn.interfaces import HasFormula
from ...dialects.ncnn.layer import LayerOp, SameShapeLayer
from ...dialects.ncnn.normalization import BatchNormOp, BiasOp, read_float64
from ...dialects.ncnn.quantization import DequantizeOp, QuantizeOp, RequantizeOp
from ...dialects.shapes.analysis import Shapes
from ...dialects.shapes.tensors import element_of, spread_extents
from ...dialects.shapes.terms import Extents, provably_equal
from ...transforms.rewriting.scalar_code import NotFused
from .constants import folded, has_values, new_constant

MOST_OPERANDS = 64
"""An Eltwise with more operands stays a layer: fusing it gains nothing."""


@dataclass(frozen=True)
class EpilogueOperand:
    """A blob whose elements a formula reads."""

    value: SSAValue
    axes: tuple[int, ...] = ()
    """The result axes that its axes map to; empty for the outermost axes in order."""
    leads: bool = False
    """Whether it has the shape of the result."""
    hint: str = "r"
    """The name of its element."""


Operands: TypeAlias = Callable[[Any, Shapes], Sequence[EpilogueOperand]]
"""Returns the operands of a layer. Raises `NotFused` if it is not known how they broadcast."""


def default_operands(op: LayerOp, shapes: Shapes) -> list[EpilogueOperand]:
    """Return input blobs of the result's shape, then weights with one value per index of the
    outermost axis."""
    if not isinstance(op, SameShapeLayer) and len(op.data_operands()) > 1:
        blobs = [*broadcast_operands(op, shapes)]
    else:
        blobs = [EpilogueOperand(v, leads=True) for v in op.data_operands()]
    weights = [
        per_channel(op, v, n, shapes) for n, v in op.weight_operands().items() if v is not None
    ]
    return [*blobs, *weights]


def per_channel(op: LayerOp, value: SSAValue, hint: str, shapes: Shapes) -> EpilogueOperand:
    """Return a weight with one value per index of the outermost axis, or one value in all."""
    shape, own = shapes.of(value), shapes.of(op.results[0])
    if shape is None or len(shape) != 1 or not isinstance(shape[0], int):
        raise NotFused(f"{value.type} is not known to be one value a channel")
    if own is not None and shape[0] not in (1, own[0]) and isinstance(own[0], int):
        raise NotFused(f"{shape[0]} values for {own[0]} channels")
    return EpilogueOperand(value, hint=hint)


def broadcast_operands(op: LayerOp, shapes: Shapes) -> list[EpilogueOperand]:
    """Return input blobs that broadcast like the inputs of a BinaryOp (src/layer/binaryop.cpp)."""
    values = op.data_operands()
    if shapes.same(*values):
        return [EpilogueOperand(v, leads=True) for v in values]
    found = list(map(shapes.of, values))
    known = [shape for shape in found if shape is not None]
    if len(known) < len(found):
        raise NotFused("the ranks of the operands are unknown")
    widest = max(known, key=len)
    axes = [_axes_in(shape, widest) for shape in known]
    spread = [spread_extents(shape, a, len(widest)) for shape, a in zip(known, axes, strict=True)]
    # An operand has the shape of the result if no other operand may be longer along any axis.
    leads = [
        all(extent in (1, own[i]) for other in spread for i, extent in enumerate(other))
        for own in spread
    ]
    whole = [lead and len(shape) == len(widest) for lead, shape in zip(leads, known, strict=True)]
    return [EpilogueOperand(*row) for row in zip(values, axes, whole, strict=True)]


def _axes_in(shape: Extents, widest: Extents) -> tuple[int, ...]:
    """Return the axes of a blob in a blob of higher rank; empty for the outermost axes."""
    expanded = expand(shape, widest)
    if expanded is None:
        raise NotFused("it is not known along which axis an operand broadcasts")
    more = len(widest) - len(shape)
    inner = more > 0 and expanded[:more] == (1,) * more and provably_equal(expanded[more:], shape)
    return tuple(range(more, len(widest))) if inner and shape != (1,) else ()


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
