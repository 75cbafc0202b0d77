"""Deconvolutions as anchors."""

from collections.abc import Sequence
from typing import Any

from ...dialects.fused import ConvTransposeOp
from ...dialects.fused.properties import integer, ints
from ...dialects.ncnn.deconvolution import (
    Deconvolution1DOp,
    Deconvolution3DOp,
    DeconvolutionDepthWise1DOp,
    DeconvolutionDepthWise3DOp,
    DeconvolutionDepthWiseOp,
    DeconvolutionOp,
)
from ...dialects.ncnn.spatial import SAME_LOWER, SAME_UPPER, axes_of, kernel_extent, pads_of
from ..epilogues.terms import NotFused
from .anchors import ACC, Plan, anchor
from .convolution import check_channels
from .int8 import check_float
from .windows import check_rank, explicit, extents_of, per_axis, same_pads

_MORE = {"w": "output_pad_right", "h": "output_pad_bottom", "d": "output_pad_behind"}


@anchor(
    DeconvolutionOp,
    DeconvolutionDepthWiseOp,
    Deconvolution1DOp,
    DeconvolutionDepthWise1DOp,
    Deconvolution3DOp,
    DeconvolutionDepthWise3DOp,
)
def deconvolution(op: Any) -> Plan:
    if op.weights_are_dynamic():
        raise NotFused("a weight that is a blob has its inputs before its outputs")
    check_rank(op.input, axes_of(op))
    check_channels(op)
    check_float(op)
    properties = {
        "strides": per_axis(op, "stride"),
        "dilations": per_axis(op, "dilation"),
        "pads": ints(_cuts(op)),
        "output_padding": ints([getattr(op, _MORE[axis]) for axis in axes_of(op)]),
        "groups": integer(getattr(op, "group", 1)),
    }
    term = op.activated(ACC)
    return Plan(ConvTransposeOp, [op.input, op.weight, op.bias], term, properties)


def _cuts(op: Any) -> Sequence[int]:
    """What is cut off (cut_padding in src/layer/deconvolution.cpp): any positive pad makes all of
    them count; without, wanted output extents win. Raises `NotFused`."""
    pads, axes = pads_of(op), axes_of(op)
    if any(n > 0 for n in pads):
        return explicit(pads)
    wanted = [getattr(op, f"output_{axis}") for axis in axes]
    if not all(n > 0 for n in wanted):
        return [0] * len(pads)
    upper = SAME_UPPER in pads
    if not upper and SAME_LOWER not in pads:
        raise NotFused("output extents without pads that say SAME, where the runtime fails")
    totals: list[int] = []
    for axis, extent, n in zip(axes, extents_of(op.input, axes), wanted, strict=True):
        reach = (extent - 1) * getattr(op, f"stride_{axis}") + kernel_extent(op, axis)
        totals.append(reach + getattr(op, _MORE[axis]) - n)
    if min(totals) < 0:
        raise NotFused("output extents that are larger than what there is")
    return same_pads(totals, [not upper] * len(axes))
