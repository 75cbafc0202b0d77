"""Recognition of ShuffleChannel, PixelShuffle and Reorg, spelled out as chains of Reshape and
Permute.

Such a chain splits axes into parts, permutes the parts and joins them to new axes. Its division
into layers does not matter, so chains are compared by the parts.
"""

from collections.abc import Iterator, Sequence
from math import prod
from typing import NamedTuple

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.rewriter import InsertPoint

from ....analysis.shapes import shapes_of
from ....dialects.ncnn.blob import blob_like
from ....dialects.ncnn.extents import AXES
from ....dialects.ncnn.interfaces import Reshaping
from ....dialects.ncnn.layer import LayerOp
from ....dialects.ncnn.params import Value
from ....dialects.ncnn.resampling import PixelShuffleOp, ReorgOp, ShuffleChannelOp
from ....dialects.ncnn.reshaping import PermuteOp, ReshapeOp
from ....dialects.shapes.analysis import Shapes, numbers
from ....dialects.shapes.terms import Extents, provably_equal
from ...rewriting.running_passes import is_enabled
from ..rewriting import only_producer
from .recognizer import NewLayer, put
from .strided_views import StridedView, divided

MAX_CHAIN = 6
"""Maximal number of layers in a chain."""

MAX_FACTOR = 16
"""Maximal factor of a PixelShuffle and stride of a Reorg."""


class ShuffleLayer(NamedTuple):
    """A layer that moves elements, for one input shape."""

    type: type[LayerOp]
    params: dict[str, Value]
    input: Extents
    view: StridedView
    """That input after the layer."""


def shuffled(shape: Extents, group: int) -> ShuffleLayer | None:
    """Return a ShuffleChannel whose result has this shape."""
    channels, *inner = shape
    if not isinstance(channels, int):
        return None
    parts, order = (group, channels // group, *inner), (1, 0, *range(2, len(shape) + 1))
    return _layer(ShuffleChannelOp, {"group": group}, shape, parts, order, shape)


def pixel_shuffled(shape: Extents, factor: int, mode: int) -> ShuffleLayer | None:
    """Return a PixelShuffle of an input of this shape."""
    channels, h, w = shape
    if not isinstance(channels, int):
        return None
    outputs = channels // factor**2
    cut = (outputs, factor, factor) if mode == 0 else (factor, factor, outputs)
    order = (0, 3, 1, 4, 2) if mode == 0 else (2, 3, 0, 4, 1)
    params: dict[str, Value] = {"upscale_factor": factor, "mode": mode}
    result = (outputs, h * factor, w * factor)
    return _layer(PixelShuffleOp, params, shape, (*cut, h, w), order, result)


def reorganized(shape: Extents, stride: int, mode: int) -> ShuffleLayer | None:
    """Return a Reorg of an input of this shape."""
    c, h, w = shape
    rows, columns = divided(h, stride), divided(w, stride)
    if rows is None or columns is None:
        return None
    parts = (c, rows, stride, columns, stride)
    order = (0, 2, 4, 1, 3) if mode == 0 else (2, 4, 0, 1, 3)
    params: dict[str, Value] = {"stride": stride, "mode": mode}
    return _layer(ReorgOp, params, shape, parts, order, (c * stride**2, rows, columns))


def _layer(
    type_: type[LayerOp],
    params: dict[str, Value],
    shape: Extents,
    parts: Extents,
    order: Sequence[int],
    result: Extents,
) -> ShuffleLayer | None:
    """Return a layer that splits the axes of its input into parts, permutes these and joins them to
    the axes of its result."""
    view = StridedView.of_elements(shape).reshaped(parts)
    view = None if view is None else view.permuted(order).reshaped(result)
    return None if view is None else ShuffleLayer(type_, params, shape, view)


def candidates(wanted: StridedView) -> Iterator[ShuffleLayer | None]:
    """Yield layers whose results have these extents."""
    shape = wanted.extents()
    outermost = [d.size for d in wanted.runs() if d.size * d.stride == prod(shape)]
    groups = [n for n in outermost if isinstance(n, int)]
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


class FormShuffle(RewritePattern):
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
                if provably_equal(shuffle.input, shapes.of(source)):
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
        view = None if shape is None else StridedView.of_elements(shape)
        for layer in reversed(chain):
            view = None if view is None else view.after(layer, 0, shapes)
        if view is None:
            return None
        for shuffle in candidates(view):
            if shuffle is None or not is_enabled(self, *chain, new=shuffle.type):
                continue
            if shuffle.view.runs() == view.runs():
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
