"""Conversions between float, int8 and int32 blobs, and the quantize_term of matrices."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from xdsl.dialects.builtin import i8
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import operand_def, opt_operand_def
from xdsl.utils.exceptions import VerifyException

from ...formats.weight_storage import BLOCK_BITS, BLOCK_SIZES, BinEncoding
from .cost import elements, product
from .formulas import Term, from_int, to_int8
from .interfaces import (
    ACTIVATION_FLOPS,
    ACTIVATIONS,
    CLIP,
    HARD_SWISH,
    LEAKY_RELU,
    Activation,
    HasFormula,
)
from .layer import KeepsShape, UnaryLayer, layer
from .params import enum_param, floats_param
from .weight_specs import Shape, WeightSlot, optional_weight, weight, weight_size


@dataclass(frozen=True)
class BlockQuantization:
    """The meaning of a quantize_term of 400 and more: rows of packed integers with one float scale
    per block."""

    bits: int
    """Bits per element, one of `BLOCK_BITS`."""
    block_size: int
    """Elements of a row that share a scale, one of `BLOCK_SIZES`."""
    input_scales: bool
    """Whether the input is scaled as well, with one scale per element of a row."""

    @property
    def term(self) -> int:
        """The equivalent quantize_term."""
        return self.bits * 100 + self.input_scales * 10 + BLOCK_SIZES.index(self.block_size)

    def packed_bytes(self, count: int) -> int:
        """Return the bytes of a row with this number of elements."""
        if count <= 0:
            raise VerifyException(f"a block-quantized row has {count} elements")
        return (count * self.bits + 7) // 8

    def blocks(self, count: int) -> int:
        """Return the blocks of a row with this number of elements."""
        return -(-count // self.block_size)


def block_quantization(quantize_term: int) -> BlockQuantization | None:
    """Return the meaning of a quantize_term `bits * 100 + input_scales * 10 + block`; `None` for
    other values."""
    bits, rest = divmod(quantize_term, 100)
    scaled, block = divmod(rest, 10)
    if bits not in BLOCK_BITS or scaled > 1 or block >= len(BLOCK_SIZES):
        return None
    return BlockQuantization(bits, BLOCK_SIZES[block], scaled == 1)


def is_int8(quantize_term: int) -> bool:
    """Whether a quantize_term means int8 with one scale per row or matrix."""
    return quantize_term != 0 and block_quantization(quantize_term) is None


def check_quantize_term(label: str, quantize_term: int) -> None:
    """Raise `VerifyException` for a quantize_term that the runtime refuses."""
    unknown = quantize_term >= 400 and block_quantization(quantize_term) is None
    if unknown or quantize_term in (4, 5, 6):
        raise VerifyException(f"{label}: quantize_term {quantize_term} is not supported")


class Quantized(Protocol):
    """The parameter that selects the quantization of matrices."""

    quantize_term: int


def blocks_of(params: Quantized) -> BlockQuantization | None:
    """Return the block quantization that parameters select; `None` if they select none."""
    return block_quantization(params.quantize_term)


_Size = Callable[[Any], int]
"""A number of rows or columns as a function of the layer's parameters."""


def packed_columns(params: Quantized, count: int) -> int:
    """Return the columns of a matrix as it is stored: the bytes of a row that is packed in
    blocks."""
    block = blocks_of(params)
    return count if block is None else block.packed_bytes(count)


@dataclass(frozen=True)
class PackedSlot(WeightSlot):
    """The declaration of a matrix whose rows may be packed integers in blocks. A packed matrix is
    raw bytes in the `.bin`, without a tag (`ModelBin::load` with types 4, 6 and 8)."""

    def packed(self, params: Quantized) -> bool:
        """Whether the parameters select packed rows."""
        return blocks_of(params) is not None

    def encoding(self, params: Any) -> BinEncoding:
        return "packed" if self.packed(params) else "tagged"


def packed_weight(rows: _Size, columns: _Size) -> SSAValue:
    """Declare a matrix, tagged or packed, that the layer always has."""

    def shape(p: Any) -> Shape:
        return (rows(p), packed_columns(p, columns(p)))

    return operand_def(PackedSlot(shape, True, lambda params: True, False, "quantize_term"))


def optional_packed_weight(
    shape: Callable[[Any], Shape], *, when: Callable[[Any], bool]
) -> SSAValue | None:
    """Declare a matrix, tagged or packed, that the layer has if a condition on its parameters
    holds."""
    return opt_operand_def(PackedSlot(shape, True, when, False, "quantize_term"))


def block_scales(rows: _Size, columns: _Size) -> SSAValue | None:
    """Declare the scales of a packed matrix, one per block."""

    def shape(p: Quantized) -> Shape:
        block = blocks_of(p)
        return (rows(p), 0 if block is None else block.blocks(columns(p)))

    return optional_weight(shape, when=lambda p: blocks_of(p) is not None, positive=True)


def block_input_scales(columns: _Size) -> SSAValue | None:
    """Declare the scales of the input of a packed matrix, one per column."""

    def when(p: Quantized) -> bool:
        block = blocks_of(p)
        return block is not None and block.input_scales

    return optional_weight(lambda p: (columns(p),), when=when, positive=True)


class DynamicInt8:
    """A layer whose int8 code needs no input scales, because it quantizes inputs at run time.
    Scales of an int8 weight `x` are `x_int8_scales` (one per row) or `x_int8_scale` (one for all).
    """

    INT8_BY: ClassVar[str] = "int8_scale_term"
    """The parameter that selects int8 if it is not 0."""
    WEIGHTS: ClassVar[Mapping[str, WeightSlot]]

    @classmethod
    def int8_scales(cls) -> dict[str, str]:
        """The weights that are int8 then, with the names of their scales."""
        known = cls.WEIGHTS
        pairs = ((name, f"{name}_int8_scale{s}") for name in known for s in ("", "s"))
        return {name: scales for name, scales in pairs if scales in known}

    def integers(self) -> str | None:
        """The arithmetic: `int8`, `4 bits` (for weights in blocks), or `None` for floats."""
        term: int = getattr(self, self.INT8_BY)
        block = block_quantization(term) if self.INT8_BY == "quantize_term" else None
        return None if not term else "int8" if block is None else f"{block.bits} bits"

    def shares_scale(self, name: str) -> int | None:
        """Return the axis of a weight along which elements share a scale; `None` if all elements
        do."""
        return -1 if self.int8_scales()[name].endswith("s") else None


class BlockWeights(DynamicInt8):
    """A layer that also accepts matrices of packed integers: a weight `x` with scales
    `x_quantize_scales` and, if the input is scaled, `x_input_scales`."""

    INT8_BY: ClassVar[str] = "quantize_term"

    @classmethod
    def matrices(cls) -> list[str]:
        """The weights that are packed then, in order."""
        return [name for name, slot in cls.WEIGHTS.items() if isinstance(slot, PackedSlot)]

    def blocks_refusal(self, bits: int, turned: bool = False) -> str | None:
        """Return the reason why the runtime refuses this number of bits, because of other
        parameters, with the matrices as given or `turned`."""
        return None


@layer
class QuantizeOp(HasFormula, KeepsShape, UnaryLayer):
    """To int8: `y = clamp(round(x * scale[c]), -127, 127)`, with c along the outermost axis, or one
    scale for all channels.

    Shapes: any of 1 to 4 dims -> the same, of int8. A 1-D blob has one scale.
    """

    FLOPS_PER_ELEMENT: ClassVar[int] = 4

    scale = weight(lambda p: (p.scale_data_size,), positive=True)
    scale_data_size = weight_size(0, "scale", default=1)
    """The number of scales: 1 or the number of channels."""

    def infer_elements(self, elements: Sequence[Attribute]) -> Sequence[Attribute]:
        return [i8]

    def formula(self, x: Term, scale: Term) -> Term:
        return to_int8(x * scale)


@layer
class DequantizeOp(HasFormula, KeepsShape, UnaryLayer):
    """From int32 sums to floats: `y = x * scale[c] + bias[c]`, with c along the outermost axis, or
    one scale or bias for all channels.

    Shapes: any of 1 to 4 dims -> the same, of floats. A 1-D blob has one scale and bias.
    """

    ANY_ELEMENTS: ClassVar[bool] = True

    scale = weight(lambda p: (p.scale_data_size,), positive=True)
    bias = optional_weight(lambda p: (p.bias_data_size,), when=lambda p: p.bias_data_size)
    scale_data_size = weight_size(0, "scale", default=1)
    """The number of scales: 1 or the number of channels."""
    bias_data_size = weight_size(1, "bias")
    """The number of biases: 0, 1 or the number of channels."""

    def other_flops(self) -> int | None:
        return product(1 if self.bias is None else 2, elements(self.output))

    def formula(self, x: Term, scale: Term, bias: Term | None = None) -> Term:
        y = from_int(x) * scale
        return y if bias is None else y + bias


@layer
class RequantizeOp(HasFormula, KeepsShape, UnaryLayer):
    """From int32 sums to int8: `y = clamp(round(activation(x * scale_in[c] + bias[c]) *
    scale_out[c]), -127, 127)`, with c along the outermost axis, or one value for all channels.

    Shapes: any of 1 to 4 dims -> the same, of int8. A 1-D blob has one scale and bias.
    """

    ANY_ELEMENTS: ClassVar[bool] = True

    activation_type = enum_param(3, ACTIVATIONS)
    """The activation between the scales."""
    activation_params = floats_param(4)
    """The activation's parameters: [slope], [min, max] or [alpha, beta]."""

    scale_in = weight(lambda p: (p.scale_in_data_size,), positive=True)
    scale_out = weight(lambda p: (p.scale_out_data_size,), positive=True)
    bias = optional_weight(lambda p: (p.bias_data_size,), when=lambda p: p.bias_data_size)
    scale_in_data_size = weight_size(0, "scale_in", default=1)
    """The number of input scales: 1 or the number of channels."""
    scale_out_data_size = weight_size(1, "scale_out", default=1)
    """The number of output scales: 1 or the number of channels."""
    bias_data_size = weight_size(2, "bias")
    """The number of biases: 0, 1 or the number of channels."""

    def verify_layer(self) -> None:
        label, given = self.label(), len(self.activation_params)
        if not 0 <= self.activation_type < len(ACTIVATIONS):
            raise VerifyException(f"{label}: unknown activation_type {self.activation_type}")
        needed = {LEAKY_RELU: 1, CLIP: 2, HARD_SWISH: 2}.get(self.activation_type, 0)
        if given < needed:
            raise VerifyException(f"{label}: {given} activation_params, but {needed} are needed")

    def infer_elements(self, elements: Sequence[Attribute]) -> Sequence[Attribute]:
        return [i8]

    def other_flops(self) -> int | None:
        each = 5 + int(self.bias is not None) + ACTIVATION_FLOPS[self.activation_type]
        return product(each, elements(self.output))

    def formula(self, x: Term, scale_in: Term, scale_out: Term, bias: Term | None = None) -> Term:
        y = from_int(x) * scale_in
        activation = Activation(self.activation_type, self.activation_params)
        return to_int8(activation.formula(y if bias is None else y + bias) * scale_out)
