"""Exact evaluation of a model by its reference semantics."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from ..dialects.ncnn.function import outputs_of
from ..dialects.ncnn.layer import LayerOp
from ..dialects.ncnn.structure import InputOp
from ..interpreters.ncnn.semantics import NoSemantics, Semantics, apply, semantics_of
from .array import ExactArray, NotExact, exact
from .decisions import as_functions
from .points import MAX_ELEMENTS


def outputs(func: FuncOp, inputs: list[ExactArray]) -> list[ExactArray]:
    """Return the outputs of a model for its inputs, in order. Raises `NotExact`."""
    values: dict[SSAValue, Any] = dict(zip(func.body.block.args, inputs, strict=True))
    evaluate(func.body.block.ops, values)
    return [values[value] for value, _ in outputs_of(func)]


def undecided(before: Callable[[], Sequence[Any]], after: Callable[[], Sequence[Any]]) -> str:
    """Return why two computations are not proven equal for all orders of their numbers; empty if
    they are."""
    try:
        with as_functions() as decisions:
            sides = [[exact(x).images for x in compute()] for compute in (before, after)]
    except NotExact as e:
        return str(e)
    if decisions.noted:
        return f"it is decided by values: {', '.join(decisions.noted)}"
    if all(np.array_equal(a, b) for a, b in zip(*sides, strict=True)):
        return ""
    return "equal at all points, not for all signs of the comparisons"


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


def _results(op: LayerOp, values: Mapping[SSAValue, Any], largest: int) -> Sequence[Any]:
    function, operands = required_semantics(op), [values[v] for v in op.operands]
    if (size := max((x.size for x in operands), default=0)) > largest:
        raise NotExact(f"{op.label()} has an operand of {size:,} elements")
    try:
        return apply(function, op, operands)
    except (NoSemantics, ValueError, IndexError, TypeError, AttributeError) as e:
        raise NotExact(f"{op.label()}: {type(e).__name__}: {e}") from e


def required_semantics(op: LayerOp) -> Semantics:
    """Return the function that computes a layer. Raises `NotExact` if there is none."""
    function = semantics_of(type(op))
    if function is None:
        raise NotExact(f"{op.label()} has no reference semantics")
    return function
