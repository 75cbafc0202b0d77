"""Proofs of the single steps of a run: one rewrite of one model."""

from collections.abc import Callable, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass
from typing import cast

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException

from ..analysis.wide_values import float_sample
from ..dialects.ncnn.constant import ConstantOp
from ..dialects.ncnn.lookup import model_of
from ..dialects.ncnn.weight_specs import Shape
from ..transforms.rewriting.observers import observing_alone
from .array import NotExact
from .calls import caches_of, relate, relations_of, words
from .canonical_form import CanonicalForm
from .comparison import ROUNDING, SMALL, MakeInput, RegionComparison, compare
from .interface import interface_difference, is_compatible
from .laws import enabled
from .proof import TOLERANCE, Status, with_fewest_laws
from .regions import Kept, Pair, Region, kept_operations, region_of, with_producers
from .sampling import exact_sample
from .scaled_extents import KnownShapes, element_count
from .symbols import Symbols

POINTS = 2
"""Random points at which a step is evaluated, at different extents; small regions get more.
An input of a point is drawn from 2^41 numbers, a weight from the prime's."""

SOLVER = "solver"
"""The first word of the method of a step that needs a solver."""

POINT = "random points modulo 2^61 - 1, an error is less likely than degree / 2^40"
"""The method that decides identities, with its bound of Schwartz and Zippel for an identity of
polynomials of a degree."""

GROWTHS = 3
"""Layers before a region that it may grow by: a rewrite may rely on facts about its inputs, for
example that they are not negative."""

DEMOTIONS = 8
"""Layers behind a region that it may grow by: kept layers may give equal results for different
operands."""

Rewrite = Callable[[ModuleOp], None]


@dataclass(frozen=True)
class RegionDifference:
    """Inputs of a region for which its results differ."""

    region: Region
    comparison: RegionComparison

    @property
    def pair(self) -> Pair:
        """The results that differ most."""
        return max(self.comparison.errors, key=self.comparison.errors.__getitem__)


@dataclass(frozen=True)
class Ground:
    """The region in which a step was proven or checked, and shapes of its inputs."""

    region: Region
    shapes: Sequence[Shape]


@dataclass(frozen=True)
class Verdict:
    """The status of a step."""

    status: Status
    """`UNSUPPORTED`: the step is only checked in float32, or not even that."""
    reason: str = ""
    laws: tuple[str, ...] = ()
    error: float = 0.0
    """The largest relative error of an approximate or checked step."""
    extents: tuple[tuple[Shape, ...], ...] = ()
    """The shapes of the region's inputs at each point."""
    checked: bool = False
    """Whether the float32 results are equal up to rounding, where there is no proof."""
    difference: RegionDifference | None = None
    ground: Ground | None = None
    patterns: int = 0
    """The sign patterns of comparisons that a solver found feasible, if the proof needs them."""
    state: tuple[str, ...] = ()
    """How states before the step follow from those after it: the proof is an induction over
    calls."""

    @property
    def method(self) -> str:
        """How the status was found."""
        match self.status:
            case Status.PROVEN if self.patterns:
                return f"{SOLVER}, {self.patterns} patterns of signs; {POINT}"
            case Status.PROVEN:
                return f"comparisons as functions; {POINT}"
            case Status.CHECKED | Status.APPROXIMATE:
                return "random points and thresholds, comparisons by values"
            case Status.UNSUPPORTED if self.checked:
                return "float32 at random points and thresholds"
            case _:
                return "none"


class StepProver:
    """Proves the steps of a run on one model."""

    def __init__(self, module: ModuleOp, form: CanonicalForm, seed: int = 0) -> None:
        self.form = form
        self.seed = seed
        self.symbols = [Symbols(seed, blobs) for blobs in (True, False)]
        try:
            self.shapes: KnownShapes | None = KnownShapes(model_of(module))
        except PassFailedException:
            self.shapes = None

    def prove(
        self,
        before: ModuleOp,
        after: ModuleOp,
        pairs: Sequence[tuple[Operation, Operation]],
        rewrite: Rewrite,
        running: ModulePass | None = None,
    ) -> Verdict:
        """Prove one step. `pairs` are the operations of `before` that still exist, each with its
        copy in `after`. `rewrite` repeats the step on a copy of `before`. The running pass states
        the names and the states that it changes on purpose, as `renamed` and `state_relations`."""
        try:
            funcs = model_of(before), model_of(after)
        except PassFailedException as e:
            return Verdict(Status.UNSUPPORTED, str(e))
        if is_compatible(*funcs):
            renamed = getattr(running, "renamed", None)
            if (found := interface_difference(*funcs, renamed)) is not None:
                return Verdict(Status.REFUTED, found)
        reason = ""
        checked: Verdict | None = None
        for symbols in self.symbols:
            try:
                verdict = with_fewest_laws(
                    lambda laws, symbols=symbols: self._prove(
                        laws, before, after, rewrite, symbols, running
                    )
                )
            except NotExact as e:
                verdict = Verdict(Status.UNSUPPORTED, str(e))
            if verdict.status in (Status.PROVEN, Status.APPROXIMATE):
                return verdict
            if verdict.status is Status.CHECKED:
                checked = checked or verdict
            reason = reason or verdict.reason
        return checked or self._check(before, after, pairs, reason, running)

    # -- proof

    def _prove(
        self,
        laws: tuple[str, ...],
        before: ModuleOp,
        after: ModuleOp,
        rewrite: Rewrite,
        symbols: Symbols,
        running: ModulePass | None,
    ) -> Verdict:
        if laws:  # the residues of constants depend on the laws
            symbols = Symbols(self.seed, symbols.blobs)
        with enabled(laws):
            old = before.clone()
            symbols.replace_weights(old)
            new = old.clone()
            pairs = list(zip(old.walk(), new.walk(), strict=True))
            self.repeat(rewrite, new)
            if self.form.structure(new) != self.form.structure(after):
                raise NotExact("the rewrite of symbols differs from the rewrite of the weights")
            check_weights(new, after)
            sides = model_of(old), model_of(new)
            state, caches = _related(sides, running)
            found, region = self._compare(sides, pairs, exact_sample, caches)
        if isinstance(found, RegionDifference):
            return Verdict(Status.REFUTED, difference=found, state=state)
        equal = not any(each.errors for each in found)
        reason = next((each.decision.reason for each in found if each.decision.reason), "")
        status = Status.PROVEN if equal else Status.APPROXIMATE
        if equal and reason:
            status = Status.CHECKED
        ground = Ground(region, found[0].shapes) if found else None
        patterns = max((each.decision.patterns for each in found), default=0)
        return Verdict(
            status,
            reason if equal else "",
            laws,
            *_summary(found),
            checked=status is Status.CHECKED,
            ground=ground,
            patterns=patterns,
            state=state,
        )

    def repeat(self, rewrite: Rewrite, module: ModuleOp) -> None:
        """Repeat a step on symbols, without observers. Raises `NotExact`."""
        try:
            with observing_alone():
                rewrite(module)
        except NotExact:
            raise
        except Exception as e:  # the code of a pass did not expect such arrays
            raise NotExact(f"on symbols it raises {type(e).__name__}: {e}") from e

    # -- regions

    def _compare(
        self,
        funcs: tuple[FuncOp, FuncOp],
        pairs: Sequence[tuple[Operation, Operation]],
        make: MakeInput,
        caches: Set[SSAValue],
        accepted: float = TOLERANCE,
    ) -> tuple[list[RegionComparison] | RegionDifference, Region]:
        """Compare the two sides in a region that may grow; return the comparisons of the region
        whose results agree, or the difference of the largest region, and the region. `caches` are
        the inputs of the model before that are caches of steps."""
        kept: Kept = kept_operations(pairs, funcs[1])
        shapes = Extents(self.shapes, funcs[0])
        found = self._compare_at(funcs, kept, shapes, make, caches, accepted)
        for _ in range(GROWTHS):
            owners = {x.owner: None for x, _ in found[1].inputs}
            makers = [op for op in kept if op in owners]
            if not isinstance(found[0], RegionDifference) or not makers:
                break
            # All at once, or else one: others may be behind a layer that has no evaluation, or
            # takes no blobs of the drawn shapes. Layers that nothing reads after the rewrite first.
            makers.sort(key=lambda op: any(result.first_use for result in kept[op].results))
            for some in (makers, *([maker] for maker in makers)):
                fewer = _without(kept, some)
                with suppress(NotExact):
                    found = self._compare_at(funcs, fewer, shapes, make, caches, accepted)
                    kept = fewer
                    break
            else:
                break
        return found

    def _compare_at(
        self,
        funcs: tuple[FuncOp, FuncOp],
        kept: Kept,
        shapes: "Extents",
        make: MakeInput,
        caches: Set[SSAValue],
        accepted: float,
    ) -> tuple[list[RegionComparison] | RegionDifference, Region]:
        """Compare the two sides in a region that may grow behind its results."""
        left = dict(kept)
        for _ in range(DEMOTIONS + 2):
            region = region_of(*funcs, left)
            if not region.results:
                return [], region
            others = shapes.others(region)
            found = compare(region, shapes.of(region), make, POINTS, self.seed, others, caches)
            wrong = {
                pair: each
                for each in found
                for pair, error in each.errors.items()
                if not error <= accepted
            }
            if not wrong:
                return found, region
            readers = {op for pair in wrong for op in region.results[pair]}
            fewer = {a: b for a, b in left.items() if a not in readers}
            is_last = len(kept) - len(fewer) > DEMOTIONS or len(fewer) == len(left)
            if is_last or any(isinstance(op, ReturnOp) for op in readers):
                return RegionDifference(region, next(iter(wrong.values()))), region
            left = fewer
        raise AssertionError("each round demotes a layer, and DEMOTIONS is their number")

    # -- check in float32

    def _check(
        self,
        before: ModuleOp,
        after: ModuleOp,
        pairs: Sequence[tuple[Operation, Operation]],
        reason: str,
        running: ModulePass | None,
    ) -> Verdict:
        """Compare float32 results of the model's own weights at random inputs."""
        funcs = model_of(before), model_of(after)
        try:
            if relations_of(running, *funcs):
                copies: dict[Operation, Operation] = {}
                for module in (before, after):
                    copies |= dict(zip(module.walk(), module.clone().walk(), strict=True))
                pairs = [(copies[a], copies[b]) for a, b in pairs]
                funcs = cast(tuple[FuncOp, FuncOp], tuple(copies[func] for func in funcs))
            state, caches = _related(funcs, running)
            found, region = self._compare(funcs, pairs, float_sample, caches, ROUNDING)
            ground = Ground(region, found[0].shapes) if isinstance(found, list) and found else None
            if isinstance(found, RegionDifference):
                reason = "it holds for the blobs that random inputs give, not for all blobs"
                found = self._compare_reachable(funcs, found)
        except NotExact as e:
            return Verdict(Status.UNSUPPORTED, reason or str(e))
        if isinstance(found, RegionDifference):
            error = found.comparison.error
            return Verdict(Status.REFUTED, error=error, difference=found, state=state)
        reason = reason or "it holds for the weights of this model, not for all weights"
        summary = _summary(found)
        return Verdict(
            Status.UNSUPPORTED, reason, (), *summary, checked=True, ground=ground, state=state
        )

    def _compare_reachable(
        self, funcs: tuple[FuncOp, FuncOp], difference: RegionDifference
    ) -> list[RegionComparison] | RegionDifference:
        """Compare the results of a region that differ, for blobs that the model computes."""
        region = with_producers(difference.region, *funcs)
        shapes = Extents(self.shapes, funcs[0])
        others = shapes.others(region)
        try:
            found = compare(region, shapes.of(region), float_sample, POINTS, self.seed, others)
        except NotExact:  # the blobs of the region are all that is known
            return difference
        wrong = next((each for each in found if not each.error <= ROUNDING), None)
        return found if wrong is None else RegionDifference(region, wrong)


def _related(
    funcs: tuple[FuncOp, FuncOp], running: ModulePass | None
) -> tuple[tuple[str, ...], Set[SSAValue]]:
    """Let both models take the state after a step, in place. Return the relations in words, and the
    inputs of the model before that are caches of steps."""
    relations, caches = relations_of(running, *funcs), caches_of(funcs[0])
    relate(*funcs, relations)
    args = funcs[0].body.block.args
    return words(relations), {args[i] for i in caches}


class Extents:
    """The shapes of a region's inputs in a model."""

    def __init__(self, known: KnownShapes | None, func: FuncOp) -> None:
        self._known = known
        self._func = func
        self._declared: Mapping[SSAValue, Shape] = {} if known is None else known.of(func)
        self._others: list[Mapping[SSAValue, Shape]] | None = None

    def of(self, region: Region) -> list[Shape | None]:
        """Return the shapes that follow from the declared extents of the model's inputs."""
        return [self._declared.get(x) for x, _ in region.inputs]

    def others(self, region: Region) -> list[list[Shape]]:
        """Return the shapes that follow from undeclared extents, the runtime accepts them, too."""
        declared = [shape for shape in self.of(region) if shape is not None]
        if self._known is None or not region.inputs or element_count(declared) > SMALL:
            return []
        if self._others is None:
            alternatives = self._known.alternatives
            self._others = [self._known.of(self._func, each) for each in alternatives]
        every = [[found.get(x) for x, _ in region.inputs] for found in self._others]
        return [
            [shape for shape in shapes if shape is not None]
            for shapes in every
            if not any(shape is None or DYNAMIC_INDEX in shape for shape in shapes)
        ]


def _summary(found: Sequence[RegionComparison]) -> tuple[float, tuple[tuple[Shape, ...], ...]]:
    """Return the largest error, and the shapes of the inputs at each point."""
    error = max((each.error for each in found), default=0.0)
    return error, tuple(tuple(each.shapes) for each in found)


def _without(kept: Kept, some: Sequence[Operation]) -> Kept:
    return {a: b for a, b in kept.items() if a not in some}


def check_weights(symbols: ModuleOp, module: ModuleOp) -> None:
    """Raise `NotExact` unless the constants of two modules of equal structure have equal values, up
    to rounding."""
    ours, theirs = (
        [op for op in each.walk() if isinstance(op, ConstantOp) and op.output.first_use]
        for each in (symbols, module)
    )
    for a, b in zip(ours, theirs, strict=True):
        if a.value is b.value:
            continue
        expected, found = (np.asarray(op.read(), "f8") for op in (a, b))
        size = float(np.abs(expected[np.isfinite(expected)]).max(initial=0))
        tolerance = (2e-3 if "16" in str(b.output.type) else 1e-5) * size
        if not np.allclose(found, expected, rtol=0, atol=tolerance, equal_nan=True):
            raise NotExact("its weights differ from the weights of the rewrite of symbols")
