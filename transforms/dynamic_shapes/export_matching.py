"""Two exports of one model: which values are the same, and what differs that must not."""

from collections.abc import Mapping

from xdsl.dialects.func import FuncOp
from xdsl.utils.exceptions import PassFailedException

from ...dialects.ncnn.blob import static_shape_of
from ...dialects.ncnn.constant import ConstantOp
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.pooling import Pool1D
from .exported_model import SizedModel

IGNORED = frozenset({"shape_hints", "constantM"})
"""Parameters that do not change what a layer computes."""

WINDOW = ("kernel_", "stride_")
"""Beginnings of the names of parameters that adaptive pooling does not use."""


def match(model: SizedModel, other: FuncOp) -> None:
    """Notes for each value of a model the same one of another export. Raises `PassFailedException`
    where the two are not one model, or differ in what cannot follow a size."""
    own, others = _layers(model.func), _layers(other)
    if len(own) != len(others):
        raise PassFailedException(
            f"the exports are not of one model: {len(own)} layers, {len(others)} in the other"
        )
    args, twins = model.func.body.block.args, other.body.block.args
    if len(args) != len(twins):
        raise PassFailedException(
            f"the exports are not of one model: {len(args)} inputs, {len(twins)} in the other"
        )
    model.others.update(zip(args, twins, strict=True))
    for op, twin in zip(own, others, strict=True):
        inputs = [model.others.get(v) for v in op.operands]
        if type(op) is not type(twin) or inputs != list(twin.operands):
            raise PassFailedException(
                f"the exports are not of one model: {op.label()} is {twin.label()} in the other"
            )
        model.others.update(zip(op.results, twin.results, strict=True))
        model.other_ops[op] = twin


def differences(op: LayerOp, twin: LayerOp, before: Mapping[str, object]) -> str:
    """The first parameter that is another one in the other export, and was not made relative:
    it still has the value from `before`. Empty if there is none."""
    if isinstance(op, ConstantOp):
        return ""  # see `constants_differ`
    ignored = WINDOW if isinstance(op, Pool1D) and op.adaptive_pooling else ()
    for name in type(op).PARAMS:
        a, b = getattr(op, name), getattr(twin, name)
        if name in IGNORED or a == b or a != before[name]:
            continue
        if not name.startswith(tuple(ignored)):
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
