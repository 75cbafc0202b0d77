"""The pads of windows, once the modes of ncnn are resolved: what is added before and after each
axis, outermost first."""

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import SSAValue

from ...dialects.fused.properties import ints
from ...dialects.ncnn.blob import shape_of
from ...dialects.ncnn.spatial import SAME_LOWER, SAME_UPPER, axes_of, kernel_extent, pads_of
from ..epilogues.terms import NotFused


def per_axis(op: Any, name: str) -> Any:
    """Strides or dilations as a property."""
    return ints([getattr(op, f"{name}_{axis}") for axis in axes_of(op)])


def extents_of(value: SSAValue, axes: str) -> Sequence[int]:
    """The extents of a blob along the axes of a window. Raises `NotFused` unless all are known."""
    shape = shape_of(value)
    if shape is None or len(shape) != len(axes) + 1 or DYNAMIC_INDEX in shape[1:]:
        raise NotFused("the pads depend on extents that are not known")
    return shape[1:]


def check_rank(value: SSAValue, axes: str) -> None:
    """Raises `NotFused` for a blob that is known to have too few or too many dims."""
    shape = shape_of(value)
    if shape is not None and len(shape) != len(axes) + 1:
        raise NotFused(f"an input of {len(shape)} dims for a window along {len(axes)} axes")


def explicit(pads: Sequence[int]) -> Sequence[int]:
    """Pads as they are. Raises `NotFused` for negative ones, which the runtime may cut off."""
    if min(pads, default=0) < 0:
        raise NotFused(f"pads of {min(pads)}")
    return pads


def same_pads(totals: Sequence[int], lower: Sequence[bool]) -> Sequence[int]:
    """The pads before and after each axis for these sums of them, the odd one after or, where it is
    the `lower` mode, before. None at all if no sum is positive; raises `NotFused` where others are
    negative, of which the runtime cuts off."""
    if not any(n > 0 for n in totals):
        return [0, 0] * len(totals)
    if min(totals) < 0:
        raise NotFused("SAME pads along one axis, and negative ones along another")
    pads: list[int] = []
    for n, below in zip(totals, lower, strict=True):
        pads += [n - n // 2, n // 2] if below else [n // 2, n - n // 2]
    return pads


def lower_axes(axes: str, lower: bool) -> list[bool]:
    """Along which axes SAME_LOWER is that: the runtime pads the depth as for SAME_UPPER."""
    return [lower and axis != "d" for axis in axes]


def same_total(extent: int, span: int, stride: int) -> int:
    """How many elements a window that spans so many lacks for ceil(extent / stride) places."""
    return span + (extent - 1) // stride * stride - extent


def convolution_pads(op: Any) -> Sequence[int]:
    """The pads of a convolution (make_padding in src/layer/convolution.cpp): any positive pad makes
    all of them count, and only then all of -233 or -234 mean SAME. Raises `NotFused`."""
    pads, axes = pads_of(op), axes_of(op)
    if any(n > 0 for n in pads):
        return explicit(pads)
    upper, lower = (all(n == mode for n in pads) for mode in (SAME_UPPER, SAME_LOWER))
    if not (upper or lower):
        return [0] * len(pads)
    if op.weights_are_dynamic():
        raise NotFused("SAME pads of a kernel that is a blob")
    totals = [
        same_total(extent, kernel_extent(op, axis), getattr(op, f"stride_{axis}"))
        for axis, extent in zip(axes, extents_of(op.input, axes), strict=True)
    ]
    return same_pads(totals, lower_axes(axes, lower))
