"""Points at which models are evaluated: random extents, inputs and weights."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, count
from math import prod
from random import Random
from typing import Any

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, Float16Type, Float32Type, ModuleOp, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from ..analysis.input_shapes import fits
from ..analysis.wide_values import BITS
from ..dialects.ncnn.blob import shape_of
from ..dialects.ncnn.constant import ConstantOp
from ..dialects.ncnn.layer import LayerOp
from ..dialects.ncnn.weights import ElidedAttr, HeldWeight, RandomAttr, dense_weight
from ..dialects.shapes.analysis import bounded_axes, fixed_axes
from .array import ExactArray, NotExact, exact
from .calls import CallAxes, Place
from .field import PRIME

Shapes = Sequence[tuple[int, ...]]

ATTEMPTS = 60
"""Random extents of dynamic inputs that are tried, to find some that the layers take."""

CALLS = 8
"""Random numbers of steps that are tried for a model with caches."""

MAX_ELEMENTS = 1 << 12
"""The largest operand of a layer: exact arithmetic takes about a microsecond an element."""

FEW_EXTENTS, LARGEST_EXTENT = 3, 64
"""The number of the extents of constants that inputs of unknown shape get, and the largest one."""

RANKS = (3, 2, 1, 4)
"""The ranks of inputs of unknown shape."""

PARAMETER_BITS = 10
"""The same of a single number, which may become a parameter: `residue_of` recovers it exactly."""


def input_shapes(
    func: FuncOp, random: Random, rank: int | None = None, axes: CallAxes | None = None
) -> Iterator[Shapes]:
    """Yield shapes for the inputs of a model: static extents as declared, dynamic ones at random,
    unknown ranks as given or at random. `axes` are the steps of a model with caches.

    Weights do not contradict them, but a layer may.
    """
    declared = [shape_of(arg) for arg in func.body.block.args]
    if all(shape is not None and DYNAMIC_INDEX not in shape for shape in declared):
        yield [shape or () for shape in declared]
        return
    if axes is not None:
        yield from _shapes_of_calls(func, random, axes)
    for _ in range(ATTEMPTS):
        common = tuple(random.randint(1, 6) for _ in range(rank or random.choice((1, 2, 3, 3, 4))))
        large = random.choice((0, 0, 4, 9))
        shapes = [_drawn(shape, common, large, random) for shape in declared]
        if fits(func, dict(enumerate(shapes))):
            yield shapes


def _shapes_of_calls(func: FuncOp, random: Random, axes: CallAxes) -> Iterator[Shapes]:
    """Yield shapes of the inputs of a call: as many steps in all inputs, behind as many past ones
    in all caches."""
    for _ in range(CALLS):
        new, past = random.randint(1, 4), random.randint(1, 4)
        shapes = axes.shapes(new, past)
        if fits(func, dict(enumerate(shapes))):
            yield shapes


def _drawn(
    shape: tuple[int, ...] | None, common: tuple[int, ...], large: int, random: Random
) -> tuple[int, ...]:
    if shape is None:
        return tuple(n + large if i else n for i, n in enumerate(common))
    aligned = (*(1,) * len(shape), *common)[-len(shape) :]
    return tuple(
        n if n != DYNAMIC_INDEX else random.choice((m, random.randint(1, 6))) + large
        for n, m in zip(shape, aligned, strict=True)
    )


def other_shapes(func: FuncOp, random: Random, known: Shapes) -> Iterator[Shapes]:
    """Yield other shapes than the declared ones: the runtime accepts them, too, unless the model is
    specialized to its declared shapes. A layer may contradict them. `known` are shapes that the
    layers take."""
    args = func.body.block.args
    declared = [shape_of(arg) for arg in args]
    if any(shape is None for shape in declared):
        found = _of_each_rank(declared, extents_of(func.body.block.ops), random)
    else:
        found = chain(regrouped(known, args), changed_shapes(known, free_places(args), random))
    yield from (shapes for shapes in found if fits(func, dict(enumerate(shapes))))


def regrouped(declared: Shapes, args: Sequence[SSAValue]) -> Iterator[Shapes]:
    """Yield shapes of one input that have as many elements as the declared one, along one axis."""
    if len(declared) == 1 and len(free_places(args)) == len(declared[0]):
        count, rank = prod(declared[0]), len(declared[0])
        for axis in range(rank):
            shape = tuple(count if i == axis else 1 for i in range(rank))
            if shape != tuple(declared[0]):
                yield [shape]


def extents_of(ops: Iterable[Operation]) -> list[int]:
    """Return some extents of the constants among operations: inputs of these extents may
    broadcast."""
    types = (op.output.type for op in ops if isinstance(op, ConstantOp))
    shapes = (type_.get_shape() for type_ in types if isinstance(type_, TensorType))
    return sorted({n for shape in shapes for n in shape if 1 < n <= LARGEST_EXTENT})[:FEW_EXTENTS]


def with_ones(extents: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield shapes of each rank that have one of some extents along one axis, and 1 along the
    others; then shapes of ones."""
    for n in extents:
        for rank in RANKS:
            yield from (tuple(n if i == k else 1 for i in range(rank)) for k in range(rank))
    yield from ((1,) * rank for rank in RANKS)


def _of_each_rank(
    declared: Sequence[tuple[int, ...] | None], extents: Sequence[int], random: Random
) -> Iterator[Shapes]:
    """Yield shapes of inputs of which some are unknown: of each rank, in each relation."""
    ranks = (tuple(random.randint(2, 6) for _ in range(rank)) for rank in RANKS)
    every = [*ranks, *with_ones(extents)]
    for relation in relations(declared):
        for free in every:
            unknown = count()
            yield [
                relation(free, next(unknown)) if shape is None else _drawn(shape, free, 0, random)
                for shape in declared
            ]


Relation = Callable[[tuple[int, ...], int], tuple[int, ...]]
"""The shape of an input of unknown shape, from a shape and the number of the input."""


def different(shape: tuple[int, ...], number: int) -> tuple[int, ...]:
    """Return another shape of the same rank for each number."""
    turns = number % len(shape)
    return tuple(n + number // len(shape) for n in (*shape[turns:], *shape[:turns]))


def _broadcast(shape: tuple[int, ...], number: int) -> tuple[int, ...]:
    return (shape[0], *(1 for _ in shape[1:])) if number else shape


def _broadcast_first(shape: tuple[int, ...], number: int) -> tuple[int, ...]:
    return shape if number else (shape[0], *(1 for _ in shape[1:]))


def _broadcast_inner(shape: tuple[int, ...], number: int) -> tuple[int, ...]:
    return (1, *shape[1:]) if number else shape


def _of_channels(shape: tuple[int, ...], number: int) -> tuple[int, ...]:
    return shape[:1] if number else shape


def _of_channels_first(shape: tuple[int, ...], number: int) -> tuple[int, ...]:
    return shape if number else shape[:1]


def _same(shape: tuple[int, ...], number: int) -> tuple[int, ...]:
    return shape


RELATIONS: Sequence[Relation] = (
    different,
    _broadcast,
    _of_channels,
    _broadcast_first,
    _broadcast_inner,
    _of_channels_first,
    _same,
)
"""Relations between shapes that are unknown. They differ, unless the layers do not take that."""


def relations(shapes: Sequence[tuple[int, ...] | None]) -> Sequence[Relation]:
    """Return the relations of the unknown ones among some shapes."""
    return RELATIONS if sum(shape is None for shape in shapes) > 1 else (different, _same)


def free_places(args: Sequence[SSAValue]) -> list[Place]:
    """Return the axes whose extents nothing promises."""
    return [
        (i, axis)
        for i, arg in enumerate(args)
        for axis in range(len(shape_of(arg) or ()))
        if axis not in (*fixed_axes(arg), *bounded_axes(arg))
    ]


def changed_shapes(
    declared: Shapes, free: Sequence[Place], random: Random, extents: Sequence[int] = ()
) -> Iterator[Shapes]:
    """Yield shapes that differ from others along free axes, with `extents` if they are given."""
    seen: set[tuple[tuple[int, ...], ...]] = set()
    changes: Sequence[Callable[[int], int]] = [
        lambda n: n + 1,
        lambda n: 1,
        lambda n: 2 * n,
        lambda n: 3,
        lambda n: random.randint(2, 6),
    ]
    if extents:
        changes = [lambda n, extent=extent: extent for extent in extents]
    for change in changes:
        for i, axis in free:
            old = declared[i][axis]
            # Axes of the same extent may have to stay equal, or may be independent.
            equal = [(j, k) for j, k in free if declared[j][k] == old]
            for places in ([(i, axis)], equal, free):
                shapes = [list(shape) for shape in declared]
                for j, k in places:
                    shapes[j][k] = change(declared[j][k])
                found = tuple(map(tuple[int, ...], shapes))
                if shapes[i][axis] != old and found not in seen:
                    seen.add(found)
                    yield found


def replace_weights(module: ModuleOp, random: Random, blobs: bool, scale: int = 1) -> None:
    """Give the float constants of a module random exact numbers, in (-scale, scale).

    Constants of equal values stay equal. Without `blobs` those that layers read as blobs keep their
    values.
    """
    positive = _positive(module)
    made: dict[tuple[object, ...], HeldWeight] = {}
    for op in module.walk():
        if not isinstance(op, ConstantOp) or not isinstance(op.output.type, TensorType):
            continue
        if not isinstance(op.output.type.element_type, Float16Type | Float32Type):
            continue
        shape = op.output.type.get_shape()
        if isinstance(op.value, ElidedAttr | RandomAttr):
            key: tuple[object, ...] = (id(op),)
        else:
            key = (shape, op.read().tobytes())
        if key not in made:
            if op.is_layer() and not blobs and len(key) == 2:
                made[key] = exact(op.read()).as_weight()
            else:
                bits = PARAMETER_BITS if prod(shape) == 1 else BITS
                made[key] = random_exact(shape, random, op in positive, bits, scale).as_weight()
        op.value = made[key]


def residues_of_single_weights(module: ModuleOp) -> set[int]:
    """Return the residues of the weights of one element, which may become parameters."""
    found: set[int] = set()
    for op in module.walk():
        if isinstance(op, ConstantOp) and isinstance(op.value, HeldWeight):
            data = op.value.data
            if data.size == 1:
                found.add(int(data.residues.reshape(-1)[0]))
    return found


def with_values(module: ModuleOp) -> ModuleOp:
    """Return a copy of a module with ordinary weights in the place of exact ones."""
    copy = module.clone()
    for op in copy.walk():
        if isinstance(op, ConstantOp) and isinstance(op.value, HeldWeight):
            type_: Any = op.output.type
            op.value = dense_weight(op.value.data.values.reshape(type_.get_shape()), type_)
    return copy


def _positive(module: ModuleOp) -> set[ConstantOp]:
    """Constants that must be positive, such as variances."""
    found: set[ConstantOp] = set()
    for op in module.walk():
        if isinstance(op, LayerOp) and not isinstance(op, ConstantOp):
            slots = op.weight_slots()
            for name, value in op.weight_operands().items():
                if value is None or not slots[name].positive:
                    continue
                if isinstance(value.owner, ConstantOp):
                    found.add(value.owner)
    return found


def random_exact(
    shape: Sequence[int],
    random: Random,
    positive: bool = False,
    bits: int = BITS,
    factor: int = 1,
) -> ExactArray:
    """Return random numbers in (-1, 1), or in (0.5, 1.5), times a factor, with some bits behind the
    point.

    Raises `NotExact` for too many.
    """
    count, scale = prod(shape), 1 << bits
    if count > MAX_ELEMENTS:
        raise NotExact(f"an input or weight of {count:,} elements")
    numbers = [random.randrange(1, scale) for _ in range(count)]
    numerators = [factor * (n + scale // 2 if positive else 2 * n - scale) for n in numbers]
    inverse = pow(scale, -1, PRIME)
    residues = np.empty(count, dtype=object)
    residues[:] = [n * inverse % PRIME for n in numerators]
    return ExactArray(
        residues.reshape(shape), np.array([n / scale for n in numerators]).reshape(shape)
    )
