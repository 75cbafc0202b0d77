"""Blobs of one or two bytes per element, and layers that read them as float32.

The runtime checks no element size: a layer of floats reads such a blob, and the memory behind it,
as other numbers.
"""

from collections.abc import Iterator
from typing import Any

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import SSAValue

from ..dialects.ncnn.blob import rank_of
from ..dialects.ncnn.constant import ConstantOp
from ..dialects.ncnn.conversion import CastOp
from ..dialects.ncnn.cost import element_bytes
from ..dialects.ncnn.int8 import StaticInt8
from ..dialects.ncnn.layer import LayerOp

ElementSizes = dict[SSAValue, int]
"""The bytes per element of blobs in the runtime."""

COPIES_BYTES = frozenset({"Crop", "DeepCopy", "ExpandDims", "Noop", "Squeeze"})
"""Layer types that copy the elements of a constant as they are, whatever their size, beside those
that `keeps_int8` names: tests/differential/test_load_types.py runs them. (The blob of a layer is
packed, and then they copy floats.)"""


def copies_bytes(op: LayerOp) -> bool:
    """Whether a layer copies the elements of a constant as they are, whatever their size."""
    if op.LAYER_TYPE == "Reshape":  # to several channels, it copies floats
        rank = rank_of(op.results[0])
        return rank is None or rank < 3
    if op.LAYER_TYPE == "Dropout":
        one: Any = op
        return one.scale == 1
    return op.LAYER_TYPE in COPIES_BYTES or op.keeps_int8()


def misread(op: LayerOp, known: ElementSizes) -> Iterator[tuple[int, int]]:
    """Yield the inputs of one or two bytes per element that a layer reads as float32: their index,
    and the bytes per element. `known` has the sizes of blobs that were found before."""
    if isinstance(op, CastOp | ConstantOp):
        return
    for i, value in enumerate(op.blobs_read()):
        size = stored_bytes(value, known)
        if size == 4 or op.keeps_int8():
            continue
        if i == 0 and copies_bytes(op) and constant_behind(value) is not None:
            continue
        if not (size == 1 and isinstance(op, StaticInt8) and op.computes_int8() and i == 0):
            yield i, size


def stored_bytes(value: SSAValue, known: ElementSizes) -> int:
    """Return the bytes per element of a blob in the runtime. `known` has those of other blobs."""
    same: list[SSAValue] = []
    while value not in known:
        op = value.owner
        if not (isinstance(op, LayerOp) and copies_bytes(op) and op.operands):
            known[value] = 4 if _is_converted(op) else element_bytes(value)
            break
        same.append(value)
        value = op.operands[0]
    known.update(dict.fromkeys(same, known[value]))
    return known[value]


def _is_converted(op: object) -> bool:
    """Whether this is a constant whose elements the runtime converts to float32: all but
    integers."""
    if not (isinstance(op, ConstantOp) and op.is_layer()):
        return False
    return not isinstance(op.output.type.element_type, IntegerType)


def constant_behind(value: SSAValue) -> ConstantOp | None:
    """Return the constant whose bytes layers copied to a blob, if any."""
    while isinstance(op := value.owner, LayerOp) and not isinstance(op, ConstantOp):
        if not (copies_bytes(op) and op.operands):
            return None
        value = op.operands[0]
    return op if isinstance(op, ConstantOp) else None
