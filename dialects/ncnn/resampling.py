"""Layers that resample a blob, or exchange channels for positions."""

from abc import ABC
from collections.abc import Sequence
from math import isfinite, isqrt, prod
from typing import ClassVar

from xdsl.ir import SSAValue

from ..shapes.analysis import Shapes
from ..shapes.terms import UNKNOWN, Extent, Extents, function
from ..shapes.windows import HasWindow, Window, span_of
from .blob import rank_of
from .checks import INT_MAX, check, check_range
from .cost import Memory, elements, product
from .expressions import evaluate
from .extents import known
from .interfaces import Identity
from .layer import Arity, KeepsElements, SameShapeLayer, UnaryLayer, VariadicLayer, layer
from .params import enum_param, float_param, int_param, str_param, to_float32
from .spatial import Window2D, kernel_of, pads_of
from .windows import convolution_window, given_window

_SAMPLE_FLOPS = (0, 0, 7, 31)
"""Operations of a weighted sum of 0, 1, 4 and 16 elements, by InterpOp's resize_type."""


def _scaled(extent: Extent, scale: float) -> Extent:
    """Return an extent times a scale, in float32 and truncated as in ncnn."""
    if scale == 1:
        return extent
    if not isinstance(extent, int):
        return function("scaled", extent, scale)
    scaled = to_float32(extent * scale)
    return int(scaled) if isfinite(scaled) else UNKNOWN


@layer
class InterpOp(Identity, VariadicLayer):
    """Resizes the two innermost axes: to given extents, by scales, or to the extents of a second
    blob.

    Shapes: `c x h x w` -> `c x outh x outw`; `h x w` -> `h x outw`; `w` (each element is a channel
    of one pixel) -> `w x outh x outw`.
    Parameters: output_height and output_width (if one is 0: height_scale, width_scale),
    dynamic_target_size (1: the extents of the second input), size_expr (a list of expressions on
    the inputs' extents, w first; it has precedence).
    """

    MEMORY: ClassVar[Memory] = Memory.SAME

    resize_type = enum_param(0, ("none", "nearest", "bilinear", "bicubic"), within=(0, 3))
    height_scale = float_param(1, default=1.0)
    width_scale = float_param(2, default=1.0)
    output_height = int_param(3)
    output_width = int_param(4)
    dynamic_target_size = int_param(5)
    align_corner = int_param(6)
    """Whether the outermost samples of input and output coincide, instead of the edges of their
    pixels."""
    size_expr = str_param(9)

    NUM_INPUTS: ClassVar[Arity] = (1, None)

    def infer_shapes(self, shapes: Sequence[Extents | None]) -> Sequence[Extents | None] | None:
        match shapes[0]:
            case (c,):
                return [(c, *self._target(1, 1, shapes))]
            case (h, w):
                return [(h, self._target(h, w, shapes)[1])]
            case (c, h, w):
                return [(c, *self._target(h, w, shapes))]
            case _:
                return None

    def _target(
        self, h: Extent, w: Extent, shapes: Sequence[Extents | None]
    ) -> tuple[Extent, Extent]:
        if self.size_expr:
            sizes = evaluate(self.size_expr, shapes)
            if sizes is None or len(sizes) > 2:
                return (UNKNOWN, UNKNOWN)
            return (known(sizes[1]) if len(sizes) > 1 else h, known(sizes[0]))
        if self.dynamic_target_size == 1:
            shape = shapes[1] if len(shapes) > 1 else None
            if shape is None or len(shape) < 2:
                return (UNKNOWN, UNKNOWN)
            # The outermost extent may count packed elements: the runtime does not unpack.
            return (shape[-2] if len(shape) > 2 else UNKNOWN, shape[-1])
        if self.output_height and self.output_width:
            return (known(self.output_height), known(self.output_width))
        return (known(_scaled(h, self.height_scale)), known(_scaled(w, self.width_scale)))

    def fold_to_values(self, shapes: Shapes) -> Sequence[SSAValue] | None:
        if not shapes.same(self.inputs[0], self.outputs[0]):
            return None
        keeps_w = self.width_scale == 1
        keeps_h = self.height_scale == 1 or shapes.rank(self.inputs[0]) == 2
        # Bicubic sampling uses the scales even if the extents do not change.
        unscaled = (
            self.resize_type != 3
            or self.align_corner
            or self.dynamic_target_size
            or self.size_expr
            or ((self.output_width or keeps_w) and (self.output_height or keeps_h))
        )
        return self.inputs[:1] if unscaled else None

    def other_flops(self) -> int | None:
        each = 0 if None not in self.reused() else _SAMPLE_FLOPS[self.resize_type]
        return product(each, elements(self.outputs[0])) if each else 0


@layer
class PixelShuffleOp(Identity, KeepsElements, UnaryLayer):
    """Rearranges each r² channels into one channel with r times the rows and columns; r is
    upscale_factor.

    Shapes: `c x h x w` -> `c/r² x h*r x w*r`.
    Parameters: upscale_factor, mode (output_major: the r² channels of an output are adjacent,
    position_major: the outputs of a position are adjacent).
    """

    upscale_factor = int_param(0, default=1, within=(1, isqrt(INT_MAX)))
    mode = enum_param(1, ("output_major", "position_major"), within=(0, 1))

    def infer_shapes(self, shapes: Sequence[Extents | None]) -> Sequence[Extents | None] | None:
        shape, r = shapes[0] or (UNKNOWN,) * 3, self.upscale_factor
        if len(shape) != 3 or r <= 0:
            return None
        c, h, w = shape
        return [(known(c // r**2), known(h * r), known(w * r))]

    def fold_to_values(self, shapes: Shapes) -> Sequence[SSAValue] | None:
        return (self.input,) if self.upscale_factor == 1 else None


@layer
class ShuffleChannelOp(Identity, SameShapeLayer):
    """Transposes the channels as a matrix of `group` rows, or of `group` columns if `reverse` is
    set.

    Shapes: `c x h x w` or `c x d x h x w` -> the same.
    """

    group = int_param(0, default=1, within=(1, INT_MAX))
    reverse = int_param(1)

    def fold_to_values(self, shapes: Shapes) -> Sequence[SSAValue] | None:
        return (self.input,) if self.group == 1 else None

    def memory(self) -> Memory:
        return Memory.SAME if self.group == 1 else Memory.OWN


@layer
class ReorgOp(Identity, KeepsElements, UnaryLayer):
    """Rearranges each channel into s² channels, each with every s-th row and column; s is the
    stride.

    Shapes: `c x h x w` -> `c*s² x h/s x w/s`.
    Parameters: stride, mode (input_major: the s² channels of an input are adjacent, position_major:
    the inputs at a position are adjacent).
    """

    stride = int_param(0, default=1, within=(1, isqrt(INT_MAX)))
    mode = enum_param(1, ("input_major", "position_major"), within=(0, 1))

    def infer_shapes(self, shapes: Sequence[Extents | None]) -> Sequence[Extents | None] | None:
        shape, s = shapes[0] or (UNKNOWN,) * 3, self.stride
        if len(shape) != 3 or s <= 0:
            return None
        c, h, w = shape
        return [(known(c * s**2), known(h // s), known(w // s))]

    def fold_to_values(self, shapes: Shapes) -> Sequence[SSAValue] | None:
        return (self.input,) if self.stride == 1 else None


@layer
class GridSampleOp(VariadicLayer):
    """Samples a blob at the positions given by a second blob, the grid. -1 and 1 are the edges.

    Shapes: x `c x h x w`, grid `outh x outw x 2` -> `c x outh x outw`; x `c x d x h x w`, grid
    `outd x outh x outw x 3` -> `c x outd x outh x outw`.
    Parameters: permute_fusion (whether the grid's 2 or 3 coordinates are its outermost axis).
    """

    sample_type = enum_param(0, ("none", "bilinear", "nearest", "bicubic"), 1, within=(1, 3))
    padding_mode = enum_param(1, ("none", "zeros", "border", "reflection"), 1, within=(1, 3))
    align_corner = int_param(2)
    """Whether -1 and 1 are the centres of the outermost elements."""
    permute_fusion = int_param(3)

    NUM_INPUTS: ClassVar[Arity] = (2, 2)
    IGNORES_MORE: ClassVar[bool] = True

    def infer_shapes(self, shapes: Sequence[Extents | None]) -> Sequence[Extents | None] | None:
        shape, grid = shapes[:2]
        if shape is None or len(shape) not in (3, 4):
            return None
        if grid is None or len(grid) != len(shape):
            return [(shape[0], *(UNKNOWN,) * (len(shape) - 1))]
        return [(shape[0], *(grid[1:] if self.permute_fusion else grid[:-1]))]

    def other_flops(self) -> int | None:
        # Bilinear, nearest, bicubic; a sample at a 3-D position reads twice as many elements.
        each = (0, 15 if rank_of(self.outputs[0]) == 4 else 7, 0, 31)[self.sample_type]
        return product(each, elements(self.outputs[0])) if each else 0


class Columns(HasWindow, UnaryLayer, Window2D, ABC):
    """A layer with windows as the columns of a matrix."""

    def verify_layer(self) -> None:
        for axis, kernel, dilation in (
            ("w", self.kernel_w, self.dilation_w),
            ("h", self.kernel_h, self.dilation_h),
        ):
            name = f"kernel_{axis}"
            check_range(self, 1, INT_MAX, name, f"dilation_{axis}", f"stride_{axis}")
            check(self, span_of(kernel, dilation) <= INT_MAX, f"{name} is too large")
        check(self, prod(kernel_of(self)) <= INT_MAX, "the kernel is too large")


@layer
class FoldOp(Columns):
    """Sums sliding windows, the columns of a matrix, where they overlap: the transpose of Unfold.

    Shapes: `c*kernel_h*kernel_w x windows` -> `c x output_h x output_w`.
    """

    output_w = int_param(20)
    output_h = int_param(21, default="output_w")

    def window(self, extents: Sequence[Extent], kernel: Extents | None = None) -> Window[Extent]:
        """Return the window on the output and its pads."""
        return given_window(self)

    def infer_shapes(self, shapes: Sequence[Extents | None]) -> Sequence[Extents | None] | None:
        shape, size = shapes[0] or (UNKNOWN,) * 2, prod(kernel_of(self))
        if len(shape) != 2 or size <= 0 or min(pads_of(self)) < 0:
            return None
        return [(known(shape[0] // size), known(self.output_h), known(self.output_w))]

    def other_flops(self) -> int | None:
        return elements(self.input)


@layer
class UnfoldOp(Columns):
    """Copies the elements of each sliding window into a column of a matrix.

    Shapes: `c x h x w` -> `c*kernel_h*kernel_w x windows`.
    """

    pad_value = float_param(18)
    """The value of the padding."""

    def window(self, extents: Sequence[Extent], kernel: Extents | None = None) -> Window[Extent]:
        return convolution_window(self, extents, kernel)

    def infer_shapes(self, shapes: Sequence[Extents | None]) -> Sequence[Extents | None] | None:
        shape, size = shapes[0] or (UNKNOWN,) * 3, prod(kernel_of(self))
        if len(shape) != 3 or size <= 0:
            return None
        places = self.window(shape[1:]).places(shape[1:])
        return [(known(shape[0] * size), known(prod(places)))]
