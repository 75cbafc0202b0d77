"""Exact evaluation of a model by its reference semantics."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from ..dialects.ncnn.constant import ConstantOp
from ..dialects.ncnn.function import outputs_of
from ..dialects.ncnn.layer import LayerOp
from ..dialects.ncnn.structure import InputOp
from ..interpreters.ncnn.semantics import NoSemantics, semantics_of
from .array import ExactArray, NotExact, exact
from .points import MAX_ELEMENTS


def outputs(func: FuncOp, inputs: list[ExactArray]) -> list[ExactArray]:
    """Return the outputs of a model for its inputs, in order. Raises `NotExact`."""
    values: dict[SSAValue, Any] = dict(zip(func.body.block.args, inputs, strict=True))
    with np.errstate(all="ignore"):
        for op in func.body.block.ops:
            if isinstance(op, InputOp):
                values.update(zip(op.results, (values[v] for v in op.operands), strict=False))
            elif isinstance(op, LayerOp):
                results = _results(op, values)
                values.update(zip(op.results, results, strict=True))
            elif op.results:
                raise NotExact(f"{op.name} has no reference semantics")
    return [values[value] for value, _ in outputs_of(func)]


def _results(op: LayerOp, values: Mapping[SSAValue, Any]) -> list[Any]:
    if isinstance(op, ConstantOp):
        return [op.read()]
    function = semantics_of(type(op))
    if function is None:
        raise NotExact(f"{op.label()} has no reference semantics")
    data = [values[v] for v in op.data_operands()]
    weights: dict[str, Any] = {
        name: None if value is None else values[value]
        for name, value in op.weight_operands().items()
    }
    size = max((x.size for x in (*data, *weights.values()) if x is not None), default=0)
    if size > MAX_ELEMENTS:
        raise NotExact(f"{op.label()} has an operand of {size:,} elements")
    try:
        found: Any = function(op, data, weights)
    except (NoSemantics, ValueError, IndexError, TypeError, AttributeError) as e:
        raise NotExact(f"{op.label()}: {type(e).__name__}: {e}") from e
    results: list[Any] = (
        [found] if isinstance(found, ExactArray | np.ndarray | np.generic) else list(found)
    )
    return [x if x.dtype.kind in "iu" else exact(x) for x in results]
