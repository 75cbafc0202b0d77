"""Exact evaluation of a model by its reference semantics."""

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from ..dialects.ncnn.function import outputs_of
from ..dialects.ncnn.layer import LayerOp
from ..dialects.ncnn.structure import InputOp
from ..interpreters.ncnn.layer_evaluation import apply, semantics_of
from ..interpreters.ncnn.semantics import NoSemantics, Semantics
from .array import ExactArray, NotExact, exact
from .decisions import as_functions
from .expressions import TooMany, recording, symbols
from .field import PRIME
from .patterns import compare_by_patterns
from .random_instances import MAX_ELEMENTS


def outputs(func: FuncOp, inputs: Sequence[ExactArray]) -> list[ExactArray]:
    """Return the outputs of a model for its inputs, in order. Raises `NotExact`."""
    values: dict[SSAValue, Any] = dict(zip(func.body.block.args, inputs, strict=True))
    evaluate(func.body.block.ops, values)
    return [values[value] for value, _ in outputs_of(func)]


@dataclass(frozen=True)
class Decision:
    """Whether equal results at a point are equal for all orders of the numbers."""

    reason: str = ""
    """Why there is no proof; empty if there is one."""
    patterns: int = 0
    """The feasible sign patterns of the comparisons, if the proof needs them."""
    by_solver: int = 0
    """The patterns in which the solver decided the identity."""
    witness: Sequence[ExactArray] = ()
    """Inputs for which the results may differ."""


Side = Callable[[Sequence[ExactArray]], Sequence[Any]]
"""A computation of the results of one side from its inputs."""


def decide(
    inputs: Sequence[ExactArray],
    before: Side,
    after: Side,
    weights: Set[int] = frozenset(),
) -> Decision:
    """Decide whether two computations are equal for all orders of their numbers: with comparisons
    as unknown functions, or else in each pattern of their signs. `weights` are residues of
    constants that stand for any number."""
    try:
        with as_functions() as decisions:
            sides = [_residues(side(inputs)) for side in (before, after)]
        if decisions.noted:
            return Decision(f"it is decided by values: {', '.join(decisions.noted)}")
        if all(np.array_equal(a, b) for a, b in zip(*sides, strict=True)):
            return Decision()
        with as_functions(), recording(weights):
            known = [ExactArray(symbols(x.residues), x.values) for x in inputs]
            sides = [_residues(side(known)) for side in (before, after)]
    except (NotExact, TooMany) as e:
        return Decision(str(e))
    pairs = (pair for a, b in zip(*sides, strict=True) for pair in zip(a.flat, b.flat, strict=True))
    found = compare_by_patterns(pairs)
    witness: list[ExactArray] = []
    if found.witness:
        witness = [_at(x, found.witness) for x in inputs]
    return Decision(found.reason, found.patterns, found.by_solver, witness)


def _residues(results: Sequence[Any]) -> list[Any]:
    return [exact(x).residues for x in results]


def _at(x: ExactArray, values: Mapping[int, Fraction]) -> ExactArray:
    """Return an input with the values that a solver found for some of its numbers."""
    found = x.copy()
    for index, residue in np.ndenumerate(x.residues):
        if (value := values.get(residue)) is not None:
            found.residues[index] = value.numerator * pow(value.denominator, -1, PRIME) % PRIME
            found.values[index] = float(value)
    return found


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
    if op.extra:
        raise NotExact(f"{op.label()} has parameters without a known meaning")
    function, operands = required_semantics(op), [values[v] for v in op.operands]
    if (size := max((x.size for x in operands), default=0)) > largest:
        raise NotExact(f"{op.label()} has an operand of {size:,} elements")
    try:
        return apply(function, op, operands)
    except (NoSemantics, ValueError, IndexError, TypeError, AttributeError) as e:
        raise NotExact(f"{op.label()}: {type(e).__name__}: {e}") from e


def is_refusal(error: NotExact) -> bool:
    """Whether a layer refuses the shapes of its operands."""
    return isinstance(error.__cause__, ValueError | IndexError)


def required_semantics(op: LayerOp) -> Semantics:
    """Return the function that computes a layer. Raises `NotExact` if there is none."""
    function = semantics_of(type(op))
    if function is None:
        raise NotExact(f"{op.label()} has no reference semantics")
    return function
