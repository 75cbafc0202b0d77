"""Reading the weights of a layer, and putting others in their places."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from xdsl.dialects.builtin import TensorType, f32, i8

from ...dialects.ncnn.constant import ConstantOp, attached_constant
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.weights import make_weight
from .weights.scaled_integers import Array, Unfit


@dataclass(frozen=True)
class Replacement:
    """Other weights of a layer: int8 and float32 as their arrays are, and what says so."""

    weights: Mapping[str, Array]
    params: Mapping[str, int]


def matrix_of(op: LayerOp, name: str) -> Array | None:
    """The values of a weight; `None` if the layer does not have it. Raises `Unfit` if nobody knows
    them."""
    value = op.weight_operands()[name]
    if value is None:
        return None
    constant = attached_constant(value)
    if constant is None:
        raise Unfit(f"weight '{name}' is a blob")
    if not constant.has_values():
        raise Unfit(f"the values of weight '{name}' were left out")
    return constant.read()


def put(op: LayerOp, new: Replacement) -> None:
    """Lets a layer have these weights and parameters."""
    given = op.weight_operands()
    old = {attached_constant(given[name]) for name in new.weights}  # one may be several weights
    constants = {name: _constant(name, values) for name, values in new.weights.items()}
    block = op.parent_block()
    assert block is not None
    block.insert_ops_before(list(constants.values()), op)
    op.set_params(**new.params)
    op.set_weights(**{name: constant.output for name, constant in constants.items()})
    for constant in old:
        if constant is not None and not constant.output.uses:
            constant.detach()
            constant.erase()


def _constant(name: str, values: Array) -> ConstantOp:
    element = i8 if values.dtype == "i1" else f32
    type_ = cast(TensorType[Any], TensorType(element, values.shape))
    constant = ConstantOp.of(make_weight(values, type_), type_)
    constant.output.name_hint = name
    return constant
