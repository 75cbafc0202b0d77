"""Extents at which the region of a rewrite is evaluated."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import count, islice
from math import gcd, prod
from random import Random

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from ..analysis.input_shapes import fits, likely_shapes
from ..analysis.shape_inference import with_shapes
from ..dialects.ncnn.blob import shape_of
from ..dialects.ncnn.weight_specs import Shape
from .calls import Place
from .random_instances import changed_shapes, free_places, regrouped, relations, with_ones

SCALES = ((5, 4), (3, 5), (4, 4), (2, 2), (8, 8), (12, 12), (1, 1))
"""Multiples of the smallest extents that keep the ratios of all extents: of rows, of columns."""

LARGE = 1 << 15
"""Extents with more elements are tried after others."""

LARGEST_RATIO = 16
"""The largest ratio of extents that scaling keeps."""

FREE = ((3, 4, 5), (4, 5), (6,), (2, 3, 4, 5), (2, 6, 6), (4,), (8, 8, 8), (8, 8))
"""Shapes of inputs about which nothing is known: each rank."""

TRIES = 24
"""Undeclared extents that may contradict the weights."""


class KnownShapes:
    """The shapes of a model's values for the extents of its inputs."""

    def __init__(self, func: FuncOp) -> None:
        self.inputs: Mapping[int, Shape] = likely_shapes(func)
        self.alternatives: list[Mapping[int, Shape]] = []
        for found in (
            islice(self._changed(func), 1),
            islice(self._changed(func, [1]), 1),
            self._covering(func),
            islice(self._regrouped(func), 1),
        ):
            self.alternatives += (each for each in found if each not in self.alternatives)

    def _known(self, func: FuncOp) -> list[Shape] | None:
        """Return the shapes of all inputs, `None` if one is not known."""
        args = func.body.block.args
        shapes = [self.inputs.get(arg.index, shape_of(arg)) for arg in args]
        known = [shape for shape in shapes if shape is not None and DYNAMIC_INDEX not in shape]
        return known if len(known) == len(shapes) else None

    def _changed(self, func: FuncOp, extents: Sequence[int] = ()) -> Iterator[Mapping[int, Shape]]:
        """Yield undeclared extents of the inputs that fit the weights, few changes first."""
        if (known := self._known(func)) is not None:
            free = free_places(func.body.block.args)
            changed = changed_shapes(known, free, Random(0), extents)
            yield from _fitting(func, islice(changed, TRIES))

    def _covering(self, func: FuncOp) -> Iterator[Mapping[int, Shape]]:
        """Yield undeclared extents that fit the weights and together change each axis that may
        change, many changes first."""
        if (known := self._known(func)) is None:
            return
        free = free_places(func.body.block.args)
        missing = set(free)

        def places(found: Mapping[int, Shape] | Sequence[Shape]) -> set[Place]:
            return {(i, axis) for i, axis in free if found[i][axis] != known[i][axis]}

        changed = islice(changed_shapes(known, free, Random(0)), TRIES)
        most = sorted(changed, key=lambda found: -len(places(found)))
        for found in _fitting(func, (each for each in most if places(each) & missing)):
            missing -= places(found)
            yield found

    def _regrouped(self, func: FuncOp) -> Iterator[Mapping[int, Shape]]:
        """Yield shapes of the only input that have as many elements along one axis: a layer that
        gives the declared extents takes them."""
        if (known := self._known(func)) is not None:
            yield from _fitting(func, regrouped(known, func.body.block.args))

    def of(self, func: FuncOp, inputs: Mapping[int, Shape] | None = None) -> dict[SSAValue, Shape]:
        """Return the shapes that are known in a later state of the model."""
        given, count = self.inputs if inputs is None else inputs, len(func.body.block.args)
        copy = with_shapes(func, {i: shape for i, shape in given.items() if i < count})
        found: dict[SSAValue, Shape] = {}
        for value, same in zip(_values(func), _values(copy), strict=True):
            if (shape := shape_of(same)) is not None:
                found[value] = shape
        return found


def _fitting(func: FuncOp, shapes: Iterable[Sequence[Shape]]) -> Iterator[Mapping[int, Shape]]:
    """Yield the shapes of inputs that fit the weights, by input."""
    return (each for each in map(dict, map(enumerate, shapes)) if fits(func, each))


def _values(func: FuncOp) -> list[SSAValue]:
    block = func.body.block
    return [*block.args, *(value for op in block.ops for value in op.results)]


def candidates(
    shapes: Sequence[Shape | None], extents: Sequence[int] = ()
) -> Iterator[Sequence[Shape]]:
    """Yield extents for blobs of these shapes: small multiples of their spatial extents with the
    same ratios, then their own extents. Dynamic extents and unknown ranks get small extents, also
    1 and `extents`."""
    if any(shape is None for shape in shapes):
        for free in (*FREE, *with_ones(extents)):
            for relation in relations(shapes):
                unknown = count()
                yield [
                    relation(free, next(unknown)) if shape is None else _filled(shape, 4)
                    for shape in shapes
                ]
        return
    known = [shape for shape in shapes if shape is not None]
    found: dict[tuple[Shape, ...], None] = {}
    for rows, columns in SCALES:
        found[tuple(_scaled(shape, known, rows, columns) for shape in known)] = None
    found[tuple(_filled(shape, 8) for shape in known)] = None
    yield from sorted(found, key=lambda each: element_count(each) > LARGE)


def _scaled(shape: Shape, shapes: Sequence[Shape], rows: int, columns: int) -> Shape:
    """Return a shape with smaller spatial extents, given all shapes."""
    axes = ((each, axis) for each in shapes for axis in spatial_axes(len(each)))
    extents = sorted({each[axis] for each, axis in axes if each[axis] > 1})
    factor = reduce(gcd, extents, 0)
    keeps_ratios = not extents or extents[-1] // factor <= LARGEST_RATIO
    result = list(_filled(shape, rows))
    for axis in spatial_axes(len(shape)):
        n, scale = shape[axis], columns if axis == len(shape) - 1 else rows
        if n == DYNAMIC_INDEX:
            result[axis] = scale
        elif n > 1:
            result[axis] = min(n, n // factor * scale if keeps_ratios else extents.index(n) + scale)
    return tuple(result)


def spatial_axes(rank: int) -> range:
    """Return the axes of a blob that are scaled: all but the channels, the rows of a matrix."""
    return range(1) if rank == 2 else range(1, rank)


def _filled(shape: Shape, extent: int) -> Shape:
    return tuple(extent if n == DYNAMIC_INDEX else n for n in shape)


def element_count(shapes: Sequence[Shape]) -> int:
    """Return the number of elements of all blobs."""
    return sum(map(prod, shapes))
