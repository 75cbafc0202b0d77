"""Layers that move elements, spelled out as chains of Reshape and Permute.

Such a chain cuts axes into parts, brings the parts into another order and joins them to new axes.
How it is divided into layers does not matter to what it does, so chains are compared by the parts.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import prod
from typing import TypeAlias

from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.rewriter import InsertPoint

from ....dialects.ncnn.blob import blob_like
from ....dialects.ncnn.certain import certain_shape
from ....dialects.ncnn.extents import AXES, permutation
from ....dialects.ncnn.forms import REST, Form, own_form
from ....dialects.ncnn.interfaces import Reshaping
from ....dialects.ncnn.layer import LayerOp
from ....dialects.ncnn.params import Value
from ....dialects.ncnn.resampling import PixelShuffleOp, ReorgOp, ShuffleChannelOp
from ....dialects.ncnn.reshaping import PermuteOp, ReshapeOp
from ...selection import EVERYTHING, Selection
from ..rewriting import only_producer
from .recognizer import NewLayer, put

LONGEST = 6
"""Layers of a chain at most."""

MOST = 16
"""The greatest factor of a PixelShuffle, and stride of a Reorg, that is looked for."""

Size: TypeAlias = int | str
"""The extent of a part, or the axis of the source whose extent it has."""

Extent: TypeAlias = tuple[int, tuple[str, ...]]
"""The product of sizes: of the numbers, and the axes."""


@dataclass(eq=False)
class Part:
    """A part of an axis; parts of one axis are to each other as digits of a number are."""

    size: Size


class Parts:
    """The parts of a blob's axes: as they were in the source, and as they are now."""

    def __init__(self, form: Form) -> None:
        self.axes = [[] if n == 1 else [Part(n)] for n in form]
        self.source = [part for axis in self.axes for part in axis]

    def permuted(self, order: Sequence[int]) -> "Parts":
        """With the axes in another order."""
        self.axes = [self.axes[i] for i in order]
        return self

    def reshaped(self, form: Form) -> "Parts | None":
        """With the parts on other axes, cut where it takes that; `None` if an extent is not known
        well enough to tell where, or there are too many or too few."""
        rest = [part for axis in self.axes for part in axis]
        named = dict(zip(AXES.get(len(self.axes), ""), self.axes, strict=False))
        split = form.index(REST) if REST in form else len(form)
        before = [self._take(rest, n, named, 0) for n in form[:split]]
        after = [self._take(rest, n, named, -1) for n in reversed(form[split + 1 :])]
        if None in before or None in after or (rest and split == len(form)):
            return None
        middle = [rest] if split < len(form) else []
        self.axes = [axis for axis in (*before, *middle, *reversed(after)) if axis is not None]
        return self

    def _take(
        self, parts: list[Part], extent: Size, named: dict[str, list[Part]], end: int
    ) -> list[Part] | None:
        """Takes as many parts off an end as make an extent, cutting the last one if it must."""
        taken: list[Part] = []
        if isinstance(extent, str):
            taken = list(named.get(extent, ()))
            where = slice(0, len(taken)) if end == 0 else slice(len(parts) - len(taken), None)
            if parts[where] != taken:
                return None
            del parts[where]
            return taken
        while extent > 1:
            if not parts or not isinstance(size := parts[end].size, int):
                return None
            common = size if extent % size == 0 else extent
            if size % common:
                return None
            if size != common:
                self._cut(parts, end, common)
            taken.append(parts.pop(end))
            extent //= common
        return taken if end == 0 else taken[::-1]

    def _cut(self, parts: list[Part], end: int, size: int) -> None:
        """Cuts the part at an end in two, so that the one at the end has that size."""
        old = parts[end]
        assert isinstance(old.size, int)
        sizes = (size, old.size // size) if end == 0 else (old.size // size, size)
        halves = [Part(n) for n in sizes]
        for each in (parts, self.source):
            place = each.index(old)
            each[place : place + 1] = halves

    def joined(self, *counts: int) -> "Parts":
        """With as many axes as given made one each."""
        axes = iter(self.axes)
        self.axes = [[part for _ in range(n) for part in next(axes)] for n in counts]
        return self

    def order(self) -> list[tuple[int, Extent]]:
        """What has become of the source: runs of parts that stayed neighbours, each by its number
        there and its extent, in the order that they have now."""
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

    def extents(self) -> "list[Extent]":
        """The extents of the axes."""
        return [extent_of(axis) for axis in self.axes]


def extent_of(parts: Sequence[Part]) -> Extent:
    """The extent of parts together."""
    sizes = [part.size for part in parts]
    names = sorted(n for n in sizes if isinstance(n, str))
    return prod(n for n in sizes if isinstance(n, int)), tuple(names)


@dataclass(frozen=True)
class Moved:
    """A layer that moves elements, for one input."""

    type: type[LayerOp]
    params: dict[str, Value]
    input: Form
    parts: Parts
    """What it does to that input."""


def shuffled(form: Form, group: int) -> Moved | None:
    """A ShuffleChannel that gives a blob of this form."""
    channels, *inner = form
    if not isinstance(channels, int) or channels % group:
        return None
    names = AXES[len(form)][1:]
    parts = Parts((channels, *inner)).reshaped((group, channels // group, *names))
    if parts is None:
        return None
    parts.permuted((1, 0, *range(2, len(form) + 1))).joined(2, *(1,) * len(inner))
    return Moved(ShuffleChannelOp, {"group": group}, form, parts)


def pixel_shuffled(form: Form, factor: int, mode: int) -> Moved | None:
    """A PixelShuffle of an input of this form."""
    channels, h, w = form
    if not isinstance(channels, int) or channels % factor**2:
        return None
    outputs = channels // factor**2
    cut = (outputs, factor, factor) if mode == 0 else (factor, factor, outputs)
    order = (0, 3, 1, 4, 2) if mode == 0 else (2, 3, 0, 4, 1)
    parts = Parts((channels, h, w)).reshaped((*cut, "h", "w"))
    if parts is None:
        return None
    parts.permuted(order).joined(1, 2, 2)
    return Moved(PixelShuffleOp, {"upscale_factor": factor, "mode": mode}, form, parts)


def reorganized(form: Form, stride: int, mode: int) -> Moved | None:
    """A Reorg of an input of this form."""
    _, h, w = form
    if not isinstance(h, int) or not isinstance(w, int) or h % stride or w % stride:
        return None
    parts = Parts(form).reshaped(("c", h // stride, stride, w // stride, stride))
    if parts is None:
        return None
    parts.permuted((0, 2, 4, 1, 3) if mode == 0 else (2, 4, 0, 1, 3)).joined(3, 1, 1)
    return Moved(ReorgOp, {"stride": stride, "mode": mode}, form, parts)


def candidates(wanted: Parts) -> Iterator[Moved | None]:
    """Layers whose outputs have these extents."""
    extents = wanted.extents()
    groups = [size for number, (size, names) in wanted.order() if number == 0 and not names]
    if len(extents) in (3, 4) and (form := form_of(extents)) is not None:
        yield from (shuffled(form, group) for group in groups)
    if len(extents) != 3:
        return
    (c, c_names), (h, h_names), (w, w_names) = extents
    for factor in range(2, MOST + 1):
        if h % factor == 0 and w % factor == 0:
            before = ((c * factor**2, c_names), (h // factor, h_names), (w // factor, w_names))
            if (form := form_of(before)) is not None:
                yield from (pixel_shuffled(form, factor, mode) for mode in (0, 1))
        if c % factor**2 == 0:
            before = ((c // factor**2, c_names), (h * factor, h_names), (w * factor, w_names))
            if (form := form_of(before)) is not None:
                yield from (reorganized(form, factor, mode) for mode in (0, 1))


def form_of(extents: Sequence[Extent]) -> Form | None:
    """Extents as a form; `None` if one is neither a number nor an axis."""
    form: list[Size] = []
    for number, names in extents:
        if len(names) > 1 or (names and number != 1):
            return None
        form.append(names[0] if names else number)
    return tuple(form)


@dataclass(frozen=True)
class FormMoved(RewritePattern):
    """Makes one layer of a chain of Reshape, Permute and the like: ShuffleChannel, PixelShuffle or
    Reorg.

    Algebra: the chain cuts the axes into the same parts as the layer, and joins them in the same
    order.

    Conditions, and why:
    - what is made on the way has this one use and is no output: somebody else needs it as it is;
    - the extents are certain, from parameters and weights. Where the first layer of the chain is a
      Reshape that says extents, but those of its input are not certain, another Reshape makes of
      that what the new layer needs: so it holds for all inputs that the chain could take;
    - there are fewer layers than before.
    """

    selection: Selection = EVERYTHING
    """Of the last layer and the type of the new one."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: Reshaping, rewriter: PatternRewriter) -> None:
        chain = chain_to(op)
        for length in range(len(chain), 1, -1):
            layers = chain[:length]
            if not any(isinstance(each, PermuteOp) for each in layers):
                return
            first = layers[-1]
            source = first.operands[0]
            if (moved := self._moved(layers, source)) is not None:
                if moved.input == own_form(certain_shape(source) or ()):
                    put(self, NewLayer(moved.type, source, moved.params), layers, rewriter)
                    return
            if length == 2 or isinstance(first, PermuteOp):
                continue
            if (moved := self._moved(layers[:-1], first.results[0])) is not None:
                reshaped = _reshape(first, moved.input, rewriter)
                if reshaped is not None:
                    put(self, NewLayer(moved.type, reshaped, moved.params), layers, rewriter)
                    return

    def _moved(self, chain: Sequence[Reshaping], source: SSAValue) -> Moved | None:
        """The layer that does what a chain does to a blob, but for the blob's shape."""
        shape = certain_shape(source)
        parts = None if shape is None else Parts(own_form(shape))
        for layer in reversed(chain):
            parts = None if parts is None else _follow(parts, layer)
        if parts is None:
            return None
        for moved in candidates(parts):
            if moved is None or not self.selection.has(chain[0], moved.type):
                continue
            if (moved.parts.order(), moved.parts.extents()) == (parts.order(), parts.extents()):
                return moved
        return None


def chain_to(op: Operation) -> list[Reshaping]:
    """The layers that only move elements, one after the other, up to a last one, which comes
    first."""
    chain: list[Reshaping] = []
    while isinstance(op, Reshaping) and len(op.operands) == 1 and len(chain) < LONGEST:
        chain.append(op)
        before = only_producer(op.operands[0], op)
        if before is None:
            break
        op = before
    return chain


def _follow(parts: Parts, layer: Reshaping) -> Parts | None:
    """What a layer makes of a blob's parts."""
    if isinstance(layer, PermuteOp):
        order = permutation(layer.order_type, len(parts.axes))
        return None if order is None else parts.permuted(order)
    form = layer.form()
    return None if form is None else parts.reshaped(form)


def _reshape(first: LayerOp, form: Form, rewriter: PatternRewriter) -> SSAValue | None:
    """The input of a chain in the shape that a layer needs, by a Reshape before its first layer."""
    extents = [n for n in form if isinstance(n, int)]
    if len(extents) != len(form):
        return None
    type_ = blob_like(first.operands[0], extents)
    reshape = ReshapeOp.make(first.operands[:1], {}, [type_], {})
    reshape.set_params(**dict(zip(AXES[len(form)], extents, strict=True)), featmask=first.featmask)
    rewriter.insert(reshape, InsertPoint.before(first))
    return reshape.results[0]
