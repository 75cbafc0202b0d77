"""Deconvolutions as anchors."""

from ...dialects.fused import ConvTransposeOp
from ...dialects.fused.properties import ints
from ...dialects.ncnn.deconvolution import (
    Deconvolution1DOp,
    Deconvolution3DOp,
    DeconvolutionDepthWise1DOp,
    DeconvolutionDepthWise3DOp,
    DeconvolutionDepthWiseOp,
    DeconvolutionOp,
    Transposed,
)
from ...transforms.rewriting.scalar_code import NotFused
from .anchors import ACC, Plan, anchor
from .convolution import check_channels, grouped
from .int8 import check_float
from .windows import properties_of, window_of


@anchor(
    DeconvolutionOp,
    DeconvolutionDepthWiseOp,
    Deconvolution1DOp,
    DeconvolutionDepthWise1DOp,
    Deconvolution3DOp,
    DeconvolutionDepthWise3DOp,
)
def deconvolution(op: Transposed) -> Plan:
    if op.weights_are_dynamic():
        raise NotFused("a weight that is a blob has its inputs before its outputs")
    window = window_of(op)
    check_channels(op)
    check_float(op)
    properties = {
        **properties_of(window),
        **grouped(window),
        "output_padding": ints(window.more),
    }
    term = op.activated(ACC)
    return Plan(ConvTransposeOp, [op.input, op.weight, op.bias], term, properties)
