"""What the layers of `dialects/ncnn/deconvolution.py` compute."""

from collections.abc import Sequence
from typing import Any

from ...dialects.ncnn.deconvolution import (
    Deconvolution1DOp,
    Deconvolution3DOp,
    DeconvolutionDepthWise1DOp,
    DeconvolutionDepthWise3DOp,
    DeconvolutionDepthWiseOp,
    DeconvolutionOp,
)
from ...dialects.ncnn.spatial import SAME_LOWER, SAME_UPPER, axes_of, pads_of
from .convolution import finished, group_of, static_weight, steps_of
from .semantics import Array, Weights, semantics
from .windows import spread

_MORE = {"w": "output_pad_right", "h": "output_pad_bottom", "d": "output_pad_behind"}


@semantics(
    DeconvolutionOp,
    DeconvolutionDepthWiseOp,
    Deconvolution1DOp,
    DeconvolutionDepthWise1DOp,
    Deconvolution3DOp,
    DeconvolutionDepthWise3DOp,
)
def deconvolution(op: Any, inputs: Sequence[Array], weights: Weights) -> Array:
    weight, group = static_weight(op, weights), group_of(op)
    if op.weights_are_dynamic():  # inputs come before outputs, in each group
        inner = weight.reshape(group, -1, *weight.shape[1:]).swapaxes(1, 2)
        weight = inner.reshape(-1, *inner.shape[2:])
    more = [getattr(op, _MORE[axis]) for axis in axes_of(op)]
    full = spread(inputs[0], weight, group, steps_of(op, "stride"), steps_of(op, "dilation"), more)
    return finished(op, full[(slice(None), *_kept(op, full))], weights)


def _kept(op: Any, full: Array) -> Sequence[slice]:
    """What is not cut off along each axis, as ncnn's cut_padding: any positive pad makes all of
    them count; without, wanted output extents win if there are any."""
    pads, extents = pads_of(op), full.shape[1:]
    wanted = [getattr(op, f"output_{axis}") for axis in axes_of(op)]
    if any(n > 0 for n in pads):
        bounds = [(pads[2 * i], n - pads[2 * i + 1]) for i, n in enumerate(extents)]
    elif not all(n > 0 for n in wanted):
        return ()
    elif SAME_UPPER not in pads and SAME_LOWER not in pads:
        raise ValueError(f"{op.label()}: wanted output extents need pads that say SAME")
    else:
        firsts = [
            _first(extent - n, SAME_UPPER in pads)
            for extent, n in zip(extents, wanted, strict=True)
        ]
        bounds = [(first, first + n) for first, n in zip(firsts, wanted, strict=True)]
    if any(first < 0 for first, _ in bounds):
        raise ValueError(f"{op.label()}: an output of {wanted} is more than {list(extents)} give")
    return [slice(*bound) for bound in bounds]


def _first(cut: int, upper: bool) -> int:
    """Where the output begins if so much is cut off in all, the odd element at its end or its
    beginning. Division is C's: one element too few is not missed."""
    half = int(cut / 2)
    return half if upper else cut - half
