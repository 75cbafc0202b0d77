"""The scalar code of the layers in `dialects/ncnn/normalization.py` that scale and shift channels.
Constants that are known are made one factor and one summand a channel."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, TensorType, f32
from xdsl.ir import SSAValue

from ...dialects.ncnn.blob import rank_of
from ...dialects.ncnn.constant import ConstantOp, attached_constant
from ...dialects.ncnn.interfaces import Affine, ChannelAffine, ChannelAxis
from ...dialects.ncnn.normalization import BatchNormOp, BiasOp, ScaleOp, read_float64
from ...dialects.ncnn.weights import ElidedAttr, Weight, WeightAttr, make_weight
from .registry import NotFused, Operand, per_channel, scalar_code
from .terms import Term

if TYPE_CHECKING:
    from numpy.typing import NDArray


def new_constant(values: "NDArray[Any] | None", size: int, hint: str) -> SSAValue:
    """A weight of so many float32: these, rounded once, or `None` for values that were left out.
    It stands in no block yet."""
    type_ = TensorType(f32, [size])
    value: Weight = ElidedAttr() if values is None else make_weight(values.astype("f4"), type_)
    constant = ConstantOp.of(value, cast(Any, type_))
    constant.output.name_hint = hint
    return constant.output


def reshaped(value: SSAValue, shape: Sequence[int]) -> ConstantOp:
    """A constant of the same values under another shape. It stands in no block yet."""
    constant = attached_constant(value)
    assert constant is not None
    type_ = TensorType(cast(Any, value.type).element_type, shape)
    stored: Any = constant.value
    if isinstance(stored, DenseIntOrFPElementsAttr):
        stored = DenseIntOrFPElementsAttr(cast(Any, type_), cast(Any, stored).data)
    elif not isinstance(stored, WeightAttr | ElidedAttr):
        stored = make_weight(constant.read().reshape(shape), type_)
    result = ConstantOp.of(stored, type_)
    result.output.name_hint = value.name_hint
    return result


def has_values(values: Sequence[SSAValue | None]) -> bool:
    """Whether weights, as far as they are there, are known. Raises `NotFused` unless all are
    constants or none."""
    constants = [attached_constant(v) for v in values if v is not None]
    if any(constant is None for constant in constants):
        raise NotFused("its weights are no constants")
    return all(c is not None and c.has_values() for c in constants)


def folded(op: Any, channels: int) -> Affine | None:
    """What a layer does to channels; `None` if its weights were left out."""
    if not has_values(list(op.weight_operands().values())):
        return None
    affine = cast(ChannelAffine, op).affine(ChannelAxis(channels, op.input))
    if affine is None:
        raise NotFused("its weights are not known to be one value a channel")
    return affine


def _batchnorm_operands(op: BatchNormOp) -> list[Operand]:
    affine, channels = folded(op, op.channels), op.channels
    stem = (op.slope.name_hint or "bn_slope").removesuffix("_slope")
    scale = new_constant(affine and affine.scale, channels, f"{stem}_scale")
    shift = new_constant(affine and affine.shift, channels, f"{stem}_shift")
    factor, summand = per_channel(op, scale, "scale"), per_channel(op, shift, "shift")
    return [Operand(op.input, leads=True), factor, summand]


@scalar_code(BatchNormOp, operands=_batchnorm_operands)
def batch_norm(op: Any, x: Term, scale: Term, shift: Term) -> Term:
    return x * scale + shift


@scalar_code(ScaleOp)
def scale(op: Any, x: Term, factor: Term, bias: Term | None = None) -> Term:
    return x * factor if bias is None else x * factor + bias


def _bias_operands(op: BiasOp) -> list[Operand]:
    rank = rank_of(op.input)
    if rank is None:
        raise NotFused("how it is applied depends on an unknown number of dims")
    if rank > 2:
        return [Operand(op.input, leads=True), per_channel(op, op.bias, "bias")]
    # The runtime adds the first one to all elements.
    first = read_float64(op.bias)[:1] if has_values([op.bias]) else None
    shift = new_constant(first, 1, op.bias.name_hint or "bias")
    return [Operand(op.input, leads=True), Operand(shift, hint="bias")]


@scalar_code(BiasOp, operands=_bias_operands)
def bias(op: Any, x: Term, summand: Term) -> Term:
    return x + summand
