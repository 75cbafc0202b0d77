"""Deconvolutions (transposed convolutions), dense and depthwise (grouped), in 1, 2 and 3 dims.

Weight and bias are as in convolution.py.
"""

from abc import ABC
from collections.abc import Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING

from ..shapes.terms import UNKNOWN, Extent, Extents
from ..shapes.windows import HasWindow, NoWindow, Window
from .blob import static_shape_of
from .constant import attached_constant
from .convolution import Convolutional, Grouped
from .extents import known
from .interfaces import Affine
from .layer import UnaryLayer, layer
from .params import Value, derived_param, int_param
from .spatial import Window1D, Window2D, Window3D, axes_of, kernel_of, output_pads_of, strides_of
from .windows import transposed_window


class DynamicDeconvolution(Convolutional, ABC):
    """A deconvolution whose weight and bias may be blobs of the graph. A weight blob has the order
    `inputs x outputs per group x kernel`, unlike a weight of the layer."""

    @derived_param(28)
    def dynamic_weight(self) -> int:
        """Whether weight and bias are further inputs instead of weights of the layer."""
        return int(self.weights_are_dynamic())

    def weights_are_dynamic(self) -> bool:
        return attached_constant(self.weight) is None

    def outputs_and_kernel(self, shapes: Sequence[Extents | None]) -> tuple[Extent, Extents | None]:
        if not self.weights_are_dynamic():
            return super().outputs_and_kernel(shapes)
        _, outputs, *kernel = self.dynamic_weight_extents(shapes)
        return known(outputs * self.group_count()), tuple(kernel)


class Transposed(Convolutional, HasWindow, UnaryLayer, ABC):
    """A deconvolution: the transpose of a convolution. Its pads are cut off the result."""

    if TYPE_CHECKING:
        output_w: int

    output_pad_right = int_param(18)
    """Extra columns on the right."""

    def window(self, extents: Sequence[Extent], kernel: Extents | None = None) -> Window[Extent]:
        return transposed_window(self, extents, kernel)

    def infer_shapes(self, shapes: Sequence[Extents | None]) -> Sequence[Extents | None] | None:
        axes, shape = axes_of(self), shapes[0]
        channels, kernel = self.outputs_and_kernel(shapes)
        shape = shape or (UNKNOWN,) * (len(axes) + 1)
        if len(shape) != len(axes) + 1:
            return None
        try:
            reached = self.window(shape[1:], kernel).reach(shape[1:])
        except NoWindow:
            return [(channels, *(UNKNOWN,) * len(axes))]
        return [(channels, *map(known, reached))]

    def border_for(self, affine: Affine) -> Mapping[str, Value] | None:
        # Output elements that fewer products or other weights reach would get another sum of the
        # shifts.
        pointwise = all(n == 1 for n in kernel_of(self))
        dense = all(n == 1 for n in strides_of(self))
        more = any(output_pads_of(self))
        return {} if not affine.shift.any() or (pointwise and dense and not more) else None

    def positions(self) -> int | None:
        shape = static_shape_of(self.input)  # each input element meets the whole kernel
        return None if shape is None else prod(shape[1:])


class Output1D(Transposed, ABC):
    """The requested output extent for SAME pads."""

    output_w = int_param(20)


class Output2D(Transposed, ABC):
    """The requested output extents for SAME pads."""

    output_pad_bottom = int_param(19, default="output_pad_right")
    output_w = int_param(20)
    output_h = int_param(21, default="output_w")


class Output3D(Transposed, ABC):
    """The requested output extents for SAME pads."""

    output_pad_bottom = int_param(19, default="output_pad_right")
    output_pad_behind = int_param(20, default="output_pad_right")
    output_w = int_param(25)
    output_h = int_param(26, default="output_w")
    output_d = int_param(27, default="output_w")


@layer
class DeconvolutionOp(DynamicDeconvolution, Output2D, Window2D):
    """2-D transposed convolution."""


@layer
class DeconvolutionDepthWiseOp(Grouped, DynamicDeconvolution, Output2D, Window2D):
    """2-D transposed convolution of channel groups."""


@layer
class Deconvolution1DOp(DynamicDeconvolution, Output1D, Window1D):
    """1-D transposed convolution."""


@layer
class DeconvolutionDepthWise1DOp(Grouped, DynamicDeconvolution, Output1D, Window1D):
    """1-D transposed convolution of channel groups."""


@layer
class Deconvolution3DOp(Output3D, Window3D):
    """3-D transposed convolution."""


@layer
class DeconvolutionDepthWise3DOp(Grouped, Output3D, Window3D):
    """3-D transposed convolution of channel groups."""
