"""Printing of IR, and of the weights that it refers to.

A weight of a file is printed as a reference relative to the folder of the text. Weights without a
file are printed as their values, or left out.
"""

import os
from collections.abc import Iterator
from io import StringIO
from math import prod
from typing import Any, cast

from xdsl.dialects.builtin import Builtin, ModuleOp, TensorType
from xdsl.ir import Attribute
from xdsl.printer import Printer

from ...dialects.ncnn.constant import ConstantOp
from ...dialects.ncnn.weights import (
    INLINE_ELEMENTS,
    WEIGHT_BASE,
    ElidedAttr,
    WeightAttr,
    dense_weight,
)
from ...formats.weight_storage import SliceLayout
from ..options import MlirOptions, WeightStyle


def print_module(module: ModuleOp, options: MlirOptions, base: str | None = None) -> str:
    """Return the module as text. Weight references are relative to the folder `base` (default: the
    working directory). The module keeps its values. Raises `WeightError` for unavailable
    values."""
    out = StringIO()
    printer = Printer
    if options.colours:
        from xdsl.syntax_printer import SyntaxPrinter

        printer = SyntaxPrinter
    token = WEIGHT_BASE.set(base)
    try:
        text = printer(
            stream=out,
            print_generic_format=options.generic,
            print_properties_as_attributes=options.properties_as_attributes,
            print_debuginfo=options.debuginfo,
        )
        text.print_op(_with_printed_values(module, options.weights))
        text.print_metadata([Builtin])
    finally:
        WEIGHT_BASE.reset(token)
    return out.getvalue() + "\n"


def _with_printed_values(module: ModuleOp, style: WeightStyle) -> ModuleOp:
    """Return a module whose large constants have the values that are printed: a copy, unless these
    are the module's own. (Copies of operations share their attributes.)"""
    if style is WeightStyle.REFERENCE:
        return module
    copy = module.clone()
    for constant in large_constants(copy):
        if style is WeightStyle.ELIDE:
            constant.value = ElidedAttr()
        elif constant.has_values():
            type_ = cast(TensorType[Attribute], constant.output.type)
            constant.value = dense_weight(constant.read(), type_)
    return copy


def large_constants(module: ModuleOp) -> Iterator[ConstantOp]:
    """Yield the constants whose values are not printed as a list."""
    for op in module.walk():
        if isinstance(op, ConstantOp):
            type_ = cast(TensorType[Any], op.output.type)
            value = op.value
            plain = not isinstance(value, WeightAttr) or value.data.layout is SliceLayout.PLAIN
            if prod(type_.get_shape()) > INLINE_ELEMENTS or not plain:
                yield op


def references(module: ModuleOp, options: MlirOptions) -> list[ConstantOp]:
    """Return the constants that are printed as references to a file."""
    if options.weights is not WeightStyle.REFERENCE:
        return []
    return [c for c in large_constants(module) if c.has_values()]


def weights_lie_in(module: ModuleOp, bin_path: str) -> bool:
    """Whether all weights printed as references are slices of this file."""
    real = os.path.realpath(bin_path)
    constants = [c for c in large_constants(module) if c.has_values()]
    return bool(constants) and all(
        isinstance(c.value, WeightAttr) and os.path.realpath(c.value.data.file.path) == real
        for c in constants
    )
