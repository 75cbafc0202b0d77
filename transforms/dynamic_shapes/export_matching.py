"""Two exports of one model: matching of their values, and the differences that remain."""

from collections.abc import Mapping

from xdsl.dialects.func import FuncOp
from xdsl.utils.exceptions import PassFailedException

from ...dialects.ncnn.blob import static_shape_of
from ...dialects.ncnn.constant import ConstantOp
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.lookup import layers_of
from ...dialects.ncnn.pooling import Pool1D
from .exported_model import ExportedModel

IGNORED = frozenset({"shape_hints", "constantM"})
"""Parameters that do not affect a layer's results."""

WINDOW = ("kernel_", "stride_")
"""The prefixes of parameters that adaptive pooling ignores."""


def match(model: ExportedModel, other: FuncOp) -> None:
    """Record the same value of another export for each value of a model. Raises
    `PassFailedException` if the models differ."""
    own, others = layers_of(model.func), layers_of(other)
    if len(own) != len(others):
        raise PassFailedException(
            f"the exports are not of one model: {len(own)} layers, {len(others)} in the other"
        )
    args, other_args = model.func.body.block.args, other.body.block.args
    if len(args) != len(other_args):
        raise PassFailedException(
            f"the exports are not of one model: {len(args)} inputs, {len(other_args)} in the other"
        )
    model.others.update(zip(args, other_args, strict=True))
    for op, same in zip(own, others, strict=True):
        inputs = [model.others.get(v) for v in op.operands]
        if type(op) is not type(same) or inputs != list(same.operands):
            raise PassFailedException(
                f"the exports are not of one model: {op.label()} is {same.label()} in the other"
            )
        model.others.update(zip(op.results, same.results, strict=True))
        model.other_ops[op] = same


def param_difference(op: LayerOp, other: LayerOp, before: Mapping[str, object]) -> str:
    """Return the first parameter that differs in the other export and still has its value in
    `before`; an empty string without one."""
    if isinstance(op, ConstantOp):
        return ""  # see `constant_difference`
    ignored = WINDOW if isinstance(op, Pool1D) and op.adaptive_pooling else ()
    for name in type(op).PARAMS:
        a, b = getattr(op, name), getattr(other, name)
        if name in IGNORED or a == b or a != before[name]:
            continue
        if not name.startswith(tuple(ignored)):
            return f"{name} is {a}, and {b} in the other export"
    return ""


def constant_difference(op: ConstantOp, other: ConstantOp) -> str:
    """Return the difference of a constant in the other export; an empty string without one.
    Weights of layers are not compared, because they belong to one model."""
    shape = static_shape_of(op.output)
    if shape is None or shape != static_shape_of(other.output):
        return f"it is of {op.output.type}, and {other.output.type} in the other export"
    if op.layer_name is None or not (op.has_values() and other.has_values()):
        return ""
    same = op.value == other.value or (op.read() == other.read()).all()
    return "" if same else "its values are others in the other export"
