"""Extents of blobs as terms, so that two that are not known can be known to be equal: a residual
connection has one shape on both sides, whatever the size of the image."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import SSAValue

from ...dialects.fused import ConvOp, ConvTransposeOp, ElementwiseOp, LinearOp, PoolOp
from ...dialects.ncnn.layer import SameShapeLayer
from ...dialects.shapes.tensors import known, shape_of

Extent: TypeAlias = Hashable
"""A number, or what is equal only where the extent is."""


@dataclass(frozen=True)
class Shifted:
    """An extent and so much more, or less."""

    extent: Extent
    by: int


DEPTH = 64
"""How many operations are looked back."""


def same_shape(a: SSAValue, b: SSAValue) -> bool:
    """Whether two blobs are known to have one shape: all extents are known to be equal, or both
    are made of one blob by operations that keep its shape."""
    if a is b or shape_root(a) is shape_root(b):
        return True
    first, second = symbolic_shape(a), symbolic_shape(b)
    return first is not None and first == second


def shape_root(value: SSAValue) -> SSAValue:
    """The blob that a blob has its shape from."""
    while (source := _same_shape_as(value)) is not None:
        value = source
    return value


def _same_shape_as(value: SSAValue) -> SSAValue | None:
    """The operand of which the operation before keeps the shape, if it does."""
    op = value.owner
    if isinstance(op, SameShapeLayer) and len(op.results) == 1:
        return op.input
    return op.input if isinstance(op, ElementwiseOp) else None


def symbolic_shape(value: SSAValue, depth: int = DEPTH) -> tuple[Extent, ...] | None:
    """The extents of a blob, those that are not known as terms; `None` if not even their number is
    known."""
    shape = shape_of(value)
    if shape is None or all(map(known, shape)):
        return shape
    follows = _follows(value, depth) if depth else None
    if follows is None or len(follows) != len(shape):
        follows = [None] * len(shape)
    return tuple(
        n if known(n) else (value, axis) if term is None else term
        for axis, (n, term) in enumerate(zip(shape, follows, strict=True))
    )


def _follows(value: SSAValue, depth: int) -> Sequence[Extent | None] | None:
    """The extents that follow from those of the operands, as far as anything does."""
    op = value.owner
    source = _same_shape_as(value)
    if source is not None:
        return symbolic_shape(source, depth - 1)
    if not isinstance(op, ConvOp | ConvTransposeOp | PoolOp | LinearOp):
        return None
    given = symbolic_shape(op.input, depth - 1)
    if given is None:
        return None
    if isinstance(op, LinearOp):
        return (given[0] if len(given) == 2 else ("rows", given[:-1]), None)
    return _slid(op, given)


def _slid(
    op: ConvOp | ConvTransposeOp | PoolOp, given: Sequence[Extent]
) -> Sequence[Extent] | None:
    """The extents that come out of a window."""
    if isinstance(op, PoolOp) and (op.is_global is not None or op.adaptive is not None):
        return None
    window = op.window([DYNAMIC_INDEX] * (len(given) - 1))
    if DYNAMIC_INDEX in window.kernel:
        return None
    more = window.more or (0,) * len(window.kernel)
    rows = zip(given[1:], window.spans, window.strides, window.pads, more, strict=True)
    forward = not isinstance(op, ConvTransposeOp)
    return (None, *(_window_extent(forward, *row) for row in rows))


def _window_extent(
    forward: bool, extent: Extent, span: int, stride: int, pads: tuple[int, int], more: int
) -> Extent:
    if forward:
        wider = sum(pads) - span
        if stride == 1:
            return _shifted(extent, wider + 1)
        return ("windows", _shifted(extent, wider), stride)
    wider = span - stride + more - sum(pads)
    return _shifted(extent if stride == 1 else ("spread", extent, stride), wider)


def _shifted(extent: Extent, by: int) -> Extent:
    """An extent and so much more."""
    if isinstance(extent, int):
        return extent + by
    if isinstance(extent, Shifted):
        extent, by = extent.extent, extent.by + by
    return Shifted(extent, by) if by else extent
