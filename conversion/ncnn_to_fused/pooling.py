"""Pooling as an anchor.

ncnn's ways to pad become explicit pads, and its rules of counting them in a mean become one
property of `fused.pool`.
"""

from xdsl.dialects.builtin import UnitAttr, f32
from xdsl.ir import Attribute

from ...dialects.fused import PoolKind, PoolKindAttr, PoolOp
from ...dialects.fused.properties import ints
from ...dialects.ncnn.blob import rank_of
from ...dialects.ncnn.pooling import POOLING_TYPES, Pool1D
from ...dialects.ncnn.spatial import axes_of, pads_of
from ...dialects.ncnn.windows import FULL, VALID
from ...dialects.shapes.tensors import element_of, known, shape_of
from ...transforms.rewriting.scalar_code import NotFused
from .anchors import ACC, FusedOpPlan, check_rank, properties_of, window_of


def pooling(op: Pool1D) -> FusedOpPlan:
    if rank_of(op.input) is None:
        raise NotFused("the number of axes that the window slides along is unknown")
    check_rank(op.input, axes_of(op))
    if element_of(op.input) != f32:
        raise NotFused(f"windows of {element_of(op.input)}")
    properties: dict[str, Attribute] = {"kind": PoolKindAttr(PoolKind(_kind(op)))}
    if op.global_pooling:
        properties["global"] = UnitAttr()
    elif op.adaptive_pooling:
        shape = shape_of(op.output)
        if shape is None or not all(map(known, shape[1:])):
            raise NotFused("the windows depend on unknown extents")
        properties["adaptive"] = UnitAttr()
    else:
        window = window_of(op)
        properties |= {**properties_of(window), "kernel": ints(window.kernel)}
        if _kind(op) == "avg" and _counts_pads(op) and any(map(any, window.pads)):
            properties["count_include_pad"] = UnitAttr()
    return FusedOpPlan(PoolOp, [op.input], ACC, properties)


def _kind(op: Pool1D) -> str:
    return POOLING_TYPES[int(op.pooling_type)]


def _counts_pads(op: Pool1D) -> bool:
    """Whether a mean counts the pads. It always counts the padding of SAME. Raises `NotFused`."""
    counts = bool(op.avgpool_count_include_pad)
    if op.pad_mode in (FULL, VALID) or counts:
        return counts
    if any(pads_of(op)):
        raise NotFused("explicit pads besides SAME padding, which a mean does not count")
    return True
