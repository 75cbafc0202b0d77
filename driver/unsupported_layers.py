"""Layers that the runtime lacks. The runtime does not load a model with such a layer."""

from collections.abc import Mapping

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass

from ..dialects.ncnn.custom import CustomOp, is_pnnx_operator
from ..interpreters.errors import RunError
from ..transforms import REPAIR_ALONE
from .pipelines import named_passes

LOST: Mapping[str, str] = {
    **dict.fromkeys(("Tensor.to", "aten::to", "Tensor.type"), "the type that it converts to"),
    **dict.fromkeys(("Tensor.expand", "Tensor.reshape", "Tensor.view"), "the sizes"),
    **dict.fromkeys(("torch.tile", "Tensor.repeat"), "the numbers of repetitions"),
    **dict.fromkeys(
        ("torch.repeat_interleave", "Tensor.repeat_interleave"),
        "the axis and the number of repetitions",
    ),
    **dict.fromkeys(("torch.index_select", "torch.gather"), "the axis"),
    **dict.fromkeys(("Tensor.select", "torch.select"), "the axis and the index"),
    "Tensor.slice": "the axes, starts, ends and steps",
    **dict.fromkeys(
        ("torch.unbind", "torch.cat", "torch.stack", "torch.chunk", "torch.split"), "the axis"
    ),
    **dict.fromkeys(("torch.transpose", "torch.permute", "Tensor.permute"), "the order of axes"),
    **dict.fromkeys(
        ("nn.InstanceNorm1d", "nn.InstanceNorm2d", "nn.InstanceNorm3d"),
        "eps, and whether its weights are used",
    ),
    "F.scaled_dot_product_attention": "the scale, and whether attention is causal",
    "nn.MultiheadAttention": "the number of heads",
    "pnnx.Expression": "the expression",
}
"""The arguments that determine the meaning of an operator, by its type. PNNX writes the names of
operators that it could not lower into the model, without their arguments."""


def missing_layers(module: ModuleOp) -> dict[str, list[str]]:
    """Return the names of layers by layer type that the runtime lacks."""
    found: dict[str, list[str]] = {}
    ops = (op for func in module.ops if isinstance(func, FuncOp) for op in func.walk())
    for op in ops:
        # The runtime has MemoryData; without extents it has no operation of ours.
        if isinstance(op, CustomOp) and op.type.data != "MemoryData":
            name = "" if op.layer_name is None else op.layer_name.data
            found.setdefault(op.type.data, []).append(name)
    return found


def repairs_of(module: ModuleOp) -> list[ModulePass]:
    """Return the passes that may replace layers that the runtime lacks."""
    is_repairable = any(map(is_pnnx_operator, missing_layers(module)))
    return named_passes(REPAIR_ALONE) if is_repairable else []


def describe_missing(found: Mapping[str, list[str]], with_pnnx: bool = False) -> list[str]:
    """Return a line for each type: the number of layers, their place, and a remedy. `with_pnnx`:
    whether PNNX's own IR was given."""
    return [
        f"ncnn has no layer '{type_}' ({_places(names)}): {advice(type_, with_pnnx)}"
        for type_, names in found.items()
    ]


def check_complete(found: Mapping[str, list[str]], path: str, reason: str) -> None:
    """Raise `RunError` if a model has layers that PNNX left: the runtime does not load it. `reason`
    is the one why PNNX's graph was not converted."""
    left = {type_: names for type_, names in found.items() if is_pnnx_operator(type_)}
    if left:
        cause = reason or describe_missing(left, True)[0]
        raise RunError(
            f"{path}: {cause}; the runtime does not load the model, --keep-going writes it "
            "nevertheless"
        )


def advice(type_: str, with_pnnx: bool) -> str:
    """Return the remedy for layers of this type."""
    if not is_pnnx_operator(type_):
        return (
            "the application must register it; if it has weights, say how many: "
            f"--custom-weights {type_}=COUNT"
        )
    if with_pnnx:
        return "PNNX left it as it was, and no pass knows it; another version of the converter may"
    if (lost := LOST.get(type_)) is not None:
        return (
            f"PNNX left it as it was, and the file does not contain {lost}; --pnnx FILE.pnnx.param "
            "gives all arguments"
        )
    return (
        "PNNX left it as it was; --pnnx FILE.pnnx.param says what it is; if it is a layer of your "
        f"application with weights, say how many: --custom-weights {type_}=COUNT"
    )


def _places(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{len(names)} of them, the first is {names[0]}"
