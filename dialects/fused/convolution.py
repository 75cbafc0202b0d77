"""Convolutions and transposed convolutions, in 1, 2 and 3 dims.

Weights are `outputs x inputs a group x kernel`, as in ncnn's files; the kernel is row-major.
"""

from abc import ABC
from collections.abc import Sequence
from dataclasses import replace

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Attribute
from xdsl.irdl import (
    AttrSizedOperandSegments,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    var_operand_def,
)

from ..shapes.analysis import Shape
from ..shapes.tensors import TensorConstraint, known, shape_of, shape_text
from ..shapes.windows import Window
from .assembly import ProductSignature, Residuals
from .epilogue import check_bias, check_products, sums_of
from .properties import float_prop, int_prop, ints_prop
from .window import Windowed, dims, slid

CONVOLUTION = """
$input `weight` $weight (`bias` $bias^)? custom<Residuals>($residuals, $residual_axes)
(`strides` $strides^)? (`dilations` $dilations^)? (`pads` $pads^)? {} (`groups` $groups^)?
attr-dict `:`
custom<ProductSignature>(
  type($input), type($weight), type($bias), type($residuals), type($result), $epilogue
)
"""


class Convolutional(Windowed, ABC):
    """What both kinds share: `acc = weight * x + bias`."""

    input = operand_def(TensorConstraint())
    weight = operand_def(TensorConstraint())
    bias = opt_operand_def(TensorConstraint())
    residuals = var_operand_def(TensorConstraint())

    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    custom_directives = (Residuals, ProductSignature)

    dilations = ints_prop()
    """How far the elements of the kernel are apart."""
    groups = int_prop(1)
    """Into how many groups channels are divided; 1 if it is left out."""

    @classmethod
    def accumulator_of(cls, *elements: Attribute | None) -> Attribute:
        return sums_of(*elements[:2])

    def group_count(self) -> int:
        """Into how many groups channels are divided."""
        return self.groups.value.data

    def spatial_rank(self) -> int | None:
        ranks = [(self.input, 1), (self.result, 1), (self.weight, 2)]
        known_ranks = [len(s) - n for v, n in ranks if (s := shape_of(v)) is not None]
        return known_ranks[0] if known_ranks else None

    def window(self, extents: Sequence[int], kernel: Sequence[int] | None = None) -> Window:
        rank = len(extents)
        kernel = dims(self.weight, rank + 2)[2:] if kernel is None else kernel
        steps = self.numbers("strides", rank), self.numbers("dilations", rank)
        return Window(tuple(kernel), *steps, self.pad_pairs(rank), self.group_count())

    def verify_anchor(self) -> None:
        check_products(self, self.input, self.weight)
        rank = self.spatial_rank()
        if rank is None:
            return
        for value, more in ((self.input, 1), (self.weight, 2)):
            shape = shape_of(value)
            fits = shape is None or len(shape) == rank + more
            self.check(fits, f"{value.type} is no operand of a convolution along {rank} axes")
        self.check(1 <= rank <= 3, f"a convolution along {rank} axes")
        self.check_lists(rank)
        channels = dims(self.input, rank + 1)[0]
        outputs, inputs, *kernel = dims(self.weight, rank + 2)
        groups = self.group_count()
        self.check(groups > 0, f"{groups} groups")
        fits = not known(outputs) or outputs % groups == 0
        self.check(fits, f"{groups} groups of {outputs} output channels")
        fits = not (known(channels) and known(inputs)) or channels == inputs * groups
        self.check(
            fits, f"the input has {channels} channels, the weight is for {inputs} x {groups}"
        )
        empty = any(known(n) and n < 1 for n in kernel)
        self.check(not empty, f"a kernel of {shape_text(kernel)}")
        check_bias(self, self.bias, outputs)


@irdl_op_definition
class ConvOp(Convolutional):
    """A convolution:
    `acc[o, …] = sum(weight[o, i, k] * x[i, … * stride + k * dilation - pad]) + bias[o]`.

    Shapes: x `inputs x …`, weight `outputs x inputs/groups x kernel`, bias `outputs`
    -> `outputs x …`.
    Properties: strides, dilations, pads (before and after each axis), pad_value (what the padding
    is filled with), groups.
    Accumulator: f32; i32 if x and weight are int8.
    Example: `%y = fused.conv %x weight %w bias %b pads [1, 1, 1, 1] : (…) -> …`
    """

    name = "fused.conv"

    pad_value = float_prop(0)

    assembly_format = CONVOLUTION.format("(`pad_value` $pad_value^)?")

    def result_shape(self) -> Shape | None:
        rank = self.spatial_rank()
        if rank is None:
            return None
        extents = dims(self.input, rank + 1)[1:]
        return (dims(self.weight, rank + 2)[0], *slid(self.window(extents), extents))


@irdl_op_definition
class ConvTransposeOp(Convolutional):
    """A transposed convolution: each element of x is multiplied by the whole kernel and added at
    its place, then the pads are cut off:
    `acc[o, … * stride + k * dilation - pad] += weight[o, i, k] * x[i, …]`, and `+ bias[o]`.

    Shapes: x `inputs x …`, weight `outputs x inputs/groups x kernel`, bias `outputs`
    -> `outputs x …`, along each axis `(n - 1) * stride + span + output_padding - pads`.
    Properties: strides, dilations, pads (cut off before and after each axis), output_padding (more
    elements after each axis, before the pads are cut off), groups.
    Accumulator: f32; i32 if x and weight are int8.
    Example: `%y = fused.conv_transpose %x weight %w strides [2, 2] : (…) -> …`
    """

    name = "fused.conv_transpose"

    output_padding = ints_prop()

    assembly_format = CONVOLUTION.format("(`output_padding` $output_padding^)?")

    def window(self, extents: Sequence[int], kernel: Sequence[int] | None = None) -> Window:
        more = self.numbers("output_padding", len(extents))
        return replace(super().window(extents, kernel), more=more)

    def result_shape(self) -> Shape | None:
        rank = self.spatial_rank()
        if rank is None:
            return None
        extents = dims(self.input, rank + 1)[1:]
        window = self.window(extents)
        rows = zip(extents, window.spans, window.strides, window.more, window.pads, strict=True)
        reached = (
            (n - 1) * stride + span + more - sum(pads)
            if known(n) and known(span)
            else DYNAMIC_INDEX
            for n, span, stride, more, pads in rows
        )
        return (dims(self.weight, rank + 2)[0], *reached)
