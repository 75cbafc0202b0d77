"""Anchors with int8 weights: the part of the epilogue that the layer computes itself, and its
scales."""

from dataclasses import dataclass
from itertools import product
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import SSAValue

from ...dialects.fused import FusedOp, LinearOp
from ...dialects.ncnn.formulas import Arg, to_int8
from ...dialects.ncnn.quantization import QuantizeOp
from ...dialects.shapes.tensors import shape_of
from ...transforms.rewriting.scalar_code import dequantized
from ..epilogues.constants import has_values, new_constant, read_float32
from ..epilogues.unification import Bindings, Weight, unify
from .activation import is_all
from .anchors import Anchor
from .instruction_selection import Covering, NotLowered

Array = NDArray[Any]


@dataclass(frozen=True)
class Sums:
    """The conversion of int32 sums to floats."""

    value: SSAValue
    """The scalar that is the float."""
    scale: SSAValue
    bias: SSAValue | None
    """The weights."""


def find_sums(op: FusedOp, covering: Covering) -> Sums:
    """Return the first operation on the int32 accumulator of an epilogue. Raises `NotLowered`."""
    accumulator = op.accumulator
    assert accumulator is not None
    shape = shape_of(op.result)
    axis = 1 if isinstance(op, LinearOp) and shape is not None and len(shape) == 2 else 0
    factor, summand = Weight(1), Weight(2)
    codes = (dequantized(Arg(0), factor, summand), dequantized(Arg(0), factor, None))
    scalars = [result for inner in op.block.ops for result in inner.results]
    found = [
        (scalar, bound)
        for code, scalar in product(codes, scalars)
        for bound in unify(code, scalar, Bindings({0: accumulator}, {}))
    ]
    for scalar, bound in sorted(found, key=lambda row: row[1].dropped):
        weights = [covering.channel_constant(bound.args[i], axis) for i in sorted(bound.args) if i]
        if is_all(scalar, accumulator) and weights[0] is not None and None not in weights:
            return Sums(scalar, weights[0], weights[1] if len(weights) > 1 else None)
    raise NotLowered("int32 sums are not multiplied by one scale per channel first")


def find_output_scale(op: FusedOp, made: SSAValue, covering: Covering) -> SSAValue | None:
    """Return the single scale that turns a layer's result into the yielded int8; `None` for other
    epilogues."""
    code = to_int8(Arg(0) * Weight(1))
    for bound in unify(code, op.yielded, Bindings({0: made}, {})):
        scale = covering.channel_constant(bound.args[1])
        if scale is not None and shape_of(scale) == (1,):
            return scale
    return None


def add_scales(op: FusedOp, anchor: Anchor, sums: Sums, covering: Covering) -> None:
    """Set the scales of a layer's weight and input; the runtime derives the scale of the sums from
    them. If the input is quantized for this layer only, the layer quantizes it itself."""
    bottom: SSAValue | None = None
    quantize = anchor.data[0].owner
    if isinstance(quantize, QuantizeOp) and quantize.scale_data_size == 1:
        if all(use.operation is op for use in quantize.output.uses):
            bottom = quantize.scale
            anchor.data = [quantize.input]
    known = has_values([sums.scale, bottom])
    input_scale = np.float32(1)
    if bottom is None:
        bottom = covering.constant(new_constant(np.ones(1), 1, "bottom").owner)
    elif known:
        input_scale = read_float32(bottom)[0]
    outputs, groups = int(cast(Any, anchor.params["num_output"])), anchor.params.get("group")
    count = outputs if groups is None else int(cast(Any, groups))
    scales: Array | None = None
    if known:
        wanted = np.resize(read_float32(sums.scale), outputs).reshape(count, -1)
        if (wanted != wanted[:, :1]).any():
            raise NotLowered("channels of one group have different scales")
        scales = weight_scales(wanted[:, 0], input_scale)
    bias = sums.bias
    if bias is not None and shape_of(bias) == (1,) and outputs > 1:  # one value for all channels
        values = np.repeat(read_float32(bias), outputs) if has_values([bias]) else None
        bias = covering.constant(new_constant(values, outputs, "bias").owner)
    anchor.params["int8_scale_term"] = 1
    anchor.weights |= {
        "bias": bias,
        "weight_int8_scales": covering.constant(new_constant(scales, count, "scales").owner),
        "bottom_int8_scales": bottom,
    }


def weight_scales(wanted: Array, input_scale: np.float32) -> Array:
    """Return weight scales such that the runtime's `1 / (scale * input_scale)` equals `wanted`, or
    the closest float32. The scale is 0 if 0 is wanted, as in the runtime."""
    with np.errstate(all="ignore"):
        start = np.float32(1) / (wanted * input_scale)
    best = np.where(wanted == 0, np.float32(0), start).astype("f4")
    error = np.full(wanted.shape, np.inf)
    candidate = best.copy()
    for _ in range(4):
        candidate = np.nextafter(candidate, np.float32(-np.inf))
    for _ in range(9):
        with np.errstate(all="ignore"):
            made = np.float32(1) / (candidate * input_scale)
        off = np.where(wanted == 0, np.inf, np.abs(made.astype("f8") - wanted))
        best = np.where(off < error, candidate, best)
        error = np.minimum(error, off)
        candidate = np.nextafter(candidate, np.float32(np.inf))
    return best
