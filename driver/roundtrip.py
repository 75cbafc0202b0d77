"""`--verify-roundtrip`: IR is the same after printing and parsing.

Tools exchange IR as text, so the text must express all of a model.
"""

from itertools import zip_longest
from typing import TYPE_CHECKING

from ..dialects.ncnn.constant import ConstantOp
from ..dialects.ncnn.layer import LayerOp
from ..formats.errors import FormatError
from ..frontends.mlir.parsing import parse_ir
from ..targets.mlir.ir_printer import print_module
from ..targets.options import MlirOptions
from .environment import make_context

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp


def _facts(module: "ModuleOp") -> list[tuple[object, ...]]:
    """Return the facts of each operation that its text must express. Parameters count with their
    values, given or by default, and weights not at all: a part of a file may become a list of
    values. (Operands, types and weights are compared as text.)"""
    found: list[tuple[object, ...]] = []
    for op in module.walk():
        params = {name: getattr(op, name) for name in op.PARAMS} if isinstance(op, LayerOp) else {}
        left_out = {*params, "value"} if isinstance(op, ConstantOp) else {*params}
        others = {key: value for key, value in op.properties.items() if key not in left_out}
        found.append((op.name, repr(params), others, op.attributes))
    return found


def verify_roundtrip(module: "ModuleOp", path: str, allow_unregistered: bool = False) -> None:
    """Raise `FormatError` unless a module that was read from `path` is the same after printing and
    parsing, in the custom and in the generic form."""
    for form in ("custom", "generic"):
        options = MlirOptions(generic=form == "generic", debuginfo=True)
        text = print_module(module, options)
        context = make_context()
        context.allow_unregistered = allow_unregistered
        again = parse_ir(context, text.encode(), f"{path}, printed again")
        second = print_module(again, options)
        if text == second and _facts(module) == _facts(again):
            continue
        pairs = zip_longest(text.splitlines(), second.splitlines(), fillvalue="")
        first = next(((a, b) for a, b in pairs if a != b), ("the same text", "another module"))
        raise FormatError(
            path,
            f"the IR changes when it is printed in the {form} form and parsed again: "
            f"'{first[0].strip()}' becomes '{first[1].strip()}'",
        )
