"""Convolutions, dense and depthwise (grouped), in 1, 2 and 3 dims, and the part they share with
deconvolutions (deconvolution.py).

All weights have the shape `num_output x inputs per group x kernel`, with a row-major kernel (d, h,
w). The bias has `num_output` values. An optional activation comes last.
"""

from abc import ABC
from collections.abc import Mapping, Sequence
from functools import partial
from math import prod
from typing import ClassVar, Protocol

from xdsl.utils.exceptions import VerifyException

from ..shapes.analysis import Shapes
from ..shapes.terms import UNKNOWN, Extent, Extents
from ..shapes.windows import HasWindow, Window
from .blob import static_shape_of
from .checks import INT_MAX, check
from .constant import attached_constant
from .cost import product, total
from .extents import along_outermost
from .int8 import StaticInt8
from .interfaces import Affine, ChannelAxis, LinearLayer
from .layer import Arity, LayerOp, UnaryLayer, VariadicLayer, layer
from .params import Value, derived_param, float_param, int_param
from .spatial import (
    Window1D,
    Window2D,
    Window3D,
    WindowParams,
    axes_of,
    check_window,
    kernel_of,
    pads_of,
)
from .weight_specs import Pattern, RowsParams, optional_weight, weight, weight_flag, weight_size
from .windows import convolution_window, given_window


class ConvolutionParams(WindowParams, RowsParams, Protocol):
    """The parameters that determine a weight's shape."""


class DepthwiseParams(Protocol):
    """The parameters that determine the scales of a grouped convolution."""

    group: int
    int8_scale_term: int


def _weight_shape(p: ConvolutionParams) -> tuple[int, ...]:
    kernel = kernel_of(p)
    each = p.num_output * prod(kernel)
    if each <= 0 or p.weight_data_size % each:
        raise VerifyException(
            f"weight_data_size {p.weight_data_size} is not a multiple of num_output {p.num_output} "
            f"times the kernel {'x'.join(map(str, kernel))}"
        )
    return (p.num_output, p.weight_data_size // each, *kernel)


def _static(p: object) -> bool:
    return not LayerOp.dynamic_by(p)


class Convolutional(LinearLayer, Window1D, ABC):
    """The common part of convolutions and deconvolutions.

    Shapes: `c x h x w` -> `num_output x outh x outw`; 1-D: `h x w` (h the channels) ->
    `num_output x outw`; 3-D: `c x d x h x w` -> `num_output x outd x outh x outw`.
    """

    num_output = int_param(0)
    """The number of output channels."""

    weight = weight(_weight_shape, tagged=True, quantized_by="int8_scale_term")
    bias = optional_weight(lambda p: (p.num_output,), when=lambda p: p.bias_term)
    bias_term = weight_flag(5, "bias")
    weight_data_size = weight_size(6, "weight")

    def verify_layer(self) -> None:
        super().verify_layer()
        check_window(self)

    def num_input(self) -> int:
        """The number of input channels, derived from the weight; 0 for a weight blob of unknown
        extents."""
        shape = static_shape_of(self.weight)
        if shape is None or len(shape) != len(axes_of(self)) + 2:
            return 0
        return shape[1] * self.group_count()

    def expected_input_shapes(self) -> Sequence[Pattern]:
        if self.weights_are_dynamic():
            return ()
        return along_outermost(self.num_input(), len(axes_of(self)) + 1)

    def operand_rank(self, index: int) -> int | None:
        first, *others = {len(pattern) for pattern in self.expected_input_shapes()} or {0}
        return None if index or others else first or None

    def outputs_and_kernel(self, shapes: Sequence[Extents | None]) -> tuple[Extent, Extents | None]:
        """Return the output channels and a weight blob's kernel (else `None`) for these operand
        shapes."""
        return self.num_output, None

    def dynamic_weight_extents(self, shapes: Sequence[Extents | None]) -> Extents:
        """Return the extents of a weight blob; all unknown unless its rank fits."""
        shape, rank = shapes[1], len(axes_of(self)) + 2
        return shape if shape is not None and len(shape) == rank else (UNKNOWN,) * rank

    def linear_output(self, shapes: Shapes) -> ChannelAxis:
        # One dim more than the kernel; the outermost axis is the output channels. (In ncnn a 1x1
        # kernel on a 1-D blob runs as an InnerProduct; its 1-D output has this axis only.)
        return ChannelAxis(self.num_output, partial(shapes.of, self.results[0]))

    def linear_input(self, shapes: Shapes) -> ChannelAxis:
        return ChannelAxis(self.num_input(), partial(shapes.of, self.linear_operand()))


class Grouped(Convolutional, ABC):
    """A convolution of separate channel groups."""

    group = int_param(7, default=1, within=(1, INT_MAX))

    def group_count(self) -> int:
        return self.group

    def verify_layer(self) -> None:
        super().verify_layer()
        outputs, group = self.num_output, self.group
        whole = self.weights_are_dynamic() or outputs % group == 0
        check(self, whole, f"group {group} does not divide num_output {outputs}")


class DynamicConvolution(Convolutional, ABC):
    """A convolution whose weight and bias may be blobs of the graph."""

    @derived_param(19)
    def dynamic_weight(self) -> int:
        """Whether weight and bias are further inputs instead of weights of the layer."""
        return int(self.weights_are_dynamic())

    def weights_are_dynamic(self) -> bool:
        return attached_constant(self.weight) is None

    def writes_int8(self) -> bool:
        return self.int8_term() > 100 and not self.weights_are_dynamic()

    def outputs_and_kernel(self, shapes: Sequence[Extents | None]) -> tuple[Extent, Extents | None]:
        if not self.weights_are_dynamic():
            return super().outputs_and_kernel(shapes)
        outputs, _, *kernel = self.dynamic_weight_extents(shapes)
        return outputs, tuple(kernel)


class Forward(Convolutional, HasWindow, UnaryLayer, ABC):
    """A convolution: `y = activation(weight * pad(x) + bias)`."""

    pad_value = float_param(18)
    """The value of the padding."""

    def window(self, extents: Sequence[Extent], kernel: Extents | None = None) -> Window[Extent]:
        return convolution_window(self, extents, kernel, self.group_count())

    def takes_vectors(self) -> bool:
        """Whether the layer also accepts a 1-D blob and returns a 1-D output."""
        return False

    def expected_input_shapes(self) -> Sequence[Pattern]:
        vectors = along_outermost(self.num_input(), 1) if self.takes_vectors() else []
        return [*super().expected_input_shapes(), *vectors]

    def border_for(self, affine: Affine) -> Mapping[str, Value] | None:
        import numpy as np

        if not any(pads_of(self)):
            return {}
        # scale * value + shift must equal the old padding value in all channels.
        reached = self.pad_value - affine.shift
        if not reached.any():
            return {"pad_value": 0.0}
        if not affine.scale.all():
            return None
        values = np.unique(reached / affine.scale)
        fits = len(values) == 1 and abs(values[0]) <= np.finfo("f4").max
        return {"pad_value": float(values[0])} if fits else None

    def infer_shapes(self, shapes: Sequence[Extents | None]) -> Sequence[Extents | None] | None:
        axes, shape = axes_of(self), shapes[0]
        channels, kernel = self.outputs_and_kernel(shapes)
        given = shape[0] if kernel is None and shape is not None else UNKNOWN
        other = isinstance(given, int) and given != self.num_input()
        if self.takes_vectors() and (shape is None or len(shape) == 1):
            return None if shape is None or other else [(channels,)]
        shape = shape or (UNKNOWN,) * (len(axes) + 1)
        if len(shape) != len(axes) + 1:
            return None
        if other:
            shape = (UNKNOWN,) * len(shape)  # the declared extents of the input are not certain
        return [(channels, *self.window(shape[1:], kernel).places(shape[1:]))]


class Int8Convolution(DynamicConvolution, Forward, StaticInt8, ABC):
    """A convolution with int8 inference."""

    CAN_WRITE_INT8: ClassVar[bool] = True

    def int8_refusal(self, shapes: Shapes) -> str | None:
        extents = shapes.of(self.input)
        if extents is None or len(extents) != 3:
            return "its input may not have 3 dims, and the runtime's int8 code needs 3"
        if self.pad_value and any(pads_of(self)):
            return f"its padding {self.pad_value:g} would be an int8 value in the runtime"
        return super().int8_refusal(shapes)


@layer
class ConvolutionOp(Int8Convolution, Window2D):
    """2-D convolution, with quantized inference if `int8_scale_term` is set.

    Shapes: `c x h x w` -> `num_output x outh x outw`; a 1-D blob with a 1x1 kernel is treated as an
    InnerProduct's input.
    """

    int8_scale_term = int_param(8)
    """0: float; otherwise int8 inference with the scales below, over 100 with int8 output."""

    weight_int8_scales = optional_weight(
        lambda p: (p.num_output,), when=lambda p: p.int8_scale_term and _static(p), positive=True
    )
    bottom_int8_scales = optional_weight(
        lambda p: (1,), when=lambda p: p.int8_scale_term and _static(p), positive=True
    )
    top_int8_scales = optional_weight(
        lambda p: (1,), when=lambda p: p.int8_scale_term > 100 and _static(p), positive=True
    )

    def takes_vectors(self) -> bool:
        return kernel_of(self) == (1, 1) and not self.weights_are_dynamic()

    def largest_sum(self) -> int:
        # Winograd's F(4x4, 3x3) in integers multiplies sums by 576 before the division
        # (src/layer/x86/convolution_3x3_winograd_int8.h, and arm's; confirmed by runs).
        steps = (self.stride_w, self.stride_h, self.dilation_w, self.dilation_h)
        by_winograd = kernel_of(self) == (3, 3) and steps == (1, 1, 1, 1)
        return INT_MAX // 576 if by_winograd else INT_MAX


def _depthwise_scales(p: DepthwiseParams) -> tuple[int, ...]:
    """One scale for each group (1 and 101), or one for all of them."""
    return (p.group if p.int8_scale_term in (1, 101) else 1,)


def _has_depthwise_scales(p: DepthwiseParams) -> bool:
    return p.int8_scale_term in (1, 2, 101, 102) and _static(p)


@layer
class ConvolutionDepthWiseOp(Grouped, Int8Convolution, Window2D):
    """2-D convolution of channel groups, with quantized inference if `int8_scale_term` is set."""

    int8_scale_term = int_param(8)
    """0: float; 1, 2, 101, 102: int8 inference with the scales below, over 100 with int8 output."""

    weight_int8_scales = optional_weight(
        _depthwise_scales, when=_has_depthwise_scales, positive=True
    )
    bottom_int8_scales = optional_weight(lambda p: (1,), when=_has_depthwise_scales, positive=True)
    top_int8_scales = optional_weight(
        lambda p: (1,), when=lambda p: p.int8_scale_term > 100 and _static(p), positive=True
    )

    INT8_TERM: ClassVar[int] = 1

    def weight_scale_count(self) -> int:
        return self.group

    def verify_layer(self) -> None:
        super().verify_layer()
        term = self.int8_scale_term
        check(
            self,
            term in (0, 1, 2, 101, 102),
            f"int8_scale_term must be 0, 1, 2, 101 or 102, not {term}",
        )


@layer
class Convolution1DOp(DynamicConvolution, Forward, Window1D):
    """1-D convolution."""


@layer
class ConvolutionDepthWise1DOp(Grouped, DynamicConvolution, Forward, Window1D):
    """1-D convolution of channel groups."""


@layer
class Convolution3DOp(Forward, Window3D):
    """3-D convolution."""


@layer
class ConvolutionDepthWise3DOp(Grouped, Forward, Window3D):
    """3-D convolution of channel groups."""


@layer
class DeformableConv2DOp(Convolutional, HasWindow, VariadicLayer, Window2D):
    """2-D convolution with sampling positions shifted by an offset blob and weighted by a mask
    blob.

    Shapes: x `c x h x w`, offset `2*kh*kw x outh x outw`, optional mask `kh*kw x outh x outw` ->
    `num_output x outh x outw`.
    """

    NUM_INPUTS: ClassVar[Arity] = (2, 3)

    def window(self, extents: Sequence[Extent], kernel: Extents | None = None) -> Window[Extent]:
        return given_window(self)  # the runtime has no SAME mode here; negative pads cut off

    def border_for(self, affine: Affine) -> Mapping[str, Value] | None:
        return None if affine.shift.any() else {}  # samples outside the blob are 0

    def infer_shapes(self, shapes: Sequence[Extents | None]) -> Sequence[Extents | None] | None:
        shape = shapes[0] or (UNKNOWN,) * 3
        if len(shape) != 3:
            return None
        return [(self.num_output, *self.window(shape[1:]).places(shape[1:]))]

    def other_flops(self) -> int | None:
        samples = product(self.num_input() * prod(kernel_of(self)), self.positions())
        return total(super().other_flops(), product(6 + len(self.inputs), samples))
