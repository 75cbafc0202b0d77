"""Two exports of one model: which values are the same, and what differs that must not."""

from xdsl.dialects.func import FuncOp
from xdsl.utils.exceptions import PassFailedException

from ...dialects.ncnn.blob import static_shape_of
from ...dialects.ncnn.constant import ConstantOp
from ...dialects.ncnn.layer import LayerOp
from .model import SizedModel

IGNORED = frozenset({"shape_hints", "constantM"})
"""Parameters that do not change what a layer computes."""


def match(model: SizedModel, other: FuncOp) -> None:
    """Notes for each value of a model the same one of another export. Raises `PassFailedException`
    where the two are not one model, or differ in what cannot follow a size."""
    own, others = _layers(model.func), _layers(other)
    if len(own) != len(others):
        raise PassFailedException(
            f"the exports are not of one model: {len(own)} layers, {len(others)} in the other"
        )
    for arg, twin in zip(model.func.body.block.args, other.body.block.args, strict=False):
        model.others[arg] = twin
    for op, twin in zip(own, others, strict=True):
        inputs = [model.others.get(v) for v in op.operands]
        if type(op) is not type(twin) or inputs != list(twin.operands):
            raise PassFailedException(
                f"the exports are not of one model: {op.label()} is {twin.label()} in the other"
            )
        model.others.update(zip(op.results, twin.results, strict=True))
        model.other_ops[op] = twin


def differences(op: LayerOp, twin: LayerOp) -> str:
    """What parameters of a layer are not those of the same one in the other export."""
    if isinstance(op, ConstantOp):
        return ""  # see `constants_differ`
    for name in type(op).PARAMS:
        a, b = getattr(op, name), getattr(twin, name)
        if name not in IGNORED and a != b:
            return f"{name} is {a}, and {b} in the other export"
    return ""


def constants_differ(op: ConstantOp, twin: ConstantOp) -> str:
    """What of a constant that stays is not that of the other export. Large weights of layers are
    not read: they are those of one model."""
    shape, other = static_shape_of(op.output), static_shape_of(twin.output)
    if shape != other or shape is None:
        return f"it is of {op.output.type}, and {twin.output.type} in the other export"
    if op.layer_name is None or not (op.has_values() and twin.has_values()):
        return ""
    same = op.value == twin.value or (op.read() == twin.read()).all()
    return "" if same else "its values are others in the other export"


def _layers(func: FuncOp) -> list[LayerOp]:
    return [op for op in func.body.block.ops if isinstance(op, LayerOp)]
