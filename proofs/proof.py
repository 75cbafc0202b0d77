"""Proofs that a pass keeps the outputs of a model."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from math import prod
from random import Random
from typing import Any, Protocol, TypeAlias, TypeVar

import numpy as np
from numpy.random import default_rng
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriteWalker, RewritePattern
from xdsl.universe import Universe

from ..analysis.wide_values import thresholds_of
from ..dialects.xdsl_extras.spelling import nearest
from ..transforms import get_all_passes
from .array import ExactArray, NotExact, exact
from .calls import CallAxes, axes_of_call, caches_of, relate, relations_of, words
from .comparison import differences, relative_error, wide_error
from .exact_evaluation import decide, is_refusal, outputs
from .extents import uniform_axes
from .interface import interface_difference
from .laws import LAWS, enabled
from .random_instances import (
    MAX_ELEMENTS,
    input_shapes,
    other_shapes,
    random_exact,
    replace_weights,
    residues_of_single_weights,
    with_values,
)
from .sampling import exact_sample

TRIALS = 3
"""Random points at which both sides are evaluated. Numbers are drawn from 2^40, single weights from
2^10 (see `random_instances.py`); further points also visit other orders of the values that `max`
compares."""

WIDE_POINTS = 2
"""Further points of each trial, from wide ranges and at thresholds."""

SCALES = (1, 4, 1)
"""The range of the weights at each trial."""

OTHER_EXTENTS = 16
"""Undeclared extents at which outputs are compared, too: a declared extent is no promise, and
unknown shapes differ."""

TOLERANCE = 1e-5
"""The largest difference of values, relative to the largest one, that rounding may explain."""


class Status(Enum):
    """The result of a proof."""

    PROVEN = "proven"
    """The residues are equal at all points."""
    CHECKED = "checked"
    """The residues are equal at all points, also beyond all thresholds, but the comparisons of both
    sides differ: no proof for all orders of the numbers."""
    APPROXIMATE = "approximate"
    """The residues differ, but the values agree up to the rounding of float32: an identity that
    needs a law of an uninterpreted function, or a constant that is rounded."""
    REFUTED = "refuted"
    UNCHANGED = "unchanged"
    """The pass changes nothing in the model."""
    UNSUPPORTED = "unsupported"
    """The model or the pass has no exact evaluation."""


@dataclass(frozen=True)
class Counterexample:
    """A point at which the outputs differ."""

    inputs: Sequence[np.ndarray[Any, Any]]
    """Float64, in the order of the function's arguments."""
    models: tuple[ModuleOp, ModuleOp]
    """The model before and after, with the weights of the point in float32."""
    outputs: tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]
    """The values of an output that differs, before and after."""

    def difference(self) -> str:
        """Return the element of the output that differs most, as `[0, 1, 2]: 3 before, 6 after`
        (indices from the outermost axis); empty if the shapes differ."""
        before, after = self.outputs
        if before.shape != after.shape or not before.size:
            return ""
        place = np.unravel_index(np.argmax(differences(before, after)), before.shape)
        a, b = float(before[place]), float(after[place])
        digits = next((n for n in (6, 9) if f"{a:.{n}g}" != f"{b:.{n}g}"), 17)
        index = ", ".join(map(str, place))
        return f"[{index}]: {a:.{digits}g} before, {b:.{digits}g} after"


@dataclass(frozen=True)
class Proof:
    """The result for one model."""

    status: Status
    reason: str = ""
    counterexample: Counterexample | None = field(default=None, repr=False)
    laws: tuple[str, ...] = ()
    """The laws of functions and constants that the proof needs, of `laws.LAWS`."""
    axes: tuple[str, ...] = ()
    """The axes of the inputs for all of whose extents the outputs are equal, such as `h of x`; axes
    that must have the same extent as `w of x = w of y`."""
    state: tuple[str, ...] = ()
    """How states before the rewrite follow from those after it: the proof is an induction over
    calls, see `calls.py`."""

    def __str__(self) -> str:
        parts = [f"{self.status.value}: {self.reason}" if self.reason else self.status.value]
        if self.axes:
            parts.append(f"for all {', '.join(self.axes)}")
        if self.state:
            parts.append(f"by induction over calls: {', '.join(self.state)}")
        if self.laws:
            parts.append(f"by the laws {', '.join(self.laws)}")
        if self.counterexample is not None:
            shapes = ", ".join(
                "x".join(map(str, each.shape)) for each in self.counterexample.inputs
            )
            parts.append(f"counterexample with inputs of {shapes or 'no model input'}")
        return "; ".join(parts)


Rewrite: TypeAlias = ModulePass | RewritePattern | str
"""A pass, a pattern, or the name of a pass."""


def prove(
    rewrite: Rewrite, module: ModuleOp, seed: int = 0, trials: int = TRIALS, extents: bool = False
) -> Proof:
    """Prove that a rewrite keeps the outputs of a model for all inputs and all weights.

    The model's float weights are replaced by random exact numbers, and the rewrite computes new
    weights from these by its own code. If it does nothing to such a model, constants that layers
    read as blobs keep their values. With `extents`, axes are searched for all of whose extents the
    proof holds. The module has one function and is not changed. Raises `KeyError` for the name of
    an unknown pass.
    """
    pass_ = as_pass(rewrite)
    proof = with_fewest_laws(lambda laws: _prove(pass_, module, seed, trials, laws))
    if not extents or proof.status is not Status.PROVEN:
        return proof
    with enabled(proof.laws):
        return replace(proof, axes=uniform_axes(pass_, module, seed))


class _Result(Protocol):
    @property
    def status(self) -> Status: ...


_R = TypeVar("_R", bound=_Result)


def with_fewest_laws(prove: Callable[[tuple[str, ...]], _R]) -> _R:
    """Return the result of `prove`, a function of the laws that it may use, with the fewest
    laws."""
    proof = prove(())
    if proof.status is not Status.APPROXIMATE:
        return proof
    laws = LAWS
    for law in (None, *LAWS):  # with all laws, then without each of them that is not needed
        fewer = tuple(each for each in laws if each != law)
        found = prove(fewer)
        if found.status is Status.PROVEN:
            proof, laws = found, fewer
        elif law is None:
            break
    return proof


def _prove(
    pass_: ModulePass, module: ModuleOp, seed: int, trials: int, laws: tuple[str, ...]
) -> Proof:
    proof = Proof(Status.UNCHANGED)
    for blobs in (True, False):
        for trial in range(trials):
            random = Random(f"{seed} {trial}")
            try:
                with enabled(laws):
                    proof = _trial(pass_, module.clone(), random, blobs, trial)
            except NotExact as e:
                return Proof(Status.UNSUPPORTED, str(e))
            if proof.status not in (Status.PROVEN, Status.CHECKED):
                break
        if proof.status is not Status.UNCHANGED:
            return replace(proof, laws=laws)
    return proof


def as_pass(rewrite: Rewrite) -> ModulePass:
    """Return the pass of this name, or the pass that applies a pattern. Raises `KeyError`."""
    if isinstance(rewrite, str):
        passes = get_all_passes()
        if rewrite not in passes:  # of another package
            passes = Universe.get_multiverse().all_passes
        if rewrite not in passes:
            raise KeyError(f"there is no pass '{rewrite}'{nearest(rewrite, list(passes))}")
        return passes[rewrite]()()
    if isinstance(rewrite, ModulePass):
        return rewrite

    class Apply(ModulePass):
        name = type(rewrite).__name__

        def apply(self, ctx: Context, op: ModuleOp) -> None:
            PatternRewriteWalker(rewrite).rewrite_module(op)

    return Apply()


def _trial(pass_: ModulePass, before: ModuleOp, random: Random, blobs: bool, trial: int) -> Proof:
    replace_weights(before, random, blobs, SCALES[trial % len(SCALES)])
    after = before.clone()
    structure = str(after)
    pass_.apply(Context(), after)
    if str(after) == structure:
        return Proof(Status.UNCHANGED)
    (func,) = [op for op in before.ops if isinstance(op, FuncOp)]
    (new,) = [op for op in after.ops if isinstance(op, FuncOp)]
    if (found := interface_difference(func, new, getattr(pass_, "renamed", None))) is not None:
        return Proof(Status.REFUTED, found)
    relations, caches = relations_of(pass_, func, new), caches_of(func)
    relate(func, new, relations)
    axes = axes_of_call(func, caches)
    return replace(_compare((before, after), (func, new), axes, random), state=words(relations))


def _compare(
    models: tuple[ModuleOp, ModuleOp],
    functions: tuple[FuncOp, FuncOp],
    axes: CallAxes | None,
    random: Random,
) -> Proof:
    """Compare the outputs of two models for all inputs."""
    before, (func, new) = models[0], functions
    inputs, expected = _point(func, random, axes)
    try:
        results = outputs(new, inputs)
    except NotExact as e:
        if not is_refusal(e):
            raise
        return Proof(Status.REFUTED, f"the model after the pass refuses its inputs: {e}")
    proof = _compared(models, inputs, expected, results)
    if proof.status is Status.REFUTED:
        return proof
    weights = residues_of_single_weights(before)
    decision = decide(inputs, lambda x: outputs(func, x), lambda x: outputs(new, x), weights)
    if decision.witness:
        inputs = list(decision.witness)
        found = _compared(models, inputs, outputs(func, inputs), outputs(new, inputs), True)
        if found.status is Status.REFUTED:
            return found
    numbers = default_rng(random.getrandbits(32))
    thresholds = thresholds_of([*func.body.block.ops, *new.body.block.ops])
    for _ in range(WIDE_POINTS):
        inputs = [exact_sample(x.shape, numbers, thresholds) for x in inputs]
        wide = _compared(models, inputs, outputs(func, inputs), outputs(new, inputs), True)
        if wide.status is Status.REFUTED:
            return wide
        proof = proof if wide.status is Status.PROVEN else wide
    if axes is not None and (first := _at_first_call(models, functions, axes, random)) is not None:
        if first.status is not Status.PROVEN:
            return first
    known = [x.shape for x in inputs]
    other = _at_other_extents(models, functions, random, thresholds, known)
    proof = proof if other.status is Status.PROVEN else other
    if proof.status is Status.PROVEN and decision.reason:
        return Proof(Status.CHECKED, decision.reason)
    return proof


def _at_first_call(
    models: tuple[ModuleOp, ModuleOp],
    functions: tuple[FuncOp, FuncOp],
    axes: CallAxes,
    random: Random,
) -> Proof | None:
    """Compare the outputs of a call without past steps; `None` if the layers before the rewrite
    take none."""
    before, after = functions
    shapes = axes.shapes(random.randint(1, 4), 0)
    inputs = [random_exact(shape, random) for shape in shapes]
    try:
        expected = outputs(before, inputs)
    except NotExact:
        return None
    try:
        return _compared(models, inputs, expected, outputs(after, inputs))
    except NotExact as e:
        return Proof(Status.REFUTED, f"the model after the pass refuses the first call: {e}")


def _at_other_extents(
    models: tuple[ModuleOp, ModuleOp],
    functions: tuple[FuncOp, FuncOp],
    random: Random,
    thresholds: Sequence[float],
    known: Sequence[tuple[int, ...]],
) -> Proof:
    """Compare the outputs at some extents that are not declared, but that the layers take."""
    worst, count = Proof(Status.PROVEN), 0
    for shapes in other_shapes(functions[0], random, known):
        try:
            if sum(map(prod, shapes)) > MAX_ELEMENTS:
                continue
            numbers = default_rng(random.getrandbits(32))
            inputs = [exact_sample(shape, numbers, thresholds) for shape in shapes]
            expected = outputs(functions[0], inputs)
        except NotExact:
            continue
        text = " and ".join("x".join(map(str, shape)) for shape in shapes)
        try:
            found = outputs(functions[1], inputs)
        except NotExact as e:
            if not is_refusal(e):
                continue
            return Proof(Status.REFUTED, f"the model after the pass refuses inputs of {text}: {e}")
        proof = _compared(models, inputs, expected, found, True)
        if proof.status is Status.REFUTED:
            return replace(proof, reason=f"for inputs of {text}: {proof.reason}")
        worst = worst if proof.status is Status.PROVEN else proof
        count += 1
        if count == OTHER_EXTENTS:
            break
    return worst


def _compared(
    models: tuple[ModuleOp, ModuleOp],
    inputs: list[ExactArray],
    before: list[Any],
    after: list[Any],
    is_wide: bool = False,
) -> Proof:
    """Compare the outputs of two models."""
    status = Status.PROVEN
    for first, second in zip(before, after, strict=True):
        if first.shape != second.shape:
            return Proof(Status.REFUTED, f"shape {first.shape} becomes {second.shape}")
        if np.array_equal(exact(first).residues, exact(second).residues):
            continue
        a, b = (np.asarray(x, "f8") for x in (first, second))
        error = (wide_error if is_wide else relative_error)(a, b)
        if not error <= TOLERANCE:
            example = Counterexample(
                [x.values for x in inputs], (with_values(models[0]), with_values(models[1])), (a, b)
            )
            return Proof(
                Status.REFUTED,
                f"outputs differ by {relative_error(a, b):.3g} of the largest value, most at "
                + example.difference(),
                example,
            )
        status = Status.APPROXIMATE
    return Proof(status)


def _point(
    func: FuncOp, random: Random, axes: CallAxes | None
) -> tuple[list[ExactArray], list[Any]]:
    """Random inputs that the layers of a model take, and its outputs for them."""
    reason = "no extents are found that its layers take"
    for shapes in input_shapes(func, random, axes=axes):
        inputs = [random_exact(shape, random) for shape in shapes]
        try:
            return inputs, outputs(func, inputs)
        except NotExact as e:
            reason = str(e)
    raise NotExact(reason)
