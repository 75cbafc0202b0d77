"""Proofs for all extents of some axes of a model's inputs.

The pass runs once, on the model with unknown extents along these axes. Both models are traced with
symbols as extents, and their elements at generic indices are compared (`generic.py`). Extents at
which the traced code would take another way (`comparisons.py`) are cases of their own; they are
traced again.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import product
from math import prod
from random import Random
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException

from ..analysis.shape_inference import set_input_shapes
from ..conversion.tracing import nodes
from ..conversion.tracing.arrays import Traced, node_of
from ..conversion.tracing.nodes import Node, NotTraced
from ..conversion.tracing.primitives import DoesNotFit
from ..dialects.ncnn.blob import shape_of
from ..dialects.ncnn.constant import ConstantOp
from ..dialects.ncnn.extents import AXES
from ..dialects.ncnn.function import input_name, inputs_of, outputs_of
from ..dialects.ncnn.layer import LayerOp
from ..dialects.ncnn.structure import InputOp
from ..dialects.ncnn.weight_specs import Shape
from ..dialects.shapes.analysis import numbers
from ..dialects.shapes.terms import UNKNOWN, Atom, Extent, Extents, symbol
from ..interpreters.ncnn.layer_evaluation import apply
from ..interpreters.ncnn.semantics import NoSemantics
from .array import NotExact
from .calls import CallAxes, Place, axes_of_call, caches_of, relate, relations_of
from .comparisons import Case, exceptions, recorded, substituted
from .decisions import as_functions
from .exact_evaluation import required_semantics
from .expressions import TooMany, recording
from .generic import GenericElements
from .indices import Index, places
from .numbers import RandomElements, number
from .patterns import compare_by_patterns
from .random_instances import MAX_ELEMENTS, replace_weights

TRIALS = 2
"""Random points at which the generic elements are compared: the comparisons are functions, so no
signs are to be tried."""

MAX_CASES = 48
"""The largest number of cases of extents in one proof."""

Group: TypeAlias = frozenset[Place]
"""Axes that have one extent."""


class Grouping(NamedTuple):
    """Axes whose extents are unknown."""

    groups: Sequence[Group]
    sums: Mapping[Place, tuple[int, int]] = {}
    """Axes whose extent is the sum of those of two groups, by index."""

    def and_(self, group: Group) -> "Grouping":
        """Return a grouping with one group more."""
        return self._replace(groups=[*self.groups, group])

    def has(self, place: Place) -> bool:
        """Whether the extent of an axis is unknown."""
        return place in self.sums or any(place in group for group in self.groups)


class Inputs(NamedTuple):
    """The inputs that both sides of a statement take."""

    shapes: Sequence[Shape | None]
    """The declared shapes. A rewrite may change the shape of a cache."""
    related: Set[int]
    """The states that change, by the index of the input."""
    axes: CallAxes | None
    """The steps among the axes."""


class Sides(NamedTuple):
    """A model before and after a pass."""

    before: FuncOp
    after: FuncOp
    shapes: Sequence[Extents]
    """The shapes of the inputs."""


def uniform_axes(pass_: ModulePass, module: ModuleOp, seed: int = 0) -> tuple[str, ...]:
    """Return the axes for all of whose extents a pass keeps the outputs of a model."""
    (func,) = [op for op in module.ops if isinstance(op, FuncOp)]
    names = [input_name(func, i) for i in range(len(func.body.block.args))]
    try:
        inputs = _inputs(pass_, module, seed)
    except _REASONS:
        return ()
    for shapes in _ranked(inputs.shapes):
        found = _proven_groups(pass_, module, inputs, shapes, seed)
        if found.groups:
            return tuple(_texts(found, shapes, names))
    return ()


def _inputs(pass_: ModulePass, module: ModuleOp, seed: int) -> Inputs:
    module = module.clone()
    replace_weights(module, Random(seed), True)
    sides = _rewritten(pass_, module)
    (func,) = [op for op in module.ops if isinstance(op, FuncOp)]
    caches, related = caches_of(func), set[int]()
    if sides is not None:
        relations = relations_of(pass_, *sides)
        related = {arg.index for name, arg in inputs_of(func).items() if name in relations}
        relate(*sides, relations)
    return Inputs(
        [shape_of(arg) for arg in func.body.block.args], related, axes_of_call(func, caches)
    )


def _rewritten(pass_: ModulePass, module: ModuleOp) -> tuple[FuncOp, FuncOp] | None:
    """Return a model before and after a pass; `None` if they are equal."""
    after = module.clone()
    structure = str(after)
    pass_.apply(Context(), after)
    if str(after) == structure:
        return None
    (before,), (new,) = ([op for op in m.ops if isinstance(op, FuncOp)] for m in (module, after))
    return before, new


def _ranked(shapes: Sequence[Shape | None]) -> Iterator[Sequence[Shape]]:
    """Yield the shapes of inputs; for unranked inputs one rank after the other."""
    if None not in shapes:
        yield [shape for shape in shapes if shape is not None]
        return
    for rank in (3, 2, 1, 4):
        yield [(DYNAMIC_INDEX,) * rank if shape is None else shape for shape in shapes]


def _proven_groups(
    pass_: ModulePass, module: ModuleOp, inputs: Inputs, shapes: Sequence[Shape], seed: int
) -> Grouping:
    """Return groups of axes that a proof covers together."""
    for needed in _partitions(shapes, inputs.axes):
        if needed.groups and not _holds(pass_, module, inputs.related, shapes, needed, seed):
            continue
        found = needed
        for group in _groups(shapes):
            if any(found.has(place) for place in group):
                continue
            if _holds(pass_, module, inputs.related, shapes, found.and_(group), seed):
                found = found.and_(group)
        return found
    return Grouping([])


def _partitions(shapes: Sequence[Shape], axes: CallAxes | None) -> Iterator[Grouping]:
    """Yield groupings of the axes that are dynamic in the model: each for itself, as the steps of a
    decoder, those at the same distance from the innermost one, all."""
    dynamic = [place for place, n in _places_of(shapes) if n == DYNAMIC_INDEX]
    yield Grouping([frozenset([place]) for place in dynamic])
    if axes is not None and axes.new:
        groups = [frozenset(axes.past), frozenset(axes.new)]
        yield Grouping(groups, dict.fromkeys(axes.every, (0, 1)))
    if len(dynamic) > 1:
        by_distance: dict[int, list[Place]] = {}
        for i, k in dynamic:
            by_distance.setdefault(len(shapes[i]) - k, []).append((i, k))
        yield Grouping([frozenset(group) for group in by_distance.values()])
        yield Grouping([frozenset(dynamic)])


def _groups(shapes: Sequence[Shape]) -> Iterator[Group]:
    """Yield groups of static axes that may have one extent, the smallest groups first."""
    static = [(place, n) for place, n in _places_of(shapes) if n != DYNAMIC_INDEX]
    found: dict[Group, None] = {frozenset([place]): None for place, _ in static}
    for at_one_distance in (True, False):
        for (i, k), n in static:
            distance = len(shapes[i]) - k
            same = [
                other
                for other, m in static
                if m == n and (not at_one_distance or len(shapes[other[0]]) - other[1] == distance)
            ]
            found[frozenset(same)] = None
    yield from found


def _places_of(shapes: Sequence[Shape]) -> Iterator[tuple[Place, int]]:
    for i, shape in enumerate(shapes):
        for k, n in enumerate(shape):
            yield (i, k), n


def _texts(grouping: Grouping, shapes: Sequence[Shape], names: Sequence[str]) -> Iterator[str]:
    """Yield the axes of each group in words, then the sums."""

    def text(i: int, k: int) -> str:
        return f"{AXES[len(shapes[i])][k]} of {names[i]}"

    groups = [sorted(group) for group in grouping.groups]
    yield from (" = ".join(text(*place) for place in group) for group in groups)
    for place, parts in grouping.sums.items():
        yield f"{text(*place)} = {' + '.join(text(*groups[part][0]) for part in parts)}"


def _holds(
    pass_: ModulePass,
    module: ModuleOp,
    related: Set[int],
    shapes: Sequence[Shape],
    grouping: Grouping,
    seed: int,
) -> bool:
    """Whether a pass keeps the outputs for all extents of these axes."""
    try:
        for blobs in (True, False):
            for trial in range(TRIALS):
                random = Random(f"{seed} {trial}")
                sides = _sides(pass_, module, related, shapes, grouping, random, blobs)
                if sides is None:
                    break
                if not _equal_in_all_cases(sides, f"{seed} {trial}"):
                    return False
            else:
                return True
    except _REASONS:
        return False
    return False


_REASONS = (
    NotExact,
    TooMany,
    NotTraced,
    NoSemantics,
    PassFailedException,
    ValueError,
    TypeError,
    IndexError,
    AttributeError,
    RecursionError,
)
"""Why there is no proof: a computation has no exact form, or depends on an unknown extent."""


def _sides(
    pass_: ModulePass,
    module: ModuleOp,
    related: Set[int],
    shapes: Sequence[Shape],
    grouping: Grouping,
    random: Random,
    blobs: bool,
) -> Sides | None:
    """Return a model with unknown extents before and after the pass; `None` if they are equal."""
    module = module.clone()
    (before,) = [op for op in module.ops if isinstance(op, FuncOp)]
    extents: list[list[Extent]] = [list(shape) for shape in shapes]
    unknown = [symbol("extent", tuple(sorted(group))) for group in grouping.groups]
    for group, extent in zip(grouping.groups, unknown, strict=True):
        for i, k in group:
            extents[i][k] = extent
    for (i, k), (a, b) in grouping.sums.items():
        extents[i][k] = unknown[a] + unknown[b]
    given: dict[str, Shape] = {}
    for i, (arg, shape) in enumerate(zip(before.body.block.args, extents, strict=True)):
        new, declared = numbers(shape), shape_of(arg)
        if i not in related:
            given[input_name(before, i)] = new
        elif declared is not None:  # the state before the pass: its steps, but not its heads
            pairs = zip(declared, new, strict=True)
            given[input_name(before, i)] = tuple(n if n == DYNAMIC_INDEX else m for m, n in pairs)
    set_input_shapes(before, given)
    replace_weights(module, random, blobs)
    sides = _rewritten(pass_, module)
    if sides is None:
        return None
    relate(*sides, relations_of(pass_, *sides))
    return Sides(*sides, [tuple(shape) for shape in extents])


def _equal_in_all_cases(sides: Sides, seed: str) -> bool:
    """Whether both models have equal outputs in the generic case and in all exceptions."""
    pending: list[Case] = [{}]
    seen = {frozenset[tuple[Atom, Extent]]()}
    while pending:
        case = pending.pop()
        with recorded() as differences:
            if not _equal(sides, case, f"{seed} {len(seen)}"):
                return False
        for difference in differences:
            found = exceptions(difference)
            if found is None:
                return False
            for each in found:
                both = {atom: substituted(n, each) for atom, n in case.items()} | dict(each)
                if (key := frozenset(both.items())) not in seen:
                    seen.add(key)
                    pending.append(both)
        if len(seen) > MAX_CASES:
            return False
    return True


def _equal(sides: Sides, case: Case, seed: str) -> bool:
    """Whether both models have equal outputs in a case, or the model before has none."""
    shapes = [tuple(substituted(n, case) for n in shape) for shape in sides.shapes]
    static = all(isinstance(n, int) for shape in shapes for n in shape)
    try:
        before, weights = traced(sides.before, shapes)
    except (ValueError, IndexError) as e:
        if isinstance(e, DoesNotFit) or static:
            return True
        raise
    after, new_weights = traced(sides.after, shapes)
    if any(UNKNOWN in node.shape for node in nodes.in_order([*before, *after])):
        raise NotExact("an extent is not known")
    if [node.shape for node in before] != [node.shape for node in after]:
        return False

    def elements(seed: str) -> Iterator[tuple[Any, Any]]:
        draws = RandomElements(seed)
        first, second = (
            GenericElements({arg: i for i, arg in enumerate(func.body.block.args)}, held, draws)
            for func, held in ((sides.before, weights), (sides.after, new_weights))
        )
        for a, b in zip(before, after, strict=True):
            for index in _indices(a.shape):
                yield number(first.of(a, index)).residue, number(second.of(b, index)).residue

    with as_functions() as decisions:
        are_equal = all(a == b for a, b in elements(seed))
        if decisions.noted:
            raise NotExact("values decide a function at unknown extents")
        if are_equal:
            return True
        with recording():
            pairs = list(elements(seed))
    return not compare_by_patterns(pairs).reason


def _indices(shape: Extents) -> list[Index]:
    """Return the generic indices of a tensor. Raises `NotExact` for too many."""
    made: dict[Atom, Extent] = {}
    axes = [list(places(n, ("out", i), made)) for i, n in enumerate(shape)]
    if prod(map(len, axes)) > MAX_ELEMENTS:
        raise NotExact("too many outputs")
    return list(product(*axes))


def traced(func: FuncOp, shapes: Sequence[Extents]) -> tuple[list[Node], Mapping[SSAValue, Any]]:
    """Return the nodes of a model's outputs for inputs of these shapes, and its constants."""
    values: dict[SSAValue, Any] = {}
    weights: dict[SSAValue, Any] = {}
    for arg, shape in zip(func.body.block.args, shapes, strict=True):
        values[arg] = Traced(nodes.Input(shape, np.dtype("f4"), arg))
    for op in func.body.block.ops:
        if isinstance(op, InputOp):
            values.update(zip(op.results, (values[v] for v in op.operands), strict=False))
        elif isinstance(op, ConstantOp):
            known = weights[op.output] = op.read()
            given = Traced(nodes.Input(known.shape, np.dtype("f4"), op.output))
            values[op.output] = given if known.dtype.kind == "f" else known
        elif isinstance(op, LayerOp):
            with np.errstate(all="ignore"):
                results = apply(required_semantics(op), op, [values[v] for v in op.operands])
            values.update(zip(op.results, results, strict=True))
        elif op.results:
            raise NotExact(f"{op.name} has no reference semantics")
    return [node_of(values[value]) for value, _ in outputs_of(func)], weights
