"""What is said of layers that the runtime does not have: a model with one does not load."""

import sys
from collections.abc import Iterator

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ..dialects.ncnn.custom import CustomOp


def tell_unknown_layers(module: ModuleOp, with_pnnx: bool) -> None:
    """A line on standard error for each type of layer that the runtime does not have, and what
    would help; `with_pnnx`: PNNX's own IR was given."""
    for type_, names in unknown_layers(module).items():
        shown = names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"
        print(
            f"ncnn-opt: ncnn has no layer '{type_}' ({shown}): {advice(type_, with_pnnx)}",
            file=sys.stderr,
        )


def unknown_layers(module: ModuleOp) -> dict[str, list[str]]:
    """The names of the layers of each type that the runtime does not have."""
    found: dict[str, list[str]] = {}
    for op in _layers(module):
        name = "" if op.layer_name is None else op.layer_name.data
        found.setdefault(op.type.data, []).append(name)
    return found


def advice(type_: str, with_pnnx: bool) -> str:
    """What would help against layers of this type."""
    if "." not in type_ and "::" not in type_:
        return (
            "the application must register it; if it has weights, say how many: "
            f"--custom-weights {type_}=COUNT"
        )
    if with_pnnx:
        return "PNNX left it as it was, and no pass knows it; another version of the converter may"
    return "PNNX left it as it was; --pnnx FILE.pnnx.param says what it is"


def _layers(module: ModuleOp) -> Iterator[CustomOp]:
    for func in module.ops:
        if isinstance(func, FuncOp):
            for op in func.walk():
                # A MemoryData without extents is one of the runtime's that we cannot hold.
                if isinstance(op, CustomOp) and op.type.data != "MemoryData":
                    yield op
