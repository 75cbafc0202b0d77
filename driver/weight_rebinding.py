"""Weights of a model that stays in use after it was saved over its own files."""

from collections.abc import Iterator
from math import prod
from typing import Any, cast

from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Attribute

from ..dialects.ncnn.constant import ConstantOp
from ..dialects.ncnn.weights import (
    INLINE_ELEMENTS,
    WeightAttr,
    WeightError,
    WeightFile,
    WeightSlice,
    make_weight,
)
from ..formats.file_names import weights_beside
from ..formats.weight_storage import SliceLayout
from ..targets.param.export import export_module
from ..targets.param.weights import slot_bytes, stored_as


def read_short_weights(module: ModuleOp) -> None:
    """Load short weights, which IR prints as lists and not as references to a file."""
    for constant in _constants(module):
        value = constant.value
        type_ = cast(TensorType[Any], constant.output.type)
        if isinstance(value, WeightAttr) and value.data.layout is SliceLayout.PLAIN:
            if prod(type_.get_shape()) <= INLINE_ELEMENTS:
                constant.value = make_weight(constant.read(), type_)


def detach_weights(module: ModuleOp) -> None:
    """Let the weights of a module stay readable after their files are removed."""
    files: dict[WeightFile, WeightFile] = {}
    for constant in _constants(module):
        if isinstance(constant.value, WeightAttr):
            file, offset, layout = constant.value.data
            if file not in files:
                files[file] = file.detached()
            constant.value = WeightAttr(WeightSlice(files[file], offset, layout))


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
                constant.value = WeightAttr(WeightSlice(file, where.offset, where.layout))
        return
    file, offset = WeightFile.open(weights or weights_beside(path)), 0
    for constant, encoding, _ in export_module(module).weights:
        storage = stored_as(constant)
        size = slot_bytes(constant, encoding)
        if constant in stale:
            stale.discard(constant)
            if storage.fits(encoding):
                tag = storage.tag_bytes if encoding == "tagged" else b""
                where = WeightSlice(file, offset + len(tag), storage.layout)
                constant.value = WeightAttr(where)
            else:  # it was written as float32, which represents the same values
                type_ = cast(TensorType[Attribute], constant.output.type)
                values = file.map(offset, size).view("<f4").reshape(type_.get_shape())
                constant.value = make_weight(values, type_)
        offset += size


def _constants(module: ModuleOp) -> Iterator[ConstantOp]:
    return (op for op in module.walk() if isinstance(op, ConstantOp))
