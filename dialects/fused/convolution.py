"""Convolutions and transposed convolutions, in 1, 2 and 3 dims.

Weights are `outputs x inputs a group x kernel`, as in ncnn's files; the kernel is row-major.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.irdl import irdl_op_definition

from ..shapes.tensors import extents_in, known, shape_of, shape_text
from ..shapes.terms import Extent, Extents
from ..shapes.windows import Window
from .products import OPERANDS, SIGNATURE, Products
from .properties import float_prop, int_prop, ints_prop
from .window import Windowed, extents_of, window_positions

WINDOW = "(`strides` $strides^)? (`dilations` $dilations^)? (`pads` $pads^)?"


class Convolutional(Products, Windowed, ABC):
    """The common part of convolutions and transposed convolutions: `acc = weight * x + bias`."""

    dilations = ints_prop()
    """The distance between kernel elements along each axis."""
    groups = int_prop(1)
    """The number of channel groups; 1 if omitted."""

    def group_count(self) -> int:
        """The number of channel groups."""
        return self.groups.value.data

    def spatial_rank(self) -> int | None:
        ranks = [(self.input, 1), (self.result, 1), (self.weight, 2)]
        known_ranks = [len(s) - n for v, n in ranks if (s := shape_of(v)) is not None]
        return known_ranks[0] if known_ranks else None

    def window(self, extents: Sequence[Extent], kernel: Extents | None = None) -> Window[Extent]:
        rank = len(extents)
        if kernel is None:
            kernel = extents_of(extents_in(self.weight.type), rank + 2)[2:]
        steps = self.numbers("strides", rank), self.numbers("dilations", rank)
        return Window(kernel, *steps, self.pad_pairs(rank), self.group_count())

    @abstractmethod
    def result_extents(self, window: Window[Extent], extents: Sequence[Extent]) -> Extents:
        """Return the spatial extents of the result for these spatial extents of x."""

    def infer_shapes(self, shapes: Sequence[Extents | None]) -> Sequence[Extents | None] | None:
        x, weight = shapes[:2]
        if x is None and weight is None:
            return None
        rank = len(x) - 1 if x is not None else len(weight or ()) - 2
        _, *extents = extents_of(x, rank + 1)
        outputs, _, *kernel = extents_of(weight, rank + 2)
        return [(outputs, *self.result_extents(self.window(extents, tuple(kernel)), extents))]

    def verify_anchor(self) -> None:
        self.check_products()
        rank = self.spatial_rank()
        if rank is None:
            return
        for value, more in ((self.input, 1), (self.weight, 2)):
            shape = shape_of(value)
            fits = shape is None or len(shape) == rank + more
            self.check(
                fits, f"{value.type} cannot be an operand of a convolution along {rank} axes"
            )
        self.check(1 <= rank <= 3, f"a convolution along {rank} axes; 1 to 3 are supported")
        self.check_lists(rank)
        channels = (shape_of(self.input) or (DYNAMIC_INDEX,))[0]
        outputs, inputs, *kernel = shape_of(self.weight) or (DYNAMIC_INDEX,) * (rank + 2)
        groups = self.group_count()
        self.check(groups > 0, f"{groups} groups")
        fits = not known(outputs) or outputs % groups == 0
        self.check(fits, f"{groups} groups do not divide {outputs} output channels")
        fits = not (known(channels) and known(inputs)) or channels == inputs * groups
        self.check(
            fits, f"the input has {channels} channels, but the weight needs {inputs} x {groups}"
        )
        empty = any(known(n) and n < 1 for n in kernel)
        self.check(not empty, f"the kernel {shape_text(kernel)} is empty")
        self.check_bias(outputs)


@irdl_op_definition
class ConvOp(Convolutional):
    """A convolution: `acc[o, …] = sum(weight[o, i, k] * x[i, … * stride + k * dilation - pad]) +
    bias[o]`.

    Shapes: x `inputs x …`, weight `outputs x inputs/groups x kernel`, bias `outputs` ->
    `outputs x …`.
    Properties: strides, dilations, pads (before and after each axis), pad_value (the value of the
    padding), groups.
    Accumulator: f32; i32 if x and weight are int8.
    Example: `%y = fused.conv %x weight %w bias %b pads [1, 1, 1, 1] : (…) -> …`
    """

    name = "fused.conv"

    pad_value = float_prop(0)

    assembly_format = (
        f"{OPERANDS} {WINDOW} (`pad_value` $pad_value^)? (`groups` $groups^)? {SIGNATURE}"
    )

    def result_extents(self, window: Window[Extent], extents: Sequence[Extent]) -> Extents:
        return window_positions(window, extents)


@irdl_op_definition
class ConvTransposeOp(Convolutional):
    """A transposed convolution: `acc[o, … * stride + k * dilation - pad] += weight[o, i, k] * x[i,
    …]`, and `+ bias[o]`.

    Each element of x is multiplied by the whole kernel and added at its position. Then the pads are
    cut off.

    Shapes: x `inputs x …`, weight `outputs x inputs/groups x kernel`, bias `outputs` ->
    `outputs x …`, along each axis `(n - 1) * stride + span + output_padding - pads`.
    Properties: strides, dilations, pads (cut off before and after each axis), output_padding (extra
    elements after each axis, added before the pads are cut off), groups.
    Accumulator: f32; i32 if x and weight are int8.
    Example: `%y = fused.conv_transpose %x weight %w strides [2, 2] : (…) -> …`
    """

    name = "fused.conv_transpose"

    output_padding = ints_prop()

    assembly_format = (
        f"{OPERANDS} {WINDOW} (`output_padding` $output_padding^)? (`groups` $groups^)? {SIGNATURE}"
    )

    def window(self, extents: Sequence[Extent], kernel: Extents | None = None) -> Window[Extent]:
        more = self.numbers("output_padding", len(extents))
        return super().window(extents, kernel)._replace(more=more)

    def result_extents(self, window: Window[Extent], extents: Sequence[Extent]) -> Extents:
        return window.reach(extents)
