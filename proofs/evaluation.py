"""Exact evaluation of a model by its reference semantics."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

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
    evaluate(func.body.block.ops, values)
    return [values[value] for value, _ in outputs_of(func)]


def evaluate(
    ops: Iterable[Operation],
    values: dict[SSAValue, Any],
    largest: int = MAX_ELEMENTS,
    exactly: bool = True,
) -> None:
    """Add the results of operations to the values of their operands: exact numbers, or else floats.

    Raises `NotExact`, also for an operand of more than `largest` elements.
    """
    with np.errstate(all="ignore"):
        for op in ops:
            if isinstance(op, InputOp):
                values.update(zip(op.results, (values[v] for v in op.operands), strict=False))
            elif isinstance(op, LayerOp):
                results = _results(op, values, largest)
                if exactly:
                    results = [x if x.dtype.kind in "iu" else exact(x) for x in results]
                values.update(zip(op.results, results, strict=True))
            elif op.results:
                raise NotExact(f"{op.name} has no reference semantics")


def _results(op: LayerOp, values: Mapping[SSAValue, Any], largest: int) -> list[Any]:
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
    operands = [x for x in (*data, *weights.values()) if x is not None]
    if (size := max((x.size for x in operands), default=0)) > largest:
        raise NotExact(f"{op.label()} has an operand of {size:,} elements")
    try:
        found: Any = function(op, data, weights)
    except (NoSemantics, ValueError, IndexError, TypeError, AttributeError) as e:
        raise NotExact(f"{op.label()}: {type(e).__name__}: {e}") from e
    single = isinstance(found, ExactArray | np.ndarray | np.generic)
    return [found] if single else list(found)
