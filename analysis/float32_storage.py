"""Layers that read and write float32 where others store float16: bit 1 of the feature mask.

On arm, such a layer reads its blobs as they are (`NetPrivate::convert_layout` in `src/net.cpp`):
the runtime converts no float16 blob for it. So the layers that write its blobs must write float32.
"""

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Block, Operation

from ..dialects.ncnn.layer import LayerOp

FLOAT32_STORAGE = 1 << 1
"""The bit of a layer's feature mask that turns float16 storage off."""


def has_float32_storage(op: Operation | Block) -> bool:
    """Whether a layer has no float16 storage."""
    if not isinstance(op, LayerOp) or "featmask" not in op.properties:
        return False
    return bool(op.featmask & FLOAT32_STORAGE)


def must_stay(op: Operation) -> bool:
    """Whether an operation is a Permute without effect that writes float32 for a layer of float32
    storage, or such a layer: a rewrite could put a float16 blob before it."""
    if has_float32_storage(op):
        return any(_is_plain_permute(value.owner) for value in op.operands)
    return _is_plain_permute(op) and any(
        has_float32_storage(use.operation) for result in op.results for use in result.uses
    )


def _is_plain_permute(op: Operation | Block) -> bool:
    """Whether an operation is a Permute that keeps the order. (Its family is not imported: a start
    of a model without one would pay for it.)"""
    if not isinstance(op, LayerOp) or op.LAYER_TYPE != "Permute":
        return False
    order = op.properties.get("order_type")
    return order is None or (isinstance(order, IntegerAttr) and order.value.data == 0)
