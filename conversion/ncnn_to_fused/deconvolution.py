"""Deconvolutions as anchors."""

from ...dialects.fused import ConvTransposeOp
from ...dialects.fused.properties import ints
from ...dialects.ncnn.deconvolution import Transposed
from ...transforms.rewriting.scalar_code import NotFused
from .anchors import ACC, FusedOpPlan, check_float, properties_of, window_of
from .convolution import check_channels, grouped


def deconvolution(op: Transposed) -> FusedOpPlan:
    if op.weights_are_dynamic():
        raise NotFused("a weight that is a blob has its inputs before its outputs")
    window = window_of(op)
    check_channels(op)
    check_float(op)
    own = {**properties_of(window), **grouped(window), "output_padding": ints(window.more)}
    return FusedOpPlan(ConvTransposeOp, [op.input, op.weight, op.bias], op.activated(ACC), own)
