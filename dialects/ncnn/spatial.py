"""The parameters of a sliding window. (windows.py computes the window from them.)"""

from abc import ABC
from typing import ClassVar, Literal, Protocol

from .checks import INT_MAX, check_range
from .layer import LayerOp
from .params import int_param

SAME_UPPER, SAME_LOWER = -233, -234
"""The values of all pads that select ceil(extent / stride) positions, with the odd element after
(TensorFlow's SAME, ONNX's SAME_UPPER) or before (SAME_LOWER)."""

PADS = {
    "w": ("pad_left", "pad_right"),
    "h": ("pad_top", "pad_bottom"),
    "d": ("pad_front", "pad_behind"),
}

OUTPUT_PADS = {"w": "output_pad_right", "h": "output_pad_bottom", "d": "output_pad_behind"}
"""The parameters with a deconvolution's extra elements after the output, by axis."""


class Window1D(LayerOp, ABC):
    """A window along w."""

    WINDOW_AXES: ClassVar[str] = "w"

    kernel_w = int_param(1)
    dilation_w = int_param(2, default=1)
    stride_w = int_param(3, default=1)
    pad_left = int_param(4)
    pad_right = int_param(15, default="pad_left")


class Window2D(Window1D, ABC):
    """A window over h and w; parameters of h default to w's."""

    WINDOW_AXES: ClassVar[str] = "hw"

    kernel_h = int_param(11, default="kernel_w")
    dilation_h = int_param(12, default="dilation_w")
    stride_h = int_param(13, default="stride_w")
    pad_top = int_param(14, default="pad_left")
    pad_bottom = int_param(16, default="pad_top")


class Window3D(Window2D, ABC):
    """A window over d, h and w; parameters of d default to w's."""

    WINDOW_AXES: ClassVar[str] = "dhw"

    kernel_d = int_param(21, default="kernel_w")
    dilation_d = int_param(22, default="dilation_w")
    stride_d = int_param(23, default="stride_w")
    pad_front = int_param(24, default="pad_left")
    pad_behind = int_param(17, default="pad_front")


class WindowParams(Protocol):
    """The parameters of a window along w and, with other letters, along its further axes: of a
    layer, or of a line before its layer exists."""

    kernel_w: int
    stride_w: int
    pad_left: int
    pad_right: int


class TransposedParams(WindowParams, Protocol):
    """The parameters of a deconvolution's window."""

    output_pad_right: int
    output_w: int


def check_window(op: Window1D) -> None:
    """Check that strides and dilations are positive, and kernels unless they come from a blob."""
    names = ["dilation", "stride", *([] if op.weights_are_dynamic() else ["kernel"])]
    for axis in axes_of(op):
        check_range(op, 1, INT_MAX, *(f"{name}_{axis}" for name in names))


def axes_of(params: WindowParams) -> str:
    """Return the axes that a window slides along, outermost first: `w`, `hw` or `dhw`."""
    own: str | None = getattr(type(params), "WINDOW_AXES", None)
    if own is not None:
        return own
    for axes in ("dhw", "hw"):
        if hasattr(params, f"kernel_{axes[0]}"):
            return axes
    return "w"


def kernel_of(params: WindowParams) -> tuple[int, ...]:
    """Return the kernel's extents, row-major."""
    return _along(params, "kernel")


def strides_of(params: WindowParams) -> tuple[int, ...]:
    """Return the strides along all axes."""
    return _along(params, "stride")


def dilations_of(params: WindowParams) -> tuple[int, ...]:
    """Return the dilations along all axes; 1 where the layer has none."""
    return _along(params, "dilation", 1)


def wanted_of(params: WindowParams, name: Literal["out", "output"]) -> tuple[int, ...]:
    """Return the output extents requested by `out_w` (of a pooling) or `output_w` and the like."""
    return _along(params, name)


def output_pads_of(params: TransposedParams) -> tuple[int, ...]:
    """Return a deconvolution's extra elements after the output along all axes."""
    return tuple(getattr(params, OUTPUT_PADS[axis]) for axis in axes_of(params))


def pad_names(params: WindowParams) -> list[str]:
    """Return the names of all pads: before and after along each axis."""
    return [pad for axis in axes_of(params) for pad in PADS[axis]]


def pads_of(params: WindowParams) -> list[int]:
    """Return all pads: before and after along each axis."""
    return [getattr(params, name) for name in pad_names(params)]


def pad_pairs(params: WindowParams) -> tuple[tuple[int, int], ...]:
    """Return all pads as one pair per axis."""
    pads = pads_of(params)
    return tuple(zip(pads[::2], pads[1::2], strict=True))


def _along(params: WindowParams, name: str, *default: int) -> tuple[int, ...]:
    return tuple(getattr(params, f"{name}_{axis}", *default) for axis in axes_of(params))
