"""Reading and replacing the weights of a layer."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import i8
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects.ncnn.constant import ConstantOp, attached_constant
from ...dialects.ncnn.layer import LayerOp

Array = NDArray[Any]


class Unfit(Exception):
    """The reason why a weight cannot be stored as integers."""


def matrix_of(op: LayerOp, name: str) -> Array | None:
    """Return the values of a weight, `None` if the layer does not have it. Raises `Unfit` for
    values that are unknown."""
    value = op.weight_operands()[name]
    if value is None:
        return None
    constant = attached_constant(value)
    if constant is None:
        raise Unfit(f"weight '{name}' is a blob")
    if not constant.has_values():
        raise Unfit(f"the values of weight '{name}' were left out")
    return constant.read()


def read_constant(value: SSAValue) -> Array:
    """Return the elements of a constant in float64."""
    constant = attached_constant(value)
    assert constant is not None
    values: Array = constant.read()
    return values.astype("f8")


def fits_float32(values: Array) -> NDArray[np.bool_]:
    """Whether each value is finite in float32."""
    return np.abs(values) <= np.finfo("f4").max


def replace_weights(
    op: LayerOp,
    weights: Mapping[str, Array],
    params: Mapping[str, int] = {},
    hints: Mapping[str, str | None] | None = None,
) -> None:
    """Give a layer other weights and parameters, and erase the constants that become unused.

    int8 arrays become int8 constants, all others float32. The SSA name of a constant is that in
    `hints`, by default the name of the weight that it replaces (of a new weight, the weight's)."""
    given = op.weight_operands()
    old = {name: value for name in weights if (value := given[name]) is not None}
    replaced = {attached_constant(value) for value in old.values()}  # one may be several weights
    constants: dict[str, ConstantOp] = {}
    for name, values in weights.items():
        own = old[name].name_hint if name in old else None
        hint = own if hints is None else hints.get(name)
        if values.dtype == "i1":
            constants[name] = ConstantOp.holding(values, i8, hint)
        else:
            constants[name] = ConstantOp.holding(np.asarray(values, "f4"), hint=hint)
    Rewriter.insert_op(list(constants.values()), InsertPoint.before(op))
    op.set_params(**params)
    op.set_weights(**{name: constant.output for name, constant in constants.items()})
    for constant in replaced:
        if constant is not None and constant.output.first_use is None:
            Rewriter.erase_op(constant)
