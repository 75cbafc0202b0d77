"""A model that goes on after it was saved, perhaps over the files that its weights are in."""

from collections.abc import Iterator
from math import prod
from typing import Any, cast

from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Attribute

from ..dialects.ncnn.constant import ConstantOp
from ..dialects.ncnn.weights import (
    INLINE_ELEMENTS,
    Storage,
    WeightAttr,
    WeightError,
    WeightFile,
    WeightSlice,
    make_weight,
)
from ..formats.bin import TAG_BYTES
from ..formats.file_names import weights_beside
from ..targets.param.export import export_module
from ..targets.param.weights import fits, slot_bytes, stored_as


def read_short_weights(module: ModuleOp) -> None:
    """Takes weights into memory that IR prints as a list: it has no place for them in a file."""
    for constant in _constants(module):
        value = constant.value
        type_ = cast(TensorType[Any], constant.output.type)
        if isinstance(value, WeightAttr) and value.data.storage is Storage.PLAIN:
            if prod(type_.get_shape()) <= INLINE_ELEMENTS:
                constant.value = make_weight(constant.read(), type_)


def follow_weights(module: ModuleOp, written: ModuleOp, path: str, weights: str | None) -> None:
    """Lets the weights of a module whose file was replaced when it was saved, with these weights as
    `path`, refer to the new one.

    `written` is the copy of it that was saved. If that is IR, its constants refer to the new file
    already.
    """
    stale = {c for c in _constants(module) if _has_gone(c)}
    if not stale:
        return
    if not path.endswith((".param", ".param.bin")):
        twins = zip(_constants(module), _constants(written), strict=True)
        for constant, twin in twins:
            if constant in stale and isinstance(twin.value, WeightAttr):
                where = twin.value.data
                file = WeightFile.open(where.file.path)
                constant.value = WeightAttr(WeightSlice(file, where.offset, where.storage))
        return
    file, offset = WeightFile.open(weights or weights_beside(path)), 0
    for constant, form, _ in export_module(module).weights:
        element, storage = stored_as(constant)
        size = slot_bytes(constant, form)
        if constant in stale:
            stale.discard(constant)
            if fits(element, storage, form):
                tag = TAG_BYTES if form == "tagged" and storage != "table" else 0
                where = WeightSlice(file, offset + tag, Storage(storage))
                constant.value = WeightAttr(where)
            else:  # it was written as float32, which holds the same values
                type_ = cast(TensorType[Attribute], constant.output.type)
                values = file.map(offset, size).view("<f4").reshape(type_.get_shape())
                constant.value = make_weight(values, type_)
        offset += size


def _constants(module: ModuleOp) -> Iterator[ConstantOp]:
    return (op for op in module.walk() if isinstance(op, ConstantOp))


def _has_gone(constant: ConstantOp) -> bool:
    """Whether the file that a weight is in is not what it was."""
    if not isinstance(constant.value, WeightAttr):
        return False
    try:
        constant.value.data.file.check_unchanged()
    except WeightError:
        return True
    return False
