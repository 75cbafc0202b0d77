"""`--verify-roundtrip`: IR is the same after printing and parsing."""

from itertools import zip_longest
from typing import TYPE_CHECKING

from ..dialects.ncnn.constant import ConstantOp
from ..dialects.ncnn.weights import ElidedAttr
from ..formats.errors import FormatError
from ..frontends.mlir.parsing import parse_ir
from ..targets.mlir.printing import print_module
from ..targets.options import MlirOptions
from .environment import make_context

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp


def _are_equivalent(one: "ModuleOp", other: "ModuleOp") -> bool:
    """Whether two modules have the same operations. (The same weights, which their texts contain,
    may be a part of a file here and a list of values there.)"""
    for module in (one, other):
        for op in module.walk():
            if isinstance(op, ConstantOp):
                op.value = ElidedAttr()
    return one.is_structurally_equivalent(other)


def verify_roundtrip(module: "ModuleOp", path: str, allow_unregistered: bool = False) -> None:
    """Raise `FormatError` unless a module that was read from `path` is the same after printing and
    parsing, in the custom and in the generic form."""
    for form in ("custom", "generic"):
        options = MlirOptions(generic=form == "generic", debuginfo=True)
        printed = module.clone()
        text = print_module(printed, options)
        context = make_context()
        context.allow_unregistered = allow_unregistered
        again = parse_ir(context, text.encode(), f"{path}, printed again")
        second = print_module(again.clone(), options)
        if text == second and _are_equivalent(printed, again):
            continue
        pairs = zip_longest(text.splitlines(), second.splitlines(), fillvalue="")
        first = next(((a, b) for a, b in pairs if a != b), ("the same text", "another module"))
        raise FormatError(
            path,
            f"the IR changes when it is printed in the {form} form and parsed again: "
            f"'{first[0].strip()}' becomes '{first[1].strip()}'",
        )
