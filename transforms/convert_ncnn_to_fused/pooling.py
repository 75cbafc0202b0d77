"""Pooling as an anchor."""

from collections.abc import Sequence
from math import fmod
from typing import Any

from xdsl.dialects.builtin import UnitAttr, f32
from xdsl.ir import Attribute

from ...dialects.fused import PoolKind, PoolKindAttr, PoolOp
from ...dialects.fused.properties import ints
from ...dialects.ncnn.pooling import (
    POOLING_TYPES,
    Pooling1DOp,
    Pooling3DOp,
    PoolingOp,
)
from ...dialects.ncnn.spatial import PADS, axes_of, kernel_of, pads_of
from ...dialects.ncnn.windows import FULL, POOL_SAME_LOWER, POOL_SAME_UPPER, VALID
from ...dialects.shapes.tensors import element_of
from ..epilogues.terms import NotFused
from .anchors import ACC, Plan, anchor
from .windows import check_rank, explicit, extents_of, lower_axes, per_axis, same_pads, same_total


@anchor(PoolingOp, Pooling1DOp, Pooling3DOp)
def pooling(op: Any) -> Plan:
    axes = axes_of(op)
    check_rank(op.input, axes)
    if element_of(op.input) != f32:
        raise NotFused(f"windows of {element_of(op.input)}")
    properties: dict[str, Attribute] = {"kind": PoolKindAttr(PoolKind(_kind(op)))}
    if op.global_pooling:
        properties["global"] = UnitAttr()
    elif op.adaptive_pooling:
        extents_of(op.output, axes)
        properties["adaptive"] = UnitAttr()
    else:
        pads, counted = _pads(op)
        properties["kernel"] = ints(kernel_of(op))
        properties["strides"] = per_axis(op, "stride")
        properties["pads"] = ints(pads)
        if counted and any(pads) and _kind(op) == "avg":
            properties["count_include_pad"] = UnitAttr()
    return Plan(PoolOp, [op.input], ACC, properties)


def _kind(op: Any) -> str:
    return POOLING_TYPES[int(op.pooling_type)]


def _pads(op: Any) -> tuple[Sequence[int], bool]:
    """The pads (make_padding in src/layer/pooling.cpp), and whether a mean counts them."""
    axes, pads = axes_of(op), pads_of(op)
    if op.pad_mode == VALID:
        return explicit(pads), bool(op.avgpool_count_include_pad)
    if op.pad_mode == FULL:
        return _full(op, explicit(pads)), bool(op.avgpool_count_include_pad)
    if op.pad_mode not in (POOL_SAME_UPPER, POOL_SAME_LOWER):
        raise NotFused(f"pad_mode {op.pad_mode}")
    totals = [
        same_total(n, getattr(op, f"kernel_{axis}"), getattr(op, f"stride_{axis}"))
        for axis, n in zip(axes, extents_of(op.input, axes), strict=True)
    ]
    result = same_pads(totals, lower_axes(axes, op.pad_mode == POOL_SAME_LOWER))
    if any(pads) and not op.avgpool_count_include_pad and _kind(op) == "avg":
        raise NotFused("pads besides those of SAME, which a mean does not count")
    return result, True  # what SAME adds is counted in any case


def _full(op: Any, pads: Sequence[int]) -> Sequence[int]:
    """Pads with what the last window lacks after each axis."""
    axes = axes_of(op)
    if all(getattr(op, f"stride_{axis}") == 1 for axis in axes):
        return pads
    result: list[int] = []
    for axis, extent in zip(axes, extents_of(op.input, axes), strict=True):
        before, after = (getattr(op, pad) for pad in PADS[axis])
        stride = getattr(op, f"stride_{axis}")
        tail = int(fmod(extent + before + after - getattr(op, f"kernel_{axis}"), stride))
        result += [before, after + (stride - tail if tail else 0)]
    return result
