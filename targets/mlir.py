"""IR → `.mlir`, with the weights in a `.bin` beside it or in the text."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from io import StringIO
from math import prod
from typing import Any, cast

from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Attribute
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from ..dialects.ncnn.constant import ConstantOp
from ..dialects.ncnn.slots import Form
from ..dialects.ncnn.weights import (
    INLINE_ELEMENTS,
    WEIGHT_BASE,
    ElidedAttr,
    Storage,
    WeightAttr,
    WeightFile,
    WeightSlice,
    dense_weight,
)
from ..formats.errors import FormatError
from .files import OutputFiles
from .param import export_module
from .weights import WeightWriter


class WeightStyle(Enum):
    """What is printed for weights of more than 16 elements."""

    REFERENCE = "reference"
    """A slice of a file where they are one, hex otherwise."""
    INLINE = "inline"
    """Hex for every one."""
    ELIDE = "elide"
    """`#ncnn.elided`."""


@dataclass(frozen=True)
class MlirOptions:
    """How to print a module."""

    weights: WeightStyle = WeightStyle.REFERENCE
    generic: bool = False
    properties_as_attributes: bool = False
    debuginfo: bool = False


def print_module(module: ModuleOp, options: MlirOptions, base: str | None = None) -> str:
    """The module as text; weight references are relative to the folder `base`, by default the
    working directory. Changes the values of constants to what is printed. Raises `WeightError`
    where values are wanted that cannot be had."""
    for constant in large_constants(module):
        if options.weights is WeightStyle.ELIDE:
            constant.value = ElidedAttr()
        elif options.weights is WeightStyle.INLINE and constant.has_values():
            type_ = cast(TensorType[Attribute], constant.output.type)
            constant.value = dense_weight(constant.read(), type_)
    out = StringIO()
    token = WEIGHT_BASE.set(base)
    try:
        Printer(
            stream=out,
            print_generic_format=options.generic,
            print_properties_as_attributes=options.properties_as_attributes,
            print_debuginfo=options.debuginfo,
        ).print_op(module)
    finally:
        WEIGHT_BASE.reset(token)
    return out.getvalue() + "\n"


def large_constants(module: ModuleOp) -> Iterator[ConstantOp]:
    """The constants whose values are not printed as a list."""
    for op in module.walk():
        if isinstance(op, ConstantOp):
            type_ = cast(TensorType[Any], op.output.type)
            value = op.value
            plain = not isinstance(value, WeightAttr) or value.data.storage is Storage.PLAIN
            if prod(type_.get_shape()) > INLINE_ELEMENTS or not plain:
                yield op


def references(module: ModuleOp, options: MlirOptions) -> list[ConstantOp]:
    """The constants that are printed as references to a file."""
    if options.weights is not WeightStyle.REFERENCE:
        return []
    return [c for c in large_constants(module) if c.has_values()]


def weights_lie_in(module: ModuleOp, bin_path: str) -> bool:
    """Whether all weights that are printed as references are slices of this very file."""
    real = os.path.realpath(bin_path)
    constants = [c for c in large_constants(module) if c.has_values()]
    return bool(constants) and all(
        isinstance(c.value, WeightAttr) and os.path.realpath(c.value.data.file.path) == real
        for c in constants
    )


def write_mlir(
    module: ModuleOp,
    path: str,
    bin_path: str | None,
    options: MlirOptions,
    files: OutputFiles,
    settle: Callable[[OutputFiles, str], str] | None = None,
) -> None:
    """The module as `path`; weights that are printed as references move to `bin_path`, so that
    the two files need no other (`None`: they stay where they are). `settle` is asked, when the
    weights are written but before they replace anything, which path they get in the end. Raises
    `OSError` and `WeightError`."""
    constants = references(module, options)
    if constants and bin_path is not None:
        _move_weights(module, constants, bin_path, files, settle)
    base = os.path.dirname(os.path.abspath(path))
    files.create(path, "w").write(print_module(module, options, base))


def _move_weights(
    module: ModuleOp,
    constants: list[ConstantOp],
    bin_path: str,
    files: OutputFiles,
    settle: Callable[[OutputFiles, str], str] | None,
) -> None:
    """Writes the weights and lets the constants refer to them. Where the module is an ncnn model,
    the file is the `.bin` of that model, so that a `.param` of the same name can share it."""
    writer = WeightWriter(files.create(bin_path, "wb"))
    offsets: dict[ConstantOp, int] = {}
    for constant, form in _model_weights(module):
        if (offset := writer.write_slot(constant, form)) is not None:
            offsets[constant] = offset
    for constant in constants:
        if constant not in offsets:
            offsets[constant] = writer.offset
            writer.write_data(constant)
    # Only after all are copied: a constant may lie in the very file that is being replaced.
    size = writer.finish()
    final = bin_path if settle is None else settle(files, bin_path)
    file = WeightFile(os.path.abspath(final), size, 0, 0)
    for constant in constants:
        value = constant.value
        storage = value.data.storage if isinstance(value, WeightAttr) else Storage.PLAIN
        constant.value = WeightAttr(WeightSlice(file, offsets[constant], storage))


def _model_weights(module: ModuleOp) -> list[tuple[ConstantOp, Form]]:
    """The weights of the module in the order of a `.bin`, and their forms there; none if the module
    is no model, or one without all of its weights."""
    try:
        weights = export_module(module).weights
    except (FormatError, VerifyException):
        return []
    complete = all(constant.has_values() for constant, _, _ in weights)
    return [(constant, form) for constant, form, _ in weights] if complete else []
