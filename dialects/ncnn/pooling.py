"""Layers that compute the maximum or mean over windows, regions or whole channels."""

from abc import ABC
from collections.abc import Sequence
from math import prod
from typing import ClassVar

from xdsl.ir import SSAValue

from ..shapes.analysis import Shapes
from ..shapes.terms import UNKNOWN, Extent, Extents
from ..shapes.windows import HasWindow, NoWindow, Window
from .blob import static_shape_of
from .checks import INT_MAX, check, check_range
from .cost import Memory, elements, product
from .extents import ABSENT, known
from .interfaces import Identity
from .layer import Arity, UnaryLayer, VariadicLayer, layer
from .params import enum_param, float_param, int_param
from .spatial import axes_of, kernel_of, pads_of, strides_of, wanted_of
from .windows import pooling_window

POOLING_TYPES = ("max", "avg")
"""The keywords for pooling_type 0 and 1."""

PAD_MODES = ("full", "valid", "same_upper", "same_lower")
"""The keywords for pad_mode 0 to 3."""


class Pool1D(Identity, HasWindow, UnaryLayer, ABC):
    """A pooling window along w. Its parameter ids differ from a convolution window's.

    Shapes: `c x h x w` -> `c x outh x outw`; 1-D: `h x w` (h the channels) -> `h x outw`; 3-D:
    `c x d x h x w` -> `c x outd x outh x outw`; global: only the channels are left.
    """

    pooling_type = enum_param(0, POOLING_TYPES, within=(0, 1))
    kernel_w = int_param(1)
    stride_w = int_param(2, default=1)
    pad_left = int_param(3)
    pad_right = int_param(14, default="pad_left")
    global_pooling = int_param(4)
    """Whether the window is the whole channel; the output then has only the channel axis."""
    pad_mode = enum_param(5, PAD_MODES)
    """full: the pads, plus the padding that the last window needs at the end; valid: the pads only;
    same: the padding for ceil(extent / stride) windows, with the odd element after (upper) or
    before (lower)."""
    avgpool_count_include_pad = int_param(6)
    """Whether a mean counts the pads."""
    adaptive_pooling = int_param(7)
    """Whether window extents are derived from the requested output extents."""
    out_w = int_param(8)
    """The requested extent of adaptive pooling."""

    def window(self, extents: Sequence[Extent], kernel: Extents | None = None) -> Window[Extent]:
        return pooling_window(self, extents)

    def verify_layer(self) -> None:
        axes = axes_of(self)
        if self.global_pooling:
            return
        if self.adaptive_pooling:
            for wanted in wanted_of(self, "out"):
                kept = wanted == ABSENT and axes != "w"  # Pooling1D lacks it
                check(self, wanted > 0 or kept, f"the output extent {wanted} is not positive")
            return
        check_range(self, 0, 3, "pad_mode")
        for axis in axes:
            check_range(self, 1, INT_MAX, f"kernel_{axis}", f"stride_{axis}")
        check(self, prod(kernel_of(self)) <= INT_MAX, "the kernel is too large")

    def infer_shapes(self, shapes: Sequence[Extents | None]) -> Sequence[Extents | None] | None:
        axes, shape = axes_of(self), shapes[0]
        if shape is None and not self.global_pooling and self.adaptive_pooling and axes != "w":
            return None  # a blob of any rank that already has the requested extents is unchanged
        shape = shape or (UNKNOWN,) * (len(axes) + 1)
        if len(shape) != len(axes) + 1:
            return None
        if self.global_pooling:
            return [shape[:1]]
        return [(shape[0], *self._extents(axes, shape[1:]))]

    def fold_to_values(self, shapes: Shapes) -> Sequence[SSAValue] | None:
        return (self.input,) if self._sees_single_elements(shapes) else None

    def _sees_single_elements(self, shapes: Shapes) -> bool:
        """Whether each window has exactly one element, and each element a window."""
        axes = axes_of(self)
        if self.global_pooling or shapes.rank(self.input) != len(axes) + 1:
            return False
        if self.adaptive_pooling:
            return shapes.same(self.input, self.output)
        return {*kernel_of(self), *strides_of(self)} == {1} and not any(pads_of(self))

    def _extents(self, axes: str, extents: Extents) -> Extents:
        if self.adaptive_pooling:
            pairs = zip(extents, wanted_of(self, "out"), strict=True)
            return tuple(n if m == ABSENT and axes != "w" else known(m) for n, m in pairs)
        try:
            return self.window(extents).places(extents)
        except NoWindow:
            return (UNKNOWN,) * len(axes)

    def other_flops(self) -> int | None:
        """One operation per element in a window."""
        shape, out = static_shape_of(self.input), static_shape_of(self.output)
        if shape is None or out is None:
            return None
        if self.global_pooling:
            return prod(shape)
        if not self.adaptive_pooling:
            return prod(out) * prod(kernel_of(self))
        return shape[0] * prod(_adaptive(n, m) for n, m in zip(shape[1:], out[1:], strict=True))

    def memory(self) -> Memory:
        # Adaptive pooling forwards blobs that it need not pool.
        return Memory.SAME if self.adaptive_pooling else Memory.OWN


class Pool2D(Pool1D, ABC):
    """A pooling window over h and w; parameters of h default to w's.

    A requested extent of -233 is the input's.
    """

    kernel_h = int_param(11, default="kernel_w")
    stride_h = int_param(12, default="stride_w")
    pad_top = int_param(13, default="pad_left")
    pad_bottom = int_param(15, default="pad_top")
    out_h = int_param(18, default="out_w")


def _adaptive(extent: int, windows: int) -> int:
    """Return the sum of the extents of all adaptive pooling windows."""
    return sum(-(-(i + 1) * extent // windows) - i * extent // windows for i in range(windows))


@layer
class PoolingOp(Pool2D):
    """2-D pooling: the maximum or the mean of each window."""


@layer
class Pooling1DOp(Pool1D):
    """1-D pooling: the maximum or the mean of each window."""


@layer
class Pooling3DOp(Pool2D):
    """3-D pooling: the maximum or the mean of each window; parameters of d default to w's."""

    kernel_d = int_param(21, default="kernel_w")
    stride_d = int_param(22, default="stride_w")
    pad_front = int_param(23, default="pad_left")
    pad_behind = int_param(16, default="pad_front")
    out_d = int_param(28, default="out_w")


@layer
class SPPOp(UnaryLayer):
    """Spatial pyramid pooling: the maximum or mean over 1x1, 2x2, 4x4, … bins, level by level.

    Shapes: `c x h x w` -> `2 x 1 x (1 + 4 + 16 + …)`, for any c: the runtime allocates two channels
    only.
    """

    pooling_type = enum_param(0, POOLING_TYPES, within=(0, 1))
    pyramid_height = int_param(1, default=1, within=(1, 15))

    def infer_shapes(self, shapes: Sequence[Extents | None]) -> Sequence[Extents | None] | None:
        levels = self.pyramid_height
        return [(2, 1, (4**levels - 1) // 3)] if 0 < levels < 16 else None

    def other_flops(self) -> int | None:
        return product(self.pyramid_height, elements(self.input))


@layer
class StatisticsPoolingOp(UnaryLayer):
    """The mean of each channel, optionally followed by the standard deviation of each.

    Shapes: `c x h x w` or `c x d x h x w` -> `c` or `2*c`; a 1-D or 2-D blob is one channel.
    """

    include_stddev = int_param(0)

    def infer_shapes(self, shapes: Sequence[Extents | None]) -> Sequence[Extents | None] | None:
        shape, times = shapes[0], 2 if self.include_stddev else 1
        channels = UNKNOWN if shape is None else shape[0] if len(shape) > 2 else 1
        return [(known(channels * times),)]

    def other_flops(self) -> int | None:
        return product(4 if self.include_stddev else 1, elements(self.input))


class RegionPooling(VariadicLayer, ABC):
    """Pooling of one region into a grid of bins. The region x1, y1, x2, y2 is a second blob.

    Shapes: x `c x h x w`, region `4` -> `c x pooled_height x pooled_width`.
    """

    pooled_width = int_param(0)
    pooled_height = int_param(1)
    spatial_scale = float_param(2, default=1.0)
    """The factor for the region's coordinates."""

    NUM_INPUTS: ClassVar[Arity] = (2, 2)
    IGNORES_MORE: ClassVar[bool] = True

    def infer_shapes(self, shapes: Sequence[Extents | None]) -> Sequence[Extents | None] | None:
        shape = shapes[0] or (UNKNOWN,) * 3
        return [self._bins(shape[0])] if len(shape) == 3 else None

    def _bins(self, channels: Extent) -> Extents:
        return (channels, known(self.pooled_height), known(self.pooled_width))

    def other_flops(self) -> int | None:
        return None  # depends on the region


@layer
class ROIPoolingOp(RegionPooling):
    """The maximum over each bin of a region with rounded coordinates."""


@layer
class ROIAlignOp(RegionPooling):
    """The mean of bilinear samples in each bin of a region."""

    sampling_ratio = int_param(3)
    """Samples per bin along each axis; 0: derived from the bin's size."""
    aligned = int_param(4)
    """Whether coordinates refer to pixel edges, not centres."""
    version = int_param(5, within=(0, 1))
    """0: ncnn's own placement of the samples, 1: Detectron2's."""

    def verify_layer(self) -> None:
        check_range(self, 1, INT_MAX, "pooled_width", "pooled_height")


@layer
class PSROIPoolingOp(RegionPooling):
    """The mean over each bin of a region. Each bin of each output reads a separate channel.

    Shapes: x `output_dim*pooled_height*pooled_width x h x w`, region `4` ->
    `output_dim x pooled_height x pooled_width`.
    """

    pooled_width = int_param(0, default=7)
    pooled_height = int_param(1, default=7)
    spatial_scale = float_param(2, default=0.0625)
    output_dim = int_param(3)

    def infer_shapes(self, shapes: Sequence[Extents | None]) -> Sequence[Extents | None] | None:
        return [self._bins(known(self.output_dim))]
