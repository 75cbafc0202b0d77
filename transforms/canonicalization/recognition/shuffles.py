"""Recognition of ShuffleChannel, PixelShuffle and Reorg, spelled out as chains of Reshape and
Permute.

Such a chain splits axes into parts, permutes the parts and joins them to new axes. Its division
into layers does not matter, so chains are compared by the parts.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import prod
from typing import NamedTuple

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, op_type_rewrite_pattern
from xdsl.rewriter import InsertPoint

from ....analysis.shapes import shapes_of
from ....dialects.ncnn.blob import blob_like
from ....dialects.ncnn.extents import AXES, permutation
from ....dialects.ncnn.interfaces import Reshaping
from ....dialects.ncnn.layer import LayerOp
from ....dialects.ncnn.params import Value
from ....dialects.ncnn.resampling import PixelShuffleOp, ReorgOp, ShuffleChannelOp
from ....dialects.ncnn.reshaping import PermuteOp, ReshapeOp
from ....dialects.shapes.analysis import Shapes, numbers
from ....dialects.shapes.terms import Extent, Extents
from ...rewriting.selection import Selection
from ..rewriting import only_producer
from ..selective import SelectivePattern
from .recognizer import NewLayer, put

MAX_CHAIN = 6
"""Maximal number of layers in a chain."""

MAX_FACTOR = 16
"""Maximal factor of a PixelShuffle and stride of a Reorg."""


@dataclass(eq=False)
class Part:
    """A part of an axis. The parts of one axis relate like the digits of a number."""

    size: Extent


class Parts:
    """The parts of a blob's axes, in the order of the source and in their current order."""

    def __init__(self, shape: Extents) -> None:
        self.axes = [[] if n == 1 else [Part(n)] for n in shape]
        self.source = [part for axis in self.axes for part in axis]

    def permuted(self, order: Sequence[int]) -> "Parts":
        """Permute the axes."""
        self.axes = [self.axes[i] for i in order]
        return self

    def reshaped(self, shape: Extents) -> "Parts | None":
        """Regroup the parts to axes of this shape and split them where necessary; return `None` if
        an unknown extent prevents it, or the number of elements differs."""
        rest = [part for axis in self.axes for part in axis]
        axes = [self._take(rest, n) for n in shape]
        if None in axes or rest:
            return None
        self.axes = [axis for axis in axes if axis is not None]
        return self

    def _take(self, parts: list[Part], extent: Extent) -> list[Part] | None:
        """Remove parts from the front until they make up an extent; split the last one if
        necessary."""
        taken: list[Part] = []
        while extent != 1:
            if not parts:
                return None
            size = parts[0].size
            if (more := divided(extent, size)) is None:
                more = 1
                if (left := divided(size, extent)) is None:
                    return None
                self._cut(parts, (extent, left))
            taken.append(parts.pop(0))
            extent = more
        return taken

    def _cut(self, parts: list[Part], sizes: tuple[Extent, Extent]) -> None:
        """Split the first part into two parts of these sizes."""
        old, halves = parts[0], [Part(n) for n in sizes]
        for each in (parts, self.source):
            place = each.index(old)
            each[place : place + 1] = halves

    def joined(self, *counts: int) -> "Parts":
        """Join each given number of consecutive axes to one."""
        axes = iter(self.axes)
        self.axes = [[part for _ in range(n) for part in next(axes)] for n in counts]
        return self

    def order(self) -> list[tuple[int, Extent]]:
        """Return runs of parts that are neighbours in the source and now, in their current order:
        each by its index in the source and its extent."""
        place = {part: i for i, part in enumerate(self.source)}
        now = [part for axis in self.axes for part in axis]
        runs: list[list[Part]] = []
        for last, part in pairwise([None, *now]):
            if last is not None and part is not None and place[part] == place[last] + 1:
                runs[-1].append(part)
            elif part is not None:
                runs.append([part])
        numbers = {
            place[run[0]]: i for i, run in enumerate(sorted(runs, key=lambda r: place[r[0]]))
        }
        return [(numbers[place[run[0]]], extent_of(run)) for run in runs]

    def extents(self) -> Extents:
        """Return the extents of the axes."""
        return tuple(extent_of(axis) for axis in self.axes)


def extent_of(parts: Sequence[Part]) -> Extent:
    """Return the product of the sizes of parts."""
    return prod(part.size for part in parts)


def divided(extent: Extent, by: Extent) -> Extent | None:
    """Return the quotient of two extents; `None` if it is not provably exact."""
    quotient = extent // by
    return quotient if quotient * by == extent else None


class ShuffleLayer(NamedTuple):
    """A layer that moves elements, for one input shape."""

    type: type[LayerOp]
    params: dict[str, Value]
    input: Extents
    parts: Parts
    """The parts of that input after the layer."""


def shuffled(shape: Extents, group: int) -> ShuffleLayer | None:
    """Return a ShuffleChannel whose result has this shape."""
    channels, *inner = shape
    if not isinstance(channels, int) or channels % group:
        return None
    parts = Parts(shape).reshaped((group, channels // group, *inner))
    if parts is None:
        return None
    parts.permuted((1, 0, *range(2, len(shape) + 1))).joined(2, *(1,) * len(inner))
    return ShuffleLayer(ShuffleChannelOp, {"group": group}, shape, parts)


def pixel_shuffled(shape: Extents, factor: int, mode: int) -> ShuffleLayer | None:
    """Return a PixelShuffle of an input of this shape."""
    channels, h, w = shape
    if not isinstance(channels, int) or channels % factor**2:
        return None
    outputs = channels // factor**2
    cut = (outputs, factor, factor) if mode == 0 else (factor, factor, outputs)
    order = (0, 3, 1, 4, 2) if mode == 0 else (2, 3, 0, 4, 1)
    parts = Parts(shape).reshaped((*cut, h, w))
    if parts is None:
        return None
    parts.permuted(order).joined(1, 2, 2)
    return ShuffleLayer(PixelShuffleOp, {"upscale_factor": factor, "mode": mode}, shape, parts)


def reorganized(shape: Extents, stride: int, mode: int) -> ShuffleLayer | None:
    """Return a Reorg of an input of this shape."""
    c, h, w = shape
    rows, columns = divided(h, stride), divided(w, stride)
    if rows is None or columns is None:
        return None
    parts = Parts(shape).reshaped((c, rows, stride, columns, stride))
    if parts is None:
        return None
    parts.permuted((0, 2, 4, 1, 3) if mode == 0 else (2, 4, 0, 1, 3)).joined(3, 1, 1)
    return ShuffleLayer(ReorgOp, {"stride": stride, "mode": mode}, shape, parts)


def candidates(wanted: Parts) -> Iterator[ShuffleLayer | None]:
    """Yield layers whose results have these extents."""
    shape = wanted.extents()
    groups = [n for number, n in wanted.order() if number == 0 and isinstance(n, int)]
    if len(shape) in (3, 4):
        yield from (shuffled(shape, group) for group in groups)
    if len(shape) != 3:
        return
    c, h, w = shape
    for factor in range(2, MAX_FACTOR + 1):
        rows, columns = divided(h, factor), divided(w, factor)
        if rows is not None and columns is not None:
            before = (c * factor**2, rows, columns)
            yield from (pixel_shuffled(before, factor, mode) for mode in (0, 1))
        if (channels := divided(c, factor**2)) is not None:
            before = (channels, h * factor, w * factor)
            yield from (reorganized(before, factor, mode) for mode in (0, 1))


class FormShuffle(SelectivePattern):
    """Replace a chain of Reshape, Permute and similar layers by one ShuffleChannel, PixelShuffle or
    Reorg.

    Algebra: the chain splits the axes into the same parts as the layer, and joins them in the same
    order.

    Conditions, and why:
    - each value between has this one use and is no output: another user would need it;
    - the extents are known from parameters and weights. If the chain starts with a Reshape whose
      parameters specify extents, the extents of its input may be unknown: then another Reshape
      prepares the input of the new layer. Thus the result is valid for all inputs of the chain;
    - the result has fewer layers.
    """

    selection: Selection
    """Selects by the last layer and the type of the new one."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: Reshaping, rewriter: PatternRewriter) -> None:
        chain, shapes = chain_to(op), shapes_of(rewriter)
        for length in range(len(chain), 1, -1):
            layers = chain[:length]
            if not any(isinstance(each, PermuteOp) for each in layers):
                return
            first = layers[-1]
            source = first.operands[0]
            if (shuffle := self._shuffle(layers, source, shapes)) is not None:
                if shuffle.input == shapes.of(source):
                    put(self, NewLayer(shuffle.type, source, shuffle.params), layers, rewriter)
                    return
            if length == 2 or isinstance(first, PermuteOp):
                continue
            if (shuffle := self._shuffle(layers[:-1], first.results[0], shapes)) is not None:
                reshaped = _reshape(first, shuffle.input, rewriter)
                if reshaped is not None:
                    put(self, NewLayer(shuffle.type, reshaped, shuffle.params), layers, rewriter)
                    return

    def _shuffle(
        self, chain: Sequence[Reshaping], source: SSAValue, shapes: Shapes
    ) -> ShuffleLayer | None:
        """Return the layer that moves elements as a chain moves the elements of a blob. The shape
        of its input may differ from the blob's."""
        shape = shapes.of(source)
        parts = None if shape is None else Parts(shape)
        for layer in reversed(chain):
            parts = None if parts is None else _follow(parts, layer, shapes)
        if parts is None:
            return None
        for shuffle in candidates(parts):
            if shuffle is None or not self.selection.has(chain[0], shuffle.type):
                continue
            if (shuffle.parts.order(), shuffle.parts.extents()) == (parts.order(), parts.extents()):
                return shuffle
        return None


def chain_to(op: Operation) -> list[Reshaping]:
    """Return the chain of layers that only move elements and end with `op`, the last one first."""
    chain: list[Reshaping] = []
    while isinstance(op, Reshaping) and len(op.operands) == 1 and len(chain) < MAX_CHAIN:
        chain.append(op)
        before = only_producer(op.operands[0], op)
        if before is None:
            break
        op = before
    return chain


def _follow(parts: Parts, layer: Reshaping, shapes: Shapes) -> Parts | None:
    """Return the parts of a blob after a layer."""
    if isinstance(layer, PermuteOp):
        order = permutation(layer.order_type, len(parts.axes))
        return None if order is None else parts.permuted(order)
    shape = shapes.of(layer.results[0])
    return None if shape is None or not layer.keeps_order(shapes) else parts.reshaped(shape)


def _reshape(first: LayerOp, shape: Extents, rewriter: PatternRewriter) -> SSAValue | None:
    """Insert a Reshape before the first layer of a chain and return the chain's input in another
    shape."""
    extents = numbers(shape)
    if DYNAMIC_INDEX in extents:
        return None
    type_ = blob_like(first.operands[0], extents)
    reshape = ReshapeOp.make(first.operands[:1], {}, [type_], {})
    reshape.set_params(**dict(zip(AXES[len(shape)], extents, strict=True)), featmask=first.featmask)
    rewriter.insert(reshape, InsertPoint.before(first))
    return reshape.results[0]
