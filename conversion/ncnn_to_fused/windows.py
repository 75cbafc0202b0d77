"""The window of a layer as properties of a fused operation."""

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Attribute, SSAValue

from ...dialects.fused.properties import ints
from ...dialects.ncnn.blob import shape_of
from ...dialects.ncnn.convolution import Forward
from ...dialects.ncnn.deconvolution import Transposed
from ...dialects.ncnn.pooling import Pool1D
from ...dialects.ncnn.spatial import axes_of
from ...dialects.shapes.windows import NoWindow, Window
from ...transforms.rewriting.scalar_code import NotFused


def check_rank(value: SSAValue, axes: str) -> None:
    """Raise `NotFused` for a blob whose known rank does not fit the axes of a window."""
    shape = shape_of(value)
    if shape is not None and len(shape) != len(axes) + 1:
        raise NotFused(f"an input of {len(shape)} dims for a window along {len(axes)} axes")


def window_of(op: Forward | Transposed | Pool1D) -> Window[int]:
    """Return the window of a layer for the type of its input. Raises `NotFused` if the window is
    not known, and for negative pads, which the runtime may cut off."""
    axes = axes_of(op)
    check_rank(op.input, axes)
    shape = shape_of(op.input)
    try:
        return op.window_on((DYNAMIC_INDEX,) * len(axes) if shape is None else shape[1:])
    except NoWindow as e:
        raise NotFused(str(e)) from e


def properties_of(window: Window[int]) -> dict[str, Attribute]:
    """Return the properties that all fused operations with a window have."""
    return {
        "strides": ints(window.strides),
        "pads": ints([n for pair in window.pads for n in pair]),
    }
