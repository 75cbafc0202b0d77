"""Weights between those of models with the same structure."""

from collections.abc import Iterator, Sequence
from typing import Any, cast

from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    ModuleOp,
    TensorType,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.exceptions import PassFailedException

from ...dialects.ncnn.constant import ConstantOp
from ...dialects.ncnn.layer import DESCRIPTIONS, LayerOp
from ...dialects.ncnn.operands import SEGMENTS
from ...dialects.ncnn.weights import WeightAttr, make_weight
from ...formats.weight_storage import SliceLayout

NOT_COMPARED = DESCRIPTIONS | {"value", SEGMENTS}
"""The properties of layers that may differ. (Operands are compared one by one.)"""

FLOATS = (Float32Type, Float16Type, BFloat16Type)


def interpolate(module: ModuleOp, fractions: Sequence[float]) -> int:
    """Interpolate the weights of all functions of a module in the first one, and erase the others.
    Return the number of changed weights. Raise `PassFailedException`; nothing is changed then."""
    first, *others = [op for op in module.ops if isinstance(op, FuncOp)]
    if len(others) != len(fractions):
        raise PassFailedException(
            f"{len(fractions)} fractions are for {len(fractions)} further models, not {len(others)}"
        )
    groups = [list(_pairs(first, other)) for other in others]
    weights = list(zip(*groups, strict=True))
    jobs = [(group[0][0], [pair[1] for pair in group]) for group in weights]
    changing = [(constant, rest) for constant, rest in jobs if _differs(constant, rest)]
    for constant, rest in changing:
        _check_weight(constant, rest)
    for constant, rest in changing:
        _set_between(constant, rest, fractions)
    for other in others:
        other.detach()
        other.erase()
    return len(changing)


def _pairs(one: FuncOp, other: FuncOp) -> Iterator[tuple[ConstantOp, ConstantOp]]:
    """Yield the constants of two functions. Raise `PassFailedException` where their structures
    differ."""
    same: dict[SSAValue, SSAValue] = {}
    args = one.body.block.args, other.body.block.args
    if len(args[0]) != len(args[1]):
        raise PassFailedException(
            f"the models have {len(args[0])} and {len(args[1])} inputs: only models with the same "
            "layers can be interpolated"
        )
    same.update(zip(*args, strict=True))
    ops = [list(func.body.block.ops) for func in (one, other)]
    for a, b in zip(*ops, strict=False):
        _check_layers(a, b, same)
        same.update(zip(a.results, b.results, strict=True))
        if isinstance(a, ConstantOp) and isinstance(b, ConstantOp):
            yield a, b
    if len(ops[0]) != len(ops[1]):
        raise PassFailedException("one of the models has more layers than the other")


def _check_layers(a: Operation, b: Operation, same: dict[SSAValue, SSAValue]) -> None:
    """Raise `PassFailedException` unless two layers differ only in names and values."""
    if isinstance(a, ReturnOp) and isinstance(b, ReturnOp):
        if [same[value] for value in a.operands] != list(b.operands):
            raise PassFailedException("the models have different outputs")
        return
    if type(a) is not type(b):
        layers = _owner(a), _owner(b)
        if type(layers[0]) is type(layers[1]):
            raise PassFailedException(
                f"{_label(layers[0])} has another number of weights in the other model"
            )
        raise PassFailedException(f"{_label(layers[0])} is {_label(layers[1])} in the other model")
    if isinstance(a, ConstantOp) and isinstance(b, ConstantOp):
        shapes = [cast(TensorType[Attribute], op.output.type).get_shape() for op in (a, b)]
        if shapes[0] != shapes[1]:
            texts = [" x ".join(map(str, shape)) for shape in shapes]
            raise PassFailedException(
                f"{_label(a)} has {texts[0]} elements, and {texts[1]} in the other model"
            )
    for name in sorted(a.properties.keys() | b.properties.keys()):
        if name in NOT_COMPARED or isinstance(a, ConstantOp):
            continue
        if a.properties.get(name) != b.properties.get(name):
            raise PassFailedException(f"{_label(a)} has another {name} in the other model")
    if len(a.results) != len(b.results) or [same.get(v) for v in a.operands] != list(b.operands):
        raise PassFailedException(f"{_label(a)} reads other blobs in the other model")


def _owner(op: Operation) -> Operation:
    """Return the layer that reads a weight; any other operation itself."""
    if not isinstance(op, ConstantOp) or op.layer_name is not None:
        return op
    users = [use.operation for use in op.output.uses]
    return next((each for each in users if isinstance(each, LayerOp)), op)


def _label(op: Operation) -> str:
    """Return the type and name of a layer; of a weight, those of the layer that reads it."""
    if isinstance(op, ConstantOp) and op.layer_name is None:
        owner = _owner(op)
        return "a weight" if owner is op else f"a weight of {_label(owner)}"
    return op.label() if isinstance(op, LayerOp) else "the end of the model"


def _differs(constant: ConstantOp, rest: Sequence[ConstantOp]) -> bool:
    """Whether the values of a constant differ between models. Raise `PassFailedException` without
    values."""
    import numpy as np

    if not all(each.has_values() for each in (constant, *rest)):
        raise PassFailedException("interpolation needs the weights of all models")
    if all(each.value == constant.value for each in rest):
        return False
    values = constant.read()
    return not all(np.array_equal(values, each.read()) for each in rest)


def _check_weight(constant: ConstantOp, rest: Sequence[ConstantOp]) -> None:
    """Raise `PassFailedException` for a weight that is not a plain float."""
    for each in (constant, *rest):
        element, value = each.output.type.element_type, each.value
        table = isinstance(value, WeightAttr) and value.data.layout is SliceLayout.TABLE
        if not isinstance(element, FLOATS) or table:
            kind = "a table of 256 values" if table else f"{element}"
            raise PassFailedException(
                f"{_label(constant)} is stored as {kind}, which cannot be interpolated: "
                "interpolate the float models, and quantize the result"
            )
    for use in constant.output.uses:
        terms = ("int8_scale_term", "quantize_term")
        if any(getattr(use.operation, term, 0) for term in terms):
            layer = cast(LayerOp, use.operation)
            raise PassFailedException(
                f"{layer.label()} is quantized, and its weights differ: interpolate the float "
                "models, and quantize the result"
            )


def _set_between(
    constant: ConstantOp, rest: Sequence[ConstantOp], fractions: Sequence[float]
) -> None:
    """Set the interpolated values of a constant, rounded to its storage type."""
    values: Any = constant.read().astype("f8") * (1 - sum(fractions))
    for each, fraction in zip(rest, fractions, strict=True):
        values += each.read().astype("f8") * fraction
    type_ = cast(TensorType[Any], constant.output.type)
    constant.value = make_weight(values.astype("f4"), type_)
