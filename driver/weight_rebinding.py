"""Weights of a model that stays in use after it was saved over its own files."""

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
    """Load short weights, which IR prints as lists and not as references to a file."""
    for constant in _constants(module):
        value = constant.value
        type_ = cast(TensorType[Any], constant.output.type)
        if isinstance(value, WeightAttr) and value.data.storage is Storage.PLAIN:
            if prod(type_.get_shape()) <= INLINE_ELEMENTS:
                constant.value = make_weight(constant.read(), type_)


def detach_weights(module: ModuleOp) -> None:
    """Let the weights of a module stay readable after their files are removed."""
    files: dict[WeightFile, WeightFile] = {}
    for constant in _constants(module):
        if isinstance(constant.value, WeightAttr):
            file, offset, storage = constant.value.data
            if file not in files:
                files[file] = file.detached()
            constant.value = WeightAttr(WeightSlice(files[file], offset, storage))


def rebind_weights(module: ModuleOp, written: ModuleOp, path: str, weights: str | None) -> None:
    """Let the weights of a module refer to the file that replaced theirs, after the module was
    saved to `path` and `weights`.

    `written` is the saved copy. The constants of saved IR already refer to the new file.
    """
    stale: set[ConstantOp] = set()
    for constant in _constants(module):
        if isinstance(constant.value, WeightAttr):
            try:
                constant.value.data.file.check_unchanged()
            except WeightError:
                stale.add(constant)
    if not stale:
        return
    if not path.endswith((".param", ".param.bin")):
        for constant, copy in zip(_constants(module), _constants(written), strict=True):
            if constant in stale and isinstance(copy.value, WeightAttr):
                where = copy.value.data
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
            else:  # it was written as float32, which represents the same values
                type_ = cast(TensorType[Attribute], constant.output.type)
                values = file.map(offset, size).view("<f4").reshape(type_.get_shape())
                constant.value = make_weight(values, type_)
        offset += size


def _constants(module: ModuleOp) -> Iterator[ConstantOp]:
    return (op for op in module.walk() if isinstance(op, ConstantOp))
