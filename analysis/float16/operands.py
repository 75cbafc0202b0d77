"""Operands of layers that compute in float16."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from ...dialects.ncnn.layer import LayerOp
from ...interpreters.ncnn.semantics import Weights
from .half_array import Array

Given: TypeAlias = Callable[[Array], Array]
"""A function from values to the array that a layer computes with: of float16 or float32
arithmetic."""


def weights_by_name(op: LayerOp, operands: Sequence[Array]) -> Weights:
    """Return the weights among the operands of a layer."""
    rest = iter(operands[len(op.data_operands()) :])
    slots = op.weight_operands().items()
    return {name: None if value is None else next(rest) for name, value in slots}


def is_quantized(op: LayerOp) -> bool:
    """Whether a layer computes with integers."""
    return any(getattr(op, name, 0) for name in ("int8_scale_term", "quantize_term"))
