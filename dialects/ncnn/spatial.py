"""The parameters of a sliding window. (What follows from them is in windows.py.)"""

from abc import ABC
from typing import Any

from .checks import INT_MAX, check_range
from .layer import LayerOp
from .params import int_param

SAME_UPPER, SAME_LOWER = -233, -234
"""Values of all pads that mean: as much padding as keeps extent / stride, the odd element after
(TensorFlow's SAME, ONNX's SAME_UPPER) or before (SAME_LOWER)."""

PADS = {
    "w": ("pad_left", "pad_right"),
    "h": ("pad_top", "pad_bottom"),
    "d": ("pad_front", "pad_behind"),
}

OUTPUT_PADS = {"w": "output_pad_right", "h": "output_pad_bottom", "d": "output_pad_behind"}
"""What a deconvolution adds after the output along each axis."""


class Window1D(LayerOp, ABC):
    """A window along w."""

    kernel_w = int_param(1)
    dilation_w = int_param(2, default=1)
    stride_w = int_param(3, default=1)
    pad_left = int_param(4)
    pad_right = int_param(15, default="pad_left")


class Window2D(Window1D, ABC):
    """A window over h and w; what is not given for h is as for w."""

    kernel_h = int_param(11, default="kernel_w")
    dilation_h = int_param(12, default="dilation_w")
    stride_h = int_param(13, default="stride_w")
    pad_top = int_param(14, default="pad_left")
    pad_bottom = int_param(16, default="pad_top")


class Window3D(Window2D, ABC):
    """A window over d, h and w; what is not given for d is as for w."""

    kernel_d = int_param(21, default="kernel_w")
    dilation_d = int_param(22, default="dilation_w")
    stride_d = int_param(23, default="stride_w")
    pad_front = int_param(24, default="pad_left")
    pad_behind = int_param(17, default="pad_front")


def check_window(op: LayerOp) -> None:
    """Checks that strides and dilations, and kernels unless they are a blob's, are positive."""
    for axis in axes_of(op):
        check_range(op, 1, INT_MAX, f"dilation_{axis}", f"stride_{axis}")
        if not op.weights_are_dynamic():
            check_range(op, 1, INT_MAX, f"kernel_{axis}")


def axes_of(params: Any) -> str:
    """The axes that a window slides along, outermost first: `w`, `hw` or `dhw`."""
    for axes in ("dhw", "hw"):
        if hasattr(params, f"kernel_{axes[0]}"):
            return axes
    return "w"


def kernel_of(params: Any) -> tuple[int, ...]:
    """The kernel's extents, row-major."""
    return tuple(getattr(params, f"kernel_{axis}") for axis in axes_of(params))


def steps_of(params: Any, name: str) -> tuple[int, ...]:
    """Strides or dilations along all axes; 1 where the layer has none."""
    return tuple(getattr(params, f"{name}_{axis}", 1) for axis in axes_of(params))


def pads_of(params: Any, axes: str | None = None) -> list[int]:
    """All pads: before and after along each axis."""
    return [getattr(params, pad) for axis in axes or axes_of(params) for pad in PADS[axis]]
